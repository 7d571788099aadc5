"""A first look along the rounds feed, at kinds alone: which days there are, and which rounds will be corrected.

Whoever knows that beforehand keeps nothing of the other rounds once they are settled.
"""

from dataclasses import dataclass, field

from casino.feeds.v1 import feeds_pb2
from clients.cli.audit.history import CORRECTIONS, Body, recorded_as, round_of
from clients.sdk.client import Casino
from clients.sdk.feeds import Chain, ChainBroken, Entry, pages
from clients.sdk.refusals import RefusedByServer

DAY_OPENED = "day_opened"


@dataclass
class Glance(Chain):
    """How far a reader has come who believes the hashes as they are told."""

    def _hash(self, batch: feeds_pb2.FeedBatch) -> bytes:
        return batch.head_hash


@dataclass
class Outline:
    """The gaming days that were opened, and the last correction of each corrected round, by name without roll.

    `stopped`: what ended the feed before its end.
    """

    property_id: str
    days: set[str] = field(default_factory=set)
    corrected: dict[str, int] = field(default_factory=dict)
    chain: Glance = field(default_factory=lambda: Glance("rounds"))
    stopped: list[Exception] = field(default_factory=list)

    async def read_on(self, casino: Casino) -> None:
        """Looks at what is new. A feed that breaks ends here as it does for the reader, who says so."""
        try:
            async for page in pages(casino, "rounds", self.property_id, self.chain):
                for entry in page:
                    self._take(entry)
        except (ChainBroken, RefusedByServer) as broken:
            self.stopped.append(broken)

    def _take(self, entry: Entry) -> None:
        if entry.kind == DAY_OPENED:
            self.days.add(entry.body.gaming_day)
        elif entry.kind in CORRECTIONS:
            found = recorded_as(Body(entry.position, entry.kind, entry.body))
            self.corrected[round_of(found.key)] = entry.position
