"""Pass odds and Come odds (58 Pa. Code 623a.6): the number before a 7, at its true odds, without a house edge.

Pass odds lie on the point on when they are placed (placed on a come-out roll, on the next one). Come odds lie on the
number of their Come wager; on a come-out roll they are off unless placed on `working`, so that what settles the Come
wager then returns them.
"""

from services.games.craps.chains import Chain, Mixture
from services.games.craps.hand import SEVEN, Hand
from services.games.craps.numbers import (
    LINES,
    NUMBER_AREAS,
    NUMBER_OF,
    WORKING,
    WORKING_AREAS,
    first_numbers,
    point_key,
)
from services.games.paytables import PUSH, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Line, Pending, Placement, Wager

ODDS = {"four_or_ten": to_one(2), "five_or_nine": to_one(3, 2), "six_or_eight": to_one(6, 5)}


def classify_pass_odds(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
    """The line of the point, PENDING, or None."""
    for total, point in list(zip(history.totals, history.points, strict=False))[placement.roll :]:
        if point and total in (point, SEVEN):
            return LINES[point] if total == point else None
    return PENDING


def classify_come_odds(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
    """The line of the number, `returned` (a push), PENDING, or None."""
    number, working = NUMBER_OF[placement.on], placement.on.endswith(WORKING)
    for total, point in list(zip(history.totals, history.points, strict=False))[placement.roll :]:
        if total in (number, SEVEN):
            if not working and not point:
                return "returned"
            return LINES[number] if total == number else None
    return PENDING


WAGERS = (
    Wager(
        code="craps.pass_odds",
        section="623a.6",
        title="Pass odds",
        game="craps",
        classify=classify_pass_odds,
        paytables={"standard": Paytable(ODDS)},
        needs=("craps.pass",),
        lock="any_roll",
        distribution=Chain(classify_pass_odds, point_key),
    ),
    Wager(
        code="craps.come_odds",
        section="623a.6",
        title="Come odds",
        game="craps",
        classify=classify_come_odds,
        paytables={"standard": Paytable({**ODDS, "returned": PUSH})},
        needs=("craps.come",),
        placements=NUMBER_AREAS + WORKING_AREAS,
        lock="any_roll",
        distribution=Mixture(
            tuple(
                (weight, Chain(classify_come_odds, point_key, hand, Placement(1, str(number), len(hand.rolls))))
                for weight, hand, number in first_numbers()
            )
        ),
        assumes="odds on a Come wager that got its number on the second roll, not called on for come-out rolls",
    ),
)
