"""What registers and the journal keep of the feeds one by one: states of jackpots, decisions, links, submissions, and
movements of meters.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import NamedTuple

OWED = ("hit", "claimed", "verified", "held")
"""States of a jackpot in which its amount is owed to the patron."""
PAID, VOIDED = "paid", "voided"


class JackpotRecord(NamedTuple):
    """A state of a jackpot: cents, `percent` in hundredths of a percent of the reading in micro-dollars.

    `gaming_day` is the one under way at the hit, `round_day` the round's. `actor`, `rank` and `at` say who brought it
    to the state and when; `at` is None at the hit.
    """

    position: int
    gaming_day: date
    jackpot_id: str
    hit_id: str
    link_id: str
    level: str
    round_day: date
    table_id: str
    shoe: int
    round_no: int
    roll: int
    seat: int
    code: str
    paytable: str
    stake_cents: int
    amount_cents: int
    percent: int
    reading_micros: int
    state: str
    paid_from: str
    actor: str
    rank: str
    at: datetime | None
    slip_no: str
    paid_through: str
    reportable: bool
    withheld_cents: int
    decision_id: str

    @property
    def owed(self) -> int:
        """What of it is owed and not paid, in cents."""
        return self.amount_cents if self.state in OWED else 0


class DecisionRecord(NamedTuple):
    """A state of what two people decide. `amount`: micro-dollars, of a jackpot cents.

    `heirs`: of a retirement level, link and level of each; of a transfer that of the meter it goes to.
    """

    position: int
    gaming_day: date
    decision_id: str
    state: str
    subject: str
    link_id: str
    level: str
    heirs: Sequence[Sequence[str]]
    amount: int
    jackpot_id: str
    action: str
    reason: str
    regulator_reference: str
    note: str
    proposed_by: str
    decided_by: str
    decided_at: datetime | None


class LinkRecord(NamedTuple):
    """A state of a link's version, with lists in the order of its levels.

    Seeds and limits in cents (limit 0: none), rates in hundredths of a percent of the stake. `at`: when it came to it.
    """

    position: int
    gaming_day: date
    link_id: str
    version: int
    state: str
    title: str
    code: str
    paytable: str
    table_ids: Sequence[str]
    levels: Sequence[str]
    seeds_cents: Sequence[int]
    increment_rates: Sequence[int]
    reserve_rates: Sequence[int]
    limits_cents: Sequence[int]
    mysteries: Sequence[str]
    effective_from: str
    proposed_by: str
    approved_by: str
    changed_by: str
    reason: str
    at: datetime | None


class SubmissionRecord(NamedTuple):
    """An approved Rules Submission; `position` is that of the submissions feed."""

    position: int
    submission_id: str
    title: str
    effective_from: date
    proposed_by: str
    approved_by: str
    approved_at: datetime | None


class MeterEvent(NamedTuple):
    """A movement of a meter that no wager's contribution made, on the day under way; signed micro-dollars, of the
    reserve for the cause `reserve`, else of the reading. Reading and reserve are those after it.
    """

    position: int
    gaming_day: date
    link_id: str
    level: str
    cause: str
    amount_micros: int
    reading_micros: int
    reserve_micros: int
    link_version: int
    table_id: str
    round_no: int
    hit_id: str
    jackpot_id: str
    decision_id: str


@dataclass
class Records:
    """What a batch of the progressives feed adds."""

    jackpots: list[JackpotRecord] = field(default_factory=list)
    decisions: list[DecisionRecord] = field(default_factory=list)
    links: list[LinkRecord] = field(default_factory=list)
    events: list[MeterEvent] = field(default_factory=list)
