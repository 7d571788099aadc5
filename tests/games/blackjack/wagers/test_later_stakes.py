"""Doubles, splits and insurance."""

import pytest

from services.games.catalogue import wager
from tests.games.blackjack.tables import hand, history, line, settled, table

SPLIT = [hand("8H 3C KC", "split double"), hand("8D KH", "stand", no=1)]


def test_a_double_is_settled_with_its_hand() -> None:
    """It wins, pushes and loses as the hand does."""
    found = history(hand("5H 6D KS", "double"), dealer="6H KD 5C")
    assert line("blackjack.double", found, "0") == "push"
    assert settled("blackjack.double", history(*SPLIT, dealer="6H KD 9C"), "0").payout_cents == 2_000
    assert line("blackjack.double", history(hand("5H 6D 2S", "double"), dealer="7H KD"), "0") is None


@pytest.mark.parametrize("on", ["1", "2"])
def test_a_double_of_a_hand_that_was_not_doubled_is_void(on: str) -> None:
    """The stake comes back; so does that of a hand which is not there."""
    found = settled("blackjack.double", history(*SPLIT, dealer="6H KD 9C"), on)
    assert (found.outcome, found.line, found.payout_cents) == ("void", "not_doubled", 1_000)


def test_a_split_is_settled_with_the_hand_that_comes_of_it() -> None:
    """And is void where the pair was not split."""
    found = history(*SPLIT, dealer="6H KD AC")
    assert line("blackjack.split", found, "1") == "win"
    assert settled("blackjack.split", history(*SPLIT, dealer="10H 8C"), "1").outcome == "push"
    assert settled("blackjack.split", found, "2").outcome == "void"


@pytest.mark.parametrize(
    ("rule", "split", "double"),
    [
        ("original_bets_only", "dealer_blackjack", "dealer_blackjack"),
        ("original_and_split_bets", None, "dealer_blackjack"),
        ("all_bets", None, None),
    ],
)
def test_a_late_blackjack_takes_what_the_house_rules_say(rule: str, split: str | None, double: str | None) -> None:
    """The original wager always; other stakes come back where only original wagers are taken (633a.11(d))."""
    under = table(dealer_blackjack=rule)
    found = history(*SPLIT, dealer="KD AC", terms=under)
    assert line("blackjack.blackjack", found, terms=under) is None
    assert line("blackjack.split", found, "1", terms=under) == split
    assert line("blackjack.double", found, "0", terms=under) == double


def test_a_bust_stays_lost_on_a_late_blackjack() -> None:
    """What was collected before is not returned."""
    under = table(dealer_blackjack="original_bets_only")
    hands = [hand("8H 3C KC", "split double"), hand("8D KH 9S", "hit", no=1)]
    found = history(*hands, dealer="KD AC", terms=under)
    assert line("blackjack.split", found, "1", terms=under) is None


@pytest.mark.parametrize(
    ("dealer", "outcome", "payout"), [("AH KD", "win", 1_500), ("AH 7D", "lose", 0), ("6H KD 9C", "void", 500)]
)
def test_insurance_pays_two_to_one_on_a_dealers_blackjack(dealer: str, outcome: str, payout: int) -> None:
    """Against an ace alone."""
    actions = "" if dealer == "AH KD" else "stand"
    found = settled("blackjack.insurance", history(hand("KH 9D", actions), dealer=dealer), stake_cents=500)
    assert (found.outcome, found.payout_cents) == (outcome, payout)


def test_figures_of_a_double_are_those_of_hands_that_are_doubled() -> None:
    """The chances sum to one."""
    rule = wager("blackjack.double")
    assert rule.distribution is not None
    assert sum(rule.distribution("standard", 1).values()) == 1
