"""What a recorded round of Blackjack says of each seat."""

import re
from typing import Any

import pytest

from services.games.blackjack.round import Action, Switch, read_round, shown
from services.kernel.errors import CardUnknown, IllegalPlay, ResultMissing
from tests.builders import cards
from tests.games.blackjack.tables import hand, history, result, table


def test_a_seat_knows_its_cards_and_the_dealers() -> None:
    """Upcard, hole card and total of the dealer; the two cards dealt first; what was drawn."""
    seat = history(hand("5H 6D KS", "double"), dealer="6H KD 5C").seat(1)
    assert (seat.upcard, seat.hole, seat.dealer_total) == (*cards("6H KD"), 21)
    assert (seat.first_two, seat.next_card) == (tuple(cards("5H 6D")), cards("KS")[0])
    assert (seat.dealer_blackjack, seat.dealer_bust, seat.blackjack, seat.switched) == (False,) * 4
    assert (seat.hands[0].total, seat.hands[0].soft, seat.hands[0].actions) == (21, False, (Action.DOUBLE,))


def test_the_first_two_cards_stay_those_dealt_after_a_split() -> None:
    """A hand's second card goes to the hand that comes of a split, and is still one of the first two."""
    seat = history(hand("8H 3C KC", "split double"), hand("8D KH", "stand", no=1), dealer="6H KD 9C").seat(1)
    assert seat.first_two == tuple(cards("8H 8D"))
    assert seat.next_card == cards("3C")[0]
    assert seat.hand(1) == seat.hands[1]
    assert seat.hand(2) is None
    assert not seat.hands[1].blackjack


def test_a_third_card_that_is_split_again_is_still_the_third() -> None:
    """After a second split of one hand, the third card dealt lies in the hand that comes of it."""
    seat = history(
        hand("7H KC", "split split stand"),
        hand("7D KH", "stand", no=1),
        hand("7S QH", "stand", no=2),
        dealer="6H KD 9C",
    ).seat(1)
    assert (seat.first_two, seat.next_card) == (tuple(cards("7H 7D")), cards("7S")[0])


def test_two_sevens_take_a_card_after_a_dealers_blackjack() -> None:
    """The extra card of 633c.9(d)(4) is the next card; without it there is none."""
    seat = history(hand("7H 7D", extra_card="7C"), dealer="AH KD").seat(1)
    assert seat.dealer_blackjack
    assert seat.next_card == cards("7C")[0]
    assert history(hand("7H 7D"), dealer="AH KD").seat(1).next_card is None


def test_a_split_ace_with_a_ten_is_no_blackjack() -> None:
    """A Blackjack is the two cards dealt first."""
    seat = history(hand("AH KC", "split"), hand("AD 9H", no=1), dealer="6H KD 9C").seat(1)
    assert not seat.blackjack
    assert history(hand("AH KC"), dealer="6H KD").seat(1).blackjack


def test_a_round_made_for_an_analysis_shows_what_it_was_given() -> None:
    """Cards are taken as they are."""
    seat = shown(cards("7H 7D"), cards("AH KD"), cards("7S")[0], seat=3).seat(3)
    assert (seat.next_card, seat.dealer_blackjack, seat.number) == (cards("7S")[0], True, 3)
    assert shown(cards("7H 7D"), cards("AH")).seat(1).next_card is None


def test_without_a_hole_card_each_seat_has_a_dealers_hand_of_its_own() -> None:
    """Cards that one terminal draws are the dealer's against another that stands (633c.5(z) to (bb))."""
    under = table(kind="hybrid", dealing="community_without_hole_card", dealer_blackjack="original_bets_only",
                  most_hands="2")  # fmt: skip
    found = history(
        hand("KH 5D", "stand", position=1),
        hand("KH 5D 4C", "hit stand", seat=2, position=1),
        dealer="6H",
        community="4C KC 9C",
        terms=under,
    )
    assert found.seat(1).dealer == tuple(cards("6H 4C KC"))
    assert found.seat(2).dealer == tuple(cards("6H KC 9C"))
    assert (found.positions, found.hole_card) == (True, False)


def test_a_seat_that_was_not_dealt_to_has_no_cards() -> None:
    """Asking for it is refused with the seats there are."""
    with pytest.raises(ResultMissing, match="expected a hand of seat 4, given those of seats 1"):
        history(hand("KH 7D", "stand"), dealer="6H KD 9C").seat(4)


@pytest.mark.parametrize(
    ("recorded", "message"),
    [
        (result(dealer="6H KD"), "expected a dealer's hand and a player's, given 2 cards and 0 seats"),
        (result(hand("KH 7D"), dealer=""), "given 0 cards and 1 seats"),
        (result(hand("KH"), dealer="6H KD"), "expected two cards or more in hand 0 of seat 1, given 1"),
        (result(hand("KH 7D", no=1), dealer="6H KD"), "hands of seat 1 numbered from 0, given 1"),
        (
            result(hand("8H 7D"), hand("8D 7C", no=1, split_from=1), dealer="6H KD"),
            "hand 1 of seat 1 split from one before it, given 1",
        ),
        (result(hand("KH 7D", switch_hand=3), dealer="6H KD"), "a switch hand of 0 to 2 at seat 1, given 3"),
        (result(hand("KH KH"), dealer="KH KD"), "2 decks hold KH 2 times: it was recorded 3 times"),
        (
            result(hand("KH 7D", switch_hand=int(Switch.SWITCHED), discarded=["6H", "6H"]), dealer="6H KD"),
            "2 decks hold 6H 2 times: it was recorded 3 times",
        ),
    ],
)
def test_what_no_round_can_be_is_refused(recorded: Any, message: str) -> None:
    """Hands, their numbers and copies of a card are held against any table."""
    with pytest.raises(IllegalPlay, match=re.escape(message)):
        read_round([recorded], 2)


def test_an_action_that_does_not_exist_is_refused() -> None:
    """Actions are numbered as in the contract."""
    wrong = hand("KH 7D")
    wrong.actions = [0]
    with pytest.raises(IllegalPlay, match=r"expected actions of 1 to 7, given \[0\]"):
        read_round([result(wrong, dealer="6H KD")], 6)


def test_a_round_has_one_result_of_known_cards() -> None:
    """Two results, or a card that does not exist, are refused."""
    with pytest.raises(ResultMissing, match="expected one result in a round of Blackjack, given 0"):
        read_round([], 6)
    with pytest.raises(CardUnknown, match="given '1X'"):
        read_round([result(hand("1X 7D"), dealer="6H KD")], 6)


def test_terminals_at_one_position_share_its_cards() -> None:
    """What several terminals play is counted once among the copies of a card."""
    under = table(kind="hybrid", dealing="community", decks=1)
    hands = [hand("KH 7D", "stand", seat=seat, position=2) for seat in (1, 2, 3)]
    assert history(*hands, dealer="6H KD AC", terms=under).seat(3).first_two == tuple(cards("KH 7D"))
