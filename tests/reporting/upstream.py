"""The services that reporting follows, as far as it asks them: a real gRPC server that plays back what a test says."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

import grpc
from google.protobuf.message import Message

from casino.progressives.v1 import progressives_service_pb2 as progressives
from casino.rounds.v1 import entries_pb2 as rounds_entries
from casino.rounds.v1 import rounds_service_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement_entries
from casino.settlement.v1 import settlement_service_pb2 as settlement
from services.runtime.chains import GENESIS
from services.runtime.feeds import Feed, NewEntry, Prepared, kind_of, progress_frame
from tests.reporting.builders import DAY, NOON

PROPERTY = "SAMPLE"


class Played:
    """One feed: commits in order, then progress as often as it is told."""

    def __init__(self, name: str) -> None:
        self._feed = Feed(name, PROPERTY, f"{name}_entry", "test")
        self._feed.hash = GENESIS
        self._commits: list[Prepared] = []
        self._changed = asyncio.Condition()
        self._turn = 0

    async def commit(self, entries: Sequence[Message] = (), **upstream: int) -> None:
        """One commit of these entries, its author standing at these cursors; or progress without an entry."""
        rows = [
            NewEntry(kind_of(entry, str(entry.WhichOneof("body"))), DAY, entry.SerializeToString()) for entry in entries
        ]
        prepared = self._feed.prepare(rows, "author", NOON, upstream)
        self._feed.publish(prepared)
        async with self._changed:
            self._commits += [prepared] if rows else []
            self._turn += 1
            self._changed.notify_all()

    async def frames(self, after: int) -> AsyncIterator[bytes]:
        """What a watcher gets from a cursor on."""
        sent, told = sum(commit.new <= after for commit in self._commits), -1
        while True:
            while sent < len(self._commits):
                sent += 1
                yield self._commits[sent - 1].frame
            if told != self._turn:
                told = self._turn
                yield progress_frame(self._feed.position, self._feed.hash, self._feed.upstream)
            else:
                await self._beyond(told)

    async def _beyond(self, turn: int) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._turn != turn)


class Upstream:
    """Rounds, settlement and progressives of one property behind one port."""

    def __init__(self) -> None:
        self.rounds, self.settlements = Played("rounds"), Played("settlements")
        self.progressives, self.submissions = Played("progressives"), Played("submissions")
        self.settled: dict[bytes, list[settlement_entries.SettledRound]] = {}
        self.port = 0
        self._server = grpc.aio.server()

    async def start(self) -> None:
        """Serves on a free port."""
        self._serve(
            "casino.rounds.v1.RoundsService",
            ListProperties=_unary(rounds.ListPropertiesRequest, self._list_properties),
            WatchRounds=_frames(rounds.WatchRoundsRequest, self.rounds),
        )
        self._serve(
            "casino.settlement.v1.SettlementService",
            GetSettlement=_unary(settlement.GetSettlementRequest, self._get_settlement),
            WatchSubmissions=_frames(settlement.WatchSubmissionsRequest, self.submissions),
            WatchSettlements=_frames(settlement.WatchSettlementsRequest, self.settlements),
        )
        self._serve(
            "casino.progressives.v1.ProgressivesService",
            WatchEntries=_frames(progressives.WatchEntriesRequest, self.progressives),
        )
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        await self._server.start()

    async def stop(self) -> None:
        """Ends every stream."""
        await self._server.stop(0)

    def _serve(self, service: str, **methods: Any) -> None:
        handler = grpc.method_handlers_generic_handler(service, methods)
        self._server.add_generic_rpc_handlers((handler,))

    async def _list_properties(
        self, request: rounds.ListPropertiesRequest, context: object
    ) -> rounds.ListPropertiesResponse:
        return rounds.ListPropertiesResponse(properties=[rounds_entries.PropertySettings(property_id=PROPERTY)])

    async def _get_settlement(
        self, request: settlement.GetSettlementRequest, context: object
    ) -> settlement.GetSettlementResponse:
        found = self.settled.get(request.key.SerializeToString(deterministic=True), [])
        return settlement.GetSettlementResponse(settlements=found)

    async def settle(self, *settled: settlement_entries.SettledRound, **upstream: int) -> None:
        """Settlements in one commit, kept for whoever asks for a round."""
        for each in settled:
            self.settled.setdefault(each.key.SerializeToString(deterministic=True), []).append(each)
        await self.settlements.commit([settlement_entries.Entry(settled=each) for each in settled], **upstream)


def _unary(request: type[Message], behaviour: Callable[..., Any]) -> Any:
    return grpc.unary_unary_rpc_method_handler(
        behaviour,
        request_deserializer=request.FromString,
        response_serializer=lambda message: bytes(message.SerializeToString()),
    )


def _frames(request: type[Message], played: Played) -> Any:
    async def watch(asked: Any, context: object) -> AsyncIterator[bytes]:
        async for frame in played.frames(asked.after_position):
            yield frame

    return grpc.unary_stream_rpc_method_handler(watch, request_deserializer=request.FromString)


def environment(upstream: Upstream, url: str, home: str) -> Mapping[str, str]:
    """The settings of a reporting service that follows this upstream, on free ports."""
    address = f"127.0.0.1:{upstream.port}"
    return {
        "CASINO_HOME": home,
        "CASINO_REPORTING_DATABASE_URL": url,
        "CASINO_REPORTING_ADDRESS": "127.0.0.1:0",
        "CASINO_REPORTING_METRICS_PORT": "0",
        "CASINO_ROUNDS_ADDRESS": address,
        "CASINO_SETTLEMENT_ADDRESS": address,
        "CASINO_PROGRESSIVES_ADDRESS": address,
    }
