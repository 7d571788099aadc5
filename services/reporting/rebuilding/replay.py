"""Feeds applied anew from their beginning, by the follower's own code, to temporary tables of one connection."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from services.reporting.follower import Following
from services.reporting.rebuilding import store
from services.runtime import store as runtime_store
from services.runtime.chains import GENESIS, fold
from services.runtime.followers import Batch, Followed
from services.runtime.store import Connection, Move

FACTS = ("document", "day_state", "filed_report", "documents_entry", "request", "seal", "record", "feed_head")
"""The tables that are no projection; every other one is made anew."""
HEADS = ("cursor", "reach")
"""What says how far the feeds were followed: not made anew with what is read of them."""


PAGE_ENTRIES = 50_000
"""Entries that are applied at once. Every sum is written again for each page, and within one transaction Postgres keeps
what it was before: with small pages a day of millions of rounds would wade through thousands of versions of each."""


class Apart:
    """Stands for the pool of connections: the one that has the temporary tables."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[Connection]:
        """The connection; it stays open."""
        yield self._connection


class Page(NamedTuple):
    """Entries of a feed in order, at least one, the hash of the chain after them, and what they were entered with."""

    entries: list[Followed]
    hash: bytes
    commits: list[tuple[int, bytes]]


class Replay:
    """The feeds of one property on their way anew; `stands`: position and hash that each has come to."""

    def __init__(self, connection: Connection, following: Following) -> None:
        """Empty temporary tables must lie before the projections in the connection's search path."""
        self._following, self._apart = following, following.apart(Apart(connection))
        self._connection = connection
        self.stands: dict[str, tuple[int, bytes]] = {}

    def position(self, feed: str) -> int:
        """How far a feed has been applied."""
        return self.stands.get(feed, (0, GENESIS))[0]

    async def run(self, feed: str, wanted: int) -> AsyncIterator[int]:
        """Applies a feed up to a position, or to its end if that comes before; tells each position it comes to."""
        position, hash_ = self.stands.get(feed, (0, GENESIS))
        if position == 0:
            await runtime_store.load_cursor(self._connection, self._following.property_id, feed)
        async for page in self._pages(feed, position, hash_, wanted):
            move = Move(feed, position, page.entries[-1].position, page.hash)
            await self._apart.applies[feed](Batch(page.entries, move, None, move.new, page.commits))
            position, hash_ = move.new, move.hash
            self.stands[feed] = position, hash_
            yield position

    async def _pages(self, feed: str, after: int, hash_: bytes, wanted: int) -> AsyncIterator[Page]:
        """At most PAGE_ENTRIES and one frame at a time."""
        entries: list[Followed] = []
        commits: list[tuple[int, bytes]] = []
        if after >= wanted:
            return
        async for batch in self._batches(feed, after, wanted):
            told = list(batch.entries)[: wanted - batch.first_position + 1]
            hash_ = fold(hash_, batch.commit, told)[-1]
            placed = enumerate(zip(list(batch.kinds)[: len(told)], told, strict=True), batch.first_position)
            entries += [Followed(position, *each) for position, each in placed]
            commits.append((batch.first_position, batch.commit))
            if len(entries) >= PAGE_ENTRIES:
                yield Page(entries, hash_, commits)
                entries, commits = [], []
        if entries:
            yield Page(entries, hash_, commits)

    async def _batches(self, feed: str, after: int, wanted: int) -> AsyncIterator[Any]:
        """The batches of a feed up to the one with a position, or to its end if that comes before."""
        stream = self._following.opens[feed](after)
        try:
            async for frame in stream:
                if frame.HasField("progress"):
                    return
                yield frame.batch
                if frame.batch.first_position + len(frame.batch.entries) > wanted:
                    return
        finally:
            stream.cancel()


async def projections(connection: Connection) -> Sequence[str]:
    """The tables that are made anew, heads among them; temporary ones of their names are made, empty."""
    found = [each for each in await runtime_store.property_tables(connection) if each not in FACTS]
    await store.shadow(connection, found)
    return found
