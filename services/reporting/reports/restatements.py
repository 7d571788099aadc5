"""Earlier days that were restated, or filed late: what of the month and year so far changed, and which filed days
stand on before.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import NamedTuple

from services.reporting.days import store
from services.reporting.filing import Filed
from services.reporting.reports import wire
from services.reporting.table import CENTS, COUNT, TEXT, Column, Row, Table
from services.runtime.store import Connection

COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("version", "Version", COUNT),
    Column("restated_at", "Restated at", TEXT),
    Column("approved_by", "Approved by", TEXT),
    Column("reason", "Reason", TEXT),
    Column("filed_win", "Win before", CENTS),
    Column("win", "Win", CENTS),
    Column("change", "Change", CENTS),
)
NOTES = (
    (
        "Restated since: earlier days of the year of which another version was filed, or the first one after a later"
        " day's. What was filed of later days before that has the former month and year to date in it."
    ),
)
OUTDATED_COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("version", "Version", COUNT),
    Column("filed_at", "Filed at", TEXT),
    Column("restated_day", "Stands on", TEXT),
    Column("stands_on", "In version", COUNT),
    Column("restated_version", "Restated as", COUNT),
    Column("change", "Change", CENTS),
)
OUTDATED_NOTES = (
    (
        "Filed days whose month or year to date has an earlier day in a version that was restated since, or as it was"
        " before it was filed (version 0). The figures of now come with a restatement of the filed day, and with the"
        " report of any later day."
    ),
)


class Restatement(NamedTuple):
    """A version of a day filed after a later day's, with its win before progressives as filed before and now, in cents.

    None: a document was missing, or no report of revenue was filed before.
    """

    gaming_day: date
    version: int
    at: datetime
    approved_by: str
    reason: str
    before: int | None
    win: int | None

    @property
    def change(self) -> int | None:
        """By how much the win changed."""
        return None if self.before is None or self.win is None else self.win - self.before


async def read(connection: Connection, property_id: str, day: date) -> list[Restatement]:
    """The restatements of the year's days up to a gaming day, in the order in which they were approved."""
    found = await store.restated(connection, property_id, day.replace(month=1, day=1), day)
    return [
        Restatement(*each[:5], wire.filed_win(each.before) if each.before else None, wire.filed_win(each.content))
        for each in found
    ]


def table(found: Iterable[Restatement], day: date) -> Table:
    """The restatements of days before one of the same year: those that its month and year to date contain."""
    rows = tuple(
        (
            each.gaming_day.isoformat(),
            each.version,
            _moment(each.at),
            each.approved_by,
            each.reason,
            each.before,
            each.win,
            each.change,
        )
        for each in _before(found, day)
    )
    return Table("restatements", "Restated since", COLUMNS, rows, None, NOTES if rows else ())


def beside(
    make: Callable[[], tuple[Table, ...]], found: Iterable[Restatement], day: date
) -> Callable[[], tuple[Table, ...]]:
    """What makes a report's tables, with the restatements of days before one added to them."""
    return lambda: (*make(), table(found, day))


def _before(found: Iterable[Restatement], day: date) -> list[Restatement]:
    return [each for each in found if each.gaming_day < day and each.gaming_day.year == day.year]


def outdated(filed: Iterable[Filed], found: Sequence[Restatement]) -> Table:
    """Filed days, in their latest versions, that are older than a restatement of a day before them."""
    latest = {each.gaming_day: each for each in sorted(filed, key=lambda each: each.version)}
    rows = tuple(
        _outdated(latest[day], each)
        for day in sorted(latest)
        for each in _before(found, day)
        if each.at > latest[day].filed_at
    )
    return Table("outdated", "Filed on an older version", OUTDATED_COLUMNS, rows, None, OUTDATED_NOTES if rows else ())


def _outdated(filed: Filed, restated: Restatement) -> Row:
    return (
        filed.gaming_day.isoformat(),
        filed.version,
        _moment(filed.filed_at),
        restated.gaming_day.isoformat(),
        restated.version - 1,
        restated.version,
        restated.change,
    )


def _moment(at: datetime) -> str:
    return at.isoformat(sep=" ", timespec="seconds")
