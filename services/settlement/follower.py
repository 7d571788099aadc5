"""Follows the rounds feed of one property."""

from collections.abc import Awaitable
from typing import Any

from casino.rounds.v1 import rounds_service_pb2, rounds_service_pb2_grpc
from services.runtime import store
from services.runtime.followers import Batch, Follower
from services.runtime.server import Service, as_service
from services.settlement import operations

ROUNDS = "rounds"


def follower(
    service: Service,
    rounds: "rounds_service_pb2_grpc.RoundsServiceAsyncStub",
    office: operations.Office,
    settler: operations.Settler,
) -> Follower:
    """The follower that settles a property's rounds; a batch and its cursor in one transaction."""
    property_id = settler.feed.property_id

    def open_stream(after: int) -> Any:
        request = rounds_service_pb2.WatchRoundsRequest(property_id=property_id, after_position=after)
        return rounds.WatchRounds(request, metadata=as_service(service.name))

    async def cursor() -> tuple[int, bytes]:
        # Asked at the start and after any trouble, when a commit may have happened unseen: so is the head.
        await operations.reload(office, settler.feed)
        settler.begin()
        async with office.pool.acquire() as connection:
            return await store.load_cursor(connection, property_id, ROUNDS)

    async def apply(batch: Batch) -> Awaitable[None] | None:
        if batch.move.new == batch.move.old:
            return None
        return await settler.take(batch.entries, batch.move)

    return Follower(
        ROUNDS, property_id, open_stream, cursor, apply, service.log, service.metrics, service.seal_at_cut_over
    )
