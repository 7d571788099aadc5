"""A source's stream spoken by hand, message by message, to the service behind real gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import grpc

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import rounds_service_pb2 as pb
from clients.sdk.client import SERVICES, Casino
from clients.sdk.refusals import RefusedByServer
from tests.rounds.conftest import ANN, OPENED, PROPERTY, TABLE, Rounds, event


def shoe(number: int, table: str = TABLE) -> bytes:
    """An event of its own for each number from 1: cheap to send and to record."""
    return event(floor.ShoeChanged(table_id=table, shoe=number), OPENED + timedelta(milliseconds=number))


class Talk:
    """One open stream."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.window = 0

    async def batch(self, first: int, events: Sequence[bytes]) -> None:
        """Sends a batch."""
        await self.call.write(pb.StreamRoundsRequest(batch=pb.EventBatch(first_sequence=first, events=events)))

    async def fill(self, first: int, last: int) -> None:
        """Sends a gap fill."""
        await self.call.write(pb.StreamRoundsRequest(gap_fill=pb.GapFill(first_sequence=first, last_sequence=last)))

    async def heartbeat(self, last: int) -> None:
        """Tells the last sequence sent."""
        await self.call.write(pb.StreamRoundsRequest(heartbeat=pb.Heartbeat(last_sequence_sent=last)))

    async def answer(self) -> pb.StreamRoundsResponse:
        """The next answer. RefusedByServer where the stream has ended."""
        try:
            response = await self.call.read()
        except grpc.aio.AioRpcError as problem:
            raise RefusedByServer.read(problem) from problem
        if not isinstance(response, pb.StreamRoundsResponse):
            raise RefusedByServer("ENDED", "the stream ended", await self.call.code())
        return response

    async def durable(self) -> int:
        """How far the next answer acknowledges."""
        return (await self.answer()).durable_through_sequence


@asynccontextmanager
async def talking(rounds: Rounds, epoch: int, source: str = "pit-1") -> AsyncIterator[Talk]:
    """A stream that has said hello and been welcomed."""
    call = rounds.stub.StreamRounds(metadata=ANN, timeout=60, wait_for_ready=True)
    talk = Talk(call)
    try:
        await call.write(pb.StreamRoundsRequest(hello=rounds.hello(epoch, source)))
        talk.window = (await talk.answer()).window
        yield talk
    finally:
        call.cancel()


async def register(rounds: Rounds, *sources: str) -> None:
    """More sources of the property."""
    for source in sources:
        request = pb.RegisterSourceRequest(request_id=source, property_id=PROPERTY, source_id=source)
        await rounds.call("RegisterSource", request)


@asynccontextmanager
async def client(rounds: Rounds) -> AsyncIterator[Casino]:
    """The SDK's client of the running services."""
    places = dict.fromkeys(SERVICES, "127.0.0.1:1") | {name: f"127.0.0.1:{at}" for name, at in rounds.ports.items()}
    async with Casino(places, "ann") as casino:
        yield casino


async def sources(rounds: Rounds) -> dict[str, pb.SourceStatus]:
    """What the detailed status says of each source."""
    answer = await rounds.call("GetStatus", pb.GetStatusRequest(detailed=True))
    return {each.source_id: each for each in answer.intakes[0].sources}


async def shoes(rounds: Rounds) -> list[tuple[str, int]]:
    """Table and number of every shoe in the feed, in its order."""
    bodies = [entry.shoe_changed for _, entry in await rounds.feed() if entry.WhichOneof("body") == "shoe_changed"]
    return [(body.table_id, body.shoe) for body in bodies]
