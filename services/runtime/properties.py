"""Properties: every service but `rounds` learns of them from `rounds`, and serves each one it learns of."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import grpc

from casino.rounds.v1 import rounds_service_pb2, rounds_service_pb2_grpc
from services.runtime.principals import as_refusal
from services.runtime.server import Service, as_service

POLL_SECONDS = 0.5


async def serve_properties(
    service: Service,
    rounds: rounds_service_pb2_grpc.RoundsServiceAsyncStub,
    begin: Callable[[str], Awaitable[None]],
) -> None:
    """Calls `begin` once for every property, as soon as it is known."""
    begun: set[str] = set()
    while True:
        try:
            answer = await rounds.ListProperties(
                rounds_service_pb2.ListPropertiesRequest(), metadata=as_service(service.name), timeout=5
            )
            for name in sorted({settings.property_id for settings in answer.properties} - begun):
                await begin(name)
                begun.add(name)
        except grpc.aio.AioRpcError as problem:
            service.log.info("properties not to be had; will ask again", details=problem.details())
        except Exception as problem:
            unknown = problem if as_refusal(problem) is None else None
            service.log.warning(
                "a property cannot be served now; will try again", problem=str(problem), exc_info=unknown
            )
        await asyncio.sleep(POLL_SECONDS)
