"""What reporting does, one transaction a use-case."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import date, datetime, time
from functools import partial
from zoneinfo import ZoneInfo

from services.kernel import errors
from services.kernel.clock import Calendar
from services.kernel.house_edge import EdgeBand
from services.reporting import store
from services.reporting.completeness import complete_to
from services.reporting.daily_win import SIGNATURES, TITLE, DayFacts, daily_win
from services.reporting.document import standing
from services.reporting.documents import store as papers
from services.reporting.meters import reports as meter_reports
from services.reporting.meters import store as meters
from services.reporting.meters.facts import meter_facts
from services.reporting.meters.sums import Days, MetersChange
from services.reporting.payments import store as payments
from services.reporting.periods import Asked
from services.reporting.registers import store as registers
from services.reporting.registers.record import SubmissionRecord
from services.reporting.reports import named
from services.reporting.reports import store as revenue
from services.reporting.reports.named import Made
from services.reporting.sums import (
    ExceptionKey,
    ProgressivesChange,
    PropertySetting,
    RoundsChange,
    SettlementsChange,
    TableTerms,
)
from services.reporting.table import Report
from services.runtime import steps
from services.runtime import store as runtime_store
from services.runtime.feeds import HeadMoved
from services.runtime.store import Connection, Move, Pool

REPORTS = ("daily-win", *meter_reports.REPORTS, *named.REPORTS)
"""Named reports."""

ROUNDS_PATIENCE_SECONDS, ROUNDS_LOOK_SECONDS = 5.0, 0.05


async def property_in_force(connection: Connection, property_id: str, day: date) -> PropertySetting:
    """The property's settings on a gaming day. Raises PropertyUnknown."""
    setting = await store.property_on(connection, property_id, day)
    if setting is None:
        raise errors.PropertyUnknown(f"expected a property in force on {day}, given {property_id!r}")
    return setting


async def report(
    pool: Pool, name: str, property_id: str, day: date, requester: str, now: datetime, first: date | None = None
) -> Report:
    """A named report of a gaming day, or of the period from `first` to it, everything in it read in one snapshot.

    Raises ReportUnknown, PropertyUnknown, InvalidRequest (a period, of a report that has none).
    """
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        make = await read_report(connection, name, property_id, day, requester, now, first)
    # In a thread: a figure that is not stored is counted over the whole sample space.
    return await asyncio.to_thread(make)


async def read_report(
    connection: Connection,
    name: str,
    property_id: str,
    day: date,
    requester: str,
    now: datetime,
    first: date | None = None,
) -> Callable[[], Report]:
    """The facts of a report, read in the caller's snapshot, and what makes the report of them. Raises as `report`."""
    if name not in REPORTS:
        raise errors.ReportUnknown(f"expected a report: {', '.join(sorted(REPORTS))}; given {name!r}")
    if name not in named.REPORTS and first not in (None, day):
        raise errors.InvalidRequest(f"{name}: expected one gaming day; given {first} to {day}")
    setting = await property_in_force(connection, property_id, day)
    begin, end = named.period(name, first or day, day)
    band = EdgeBand(setting.house_edge_from, setting.house_edge_to)
    asked = Asked(property_id, setting.title, begin, end, now, band, setting.jurisdiction)
    title, tables, signatures = await _made(connection, name, asked)
    positions, reached = await _stands_on(connection, property_id)
    starts = day_starts(setting, begin)
    return lambda: Report(
        name, title, property_id, end, starts, now, requester, positions, reached, tables(), begin, signatures
    )


async def _made(connection: Connection, name: str, asked: Asked) -> Made:
    if name in named.REPORTS:
        return await named.REPORTS[name](connection, asked)
    if name in meter_reports.REPORTS:
        title, of_meters = meter_reports.REPORTS[name]
        return Made(title, partial(of_meters, await meter_facts(connection, asked.property_id, asked.last)))
    facts = await day_facts(connection, asked.property_id, asked.last, asked.band)
    return Made(TITLE, partial(daily_win, facts), SIGNATURES)


async def day_facts(connection: Connection, property_id: str, day: date, band: EdgeBand) -> DayFacts:
    """All that is known of a day, with the house-edge band then in force."""
    paid = await payments.paid_by_slip(connection, property_id, day, day)
    return DayFacts(
        property_id=property_id,
        gaming_day=day,
        documents=standing((await papers.documents(connection, property_id, day)).values()),
        tables=await store.tables_on(connection, property_id, day),
        wagers=await store.wagers(connection, property_id, day),
        rounds=await store.rounds(connection, property_id, day),
        links=await store.links(connection, property_id),
        contributions=await store.contributions(connection, property_id, day),
        movements=await store.movements(connection, property_id, day),
        readings=await store.readings(connection, property_id, day),
        jackpots=await store.jackpots(connection, property_id, day),
        exceptions=await _exceptions(connection, property_id, day),
        paid={table_id: cents for (_, table_id), cents in paid.items()},
        kinds=await _kinds(connection, property_id, day),
        band=band,
    )


async def _kinds(connection: Connection, property_id: str, day: date) -> dict[str, str]:
    """The kind of each table by the Rules Submission in force: of several from one day the last one approved."""
    return {
        each.table_id: each.kind for each in await revenue.terms(connection, property_id) if each.effective_from <= day
    }


async def _exceptions(connection: Connection, property_id: str, day: date) -> dict[ExceptionKey, int]:
    """The day's exceptions, what people still have to decide or look at among them."""
    counts = await store.exceptions(connection, property_id, day)
    for key, count in (await meters.open_questions(connection, property_id, day)).items():
        counts[key] = counts.get(key, 0) + count
    return counts


async def _stands_on(connection: Connection, property_id: str) -> tuple[Mapping[str, int], int]:
    cursors = await runtime_store.cursors(connection, property_id)
    heads = {feed: at for owner, feed, at, _ in await runtime_store.heads(connection) if owner == property_id}
    return {**cursors, **heads}, complete_to(await store.reach(connection, property_id))


def calendar_of(setting: PropertySetting) -> Calendar:
    """The property's gaming days and shifts."""
    shifts = tuple(time.fromisoformat(start) for start in setting.shift_starts)
    return Calendar(setting.time_zone, time.fromisoformat(setting.cut_over), shifts)


def day_starts(setting: PropertySetting, day: date) -> str:
    """The local instant at which a gaming day starts, with its offset and the zone's name."""
    calendar = calendar_of(setting)
    local = calendar.start_of(day).astimezone(ZoneInfo(setting.time_zone))
    return f"{local.isoformat(timespec='minutes')} {setting.time_zone}"


async def apply_rounds(pool: Pool, property_id: str, change: RoundsChange, move: Move) -> None:
    """One batch of the rounds feed."""
    async with _applying(pool, property_id, move, move.new) as connection:
        if change.properties:
            await store.set_properties(connection, property_id, change.properties)
        if change.tables:
            await store.set_tables(connection, property_id, change.tables)
        if change.days:
            await meters.add_opened_days(connection, property_id, change.days)
        if change.exceptions:
            await store.add_exceptions(connection, property_id, change.exceptions)


async def apply_settlements(
    pool: Pool, property_id: str, change: SettlementsChange, move: Move, reached: int | None
) -> None:
    """One batch of the settlements feed; `reached` is the rounds position that it is complete to, if told."""
    async with _applying(pool, property_id, move, reached) as connection:
        if wagers := change.wagers:
            await store.add_wagers(connection, property_id, wagers)
        if rounds := change.rounds:
            await store.add_rounds(connection, property_id, rounds)
        if seats := change.seats:
            await revenue.add_seats(connection, property_id, seats)
        if change.exceptions:
            await store.add_exceptions(connection, property_id, change.exceptions)


async def apply_submissions(
    pool: Pool, property_id: str, terms: Sequence[TableTerms], approved: Sequence[SubmissionRecord], move: Move
) -> None:
    """One batch of the submissions feed."""
    async with _applying(pool, property_id, move, None) as connection:
        if terms:
            await revenue.set_terms(connection, property_id, terms)
        await registers.add_submissions(connection, property_id, approved)


async def apply_progressives(
    pool: Pool, property_id: str, change: ProgressivesChange, move: Move, reached: int | None
) -> None:
    """One batch of the progressives feed; `reached` is the rounds position that it is complete to, if told."""
    async with _applying(pool, property_id, move, reached) as connection:
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
            await payments.add_steps(connection, property_id, change.steps)
        if change.exceptions:
            await store.add_exceptions(connection, property_id, change.exceptions)
        await _apply_meters(connection, property_id, change.meters)
        await registers.add_records(connection, property_id, change.records)


async def _apply_meters(connection: Connection, property_id: str, change: MetersChange) -> None:
    if change.sums:
        await meters.add_sums(connection, property_id, change.sums)
    if change.corrections:
        await meters.correct(connection, property_id, change.corrections)
    if change.links:
        await meters.add_links(connection, property_id, change.links)
    if change.questions:
        await meters.set_questions(connection, property_id, change.questions)


async def days(pool: Pool, property_id: str, through: int) -> Days:
    """The gaming days opened up to a position of the rounds feed, once that has been followed so far.

    Raises Busy if it is not in time.
    """
    for _ in range(int(ROUNDS_PATIENCE_SECONDS / ROUNDS_LOOK_SECONDS)):
        async with pool.acquire() as connection:
            reached, opened = await meters.opened_days(connection, property_id)
        if reached >= through:
            return Days(opened)
        await asyncio.sleep(ROUNDS_LOOK_SECONDS)
    raise errors.Busy(f"progressives stands on position {through} of rounds, followed here up to {reached} so far")


@asynccontextmanager
async def _applying(pool: Pool, property_id: str, move: Move, reached: int | None) -> AsyncIterator[Connection]:
    """The transaction of one batch."""
    async with pool.acquire() as connection, connection.transaction():
        await _advance(connection, property_id, move, reached)
        yield connection
        await steps.reached("reporting.before_commit")
    await steps.reached("reporting.after_commit")


async def _advance(connection: Connection, property_id: str, move: Move, reached: int | None) -> None:
    """Moves the cursor first; raises HeadMoved if another follower was here."""
    beside = runtime_store.NOTHING_BESIDE if reached is None else store.reach_raised(move.feed, reached)
    if await runtime_store.advance(connection, property_id, [], [move], beside) != (0, 1):
        raise HeadMoved(f"{property_id}: the cursor in {move.feed} is no longer at {move.old}")
