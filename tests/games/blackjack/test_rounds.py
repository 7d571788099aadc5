"""What holds of any round of Blackjack, whatever the players do and whatever the house rules are."""

from collections.abc import Iterator
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from services.games.blackjack.house import (
    BLACKJACK,
    COMMUNITY,
    NO_HOLE_CARD,
    OPTIONS,
    ORIGINAL_ONLY,
    OWN_CARDS,
    PEEK,
    SWITCH_HANDS,
    hybrid_table,
)
from services.games.blackjack.round import Hand, Seat, Table, shown
from services.games.catalogue import catalogue
from services.games.results import GAMES
from services.games.terms import Offer, Terms
from services.games.wagers import Placement
from services.kernel.cards import CARDS, Card
from tests.builders import terms
from tests.games.blackjack.rounds import dealt_round

GAME = GAMES["blackjack"]
RANDOM = st.randoms(use_true_random=False)
PLAYED = ("axman", "buster", "buzzer_beater", "blackjack", "double", "split", "switch_hands", "premium", "trilux_press")
"""Wagers that look at more than the cards dealt first."""
SUITLESS = ("blackjack", "double", "split", "insurance", "buster", "buzzer_beater")


@st.composite
def tables(draw: st.DrawFn) -> Terms:
    """A table under any house rules."""
    chosen = {name: draw(st.sampled_from(values)) for name, values in OPTIONS.items()}
    hybrid = chosen["dealing"] != OWN_CARDS
    if hybrid:
        chosen["soft_17"] = "stand"
        chosen["dealer_blackjack"] = PEEK if chosen["dealing"] == COMMUNITY else ORIGINAL_ONLY
    if chosen["dealing"] == NO_HOLE_CARD:
        chosen["most_hands"] = draw(st.sampled_from(["1", "2"]))
    code = BLACKJACK if hybrid else draw(st.sampled_from([BLACKJACK, SWITCH_HANDS]))
    decks = draw(st.sampled_from([6, 8] if hybrid else [1, 2, 6, 8]))
    offer = Offer(code, "3 to 2", 100, options=tuple(sorted(chosen.items())))
    return Terms("RS-1", "blackjack", "hybrid" if hybrid else "live", decks, 7, {code: offer})


@given(table=tables(), random=RANDOM, finished=st.booleans())
def test_any_play_that_the_rules_allow_is_accepted(table: Terms, random: Random, finished: bool) -> None:
    """Own cards, community cards, no hole card: what may be dealt and played is never refused."""
    assert hybrid_table(table) is None
    GAME.check(GAME.read([dealt_round(random, table, finished=finished)], table.decks, None), table)


def _initial_wagers() -> Iterator[str]:
    yield from (
        code
        for code, rule in catalogue().items()
        if rule.game == "blackjack" and rule.settles == "result" and code.partition(".")[2] not in PLAYED
        if not code.endswith("_ante")
    )


@given(random=RANDOM)
def test_no_decision_changes_a_wager_on_the_cards_dealt_first(random: Random) -> None:
    """Whatever a player does, nothing counts but the first cards, and the third card of two sevens."""
    table = terms(game="blackjack", every=True)
    history = GAME.read([dealt_round(random, table)], table.decks, None)
    for number, seat in history.seats.items():
        first = shown(seat.first_two, (seat.upcard, seat.hole), seat.next_card, number)
        for code in _initial_wagers():
            classify = catalogue()[code].classify
            assert classify(history, Placement(number), table) == classify(first, Placement(number), table), code


@given(random=RANDOM, suits=st.permutations("CDHS"))
def test_renaming_suits_changes_nothing_where_suits_are_ignored(random: Random, suits: list[str]) -> None:
    """A wager whose section does not speak of suits names the same line whatever the suits are."""
    table, renamed = terms(game="blackjack", every=True), dict(zip("CDHS", suits, strict=True))
    history = GAME.read([dealt_round(random, table)], table.decks, None)

    def cards(given: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(CARDS[each.rank + renamed[each.suit]] for each in given)

    seats = {
        number: Seat(
            number,
            tuple(
                Hand(hand.number, cards(hand.cards), hand.actions, hand.split_from, hand.split) for hand in seat.hands
            ),
            cards(seat.dealer),
        )
        for number, seat in history.seats.items()
    }
    other = Table(seats, cards(history.dealer))
    for name in SUITLESS:
        rule = catalogue()[f"blackjack.{name}"]
        for number in seats:
            for on in rule.placements:
                place = Placement(number, on)
                assert rule.classify(other, place, table) == rule.classify(history, place, table), name
