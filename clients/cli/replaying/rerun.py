"""The feeds of a property read once; the settlements of some days are run again as they pass by."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import CORRECTIONS, RESULTS, Body, History, Recorded, name_of, recorded_as
from clients.cli.audit.settlements import settled_anew, settles
from clients.cli.replaying.commits import Commits
from clients.cli.replaying.differences import Difference, Given, compare
from clients.sdk.client import Casino
from clients.sdk.feeds import FEEDS, ChainBroken, Entry, read
from services.games.terms import Terms
from services.kernel.errors import Refusal

FEEDS_OF_ROUNDS = ("submissions", "rounds", "settlements")
"""What wagers are settled from, and what they were settled as, in the order in which one follows from the other."""


def _unseen(entries: int) -> None:
    """Nobody watches the progress."""


@dataclass
class Rerun(History):
    """A history with the settlements of the days `asked` for, first to last, as the engine of today gives them.

    What was settled is compared as it passes and not kept; settlements of other days stay as they are recorded.
    `feeds` are those that are read; `moved` is told of each entry.
    """

    asked: tuple[str, str] | None = None
    feeds: tuple[str, ...] = (*FEEDS_OF_ROUNDS, "progressives")
    moved: Callable[[int], None] = _unseen
    differences: list[Difference] = field(default_factory=list)
    rounds_run: Counter[str] = field(default_factory=Counter)
    wagers_run: Counter[str] = field(default_factory=Counter)
    commits: dict[str, Commits] = field(default_factory=lambda: {feed: Commits(feed) for feed in FEEDS})
    reader: dict[str, Findings] = field(default_factory=dict)
    _terms: dict[tuple[str, str], Terms] = field(default_factory=dict)
    _revisions: Counter[str] = field(default_factory=Counter)
    _latest: dict[str, int] = field(default_factory=dict)
    _run_through: int = 0

    def __post_init__(self) -> None:
        self.chains = dict(self.commits)
        self.reader = {feed: Findings(f"reader: {feed} entries rehashed") for feed in self.feeds}

    async def read_on(self, casino: Casino) -> list[Findings]:
        """Reads what is new; a chain that breaks is a difference."""
        for feed in self.feeds:
            await self._read_feed(casino, feed)
        return list(self.reader.values())

    async def _read_feed(self, casino: Casino, feed: str) -> None:
        chain, findings = self.commits[feed], self.reader[feed]
        try:
            async for entry in read(casino, feed, self.property_id, chain.position, chain):
                findings.checked += 1
                if feed == "settlements" and entry.body.rounds_position > self.commits["rounds"].position:
                    # It was settled after the rounds were read.
                    await self._read_feed(casino, "rounds")
                self.take(entry, chain.version)
                self.moved(1)
        except ChainBroken as broken:
            findings.differs(str(broken))
        for broken_at in chain.broken:
            findings.differs(broken_at)
        chain.broken.clear()

    def terms(self) -> Mapping[tuple[str, str], Terms]:
        """The terms of each table under each approved submission, by submission and table."""
        return self._terms

    def take(self, entry: Entry, version: str = "") -> None:
        """The next entry of a feed, committed by this version of the software."""
        if entry.feed == "settlements" and self._is_asked(entry.body.key.gaming_day):
            self._take_settlement(entry.body, entry.position, version)
            return
        if entry.feed == "submissions":
            approved = entry.body
            named = {(approved.submission_id, each.table_id): each for each in approved.tables}
            self._terms.update({name: Terms.read(approved.submission_id, each) for name, each in named.items()})
        self.entries[entry.feed].append(entry)

    def finish(self, through: int) -> None:
        """Everything recorded up to a position of the rounds feed is run; what has no settlement is a difference."""
        self._run_to(through, self.commits["settlements"].position)

    def round_at(self, position: int) -> Recorded | None:
        """The round that was settled at a position of the rounds feed; None where nothing there settles."""
        entries = self.entries["rounds"]
        entry = entries[position - 1] if 0 < position <= len(entries) else None
        if entry is None or entry.kind not in RESULTS + CORRECTIONS:
            return None
        return recorded_as(Body(entry.position, entry.kind, entry.body))

    def _is_asked(self, day: str) -> bool:
        return self.asked is not None and self.asked[0] <= day <= self.asked[1]

    def _take_settlement(self, given: Given, position: int, version: str) -> None:
        place = given.rounds_position
        self._run_to(min(place - 1, len(self.entries["rounds"])), position)
        recorded = self._due(place) if place > self._run_through else None
        self._run_through = max(self._run_through, min(place, len(self.entries["rounds"])))
        if recorded is None:
            self.differences += compare(given, None, version)
        else:
            self._run(recorded, position, given, version)

    def _run_to(self, place: int, position: int) -> None:
        """Runs the rounds that were passed by: they have no settlement."""
        while self._run_through < place:
            self._run_through += 1
            recorded = self._due(self._run_through)
            if recorded is not None:
                self._run(recorded, position, None, "")

    def _due(self, place: int) -> Recorded | None:
        recorded = self.round_at(place)
        due = recorded is not None and self._is_asked(recorded.key.gaming_day) and settles(recorded, self._latest)
        return recorded if due else None

    def _run(self, recorded: Recorded, position: int, given: Given | None, version: str) -> None:
        """Settles a round as its settlement at a position of the settlements feed did, and keeps the new one."""
        name, settlements = name_of(recorded.key), self.entries["settlements"]
        before = settlements[self._latest[name]].body if name in self._latest else None
        today = _today(recorded, settled_anew(recorded, self._terms, self._revisions[name], before))
        self.rounds_run[recorded.key.gaming_day] += 1
        kind = "exception"
        if isinstance(today, settlement.SettledRound):
            kind = "settled"
            self.wagers_run[recorded.key.gaming_day] += len(today.wager_no)
            self._revisions[name] += 1
            self._latest[name] = len(settlements)
        self.differences += compare(given, today, version)
        data = FEEDS["settlements"].entry(**{kind: today}).SerializeToString()
        settlements.append(Entry(position, kind, data, "settlements"))


def _today(recorded: Recorded, found: settlement.SettledRound | Refusal) -> Given:
    if not isinstance(found, Refusal):
        return found
    told: dict[str, Any] = {"reason": found.reason, "message": found.message, "key": recorded.key}
    return settlement.SettlementException(**told, rounds_position=recorded.position)
