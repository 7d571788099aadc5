"""Rows as the store reads and writes them."""

from datetime import date, datetime
from typing import NamedTuple

from services.kernel.ids import RoundKey


class RoundEventRow(NamedTuple):
    """An event of a round in the feed, under its business key."""

    gaming_day: date
    table_id: str
    shoe: int
    round_no: int
    roll: int
    kind: int
    item_no: int
    position: int
    source_id: str
    epoch: int
    sequence: int
    digest: bytes


class TableEventRow(NamedTuple):
    """A table event in the feed."""

    gaming_day: date
    table_id: str
    kind: int
    occurred_at: datetime
    position: int
    source_id: str
    epoch: int
    sequence: int
    digest: bytes


class HeldRow(NamedTuple):
    """A fact outside the feed; `gaming_day` None where the bytes name no round."""

    source_id: str
    epoch: int
    sequence: int
    wager_no: int
    answer: int
    reason: str
    message: str
    gaming_day: date | None
    table_id: str
    shoe: int
    round_no: int
    roll: int
    digest: bytes
    content: bytes
    recorded_at: datetime
    principal: str = ""

    @property
    def key(self) -> RoundKey | None:
        """The round it names; None where the bytes name none."""
        return RoundKey(self.gaming_day, *self[8:12]) if self.gaming_day else None

    @property
    def identity(self) -> tuple[str, int, int, int, bytes]:
        """Its key in the database."""
        return self.source_id, self.epoch, self.sequence, self.wager_no, self.digest

    @property
    def hold_id(self) -> str:
        """Its name for people: source, epoch, sequence, wager and the beginning of its digest."""
        return f"{self.source_id}/{self.epoch}/{self.sequence}/{self.wager_no}/{self.digest[:4].hex()}"


class Proposal(NamedTuple):
    """What one person proposes to do with a fact outside the feed; `decision` is the wire's HoldDecision.

    `number` counts the proposals of the fact from 1; 0 before it is kept.
    """

    decision: int
    reason: str
    proposed_by: str
    proposed_at: datetime
    number: int = 0


class Decision(NamedTuple):
    """What two people decided; `position` of the entry that says so, 0 where no notice was to be resolved."""

    position: int
    decision: int
    reason: str
    proposed_by: str
    approved_by: str
    approved_at: datetime


class HoldRow(NamedTuple):
    """A fact outside the feed, with the latest proposal and the decision."""

    fact: HeldRow
    proposal: Proposal | None
    decision: Decision | None


class RoundEntryRow(NamedTuple):
    """An event of a round with its entry."""

    key: RoundKey
    kind: int
    item_no: int
    position: int
    digest: bytes
    entry: bytes
