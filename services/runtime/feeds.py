"""The author's side of a feed: entries get positions and hashes, are committed, framed once and handed to watchers."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from casino.feeds.v1 import feeds_pb2
from services.kernel import errors
from services.runtime import store
from services.runtime.chains import fold
from services.runtime.store import Beside, Connection, EntryRow, Move

RING_COMMITS = 256
RING_BYTES = 64 << 20
PAGE = 2_000
# A watcher looks at the table again after so long without a word, in case another process wrote.
IDLE_SECONDS = 5.0


class HeadMoved(Exception):
    """Another writer raised this head first; load it again and rebuild."""


class EntriesMissing(errors.Precondition):
    """The head of a feed lies beyond its entries."""


class NewEntry(NamedTuple):
    """An entry that has no position yet; `kind` is the field number of its body."""

    kind: int
    gaming_day: date
    data: bytes


class Prepared(NamedTuple):
    """A commit that is computed but not written."""

    old: int
    new: int
    hash: bytes
    rows: list[EntryRow]
    frame: bytes
    upstream: dict[str, int]


class Committed(NamedTuple):
    """What a commit says of itself: its first position, how many entries it has, and when it was made."""

    first: int
    entries: int
    at: datetime


def read_commit(data: bytes) -> Committed:
    """The commit that these bytes are."""
    commit = feeds_pb2.Commit.FromString(data)
    return Committed(commit.first_position, commit.entries, commit.committed_at.ToDatetime(UTC))


def kind_of(entry: Message, name: str) -> int:
    """Field number of an entry's body."""
    return int(entry.DESCRIPTOR.fields_by_name[name].number)


class Feed:
    """One feed of one property. Writers hold `lock` from `prepare` to `publish`."""

    def __init__(
        self, name: str, property_id: str, table: str, software_version: str, partitioned: Sequence[str] = ()
    ) -> None:
        """`table` holds the entries; `partitioned` names the other tables that the same commits write."""
        self.name, self.property_id, self.table = name, property_id, table
        self._partitioned = (table, *partitioned)
        self.position, self.hash = 0, b""
        self.upstream: dict[str, int] = {}
        self.lock = asyncio.Lock()
        # How often the head was read from the database: whoever keeps more of it in memory reads that again too.
        self.loads = 0
        self._version = software_version
        self._ring: deque[tuple[int, int, bytes]] = deque()
        self._ring_bytes = 0
        self._turn = 0
        self._moved = asyncio.Condition()
        self._closed = False
        self._months: set[tuple[int, int]] = set()

    async def load(self, connection: Connection) -> None:
        """Reads head and cursors from the database and forgets the ring."""
        self.position, self.hash = await store.load_head(connection, self.property_id, self.name)
        self.upstream = await store.cursors(connection, self.property_id)
        self.loads += 1
        self._ring.clear()
        self._ring_bytes = 0
        # Another process may have written: whoever watches is told how far it is.
        self._turn += 1
        asyncio.get_running_loop().create_task(self._wake())

    def prepare(
        self, entries: Sequence[NewEntry], actor: str, at: datetime, upstream: Mapping[str, int] | None = None
    ) -> Prepared:
        """Positions, hashes and frame of the next commit; changes nothing."""
        merged = {**self.upstream, **(upstream or {})}
        if not entries:
            return Prepared(self.position, self.position, self.hash, [], b"", merged)
        commit = self._commit(len(entries), actor, at)
        hashes = fold(self.hash, commit, [entry.data for entry in entries])
        rows = [
            EntryRow(self.position + n, entry.gaming_day, entry.kind, entry.data, hash_, None)
            for n, (entry, hash_) in enumerate(zip(entries, hashes, strict=True), 1)
        ]
        rows[0] = rows[0]._replace(commit=commit)
        frame = batch_frame(rows, self.hash, merged)
        return Prepared(self.position, self.position + len(rows), hashes[-1], rows, frame, merged)

    def _commit(self, count: int, actor: str, at: datetime) -> bytes:
        stamp = Timestamp()
        stamp.FromDatetime(at)
        commit = feeds_pb2.Commit(
            first_position=self.position + 1,
            entries=count,
            actor=actor,
            software_version=self._version,
            committed_at=stamp,
        )
        return commit.SerializeToString(deterministic=True)

    async def write(
        self,
        connection: Connection,
        prepared: Prepared,
        cursors: Sequence[Move] = (),
        beside: Beside = store.NOTHING_BESIDE,
    ) -> None:
        """Raises the head and the cursors, then COPYs the entries. First in the transaction.

        Raises HeadMoved if a head or cursor does not stand where this writer last saw it.
        """
        # Named even where it goes nowhere: who has nothing to write may have decided so on what another overtook.
        heads = [Move(self.name, prepared.old, prepared.new, prepared.hash)]
        moved = await store.advance(connection, self.property_id, heads, cursors, beside)
        if moved != (len(heads), len(cursors)):
            raise HeadMoved(f"{self.property_id}/{self.name} is no longer at {prepared.old}")
        if prepared.rows:
            await self._ensure_months(connection, {row.gaming_day for row in prepared.rows})
            await store.add_entries(connection, self.table, self.property_id, prepared.rows)

    async def _ensure_months(self, connection: Connection, days: set[date]) -> None:
        """Makes partitions on the first sight of a month; a rolled-back attempt is made again next time."""
        missing = [day for day in days if (day.year, day.month) not in self._months]
        if missing:
            await store.ensure_partitions(connection, self._partitioned, missing)

    def publish(self, prepared: Prepared) -> None:
        """After commit: moves the head in memory and wakes the watchers."""
        self.position, self.hash, self.upstream = prepared.new, prepared.hash, prepared.upstream
        self._months |= {(day.year, day.month) for day in {row.gaming_day for row in prepared.rows}}
        if prepared.rows:
            self._remember(prepared.old + 1, prepared.new, prepared.frame)
        self._turn += 1
        asyncio.get_running_loop().create_task(self._wake())

    def _remember(self, first: int, last: int, frame: bytes) -> None:
        self._ring.append((first, last, frame))
        self._ring_bytes += len(frame)
        while len(self._ring) > RING_COMMITS or self._ring_bytes > RING_BYTES:
            self._ring_bytes -= len(self._ring.popleft()[2])

    async def close(self) -> None:
        """Ends every watcher, so that it looks for the feed again."""
        self._closed = True
        self._turn += 1
        await self._wake()

    async def _wake(self) -> None:
        async with self._moved:
            self._moved.notify_all()

    async def wait_beyond(self, position: int) -> None:
        """Returns once the head lies beyond `position`."""
        async with self._moved:
            await self._moved.wait_for(lambda: self.position > position)

    async def frames(self, pool: store.Pool, after: int) -> AsyncIterator[bytes]:
        """Serialised watch responses from a cursor on, for ever: batches, and progress whenever the reader has all."""
        position, told = after, -1
        while not self._closed:
            turn = self._turn
            recent = self._recent(position)
            if recent is not None:
                position, frame = recent
                yield frame
            elif position < self.position:
                before = position
                async for last, frame in self._stored(pool, position):
                    position = last
                    yield frame
                if position == before:
                    raise EntriesMissing(f"{self.name}: the head says {self.position}, the entries end at {position}")
            elif turn != told:
                told = turn
                yield progress_frame(self.position, self.hash, self.upstream)
            else:
                await self._next_turn(pool, turn)
        raise errors.Busy(f"The author of {self.name} is stopping; watch again from the last position.")

    def _recent(self, position: int) -> tuple[int, bytes] | None:
        """The frame after a position, if the ring has it. One at a time: a slow reader keeps none of the others."""
        for first, last, frame in reversed(self._ring):
            if first == position + 1:
                return last, frame
            if first <= position:
                break
        return None

    async def _next_turn(self, pool: store.Pool, turn: int) -> None:
        try:
            async with asyncio.timeout(IDLE_SECONDS), self._moved:
                await self._moved.wait_for(lambda: self._turn != turn)
        except TimeoutError:
            await self._look_again(pool)

    async def _look_again(self, pool: store.Pool) -> None:
        if self.lock.locked():
            return
        async with self.lock, pool.acquire() as connection:
            head = await store.load_head(connection, self.property_id, self.name)
            if head[0] != self.position:
                await self.load(connection)

    async def _stored(self, pool: store.Pool, after: int) -> AsyncIterator[tuple[int, bytes]]:
        async with pool.acquire() as connection:
            rows = await store.entries_after(connection, self.table, self.property_id, after, PAGE)
            start = await store.hash_at(connection, self.table, self.property_id, after)
        for group in _by_commit(rows):
            yield group[-1].position, batch_frame(group, start, {})
            start = group[-1].hash


def _by_commit(rows: Sequence[EntryRow]) -> list[list[EntryRow]]:
    groups: list[list[EntryRow]] = []
    for row in rows:
        if row.commit or not groups:
            groups.append([])
        groups[-1].append(row)
    return groups


def batch_frame(rows: Sequence[EntryRow], start: bytes, upstream: Mapping[str, int]) -> bytes:
    """A watch response with one batch: field 1 of every feed's response."""
    batch = feeds_pb2.FeedBatch(
        first_position=rows[0].position,
        entries=[row.entry for row in rows],
        kinds=[row.kind for row in rows],
        start_hash=start,
        commit=rows[0].commit or b"",
        head_hash=rows[-1].hash,
        upstream=_upstream(upstream),
    )
    return field(1, batch.SerializeToString())


def progress_frame(position: int, hash_: bytes, upstream: Mapping[str, int]) -> bytes:
    """A watch response with progress, field 2 in every feed's response."""
    progress = feeds_pb2.Progress(head_position=position, head_hash=hash_, upstream=_upstream(upstream))
    return field(2, progress.SerializeToString())


def _upstream(upstream: Mapping[str, int]) -> list[feeds_pb2.UpstreamCursor]:
    return [feeds_pb2.UpstreamCursor(feed=feed, position=at) for feed, at in sorted(upstream.items())]


def field(number: int, data: bytes) -> bytes:
    """A length-delimited protobuf field; its number is at most 15, so that it fits one byte with the wire type."""
    size, varint = len(data), bytearray()
    while size > 0x7F:
        varint.append(size & 0x7F | 0x80)
        size >>= 7
    varint.append(size)
    return bytes((number << 3 | 2,)) + bytes(varint) + data
