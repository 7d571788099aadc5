"""TriLux Deluxe and its Press."""

from fractions import Fraction

import pytest

from services.games.blackjack.round import Action, Hand, Seat, Table
from services.games.catalogue import catalogue
from services.games.settlement import Settled, settle_round
from services.games.wagers import PlacedWager
from tests.builders import cards
from tests.games.blackjack.initial import dealt, line_at, settled_at, table

CODE, PRESS = "blackjack.trilux", "blackjack.trilux_press"


@pytest.mark.parametrize(
    ("player", "upcard", "line", "odds"),
    [
        ("2C 3C", "AC", "straight_flush", (20, 20, 25)),
        ("8C 8C", "8C", "three_of_a_kind", (15, 15, 15)),
        ("8C 8C", "8D", "three_of_a_kind", (15, 15, 15)),
        ("QC AC", "KD", "straight", (9, 9, 8)),
        ("2C 9C", "KC", "flush", (6, 5, 5)),
        ("KC AC", "2C", "flush", (6, 5, 5)),
        ("KC AC", "2D", None, (-1, -1, -1)),
        ("8C 8D", "9C", None, (-1, -1, -1)),
    ],
)
def test_trilux_pays_its_lines(player: str, upcard: str, line: str | None, odds: tuple[int, ...]) -> None:
    """An ace is high or low in a straight, never in the middle; the odds are to one."""
    assert line_at(CODE, player, f"{upcard} KH") == line
    for paytable, number in zip(("TLX-1", "TLX-2", "TLX-3"), odds, strict=True):
        assert settled_at(CODE, paytable, player, f"{upcard} KH").payout_cents == 500 * (number + 1)


def test_the_paytable_goes_with_the_decks() -> None:
    """One deck TLX-1, two decks TLX-2, four, six and eight TLX-3 (633c.11(i)); at most twice the Blackjack wager."""
    rule = catalogue()[CODE]
    assert {name: each.decks for name, each in rule.paytables.items()} == {
        "TLX-1": (1,),
        "TLX-2": (2,),
        "TLX-3": (4, 6, 8),
    }
    assert rule.base_share == (Fraction(0), Fraction(2))


def pressed(history: Table, hand: str = "0") -> Settled:
    """A press of $5 on a hand of seat 1, settled."""
    (found,) = settle_round(history, [PlacedWager(1, 1, PRESS, "standard", 500, hand)], table(PRESS))
    return found


@pytest.mark.parametrize(
    ("player", "dealer", "outcome", "payout"),
    [
        ("9C 10C", "8C KD", "win", 1_000),
        ("AC KC", "8C KD", "win", 1_000),
        ("KC 8C", "8C KD", "push", 500),
        ("KC 7C", "9C KD", "lose", 0),
        ("KC 8D", "9C KD", "void", 500),
        ("KC QC", "AC KD", "void", 500),
    ],
)
def test_a_press_goes_with_the_hand(player: str, dealer: str, outcome: str, payout: int) -> None:
    """Even money on a win, a Blackjack too; returned on a tie, on a dealer Blackjack and where TriLux did not win."""
    found = pressed(dealt(player, dealer))
    assert (found.outcome, found.payout_cents) == (outcome, payout)


def test_a_surrender_gives_up_half_of_the_press() -> None:
    """It is part of the Blackjack wager (ruling K15)."""
    hand = Hand(0, tuple(cards("KC 6C")), (Action.SURRENDER,))
    seat = Seat(1, (hand,), tuple(cards("9C KD")))
    assert pressed(Table({1: seat}, seat.dealer)).payout_cents == 250


def test_each_hand_of_a_split_has_its_own_press() -> None:
    """One hand may win and the other lose; a press on a hand that was never there is returned."""
    hands = (
        Hand(0, tuple(cards("8C KD KC")), split=True),
        Hand(1, tuple(cards("8D JD AC")), split_from=0, split=True),
    )
    seat = Seat(1, hands, tuple(cards("8H 10D")))
    history = Table({1: seat}, seat.dealer)
    assert [pressed(history, hand).outcome for hand in ("0", "1", "2")] == ["lose", "win", "void"]
