"""The settlements of some days run again as they pass by; what comes after them is told what the engine gives today."""

from bisect import bisect_right
from collections import Counter
from collections.abc import AsyncIterator, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.auditor import Reader
from clients.cli.audit.history import Body, Recorded, name_of, recorded_as, round_of
from clients.cli.audit.passage import Taker, stands_on
from clients.cli.audit.settlements import SETTLING, settled_anew, settles
from clients.cli.replaying.commits import Commits
from clients.cli.replaying.days import Moved
from clients.cli.replaying.differences import Difference, Given, compare
from clients.sdk.client import Casino
from clients.sdk.feeds import FEEDS
from services.games.terms import Terms
from services.kernel.errors import Refusal


@dataclass
class Versions:
    """Which software committed which entries of a feed: the first position of each that was met in turn."""

    first: list[int] = field(default_factory=lambda: [0])
    names: list[str] = field(default_factory=lambda: [""])

    def at(self, position: int) -> str:
        """The version that committed an entry."""
        return self.names[bisect_right(self.first, position) - 1]

    def note(self, position: int, name: str) -> None:
        """From a position on it was this one."""
        if name != self.names[-1]:
            self.first.append(position)
            self.names.append(name)


class Replayer(Reader):
    """Reads on where hashes do not follow, which is a difference, and knows who settled what."""

    def __init__(self, casino: Casino, property_id: str, moved: Moved) -> None:
        """`moved` is told of the entries that were read."""
        self._commits = {feed: Commits(feed) for feed in FEEDS}
        super().__init__(casino, property_id, dict(self._commits))
        self.versions, self._moved = Versions(), moved

    async def pages(self, feed: str) -> AsyncIterator[list[Body]]:
        """The entries that there are now, parsed, with the software that committed settlements."""
        chain = self._commits[feed]
        async for page in super().pages(feed):
            if feed == "settlements" and page:
                self.versions.note(page[0].position, chain.version)
            self._moved(len(page))
            for text in chain.broken:
                self.findings[feed].differs(text)
            chain.broken.clear()
            yield page


class Rerun:
    """Settlements of the days `asked` for, first to last, as the engine of today gives them, for another taker.

    What was settled is compared and not passed on; settlements of other days pass as they are recorded. Rounds up to
    the position `through` must have theirs; the settlements of what the floor sent beyond pass as recorded too.
    `corrected`: the rounds that will be corrected, at least up to there, by name without roll.
    """

    def __init__(
        self,
        asked: tuple[str, str],
        terms: Mapping[tuple[str, str], Terms],
        corrected: Container[str],
        through: int,
        versions: Versions,
        taker: Taker,
    ) -> None:
        self.differences: list[Difference] = []
        self.rounds_run: Counter[str] = Counter()
        self.wagers_run: Counter[str] = Counter()
        self._asked, self._terms, self._corrected, self._through = asked, terms, corrected, through
        self._versions, self._taker = versions, taker
        self._latest: dict[str, settlement.SettledRound] = {}
        self._revisions: Counter[str] = Counter()
        self._position = 0
        self._beyond: list[Body] = []

    def round(self, entry: Body, settled: Sequence[Body]) -> None:
        """An entry of the rounds feed with the settlements that stand on it."""
        if entry.position > self._through:
            return self._taker.round(entry, settled)
        own = [each for each in settled if self._is_asked(each.body.key.gaming_day)]
        passed = [each for each in settled if not self._is_asked(each.body.key.gaming_day)]
        if settled:
            self._position = settled[-1].position
        recorded = recorded_as(entry) if entry.kind in SETTLING else None
        if recorded is not None and self._due(recorded):
            passed.append(self._run(recorded, own[0] if own else None))
            own = own[1:]
        for each in own:
            self._nothing_today(each)
        return self._taker.round(entry, passed)

    def stray(self, entry: Body) -> None:
        """A settlement of no round in its place, or of one that was entered after the rounds were read."""
        asked = self._is_asked(entry.body.key.gaming_day)
        if asked and stands_on(entry) <= self._through:
            return self._nothing_today(entry)
        if asked:
            self._beyond.append(entry)
        return self._taker.stray(entry)

    def journal(self, entry: Body) -> None:
        """An entry of the progressives feed."""
        self._taker.journal(entry)

    def finish(self, head: int) -> None:
        """Once everything has passed: a settlement beyond the `head` of the rounds feed as it is now is of no round."""
        for each in self._beyond:
            if stands_on(each) > head:
                self._nothing_today(each)

    def _is_asked(self, day: str) -> bool:
        return self._asked[0] <= day <= self._asked[1]

    def _due(self, recorded: Recorded) -> bool:
        return self._is_asked(recorded.key.gaming_day) and settles(recorded, self._latest)

    def _nothing_today(self, entry: Body) -> None:
        self.differences += compare(entry.body, None, self._versions.at(entry.position))

    def _run(self, recorded: Recorded, given: Body | None) -> Body:
        """Settles a round again and compares; the settlement of today."""
        kept, day = round_of(recorded.key) in self._corrected, recorded.key.gaming_day
        name = name_of(recorded.key) if kept else ""
        today = _today(recorded, settled_anew(recorded, self._terms, self._revisions[name], self._latest.get(name)))
        self.rounds_run[day] += 1
        if isinstance(today, settlement.SettledRound):
            self.wagers_run[day] += len(today.wager_no)
            if kept:
                self._revisions[name] += 1
                self._latest[name] = today
        version = self._versions.at(given.position) if given else ""
        self.differences += compare(given.body if given else None, today, version)
        kind = "settled" if isinstance(today, settlement.SettledRound) else "exception"
        return Body(given.position if given else self._position, kind, today)


def _today(recorded: Recorded, found: settlement.SettledRound | Refusal) -> Given:
    if not isinstance(found, Refusal):
        return found
    told: dict[str, Any] = {"reason": found.reason, "message": found.message, "key": recorded.key}
    return settlement.SettlementException(**told, rounds_position=recorded.position)
