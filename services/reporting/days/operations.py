"""What is done with gaming days, one transaction a use-case; what is decided is decided on one snapshot."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from services.kernel import errors
from services.reporting import day as gaming_day
from services.reporting import operations, store
from services.reporting.completeness import complete_to
from services.reporting.day import (
    FILED,
    HAS_FILED,
    PROPOSED,
    RESTATED,
    DayChange,
    DayRecord,
    state_of,
)
from services.reporting.days import store as facts
from services.reporting.days import wire
from services.reporting.discrepancy import discrepancies
from services.reporting.documents import store as papers
from services.reporting.filing import Filed, digest, names
from services.reporting.meters import store as meters
from services.reporting.serials import gaps
from services.runtime.feeds import Feed, HeadMoved
from services.runtime.requests import Answer, Write, once
from services.runtime.store import Connection, Pool

ATTEMPTS = 3


class Decided(NamedTuple):
    """A state to be entered, with the reports to be filed, each with its bytes."""

    change: DayChange
    reports: Sequence[tuple[Filed, bytes]] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """A write about a gaming day: who asks, and when it is."""

    pool: Pool
    feed: Feed
    write: Write
    day: date
    by: str
    now: datetime

    @property
    def property_id(self) -> str:
        """Whose day it is."""
        return self.write.property_id


async def advance_day(request: Request, to: str) -> wire.AdvanceAnswer:
    """A day to its next state; filing keeps its reports.

    Raises InvalidRequest, PropertyUnknown, DayOutOfState, SamePrincipal, DayBlocked, RequestIdTaken, Busy.
    """

    async def decide(connection: Connection) -> Decided:
        history = await _history(connection, request.property_id, request.day)
        version = gaming_day.advance(history, to, (await _record(connection, request)).blockers(), request.by)
        change = _change(request, to, version, "")
        approved_by = history[-1].changed_by if history else request.by
        return Decided(change, await _reports(connection, request, version, approved_by) if to == FILED else ())

    return await _enter(request, wire.AdvanceAnswer, wire.advance_answer, decide)


async def restate_day(request: Request, reason: str) -> wire.RestateAnswer:
    """Proposes another version of a filed day.

    Raises InvalidRequest, PropertyUnknown, DayOutOfState, NothingToRestate, RequestIdTaken, Busy.
    """

    async def decide(connection: Connection) -> Decided:
        history = await _history(connection, request.property_id, request.day)
        version = gaming_day.propose_restatement(history, reason)
        if not await _differs(connection, request.property_id, request.day, version, request.now):
            raise errors.NothingToRestate(
                f"expected figures of {request.day} other than in version {version}; given the same"
            )
        return Decided(_change(request, PROPOSED, version, reason))

    return await _enter(request, wire.RestateAnswer, wire.restate_answer, decide)


async def approve_restatement(request: Request) -> wire.ApproveAnswer:
    """Files the version that another person proposed.

    Raises PropertyUnknown, DayOutOfState, SamePrincipal, DayBlocked, RequestIdTaken, Busy.
    """

    async def decide(connection: Connection) -> Decided:
        history = await _history(connection, request.property_id, request.day)
        version = gaming_day.approve_restatement(history, (await _record(connection, request)).blockers(), request.by)
        change = _change(request, RESTATED, version, history[-1].reason)
        reports = await _reports(connection, request, version, request.by, filed_by=history[-1].changed_by)
        return Decided(change, reports)

    return await _enter(request, wire.ApproveAnswer, wire.approve_answer, decide)


def _change(request: Request, state: str, version: int, reason: str) -> DayChange:
    return DayChange(request.property_id, request.day, state, version, reason, request.by, request.now)


async def _reports(
    connection: Connection, request: Request, version: int, approved_by: str, filed_by: str = ""
) -> list[tuple[Filed, bytes]]:
    """The reports of the day as the snapshot gives them; who files them is their requester."""
    by, made = filed_by or request.by, []
    for name in names(operations.REPORTS):
        make = await operations.read_report(connection, name, request.property_id, request.day, by, request.now)
        report = await asyncio.to_thread(make)
        content = wire.report_content(report, version)
        filed = Filed(
            request.property_id,
            request.day,
            name,
            version,
            digest(content),
            len(content),
            report.positions,
            by,
            approved_by,
            request.now,
        )
        made.append((filed, content))
    return made


async def _enter(
    request: Request,
    kind: type[Answer],
    answer: Callable[[DayChange, Sequence[Filed]], Answer],
    decide: Callable[[Connection], Awaitable[Decided]],
) -> Answer:
    """The stored answer, or what is decided entered: on a snapshot that ends with the feed's head as it is written."""
    async with request.pool.acquire() as connection:
        known = await request.write.stored(connection, kind)
        await operations.property_in_force(connection, request.property_id, request.day)
    if known is not None:
        return known
    for _ in range(ATTEMPTS):
        async with request.feed.lock:
            try:
                return await _write(request, kind, answer, await _decided(request, decide))
            except HeadMoved:
                async with request.pool.acquire() as connection:
                    await request.feed.load(connection)
    raise errors.Busy(f"{request.day}: other writers were first {ATTEMPTS} times; send it again.")


async def _decided(request: Request, decide: Callable[[Connection], Awaitable[Decided]]) -> Decided:
    async with request.pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        return await decide(connection)


async def _write(
    request: Request,
    kind: type[Answer],
    answer: Callable[[DayChange, Sequence[Filed]], Answer],
    decided: Decided,
) -> Answer:
    change, reports = decided
    entries = [wire.change_entry(change), *(wire.filed_entry(filed) for filed, _ in reports)]
    prepared = request.feed.prepare(entries, request.by, request.now)
    entered = False

    async def enter() -> Answer:
        nonlocal entered
        await request.feed.write(connection, prepared)
        await facts.add_change(connection, prepared.old + 1, change)
        for place, (filed, content) in enumerate(reports, prepared.old + 2):
            await facts.add_filed(connection, place, filed, content)
        entered = True
        return answer(change, [filed for filed, _ in reports])

    async with request.pool.acquire() as connection, connection.transaction():
        given = await once(connection, request.write, kind, request.now, enter)
    if entered:
        request.feed.publish(prepared)
    return given


async def _history(connection: Connection, property_id: str, day: date) -> list[DayChange]:
    return list((await facts.changes(connection, property_id, day, day)).values())


async def _record(connection: Connection, request: Request) -> DayRecord:
    days = await facts.days(connection, request.property_id)
    return await day_record(connection, request.property_id, request.day, request.now, days)


async def day_record(connection: Connection, property_id: str, day: date, now: datetime, days: facts.Days) -> DayRecord:
    """What a day is judged by. Raises PropertyUnknown."""
    documents = list((await papers.documents(connection, property_id, day)).values())
    slips = [each.jackpot_id for each in documents if each.jackpot_id]
    later = [position for opened, position in days.opened.items() if opened > day]
    reach = await store.reach(connection, property_id)
    setting = await operations.property_in_force(connection, property_id, day)
    return DayRecord(
        gaming_day=day,
        documents=documents,
        played=await facts.played(connection, property_id, day),
        pending=await facts.pending(connection, property_id, day),
        gaps=gaps(await papers.numbered(connection, property_id, day, day)),
        discrepancies=discrepancies(
            documents,
            await papers.closers_before(connection, property_id, day),
            await papers.jackpots_named(connection, property_id, slips),
        ),
        exceptions=await store.exceptions(connection, property_id, day),
        questions=await meters.open_questions(connection, property_id, day),
        complete=complete_to(reach),
        needed=min(later, default=reach.get("rounds", 0)),
        ends_at=None if later else operations.calendar_of(setting).end_of(day),
        now=now,
    )


async def list_days(
    pool: Pool, property_id: str, first: date | None, last: date | None, now: datetime, *, compare: bool
) -> list[wire.Status]:
    """The property's gaming days, oldest first, in one snapshot; `compare` holds filed reports against figures of now.

    What stands in the way is told of days that are not filed, and of those whose restatement is proposed.
    """
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        days = await facts.days(connection, property_id)
        chosen = [
            day
            for day in sorted({*days.opened, *days.active})
            if (first is None or first <= day) and (last is None or day <= last)
        ]
        span = (property_id, first or date.min, last or date.max)
        history, reports = await facts.changes(connection, *span), await facts.filed_reports(connection, *span)
        came = {day: [each for each in history.values() if each.gaming_day == day] for day in chosen}
        filed = {day: [each for each in reports.values() if each.gaming_day == day] for day in chosen}
        return [
            await _status(connection, property_id, day, now, days, came[day], filed[day], compare=compare)
            for day in chosen
        ]


async def _status(
    connection: Connection,
    property_id: str,
    day: date,
    now: datetime,
    days: facts.Days,
    history: Sequence[DayChange],
    filed: Sequence[Filed],
    *,
    compare: bool,
) -> wire.Status:
    state = state_of(history)
    setting = await operations.property_in_force(connection, property_id, day)
    calendar = operations.calendar_of(setting)
    judged = state not in HAS_FILED or state == PROPOSED
    record = await day_record(connection, property_id, day, now, days) if judged else None
    compared = compare and state in HAS_FILED
    return wire.status_message(
        property_id,
        day.isoformat(),
        state,
        history,
        filed,
        record.blockers() if record else (),
        operations.day_starts(setting, day),
        (calendar.end_of(day) - calendar.start_of(day)) // timedelta(minutes=1),
        await _differs(connection, property_id, day, history[-1].version, now) if compared else (),
    )


async def _differs(connection: Connection, property_id: str, day: date, version: int, now: datetime) -> list[str]:
    """The reports whose filed version says other than the figures of now."""
    found = []
    for name in names(operations.REPORTS):
        content = await facts.filed_content(connection, property_id, day, name, version)
        if content is not None:
            make = await operations.read_report(connection, name, property_id, day, "", now)
            if wire.says_other(content, await asyncio.to_thread(make)):
                found.append(name)
    return found


async def filed_content(pool: Pool, name: str, property_id: str, first: date, last: date, version: int) -> bytes:
    """The bytes of a report as it was filed; reports are filed by the day. Raises FiledReportUnknown."""
    async with pool.acquire() as connection:
        content = await facts.filed_content(connection, property_id, last, name, version)
    if content is None or first != last:
        days = str(last) if first == last else f"{first} to {last}"
        raise errors.FiledReportUnknown(
            f"expected a report filed for a gaming day of {property_id!r}; given {name!r} of {days}, version {version}"
        )
    return content
