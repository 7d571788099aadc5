"""Every projection is made anew from the feeds, by the follower's own code, and held against the one that stands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import asyncpg
import grpc

from casino.feeds.v1 import feeds_pb2
from services.reporting.follower import Following
from services.reporting.rebuilding import store
from services.runtime import store as runtime_store
from services.runtime.chains import GENESIS
from services.runtime.followers import MOST_ENTRIES, Batch, Followed
from services.runtime.server import Service
from services.runtime.store import Connection, Move
from services.runtime.verification import FIRST_DIFFERENCES, Findings

FACTS = ("document", "day_state", "filed_report", "documents_entry", "request", "seal", "record", "feed_head")
"""The tables that are no projection; every other one is made anew."""
HEADS = ("cursor", "reach")
"""Not compared with what is made anew, which reaches as far as it reads."""


class Apart:
    """Stands for the pool of connections: the one that has the temporary tables."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[Connection]:
        """The connection; it stays open."""
        yield self._connection


async def verify_projections(service: Service, following: Following) -> list[feeds_pb2.Verification]:
    """Reads the three feeds to where they have been applied. The connection is its own, for tables are told by name."""
    connection = await asyncpg.connect(service.settings.url(service.name))
    try:
        async with connection.transaction(isolation="repeatable_read"):
            tables = [each for each in await runtime_store.property_tables(connection) if each not in FACTS]
            await store.shadow(connection, tables)
            replayed = Findings("reporting: followed feeds applied anew")
            for feed in following.feeds:
                await _replay(connection, following, feed, replayed)
            projections = await _compared(connection, following.property_id, tables)
            reach = await _reach(connection, following)
    finally:
        await connection.close()
    return [replayed.message(), projections, reach]


async def _replay(connection: Connection, following: Following, feed: str, findings: Findings) -> None:
    """Applies a feed to the temporary tables up to the standing cursor; a feed that ends before it differs."""
    wanted = await store.standing_cursor(connection, following.property_id, feed)
    apart = following.apart(Apart(connection))
    position, _ = await runtime_store.load_cursor(connection, following.property_id, feed)
    try:
        async for entries in _pages(following, feed, wanted):
            move = Move(feed, position, entries[-1].position, GENESIS)
            await apart.applies[feed](Batch(entries, move, None, move.new))
            position = move.new
    except Exception as problem:  # noqa: BLE001 - whatever keeps an entry from being applied is a difference, and told
        findings.differs(f"{feed} after position {position} cannot be applied anew: {problem}")
    findings.expect(position >= wanted, f"cursor row {feed}: it stands at {wanted}, the feed ends at {position}")


async def _pages(following: Following, feed: str, wanted: int) -> AsyncIterator[list[Followed]]:
    """The entries of a feed up to a position, at most MOST_ENTRIES and one frame at a time."""
    page: list[Followed] = []
    async for frame in following.opens[feed](0):
        if frame.HasField("batch"):
            first = frame.batch.first_position
            told = zip(frame.batch.kinds, frame.batch.entries, strict=True)
            page += [Followed(first + n, kind, data) for n, (kind, data) in enumerate(told) if first + n <= wanted]
        if len(page) >= MOST_ENTRIES:
            yield page
            page = []
        if frame.HasField("progress") or frame.batch.first_position + len(frame.batch.entries) > wanted:
            break
    if page:
        yield page


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
            author = await following.author_reach(feed, cursor)
        except grpc.aio.AioRpcError as problem:
            findings.differs(f"reach row {feed}: its author does not tell how far it has come: {problem.details()}")
            continue
        findings.expect(reached <= author, f"reach row {feed}: it says {reached}, its author stands at {author}")
    return findings.message()
