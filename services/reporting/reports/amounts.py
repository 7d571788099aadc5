"""Cells that several reports have: sums in which a missing part is missing, holds, percentages."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from services.kernel.money import decimal_text
from services.reporting.table import Cell, Row
from services.reporting.win import hold, whole

HOLD_NOTE = "Hold = win before progressives / drop; of a fully automated table and of terminals / metered wagers."
MISSING_NOTE = "An empty amount: a document is missing; so is every sum of which it is a part."


def percent(value: Fraction | None, digits: int = 2) -> str | None:
    """A fraction as a percentage without its sign, half up."""
    return None if value is None else decimal_text(value * 100, digits)


def decimal(value: Fraction | None, digits: int = 2) -> str | None:
    """A fraction in decimals, half up."""
    return None if value is None else decimal_text(value, digits)


class Held:
    """Base and win added up, in cents; a missing part makes its sum missing."""

    __slots__ = ("base", "win")

    def __init__(self, parts: Iterable[tuple[int | None, int | None]] = ()) -> None:
        self.base: int | None = 0
        self.win: int | None = 0
        for base, win in parts:
            self.add(base, win)

    def add(self, base: int | None, win: int | None) -> None:
        """Adds a part."""
        self.base = None if base is None or self.base is None else self.base + base
        self.win = None if win is None or self.win is None else self.win + win

    @property
    def cells(self) -> tuple[Cell, Cell, Cell]:
        """Base, win and hold."""
        return self.base, self.win, hold(self.win, self.base)


def totals(rows: Sequence[Row], summed: Iterable[int], width: int, label: str = "total") -> Row:
    """A row of totals: the label, and the sums of some columns, missing where a part is."""
    found: list[Cell] = [None] * width
    found[0] = label
    for place in summed:
        found[place] = whole([cell if isinstance(cell := row[place], int) else None for row in rows])
    return tuple(found)
