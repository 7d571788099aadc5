"""The feeds side by side: each round, the settlements that stand on it, then what the journal says of it.

An entry of the settlements or of the journal stands on a position of the rounds feed. No more is kept than the page of
each feed that is under way.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Protocol

from clients.cli.audit.history import Body, History
from clients.sdk.feeds import FEEDS, Entry


class Taker(Protocol):
    """Who is told."""

    def round(self, entry: Body, settled: Sequence[Body]) -> None:
        """An entry of the rounds feed, and the settlements that stand on its position."""

    def stray(self, entry: Body) -> None:
        """A settlement that comes after the rounds beyond the one that it stands on, or of none that there is."""

    def journal(self, entry: Body) -> None:
        """An entry of the progressives feed, after every round up to the one that it stands on."""


def stands_on(entry: Body) -> int:
    """The position of the rounds feed that an entry of another stands on; 0 where it tells none."""
    return int(getattr(entry.body, "rounds_position", 0))


class Passage:
    """Entries of three feeds put in order. `settlements` and `journal` are given beyond a round before the round is."""

    def __init__(self, taker: Taker) -> None:
        self._taker = taker
        self._waiting: dict[str, deque[tuple[int, Body]]] = {"settlements": deque(), "progressives": deque()}

    def beyond(self, feed: str, position: int) -> bool:
        """Whether everything of a feed that stands on rounds up to a position is here."""
        waiting = self._waiting[feed]
        return bool(waiting) and waiting[-1][0] > position

    def add(self, feed: str, page: Iterable[Body]) -> None:
        """The next entries of the settlements or the journal."""
        self._waiting[feed].extend((stands_on(entry), entry) for entry in page)

    def rounds(self, page: Iterable[Body]) -> None:
        """The next entries of the rounds feed."""
        taker, settlements = self._taker, self._waiting["settlements"]
        for entry in page:
            position = entry.position
            self._tell_journal(position - 1)
            settled: list[Body] = []
            while settlements and settlements[0][0] <= position:
                on, each = settlements.popleft()
                if on == position:
                    settled.append(each)
                else:
                    taker.stray(each)
            taker.round(entry, settled)

    def strays(self) -> None:
        """The settlements that are left when the rounds feed has ended."""
        settlements = self._waiting["settlements"]
        while settlements:
            self._taker.stray(settlements.popleft()[1])

    def rest(self) -> None:
        """What is left of the journal after them."""
        journal = self._waiting["progressives"]
        while journal:
            self._taker.journal(journal.popleft()[1])

    def _tell_journal(self, through: int) -> None:
        journal = self._waiting["progressives"]
        while journal and journal[0][0] <= through:
            self._taker.journal(journal.popleft()[1])


def parse(feed: str, page: Iterable[Entry]) -> list[Body]:
    """The entries of a page, parsed."""
    read = FEEDS[feed].entry.FromString
    return [Body(position, kind, getattr(read(data), kind)) for position, kind, data, _ in page]


def pass_through(history: History, taker: Taker) -> None:
    """Tells the entries of a history that is kept."""
    passage = Passage(taker)
    for feed in ("settlements", "progressives"):
        passage.add(feed, history.bodies(feed))
    passage.rounds(history.bodies("rounds"))
    passage.strays()
    passage.rest()


class Quiet:
    """A taker that takes nothing; of use to whoever takes only some."""

    def round(self, entry: Body, settled: Sequence[Body]) -> None:
        """Nothing."""

    def stray(self, entry: Body) -> None:
        """Nothing."""

    def journal(self, entry: Body) -> None:
        """Nothing."""
