"""Lucky Shooter (58 Pa. Code 623c.2), on fully automated tables: how many of the other five points follow the point.

A come-out 2, 3 or 12 loses. Once a point is established, the first roll that is not one of the points still missing
settles the wager by the number of them thrown; after all five, that roll may be the established point itself. The
printed "1 for 1" on a come-out 7 or 11 nets nothing and the wager stays up (ruling C2).
"""

from collections.abc import Hashable

from services.games.craps.chains import Chain
from services.games.craps.hand import POINTS, Hand
from services.games.paytables import NOT_PAID, Paytable, for_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Line, Pending, Placement, Wager

LINES: dict[int, Line] = {5: "five_of_five", 4: "four_of_five", 3: "three_of_five", 2: "two_of_five"}
CRAPS = (2, 3, 12)


def classify(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
    """The line, PENDING until a roll ends the sequence, or None."""
    sequence: list[int] = []
    for total in history.totals[placement.roll :]:
        if not sequence and total in CRAPS:
            return None
        if total in POINTS and total not in sequence:
            sequence.append(total)
        elif sequence:
            return _line(sequence, total)
    # Only a wager that its lock keeps out can meet the seven-out without a point: it loses rather than stay open.
    return None if history.over else PENDING


def _line(sequence: list[int], total: int) -> Line | None:
    if len(sequence) == len(POINTS) and total == sequence[0]:
        return "five_of_five_and_point"
    return LINES.get(len(sequence) - 1)


def key(history: Hand, placement: Placement) -> Hashable:
    """The established point and the other points thrown since."""
    points = [total for total in history.totals[placement.roll :] if total in POINTS]
    return tuple(points[:1]), frozenset(points)


def _paytable(with_point: int, five: int, four: int, three: int, *, two: bool) -> Paytable:
    return Paytable(
        {
            "five_of_five_and_point": for_one(with_point),
            "five_of_five": for_one(five),
            "four_of_five": for_one(four),
            "three_of_five": for_one(three),
            "two_of_five": for_one(2) if two else NOT_PAID,
            "come_out_seven_or_eleven": for_one(1),
        }
    )


WAGERS = (
    Wager(
        code="craps.lucky_shooter",
        section="623c.2",
        title="Lucky Shooter",
        game="craps",
        classify=classify,
        paytables={
            "A": _paytable(1000, 150, 15, 5, two=False),
            "B": _paytable(500, 100, 10, 4, two=True),
            "C": _paytable(1000, 150, 20, 5, two=False),
            "D": _paytable(500, 100, 10, 5, two=True),
        },
        table_kinds=("fully_automated",),
        lock="first_roll",
        distribution=Chain(classify, key),
        unreached={"come_out_seven_or_eleven": "1 for 1 nets nothing and the wager stays up (ruling C2)"},
    ),
)
