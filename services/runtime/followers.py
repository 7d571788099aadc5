"""The reader's side of a feed: takes what waits, applies it together with the cursor, and never skips."""

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import grpc

from casino.feeds.v1 import feeds_pb2
from services.runtime.chains import fold
from services.runtime.logs import Log
from services.runtime.metrics import Lag, Metrics
from services.runtime.principals import as_refusal
from services.runtime.store import Move

MOST_ENTRIES = 2_000
WAITING_FRAMES = 64
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0


_new = tuple.__new__


class ChainBroken(Exception):
    """The author's bytes do not fold to the author's hash, or a position is missing."""


class Followed(NamedTuple):
    """An entry as it came."""

    position: int
    kind: int
    data: bytes


class Batch(NamedTuple):
    """What waits of a feed: entries, the cursor's move, and the author's own cursors where it told them.

    `commits`: the first position of each part that came with one commit, and the commit's bytes.
    """

    entries: list[Followed]
    move: Move
    upstream: dict[str, int] | None
    # The head that the author named with `upstream`.
    head: int
    commits: Sequence[tuple[int, bytes]] = ()

    def commit_of(self, position: int) -> feeds_pb2.Commit:
        """Who entered the entry at a position of this batch, when and with what."""
        place = bisect_right(self.commits, position, key=itemgetter(0)) - 1
        return feeds_pb2.Commit.FromString(self.commits[place][1])


OpenStream = Callable[[int], Any]
"""The call that reads a feed from a position on."""
Apply = Callable[[Batch], Awaitable[Awaitable[None] | None]]
"""Takes a batch. If it answers anything, the batch is on disk only once that has ended; the next is taken meanwhile."""
Applied = Callable[[Batch], None]
Cursor = Callable[[], Awaitable[tuple[int, bytes]]]


class Follower:
    """Follows one feed of one property until it is stopped."""

    def __init__(
        self,
        feed: str,
        property_id: str,
        open_stream: OpenStream,
        cursor: Cursor,
        apply: Apply,
        log: Log,
        metrics: Metrics,
        applied: Applied | None = None,
    ) -> None:
        """`applied` is told of every batch once it is on disk."""
        self.feed, self.property_id = feed, property_id
        self._open, self._cursor, self._apply = open_stream, cursor, apply
        self._log = log.bind(feed=feed, property_id=property_id)
        self._metrics = metrics
        self._told = applied
        self._lag = Lag()
        metrics.observe_lag(property_id, feed, self._lag)

    async def run(self) -> None:
        """Follows for ever; any trouble is logged, and the feed is opened again from the stored cursor."""
        pause = FIRST_PAUSE
        while True:
            try:
                async for _ in self._applied():
                    pause = FIRST_PAUSE
            except Exception as problem:  # noqa: BLE001 - logged; the feed is tried again, nothing is skipped
                self._trouble(problem)
            self._metrics.retries.labels(f"follow {self.feed}").inc()
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    def _trouble(self, problem: Exception) -> None:
        if isinstance(problem, grpc.aio.AioRpcError) and problem.code() is grpc.StatusCode.UNAVAILABLE:
            self._log.info("feed unavailable; will try again", details=problem.details())
        elif refusal := as_refusal(problem):
            self._log.warning("cannot apply now; will try again", reason=refusal.reason, message=str(problem))
        else:
            self._log.error("feed cannot be applied; will try again", exc_info=problem)

    async def _applied(self) -> AsyncIterator[int]:
        position, hash_ = await self._cursor()
        self._lag.applied(position)
        waiting: asyncio.Queue[Any] = asyncio.Queue(WAITING_FRAMES)
        reader = asyncio.create_task(self._read(position, waiting))
        under_way: tuple[asyncio.Future[None], Batch] | None = None
        try:
            while True:
                if under_way and waiting.empty():
                    yield await self._landed(*under_way)
                    under_way = None
                batch = self._batch(await _take(waiting), position, hash_)
                position, hash_ = batch.move.new, batch.move.hash
                begun = await self._apply(batch)
                if under_way:
                    yield await self._landed(*under_way)
                    under_way = None
                if begun is None:
                    yield self._on_disk(batch)
                else:
                    under_way = asyncio.ensure_future(begun), batch
        finally:
            left = [reader, *(under_way or ())[:1]]
            for each in left:
                each.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    async def _landed(self, begun: asyncio.Future[None], batch: Batch) -> int:
        await begun
        return self._on_disk(batch)

    def _on_disk(self, batch: Batch) -> int:
        """Counts and tells a batch that is on disk; its last position."""
        self._count(batch)
        if self._told:
            self._told(batch)
        return batch.move.new

    async def _read(self, position: int, waiting: asyncio.Queue[Any]) -> None:
        try:
            stream = self._open(position)
            try:
                async for response in stream:
                    self._lag.heard(_head(response))
                    await waiting.put(response)
            finally:
                # Whoever is stopped while the queue is full has left the stream open: its author would serve on.
                stream.cancel()
            await waiting.put(ConnectionResetError(f"{self.feed} ended"))
        except Exception as problem:  # noqa: BLE001 - raised again by the taker
            await waiting.put(problem)

    def _batch(self, frames: list[Any], position: int, hash_: bytes) -> Batch:
        entries: list[Followed] = []
        commits: list[tuple[int, bytes]] = []
        upstream, head, old = None, position, position
        for frame in frames:
            if frame.HasField("batch"):
                hash_ = _checked(frame.batch, position, hash_)
                first = frame.batch.first_position
                placed = range(first, first + len(frame.batch.entries))
                # The class's own constructors are a call more for every entry.
                entries += [
                    _new(Followed, each) for each in zip(placed, frame.batch.kinds, frame.batch.entries, strict=True)
                ]
                commits.append((first, frame.batch.commit))
                position = entries[-1].position
                upstream, head = _upstream(frame.batch.upstream) or upstream, position
            else:
                upstream, head = _upstream(frame.progress.upstream), frame.progress.head_position
        return Batch(entries, Move(self.feed, old, position, hash_), upstream, head, commits)

    def _count(self, batch: Batch) -> None:
        self._metrics.followed.labels(self.property_id, self.feed).inc(len(batch.entries))
        self._lag.applied(batch.move.new)


async def _take(waiting: asyncio.Queue[Any]) -> list[Any]:
    """Everything that waits, up to the most entries that one transaction should hold."""
    frames = [await waiting.get()]
    size = _entries(frames[0])
    while size < MOST_ENTRIES and not waiting.empty():
        frames.append(waiting.get_nowait())
        size += _entries(frames[-1])
    problems = [frame for frame in frames if isinstance(frame, Exception)]
    whole = [frame for frame in frames if not isinstance(frame, Exception)]
    if problems and whole:
        # What came before the trouble is applied first; the trouble is met on the next turn.
        waiting.put_nowait(problems[0])
        return whole
    if problems:
        raise problems[0]
    return whole


def _head(frame: Any) -> int:
    """The author's head as far as a frame tells."""
    if frame.HasField("batch"):
        return int(frame.batch.first_position) + len(frame.batch.entries) - 1
    return int(frame.progress.head_position)


def _entries(frame: Any) -> int:
    return 0 if isinstance(frame, Exception) else len(frame.batch.entries)


def _checked(batch: feeds_pb2.FeedBatch, position: int, hash_: bytes) -> bytes:
    """The hash after the batch; ChainBroken if it does not follow on from what was applied before."""
    if batch.first_position != position + 1:
        raise ChainBroken(f"expected position {position + 1}, got {batch.first_position}")
    if batch.start_hash != hash_:
        raise ChainBroken(f"the chain before position {batch.first_position} is not the one applied here")
    folded = fold(batch.start_hash, batch.commit, batch.entries)[-1]
    if folded != batch.head_hash:
        raise ChainBroken(f"entries from {batch.first_position} do not fold to the hash that came with them")
    return folded


def _upstream(cursors: Any) -> dict[str, int] | None:
    return {cursor.feed: cursor.position for cursor in cursors} or None
