"""Feeds: gap-free positions in commit order, whoever writes; readers that miss nothing."""

import asyncio
import random
from datetime import UTC, date, datetime

import asyncpg
import pytest

from casino.feeds.v1 import feeds_pb2
from casino.rounds.v1 import rounds_service_pb2
from services.runtime import store, verification
from services.runtime.chains import GENESIS, fold
from services.runtime.feeds import Feed, HeadMoved, NewEntry
from tests.databases import Database

PROPERTY, DAY, NOW = "HARBOR", date(2026, 3, 2), datetime(2026, 3, 2, 12, tzinfo=UTC)
WRITERS, COMMITS = 8, 40


def feed() -> Feed:
    """One process's view of the feed that all of them write."""
    return Feed("rounds", PROPERTY, "rounds_entry", "test")


async def commit(pool: store.Pool, feed: Feed, entries: list[NewEntry]) -> None:
    """Writes one commit, again from the new head for as long as another writer is first."""
    async with feed.lock:
        while True:
            prepared = feed.prepare(entries, "writer", NOW)
            try:
                async with pool.acquire() as connection, connection.transaction():
                    await feed.write(connection, prepared)
            except HeadMoved:
                async with pool.acquire() as connection:
                    await feed.load(connection)
            else:
                feed.publish(prepared)
                return


async def write(pool: store.Pool, writer: int) -> None:
    """Many commits of one to four entries, each entry saying who wrote it and as which of its own."""
    own, number = feed(), 0
    async with pool.acquire() as connection:
        await own.load(connection)
    chance = random.Random(writer)
    for _ in range(COMMITS):
        entries = []
        for _ in range(chance.randint(1, 4)):
            number += 1
            entries.append(NewEntry(1, DAY, f"{writer}:{number}".encode()))
        await commit(pool, own, entries)


async def read(pool: store.Pool, after: int, seed: int, until: asyncio.Event) -> list[tuple[int, bytes]]:
    """A reader that begins at a cursor, stops and resumes at random, and reads until the writers are done."""
    chance, seen, cursor, hash_ = random.Random(seed), [], after, b""
    while True:
        done = until.is_set()
        own = feed()
        async with pool.acquire() as connection:
            await own.load(connection)
            hash_ = hash_ or await store.hash_at(connection, "rounds_entry", PROPERTY, cursor)
        async for frame in own.frames(pool, cursor):
            response = rounds_service_pb2.WatchRoundsResponse.FromString(frame)
            if response.HasField("progress"):
                break
            hash_ = folded(response.batch, hash_)
            for data in response.batch.entries:
                cursor += 1
                seen.append((cursor, data))
            if chance.random() < 0.3:
                break
        else:
            raise AssertionError("a feed never ends")
        if done and own.position == cursor:
            return seen
        await asyncio.sleep(0)


def folded(batch: feeds_pb2.FeedBatch, hash_: bytes) -> bytes:
    """The hash after a batch, which continues the chain of what was read before."""
    assert batch.start_hash == hash_
    end = fold(batch.start_hash, batch.commit, batch.entries)[-1]
    assert end == batch.head_hash
    return end


async def test_eight_writers_contend_and_every_reader_sees_each_row_exactly_once(database: Database) -> None:
    """Positions are dense and in commit order; a reader misses nothing and sees nothing twice."""
    done = asyncio.Event()
    async with asyncpg.create_pool(database.url("rounds"), min_size=4, max_size=20) as pool:
        async with pool.acquire() as connection:
            await feed().load(connection)
        readers = [asyncio.create_task(read(pool, 0, seed, done)) for seed in range(4)]
        await asyncio.gather(*(write(pool, writer) for writer in range(WRITERS)))
        late = asyncio.create_task(read(pool, 57, 99, done))
        done.set()
        seen = [await reader for reader in readers]
        late_seen = await late
        rows = await pool.fetch("select position, entry from rounds_entry order by position")
    stored = [(row["position"], row["entry"]) for row in rows]
    assert [position for position, _ in stored] == list(range(1, len(stored) + 1))
    assert all(one == stored for one in seen)
    assert late_seen == stored[57:]
    for writer in range(WRITERS):
        own = [int(data.split(b":")[1]) for _, data in stored if data.startswith(b"%d:" % writer)]
        assert own == list(range(1, len(own) + 1))
        assert len(own) >= COMMITS


async def test_a_rolled_back_commit_leaves_no_hole(database: Database) -> None:
    """A position belongs to what was committed; what failed before it takes none."""
    async with asyncpg.create_pool(database.url("rounds"), min_size=1, max_size=3) as pool:
        own = feed()
        async with pool.acquire() as connection:
            await own.load(connection)
        lost = own.prepare([NewEntry(1, DAY, b"lost")], "writer", NOW)
        try:
            async with pool.acquire() as connection, connection.transaction():
                await own.write(connection, lost)
                raise ConnectionError("the machine stopped")
        except ConnectionError:
            pass
        await commit(pool, own, [NewEntry(1, DAY, b"kept")])
        async with pool.acquire() as connection:
            rows = await store.entries_after(connection, "rounds_entry", PROPERTY, 0, 10)
    assert [(row.position, row.entry) for row in rows] == [(1, b"kept")]
    assert rows[0].hash == fold(GENESIS, rows[0].commit or b"", [b"kept"])[0]


async def test_a_month_without_a_partition_is_made_on_its_first_miss(database: Database) -> None:
    """A day far beyond the months made ahead is written all the same."""
    async with asyncpg.create_pool(database.url("rounds"), min_size=1, max_size=3) as pool:
        own = feed()
        async with pool.acquire() as connection:
            await own.load(connection)
        await commit(pool, own, [NewEntry(1, date(2031, 7, 4), b"far"), NewEntry(1, DAY, b"near")])
        async with pool.acquire() as connection:
            rows = await store.entries_after(connection, "rounds_entry", PROPERTY, 0, 10)
    assert [row.entry for row in rows] == [b"far", b"near"]


async def test_a_copy_beside_the_last_entry_of_a_page_is_seen(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two entries may share a position where their days differ: the second is read by the page that comes after."""
    monkeypatch.setattr(verification, "PAGE", 2)
    async with asyncpg.create_pool(database.url("rounds"), min_size=1, max_size=3) as pool:
        own = feed()
        async with pool.acquire() as connection:
            await own.load(connection)
        await commit(pool, own, [NewEntry(1, DAY, b"%d" % number) for number in range(1, 5)])
        clean = await verification.verify_feed(pool, "rounds", own, lambda row: (row.kind, row.gaming_day))
        await pool.execute(
            "insert into rounds_entry select property_id, position, gaming_day + 1, kind, entry, hash from rounds_entry"
            " where position = 2"
        )
        found = await verification.verify_feed(pool, "rounds", own, lambda row: (row.kind, row.gaming_day))
    assert (clean.checked, clean.different) == (4, 0)
    assert "rounds position 2: expected position 3" in found.differences
