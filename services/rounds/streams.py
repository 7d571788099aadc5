"""A floor source's stream after its hello: messages in, cumulative acknowledgements out, the window held."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import NamedTuple

from casino.rounds.v1 import rounds_service_pb2 as rpc
from services.kernel import errors
from services.rounds.waiting import MOST_BYTES, MOST_EVENTS, Job, Told
from services.rounds.writer import Writer
from services.runtime.ages import life
from services.runtime.server import Service
from services.runtime.steps import reached

WAITING_BATCHES = 64
"""Answers that a stream may have waiting; it is not read further meanwhile."""
LARGEST_SEQUENCE = 1 << 62
"""Beyond it the sequence that comes next, and what an answer says of it, would not fit an int64."""
BROKEN_SECONDS = 0.1
"""So long after the last message of a stream it is known whether its connection broke."""


class Session:
    """A source that has said hello; makes jobs of its messages."""

    def __init__(self, writer: Writer, hello: rpc.Hello, told: Told, principal: str) -> None:
        """`told`: offers as the hello has them that are not in force."""
        self.writer, self._told, self._principal = writer, told, principal
        self.source_id, self.epoch = hello.source_id, hello.source_epoch

    def job(self, request: rpc.StreamRoundsRequest) -> Job:
        """What the writer has to do for a message. HandshakeMissing for a second hello, InvalidRequest."""
        kind = request.WhichOneof("message")
        if kind == "batch":
            return self._job(request.batch.first_sequence, events=_events(request.batch))
        if kind == "gap_fill":
            gap = request.gap_fill
            return self._job(gap.first_sequence, fill_through=_sequence(gap.last_sequence, "a gap fill"))
        if kind == "heartbeat":
            return self._job(0, last_sent=_sequence(request.heartbeat.last_sequence_sent, "a heartbeat"))
        raise errors.HandshakeMissing("Expected one hello and then batches, gap fills or heartbeats.")

    def _job(self, first: int, events: tuple[bytes, ...] = (), fill_through: int = 0, last_sent: int = -1) -> Job:
        answer: asyncio.Future[rpc.StreamRoundsResponse] = asyncio.get_running_loop().create_future()
        # The stream may be gone before its answer comes; then nobody is left to hear how the commit ended.
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        return Job(
            self.source_id,
            self.epoch,
            first,
            events,
            self._told,
            self._principal,
            fill_through,
            last_sent,
            answer,
        )


def _sequence(last: int, message: str) -> int:
    """The last sequence of a message. InvalidRequest."""
    if not 0 <= last <= LARGEST_SEQUENCE:
        raise errors.InvalidRequest(
            f"Expected {message} to end at a sequence from 0 to {LARGEST_SEQUENCE}, got {last}."
        )
    return last


def _events(batch: rpc.EventBatch) -> tuple[bytes, ...]:
    if not 1 <= len(batch.events) <= MOST_EVENTS or batch.first_sequence < 1:
        raise errors.InvalidRequest(
            f"Expected 1 to {MOST_EVENTS} events from sequence 1 up,"
            f" got {len(batch.events)} from {batch.first_sequence}."
        )
    _sequence(batch.first_sequence + len(batch.events) - 1, "a batch")
    size = sum(map(len, batch.events))
    if size > MOST_BYTES:
        raise errors.InvalidRequest(f"Expected a batch of at most {MOST_BYTES} bytes of events, got {size}.")
    return tuple(batch.events)


class _Due(NamedTuple):
    """An answer that the stream owes, and the events that it acknowledges."""

    answer: asyncio.Future[rpc.StreamRoundsResponse]
    events: int


class FloorStream:
    """One StreamRounds call. What it has taken is committed, whether or not its answers are ever read."""

    def __init__(self, service: Service, session: Session) -> None:
        self.epoch, self.under_way = session.epoch, 0
        self._service, self._session, self._writer = service, session, session.writer
        self._window = service.settings.stream_window
        self._due: asyncio.Queue[_Due | Exception | None] = asyncio.Queue(WAITING_BATCHES)
        self._awaited: _Due | None = None
        self._tasks: list[asyncio.Task[None]] = []

    def end(self, refusal: errors.Refusal) -> None:
        """Ends the stream at once: another has taken over, and asks for what this one is not told."""
        for task in self._tasks:
            task.cancel()
        while not self._due.empty():
            self._due.get_nowait()
        self._due.put_nowait(refusal)
        if self._awaited is not None and not self._awaited.answer.done():
            self._awaited.answer.set_exception(refusal)

    async def answers(
        self, requests: AsyncIterator[rpc.StreamRoundsRequest], welcome: rpc.StreamRoundsResponse
    ) -> AsyncGenerator[rpc.StreamRoundsResponse, None]:
        """The welcome, then an answer for each message in order. Refusals end it, after what was taken before them."""
        vigil, source_id, farewell = self._writer.vigil, self._session.source_id, False
        vigil.begin(source_id, self)
        self._tasks = [asyncio.create_task(each) for each in (self._read(requests), self._end_politely())]
        try:
            yield welcome
            while (due := await self._due.get()) is not None:
                if isinstance(due, Exception):
                    raise due
                yield await self._answer(due)
            farewell = True
        finally:
            vigil.end(source_id, self, farewell)
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _answer(self, due: _Due) -> rpc.StreamRoundsResponse:
        self._awaited = due
        response = await due.answer
        self._awaited = None
        await reached("rounds.before_answer")
        # Before it is sent: the source may use the room as soon as it reads this.
        self.under_way -= due.events
        return response

    async def _read(self, requests: AsyncIterator[rpc.StreamRoundsRequest]) -> None:
        """Hands each message to the writer; the next is read when the writer has room and the answers are heard."""
        try:
            async for request in requests:
                self._writer.vigil.spoke(self._session.source_id)
                job = self._session.job(request)
                self._take(job)
                await self._writer.put(job)
                await self._due.put(_Due(job.answer, len(job.events)))
            # The end of a connection that broke looks like one that the source has ended, until the call is cancelled.
            await asyncio.sleep(BROKEN_SECONDS)
            await self._due.put(None)
        except Exception as problem:  # noqa: BLE001 - handed to the stream, which raises it
            await self._due.put(problem)

    def _take(self, job: Job) -> None:
        under_way = self.under_way + len(job.events)
        if under_way > self._window:
            raise errors.WindowExceeded(
                f"Expected at most {self._window} events under way, got {under_way}, the batch from"
                f" {job.first_sequence} included; it was not taken. Send again from the last acknowledged on."
            )
        self.under_way = under_way

    async def _end_politely(self) -> None:
        """At a graceful stop, and at the connection's age, the stream answers what it has taken and ends."""
        name, age = self._service.name, self._service.settings.max_connection_age_seconds
        why = f"{name} is stopping"
        try:
            async with asyncio.timeout(life(age)):
                await self._service.stopping.wait()
        except TimeoutError:
            why = f"The stream has reached its age of {age} seconds"
        self._tasks[0].cancel()
        await self._due.put(errors.Busy(f"{why}; open the stream again and resume."))
