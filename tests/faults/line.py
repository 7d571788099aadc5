"""The line between a source and `rounds`: messages and answers pass here, and some do not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc

from tests.faults.schedule import Fault, Schedule

DELAY_SECONDS = 0.1
HALF_OPEN_SECONDS = 0.3

Other = Callable[[Fault], Awaitable[None]]
"""Does what a fault needs that is not done on the line."""


class Lines:
    """Stands for the stub of `rounds` at one source: its streams are lines, every other call is the stub's own."""

    def __init__(self, stub: Any, source_id: str, schedule: Schedule, other: Other) -> None:
        self._stub, self._source_id, self._schedule, self._other = stub, source_id, schedule, other
        self.abandoned: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stub, name)

    def StreamRounds(self, **given: Any) -> _Line:  # noqa: N802 - the stub's method
        """A stream that goes over the line."""
        return _Line(self._stub.StreamRounds(**given), self._source_id, self._schedule, self._other, self.abandoned)

    def hang_up(self) -> None:
        """Ends the streams whose other end nobody has told."""
        for call, _ in self.abandoned:
            call.cancel()


class _Line:
    """One stream. What it does not change is the call's own."""

    def __init__(self, call: Any, source_id: str, schedule: Schedule, other: Other, abandoned: list[Any]) -> None:
        self._call, self._source_id, self._schedule, self._other = call, source_id, schedule, other
        self._abandoned, self._open, self._late = abandoned, asyncio.Event(), list[Any]()
        self._open.set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._call, name)

    async def write(self, message: Any) -> None:
        """Sends a message, or does what is due at it."""
        late, self._late = self._late, []
        copies = await self._copies(message) if message.HasField("batch") else 1
        if not self._open.is_set():
            return
        for each in [*[message] * copies, *late]:
            await self._call.write(each)

    async def _copies(self, message: Any) -> int:
        copies = 1
        for fault in self._schedule.due(f"{self._source_id}.send"):
            if fault.kind == "drop":
                copies = 0
            elif fault.kind == "duplicate":
                copies += 1
            elif fault.kind == "reorder":
                copies, self._late = 0, [message]
            elif fault.kind == "delay":
                await asyncio.sleep(DELAY_SECONDS)
            elif fault.kind == "half_open":
                self._open.clear()
            else:
                await self._other(fault)
        return copies

    async def read(self) -> Any:
        """The next answer that arrives; the end of the stream once the source has noticed that it is half open."""
        while True:
            answer = await self._next()
            if answer is None:
                return grpc.aio.EOF
            if not getattr(answer, "durable_through_sequence", 0) or not await self._lost():
                return answer

    async def _next(self) -> Any:
        """The next answer; None when nothing comes over a half open line any more."""
        reading = asyncio.ensure_future(self._call.read())
        while True:
            await asyncio.wait({reading}, timeout=HALF_OPEN_SECONDS)
            if not self._open.is_set():
                # To cancel the reading would tell the other end.
                self._abandoned.append((self._call, reading))
                return None
            if reading.done():
                return reading.result()

    async def _lost(self) -> bool:
        lost = False
        for fault in self._schedule.due(f"{self._source_id}.answer"):
            if fault.kind == "delay":
                await asyncio.sleep(DELAY_SECONDS)
            lost = lost or fault.kind == "lost_answer"
        return lost

    def cancel(self) -> bool:
        """Ends the call, but for one whose other end cannot be told."""
        return False if not self._open.is_set() else bool(self._call.cancel())
