"""A jackpot: what one winning wager receives of one meter, frozen at the hit."""

from enum import StrEnum
from typing import NamedTuple

from services.kernel.ids import RoundKey


class JackpotState(StrEnum):
    """What has become of a jackpot; its latest fact says."""

    HIT = "hit"
    CLAIMED = "claimed"
    VERIFIED = "verified"
    PAID = "paid"
    VOIDED = "voided"
    UNPRICED = "unpriced"


PENDING = (JackpotState.HIT, JackpotState.CLAIMED, JackpotState.VERIFIED)
"""States in which a sign shows the jackpot as pending."""


class Jackpot(NamedTuple):
    """A state of a jackpot: cents, `percent` in hundredths of a percent, `reading` in micro-dollars.

    One that is UNPRICED was won where no link was live: no link, no hit, no amount.
    """

    jackpot_id: str
    hit_id: str
    link_id: str
    link_version: int
    level: str
    key: RoundKey
    shift: int
    wager_no: int
    seat: int
    code: str
    paytable: str
    amount_cents: int
    percent: int
    reading: int
    state: JackpotState
    rounds_position: int
    paid_from: str
