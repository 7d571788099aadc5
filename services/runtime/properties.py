"""Properties: every service but `rounds` learns of them from `rounds`, and serves each one it learns of."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import asyncpg
import grpc

from casino.rounds.v1 import rounds_service_pb2, rounds_service_pb2_grpc
from services.runtime import store
from services.runtime.principals import as_refusal
from services.runtime.server import Service, as_service

POLL_SECONDS = 0.5


class Properties:
    """Calls `begin` once for every property, as soon as it is known."""

    def __init__(self, service: Service, begin: Callable[[str], Awaitable[None]]) -> None:
        self._service, self._begin = service, begin
        self._begun: set[str] = set()

    async def begin_own(self) -> None:
        """Begins what this service has recorded something of: before it serves, so that nobody finds it missing.

        One that cannot be begun now is tried again by `follow`, and holds no other.
        """
        try:
            names = await self._own()
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as problem:
            self._service.log.warning("own properties not to be had; rounds will tell them", problem=str(problem))
        else:
            await self._begin_all(names)

    async def _own(self) -> set[str]:
        async with self._service.pool.acquire() as connection:
            return {row[0] for row in [*await store.heads(connection), *await store.all_cursors(connection)]}

    async def follow(self, rounds: rounds_service_pb2_grpc.RoundsServiceAsyncStub) -> None:
        """Begins every other one that `rounds` tells of, until cancelled."""
        request = rounds_service_pb2.ListPropertiesRequest()
        while True:
            try:
                answer = await rounds.ListProperties(request, metadata=as_service(self._service.name), timeout=5)
            except grpc.aio.AioRpcError as problem:
                self._service.log.info("properties not to be had; will ask again", details=problem.details())
            else:
                await self._begin_all({settings.property_id for settings in answer.properties})
            await asyncio.sleep(POLL_SECONDS)

    async def _begin_all(self, names: set[str]) -> None:
        for name in sorted(names - self._begun):
            try:
                await self._begin(name)
                self._begun.add(name)
            except Exception as problem:
                unknown = problem if as_refusal(problem) is None else None
                self._service.log.warning(
                    "a property cannot be served now; will try again", problem=str(problem), exc_info=unknown
                )
