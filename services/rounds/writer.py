"""The one writer of a property: events of all streams in arrival order, committed together, then acknowledged."""

import asyncio
from collections.abc import Sequence
from datetime import date, datetime
from hashlib import sha256
from typing import NamedTuple

import asyncpg

from casino.rounds.v1 import rounds_service_pb2 as rpc
from services.kernel import errors
from services.kernel.ids import RoundKey
from services.rounds import answers, folding, sources, store, wire
from services.rounds.book import Book, KnownEvent, KnownHold, OpenRound
from services.rounds.calendar import Tables
from services.rounds.course import carried_on
from services.rounds.intake import NOTHING, Intake, Known, Read
from services.rounds.shoes import Shoe, ShoeKey, cards_of
from services.rounds.stamps import Stamps
from services.runtime.feeds import Feed, HeadMoved, Prepared
from services.runtime.principals import as_refusal
from services.runtime.server import Service
from services.runtime.store import Connection

MOST_EVENTS = 500
RESULTS = (wire.RESULT, wire.WHOLE_ROUND)


class Job(NamedTuple):
    """A batch of one source, with the future that its answer goes to."""

    source_id: str
    epoch: int
    first_sequence: int
    events: Sequence[bytes]
    refused_tables: frozenset[str]
    principal: str
    # A gap fill up to this sequence; 0 for a batch.
    fill_through: int
    # A heartbeat with the last sequence sent; -1 for anything else.
    last_sent: int
    answer: asyncio.Future[rpc.StreamRoundsResponse]


class Writer:
    """Holds the book of one property and is alone in writing its feed."""

    def __init__(self, service: Service, feed: Feed) -> None:
        self.feed = feed
        self.book: Book
        self._service = service
        self._jobs: asyncio.Queue[Job] = asyncio.Queue()
        self._left: Job | None = None
        self._stale = True

    async def load(self) -> None:
        """Reads the book from the database if it is not known to be true."""
        if not self._stale:
            return
        property_id = self.feed.property_id
        async with self._service.pool.acquire() as connection:
            await self.feed.load(connection)
            received = await store.submissions(connection, property_id)
            spins = await store.last_spins(connection, property_id)
            self.book = Book(
                property_id,
                await store.property_settings(connection, property_id),
                Tables(await store.table_settings(connection, property_id)),
                Stamps(
                    [wire.read_submission(position, content) for position, content in received],
                    await store.opened_days(connection, property_id),
                ),
                await store.sources(connection, property_id),
                {table: wire.last_result(kind, entry) for table, kind, entry in spins},
            )
        self._stale = False

    def distrust(self) -> None:
        """After trouble: the book and the head are read again before the next commit."""
        self._stale = True

    def put(self, job: Job) -> None:
        """Queues a batch; its answer comes after commit."""
        self._jobs.put_nowait(job)

    async def submit(self, job: Job) -> rpc.StreamRoundsResponse:
        """Queues a batch and waits for its answer."""
        self.put(job)
        return await job.answer

    async def run(self) -> None:
        """Commits what waits, for ever."""
        while True:
            jobs = await self._take()
            try:
                async with self.feed.lock:
                    responses = await self._commit_or_look_up(jobs)
            except Exception as problem:  # noqa: BLE001 - every waiting stream is told
                self._fail(jobs, problem)
            else:
                for job, answer in zip(jobs, responses, strict=True):
                    _settle(job.answer, answer)

    async def _take(self) -> list[Job]:
        """What waits, up to the most events that one commit should hold; the job that is too many is next."""
        jobs = [self._left or await self._jobs.get()]
        self._left, size = None, len(jobs[0].events)
        while not self._jobs.empty():
            job = self._jobs.get_nowait()
            size += len(job.events)
            if size > MOST_EVENTS:
                self._left = job
                break
            jobs.append(job)
        return jobs

    def _fail(self, jobs: Sequence[Job], problem: Exception) -> None:
        self.distrust()
        refusal = as_refusal(problem)
        if refusal is None:
            self._service.log.error("commit failed", exc_info=problem)
            refusal = errors.Busy("The commit failed and was logged; nothing is acknowledged. Send the events again.")
        for job in jobs:
            _settle(job.answer, refusal)

    async def _commit_or_look_up(self, jobs: Sequence[Job]) -> list[rpc.StreamRoundsResponse | errors.Refusal]:
        """The first attempt assumes that nothing is known; after any failure the keys are looked up first."""
        try:
            return await self._commit(jobs, look_up=False)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, HeadMoved, OSError) as problem:
            self._service.log.info("commit tried again with look-up", problem=repr(problem))
            self._service.metrics.retries.labels("commit").inc()
            self.distrust()
            return await self._commit(jobs, look_up=True)

    async def _commit(self, jobs: Sequence[Job], look_up: bool) -> list[rpc.StreamRoundsResponse | errors.Refusal]:
        await self.load()
        reads = [[self._read(raw) for raw in job.events] for job in jobs]
        known = await self._known(jobs, reads, look_up)
        intake = Intake(self.book, self.feed.position, known, self._service.clock())
        responses = [self._take_in(intake, job, events) for job, events in zip(jobs, reads, strict=True)]
        actor = ",".join(sorted({job.principal for job in jobs}))
        moved = sorted({job.source_id for job in jobs})
        with self._service.metrics.commit_seconds.labels("rounds").time():
            await self.write(intake, actor, moved)
        self._count(intake, responses)
        return responses

    def _take_in(self, intake: Intake, job: Job, events: Sequence[Read]) -> rpc.StreamRoundsResponse | errors.Refusal:
        """One job's answer; a refusal of the whole job ends its stream."""
        position = self.book.sources.get(job.source_id)
        try:
            sources.check_epoch(position, job.source_id, job.epoch)
            answered = self._fill(job) if job.fill_through else []
            answered += intake.take(job.source_id, job.epoch, job.first_sequence, events, job.refused_tables)
        except errors.Refusal as refusal:
            return refusal
        reached = self.book.sources[job.source_id]
        sequence = reached.sequence if reached else 0
        if job.last_sent > sequence:
            answered.append(answers.lost_tail(sequence, job.last_sent))
        return rpc.StreamRoundsResponse(durable_through_sequence=sequence, answers=answered)

    def _fill(self, job: Job) -> list[rpc.Answer]:
        position = self.book.sources[job.source_id] or sources.SourcePosition(job.epoch, 0)
        filled = sources.fill(position, job.first_sequence, job.fill_through)
        if filled is None:
            return [answers.lost_tail(position.sequence, job.first_sequence - 1)]
        self.book.sources[job.source_id] = filled
        return []

    def _read(self, raw: bytes) -> Read:
        """Reads an event and names its round and day; what cannot be read carries its refusal."""
        try:
            event = wire.read_event(raw)
        except errors.Refusal as refusal:
            return Read(raw, None, None, 0, refusal, sha256(raw).digest())
        if event.kind in wire.TABLE_KINDS:
            return Read(raw, event, None, 0, None, event.digest)
        try:
            key, shift = self._key(event)
        except errors.Refusal as refusal:
            return Read(raw, event, None, 0, refusal, event.digest)
        return Read(raw, event, key, shift, None, event.digest)

    def _key(self, event: wire.FloorEvent) -> tuple[RoundKey, int]:
        body = event.body
        assert not isinstance(body, wire.TableBody)
        opened_at = wire.instant(body.opened_at, "opened_at")
        day, shift = self.book.days.day_and_shift(body.opened_at.seconds, opened_at)
        if body.round_no < 1 or body.shoe < 0:
            raise errors.KeyImpossible(
                f"Expected round_no from 1 up and shoe from 0 up, got {body.round_no} and {body.shoe}."
            )
        self.book.tables.on(body.table_id, day)
        return RoundKey(day, body.table_id, body.shoe, body.round_no), shift

    async def _known(self, jobs: Sequence[Job], reads: Sequence[Sequence[Read]], look_up: bool) -> Known:
        """What must be known before these events can be entered: normally nothing."""
        doubted, pieces, shoes = [], [], set()
        for job, events in zip(jobs, reads, strict=True):
            position = self.book.sources.get(job.source_id)
            passed = position is not None and job.first_sequence <= position.sequence
            doubtful = look_up or passed or job.source_id in self.book.doubtful
            for read in events:
                if doubtful:
                    doubted.append(read)
                elif self._is_piece_of_unknown(read):
                    pieces.append(read)
                if read.key and read.key.shoe:
                    shoes.add(ShoeKey(*read.key[:3]))
        missing = sorted(shoes - self.book.shoes.keys())
        if not (doubted or pieces or missing):
            return NOTHING
        async with self._service.pool.acquire() as connection:
            await self._load_shoes(connection, missing)
            return await self._look_up(connection, [*doubted, *pieces], doubted)

    def _is_piece_of_unknown(self, read: Read) -> bool:
        return (
            read.event is not None
            and read.event.kind in (wire.BETTING_CLOSED, wire.RESULT, wire.STAKES_ADDED)
            and read.key is not None
            and read.key not in self.book.open_rounds
        )

    async def _load_shoes(self, connection: Connection, missing: Sequence[ShoeKey]) -> None:
        if not missing:
            return
        for shoe_key in missing:
            self.book.shoes[shoe_key] = Shoe()
        for row in await store.results_of_shoes(connection, self.feed.property_id, missing, RESULTS):
            round_ = wire.read_round(row.kind, row.entry)
            terms = self.book.stamps.on(row.key.table_id, row.key.gaming_day).terms
            self.book.shoes[ShoeKey(*row.key[:3])].see(cards_of(round_.history[-1]), terms.decks)

    async def _look_up(self, connection: Connection, keyed: Sequence[Read], doubted: Sequence[Read]) -> Known:
        property_id = self.feed.property_id
        keys = sorted({read.key for read in keyed if read.key})
        rounds: dict[RoundKey, list[KnownEvent]] = {}
        for row in await store.events_of_rounds(connection, property_id, keys) if keys else []:
            event = KnownEvent((row.kind, row.key.roll, row.item_no), row.digest, row.entry)
            rounds.setdefault(row.key._replace(roll=0), []).append(event)
        digests = {read.digest for read in doubted}
        digests |= {event.digest for events in rounds.values() for event in events}
        holds: dict[bytes, list[KnownHold]] = {}
        for held in await store.held_facts_with(connection, property_id, sorted(digests)) if digests else []:
            hold = KnownHold(held.answer, held.reason, held.message, held.wager_no, held.content)
            holds.setdefault(held.digest, []).append(hold)
        self._reopen(rounds, holds)
        table_keys = sorted({key for read in doubted if (key := self._table_key(read))})
        table_events = await store.table_events_at(connection, property_id, table_keys) if table_keys else {}
        return Known(rounds, holds, table_events)

    def _table_key(self, read: Read) -> tuple[date, str, int, datetime] | None:
        event = read.event
        if event is None or event.kind not in wire.TABLE_KINDS:
            return None
        try:
            at = wire.instant(event.occurred_at, "occurred_at")
            day, _ = self.book.days.day_and_shift(event.occurred_at.seconds, at)
        except errors.Refusal:
            # No key, nothing to look up: the intake meets the same refusal and answers it.
            return None
        return day, event.body.table_id, event.kind, at

    def _reopen(self, rounds: dict[RoundKey, list[KnownEvent]], holds: dict[bytes, list[KnownHold]]) -> None:
        """Rounds known in pieces that are not over are open again."""
        for key, events in rounds.items():
            if key not in self.book.open_rounds and (reopened := self._reopened(key, events, holds)):
                self.book.open_rounds[key] = reopened

    def _reopened(
        self, key: RoundKey, events: Sequence[KnownEvent], holds: dict[bytes, list[KnownHold]]
    ) -> OpenRound | None:
        open_round = OpenRound()
        for event in events:
            kind = event.slot[0]
            if kind == wire.WHOLE_ROUND:
                return None
            message = wire.read_round(kind, event.entry)
            goes_on = carried_on(kind, message, self.book.stamps.on(key.table_id, key.gaming_day).terms)
            if goes_on is None:
                return None
            held = [hold.content for hold in holds.get(event.digest, ()) if hold.wager_no]
            open_round.advance(event.slot, event.digest, folding.sent_in(kind, event.entry, held), goes_on)
        return open_round

    async def write(self, intake: Intake, actor: str, moved: Sequence[str] = ()) -> Prepared:
        """One transaction: head and entries, typed rows, source positions. Publishes after commit."""
        property_id = self.feed.property_id
        prepared = self.feed.prepare(intake.entries, actor, self._service.clock())
        positions = [(name, at) for name in moved if (at := self.book.sources.get(name))]
        async with self._service.pool.acquire() as connection, connection.transaction():
            await self.feed.write(connection, prepared)
            if intake.round_rows:
                await store.add_round_events(connection, property_id, intake.round_rows)
            if intake.table_rows:
                await store.add_table_events(connection, property_id, intake.table_rows)
            if intake.held_rows:
                await store.add_held_facts(connection, property_id, intake.held_rows)
            if intake.opened_days:
                await store.add_opened_days(connection, property_id, intake.opened_days)
            if intake.spun:
                await store.move_last_spins(connection, property_id, intake.spun)
            if positions:
                await store.move_sources(connection, property_id, positions)
        self.feed.publish(prepared)
        if intake.opened_days:
            self._service.seal_soon()
        return prepared

    def _count(self, intake: Intake, responses: Sequence[rpc.StreamRoundsResponse | errors.Refusal]) -> None:
        metrics, name = self._service.metrics, self.feed.property_id
        metrics.accepted.labels(name).inc(intake.accepted)
        metrics.entries.labels(name, self.feed.name).inc(len(intake.entries))
        for answer in responses:
            if isinstance(answer, rpc.StreamRoundsResponse):
                for item in answer.answers:
                    metrics.answers.labels(rpc.AnswerKind.Name(item.kind), item.reason).inc()


def _settle(
    future: asyncio.Future[rpc.StreamRoundsResponse], answer: rpc.StreamRoundsResponse | errors.Refusal
) -> None:
    if future.done():
        return
    if isinstance(answer, errors.Refusal):
        future.set_exception(answer)
    else:
        future.set_result(answer)
