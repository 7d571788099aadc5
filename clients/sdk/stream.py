"""A source's stream of events: resumable, windowed, acknowledged after commit.

Nothing is lost and nothing doubled: an event is kept until the service has it on disk.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from itertools import islice
from typing import Any, NamedTuple

import grpc

from casino.floor.v1 import events_pb2
from casino.rounds.v1 import rounds_service_pb2 as rounds
from clients.sdk.client import Casino
from clients.sdk.refusals import Patience, RefusedByServer
from services.kernel.errors import InvalidRequest

PROTOCOL_VERSION = 1
LARGEST_BATCH = 500
LARGEST_BATCH_BYTES = 4 << 20
FAREWELL_SECONDS = 1.0
STALE_ATTEMPTS = 3
HEARTBEAT_SECONDS = 5.0
PATIENCE = 120.0

OnStep = Callable[[str], Awaitable[None]]
"""Told `stream.before_send` and `stream.after_send` around every message."""

Call = grpc.aio.StreamStreamCall[rounds.StreamRoundsRequest, rounds.StreamRoundsResponse]


class Answered(NamedTuple):
    """What the service said of one event of the caller's.

    `number` counts the caller's events from 1, over all connections; `resent` says that the event had been
    sent before on a connection that broke, so that a DUPLICATE is this stream's own.
    """

    number: int
    event: bytes
    answer: rounds.Answer
    resent: bool


class _Sent(NamedTuple):
    number: int
    event: bytes


class RoundsStream:
    """Sends events of one source in order and keeps each until the service has it on disk.

    `async with RoundsStream(casino, property_id, source_id) as stream`, then `send` for each event, `drain`
    to wait until all are durable, `answers` for everything but plain acceptance. When the connection breaks
    it opens a new one under the next epoch and sends again what was not acknowledged; the service knows
    those by their business key. Gives up, with the last refusal, after `patience` seconds without progress, and
    at once with EPOCH_STALE when another stream of the source has taken over. `on_step` is for tests.
    """

    def __init__(
        self,
        casino: Casino,
        property_id: str,
        source_id: str,
        offers: Sequence[rounds.OfferDigest] = (),
        patience: float = PATIENCE,
        on_step: OnStep | None = None,
    ) -> None:
        self._on_step, self._leaving = on_step, False
        self._casino, self._property_id, self._source_id = casino, property_id, source_id
        self._offers, self._patience = list(offers), Patience(patience)
        self._waiting: deque[_Sent] = deque()
        self._changed = asyncio.Condition()
        self._answers: asyncio.Queue[Answered | None] = asyncio.Queue()
        self._given = 0
        self._durable = 0
        self._base = 0
        self._last_sent = 0
        self._sent_before = 0
        self._stale = 0
        self._window = 0
        self._problem: Exception | None = None
        self._runner: asyncio.Task[None] | None = None
        self.epoch = 0
        self.connections = 0
        self.expected_offers: list[rounds.OfferDigest] = []

    async def __aenter__(self) -> RoundsStream:
        self._runner = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *problem: object) -> None:
        try:
            if kind is None:
                await self.drain()
                await self._say_farewell()
        finally:
            if self._runner is not None:
                self._runner.cancel()
                await asyncio.gather(self._runner, return_exceptions=True)
            self._answers.put_nowait(None)

    async def _say_farewell(self) -> None:
        """Ends the connection of its own accord, so that the service expects nothing more of the source."""
        async with self._changed:
            self._leaving = True
            self._changed.notify_all()
        if self._runner is not None:
            await asyncio.wait({self._runner}, timeout=FAREWELL_SECONDS)

    @property
    def sent(self) -> int:
        """How many events the caller has given."""
        return self._given

    @property
    def durable(self) -> int:
        """How many of the caller's events, from the first, are on disk or answered."""
        return self._durable

    async def send(self, event: events_pb2.Event | bytes) -> int:
        """Takes one event, waiting while a whole window is under way; gives its number, from 1.

        Bytes are sent as they are, so that what is no event is refused by the service and kept there. Raises
        RefusedByServer once the stream has given up, InvalidRequest for what no batch can carry.
        """
        data = event if isinstance(event, bytes) else event.SerializeToString(deterministic=True)
        if len(data) > LARGEST_BATCH_BYTES:
            raise InvalidRequest(f"expected an event of at most {LARGEST_BATCH_BYTES} bytes, given {len(data)}")
        async with self._changed:
            await self._changed.wait_for(lambda: self._problem or len(self._waiting) <= self._room())
            self._raise_problem()
            if not self._waiting:
                self._patience.progressed()
            self._given += 1
            self._waiting.append(_Sent(self._given, data))
            self._changed.notify_all()
            return self._given

    async def drain(self) -> None:
        """Returns once every event given so far is durable. Raises RefusedByServer."""
        async with self._changed:
            wanted = self._given
            await self._changed.wait_for(lambda: self._problem or self._durable >= wanted)
            self._raise_problem()

    async def answers(self) -> AsyncIterator[Answered]:
        """Everything but plain acceptance, as it comes, until the stream is closed."""
        while (answered := await self._answers.get()) is not None:
            yield answered

    def answered(self) -> list[Answered]:
        """The answers that have come and nobody has taken, without waiting."""
        taken = []
        while not self._answers.empty():
            answered = self._answers.get_nowait()
            if answered is not None:
                taken.append(answered)
        return taken

    def _room(self) -> int:
        return max(self._window, LARGEST_BATCH)

    def _raise_problem(self) -> None:
        if self._problem is not None:
            raise self._problem

    async def _run(self) -> None:
        while True:
            try:
                await self._connect()
            except RefusedByServer as refusal:
                if self._leaving:
                    return
                if not await self._may_retry(refusal):
                    await self._give_up(refusal)
                    return
            except Exception as problem:
                await self._give_up(problem)
                raise

    async def _may_retry(self, refusal: RefusedByServer) -> bool:
        """Waits before the next connection; False once there is no point in one."""
        if not self._waiting:
            # Nothing is kept from anybody: the time without progress has not begun.
            self._patience.progressed()
        if refusal.reason == "EPOCH_STALE" and not self._window and self._stale < STALE_ATTEMPTS:
            # The hello of a connection that broke may have come through after the position was asked for. Once
            # welcomed, it is another stream that has taken over: to come back would only take over from that one.
            self._stale += 1
            refusal = _broken(refusal.message)
        try:
            await self._patience.wait(refusal)
        except RefusedByServer:
            return False
        return True

    async def _give_up(self, problem: Exception) -> None:
        async with self._changed:
            self._problem = problem
            self._answers.put_nowait(None)
            self._changed.notify_all()

    async def _connect(self) -> None:
        """One connection, until it breaks. Raises RefusedByServer."""
        request = rounds.GetIngestPositionRequest(property_id=self._property_id, source_id=self._source_id)
        position = await self._casino.call(self._casino.rounds.GetIngestPosition, request)
        self.epoch = max(self.epoch, position.source_epoch) + 1
        self.connections += 1
        self._sent_before = max(self._sent_before, self._last_sent)
        self._base = self._last_sent = self._durable
        self._window = 0
        call = self._casino.rounds.StreamRounds(metadata=self._casino.metadata)
        try:
            await call.write(self._hello())
            await _first_to_fail(self._read(call), self._write(call))
        except (grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError) as problem:
            raise await _ending(call) from problem
        finally:
            call.cancel()

    def _hello(self) -> rounds.StreamRoundsRequest:
        hello = rounds.Hello(
            property_id=self._property_id,
            source_id=self._source_id,
            source_epoch=self.epoch,
            protocol_version=PROTOCOL_VERSION,
            offers=self._offers,
        )
        return rounds.StreamRoundsRequest(hello=hello)

    async def _read(self, call: Call) -> None:
        while True:
            response = await call.read()
            if not isinstance(response, rounds.StreamRoundsResponse):
                raise await _ending(call)
            await self._take(response)
            if any(answer.kind == rounds.ANSWER_KIND_GAP for answer in response.answers):
                raise _broken("a sequence was missing; everything that is not durable is sent again")

    async def _take(self, response: rounds.StreamRoundsResponse) -> None:
        async with self._changed:
            durable = self._base + response.durable_through_sequence
            if durable > self._last_sent:
                # Two that asked for the position at once chose the same epoch: those are the other's events.
                raise _broken(f"another stream of {self._source_id} sends in epoch {self.epoch}; a later one is opened")
            self._window = response.window or self._window
            self.expected_offers.extend(response.expected_offers)
            for answer in response.answers:
                self._book(answer)
            if durable > self._durable:
                self._durable, self._stale = durable, 0
                self._patience.progressed()
            while self._waiting and self._waiting[0].number <= self._durable:
                self._waiting.popleft()
            self._changed.notify_all()

    def _book(self, answer: rounds.Answer) -> None:
        """Maps an answer back to its event; one for an event already durable has been booked before."""
        number = self._base + answer.sequence
        if self._waiting and self._waiting[0].number <= number <= self._waiting[-1].number:
            event = self._waiting[number - self._waiting[0].number].event
            self._answers.put_nowait(Answered(number, event, answer, number <= self._sent_before))

    async def _write(self, call: Call) -> None:
        while (message := await self._next_message()) is not None:
            await self._reached("stream.before_send")
            if call.done():
                break
            await call.write(message)
            await self._reached("stream.after_send")
        if not call.done():
            await call.done_writing()
        # The service's end of the stream, and why it ended, is read by the other task.
        await asyncio.Event().wait()

    async def _reached(self, step: str) -> None:
        if self._on_step is not None:
            await self._on_step(step)

    async def _next_message(self) -> rounds.StreamRoundsRequest | None:
        """The next batch, a heartbeat when nothing may be sent for a while, None to end the stream."""
        async with self._changed:
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await self._changed.wait_for(lambda: self._sendable() or self._leaving)
            except TimeoutError:
                last = rounds.Heartbeat(last_sequence_sent=self._last_sent - self._base)
                return rounds.StreamRoundsRequest(heartbeat=last)
            return self._next_batch(size) if (size := self._sendable()) else None

    def _sendable(self) -> int:
        """How many waiting events the window lets through now, at most one batch."""
        unsent = self._given - self._last_sent
        return max(0, min(unsent, LARGEST_BATCH, self._window - (self._last_sent - self._durable)))

    def _next_batch(self, size: int) -> rounds.StreamRoundsRequest:
        first = self._last_sent + 1
        start = first - self._waiting[0].number
        events, room = [], LARGEST_BATCH_BYTES
        for sent in islice(self._waiting, start, start + size):
            room -= len(sent.event)
            if room < 0:
                break
            events.append(sent.event)
        self._last_sent += len(events)
        batch = rounds.EventBatch(first_sequence=first - self._base, events=events)
        return rounds.StreamRoundsRequest(batch=batch)


async def _first_to_fail(*work: Coroutine[Any, Any, None]) -> None:
    """Runs both until one ends, stops the other and raises what ended it."""
    tasks = [asyncio.create_task(each) for each in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in tasks:
        if task in done:
            task.result()


async def _ending(call: Call) -> RefusedByServer:
    """How a call ended. A stream that the service closed or cancelled may be opened again."""
    if not call.done():
        return _broken("the connection does not take messages any more")
    code, details = await call.code(), await call.details()
    if code in (grpc.StatusCode.OK, grpc.StatusCode.CANCELLED):
        return _broken("the service ended the stream")
    if code is grpc.StatusCode.INTERNAL:
        # No service gives it: gRPC does, of a message written while the stream was ending.
        return _broken(f"the stream ended under a message: {details}")
    trailing = await call.trailing_metadata()
    return RefusedByServer.read(grpc.aio.AioRpcError(code, grpc.aio.Metadata(), trailing, details))


def _broken(message: str) -> RefusedByServer:
    return RefusedByServer("STREAM_ENDED", message, grpc.StatusCode.UNAVAILABLE)
