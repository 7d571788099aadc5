"""What is written down of a meter: contributions, movements of every other cause, and what could not be done."""

from datetime import date
from typing import NamedTuple

from services.kernel.ids import RoundKey
from services.progressives.alert import Alert
from services.progressives.decision import Decision
from services.progressives.jackpot import Jackpot
from services.progressives.link import Link
from services.progressives.meter import Cause


class Contribution(NamedTuple):
    """One wager's contribution: micro-dollars per level in the link's order, amounts and what stands after.

    `overflows` is what of each amount the limit kept off the reading; empty where nothing was.
    """

    key: RoundKey
    shift: int
    wager_no: int
    seat: int
    code: str
    paytable: str
    submission_id: str
    stake_cents: int
    link_id: str
    link_version: int
    amounts: list[int]
    readings: list[int]
    reserve_amounts: list[int]
    reserves: list[int]
    rounds_position: int
    overflows: list[int]


class Movement(NamedTuple):
    """One movement of one level by any other cause, signed micro-dollars; `key` where a round caused it."""

    link_id: str
    link_version: int
    level: str
    cause: Cause
    amount: int
    reading_before: int
    reading_after: int
    reserve_before: int
    reserve_after: int
    key: RoundKey | None
    wager_no: int
    hit_id: str
    jackpot_id: str
    gaming_day: date
    rounds_position: int
    decision_id: str


class Commitment(NamedTuple):
    """A mystery meter's trigger: committed to at the reset, opened after the hit with its cents and salt."""

    link_id: str
    link_version: int
    level: str
    number: int
    opened: bool
    commitment: bytes
    cents: int
    salt: bytes
    jackpot_id: str
    gaming_day: date
    rounds_position: int


class Trouble(NamedTuple):
    """A named refusal that keeps the gaming day open; `wager_no` 0 where the whole round is meant."""

    reason: str
    message: str
    key: RoundKey
    wager_no: int
    rounds_position: int


Written = Contribution | Movement | Jackpot | Trouble | Link | Decision | Commitment | Alert
"""What an entry of the progressives feed says."""
