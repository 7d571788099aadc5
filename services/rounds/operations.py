"""One function a use-case, one transaction each. Whatever writes the feed holds its lock."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date, datetime

from services.kernel import errors
from services.rounds import settings, sources, store, wire
from services.rounds.book import Book
from services.rounds.calendar import FARTHEST, PropertySetting, TableSetting, moved
from services.rounds.intake import Intake
from services.rounds.sheet import NOTHING
from services.rounds.sources import SourcePosition
from services.rounds.writer import Writer
from services.runtime.feeds import HeadMoved, NewEntry
from services.runtime.followers import Batch
from services.runtime.principals import current_principal
from services.runtime.requests import Answer, Write, once
from services.runtime.server import Service
from services.runtime.store import Connection

Record = Callable[[Connection, int], Awaitable[None]]


async def set_property(
    service: Service,
    writer: Writer,
    write: Write,
    setting: PropertySetting,
    answer: type[Answer],
    make: Callable[[int], Answer],
) -> Answer:
    """Records settings of a property, from a gaming day on. DayOutOfState where they would move what was recorded."""

    def check() -> None:
        _check_hours(writer.book, setting._replace(position=writer.feed.position + 1))

    async def record(connection: Connection, position: int) -> None:
        placed = setting._replace(position=position)
        principal, now = current_principal(), service.clock()
        await store.add_property_setting(connection, write.property_id, placed, principal, now)

    entry = settings.property_entry(write.property_id, setting)
    return await _enter_once(service, writer, write, entry, record, answer, make, check)


def _check_hours(book: Book, setting: PropertySetting) -> None:
    """A round keeps its day and shift: they are its key, under which it is known when it is sent again."""
    since = setting.effective_from
    near = [day for day in sorted(book.stamps.days) if day >= since - FARTHEST]
    others = [day for day in near if book.days.hours_around(day, since) != {setting.hours}]
    day = moved(book.days, book.days.with_setting(setting), others)
    if day is not None:
        raise errors.DayOutOfState(
            f"Expected time zone, cut-over and shifts that leave every opened gaming day as it is; from"
            f" {setting.effective_from} on these would move hours of {day}."
        )


async def set_table(
    service: Service,
    writer: Writer,
    write: Write,
    setting: TableSetting,
    answer: type[Answer],
    make: Callable[[int], Answer],
) -> Answer:
    """Records settings of a table, from a gaming day on."""

    async def record(connection: Connection, position: int) -> None:
        placed = setting._replace(position=position)
        principal, now = current_principal(), service.clock()
        await store.add_table_setting(connection, write.property_id, placed, principal, now)

    entry = settings.table_entry(write.property_id, setting)
    return await _enter_once(service, writer, write, entry, record, answer, make)


async def _enter_once(
    service: Service,
    writer: Writer,
    write: Write,
    entry: NewEntry,
    record: Record,
    answer: type[Answer],
    make: Callable[[int], Answer],
    check: Callable[[], None] = lambda: None,
) -> Answer:
    """Enters one entry and its row, unless the same request did before, or `check` refuses it."""
    async with writer.feed.lock:
        await writer.load()
        # Settings change seldom: the book is simply read again, whether this succeeds or not.
        writer.distrust()
        now = service.clock()
        async with service.pool.acquire() as connection, connection.transaction():
            known = await write.stored(connection, answer)
            if known is not None:
                return known
            check()
            prepared = writer.feed.prepare([entry], current_principal(), now)
            await writer.feed.write(connection, prepared)
            await record(connection, prepared.new)
            result = make(prepared.new)
            await write.keep(connection, result, now)
        writer.feed.publish(prepared)
        return result


async def register_source(
    service: Service, writer: Writer, write: Write, source_id: str, description: str, answer: type[Answer]
) -> Answer:
    """Registers a source of a property; one that is registered already stays."""
    if not source_id:
        raise errors.InvalidRequest("Expected a source_id, got none.")
    async with writer.feed.lock:
        await writer.load()
        writer.distrust()
        now = service.clock()

        async with service.pool.acquire() as connection, connection.transaction():

            async def work() -> Answer:
                principal = current_principal()
                await store.add_source(connection, write.property_id, source_id, description, principal, now)
                return answer()

            return await once(connection, write, answer, now, work)


async def greet(service: Service, writer: Writer, source_id: str, epoch: int) -> SourcePosition:
    """Where a stream of this epoch begins; from now on earlier epochs are refused. SourceUnknown, EpochStale."""
    try:
        return await _greet(service, writer, source_id, epoch)
    except HeadMoved:
        # Another process has answered the source since: by what it says now.
        return await _greet(service, writer, source_id, epoch)


async def _greet(service: Service, writer: Writer, source_id: str, epoch: int) -> SourcePosition:
    async with writer.feed.lock:
        await writer.load()
        book = writer.book
        if source_id not in book.sources:
            raise errors.SourceUnknown(
                f"Expected a source registered at {book.property_id}, got {source_id!r}; see RegisterSource."
            )
        before = book.sources[source_id]
        position = sources.greet(before, source_id, epoch)
        if position != before:
            try:
                async with service.pool.acquire() as connection, connection.transaction():
                    marked = sources.marked(service.sealer.mark, book.property_id, [(source_id, position)])
                    await store.move_sources(connection, book.property_id, marked)
            except Exception:
                # The commit may have happened: a book with the earlier epoch would let its stream in again.
                writer.distrust()
                raise
            book.sources[source_id] = position
            book.doubtful.add(source_id)
        return position


async def receive_submissions(service: Service, writer: Writer, batch: Batch) -> None:
    """Takes approved submissions in, together with the cursor of their feed."""
    received = [wire.read_submission(entry.position, entry.data) for entry in batch.entries]
    rows = [
        (submission.submission_id, submission.position, submission.effective_from, entry.data)
        for submission, entry in zip(received, batch.entries, strict=True)
    ]
    async with writer.feed.lock:
        await writer.load()
        prepared = writer.feed.prepare([], "", service.clock(), {batch.move.feed: batch.move.new})
        try:
            async with service.pool.acquire() as connection, connection.transaction():
                await writer.feed.write(connection, prepared, [batch.move])
                await store.add_submissions(connection, writer.book.property_id, rows)
        except Exception:
            writer.distrust()
            raise
        for submission in received:
            writer.book.stamps.receive(submission)
        writer.feed.publish(prepared)


async def open_day(service: Service, writer: Writer, now: datetime) -> None:
    """Opens the gaming day of this instant at its cut-over, if no event has opened it before."""
    async with writer.feed.lock:
        await writer.load()
        day = writer.book.days.calendar_at(now).day_of(now)
        if day in writer.book.stamps.days:
            return
        intake = Intake(writer.book, writer.feed.position, NOTHING, service.clock())
        intake.open_day(day)
        try:
            await writer.write(intake, f"service:{service.name}")
        except Exception:
            writer.distrust()
            raise


def offers_that_differ(writer: Writer, offers: Sequence[tuple[str, date, str]]) -> list[tuple[str, date, str]]:
    """Of (table, day, digest) as the floor has them: those that are not in force, with what is."""
    differing = []
    for table_id, day, digest in offers:
        try:
            expected = writer.book.stamps.on(table_id, day).digest
        except errors.NoSubmission:
            expected = ""
        if expected != digest:
            differing.append((table_id, day, expected))
    return differing
