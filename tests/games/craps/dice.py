"""Builders that read like a stick's call: `hand("2-2 3-4")`."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from services.games.catalogue import wager
from services.games.craps.chains import NO_TERMS
from services.games.craps.hand import ROLLS, Hand
from services.games.paytables import NOT_PAID, STAKE, Odds
from services.games.settlement import Settled, settle_round
from services.games.terms import Offer, Terms
from services.games.wagers import Line, Pending, PlacedWager, Placement

EASY = {2: "1-1", 3: "1-2", 4: "1-3", 5: "1-4", 6: "1-5", 7: "3-4", 8: "2-6", 9: "4-5", 10: "4-6", 11: "5-6", 12: "6-6"}


def hand(dice: str) -> Hand:
    """The hand of these rolls, dice with a dash between, rolls with spaces."""
    return Hand.of([(int(roll[0]), int(roll[2])) for roll in dice.split()])


def thrown(totals: str) -> Hand:
    """A hand of these totals, thrown as no pair where that can be."""
    return hand(" ".join(EASY[int(total)] for total in totals.split()))


def recorded(dice: str) -> list[Any]:
    """The recorded rolls of these dice, as the floor sends them."""
    return [SimpleNamespace(first_die=int(roll[0]), second_die=int(roll[2])) for roll in dice.split()]


def line_of(code: str, totals: str, on: str = "", roll: int = 0) -> Line | Pending | None:
    """The line that a wager placed after that roll hits in a hand of these totals."""
    return wager(code).classify(thrown(totals), Placement(1, on, roll), NO_TERMS)


def table(code: str, paytable: str, kind: str = "fully_automated") -> Terms:
    """A table that offers the one wager."""
    return Terms("RS-1", "craps", kind, 0, 16, {code: Offer(code, paytable, 100)})


def settled(code: str, paytable: str, history: Hand, stake_cents: int = 600, on: str = "", roll: int = 0) -> Settled:
    """The one wager, settled on a hand."""
    placed = PlacedWager(1, 1, code, paytable, stake_cents, on, roll=roll)
    (found,) = settle_round(history, [placed], table(code, paytable))
    return found


def house_edge(code: str, paytable: str) -> Fraction:
    """What a unit of stake leaves with the house on average, by the wager's law and its odds."""
    rule = wager(code)
    assert rule.distribution is not None
    table, won = rule.paytables[paytable], Fraction(0)
    for line, probability in rule.distribution(paytable, None).items():
        cell = NOT_PAID if line is None else table.lines[line]
        if isinstance(cell, Odds):
            odds = Fraction(cell.numerator, cell.denominator)
            commission = Fraction(table.commission, 10_000) * (1 if table.commission_of == STAKE else odds)
            won += probability * (odds - commission - (0 if cell.stake_returned else 1))
        elif cell is NOT_PAID:
            won -= probability
    return -won


@st.composite
def hands(draw: st.DrawFn, most: int = 60) -> Hand:
    """Any hand, finished or not."""
    found = Hand(())
    for roll in draw(st.lists(st.sampled_from(ROLLS), max_size=most)):
        if found.over:
            break
        found = found.then(roll)
    return found
