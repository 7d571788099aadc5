"""A scripted peer behind real gRPC: a rounds service that breaks off, refuses and answers when it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc

from casino.rounds.v1 import rounds_service_pb2 as pb
from clients.sdk.client import SERVICES, Casino
from services.kernel import errors
from services.runtime.statuses import status_of

DOWN = errors.Busy("the database does not answer")


@dataclass
class Break:
    """Where a connection breaks: at its `batch`-th batch, with or without having kept it, and as what."""

    batch: int
    kept: bool
    refusal: errors.Refusal | None = None


@dataclass
class Peer:
    """Keeps events by their bytes; `breaks` are taken by one connection each, in order."""

    window: int = 20
    breaks: list[Break] = field(default_factory=list)
    refusals: list[errors.Refusal] = field(default_factory=list)
    answer: Callable[[bytes, int], pb.Answer | None] = lambda event, sequence: None
    kept: list[bytes] = field(default_factory=list)
    epochs: list[int] = field(default_factory=list)
    sequences: list[list[int]] = field(default_factory=list)
    principals: set[str] = field(default_factory=set)
    request_ids: list[str] = field(default_factory=list)
    heartbeat: asyncio.Queue[int] = field(default_factory=asyncio.Queue)
    most_under_way: int = 0
    largest_batch: int = 0
    farewells: int = 0
    forgets_epochs: bool = False

    async def get_ingest_position(
        self, request: pb.GetIngestPositionRequest, context: Any
    ) -> pb.GetIngestPositionResponse:
        """The last epoch that a stream began."""
        await self._refuse(context)
        self.principals |= {str(value) for key, value in context.invocation_metadata() if key == "principal"}
        return pb.GetIngestPositionResponse(
            source_epoch=self.epochs[-1] if self.epochs and not self.forgets_epochs else 0
        )

    async def set_property(self, request: pb.SetPropertyRequest, context: Any) -> pb.SetPropertyResponse:
        """A write that is refused while there are refusals."""
        self.request_ids.append(request.request_id)
        await self._refuse(context)
        return pb.SetPropertyResponse(position=7)

    async def stream_rounds(
        self, requests: AsyncIterator[pb.StreamRoundsRequest], context: Any
    ) -> AsyncIterator[pb.StreamRoundsResponse]:
        """Answers batches after keeping them, until this connection's break."""
        planned, batches, durable = self.breaks.pop(0) if self.breaks else None, 0, 0
        self.sequences.append([])
        async for request in requests:
            if request.HasField("hello"):
                self.epochs.append(request.hello.source_epoch)
                yield pb.StreamRoundsResponse(window=self.window)
            elif request.HasField("heartbeat"):
                self.heartbeat.put_nowait(request.heartbeat.last_sequence_sent)
            else:
                batches += 1
                broken = planned is not None and planned.batch == batches
                if broken and planned and not planned.kept:
                    await _break(context, planned)
                answers = self._keep(request.batch, durable)
                if broken and planned:
                    await _break(context, planned)
                durable = request.batch.first_sequence + len(request.batch.events) - 1
                yield pb.StreamRoundsResponse(durable_through_sequence=durable, answers=answers)
        self.farewells += 1

    def _keep(self, batch: pb.EventBatch, durable: int) -> list[pb.Answer]:
        answers = []
        self.largest_batch = max(self.largest_batch, sum(map(len, batch.events)))
        for sequence, event in enumerate(batch.events, batch.first_sequence):
            self.sequences[-1].append(sequence)
            self.most_under_way = max(self.most_under_way, sequence - durable)
            said = self.answer(event, sequence)
            if said is not None:
                answers.append(said)
            elif event in self.kept:
                answers.append(pb.Answer(sequence=sequence, kind=pb.ANSWER_KIND_DUPLICATE, reason="DUPLICATE"))
            else:
                self.kept.append(event)
        return answers

    async def _refuse(self, context: Any) -> None:
        if self.refusals:
            await context.abort_with_status(status_of(self.refusals.pop(0)))


async def _break(context: Any, planned: Break) -> None:
    if planned.refusal is None:
        await context.abort(grpc.StatusCode.UNAVAILABLE, "the connection breaks here")
    else:
        await context.abort_with_status(status_of(planned.refusal))


def _handlers(peer: Peer) -> dict[str, grpc.RpcMethodHandler[Any, Any]]:
    """The three methods that the peer has; every other is UNIMPLEMENTED."""
    return {
        "GetIngestPosition": grpc.unary_unary_rpc_method_handler(
            peer.get_ingest_position,
            pb.GetIngestPositionRequest.FromString,
            pb.GetIngestPositionResponse.SerializeToString,
        ),
        "SetProperty": grpc.unary_unary_rpc_method_handler(
            peer.set_property, pb.SetPropertyRequest.FromString, pb.SetPropertyResponse.SerializeToString
        ),
        "StreamRounds": grpc.stream_stream_rpc_method_handler(
            peer.stream_rounds, pb.StreamRoundsRequest.FromString, pb.StreamRoundsResponse.SerializeToString
        ),
    }


@asynccontextmanager
async def serving(peer: Peer, patience: float = 10.0) -> AsyncIterator[Casino]:
    """A client of the peer, which stands for every service."""
    server = grpc.aio.server()
    service = pb.DESCRIPTOR.services_by_name["RoundsService"].full_name
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, _handlers(peer)),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        places = dict.fromkeys(SERVICES, f"127.0.0.1:{port}")
        async with Casino(places, principal="floor", patience=patience) as casino:
            yield casino
    finally:
        await server.stop(0)
