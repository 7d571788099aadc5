"""Field (58 Pa. Code 623a.3): the next roll is 2, 3, 4, 9, 10, 11 or 12.

By common practice even money, 2 to 1 on a 2, and 2 to 1 or 3 to 1 on a 12.
"""

from services.games.craps.chains import Chain
from services.games.craps.hand import Hand
from services.games.craps.numbers import point_key
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Line, Pending, Placement, Wager

EVEN = (3, 4, 9, 10, 11)
LINES: dict[int, Line] = {2: "two", 12: "twelve"} | dict.fromkeys(EVEN, "three_four_nine_ten_eleven")


def classify(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
    """`two`, `twelve`, `three_four_nine_ten_eleven`, PENDING before the next roll, or None."""
    return LINES.get(history.totals[placement.roll]) if placement.roll < len(history.totals) else PENDING


def _paytable(twelve: int) -> Paytable:
    return Paytable({"two": to_one(2), "twelve": to_one(twelve), "three_four_nine_ten_eleven": to_one(1)})


WAGERS = (
    Wager(
        code="craps.field",
        section="623a.3",
        title="Field",
        game="craps",
        classify=classify,
        paytables={"double 12": _paytable(2), "triple 12": _paytable(3)},
        lock="any_roll",
        distribution=Chain(classify, point_key),
    ),
)
