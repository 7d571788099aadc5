"""RoundsService: protobuf in, operation, protobuf out."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date

from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as rpc
from services.games.terms import canonical_json
from services.kernel import errors
from services.rounds import operations, store, wire
from services.rounds.audit import audit
from services.rounds.store import HeldRow, RoundEntryRow
from services.rounds.writer import MOST_EVENTS, RESULTS, Job, Writer
from services.runtime.principals import Context, current_principal
from services.runtime.requests import Write
from services.runtime.server import Service

PROTOCOL_VERSION = 1
LARGEST_PAGE, USUAL_PAGE = 1_000, 100
WAITING_BATCHES = 64

MakeWriter = Callable[[str], Awaitable[Writer]]


class Session:
    """A stream that has said hello."""

    def __init__(self, writer: Writer, hello: rpc.Hello, refused: frozenset[str], principal: str) -> None:
        self.writer, self._hello, self._refused, self._principal = writer, hello, refused, principal

    def job(self, request: rpc.StreamRoundsRequest) -> Job:
        """What the writer has to do for a message. HandshakeMissing for a second hello, InvalidRequest."""
        kind = request.WhichOneof("message")
        if kind == "batch":
            return self._job(request.batch.first_sequence, events=_events(request.batch))
        if kind == "gap_fill":
            return self._job(request.gap_fill.first_sequence, fill_through=request.gap_fill.last_sequence)
        if kind == "heartbeat":
            return self._job(0, last_sent=request.heartbeat.last_sequence_sent)
        raise errors.HandshakeMissing("Expected one hello and then batches, gap fills or heartbeats.")

    def _job(self, first: int, events: tuple[bytes, ...] = (), fill_through: int = 0, last_sent: int = -1) -> Job:
        return Job(
            self._hello.source_id,
            self._hello.source_epoch,
            first,
            events,
            self._refused,
            self._principal,
            fill_through,
            last_sent,
            asyncio.get_running_loop().create_future(),
        )


class RoundsServicer:
    """The methods of casino.rounds.v1.RoundsService."""

    def __init__(self, service: Service, writers: dict[str, Writer], make_writer: MakeWriter) -> None:
        self._service, self._writers, self._make_writer = service, writers, make_writer

    def _writer(self, property_id: str) -> Writer:
        writer = self._writers.get(property_id)
        if writer is None:
            raise errors.Unknown(
                f"Expected one of the properties {', '.join(self._writers) or '(none yet)'}, got {property_id!r}."
            )
        return writer

    async def StreamRounds(
        self, requests: AsyncIterator[rpc.StreamRoundsRequest], context: Context
    ) -> AsyncIterator[rpc.StreamRoundsResponse]:
        """Hello, then batches in and cumulative acknowledgements out."""
        first = await anext(aiter(requests), rpc.StreamRoundsRequest())
        if first.WhichOneof("message") != "hello":
            raise errors.HandshakeMissing("Expected the stream's first message to be a hello.")
        session, welcome = await self._greet(first.hello)
        yield welcome
        waiting: asyncio.Queue[Job | Exception | None] = asyncio.Queue(WAITING_BATCHES)
        reader = asyncio.create_task(_read_jobs(requests, session, waiting))
        farewell = asyncio.create_task(_end_at_stop(self._service, waiting))
        try:
            while (job := await waiting.get()) is not None:
                if isinstance(job, Exception):
                    raise job
                yield await job.answer
        finally:
            reader.cancel()
            farewell.cancel()
            await asyncio.gather(reader, farewell, return_exceptions=True)

    async def _greet(self, hello: rpc.Hello) -> tuple[Session, rpc.StreamRoundsResponse]:
        if hello.protocol_version != PROTOCOL_VERSION:
            raise errors.ProtocolUnknown(f"Expected protocol_version {PROTOCOL_VERSION}, got {hello.protocol_version}.")
        writer = self._writer(hello.property_id)
        position = await operations.greet(self._service, writer, hello.source_id, hello.source_epoch)
        offers = [(offer.table_id, wire.read_day(offer.gaming_day), offer.digest) for offer in hello.offers]
        differing = operations.offers_that_differ(writer, offers)
        refused = frozenset(table_id for table_id, _, _ in differing)
        welcome = rpc.StreamRoundsResponse(
            durable_through_sequence=position.sequence,
            window=self._service.settings.stream_window,
            expected_offers=[
                rpc.OfferDigest(table_id=table_id, gaming_day=day.isoformat(), digest=digest)
                for table_id, day, digest in differing
            ],
        )
        return Session(writer, hello, refused, current_principal()), welcome

    async def SubmitEvents(self, request: rpc.SubmitEventsRequest, context: Context) -> rpc.SubmitEventsResponse:
        """One batch by a unary call."""
        session, _ = await self._greet(request.hello)
        job = session.job(rpc.StreamRoundsRequest(batch=request.batch))
        return rpc.SubmitEventsResponse(result=await session.writer.submit(job))

    async def GetIngestPosition(
        self, request: rpc.GetIngestPositionRequest, context: Context
    ) -> rpc.GetIngestPositionResponse:
        """Epoch and sequence of a source."""
        writer = self._writer(request.property_id)
        async with writer.feed.lock:
            await writer.load()
            if request.source_id not in writer.book.sources:
                raise errors.Unknown(f"Expected a source of {request.property_id}, got {request.source_id!r}.")
            position = writer.book.sources[request.source_id]
        epoch, sequence = position or (0, 0)
        return rpc.GetIngestPositionResponse(source_epoch=epoch, durable_through_sequence=sequence)

    async def GetRound(self, request: rpc.GetRoundRequest, context: Context) -> rpc.GetRoundResponse:
        """One round as recorded, with what is held of it."""
        key = wire.read_key(request.key)
        async with self._service.pool.acquire() as connection:
            rows = await store.events_of_rounds(connection, request.property_id, [key])
            held = await store.held_facts_of_round(connection, request.property_id, key)
        if not rows and not held:
            raise errors.Unknown(f"Expected a recorded round, got {key}.")
        return rpc.GetRoundResponse(events=[_event(row) for row in rows], held=[_held(row) for row in held])

    async def ListRounds(self, request: rpc.ListRoundsRequest, context: Context) -> rpc.ListRoundsResponse:
        """A page of a day's finished rounds."""
        day = wire.read_day(request.gaming_day)
        limit = min(request.page_size or USUAL_PAGE, LARGEST_PAGE)
        if limit < 0 or request.after_position < 0:
            raise errors.InvalidRequest("Expected page_size and after_position of 0 or more.")
        async with self._service.pool.acquire() as connection:
            rows = await store.rounds_of_day(
                connection, request.property_id, day, request.table_id, RESULTS, request.after_position, limit
            )
        return rpc.ListRoundsResponse(rounds=[_event(row) for row in rows])

    async def WatchRounds(self, request: rpc.WatchRoundsRequest, context: Context) -> AsyncIterator[bytes]:
        """The feed from a cursor on."""
        self._writer(request.property_id)
        async for frame in self._service.watch("rounds", request.property_id, request.after_position):
            yield frame

    async def SetProperty(self, request: rpc.SetPropertyRequest, context: Context) -> rpc.SetPropertyResponse:
        """Settings of a property from a gaming day on."""
        setting = wire.read_property(request.settings)
        write = Write(request.settings.property_id, request)
        writer = await self._make_writer(request.settings.property_id)
        return await operations.set_property(
            self._service, writer, write, setting, rpc.SetPropertyResponse, _property_set
        )

    async def ListProperties(self, request: rpc.ListPropertiesRequest, context: Context) -> rpc.ListPropertiesResponse:
        """Every setting of every property, oldest first."""
        async with self._service.pool.acquire() as connection:
            names = await store.property_ids(connection)
            settings = [(name, await store.property_settings(connection, name)) for name in names]
        return rpc.ListPropertiesResponse(
            properties=[wire.property_message(name, one) for name, history in settings for one in history]
        )

    async def SetTable(self, request: rpc.SetTableRequest, context: Context) -> rpc.SetTableResponse:
        """Settings of a table from a gaming day on."""
        write = Write(request.settings.property_id, request)
        writer = self._writer(request.settings.property_id)
        setting = wire.read_table(request.settings)
        return await operations.set_table(self._service, writer, write, setting, rpc.SetTableResponse, _table_set)

    async def ListTables(self, request: rpc.ListTablesRequest, context: Context) -> rpc.ListTablesResponse:
        """Every setting of every table, by the day from which it holds."""
        writer = self._writer(request.property_id)
        async with writer.feed.lock:
            await writer.load()
            settings = writer.book.tables.all()
        return rpc.ListTablesResponse(tables=[wire.table_message(request.property_id, setting) for setting in settings])

    async def RegisterSource(self, request: rpc.RegisterSourceRequest, context: Context) -> rpc.RegisterSourceResponse:
        """A device or gateway that may send events."""
        write = Write(request.property_id, request)
        writer = self._writer(request.property_id)
        return await operations.register_source(
            self._service, writer, write, request.source_id, request.description, rpc.RegisterSourceResponse
        )

    async def GetOffer(self, request: rpc.GetOfferRequest, context: Context) -> rpc.GetOfferResponse:
        """What a table offers on a day; for a day not open yet, what it would offer now."""
        writer = self._writer(request.property_id)
        day = wire.read_day(request.gaming_day)
        async with writer.feed.lock:
            await writer.load()
            try:
                stamp = writer.book.stamps.on(request.table_id, day)
            except errors.NoSubmission as problem:
                raise errors.Unknown(problem.message) from problem
        return rpc.GetOfferResponse(
            submission_id=stamp.submission_id, digest=stamp.digest, terms_json=canonical_json(stamp.terms)
        )

    async def ListHeldFacts(self, request: rpc.ListHeldFactsRequest, context: Context) -> rpc.ListHeldFactsResponse:
        """Everything that stays outside the feed."""
        day = wire.read_day(request.gaming_day) if request.gaming_day else None
        self._writer(request.property_id)
        async with self._service.pool.acquire() as connection:
            rows = await store.held_facts(connection, request.property_id, day)
        return rpc.ListHeldFactsResponse(facts=[_held(row) for row in rows])

    async def GetStatus(self, request: rpc.GetStatusRequest, context: Context) -> rpc.GetStatusResponse:
        """Heads and cursors."""
        return rpc.GetStatusResponse(status=await self._service.status())

    async def Verify(self, request: rpc.VerifyRequest, context: Context) -> AsyncIterator[rpc.VerifyResponse]:
        """Reads every row again."""
        names = [request.property_id] if request.property_id else list(self._writers)
        for name in names:
            async for verification in audit(self._service, self._writer(name).feed):
                yield rpc.VerifyResponse(verification=verification)


def _property_set(position: int) -> rpc.SetPropertyResponse:
    return rpc.SetPropertyResponse(position=position)


def _table_set(position: int) -> rpc.SetTableResponse:
    return rpc.SetTableResponse(position=position)


def _events(batch: rpc.EventBatch) -> tuple[bytes, ...]:
    if not 1 <= len(batch.events) <= MOST_EVENTS or batch.first_sequence < 1:
        raise errors.InvalidRequest(
            f"Expected 1 to {MOST_EVENTS} events from sequence 1 up,"
            f" got {len(batch.events)} from {batch.first_sequence}."
        )
    return tuple(batch.events)


async def _read_jobs(
    requests: AsyncIterator[rpc.StreamRoundsRequest],
    session: Session,
    waiting: "asyncio.Queue[Job | Exception | None]",
) -> None:
    """Hands each message to the writer at once; its answer is awaited in order by the stream."""
    try:
        async for request in requests:
            job = session.job(request)
            session.writer.put(job)
            await waiting.put(job)
        await waiting.put(None)
    except Exception as problem:  # noqa: BLE001 - handed to the stream, which raises it
        await waiting.put(problem)


async def _end_at_stop(service: Service, waiting: "asyncio.Queue[Job | Exception | None]") -> None:
    """At a graceful stop the stream answers what it has taken and then ends as one that may be opened again."""
    await service.stopping.wait()
    await waiting.put(errors.Busy("rounds is stopping; open the stream again and resume."))


def _event(row: RoundEntryRow) -> rpc.RoundEvent:
    return rpc.RoundEvent(position=row.position, entry=entries.Entry.FromString(row.entry))


def _held(row: HeldRow) -> rpc.HeldFact:
    fact = rpc.HeldFact(
        hold_id=f"{row.source_id}/{row.epoch}/{row.sequence}/{row.wager_no}",
        kind=rpc.AnswerKind.ValueType(row.answer),
        reason=row.reason,
        message=row.message,
        wager_no=row.wager_no,
        origin=entries.Origin(source_id=row.source_id, epoch=row.epoch, sequence=row.sequence),
        event=row.content,
    )
    fact.recorded_at.FromDatetime(row.recorded_at)
    if row.gaming_day:
        fact.key.CopyFrom(_round_key(row, row.gaming_day))
    return fact


def _round_key(row: HeldRow, day: date) -> entries.RoundKey:
    return entries.RoundKey(
        gaming_day=day.isoformat(), table_id=row.table_id, shoe=row.shoe, round_no=row.round_no, roll=row.roll
    )
