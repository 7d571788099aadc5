"""RoundsService: protobuf in, operation, protobuf out."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing

from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as rpc
from services.games.terms import canonical_json
from services.kernel import errors
from services.rounds import decisions, operations, settings, store, wire
from services.rounds.audit import audit
from services.rounds.holds import store as outside
from services.rounds.rows import HoldRow, RoundEntryRow
from services.rounds.sheet import Origin
from services.rounds.status.intakes import intakes
from services.rounds.streams import FloorStream, Session
from services.rounds.writer import RESULTS, Writer
from services.runtime.principals import Context, current_principal
from services.runtime.requests import Write
from services.runtime.server import Service

PROTOCOL_VERSION = 1
HELLO_SECONDS = 60.0
"""For which a stream that is open may keep silent before its hello."""
LARGEST_PAGE, USUAL_PAGE = 1_000, 100
MOST_HELD, MOST_HELD_BYTES = 10_000, 32 << 20
"""Facts of one answer, and their events' bytes together."""
WAITING = (rpc.HOLD_STATE_OPEN, rpc.HOLD_STATE_PROPOSED)

MakeWriter = Callable[[str], Awaitable[Writer]]


async def _hello(requests: AsyncIterator[rpc.StreamRoundsRequest]) -> rpc.Hello:
    """The first message of a stream, which must come soon. HandshakeMissing."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            first = await anext(aiter(requests), rpc.StreamRoundsRequest())
    except TimeoutError as late:
        raise errors.HandshakeMissing(f"Expected a hello within {HELLO_SECONDS:g} seconds, got nothing.") from late
    if first.WhichOneof("message") != "hello":
        raise errors.HandshakeMissing("Expected the stream's first message to be a hello.")
    return first.hello


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
        session, welcome = await self._greet(await _hello(requests))
        stream = FloorStream(self._service, session)
        async with aclosing(stream.answers(requests, welcome)) as responses:
            async for response in responses:
                yield response

    async def _greet(self, hello: rpc.Hello) -> tuple[Session, rpc.StreamRoundsResponse]:
        if hello.protocol_version != PROTOCOL_VERSION:
            raise errors.ProtocolUnknown(f"Expected protocol_version {PROTOCOL_VERSION}, got {hello.protocol_version}.")
        writer = self._writer(hello.property_id)
        position = await operations.greet(self._service, writer, hello.source_id, hello.source_epoch)
        offers = [(offer.table_id, wire.read_day(offer.gaming_day), offer.digest) for offer in hello.offers]
        differing = operations.offers_that_differ(writer, offers)
        places = {(table_id, day) for table_id, day, _ in differing}
        told = {(table_id, day): digest for table_id, day, digest in offers if (table_id, day) in places}
        welcome = rpc.StreamRoundsResponse(
            durable_through_sequence=position.sequence,
            window=self._service.settings.stream_window,
            expected_offers=[
                rpc.OfferDigest(table_id=table_id, gaming_day=day.isoformat(), digest=digest)
                for table_id, day, digest in differing
            ],
        )
        return Session(writer, hello, told, current_principal()), welcome

    async def SubmitEvents(self, request: rpc.SubmitEventsRequest, context: Context) -> rpc.SubmitEventsResponse:
        """One batch by a unary call."""
        session, _ = await self._greet(request.hello)
        session.writer.vigil.fence(session.source_id, session.epoch)
        session.writer.vigil.spoke(session.source_id)
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
            held = await outside.held_facts(connection, request.property_id, key=key)
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
        setting = settings.read_property(request.settings)
        # What is refused makes no property.
        setting.calendar()
        write = Write(request.settings.property_id, request)
        writer = await self._make_writer(request.settings.property_id)
        return await operations.set_property(
            self._service, writer, write, setting, rpc.SetPropertyResponse, _property_set
        )

    async def ListProperties(self, request: rpc.ListPropertiesRequest, context: Context) -> rpc.ListPropertiesResponse:
        """Every setting of every property, oldest first."""
        async with self._service.pool.acquire() as connection:
            names = await store.property_ids(connection)
            found = [(name, await store.property_settings(connection, name)) for name in names]
        return rpc.ListPropertiesResponse(
            properties=[settings.property_message(name, one) for name, history in found for one in history]
        )

    async def SetTable(self, request: rpc.SetTableRequest, context: Context) -> rpc.SetTableResponse:
        """Settings of a table from a gaming day on."""
        write = Write(request.settings.property_id, request)
        writer = self._writer(request.settings.property_id)
        setting = settings.read_table(request.settings)
        return await operations.set_table(self._service, writer, write, setting, rpc.SetTableResponse, _table_set)

    async def ListTables(self, request: rpc.ListTablesRequest, context: Context) -> rpc.ListTablesResponse:
        """Every setting of every table, by the day from which it holds."""
        writer = self._writer(request.property_id)
        async with writer.feed.lock:
            await writer.load()
            found = writer.book.tables.all()
        return rpc.ListTablesResponse(tables=[settings.table_message(request.property_id, each) for each in found])

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
        """What stays outside the feed; of very much what waits for a decision, then the newest, and how many others.

        A fact that is named is answered alone.
        """
        day = wire.read_day(request.gaming_day) if request.gaming_day else None
        self._writer(request.property_id)
        async with self._service.pool.acquire() as connection:
            if request.hold_id:
                named = await decisions.find_hold(connection, request.property_id, request.hold_id)
                return rpc.ListHeldFactsResponse(facts=[_held(named)])
            rows = await outside.held_facts(
                connection, request.property_id, day=day, most=MOST_HELD, settled=wire.REJECTED
            )
            counted = await outside.count_held(connection, request.property_id, day)
        facts = [_held(row) for row in _fitting(rows)]
        return rpc.ListHeldFactsResponse(facts=facts, left_off=max(0, counted - len(facts)))

    async def ProposeHeldFactDecision(
        self, request: rpc.ProposeHeldFactDecisionRequest, context: Context
    ) -> rpc.ProposeHeldFactDecisionResponse:
        """What one person would do with a fact outside the feed."""
        write, writer = Write(request.property_id, request), self._writer(request.property_id)
        return await decisions.propose(
            self._service,
            writer,
            write,
            request.hold_id,
            request.decision,
            request.reason,
            rpc.ProposeHeldFactDecisionResponse,
        )

    async def ApproveHeldFactDecision(
        self, request: rpc.ApproveHeldFactDecisionRequest, context: Context
    ) -> rpc.ApproveHeldFactDecisionResponse:
        """What a second person agrees to."""
        write, writer = Write(request.property_id, request), self._writer(request.property_id)
        return await decisions.approve(
            self._service,
            writer,
            write,
            request.hold_id,
            request.proposal,
            rpc.ApproveHeldFactDecisionResponse,
            _approved,
        )

    async def GetStatus(self, request: rpc.GetStatusRequest, context: Context) -> rpc.GetStatusResponse:
        """Heads, cursors and lags; detailed, also what each property's intake waits for."""
        found = await intakes(self._service, self._writers) if request.detailed else []
        return rpc.GetStatusResponse(status=await self._service.status(), intakes=found)

    async def Verify(self, request: rpc.VerifyRequest, context: Context) -> AsyncIterator[rpc.VerifyResponse]:
        """Reads every row again."""
        names = [request.property_id] if request.property_id else list(self._writers)
        for name in names:
            async for verification in audit(self._service, self._writer(name).feed):
                yield rpc.VerifyResponse(verification=verification)


def _approved(position: int) -> rpc.ApproveHeldFactDecisionResponse:
    return rpc.ApproveHeldFactDecisionResponse(position=position)


def _property_set(position: int) -> rpc.SetPropertyResponse:
    return rpc.SetPropertyResponse(position=position)


def _table_set(position: int) -> rpc.SetTableResponse:
    return rpc.SetTableResponse(position=position)


def _event(row: RoundEntryRow) -> rpc.RoundEvent:
    return rpc.RoundEvent(position=row.position, entry=entries.Entry.FromString(row.entry))


def _held(row: HoldRow) -> rpc.HeldFact:
    fact = row.fact
    found = rpc.HeldFact(
        hold_id=fact.hold_id,
        kind=rpc.AnswerKind.ValueType(fact.answer),
        reason=fact.reason,
        message=fact.message,
        wager_no=fact.wager_no,
        origin=Origin(fact.source_id, fact.epoch, fact.sequence, fact.principal).message(),
        event=fact.content,
        state=_state(row),
    )
    found.recorded_at.FromDatetime(fact.recorded_at)
    if fact.key:
        found.key.CopyFrom(wire.key_message(fact.key))
    _put_decision(found, row)
    return found


def _fitting(rows: list[HoldRow]) -> list[HoldRow]:
    """Of facts whose bytes one answer cannot carry: those that wait for a decision first, then the newest."""
    room, fitting = MOST_HELD_BYTES, set()
    newest = rows[::-1]
    waiting = [row for row in newest if _state(row) in WAITING]
    for row in (*waiting, *(row for row in newest if _state(row) not in WAITING)):
        room -= len(row.fact.content)
        if room < 0:
            break
        fitting.add(row.fact.identity)
    return [row for row in rows if row.fact.identity in fitting]


def _state(row: HoldRow) -> "rpc.HoldState.ValueType":
    if row.decision is not None:
        released = row.decision.decision == entries.HOLD_DECISION_RELEASE
        return rpc.HOLD_STATE_RELEASED if released else rpc.HOLD_STATE_REJECTED
    if row.fact.answer == wire.REJECTED:
        return rpc.HOLD_STATE_REJECTED
    return rpc.HOLD_STATE_PROPOSED if row.proposal is not None else rpc.HOLD_STATE_OPEN


def _put_decision(found: rpc.HeldFact, row: HoldRow) -> None:
    """What is proposed and decided: what was decided with another fact was proposed of that one alone."""
    said = row.decision or row.proposal
    if said is None:
        return
    found.decision = entries.HoldDecision.ValueType(said.decision)
    found.decision_reason, found.proposed_by = said.reason, said.proposed_by
    if row.proposal is not None:
        found.proposed_at.FromDatetime(row.proposal.proposed_at)
        found.proposal = row.proposal.number
    if row.decision is not None:
        found.approved_by, found.resolved_position = row.decision.approved_by, row.decision.position
        found.approved_at.FromDatetime(row.decision.approved_at)
