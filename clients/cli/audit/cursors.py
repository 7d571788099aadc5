"""What followers keep of the feeds they follow, held against the feeds as they are today.

A follower stores the hash of the head it has applied: an author's chain that was written anew, or cut off, is not
the one that was applied.
"""

from collections.abc import Mapping
from typing import NamedTuple

from casino.feeds.v1 import feeds_pb2
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import History
from clients.sdk.feeds import GENESIS


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


def mark_cursors(history: History, cursors: list[Cursor]) -> None:
    """Has the reader keep the hash at each of these positions."""
    for cursor in cursors:
        if cursor.feed in history.chains and cursor.position:
            history.chains[cursor.feed].marks.setdefault(cursor.position)


def check_cursors(history: History, cursors: list[Cursor]) -> Findings:
    """Every cursor lies within its feed, and its hash is the one that the feed gives there."""
    findings = Findings("audit: cursors of followers against the feeds")
    for cursor in cursors:
        what = f"cursor row of {cursor.service} in {cursor.feed}"
        chain = history.chains.get(cursor.feed)
        if chain is None:
            findings.differs(f"{what}: there is no such feed")
        elif cursor.position > chain.position:
            findings.differs(f"{what}: it stands at {cursor.position}, the feed ends at {chain.position}")
        else:
            known = chain.marks.get(cursor.position) if cursor.position else GENESIS
            findings.expect(cursor.hash.hex(), known.hex() if known else None, f"{what}, at {cursor.position}: hash")
    return findings


def check_reach(history: History, heads: Mapping[str, int]) -> Findings:
    """No settlement and no entry of the journal stands on a position that the rounds feed does not have."""
    findings, head = Findings("audit: positions that entries stand on"), heads.get("rounds", 0)
    for feed in ("settlements", "progressives"):
        for position, kind, body in history.bodies(feed):
            stands_on = getattr(body, "rounds_position", 0)
            findings.checked += 1
            if stands_on > head:
                findings.differs(
                    f"{feed} position {position}: {kind} of rounds position {stands_on}, the head is {head}"
                )
    return findings
