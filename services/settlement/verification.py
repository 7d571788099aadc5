"""This service reads its own rows again: every typed row is compared with the bytes of its entry."""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from datetime import date
from functools import partial
from typing import Any

from casino.feeds.v1 import feeds_pb2
from services.runtime.feeds import Feed
from services.runtime.store import Connection, EntryRow, Pool
from services.runtime.verification import Findings, Verifications, entry_pages, guarded, verify_feed
from services.settlement import store, wire

Row = tuple[Any, ...]
RECORDED = {"submission": "true", "approval": "true"}
"""The tables whose rows are entered in the chain of records."""
POSITION = store.ROUND_COLUMNS.index("position")
TABLES = (
    ("settled_round", store.SETTLED_ROUND_COLUMNS, ()),
    ("wager", store.WAGER_COLUMNS, ("wager_no",)),
    ("award", store.AWARD_COLUMNS, ("wager_no", "ordinal")),
)
"""Each table of settlements with its columns, and those that tell apart the rows of one position."""
WANTED: dict[str, Callable[[str, Iterable[store.Placed]], Iterable[Row]]] = {
    "settled_round": store.settled_round_rows,
    "wager": store.wager_rows,
    "award": store.award_rows,
}
"""The rows that settlements give."""


async def verify(
    pool: Pool, submissions: Feed, settlements: Feed, day: date | None
) -> AsyncIterator[feeds_pb2.Verification]:
    """Every check of one property; the typed rows of settlements of one gaming day or, without, of all."""
    checks: dict[str, Callable[[], Awaitable[Verifications]]] = {
        "submissions_entry": partial(verify_feed, pool, "settlement", submissions, wire.submissions_columns),
        "submission, approval": partial(verify_submissions, pool, submissions),
        "settlements_entry": partial(verify_feed, pool, "settlement", settlements, wire.settlements_columns),
        "settled_round, wager, award": partial(verify_settlements, pool, settlements, day),
    }
    for table, check in checks.items():
        for found in await guarded(f"settlement: {table}", check):
            yield found


async def verify_submissions(pool: Pool, feed: Feed) -> feeds_pb2.Verification:
    """The approved submissions as stored, and as their entries tell them, both ways."""
    findings = Findings("settlement: approved submissions compared with their entries")
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        approved = await store.approvals(connection, feed.property_id)
        stored = {each.position: each.submission for each in approved}
        async for rows in entry_pages(connection, feed):
            for row in rows:
                known = stored.pop(row.position, None)
                same = known is not None and wire.submission_entry(known).data == row.entry
                what = "is changed" if known else "is missing"
                findings.expect(same, f"submission at {feed.name} position {row.position} {what}")
    for position, rows_there in Counter(each.position for each in approved).items():
        if rows_there > 1:
            findings.differs(f"submission: {rows_there} are approved at {feed.name} position {position}")
    for position, extra in stored.items():
        findings.differs(f"submission {extra.submission_id} is extra: no entry stands at position {position}")
    return findings.message()


async def verify_settlements(pool: Pool, feed: Feed, day: date | None) -> list[feeds_pb2.Verification]:
    """Rounds, wagers and awards as stored and as their entries tell them: missing, extra and changed rows.

    Looked up by key, page by page, and counted: as many rows as there should be, each as it should be, leave no room
    for another. Where anything differs the whole is walked through in order, which says what.
    """
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        looked_up = [_LookUp(table, columns, within) for table, columns, within in TABLES]
        async for rows in entry_pages(connection, feed):
            placed = _placed(rows, day)
            for each in looked_up:
                await each.take(connection, feed.property_id, placed)
        different = [not await each.complete(connection, feed.property_id, day) for each in looked_up]
        if any(different):
            return await _walk(connection, feed, day)
    return [each.findings.message() for each in looked_up]


async def _walk(connection: Connection, feed: Feed, day: date | None) -> list[feeds_pb2.Verification]:
    def stored(table: str, columns: tuple[str, ...], order: str) -> AsyncIterator[Row]:
        return store.stored_rows(connection, table, columns, order, feed.property_id, day)

    comparisons = [_Comparison(table, columns, within, stored) for table, columns, within in TABLES]
    async for rows in entry_pages(connection, feed):
        placed = _placed(rows, day)
        for each in comparisons:
            await each.expect(WANTED[each.table](feed.property_id, placed))
    return [(await each.ended()).message() for each in comparisons]


def _findings(table: str) -> Findings:
    return Findings(f"settlement: {table} rows compared with their entries")


class _LookUp:
    """The rows of one table, looked up by the keys that the entries give."""

    def __init__(self, table: str, columns: tuple[str, ...], within: tuple[str, ...]) -> None:
        self.findings = _findings(table)
        self._table, self._columns, self._within = table, columns, within
        self._same = True

    async def take(self, connection: Connection, property_id: str, placed: list[store.Placed]) -> None:
        """The settlements of a page; those that the table has nothing of are not asked for."""
        wanted = list(WANTED[self._table](property_id, placed))
        self.findings.checked += len(wanted)
        if wanted and self._same:
            places = [self._columns.index(name) for name in self._within]
            if places:
                wanted.sort(key=lambda row: (row[POSITION], *(row[place] for place in places)))
            rows = await store.rows_of(connection, self._table, self._columns, self._within, property_id, placed)
            self._same = rows == wanted

    async def complete(self, connection: Connection, property_id: str, day: date | None) -> bool:
        """Whether every row was as its entry says, and there is none beside them."""
        counted = await store.count_rows(connection, self._table, property_id, day)
        return self._same and counted == self.findings.checked


def _placed(rows: Iterable[EntryRow], day: date | None) -> list[store.Placed]:
    return [
        (row.position, wire.read_settlement(row.entry))
        for row in rows
        if row.kind == wire.SETTLED and day in (None, row.gaming_day)
    ]


class _Comparison:
    """Walks the rows of a table beside the rows that the entries give, both by position."""

    def __init__(
        self,
        table: str,
        columns: tuple[str, ...],
        within: tuple[str, ...],
        stored: Callable[[str, tuple[str, ...], str], AsyncIterator[Row]],
    ) -> None:
        """`within`: the columns that tell apart the rows of one position."""
        self._findings = _findings(table)
        self.table, self._columns = table, columns
        self._places = (POSITION, *(columns.index(name) for name in within))
        self._stored = stored(table, columns, ", ".join(("position", *within)))
        self._head: Row | None = None
        self._begun = False

    def _identity(self, row: Row) -> Row:
        return tuple([row[place] for place in self._places])

    async def expect(self, rows: Iterable[Row]) -> None:
        """The rows that a page of entries gives."""
        if not self._begun:
            self._begun = True
            await self._advance()
        for row in sorted(rows, key=self._identity):
            await self._expect(row)

    async def _advance(self) -> None:
        self._head = await anext(self._stored, None)

    async def _expect(self, row: Row) -> None:
        identity = self._identity(row)
        while self._head is not None and self._identity(self._head) < identity:
            await self._extra(self._head)
        if self._head is None or self._identity(self._head) != identity:
            self._findings.expect(False, f"{self._name(row)} is missing")
            return
        if self._head == row:
            self._findings.checked += 1
        else:
            self._findings.expect(False, f"{self._name(row)} is changed: {self._changes(self._head, row)}")
        await self._advance()

    async def _extra(self, row: Row) -> None:
        self._findings.differs(f"{self._name(row)} is extra: no entry gives it")
        await self._advance()

    async def ended(self) -> Findings:
        """What was found, after the last page."""
        await self.expect(())
        while self._head is not None:
            await self._extra(self._head)
        return self._findings

    def _name(self, row: Row) -> str:
        _, day, table_id, shoe, round_no, roll, revision, position = row[: POSITION + 1]
        key = f"{day}/{table_id}/{shoe}/{round_no}/{roll} revision {revision}"
        rest = "".join(f" {self._columns[place]} {row[place]}" for place in self._places[1:])
        return f"{self.table} row {key}{rest} at position {position}"

    def _changes(self, stored: Row, given: Row) -> str:
        return ", ".join(
            f"{name} is {found!r}, the entry says {told!r}"
            for name, found, told in zip(self._columns, stored, given, strict=True)
            if found != told
        )
