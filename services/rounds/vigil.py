"""The vigil over a property's sources: which of them streams, who takes over from whom, who is silent, what is missing.

It is kept in memory alone: of a source that has not spoken since the process started nothing is expected. Times are
of the monotonic clock, in seconds.
"""

import time
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from services.kernel import errors


class State(Enum):
    """Of a source; SILENT and GAP are degraded."""

    IDLE = "idle"
    STREAMING = "streaming"
    SILENT = "silent"
    GAP = "gap"


class Stream(Protocol):
    """An open stream of a source."""

    epoch: int

    @property
    def under_way(self) -> int:
        """Events received and not acknowledged."""

    def end(self, refusal: errors.Refusal) -> None:
        """Ends it with a refusal."""


class Seen(NamedTuple):
    """What is known of one source; `silent` in whole seconds since its last message."""

    state: State
    silent: int
    tables: tuple[str, ...]
    last_sequence: int
    missing: tuple[int, int]
    under_way: int


UNSEEN = Seen(State.IDLE, 0, (), 0, (0, 0), 0)


class _Watched:
    """One source since it first spoke to this process."""

    def __init__(self) -> None:
        self.spoke = time.monotonic()
        self.stream: Stream | None = None
        # It has begun a stream and has not ended it of its own accord.
        self.expected = False
        self.tables: set[str] = set()
        self.last = 0
        self.missing: tuple[int, int] = (0, 0)
        self.missing_since = 0.0


class Vigil:
    """Over the sources of one property."""

    def __init__(self, limit_seconds: int) -> None:
        self._limit = limit_seconds
        self._watched: dict[str, _Watched] = {}

    @property
    def streams(self) -> list[Stream]:
        """Those that are open."""
        return [each.stream for each in self._watched.values() if each.stream is not None]

    def begin(self, source_id: str, stream: Stream) -> None:
        """A stream has said hello: it takes over from an open one of the same source, also of the same epoch."""
        watched = self._watched.setdefault(source_id, _Watched())
        self._take_over(source_id, watched, stream.epoch)
        watched.stream, watched.expected, watched.spoke = stream, True, time.monotonic()
        watched.tables, watched.last, watched.missing = set(), 0, (0, 0)

    def fence(self, source_id: str, epoch: int) -> None:
        """The source speaks in this epoch by another call: an open stream of an earlier one ends."""
        watched = self._watched.get(source_id)
        if watched is not None and watched.stream is not None and watched.stream.epoch < epoch:
            self._take_over(source_id, watched, epoch)
            # Nobody can tell when a source that makes single calls has finished.
            watched.expected = False

    def _take_over(self, source_id: str, watched: _Watched, epoch: int) -> None:
        before, watched.stream = watched.stream, None
        if before is not None:
            before.end(
                errors.EpochStale(
                    f"Expected epoch {epoch + (before.epoch == epoch)} or later of source {source_id}, got"
                    f" {before.epoch}: another stream has taken over."
                )
            )

    def spoke(self, source_id: str) -> None:
        """A message has come."""
        if source_id in self._watched:
            self._watched[source_id].spoke = time.monotonic()

    def end(self, source_id: str, stream: Stream, farewell: bool) -> None:
        """A stream is over; with a farewell nothing more is expected of its source."""
        watched = self._watched[source_id]
        if watched.stream is stream:
            watched.stream = None
            watched.expected = watched.expected and not farewell

    def arrived(
        self, source_id: str, durable: int, last: int, missing: Sequence[tuple[int, int]], tables: Iterable[str]
    ) -> None:
        """What a message of the source came to: `missing` are the ranges that its answers named."""
        watched = self._watched.get(source_id)
        if watched is None:
            return
        watched.tables.update(tables)
        watched.last = max(watched.last, last)
        if missing:
            if watched.missing == (0, 0):
                watched.missing_since = time.monotonic()
            watched.missing = (durable + 1, max(last for _, last in missing))
        elif durable >= watched.missing[1]:
            watched.missing = (0, 0)

    def seen(self, source_id: str) -> Seen:
        """What is known of a source now."""
        watched = self._watched.get(source_id)
        if watched is None:
            return UNSEEN
        now = time.monotonic()
        return Seen(
            self._state(watched, now),
            int(now - watched.spoke),
            tuple(sorted(watched.tables)),
            watched.last,
            watched.missing,
            watched.stream.under_way if watched.stream else 0,
        )

    def _state(self, watched: _Watched, now: float) -> State:
        if watched.expected and now - watched.spoke >= self._limit:
            return State.SILENT
        if watched.missing != (0, 0) and now - watched.missing_since >= self._limit:
            return State.GAP
        return State.STREAMING if watched.stream else State.IDLE

    def degraded(self) -> list[str]:
        """The sources that are silent, or whose gap nobody has filled."""
        return [name for name in self._watched if self.seen(name).state in (State.SILENT, State.GAP)]
