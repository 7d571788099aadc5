"""Projections dropped and made anew from the first entry of every feed, in one transaction: all of it, or none."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence

import asyncpg
import grpc

from services.kernel.errors import Busy, FeedDiffers
from services.reporting.follower import Following
from services.reporting.rebuilding import store, wire
from services.reporting.rebuilding.replay import HEADS, Replay, projections
from services.reporting.rebuilding.request import Request
from services.runtime import steps
from services.runtime.server import Service
from services.runtime.store import Connection


async def rebuild(
    service: Service, following: Following, request: Request
) -> AsyncIterator[wire.Progress | wire.Rebuilt]:
    """Tells each position that a feed has come to, at last what was made; facts, heads and cursors stay.

    Followers go on until the feeds are nearly read, and wait while the last entries are and the tables change; readers
    see the former projections until the end. Raises Forbidden, InvalidRequest, RequestIdTaken, FeedDiffers,
    Busy.
    """
    request.check()
    connection = await asyncpg.connect(service.settings.url(service.name))
    try:
        async with connection.transaction():
            if not await store.begin(connection, following.property_id):
                name = following.property_id
                raise Busy(f"the projections of {name!r} are being made anew already; ask again once that has ended.")
            known = await request.write.stored(connection, wire.Rebuilt)
            if known is None:
                tables = await projections(connection)
                async for progress in _anew(connection, following):
                    yield progress
                known = await _replace(connection, following.property_id, tables, request)
        await steps.reached("reporting.rebuilding.after_commit")
    finally:
        await connection.close()
    service.log.info("projections made anew", property_id=following.property_id, by=request.by, reason=request.reason)
    yield known


async def _anew(connection: Connection, following: Following) -> AsyncIterator[wire.Progress]:
    """Everything to where the followers stand, then, with the cursors held, what they have applied meanwhile."""
    replay = Replay(connection, following)
    for held in (False, True):
        standing = await store.standing_cursors(connection, following.property_id, held=held)
        for feed in following.feeds:
            wanted, _ = standing.get(feed, (0, b""))
            async for progress in _applied(replay, feed, wanted):
                yield progress
    _expect(replay, standing)


async def _applied(replay: Replay, feed: str, wanted: int) -> AsyncIterator[wire.Progress]:
    try:
        async for position in replay.run(feed, wanted):
            yield wire.Progress(feed, position, wanted)
            await steps.reached("reporting.rebuilding.page")
    except grpc.aio.AioRpcError as problem:
        raise Busy(f"{feed} cannot be read now: {problem.details()}; nothing was changed.") from problem


def _expect(replay: Replay, standing: Mapping[str, tuple[int, bytes]]) -> None:
    """The feeds give again what was followed. Raises FeedDiffers."""
    for feed, (position, hash_) in standing.items():
        came = replay.stands.get(feed)
        if position and came != (position, hash_):
            given = f"{came[0]} with {came[1].hex()}" if came else "none"
            raise FeedDiffers(f"expected {feed} to give position {position} with hash {hash_.hex()}, given {given}")


async def _replace(connection: Connection, property_id: str, tables: Sequence[str], request: Request) -> wire.Rebuilt:
    rows = {table: await store.replace(connection, table, property_id) for table in tables if table not in HEADS}
    standing = await store.standing_cursors(connection, property_id, held=True)
    positions = {feed: position for feed, (position, _) in standing.items()}
    answer = wire.rebuilt(rows, positions, request.by, request.reason, request.now)
    await request.write.keep(connection, answer, request.now)
    await steps.reached("reporting.rebuilding.before_commit")
    return answer
