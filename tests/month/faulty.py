"""A month with faults planted in it: each knows its days, what it does there, and which report has to name it."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.reporting.v1 import documents_pb2 as paper
from clients.floor.day import Day
from clients.floor.dealer import TableDay
from clients.sdk.refusals import RefusedByServer
from tests.floor.auditor import lines
from tests.month import office
from tests.month.drawer import Drawer, kind_of
from tests.month.house import FIRST_DAY
from tests.month.month import drawer_of
from tests.month.running import Run

Row = dict[str, int | str | None]


@dataclass
class Fault:
    """One fault; `tables`: the table-days whose two wins it sets apart until it is put right."""

    day: date
    tables: set[tuple[date, str]] = field(default_factory=set)

    def events(self, day: Day, events: list[floor.Event]) -> list[floor.Event]:
        """What the floor sends of a day with the fault in it."""
        return events

    def papers(self, day: Day, documents: list[paper.Document]) -> list[paper.Document]:
        """What is posted of a day with the fault in it."""
        return documents

    async def posted(self, run: "FaultyRun", day: Day) -> None:
        """A day's papers are posted: what stands in the way is named and put right."""

    async def filed(self, run: "FaultyRun", day: Day) -> None:
        """A day is filed: what its reports show."""

    async def ended(self, run: "FaultyRun") -> None:
        """The month is over."""


@dataclass
class FaultyRun(Run):
    """The month with its faults."""

    faults: Sequence[Fault] = ()
    held: list[Day] = field(default_factory=list)

    def events(self, day: Day) -> list[floor.Event]:
        """What the floor sends, faults and all."""
        events = super().events(day)
        for fault in self.faults:
            events = fault.events(day, events)
        return events

    def papers(self, day: Day) -> list[paper.Document]:
        """What is posted, faults and all."""
        documents = super().papers(day)
        for fault in self.faults:
            documents = fault.papers(day, documents)
        return documents

    async def file(self, day: Day) -> None:
        """File a day once its faults are named and put right, and every day before it that was held."""
        for fault in self.faults:
            await fault.posted(self, day)
        if self.held and self.held[-1] is day:
            return
        for each in [*self.held, day]:
            await super().file(each)
        for each in [*self.held, day]:
            for fault in self.faults:
                await fault.filed(self, each)
        self.held.clear()

    async def post(self, documents: Sequence[paper.Document], by: str) -> None:
        """Post papers that were written later."""
        self.month.serials.number(documents)
        await office.post(self.casino, documents, by)

    async def contents(self, day: date) -> dict[str, bytes]:
        """The bytes of a day's reports as they were filed first, held against the hashes given at their filing."""
        found = {}
        for each in self.filed[day]:
            content = await office.content(self.casino, each.name, day.isoformat(), 1)
            assert hashlib.sha256(content).digest() == each.sha256
            found[each.name] = content
        return found

    async def rows(self, name: str, part: str, day: date, first: date | None = None, table: str = "") -> list[Row]:
        """The rows of one part of a report of now, of all tables or of one."""
        report = await office.report(self.casino, name, day, first)
        return [row for row in lines(report, part) if not table or row["table"] == table]

    async def adjusted(self, day: date, table: str) -> list[tuple[object, ...]]:
        """The amounts of a table's papers that were corrected: old, new, who posted it, who corrected it."""
        rows = await self.rows("adjustments", "documents", day, table=table)
        wanted = ("old", "new", "preparer", "reviewer")
        return [tuple(row[name] for name in wanted) for row in rows if row["field"] == "amount"]

    async def two_wins(self, day: date, table: str) -> tuple[int, str]:
        """What the reconciliation says of a table-day: the difference of the two wins, and whether it is tolerated."""
        (row,) = await self.rows("reconciliation", "two_wins", day, table=table)
        assert isinstance(row["difference"], int)
        return row["difference"], str(row["status"])

    async def blockers(self, day: date) -> list[tuple[str, str, str]]:
        """What stands in a day's way: of which state, why, about what."""
        found = (await office.status(self.casino, day)).blockers
        names = [(paper.DayState.Name(each.blocks).removeprefix("DAY_STATE_").lower(), each) for each in found]
        return [(name, each.reason, each.subject) for name, each in names if each.reason not in office.UNDER_WAY]

    async def refused(self, day: date, to: str, by: str, reason: str, subject: str) -> None:
        """The day cannot come to that state, and says what is wrong with what."""
        with pytest.raises(RefusedByServer) as refusal:
            await office.advance(self.casino, day, to, by)
        assert refusal.value.reason == "DAY_BLOCKED"
        assert reason in refusal.value.message
        assert subject in refusal.value.message


def day_of(number: int) -> date:
    """A gaming day by its number in the month, from 1."""
    return FIRST_DAY + timedelta(days=number - 1)


def table_of(day: Day, name: str) -> TableDay:
    """A table's day."""
    (found,) = [each for each in day.tables if each.table.table_id == name]
    return found


def with_felt(day: Day) -> Iterable[tuple[str, Drawer]]:
    """Live tables and their drawers."""
    for played in day.tables:
        if played.table.terms.kind == "live":
            yield played.table.table_id, drawer_of(played)


def papers_of(documents: Iterable[paper.Document], kind: str, table: str) -> list[paper.Document]:
    """A table's papers of a kind."""
    return [each for each in documents if (kind_of(each), each.table_id) == (kind, table)]


def corrected(of: paper.Document, reason: str, **parts: Any) -> paper.Document:
    """A correction that takes a paper's place, as yet without a number."""
    made = paper.Document()
    made.CopyFrom(of)
    made.document_id, made.corrects, made.reason = "", of.document_id, reason
    for name in ("denominations", "first_count", "second_count"):
        made.ClearField(name)
    for name, value in parts.items():
        if isinstance(value, list):
            getattr(made, name).extend(value)
        elif isinstance(value, paper.IndependentCount):
            getattr(made, name).CopyFrom(value)
        else:
            setattr(made, name, value)
    return made
