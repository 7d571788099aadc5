"""A jackpot: what one winning wager receives of one meter, frozen at the hit."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from services.kernel import errors
from services.kernel.ids import RoundKey
from services.progressives.winnings import Assessment


class JackpotState(StrEnum):
    """What has become of a jackpot; its latest fact says."""

    HIT = "hit"
    CLAIMED = "claimed"
    VERIFIED = "verified"
    PAID = "paid"
    VOIDED = "voided"
    UNPRICED = "unpriced"
    HELD = "held"


PENDING = (JackpotState.HIT, JackpotState.CLAIMED, JackpotState.VERIFIED, JackpotState.HELD)
"""States in which a sign shows the jackpot as pending."""
OPEN = (*PENDING, JackpotState.UNPRICED)
"""States in which somebody still has to do something."""

RANKS = ("floorperson", "pit_manager", "shift_manager", "casino_manager")
"""Who may verify an award: a floorperson or above (633c.9, 631c.2)."""


class PaidThrough(StrEnum):
    """How a patron was paid (605a.7: awards paid by the device and by an attendant are metered apart)."""

    NOBODY = ""
    ATTENDANT = "attendant"
    DEVICE = "device"


class Jackpot(NamedTuple):
    """A state of a jackpot: cents, `percent` in hundredths of a percent, `reading` in micro-dollars.

    One that is UNPRICED was won where no link was live: no link, no hit, no amount. `actor`, `rank` and `at` say who
    brought it to this state; `evaluated` is the position of the rounds feed that was evaluated again.
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
    stake_cents: int = 0
    occurred_at: datetime | None = None
    source: str = ""
    actor: str = ""
    rank: str = ""
    at: datetime | None = None
    evaluated: int = 0
    evaluated_sha256: bytes = b""
    slip_no: str = ""
    paid_through: PaidThrough = PaidThrough.NOBODY
    reportable: bool = False
    withheld_cents: int = 0
    payee_sha256: bytes = b""
    decision_id: str = ""

    @property
    def pending(self) -> bool:
        """Whether it counts among its meter's pending jackpots."""
        return bool(self.link_id) and self.state in PENDING


def claim(jackpot: Jackpot, by: str, at: datetime) -> Jackpot:
    """The jackpot once somebody at the table has called it. JackpotOutOfState unless it is a hit."""
    _expect(jackpot, JackpotState.HIT)
    return jackpot._replace(state=JackpotState.CLAIMED, actor=by, rank="", at=at, decision_id="")


def verify(jackpot: Jackpot, by: str, rank: str, at: datetime, evaluated: int, sha256: bytes) -> Jackpot:
    """The jackpot once a floorperson or above has it verified on the recorded round.

    Raises JackpotOutOfState, RankTooLow, and SamePrincipal for whoever brought the round or made the claim.
    """
    _expect(jackpot, JackpotState.CLAIMED)
    if rank not in RANKS:
        raise errors.RankTooLow(f"expected {' or '.join(RANKS)}, given {rank or 'no rank'}")
    if by in (jackpot.source, jackpot.actor):
        what = "whose source brought the round" if by == jackpot.source else "who made the claim"
        raise errors.SamePrincipal(f"expected another principal than {by}, {what}")
    verified = jackpot._replace(state=JackpotState.VERIFIED, actor=by, rank=rank, at=at)
    return verified._replace(evaluated=evaluated, evaluated_sha256=sha256)


def pay(
    jackpot: Jackpot, by: str, at: datetime, through: PaidThrough, slip_no: str, due: Assessment, payee_sha256: bytes
) -> Jackpot:
    """The jackpot once it is paid: by slip where it has a number, else from the table inventory (ruling J7).

    Raises JackpotOutOfState; SamePrincipal for whoever verified it.
    """
    _expect(jackpot, JackpotState.VERIFIED)
    if by == jackpot.actor:
        raise errors.SamePrincipal(f"expected another principal than {by}, who verified jackpot {jackpot.jackpot_id}")
    return jackpot._replace(
        state=JackpotState.PAID,
        actor=by,
        rank="",
        at=at,
        slip_no=slip_no,
        paid_through=through,
        reportable=due.reportable,
        withheld_cents=due.withheld_cents,
        payee_sha256=payee_sha256,
    )


def unpaid(jackpot: Jackpot) -> Jackpot:
    """The jackpot without what its verification and payment left on it: it begins anew."""
    begun = jackpot._replace(evaluated=0, evaluated_sha256=b"", slip_no="", paid_through=PaidThrough.NOBODY)
    return begun._replace(reportable=False, withheld_cents=0, payee_sha256=b"")


def _expect(jackpot: Jackpot, state: JackpotState) -> None:
    if jackpot.state is not state:
        raise errors.JackpotOutOfState(f"expected jackpot {jackpot.jackpot_id} to be {state}, it is {jackpot.state}")
