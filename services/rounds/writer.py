"""The one writer of a property: events of all streams in arrival order, committed together, then acknowledged."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence

from casino.rounds.v1 import rounds_service_pb2 as rpc
from services.games.results import GAMES
from services.kernel import errors
from services.kernel.ids import RoundKey
from services.rounds import answers, offers, reading, sources, store, wire
from services.rounds.book import Book, KnownEvent, KnownHold
from services.rounds.calendar import Tables
from services.rounds.holds import store as outside
from services.rounds.intake import Intake, Read, TableKey
from services.rounds.rows import RoundEntryRow
from services.rounds.salvage import Outcome, Salvage, is_of_the_moment
from services.rounds.sheet import NOTHING, Known
from services.rounds.shoes import Shoe, ShoeKey, cards_of
from services.rounds.stamps import Stamps
from services.rounds.standing import Standing
from services.rounds.vigil import Vigil
from services.rounds.waiting import Job, Waiting
from services.runtime.feeds import Feed, Prepared
from services.runtime.principals import as_refusal
from services.runtime.server import Service
from services.runtime.steps import reached
from services.runtime.store import Connection

# A corrected spin's neighbours are looked for on so many opened days before it and after.
SPIN_DAYS = 7
RESULTS = (wire.RESULT, wire.WHOLE_ROUND)
GOES_ON = frozenset((wire.BETTING_CLOSED, wire.STAKES_ADDED, wire.RESULT, wire.VOID, wire.AMEND))
"""The kinds of events that go on with a round, or correct it."""
Record = Callable[[Connection], Awaitable[None]]


class Writer:
    """Holds the book of one property and is alone in writing its feed."""

    def __init__(self, service: Service, feed: Feed) -> None:
        self.feed = feed
        self.book: Book
        self._service = service
        self.waiting = Waiting()
        self.vigil = Vigil(service.settings.source_silent_seconds)
        self._stale = True
        # The load of the feed's head that the book belongs to: it is loaded again where another process wrote.
        self._loads = 0
        service.metrics.observe_intake(
            feed.property_id,
            events=lambda: self.waiting.events,
            size=lambda: self.waiting.bytes,
            under_way=lambda: sum(stream.under_way for stream in self.vigil.streams),
            streams=lambda: len(self.vigil.streams),
            degraded=lambda: len(self.vigil.degraded()),
        )

    async def load(self) -> None:
        """Reads the book from the database if it is not known to be true."""
        if not self._stale and self._loads == self.feed.loads:
            return
        property_id = self.feed.property_id
        async with self._service.pool.acquire() as connection:
            await self.feed.load(connection)
            received = await store.submissions(connection, property_id)
            spins = await store.last_spins(connection, property_id)
            self.book = book = Book(
                property_id,
                await store.property_settings(connection, property_id),
                Tables(await store.table_settings(connection, property_id)),
                Stamps(
                    [wire.read_submission(position, content) for position, content in received],
                    await store.opened_days(connection, property_id),
                ),
                await store.sources(connection, property_id),
                {table: wire.last_result(entry) for table, entry, _ in spins},
            )
            book.spun = {table: position for table, _, position in spins}
            book.kept = await outside.digests_kept(connection, property_id)
            book.disagreeing = await offers.disagreeing(connection, property_id, book.days)
            for fact in await outside.before_their_day(
                connection, property_id, int(answers.QUARANTINED), book.stamps.days
            ):
                assert fact.gaming_day is not None
                book.unnoticed.setdefault(fact.gaming_day, []).append(fact)
        self._loads, self._stale = self.feed.loads, False

    def distrust(self) -> None:
        """After trouble: the book and the head are read again before the next commit."""
        self._stale = True

    async def put(self, job: Job) -> None:
        """Queues a batch once there is room; its answer comes after commit."""
        await self.waiting.put(job)

    async def submit(self, job: Job) -> rpc.StreamRoundsResponse:
        """Queues a batch and waits for its answer."""
        await self.put(job)
        return await job.answer

    async def run(self) -> None:
        """Commits what waits, for ever."""
        while True:
            jobs = await self.waiting.take()
            try:
                async with self.feed.lock:
                    responses = await self._commit_or_look_up(jobs)
            except Exception as problem:  # noqa: BLE001 - every waiting stream is told
                self._fail(jobs, problem)
            else:
                for job, answer in zip(jobs, responses, strict=True):
                    _settle(job.answer, answer)
            finally:
                self.waiting.done(jobs)

    def _fail(self, jobs: Sequence[Job], problem: Exception) -> None:
        self.distrust()
        refusal = as_refusal(problem)
        if refusal is None:
            self._service.log.error("commit failed", exc_info=problem)
            refusal = errors.Busy("The commit failed and was logged; nothing is acknowledged. Send the events again.")
        for job in jobs:
            _settle(job.answer, refusal)

    async def _commit_or_look_up(self, jobs: Sequence[Job]) -> list[Outcome]:
        """The first attempt assumes that nothing is known; after any failure the keys are looked up first."""
        try:
            return await self._commit(jobs, look_up=False)
        except Exception as problem:  # noqa: BLE001 - logged; tried again, then salvaged or raised
            self._service.log.info("commit tried again with look-up", problem=repr(problem))
            self._service.metrics.retries.labels("commit").inc()
        try:
            return await self._commit_anew(jobs)
        except Exception as problem:
            if is_of_the_moment(problem):
                raise
            self._service.log.error("commit failed again; its jobs are taken one by one", exc_info=problem)
            return await Salvage(self._commit_anew, self._service.log).jobs(jobs, problem)

    async def _commit_anew(
        self, jobs: Sequence[Job], refusal: errors.Refusal | None = None, keyed: bool = True
    ) -> list[Outcome]:
        """After trouble: the book is read again and every key is looked up."""
        self.distrust()
        return await self._commit(jobs, True, refusal, keyed)

    async def _commit(
        self, jobs: Sequence[Job], look_up: bool, refusal: errors.Refusal | None = None, keyed: bool = True
    ) -> list[Outcome]:
        await self.load()
        reads = [[self._read_for(raw, refusal, keyed) for raw in job.events] for job in jobs]
        known = await self._known(jobs, reads, look_up)
        intake = Intake(self.book, self.feed.position, known, self._service.clock())
        responses = [self._take_in(intake, job, events) for job, events in zip(jobs, reads, strict=True)]
        actor = ",".join(sorted({job.principal for job in jobs}))
        moved = sorted({job.source_id for job in jobs})
        with self._service.metrics.commit_seconds.labels("rounds").time():
            await self.write(intake, actor, moved)
        self._count(intake, responses)
        return responses

    def _take_in(self, intake: Intake, job: Job, events: Sequence[Read]) -> Outcome:
        """One job's answer; a refusal of the whole job ends its stream."""
        position = self.book.sources.get(job.source_id)
        try:
            sources.check_epoch(position, job.source_id, job.epoch)
            answered = self._fill(job) if job.fill_through else []
            answered += intake.take(job.source_id, job.epoch, job.first_sequence, events, job.told, job.principal)
        except errors.Refusal as refusal:
            return refusal
        found = self.book.sources[job.source_id]
        sequence = found.sequence if found else 0
        if job.last_sent > sequence:
            answered.append(answers.lost_tail(sequence, job.last_sent))
        missing = [(answer.missing_from, answer.missing_to) for answer in answered if answer.kind == answers.GAP]
        self.vigil.arrived(
            job.source_id, sequence, max(job.last_sent, job.last), missing, reading.tables_of(self.book, events)
        )
        return rpc.StreamRoundsResponse(durable_through_sequence=sequence, answers=answered)

    def _fill(self, job: Job) -> list[rpc.Answer]:
        position = sources.within(self.book.sources[job.source_id], job.epoch)
        filled = sources.fill(position, job.first_sequence, job.fill_through)
        if filled is None:
            return [answers.lost_tail(position.sequence, job.first_sequence - 1)]
        self.book.sources[job.source_id] = filled
        return []

    def read(self, raw: bytes) -> Read:
        """An event as read; what cannot be read carries its refusal."""
        return reading.read(self.book, raw)

    def _read_for(self, raw: bytes, refusal: errors.Refusal | None, keyed: bool) -> Read:
        """An event as read, or to be kept with a refusal."""
        return reading.read_to_keep(self.book, raw, refusal, keyed=keyed) if refusal else self.read(raw)

    async def _known(self, jobs: Sequence[Job], reads: Sequence[Sequence[Read]], look_up: bool) -> Known:
        """What must be known before these events can be entered: normally nothing."""
        doubted, pieces = [], []
        shoes: set[ShoeKey] = set()
        for job, events in zip(jobs, reads, strict=True):
            position = self.book.sources.get(job.source_id)
            passed = position is not None and job.first_sequence <= position.sequence
            doubtful = look_up or passed or job.source_id in self.book.doubtful
            for read in events:
                if doubtful or read.digest in self.book.kept:
                    doubted.append(read)
                elif self._has_a_past(read):
                    pieces.append(read)
                if read.key and read.key.shoe:
                    shoes.add(read.key[:3])
        missing = sorted(shoes - self.book.shoes.keys())
        if not (doubted or pieces or missing):
            return NOTHING
        async with self._service.pool.acquire() as connection:
            await self._load_shoes(connection, missing)
            return await self._look_up(connection, [*doubted, *pieces], doubted)

    def _has_a_past(self, read: Read) -> bool:
        """Whether an event goes on with a round that is not at hand."""
        event, key = read.event, read.key
        if event is None or key is None or event.kind not in GOES_ON:
            return False
        return event.kind in wire.CORRECTIONS or key not in self.book.open_rounds

    async def see_shoes(self, connection: Connection, keys: Iterable[RoundKey]) -> None:
        """Loads the shoes of rounds that the book has not seen yet."""
        shoes = {key[:3] for key in keys if key.shoe}
        await self._load_shoes(connection, sorted(shoes - self.book.shoes.keys()))

    async def _load_shoes(self, connection: Connection, missing: Sequence[ShoeKey]) -> None:
        if not missing:
            return
        for shoe_key in missing:
            self.book.shoes[shoe_key] = Shoe()
        kinds = (*RESULTS, *wire.CORRECTIONS)
        dealt: dict[RoundKey, list[KnownEvent]] = {}
        for row in await store.events_of_shoes(connection, self.feed.property_id, missing, kinds):
            dealt.setdefault(row.key._replace(roll=0), []).append(_known_event(row))
        for key, events in dealt.items():
            terms = self.book.stamps.on(key.table_id, key.gaming_day).terms
            result = Standing(terms, events).result
            if result is not None:
                self.book.shoes[key[:3]].see(cards_of(result), terms.decks)

    async def _look_up(self, connection: Connection, keyed: Sequence[Read], doubted: Sequence[Read]) -> Known:
        corrected = [read.key for read in keyed if read.key and read.event and read.event.kind in wire.CORRECTIONS]
        keys = {read.key for read in keyed if read.key}
        known = await self.known(connection, keys, corrected, {read.digest for read in doubted})
        return known._replace(table_events=await self.table_events(connection, doubted))

    async def table_events(self, connection: Connection, reads: Iterable[Read]) -> dict[TableKey, bytes]:
        """The digests recorded at the places of table events."""
        keys = sorted({key for read in reads if (key := reading.table_key(self.book, read))})
        return await store.table_events_at(connection, self.feed.property_id, keys) if keys else {}

    async def known(
        self, connection: Connection, keys: Iterable[RoundKey], corrected: Iterable[RoundKey], digests: set[bytes]
    ) -> Known:
        """What is recorded of rounds, and held of events with this content; of corrected spins the wheel's too."""
        property_id = self.feed.property_id
        spins = await self._spins_beside(connection, corrected)
        rounds: dict[RoundKey, list[KnownEvent]] = {}
        wanted = sorted(spins.union(keys))
        for row in await store.events_of_rounds(connection, property_id, wanted) if wanted else []:
            rounds.setdefault(row.key._replace(roll=0), []).append(_known_event(row))
        digests = digests | {event.digest for events in rounds.values() for event in events}
        holds: dict[bytes, list[KnownHold]] = {}
        for fact, _, decision in await outside.held_facts(connection, property_id, digests=digests) if digests else []:
            decided = decision.decision if decision else 0
            origin = (fact.source_id, fact.epoch, fact.sequence)
            hold = KnownHold(fact.answer, fact.reason, fact.message, fact.wager_no, fact.content, decided, origin)
            holds.setdefault(fact.digest, []).append(hold)
        self._reopen(rounds, holds)
        return Known(rounds, holds, {}, frozenset(spins))

    async def _spins_beside(self, connection: Connection, corrected: Iterable[RoundKey]) -> set[RoundKey]:
        """The rounds of the wheels of these, of their days and of the days before and after."""
        found: set[RoundKey] = set()
        for table_id, day in {(key.table_id, key.gaming_day) for key in corrected}:
            try:
                wheels = GAMES[self.book.stamps.on(table_id, day).terms.game].wheels
            except errors.NoSubmission:
                # No round of the table can be recorded on that day: the intake meets the same refusal.
                continue
            if wheels:
                days = sorted({*self.book.stamps.days, day})
                at = days.index(day)
                near = days[max(0, at - SPIN_DAYS) : at + SPIN_DAYS + 1]
                found.update(await store.spins_of_days(connection, self.feed.property_id, table_id, near))
        return found

    def _reopen(self, rounds: dict[RoundKey, list[KnownEvent]], holds: dict[bytes, list[KnownHold]]) -> None:
        """Rounds known in pieces that are not over are open again."""
        for key, events in rounds.items():
            if key in self.book.open_rounds:
                continue
            standing = Standing(self.book.stamps.on(key.table_id, key.gaming_day).terms, events)
            reopened = standing.reopened(
                events, lambda digest: [hold.content for hold in holds.get(digest, ()) if hold.wager_no]
            )
            if reopened is not None:
                self.book.open_rounds[key] = reopened

    async def write(
        self, intake: Intake, actor: str, moved: Sequence[str] = (), record: Record | None = None
    ) -> Prepared:
        """One transaction: head and entries, typed rows, source positions, what `record` adds. Publishes after it."""
        property_id, mark = self.feed.property_id, self._service.sealer.mark
        # The time of the facts kept in this commit too: which came first is told by it.
        prepared = self.feed.prepare(intake.entries, actor, intake.now)
        positions = [(name, at) for name in moved if (at := self.book.sources.get(name))]
        async with self._service.pool.acquire() as connection, connection.transaction():
            await self.feed.write(connection, prepared)
            if intake.round_rows:
                await store.add_round_events(connection, property_id, intake.round_rows)
            if intake.table_rows:
                await store.add_table_events(connection, property_id, intake.table_rows)
            if intake.held_rows:
                await outside.add_held_facts(connection, property_id, intake.held_rows)
            if intake.opened_days:
                await store.add_opened_days(connection, property_id, intake.opened_days)
            if intake.spun:
                await store.move_last_spins(connection, property_id, intake.spun)
            if positions:
                await store.move_sources(connection, property_id, sources.marked(mark, property_id, positions))
            if record is not None:
                await record(connection)
            await reached("rounds.before_commit")
        await reached("rounds.after_commit")
        self.feed.publish(prepared)
        if intake.opened_days:
            self.book.forget_shoes()
            self._service.seal_soon()
        return prepared

    def _count(self, intake: Intake, responses: Sequence[Outcome]) -> None:
        metrics, name = self._service.metrics, self.feed.property_id
        metrics.accepted.labels(name).inc(intake.accepted)
        metrics.entries.labels(name, self.feed.name).inc(len(intake.entries))
        for answer in responses:
            if isinstance(answer, rpc.StreamRoundsResponse):
                for item in answer.answers:
                    metrics.answers.labels(rpc.AnswerKind.Name(item.kind), item.reason).inc()


def _known_event(row: RoundEntryRow) -> KnownEvent:
    return KnownEvent((row.kind, row.key.roll, row.item_no), row.digest, row.entry, row.position)


def _settle(future: asyncio.Future[rpc.StreamRoundsResponse], answer: Outcome) -> None:
    if future.done():
        return
    if isinstance(answer, errors.Refusal):
        future.set_exception(answer)
    else:
        future.set_result(answer)
