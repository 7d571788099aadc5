"""How a hand ends."""

import pytest

from services.games.blackjack.base import collected, dealer_finished, hand_line, outcome, undecided
from services.games.blackjack.house import ALL_BETS, ORIGINAL_AND_SPLIT, ORIGINAL_ONLY, STANDARD
from tests.games.blackjack.tables import hand, history, table

OPEN = table(dealer_blackjack="original_bets_only")


@pytest.mark.parametrize(
    ("cards", "actions", "dealer", "expected"),
    [
        ("KH AD", "", "6H KD", "blackjack"),
        ("KH AD", "", "AH KD", "push"),
        ("KH AD", "even_money", "AH KD", "push"),
        ("KH 9D", "stand", "6H KD KS", "win"),
        ("KH 9D", "stand", "8H KD", "win"),
        ("KH 9D", "stand", "9H KD", "push"),
        ("KH 9D", "stand", "10H KD", None),
        ("KH 6D 9C", "hit", "6H KD KS", None),
        ("KH 6D", "surrender", "9H KD", "surrender"),
        ("KH 6D", "surrender", "AH KD", None),
        ("KH 5D 6C", "hit", "AH KD", None),
    ],
)
def test_a_hand_ends_so(cards: str, actions: str, dealer: str, expected: str | None) -> None:
    """Higher wins without passing 21; a Blackjack beats all but a Blackjack; half is given up by a surrender."""
    assert outcome(history(hand(cards, actions), dealer=dealer, terms=OPEN).seat(1), 0) == expected


def test_even_money_is_a_line_of_its_own() -> None:
    """Whatever the dealer has."""
    assert hand_line(history(hand("KH AD", "even_money"), dealer="AH 5D").seat(1)) == "even_money"
    assert hand_line(history(hand("KH AD"), dealer="AH 5D").seat(1)) == "blackjack"


def test_the_dealer_may_stop_when_nobody_waits() -> None:
    """Then his hand is not finished."""
    seat = history(hand("KH 6D 9C", "hit"), dealer="6H KD").seat(1)
    assert not undecided(seat.hands)
    assert not dealer_finished(seat, table())
    seat = history(hand("KH 6D", "stand"), dealer="6H KD 9C").seat(1)
    assert undecided(seat.hands)
    assert dealer_finished(seat, table())
    assert dealer_finished(history(hand("KH 6D"), dealer="AH KD").seat(1), table())


@pytest.mark.parametrize(
    ("rule", "split", "double"),
    [(ORIGINAL_ONLY, False, False), (ORIGINAL_AND_SPLIT, True, False), (ALL_BETS, True, True)],
)
def test_house_rules_say_what_a_late_blackjack_takes(rule: str, split: bool, double: bool) -> None:
    """Original bets alone, splits too, or all."""
    rules = STANDARD._replace(dealer_blackjack=rule)
    assert (collected(rules, split=True), collected(rules, split=False)) == (split, double)
