"""A shooter's hand at Craps (58 Pa. Code 623a.9): come-out rolls and points, up to the seven-out that ends it.

A come-out roll of 4, 5, 6, 8, 9 or 10 establishes the point. The point made brings the next come-out roll; a 7 while
a point is on, the seven-out, ends the hand. A hand may stand anywhere before that: its rolls are recorded one by one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from services.kernel.errors import DiceUnknown, IllegalRoll, ResultMissing

POINTS = (4, 5, 6, 8, 9, 10)
"""The totals that establish a point."""

SEVEN = 7
COME_OUT = 0
"""The point while none is on."""


class Roll(NamedTuple):
    """What the two dice show, 1 to 6 each."""

    first: int
    second: int

    @property
    def total(self) -> int:
        """The sum of the dice, 2 to 12."""
        return self.first + self.second


FACES = range(1, 7)
ROLLS = tuple(Roll(first, second) for first in FACES for second in FACES)
"""The 36 rolls, equally likely."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The rolls of a hand so far; raises IllegalRoll for a roll after the seven-out.

    `totals` of the rolls; `points`: the point on before each roll and, last, the one on now (0 on a come-out), so
    that `points[n]` is what a wager placed after roll n meets. `over`: the shooter has sevened out.
    """

    rolls: tuple[Roll, ...]
    totals: tuple[int, ...] = field(init=False, repr=False, compare=False)
    points: tuple[int, ...] = field(init=False, repr=False, compare=False)
    over: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        totals = tuple([first + second for first, second in self.rolls])
        points, over = _points(totals)
        object.__setattr__(self, "totals", totals)
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "over", over)

    @classmethod
    def of(cls, dice: Iterable[tuple[int, int]]) -> "Hand":
        """The hand of these dice, a pair for each roll. Raises DiceUnknown, IllegalRoll."""
        return cls(tuple([_roll(first, second) for first, second in dice]))

    def then(self, roll: Roll) -> "Hand":
        """The hand with one more roll. Raises IllegalRoll after the seven-out."""
        return Hand((*self.rolls, roll))


def hand_over(history: Hand) -> bool:
    """Whether no further roll belongs to the hand: the shooter has sevened out."""
    return history.over


def in_time(lock: str, roll: int, history: Hand | None) -> bool:
    """Whether a wager of that lock may be placed after that roll, 0 being none; without a history, as far as it says.

    `come_out`: while no point is on. `any_roll`: up to the seven-out. Any other: before the first roll of the hand.
    """
    if lock not in ("come_out", "any_roll"):
        return roll == 0
    if history is None or roll > len(history.rolls):
        return True
    if history.over and roll == len(history.rolls):
        return False
    return lock == "any_roll" or history.points[roll] == COME_OUT


def read_hand(messages: Sequence[Any], decks: int = 0, previous: Any = None) -> Hand:
    """The history of the recorded rolls of one hand: objects with `first_die` and `second_die`, in order.

    Craps has neither decks nor a previous result. Raises ResultMissing, DiceUnknown, IllegalRoll.
    """
    if not messages:
        raise ResultMissing("expected at least one roll in a hand of Craps, given none")
    return Hand.of([(each.first_die, each.second_die) for each in messages])


def _roll(first: int, second: int) -> Roll:
    if first not in FACES or second not in FACES:
        raise DiceUnknown(f"expected two dice showing 1 to 6, given {first} and {second}")
    return Roll(first, second)


def _points(totals: Sequence[int]) -> tuple[tuple[int, ...], bool]:
    points, point, over = [COME_OUT], COME_OUT, False
    for number, total in enumerate(totals, start=1):
        if over:
            given = f"roll {number} with a total of {total}"
            raise IllegalRoll(f"expected no roll after the seven-out, roll {number - 1} of the hand, given {given}")
        if not point:
            point = total if total in POINTS else COME_OUT
        elif total in (point, SEVEN):
            point, over = COME_OUT, total == SEVEN
        points.append(point)
    return tuple(points), over
