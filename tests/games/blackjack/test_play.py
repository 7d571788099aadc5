"""A round is refused at the first step that could not have been dealt or played under its table's rules."""

import re
from random import Random
from typing import Any

import pytest

from services.games.blackjack.house import OPTIONS, PREMIUM, SWITCH_HANDS
from services.games.blackjack.round import Switch
from services.kernel.errors import IllegalPlay
from tests.games.blackjack.rounds import dealt_round
from tests.games.blackjack.tables import hand, history, table

STOOD = hand("KH 7D", "stand")
COMMUNITY: dict[str, Any] = {"kind": "hybrid", "dealing": "community"}
NO_HOLE: dict[str, Any] = {
    "kind": "hybrid",
    "dealing": "community_without_hole_card",
    "dealer_blackjack": "original_bets_only",
    "most_hands": "2",
}


def split(*seconds: str, first: str = "8H", other: str = "8D", last: str = "stand") -> list[Any]:
    """A pair split once; each hand gets these cards and ends so."""
    return [
        hand(f"{first} {seconds[0]}", f"split {last}"),
        hand(f"{other} {seconds[1]}", last, no=1),
    ]


@pytest.mark.parametrize(
    ("hands", "dealer", "step"),
    [
        ([hand("KH 6D")], "6H KD 9C", "hand 0, step 1: expected hit, stand, double, split or surrender, given nothing"),
        ([hand("KH 6D 2C", "hit")], "6H KD 9C", "step 2: expected hit, stand, double, split or surrender"),
        ([hand("KH 6D", "hit")], "6H KD 9C", "step 1: expected a card to 16, given hit without one"),
        ([hand("KH 6D 2C", "stand")], "6H KD 9C", "step 2: expected 2 cards, given 3"),
        ([hand("KH 6D 2C", "stand hit")], "6H KD 9C", "step 2: expected nothing after stand, given hit"),
        ([hand("KH 6D 2C", "double stand")], "6H KD 9C", "step 2: expected nothing after double, given stand"),
        ([hand("KH 6D 2C", "surrender hit")], "6H KD", "step 2: expected nothing after surrender, given hit"),
        ([hand("KH 6D 5C 2C", "hit hit")], "6H KD 9C", "step 2: expected no card on 21, given hit"),
        ([hand("KH 6D 9C", "hit stand")], "6H KD 9C", "step 2: expected nothing on 25, given stand"),
        ([hand("KH AD 2C", "hit")], "6H KD 9C", "step 1: expected no card on 21, given hit"),
        ([hand("3H 6D 2C KC", "hit double")], "6H KD 9C", "step 2: expected double on two cards, given double on 3"),
        ([hand("3H 6D 2C", "hit surrender")], "6H KD", "step 2: expected surrender of the first two cards"),
        ([hand("3H 6D", "insurance stand")], "6H KD 9C", "step 1: expected insurance as the first step against an ace"),
        ([hand("3H 6D", "stand insurance")], "AH KD", "expected no play after the dealer's Blackjack, given stand"),
        ([hand("3H 6D", "stand insurance")], "AH 9D", "step 2: expected insurance as the first step against an ace"),
        ([hand("KH 6D", "even_money")], "AH 9D", "step 1: expected even money for a Blackjack, given even money on 16"),
        (split("2C", "KC"), "AH KD", "expected no play after the dealer's Blackjack, given split"),
        ([hand("8H 2C"), hand("8D KC", no=1)], "AH KD", "no play after the dealer's Blackjack, given another hand"),
        (split("2C", "KC", other="9D"), "6H KD 9C", "step 1: expected a split of two cards of one value, given 8H 9D"),
        (
            [hand("8H 8D", "split stand")],
            "6H KD 9C",
            "step 1: expected hand 1 to come of the split, given no such hand",
        ),
        ([hand("8H 9C", "stand"), hand("8D 9C", "stand", no=1)], "6H KD 9C", "expected 0 hands split from it, given 1"),
        (split("2C", "KC", last="surrender"), "6H KD", "step 2: expected surrender of the first two cards"),
        ([hand("AH 2C", "split"), hand("AD KC", "stand", no=1)], "6H KD", "dealer, card 3: expected a card on 16"),
        ([hand("AH 2C 3C", "split hit"), hand("AD KC", no=1)], "6H KD 9C", "step 2: expected one card on a split ace"),
        ([hand("AH 2C 3C", "split double"), hand("AD KC", no=1)], "6H KD 9C", "one card on a split ace, given double"),
        (
            [hand("AH 2C", "split split"), hand("AD KC", no=1), hand("AC KC", no=2)],
            "6H KD 9C",
            "step 2: expected aces split once, given another split",
        ),
        ([STOOD], "6H KD", "dealer, card 3: expected a card on 16, given none"),
        ([STOOD], "6H KD 9C 2C", "dealer, card 4: expected to stand on 25, given 2C"),
        ([STOOD], "AH 6D KC", "dealer, card 3: expected to stand on 17, given KC"),
        ([hand("KH 7D")], "AH KD 9C", "dealer, card 3: expected to stand on Blackjack, given 9C"),
        ([hand("KH 7D", "stand", switch_hand=1)], "6H KD 9C", "expected a switch hand none, given kept"),
        ([hand("KH 7D", "stand", discarded=["2C", "3C"])], "6H KD 9C", "expected no card discarded, given 2"),
        ([hand("7H 7D", "stand", extra_card="7C")], "6H KD 9C", "no card after the round but to two sevens"),
        ([hand("KH 7D", extra_card="7C")], "AH KD", "no card after the round but to two sevens"),
    ],
)
def test_the_first_illegal_step_is_named(hands: list[Any], dealer: str, step: str) -> None:
    """Under Pennsylvania's usual rules."""
    with pytest.raises(IllegalPlay, match=re.escape(step)):
        history(*hands, dealer=dealer)


def four_hands() -> list[Any]:
    """Eights split to four hands."""
    return [
        hand("8H KC", "split split split stand"),
        hand("8D KC", "stand", no=1),
        hand("8C KD", "stand", no=2),
        hand("8S KD", "stand", no=3),
    ]


@pytest.mark.parametrize(
    ("options", "hands", "dealer"),
    [
        ({"soft_17": "hit"}, [STOOD], "AH 6D KC"),
        ({"soft_17": "stand"}, [STOOD], "AH 6D"),
        ({"dealer_blackjack": "original_bets_only"}, [hand("5H 6D 2C", "double")], "KH AD"),
        ({"double_after_split": "yes"}, [hand("8H 3C KC", "split double"), *split("2C", "KC")[1:]], "6H KD 9C"),
        ({"most_hands": "4"}, four_hands(), "6H KD 9C"),
        (
            {"resplit_aces": "yes"},
            [hand("AH 2C", "split split"), hand("AD KC", no=1), hand("AC KC", no=2)],
            "6H KD 9C",
        ),
        ({"draw_to_split_aces": "yes"}, [hand("AH 2C 3C", "split hit stand"), hand("AD KC", no=1)], "6H KD 9C"),
        ({"surrender": "late"}, [hand("KH 6D", "surrender")], "KD 7C"),
        ({"surrender": "late"}, [hand("KH 6D", "insurance surrender")], "AD 7C"),
    ],
)
def test_an_option_lets_a_round_be_played_that_the_other_value_refuses(
    options: dict[str, Any], hands: list[Any], dealer: str
) -> None:
    """Each house rule decides of some round."""
    (name,) = options
    assert history(*hands, dealer=dealer, terms=table(**options))
    changed: list[dict[str, Any]] = [{name: value} for value in OPTIONS[name] if value != options[name]]
    refused = 0
    for other in changed:
        try:
            history(*hands, dealer=dealer, terms=table(**other))
        except IllegalPlay:
            refused += 1
    assert refused


def test_a_dealer_may_stop_where_every_hand_is_decided() -> None:
    """Busts, surrenders and Blackjacks wait for nobody; the dealer may complete the hand all the same."""
    hands = [hand("KH 6D 9C", "hit"), hand("KH 6D", "surrender", seat=2), hand("KH AD", seat=3)]
    assert history(*hands, dealer="6H KD")
    assert history(*hands, dealer="6H KD 9C")


def test_insurance_and_even_money_come_before_play() -> None:
    """Against an ace, with or without the Blackjack there."""
    assert history(hand("KH AD", "even_money"), dealer="AH KD")
    assert history(hand("KH 7D", "insurance"), dealer="AH KD")
    assert history(hand("KH AD", "even_money"), dealer="AH 5D")


def test_the_switch_hand_goes_with_its_variation() -> None:
    """Every seat has one at Switch Hands; at Premium those who placed the ante (633c.4)."""
    switched = hand("KH 7D", "stand", switch_hand=int(Switch.SWITCHED), discarded=["2C", "3C"])
    assert history(switched, dealer="6H KD 9C", terms=table(base=SWITCH_HANDS))
    assert history(switched, dealer="6H KD 9C", terms=table(base=PREMIUM))
    assert history(STOOD, dealer="6H KD 9C", terms=table(base=PREMIUM))
    with pytest.raises(IllegalPlay, match="seat 1: expected a switch hand kept or switched, given none"):
        history(STOOD, dealer="6H KD 9C", terms=table(base=SWITCH_HANDS))
    without = hand("KH 7D", "stand", switch_hand=int(Switch.SWITCHED))
    with pytest.raises(IllegalPlay, match="seat 1: expected two upcards discarded, given 0"):
        history(without, dealer="6H KD 9C", terms=table(base=PREMIUM))


def test_positions_share_the_community_cards() -> None:
    """Each terminal takes the same cards as far as it wants; the silent stand (633c.5(p), (q))."""
    hands = [
        hand("KH 2D 3C", "hit", position=1),
        hand("5H 6D 3C", "double", seat=2, position=2),
        hand("8H 3C 4C", "split hit", seat=3, position=3),
        hand("8D 2C", no=1, seat=3),
    ]
    assert history(*hands, dealer="6H KD 9C", community="3C 4C 2C", terms=table(**COMMUNITY))


@pytest.mark.parametrize(
    ("options", "hands", "dealer", "community", "message"),
    [
        ({}, [STOOD], "6H", "", "expected a round dealt with own_cards, given own_cards with 0 community cards and 1"),
        ({}, [STOOD], "6H KD 9C", "2C", "given own_cards with 1 community cards"),
        ({}, [hand("KH 7D", position=1)], "6H KD 9C", "", "given community with 0 community cards"),
        (COMMUNITY, [STOOD], "6H KD 9C", "", "expected a round dealt with community, given own_cards"),
        (COMMUNITY, [hand("KH 7D", position=4)], "6H KD 9C", "", "seat 1: expected a position from 1 to 3, given 4"),
        (
            COMMUNITY,
            [hand("KH 7D", position=1), hand("KH 8D", seat=2, position=1)],
            "6H KD 9C",
            "",
            "seat 2: expected the two cards of position 1, given KH 8D",
        ),
        (
            COMMUNITY,
            [hand("KH 2D 4C", "hit", position=1)],
            "6H KD 9C",
            "3C",
            "seat 1: expected the community cards 3C, given 4C",
        ),
        (
            COMMUNITY,
            [hand("KH 7D", position=1)],
            "6H KD 9C",
            "3C",
            "expected 0 community cards used by a hand, given 1",
        ),
        (NO_HOLE, [hand("KH 7D", position=2)], "6H", "3C", "seat 1: expected a position from 1 to 1, given 2"),
        (NO_HOLE, [hand("KH 7D", position=1)], "6H", "3C", "against seat 1 card 3: expected a card on 9, given none"),
        (NO_HOLE, [hand("KH AD", position=1)], "6H", "", "against seat 1 card 2: expected a card on 6, given none"),
        (NO_HOLE, [hand("KH 7D", position=1)], "6H", "KC AC 2C", "expected 2 community cards used by a hand, given 3"),
    ],
)
def test_a_hybrid_tables_cards_are_held_against_its_procedure(
    options: dict[str, Any], hands: list[Any], dealer: str, community: str, message: str
) -> None:
    """Positions, the one sequence of cards, and the dealer's part of it (633c.5)."""
    with pytest.raises(IllegalPlay, match=re.escape(message)):
        history(*hands, dealer=dealer, community=community, terms=table(**options))


def test_without_a_hole_card_a_lost_hand_needs_no_dealer() -> None:
    """A bust before the dealer's second card ends the round for that terminal."""
    assert history(hand("KH 6D KC", "hit", position=1), dealer="6H", community="KC", terms=table(**NO_HOLE))
    blackjack = hand("KH AD", position=1)
    assert history(blackjack, dealer="6H", community="9C", terms=table(**NO_HOLE))


def test_what_may_be_dealt_and_played_is_accepted() -> None:
    """Rounds played at random within the rules, whatever these are, are legal."""
    random = Random(5)
    for _ in range(300):
        options: dict[str, Any] = {name: random.choice(values) for name, values in OPTIONS.items() if name != "dealing"}
        under = table(**options)
        message = dealt_round(random, under)
        assert history(*message.hands, dealer=" ".join(message.dealer), terms=under)
