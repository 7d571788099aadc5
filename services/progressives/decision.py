"""What two people decide: adjustments, transfers, retirements, and what becomes of a jackpot."""

from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from services.kernel import errors
from services.kernel.ids import RoundKey


class DecisionState(StrEnum):
    """Where a decision stands; its latest fact says."""

    OPEN = "open"
    PROPOSED = "proposed"
    APPROVED = "approved"
    REJECTED = "rejected"
    DONE = "done"


UNDECIDED = (DecisionState.OPEN, DecisionState.PROPOSED)


class ChangeReason(StrEnum):
    """Why people may change a meter: a closed list (605a.7; N.J.A.C. 13:69D-1.52)."""

    NONE = ""
    MALFUNCTION_CORRECTION = "malfunction_correction"
    APPROVED_TRANSFER = "approved_transfer"
    LIMIT = "limit"
    CORRECTED_ROUND = "corrected_round"
    JACKPOT = "jackpot"


class Adjustment(NamedTuple):
    """A meter moved by people: signed micro-dollars, 0 leaves it as it is."""

    link_id: str
    level: str
    amount: int


class Transfer(NamedTuple):
    """Money that goes from one meter to another, micro-dollars."""

    from_link_id: str
    from_level: str
    to_link_id: str
    to_level: str
    amount: int


class Heir(NamedTuple):
    """Where the money of one level goes."""

    level: str
    to_link_id: str
    to_level: str


class Retirement(NamedTuple):
    """The end of a link: everything on each of its meters goes to another."""

    link_id: str
    effective_from: date
    heirs: tuple[Heir, ...]


class JackpotAction(StrEnum):
    """What is to become of a jackpot; NONE where that is still asked."""

    NONE = ""
    VOID = "void"
    CONFIRM = "confirm"
    SET_AMOUNT = "set_amount"


class JackpotDecision(NamedTuple):
    """What becomes of a jackpot; cents where its amount is set."""

    jackpot_id: str
    action: JackpotAction
    amount_cents: int


Subject = Adjustment | Transfer | Retirement | JackpotDecision

REASONS: dict[type, tuple[ChangeReason, ...]] = {
    Adjustment: (ChangeReason.MALFUNCTION_CORRECTION, ChangeReason.LIMIT, ChangeReason.CORRECTED_ROUND),
    Transfer: (ChangeReason.APPROVED_TRANSFER,),
    Retirement: (ChangeReason.APPROVED_TRANSFER,),
    JackpotDecision: (ChangeReason.JACKPOT, ChangeReason.MALFUNCTION_CORRECTION, ChangeReason.CORRECTED_ROUND),
}
"""The reasons that each kind of decision may have."""


class Decision(NamedTuple):
    """A state of a decision. An open one is asked for by the platform, of a round where there is one.

    `proposal` says how many times it has been proposed.
    """

    decision_id: str
    state: DecisionState
    subject: Subject
    reason: ChangeReason
    regulator_reference: str
    note: str
    proposed_by: str
    proposed_at: datetime | None
    decided_by: str
    decided_at: datetime | None
    key: RoundKey | None
    wager_no: int
    gaming_day: date
    rounds_position: int
    proposal: int = 0

    @property
    def asked(self) -> bool:
        """Whether the platform asks for it, so that it is open again once a proposal is rejected."""
        return self.key is not None

    @property
    def waits(self) -> bool:
        """Whether it is approved and waits for the opening of a gaming day."""
        return self.state is DecisionState.APPROVED and isinstance(self.subject, Retirement)


class Proposal(NamedTuple):
    """What a person proposes."""

    subject: Subject
    reason: ChangeReason
    regulator_reference: str
    note: str


def propose(former: Decision | None, blank: Decision, proposal: Proposal, by: str, at: datetime) -> Decision:
    """The proposed decision: `former` is the open one that it answers, `blank` names a new one.

    Raises AlreadyDecided, ChangeImpossible.
    """
    check_proposal(proposal)
    if former is not None:
        _check_answers(former, proposal.subject)
    base = former or blank
    return base._replace(
        state=DecisionState.PROPOSED,
        subject=proposal.subject,
        reason=proposal.reason,
        regulator_reference=proposal.regulator_reference,
        note=proposal.note,
        proposed_by=by,
        proposed_at=at,
        decided_by="",
        decided_at=None,
        proposal=base.proposal + 1,
    )


def check_proposal(proposal: Proposal) -> None:
    """Raises ChangeImpossible where the reason is none of the closed list, or no reference or note is given."""
    allowed = REASONS[type(proposal.subject)]
    if proposal.reason not in allowed:
        raise errors.ChangeImpossible(f"expected reason {' or '.join(allowed)}, given {proposal.reason or 'none'}")
    if not proposal.note.strip():
        raise errors.ChangeImpossible("expected a note that says what happened, given none")
    if not isinstance(proposal.subject, JackpotDecision) and not proposal.regulator_reference.strip():
        raise errors.ChangeImpossible("expected the regulator's reference, given none")


def _check_answers(former: Decision, subject: Subject) -> None:
    if former.state is not DecisionState.OPEN:
        raise errors.AlreadyDecided(f"expected decision {former.decision_id} to be open, it is {former.state}")
    if type(former.subject) is not type(subject):
        asked, given = type(former.subject).__name__, type(subject).__name__
        raise errors.ChangeImpossible(f"expected what decision {former.decision_id} asks for, {asked}, given {given}")
    if isinstance(subject, JackpotDecision) and subject[0] != former.subject[0]:
        raise errors.ChangeImpossible(
            f"expected jackpot {former.subject[0]}, which decision {former.decision_id} is about, given {subject[0]}"
        )


def check_seen(decision: Decision, proposal: int) -> None:
    """An approval is of the proposal that the approver has seen. Raises InvalidRequest, AlreadyDecided."""
    stands = f"proposal {decision.proposal} of decision {decision.decision_id}"
    if proposal < 1:
        raise errors.InvalidRequest(f"expected the number of the proposal that was seen, {stands}; given {proposal}")
    _expect_proposed(decision)
    if proposal != decision.proposal:
        raise errors.AlreadyDecided(f"expected {stands}, which stands, given proposal {proposal}")


def approve(decision: Decision, by: str, at: datetime, rounds_position: int, gaming_day: date) -> Decision:
    """The approved decision. Raises AlreadyDecided, SamePrincipal."""
    _expect_proposed(decision)
    if by == decision.proposed_by:
        raise errors.SamePrincipal(f"expected another principal than {by}, who proposed {decision.decision_id}")
    return decision._replace(
        state=DecisionState.APPROVED,
        decided_by=by,
        decided_at=at,
        rounds_position=rounds_position,
        gaming_day=decision.gaming_day if decision.asked else gaming_day,
    )


def reject(decision: Decision, by: str, at: datetime, note: str, rounds_position: int) -> Decision:
    """The decision that was not approved; one that the platform asks for is open again.

    An approved retirement is taken back so, while it waits for its gaming day. Raises AlreadyDecided.
    """
    if not decision.waits:
        _expect_proposed(decision)
    if not note.strip():
        raise errors.ChangeImpossible("expected a note that says why not, given none")
    state = DecisionState.OPEN if decision.asked else DecisionState.REJECTED
    return decision._replace(state=state, note=note, decided_by=by, decided_at=at, rounds_position=rounds_position)


def _expect_proposed(decision: Decision) -> None:
    if decision.state is not DecisionState.PROPOSED:
        raise errors.AlreadyDecided(f"expected decision {decision.decision_id} to be proposed, it is {decision.state}")
