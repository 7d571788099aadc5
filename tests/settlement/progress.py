"""A progressives service on a free port that has nothing to tell but how far it has followed rounds."""

from collections.abc import AsyncIterator
from typing import Any

import grpc

from casino.progressives.v1 import progressives_service_pb2 as pb
from tests.reporting.upstream import Played


class Progressives:
    """Its feed of one property, without an entry."""

    def __init__(self, property_id: str) -> None:
        self.property_id = property_id
        self._played = Played("progressives")
        self._server = grpc.aio.server()
        self.port = 0

    async def start(self) -> None:
        handler: grpc.RpcMethodHandler[Any, Any] = grpc.unary_stream_rpc_method_handler(
            self._frames, request_deserializer=pb.WatchEntriesRequest.FromString
        )
        name = pb.DESCRIPTOR.services_by_name["ProgressivesService"].full_name
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, {"WatchEntries": handler}),))
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        await self._server.start()

    async def stop(self) -> None:
        await self._server.stop(0)

    async def reach(self, rounds_position: int) -> None:
        """Says that it has followed rounds to a position."""
        await self._played.commit(rounds=rounds_position)

    async def _frames(self, asked: Any, context: Any) -> AsyncIterator[bytes]:
        async for frame in self._played.frames(asked.after_position):
            yield frame
