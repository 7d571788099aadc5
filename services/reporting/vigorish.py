"""Vigorish that was owed and not collected, and what of it was paid later (N.J.A.C. 13:69D-1.30; ruling V5)."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from services.reporting.document import Document
from services.reporting.table import CENTS, TEXT, Column, Row, Table
from services.reporting.win import whole

UNCOLLECTED, RECOVERED = "vigorish_uncollected", "vigorish_recovered"
"""Kinds of document: the Uncollected Vigorish form and the Vigorish Recovery form."""
COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("table", "Table", TEXT),
    Column("uncollected", "Uncollected", CENTS),
    Column("recovered", "Recovered", CENTS),
    Column("adjustment", "Adjustment", CENTS),
    Column("win", "Win", CENTS),
    Column("adjusted_win", "Adjusted win", CENTS),
)
NOTES = (
    (
        "Adjustment = uncollected - recovered (N.J.A.C. 13:69D-1.30(d)): what is owed is in no chips and in no box,"
        " what is recovered is in the win of the day on which it was paid."
    ),
    "Revenue and tax are of the win, without the adjustment (58 Pa. Code 601a.9 knows none).",
)


class Forms(NamedTuple):
    """A table's forms of one gaming day, in cents."""

    uncollected: int = 0
    recovered: int = 0

    @property
    def adjustment(self) -> int:
        """What the forms change of the win."""
        return self.uncollected - self.recovered


def forms(documents: Iterable[Document]) -> dict[str, Forms]:
    """The standing forms of one gaming day by table; tables without any are left out."""
    found: dict[str, Forms] = {}
    for each in documents:
        known = found.get(each.table_id, Forms())
        if each.kind == UNCOLLECTED:
            found[each.table_id] = known._replace(uncollected=known.uncollected + each.amount_cents)
        elif each.kind == RECOVERED:
            found[each.table_id] = known._replace(recovered=known.recovered + each.amount_cents)
    return dict(sorted(found.items()))


class Adjusted(NamedTuple):
    """A table's day with forms, beside its win before progressives in cents; None: a document is missing."""

    gaming_day: date
    table_id: str
    forms: Forms
    win: int | None


def table(lines: Iterable[Adjusted]) -> Table:
    """What was owed and recovered beside the win, with its totals; nothing where there is no form."""
    found = list(lines)
    rows = tuple((each.gaming_day.isoformat(), each.table_id, *_cells([each])) for each in found)
    totals = ("total", "", *_cells(found)) if rows else None
    return Table("vigorish", "Vigorish", COLUMNS, rows, totals, NOTES if rows else ())


def _cells(lines: list[Adjusted]) -> Row:
    uncollected = sum(each.forms.uncollected for each in lines)
    recovered = sum(each.forms.recovered for each in lines)
    won = whole([each.win for each in lines])
    adjustment = uncollected - recovered
    return uncollected, recovered, adjustment, won, None if won is None else won + adjustment
