"""The feeds of a property, read from a cursor: every entry once, in order, its chain verified.

The chain, as casino.feeds.v1 states it: h = the hash before the batch; if the batch begins a commit,
h = SHA-256(h, commit); then for each entry h = SHA-256(h, entry).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from google.protobuf.message import Message

from casino.feeds.v1 import feeds_pb2
from casino.progressives.v1 import entries_pb2 as progressives
from casino.progressives.v1 import progressives_service_pb2
from casino.rounds.v1 import entries_pb2 as rounds
from casino.rounds.v1 import rounds_service_pb2
from casino.settlement.v1 import entries_pb2 as settlement
from casino.settlement.v1 import settlement_service_pb2
from clients.sdk.client import Casino

GENESIS = bytes(32)
"""The hash before the first commit of every feed."""


class ChainBroken(Exception):
    """A feed's batch does not follow from what was read before; names feed, position and hashes."""


class FeedKind(NamedTuple):
    """A feed: the type of its entries and how it is opened."""

    entry: type[Message]
    open: Callable[[Casino, str, int], AsyncGenerator[Any, None]]


FEEDS: dict[str, FeedKind] = {
    "rounds": FeedKind(
        rounds.Entry,
        lambda casino, property_id, after: casino.stream(
            casino.rounds.WatchRounds,
            rounds_service_pb2.WatchRoundsRequest(property_id=property_id, after_position=after),
        ),
    ),
    "submissions": FeedKind(
        settlement.SubmissionsEntry,
        lambda casino, property_id, after: casino.stream(
            casino.settlement.WatchSubmissions,
            settlement_service_pb2.WatchSubmissionsRequest(property_id=property_id, after_position=after),
        ),
    ),
    "settlements": FeedKind(
        settlement.Entry,
        lambda casino, property_id, after: casino.stream(
            casino.settlement.WatchSettlements,
            settlement_service_pb2.WatchSettlementsRequest(property_id=property_id, after_position=after),
        ),
    ),
    "progressives": FeedKind(
        progressives.Entry,
        lambda casino, property_id, after: casino.stream(
            casino.progressives.WatchEntries,
            progressives_service_pb2.WatchEntriesRequest(property_id=property_id, after_position=after),
        ),
    ),
}
"""Every feed that can be watched, by name."""


class Entry(NamedTuple):
    """One entry: its position, its kind (the name of its body's field) and the entry itself, as its bytes."""

    position: int
    kind: str
    data: bytes
    feed: str

    @property
    def parsed(self) -> Message:
        """The whole entry, parsed."""
        return FEEDS[self.feed].entry.FromString(self.data)

    @property
    def body(self) -> Any:
        """The entry's body, parsed: a `Round`, a `SettledRound`, ..., according to `kind`."""
        return getattr(self.parsed, self.kind)


class Progress(NamedTuple):
    """The reader has everything up to `position`, the author's head.

    `upstream` is how far the author has come in each feed that it follows.
    """

    position: int
    head_hash: bytes
    upstream: dict[str, int]


@dataclass
class Chain:
    """How far a reader has come in a feed, and the hash there; None where the reader began in the middle.

    `marks`: positions whose hash is wanted, filled in as they are passed.
    """

    feed: str
    position: int = 0
    hash: bytes | None = None
    commits: int = 0
    marks: dict[int, bytes | None] = field(default_factory=dict)
    _kinds: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.position == 0:
            self.hash = GENESIS
        descriptor = FEEDS[self.feed].entry.DESCRIPTOR
        self._kinds = {each.number: each.name for each in descriptor.fields}

    def take(self, batch: feeds_pb2.FeedBatch) -> list[Entry]:
        """The entries of a batch that follows. Raises ChainBroken."""
        if batch.first_position != self.position + 1:
            self._break(f"position {self.position + 1}", f"position {batch.first_position}")
        if self.hash is not None and batch.start_hash != self.hash:
            self._break(f"hash {self.hash.hex()} before the batch", batch.start_hash.hex())
        current = self._hash(batch)
        if current != batch.head_hash:
            self._break(f"hash {current.hex()} after the batch", batch.head_hash.hex())
        found = self._entries(batch)
        self.position, self.hash = batch.first_position + len(found) - 1, current
        self.commits += bool(batch.commit)
        return found

    def check(self, progress: feeds_pb2.Progress) -> Progress:
        """Progress that says what the chain says. Raises ChainBroken."""
        if progress.head_position != self.position:
            self._break(f"a head at {self.position}", f"one at {progress.head_position}")
        if self.hash is not None and progress.head_hash != self.hash and self.position:
            self._break(f"head hash {self.hash.hex()}", progress.head_hash.hex())
        upstream = {each.feed: each.position for each in progress.upstream}
        return Progress(progress.head_position, progress.head_hash, upstream)

    def _entries(self, batch: feeds_pb2.FeedBatch) -> list[Entry]:
        if len(batch.kinds) != len(batch.entries):
            self._break(f"{len(batch.entries)} kinds", f"{len(batch.kinds)}")
        unknown = "unknown"
        return [
            Entry(position, self._kinds.get(kind, unknown), data, self.feed)
            for position, (kind, data) in enumerate(zip(batch.kinds, batch.entries, strict=True), batch.first_position)
        ]

    def _hash(self, batch: feeds_pb2.FeedBatch) -> bytes:
        current, marks = batch.start_hash, self.marks
        if batch.commit:
            current = sha256(current + batch.commit).digest()
        for position, entry in enumerate(batch.entries, batch.first_position):
            current = sha256(current + entry).digest()
            if position in marks:
                marks[position] = current
        return current

    def _break(self, expected: str, given: str) -> None:
        raise ChainBroken(f"feed {self.feed} after position {self.position}: expected {expected}, given {given}")


async def frames(
    casino: Casino, feed: str, property_id: str, chain: Chain
) -> AsyncGenerator[list[Entry] | Progress, None]:
    """The entries after where `chain` stands, those of one frame at a time, and Progress as `watch` tells it; for ever.

    `chain` is moved on with each frame. Raises as `watch`.
    """
    kind = FEEDS[feed]
    again = casino.stream_again(f"feed {feed}", lambda: kind.open(casino, property_id, chain.position))
    async with aclosing(again) as responses:
        async for response in responses:
            if response.HasField("batch"):
                yield chain.take(response.batch)
            if response.HasField("progress"):
                yield chain.check(response.progress)


async def watch(
    casino: Casino, feed: str, property_id: str, after: int = 0, chain: Chain | None = None
) -> AsyncGenerator[Entry | Progress, None]:
    """Every entry after `after`, in order, and Progress whenever there is nothing more; for ever.

    Opens the feed again from its cursor when the connection breaks. `chain`, if given, is where an earlier
    reader stopped, and is moved on. Raises RefusedByServer (after `casino.patience` seconds without progress)
    and ChainBroken.
    """
    async with aclosing(frames(casino, feed, property_id, chain or Chain(feed, after))) as found:
        async for frame in found:
            if isinstance(frame, Progress):
                yield frame
            else:
                for entry in frame:
                    yield entry


async def pages(casino: Casino, feed: str, property_id: str, chain: Chain) -> AsyncGenerator[list[Entry], None]:
    """The entries that there are now after where `chain` stands, a frame's at a time: ends at the first progress.

    Raises as `watch`.
    """
    async with aclosing(frames(casino, feed, property_id, chain)) as found:
        async for frame in found:
            if isinstance(frame, Progress):
                return
            yield frame


async def read(
    casino: Casino, feed: str, property_id: str, after: int = 0, chain: Chain | None = None
) -> AsyncGenerator[Entry, None]:
    """The entries after `after` that there are now: ends at the first progress. Raises as `watch`."""
    async with aclosing(pages(casino, feed, property_id, chain or Chain(feed, after))) as found:
        async for page in found:
            for entry in page:
                yield entry
