"""What reporting does, one transaction a use-case."""

import asyncio
from collections.abc import Mapping
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from services.kernel import errors
from services.kernel.clock import Calendar
from services.kernel.house_edge import EdgeBand
from services.reporting import store, wire
from services.reporting.completeness import complete_to
from services.reporting.daily_win import TITLE, DayFacts, daily_win
from services.reporting.document import Document
from services.reporting.sums import ProgressivesChange, PropertySetting, RoundsChange, SettlementsChange
from services.reporting.table import Report
from services.runtime import store as runtime_store
from services.runtime.feeds import Feed, HeadMoved
from services.runtime.requests import Write, once
from services.runtime.store import Connection, Move, Pool

REPORTS = {"daily-win": (TITLE, daily_win)}
"""Named reports: title, and the function that makes the tables."""

TABLE_PATIENCE_SECONDS, TABLE_LOOK_SECONDS = 2.0, 0.05
ATTEMPTS = 3


async def post_document(pool: Pool, feed: Feed, write: Write, document: Document, now: datetime) -> wire.PostedAnswer:
    """Enters a document. The same content under its serial number again gets the first answer.

    Raises PropertyUnknown, DocumentImpossible (the table, a part of it), DocumentTaken, RequestIdTaken, Busy.
    """
    await _check(pool, document)
    for _ in range(ATTEMPTS):
        async with feed.lock:
            try:
                return await _post(pool, feed, write, document, now)
            except HeadMoved:
                async with pool.acquire() as connection:
                    await feed.load(connection)
    raise errors.Busy(f"{document.document_id}: other writers were first {ATTEMPTS} times; send it again.")


async def _post(pool: Pool, feed: Feed, write: Write, document: Document, now: datetime) -> wire.PostedAnswer:
    prepared = feed.prepare([wire.document_entry(document)], document.posted_by, now)
    entered = False

    async def enter() -> wire.PostedAnswer:
        nonlocal entered
        known = await store.document(connection, document.property_id, document.document_id)
        if known is not None:
            return _first_answer(document, *known)
        await feed.write(connection, prepared)
        await store.add_document(connection, prepared.new, document)
        entered = True
        return wire.posted_answer(document, prepared.new)

    async with pool.acquire() as connection, connection.transaction():
        answer = await once(connection, write, wire.PostedAnswer, now, enter)
    if entered:
        feed.publish(prepared)
    return answer


def _first_answer(document: Document, position: int, known: Document) -> wire.PostedAnswer:
    if not known.says_the_same(document):
        raise errors.DocumentTaken(
            f"{known.document_id}: expected the {known.kind} of {known.table_id} on {known.gaming_day} that"
            f" {known.posted_by} posted, given other content; a correction has a serial number of its own."
        )
    return wire.posted_answer(known, position)


async def _check(pool: Pool, document: Document) -> None:
    async with pool.acquire() as connection:
        setting = await _property(connection, document.property_id, document.gaming_day)
    document.check(len(setting.shift_starts))
    await _check_table(pool, document)


async def _check_table(pool: Pool, document: Document) -> None:
    """A table that was set a moment ago may still be on its way here, so it is looked for a little longer."""
    for _ in range(int(TABLE_PATIENCE_SECONDS / TABLE_LOOK_SECONDS)):
        async with pool.acquire() as connection:
            tables = await store.tables_on(connection, document.property_id, document.gaming_day)
        if document.table_id in tables:
            return
        await asyncio.sleep(TABLE_LOOK_SECONDS)
    raise errors.DocumentImpossible(
        f"{document.document_id}: expected a table of {document.property_id} on {document.gaming_day}:"
        f" {', '.join(tables) or 'there is none'}; given {document.table_id or 'none'}"
    )


async def _property(connection: Connection, property_id: str, day: date) -> PropertySetting:
    setting = await store.property_on(connection, property_id, day)
    if setting is None:
        raise errors.PropertyUnknown(f"expected a property in force on {day}, given {property_id!r}")
    return setting


async def list_documents(pool: Pool, property_id: str, day: date | None, table_id: str) -> dict[int, Document]:
    """Documents by position, of a day (None: every day) and a table (empty: every table)."""
    async with pool.acquire() as connection:
        return await store.documents(connection, property_id, day, table_id)


async def report(pool: Pool, name: str, property_id: str, day: date, requester: str, now: datetime) -> Report:
    """A named report, everything in it read in one snapshot. Raises ReportUnknown, PropertyUnknown."""
    if name not in REPORTS:
        raise errors.ReportUnknown(f"expected a report: {', '.join(sorted(REPORTS))}; given {name!r}")
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        setting = await _property(connection, property_id, day)
        facts = await day_facts(connection, property_id, day, EdgeBand(setting.house_edge_from, setting.house_edge_to))
        positions, reached = await _stands_on(connection, property_id)
    title, tables = REPORTS[name]
    # In a thread: a figure that is not stored is counted over the whole sample space.
    made = await asyncio.to_thread(tables, facts)
    starts = day_starts(setting, day)
    return Report(name, title, property_id, day, starts, now, requester, positions, reached, made)


async def day_facts(connection: Connection, property_id: str, day: date, band: EdgeBand) -> DayFacts:
    """All that is known of a day, with the house-edge band then in force."""
    return DayFacts(
        property_id=property_id,
        gaming_day=day,
        documents=list((await store.documents(connection, property_id, day)).values()),
        tables=await store.tables_on(connection, property_id, day),
        wagers=await store.wagers(connection, property_id, day),
        rounds=await store.rounds(connection, property_id, day),
        links=await store.links(connection, property_id),
        contributions=await store.contributions(connection, property_id, day),
        movements=await store.movements(connection, property_id, day),
        readings=await store.readings(connection, property_id, day),
        jackpots=await store.jackpots(connection, property_id, day),
        exceptions=await store.exceptions(connection, property_id, day),
        band=band,
    )


async def _stands_on(connection: Connection, property_id: str) -> tuple[Mapping[str, int], int]:
    cursors = await runtime_store.cursors(connection, property_id)
    heads = {feed: at for owner, feed, at, _ in await runtime_store.heads(connection) if owner == property_id}
    return {**cursors, **heads}, complete_to(await store.reach(connection, property_id))


def day_starts(setting: PropertySetting, day: date) -> str:
    """The local instant at which a gaming day starts, with its offset and the zone's name."""
    shifts = tuple(time.fromisoformat(start) for start in setting.shift_starts)
    calendar = Calendar(setting.time_zone, time.fromisoformat(setting.cut_over), shifts)
    local = calendar.start_of(day).astimezone(ZoneInfo(setting.time_zone))
    return f"{local.isoformat(timespec='minutes')} {setting.time_zone}"


async def apply_rounds(pool: Pool, property_id: str, change: RoundsChange, move: Move) -> None:
    """One batch of the rounds feed."""
    async with pool.acquire() as connection, connection.transaction():
        await _advance(connection, property_id, move, move.new)
        if change.properties:
            await store.set_properties(connection, property_id, change.properties)
        if change.tables:
            await store.set_tables(connection, property_id, change.tables)
        if change.exceptions:
            await store.add_exceptions(connection, property_id, change.exceptions)


async def apply_settlements(
    pool: Pool, property_id: str, change: SettlementsChange, move: Move, reached: int | None
) -> None:
    """One batch of the settlements feed; `reached` is the rounds position that it is complete to, if told."""
    async with pool.acquire() as connection, connection.transaction():
        await _advance(connection, property_id, move, reached)
        if change.wagers:
            await store.add_wagers(connection, property_id, change.wagers)
        if change.rounds:
            await store.add_rounds(connection, property_id, change.rounds)
        if change.exceptions:
            await store.add_exceptions(connection, property_id, change.exceptions)


async def apply_progressives(
    pool: Pool, property_id: str, change: ProgressivesChange, move: Move, reached: int | None
) -> None:
    """One batch of the progressives feed; `reached` is the rounds position that it is complete to, if told."""
    async with pool.acquire() as connection, connection.transaction():
        await _advance(connection, property_id, move, reached)
        if change.links:
            await store.set_links(connection, property_id, list(change.links.values()))
        if change.contributions:
            await store.add_contributions(connection, property_id, change.contributions)
        if change.movements:
            await store.add_movements(connection, property_id, change.movements)
        if change.readings:
            await store.set_readings(connection, property_id, change.readings)
        if change.jackpots:
            await store.set_jackpots(connection, property_id, change.jackpots.values())
        if change.exceptions:
            await store.add_exceptions(connection, property_id, change.exceptions)


async def _advance(connection: Connection, property_id: str, move: Move, reached: int | None) -> None:
    """Moves the cursor first; raises HeadMoved if another follower was here."""
    if await runtime_store.advance(connection, property_id, [], [move]) != (0, 1):
        raise HeadMoved(f"{property_id}: the cursor in {move.feed} is no longer at {move.old}")
    if reached is not None:
        await store.raise_reach(connection, property_id, move.feed, reached)
