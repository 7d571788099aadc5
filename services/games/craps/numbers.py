"""What the wagers on one number have in common: which roll settles them, where they lie, when they work.

Their odds are those of common practice, taken for 58 Pa. Code 623a.5 and 623a.6, whose text this project does not
have. By the same practice a wager on a number to come before a 7 is off on a come-out roll, where it is neither paid
nor lost, unless it is placed on `working`; a wager on a 7 to come first always works.
"""

from collections.abc import Hashable, Iterator

from services.games.craps.hand import POINTS, ROLLS, SEVEN, Hand, Roll
from services.games.terms import Terms
from services.games.wagers import PENDING, Classify, Line, Pending, Placement

WORKING = "working"
"""The area, or its last word, of a wager that its player has called on for come-out rolls."""

LINES: dict[int, Line] = {
    4: "four_or_ten",
    5: "five_or_nine",
    6: "six_or_eight",
    8: "six_or_eight",
    9: "five_or_nine",
    10: "four_or_ten",
}
"""The paytable line of each number: numbers equally likely pay alike."""

NUMBER_AREAS = tuple(map(str, POINTS))
"""The areas of a wager that lies on a number: `4` to `10`."""

WORKING_AREAS = tuple(f"{number} {WORKING}" for number in POINTS)
"""The areas of such a wager that works on come-out rolls: `4 working` to `10 working`."""

NUMBER_OF = {area: int(area.split()[0]) for area in NUMBER_AREAS + WORKING_AREAS}
"""The number an area is for."""


def point_key(history: Hand, placement: Placement) -> Hashable:
    """The point on at the table: all that a wager hangs on which remembers nothing of the rolls before."""
    return history.points[-1]


def number_first(number: int) -> Classify:
    """Classifies a wager on the number before a 7, off on come-out rolls unless on `working`."""

    def classify(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
        """`wins`, PENDING, or None."""
        for roll in working_rolls(history, placement):
            if roll.total in (number, SEVEN):
                return "wins" if roll.total == number else None
        return PENDING

    return classify


def seven_first(number: int) -> Classify:
    """Classifies a wager on a 7 before the number, which always works."""

    def classify(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
        """`wins`, PENDING, or None."""
        for total in history.totals[placement.roll :]:
            if total in (number, SEVEN):
                return "wins" if total == SEVEN else None
        return PENDING

    return classify


def working_rolls(history: Hand, placement: Placement) -> Iterator[Roll]:
    """The rolls since the wager was placed on which it works: all on `working`, else those with a point on."""
    always = placement.on == WORKING
    for index in range(placement.roll, len(history.rolls)):
        if always or history.points[index]:
            yield history.rolls[index]


def first_numbers() -> Iterator[tuple[int, Hand, int]]:
    """The hands in which a Come wager placed on the first point gets its number: weight, hand, number."""
    thrown = {number: [roll for roll in ROLLS if roll.total == number] for number in POINTS}
    for point in POINTS:
        for number in POINTS:
            weight = len(thrown[point]) * len(thrown[number])
            yield weight, Hand((thrown[point][0], thrown[number][0])), number
