"""The floor's side of the pipeline's benchmark: streams that send serialised requests and time the acknowledgements."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import grpc

from casino.rounds.v1 import rounds_service_pb2 as rpc
from clients.cli.properties import standing
from clients.sdk.client import OPTIONS, Casino
from tests.benchmarks.pipeline_rounds import PROPERTY, Requests

METHOD = "/casino.rounds.v1.RoundsService/StreamRounds"
POLL_SECONDS = 0.01
LONGEST_SECONDS = 1_200.0


class NotAccepted(Exception):
    """The service answered an event with anything but acceptance, or ended the stream."""


class Stream:
    """One stream of one source on a connection of its own; `seconds` are those from a batch to its acknowledgement."""

    def __init__(self, address: str, principal: str, requests: Requests) -> None:
        self.seconds: list[float] = []
        self._requests, self._principal = requests, principal
        self._channel = grpc.aio.insecure_channel(address, options=OPTIONS)
        self._call: Any = None
        self._window = self._durable = 0
        self._under_way: deque[tuple[int, float]] = deque()
        self._moved = asyncio.Event()

    async def open(self) -> None:
        """Says hello and takes the welcome. Raises NotAccepted."""
        method: Any = self._channel.stream_stream(
            METHOD, request_serializer=None, response_deserializer=rpc.StreamRoundsResponse.FromString
        )
        self._call = method(metadata=(("principal", self._principal),))
        await self._call.write(self._requests.hello)
        welcome = await self._read()
        if welcome.expected_offers:
            raise NotAccepted(f"expected every offer to agree, given {welcome.expected_offers}")
        self._window = welcome.window

    async def close(self) -> None:
        """Ends the connection."""
        if self._call is not None:
            self._call.cancel()
        await self._channel.close()

    async def run(self) -> None:
        """Sends all batches as fast as the window allows and returns when all are durable. Raises NotAccepted."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._take())
            for batch, through in zip(self._requests.batches, self._requests.through, strict=True):
                while through - self._durable > self._window:
                    self._moved.clear()
                    await self._moved.wait()
                await self._send(batch, through, time.perf_counter())

    async def run_paced(self, began: float, first: float, step: float) -> None:
        """Sends a batch every `step` seconds from `began + first` on, however late the acknowledgements are.

        Times are counted from the moment at which a batch was due.
        """
        async with asyncio.TaskGroup() as group:
            group.create_task(self._take())
            for number, batch in enumerate(self._requests.batches):
                due = began + first + number * step
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                await self._send(batch, self._requests.through[number], due)

    async def _send(self, batch: bytes, through: int, at: float) -> None:
        self._under_way.append((through, at))
        await self._call.write(batch)

    async def _take(self) -> None:
        last = self._requests.through[-1]
        while self._durable < last:
            response = await self._read()
            now, self._durable = time.perf_counter(), response.durable_through_sequence
            while self._under_way and self._under_way[0][0] <= self._durable:
                self.seconds.append(now - self._under_way.popleft()[1])
            self._moved.set()

    async def _read(self) -> rpc.StreamRoundsResponse:
        response = await self._call.read()
        if not isinstance(response, rpc.StreamRoundsResponse):
            raise NotAccepted(f"stream {self._requests.source_id} ended: {await self._call.details()}")
        if response.answers:
            raise NotAccepted(f"expected every event accepted, given {response.answers[0]}")
        return response


class Streams:
    """All streams of one set of requests; `async with` says every hello before the clock."""

    def __init__(self, address: str, principal: str, requests: Sequence[Requests]) -> None:
        self.streams = [Stream(address, principal, each) for each in requests if each.batches]

    async def __aenter__(self) -> "Streams":
        await asyncio.gather(*(stream.open() for stream in self.streams))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(stream.close() for stream in self.streams))

    @property
    def seconds(self) -> list[float]:
        """Every acknowledgement's seconds."""
        return [each for stream in self.streams for each in stream.seconds]

    async def run(self) -> None:
        """Every stream at once, as fast as it goes. Raises NotAccepted."""
        async with asyncio.TaskGroup() as group:
            for stream in self.streams:
                group.create_task(stream.run())

    async def run_paced(self, rate: float) -> None:
        """So many batches a second over all streams. Raises NotAccepted."""
        began, step = time.perf_counter(), len(self.streams) / rate
        async with asyncio.TaskGroup() as group:
            for place, stream in enumerate(self.streams):
                group.create_task(stream.run_paced(began, place / rate, step))


async def projected(casino: Casino) -> None:
    """Returns when reporting has projected the last settlement and journal entry of what is recorded now."""
    async with asyncio.timeout(LONGEST_SECONDS):
        head = (await standing(casino, "rounds", PROPERTY)).heads["rounds"]
        heads = {"rounds": head}
        for service in ("settlement", "progressives"):
            await _reached(casino, service, {"rounds": head})
            heads |= (await standing(casino, service, PROPERTY)).heads
        await _reached(casino, "reporting", {feed: heads[feed] for feed in ("rounds", "settlements", "progressives")})


async def _reached(casino: Casino, service: str, wanted: dict[str, int]) -> None:
    while True:
        cursors = (await standing(casino, service, PROPERTY)).cursors
        if all(cursors.get(feed, 0) >= position for feed, position in wanted.items()):
            return
        await asyncio.sleep(POLL_SECONDS)
