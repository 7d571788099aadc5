"""Pass and Come (58 Pa. Code 623a.3; even money by common practice).

The roll after the wager is placed is its come-out: 7 and 11 win, 2, 3 and 12 lose, any other total is its number,
which must be thrown again before a 7. On Pass that roll is the table's come-out roll and the number the point; a Pass
wager placed while a point is on settles as a Come wager does.
"""

from collections.abc import Hashable

from services.games.craps.chains import NO_ROLL, Chain
from services.games.craps.hand import SEVEN, Hand, Roll
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Line, Pending, Placement, Wager

NATURALS = (7, 11)
CRAPS = (2, 3, 12)
AFTER_A_FOUR = Hand((Roll(2, 2),))
"""A hand in which a Come wager may be placed: the point is 4."""


def classify(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
    """`wins`, PENDING, or None."""
    totals = history.totals[placement.roll :]
    if not totals:
        return PENDING
    number = totals[0]
    if number in NATURALS:
        return "wins"
    if number in CRAPS:
        return None
    for total in totals[1:]:
        if total in (number, SEVEN):
            return "wins" if total == number else None
    return PENDING


def key(history: Hand, placement: Placement) -> Hashable:
    """The point on at the table and the wager's own number."""
    return history.points[-1], history.totals[placement.roll : placement.roll + 1]


def _wager(code: str, title: str, lock: str, start: Hand) -> Wager:
    return Wager(
        code=f"craps.{code}",
        section="623a.3",
        title=title,
        game="craps",
        classify=classify,
        paytables={"standard": Paytable({"wins": to_one(1)})},
        lock=lock,
        distribution=Chain(classify, key, start, Placement(1, roll=len(start.rolls))),
    )


WAGERS = (_wager("pass", "Pass", "come_out", NO_ROLL), _wager("come", "Come", "any_roll", AFTER_A_FOUR))
