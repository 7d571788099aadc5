"""Hot Shooter jackpot (58 Pa. Code 623c.4), on hybrid and fully automated tables: how long the shooter's hand is.

Every roll counts, from the first come-out roll through the seven-out, which settles the wager (ruling C3).
"""

from collections.abc import Hashable

from services.games.craps.chains import Chain
from services.games.craps.hand import Hand
from services.games.paytables import PUSH, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Line, Pending, Placement, Wager

LINES: tuple[tuple[int, Line], ...] = (
    (50, "fifty_or_more"),
    (45, "forty_five_to_forty_nine"),
    (40, "forty_to_forty_four"),
    (32, "thirty_two_to_thirty_nine"),
    (24, "twenty_four_to_thirty_one"),
    (16, "sixteen_to_twenty_three"),
    (8, "eight_to_fifteen"),
)
"""The fewest rolls of each line, the longest hand first."""

LONGEST = LINES[0][0]


def classify(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
    """The line by the number of rolls at the seven-out, PENDING until then, or None for seven rolls or fewer."""
    if not history.over:
        return PENDING
    rolls = len(history.rolls) - placement.roll
    return next((line for fewest, line in LINES if rolls >= fewest), None)


def key(history: Hand, placement: Placement) -> Hashable:
    """The rolls so far, as far as more of them matter, and the point on."""
    return min(len(history.rolls) - placement.roll, LONGEST), history.points[-1]


WAGERS = (
    Wager(
        code="craps.hot_shooter",
        section="623c.4",
        title="Hot Shooter jackpot",
        game="craps",
        classify=classify,
        paytables={
            "standard": Paytable(
                {
                    "eight_to_fifteen": PUSH,
                    "sixteen_to_twenty_three": to_one(2),
                    "twenty_four_to_thirty_one": to_one(4),
                    "thirty_two_to_thirty_nine": to_one(6),
                    "forty_to_forty_four": to_one(11),
                    "forty_five_to_forty_nine": to_one(29),
                    "fifty_or_more": to_one(99),
                }
            )
        },
        table_kinds=("hybrid", "fully_automated"),
        lock="first_roll",
        distribution=Chain(classify, key),
    ),
)
