"""A report as data: tables of typed columns. Whoever renders one knows no report."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

Cell = int | str | None
"""A number for cents, counts and micro-dollars, a text for text and percent, None where there is no value."""

TEXT, CENTS, COUNT, PERCENT, MICROS = "text", "cents", "count", "percent", "micros"
"""Types of column: text, whole cents, a whole number, a decimal without its percent sign, micro-dollars."""


class Column(NamedTuple):
    """One column: its name for programs, its title for readers, its type."""

    name: str
    title: str
    type: str


LINE, BAR = "line", "bar"


class Plot(NamedTuple):
    """How a table's rows may be drawn: LINE or BAR, the column along the axis, the columns of numbers over it."""

    kind: str
    x: str
    y: tuple[str, ...]


Row = tuple[Cell, ...]
"""One cell for each column, in the order of the columns."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows in a fixed order; `totals` None where a table has none. Notes are sentences for the reader."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    totals: Row | None = None
    notes: tuple[str, ...] = ()
    plot: Plot | None = None

    def __post_init__(self) -> None:
        for row in (*self.rows, *([self.totals] if self.totals else [])):
            if len(row) != len(self.columns):
                raise ValueError(f"{self.name}: expected {len(self.columns)} cells, given {len(row)}")


@dataclass(frozen=True, slots=True)
class Report:
    """A named report of a gaming day, or of the days from `first` to it, with what it stands on.

    `signatures`: who signs it, by what they are. `positions` are the cursors by feed; everything of the rounds feed up
    to `complete_to` is in it.
    `day_starts` is local, with offset and zone.
    """

    name: str
    title: str
    property_id: str
    gaming_day: date
    day_starts: str
    generated_at: datetime
    requester: str
    positions: Mapping[str, int]
    complete_to: int
    tables: tuple[Table, ...]
    first: date | None = None
    signatures: tuple[str, ...] = ()
