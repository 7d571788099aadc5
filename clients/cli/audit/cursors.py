"""What followers keep of the feeds they follow, held against the feeds as they are today.

A follower stores the hash of the head it has applied: an author's chain that was written anew, or cut off, is not
the one that was applied.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from casino.feeds.v1 import feeds_pb2
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import Body
from clients.cli.audit.passage import Quiet, stands_on
from clients.cli.properties import FOLLOWED
from clients.sdk.feeds import GENESIS, Chain


class Cursor(NamedTuple):
    """How far a service has applied another's feed, and the hash that it keeps of it."""

    service: str
    feed: str
    position: int
    hash: bytes


def cursors_of(status: feeds_pb2.ServiceStatus, property_id: str) -> list[Cursor]:
    """The cursors that a service has at one property."""
    return [
        Cursor(status.service, cursor.feed, cursor.position, cursor.hash)
        for each in status.properties
        if each.property_id == property_id
        for cursor in each.cursors
    ]


def mark_cursors(chains: Mapping[str, Chain], cursors: list[Cursor]) -> None:
    """Has the reader keep the hash at each of these positions."""
    for cursor in cursors:
        if cursor.feed in chains and cursor.position:
            chains[cursor.feed].marks.setdefault(cursor.position)


def check_cursors(chains: Mapping[str, Chain], cursors: list[Cursor], heads: Mapping[str, int]) -> Findings:
    """Every cursor lies within its feed, its hash is the one that the feed gives there, and none is missing.

    `heads`: where the feeds stood before the cursors were read; of an empty feed none need have been kept.
    """
    findings = Findings("audit: cursors of followers against the feeds")
    for service, feed in sorted({*FOLLOWED} - {(cursor.service, cursor.feed) for cursor in cursors}):
        if head := heads.get(feed, 0):
            findings.differs(f"cursor row of {service} in {feed}: it is missing, the feed stood at {head}")
    for cursor in cursors:
        what = f"cursor row of {cursor.service} in {cursor.feed}"
        chain = chains.get(cursor.feed)
        if chain is None:
            findings.differs(f"{what}: there is no such feed")
        elif cursor.position > chain.position:
            findings.differs(f"{what}: it stands at {cursor.position}, the feed ends at {chain.position}")
        else:
            known = chain.marks.get(cursor.position) if cursor.position else GENESIS
            findings.expect(cursor.hash.hex(), known.hex() if known else None, f"{what}, at {cursor.position}: hash")
    return findings


class Beyond(NamedTuple):
    """An entry that stands further along the rounds feed than that was read."""

    feed: str
    entry_position: int
    kind: str
    rounds_position: int


class Reach(Quiet):
    """No settlement and no entry of the journal stands on a position that the rounds feed does not have."""

    def __init__(self, head: int) -> None:
        """`head`: where the rounds feed stood before it was read."""
        self._checked, self._known = 0, head
        self._beyond: list[Beyond] = []

    def round(self, entry: Body, settled: Sequence[Body]) -> None:
        """An entry of the rounds feed; what is settled there stands on it."""
        self._known = max(self._known, entry.position)
        self._checked += len(settled)

    def stray(self, entry: Body) -> None:
        """A settlement."""
        self._take("settlements", entry)

    def journal(self, entry: Body) -> None:
        """An entry of the progressives feed."""
        self._take("progressives", entry)

    def _take(self, feed: str, entry: Body) -> None:
        self._checked += 1
        if (position := stands_on(entry)) > self._known:
            self._beyond.append(Beyond(feed, entry.position, entry.kind, position))

    def check(self, heads: Mapping[str, int]) -> Findings:
        """Compares with the head of the rounds feed after everything was read."""
        findings, head = Findings("audit: positions that entries stand on"), heads.get("rounds", 0)
        findings.checked = self._checked
        for feed, position, kind, on in self._beyond:
            if on > head:
                findings.differs(f"{feed} position {position}: {kind} of rounds position {on}, the head is {head}")
        return findings
