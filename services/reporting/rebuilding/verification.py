"""Every projection is made anew from the feeds, by the follower's own code, and held against the one that stands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import asyncpg
import grpc

from casino.feeds.v1 import feeds_pb2
from services.reporting.follower import Following
from services.reporting.rebuilding import store
from services.reporting.rebuilding.replay import HEADS, Replay, projections
from services.runtime.server import Service
from services.runtime.store import Connection
from services.runtime.verification import FIRST_DIFFERENCES, Findings, patiently


async def verify_projections(service: Service, following: Following) -> list[feeds_pb2.Verification]:
    """Reads the three feeds to where they have been applied. The connection is its own, for tables are told by name."""
    connection = await asyncpg.connect(service.settings.url(service.name))
    try:
        async with connection.transaction(isolation="repeatable_read"):
            tables = await projections(connection)
            replayed, replay = Findings("reporting: followed feeds applied anew"), Replay(connection, following)
            for feed in following.feeds:
                wanted = await store.standing_cursor(connection, following.property_id, feed)
                await _replay(replay, feed, wanted, replayed)
            compared = await _compared(connection, following.property_id, tables)
            reach = await _reach(connection, following)
    finally:
        await connection.close()
    return [replayed.message(), compared, reach]


async def _replay(replay: Replay, feed: str, wanted: int, findings: Findings) -> None:
    """Applies a feed to the temporary tables up to the standing cursor; a feed that ends before it differs."""
    try:
        # A connection ends at its age: what comes after is read by another.
        await patiently(partial(_apply, replay, feed, wanted), partial(replay.position, feed))
    except Exception as problem:  # noqa: BLE001 - whatever keeps an entry from being applied is a difference, and told
        findings.differs(f"{feed} after position {replay.position(feed)} cannot be applied anew: {problem}")
    position = replay.position(feed)
    findings.expect(position >= wanted, f"cursor row {feed}: it stands at {wanted}, the feed ends at {position}")


async def _apply(replay: Replay, feed: str, wanted: int) -> None:
    async for _ in replay.run(feed, wanted):
        continue


async def _compared(connection: Connection, property_id: str, tables: Sequence[str]) -> feeds_pb2.Verification:
    findings = Findings("reporting: projections made anew from the feeds")
    for table in sorted(set(tables).difference(HEADS)):
        checked, different, first = await store.unlike(connection, table, property_id, FIRST_DIFFERENCES)
        findings.checked += checked
        findings.different += different - len(first)
        for row in first:
            findings.differs(f"{table} row {'/'.join(map(str, row.key))} {_difference(row)}")
    return findings.message()


def _difference(row: store.Unlike) -> str:
    if row.stands is None:
        return "is missing: the feeds give it"
    if row.anew is None:
        return "is extra: the feeds give none"
    told = [f"{name} is {row.stands[name]}, the feeds give {value}" for name, value in row.anew.items()]
    return "is changed: " + "; ".join(text for text, name in zip(told, row.anew, strict=True) if _other(row, name))


def _other(row: store.Unlike, name: str) -> bool:
    return bool(row.anew and row.stands and row.anew[name] != row.stands[name])


async def _reach(connection: Connection, following: Following) -> feeds_pb2.Verification:
    """No feed may be said to reach further along the rounds feed than its author has come."""
    findings = Findings("reporting: reach of the followed feeds")
    for feed, reached in sorted((await store.standing_reach(connection, following.property_id)).items()):
        try:
            cursor = await store.standing_cursor(connection, following.property_id, feed)
            author = await patiently(partial(following.author_reach, feed, cursor))
        except grpc.aio.AioRpcError as problem:
            findings.differs(f"reach row {feed}: its author does not tell how far it has come: {problem.details()}")
            continue
        findings.expect(reached <= author, f"reach row {feed}: it says {reached}, its author stands at {author}")
    return findings.message()
