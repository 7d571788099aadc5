"""What the feeds of a property say, read from the first entry, every chain rehashed; kept whole, for what is small."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from casino.rounds.v1 import entries_pb2 as rounds
from clients.cli.audit.findings import Findings
from clients.sdk.client import Casino
from clients.sdk.feeds import FEEDS, Chain, ChainBroken, Entry, read
from clients.sdk.refusals import RefusedByServer
from services.games.terms import Terms

BETTING = ("betting_closed", "whole_round")
RESULTS = ("result", "whole_round")
CORRECTIONS = ("void", "amend", "release")


class Body(NamedTuple):
    """An entry's position, kind and parsed body."""

    position: int
    kind: str
    body: Any


class Recorded(NamedTuple):
    """A round in the rounds feed: where, as what, and the round itself; None for a void."""

    position: int
    kind: str
    key: rounds.RoundKey
    round: rounds.Round | None


@dataclass
class History:
    """The entries of every feed as they were read; `chains` say how far."""

    property_id: str
    entries: dict[str, list[Entry]] = field(default_factory=lambda: {feed: [] for feed in FEEDS})
    chains: dict[str, Chain] = field(default_factory=lambda: {feed: Chain(feed) for feed in FEEDS})

    async def read_on(self, casino: Casino) -> list[Findings]:
        """Reads what is new, rehashing; a chain that breaks is a difference and ends its feed."""
        found = []
        for feed, chain in self.chains.items():
            findings = Findings(f"reader: {feed} entries rehashed")
            try:
                async for entry in read(casino, feed, self.property_id, chain.position, chain):
                    self.entries[feed].append(entry)
                    findings.checked += 1
            except (ChainBroken, RefusedByServer) as broken:
                findings.differs(str(broken))
            found.append(findings)
        return found

    def bodies(self, feed: str, *kinds: str, through: int | None = None) -> Iterator[Body]:
        """The parsed entries of a feed, all kinds or some, up to a position."""
        for entry in self.entries[feed]:
            if through is not None and entry.position > through:
                return
            if not kinds or entry.kind in kinds:
                yield Body(entry.position, entry.kind, entry.body)

    def recorded(self, *kinds: str) -> Iterator[Recorded]:
        """The rounds of the rounds feed entered as one of these kinds."""
        yield from map(recorded_as, self.bodies("rounds", *kinds))

    def corrected(self) -> set[str]:
        """The rounds that are corrected, by name without roll."""
        return {round_of(each.key) for each in self.recorded(*CORRECTIONS)}

    def terms(self) -> Mapping[tuple[str, str], Terms]:
        """The terms of each table under each approved submission, by submission and table."""
        return terms_of(self.bodies("submissions", "approved"))


def terms_of(submissions: Iterable[Body]) -> dict[tuple[str, str], Terms]:
    """The terms of each table under each of these approved submissions, by submission and table."""
    return {
        (body.submission_id, table.table_id): Terms.read(body.submission_id, table)
        for _, _, body in submissions
        for table in body.tables
    }


def recorded_as(entry: Body) -> Recorded:
    """The round of an entry of the rounds feed that has one."""
    position, kind, body = entry
    if kind == "void":
        return Recorded(position, kind, body.key, None)
    found = body if kind in BETTING + RESULTS else body.round
    return Recorded(position, kind, found.key, found)


def name_of(key: rounds.RoundKey) -> str:
    """A round's key for a reader."""
    roll = f"/{key.roll}" if key.roll else ""
    return f"{key.gaming_day}/{key.table_id}/{key.shoe}/{key.round_no}{roll}"


def round_of(key: rounds.RoundKey) -> str:
    """The same without the roll: the whole of a shooter's hand."""
    return f"{key.gaming_day}/{key.table_id}/{key.shoe}/{key.round_no}"
