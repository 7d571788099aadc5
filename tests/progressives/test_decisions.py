"""What two people decide: proposals, approvals, and the closed list of reasons."""

from datetime import UTC, datetime
from typing import Any

import pytest

from services.kernel import errors
from services.kernel.ids import RoundKey
from services.progressives.decision import (
    Adjustment,
    ChangeReason,
    Decision,
    DecisionState,
    Heir,
    JackpotAction,
    JackpotDecision,
    Proposal,
    Retirement,
    Subject,
    Transfer,
    approve,
    propose,
    reject,
)
from tests.progressives.folded import DAY, NEXT_DAY, WHOLE, Floor, on

NOW = datetime(2026, 3, 3, 9, tzinfo=UTC)
ADJUSTED = Adjustment("H9", "mega", -5)
MOVED = Transfer("H9", "mega", "HEIR", "mega", 5)
RETIRED = Retirement("H9", NEXT_DAY, (Heir("mega", "HEIR", "mega"),))
VOIDED = JackpotDecision("J-1", JackpotAction.VOID, 0)


def proposal(subject: Subject = ADJUSTED, reason: ChangeReason = ChangeReason.LIMIT, **changes: Any) -> Proposal:
    """A proposal with reference and note."""
    return Proposal(subject, reason, "PGCB-7", "the sign showed it")._replace(**changes)


def blank(subject: Subject = ADJUSTED, key: RoundKey | None = None) -> Decision:
    """A decision about a subject; with a key one that the platform asks for."""
    told = (subject, ChangeReason.CORRECTED_ROUND, "", "asked", "", None, "", None)
    return Decision("D-1", DecisionState.OPEN, *told, key, 2 if key else 0, DAY, 11)


def proposed(given: Proposal | None = None, former: Decision | None = None) -> Decision:
    """What ann proposes."""
    given = given or proposal()
    return propose(former, blank(given.subject), given, "ann", NOW)


def test_a_proposal_says_who_when_what_and_why() -> None:
    """The decision of its own is for the day under way."""
    made = proposed()
    assert (made.state, made.subject, made.reason) == (DecisionState.PROPOSED, ADJUSTED, ChangeReason.LIMIT)
    assert (made.proposed_by, made.proposed_at, made.regulator_reference) == ("ann", NOW, "PGCB-7")
    assert not made.asked


@pytest.mark.parametrize(
    ("subject", "allowed"),
    [
        (ADJUSTED, {ChangeReason.MALFUNCTION_CORRECTION, ChangeReason.LIMIT, ChangeReason.CORRECTED_ROUND}),
        (MOVED, {ChangeReason.APPROVED_TRANSFER}),
        (VOIDED, {ChangeReason.JACKPOT, ChangeReason.MALFUNCTION_CORRECTION, ChangeReason.CORRECTED_ROUND}),
    ],
)
def test_the_reasons_are_a_closed_list(subject: Subject, allowed: set[ChangeReason]) -> None:
    """A meter is changed for a reason of the list alone; each kind of decision has its own."""
    for reason in allowed:
        assert proposed(proposal(subject, reason)).reason is reason
    for reason in set(ChangeReason) - allowed:
        with pytest.raises(errors.ChangeImpossible, match=f"expected reason .* given {reason.value or 'none'}"):
            proposed(proposal(subject, reason))


@pytest.mark.parametrize("note", ["", "  "])
def test_a_proposal_without_a_note_is_refused(note: str) -> None:
    """Somebody has to say what happened."""
    with pytest.raises(errors.ChangeImpossible, match="expected a note that says what happened, given none"):
        proposed(proposal(note=note))


def test_what_moves_a_meter_needs_the_regulators_reference() -> None:
    """A decision about a jackpot does not."""
    with pytest.raises(errors.ChangeImpossible, match="expected the regulator's reference, given none"):
        proposed(proposal(regulator_reference=" "))
    assert proposed(proposal(VOIDED, ChangeReason.JACKPOT, regulator_reference="")).state is DecisionState.PROPOSED


def test_another_person_approves() -> None:
    """Two people, by their principals; one alone is refused by name."""
    with pytest.raises(errors.SamePrincipal, match="another principal than ann, who proposed D-1"):
        approve(proposed(), "ann", NOW, 20, NEXT_DAY)
    made = approve(proposed(), "bob", NOW, 20, NEXT_DAY)
    assert (made.state, made.decided_by, made.decided_at) == (DecisionState.APPROVED, "bob", NOW)
    assert (made.rounds_position, made.gaming_day, made.waits) == (20, NEXT_DAY, False)


def test_only_a_retirement_waits() -> None:
    """An approved retirement is carried out at an opening."""
    made = proposed(proposal(RETIRED, ChangeReason.APPROVED_TRANSFER))
    assert not made.waits
    assert approve(made, "bob", NOW, 20, DAY).waits


def test_a_retirement_that_waits_can_be_rejected_with_a_note() -> None:
    """Nobody has to retire a link because two people once approved it."""
    waiting = approve(proposed(proposal(RETIRED, ChangeReason.APPROVED_TRANSFER)), "bob", NOW, 20, DAY)
    with pytest.raises(errors.ChangeImpossible, match="expected a note that says why not, given none"):
        reject(waiting, "cid", NOW, "", 21)
    made = reject(waiting, "cid", NOW, "the heir is not ready", 21)
    assert (made.state, made.decided_by, made.waits) == (DecisionState.REJECTED, "cid", False)
    done = waiting._replace(state=DecisionState.DONE)
    with pytest.raises(errors.AlreadyDecided, match="to be proposed, it is done"):
        reject(done, "cid", NOW, "too late", 22)


def test_a_decision_is_decided_once() -> None:
    """Neither an open one nor one that is over can be approved or rejected."""
    done = approve(proposed(), "bob", NOW, 20, DAY)
    for each in (blank(), done, reject(proposed(), "bob", NOW, "no", 20)):
        with pytest.raises(errors.AlreadyDecided, match=f"expected decision D-1 to be proposed, it is {each.state}"):
            approve(each, "cid", NOW, 21, DAY)
        with pytest.raises(errors.AlreadyDecided):
            reject(each, "cid", NOW, "no", 21)


def test_a_rejection_says_why_and_ends_a_proposal() -> None:
    """What nobody asked for is over."""
    with pytest.raises(errors.ChangeImpossible, match="expected a note that says why not, given none"):
        reject(proposed(), "bob", NOW, " ", 20)
    made = reject(proposed(), "bob", NOW, "wrong meter", 20)
    assert (made.state, made.note, made.decided_by) == (DecisionState.REJECTED, "wrong meter", "bob")


def test_what_the_platform_asks_for_is_open_again_after_a_rejection() -> None:
    """It keeps the gaming day of its round open until it is decided."""
    asked = blank(key=RoundKey(DAY, "BAC-01", 1, 1))
    made = reject(proposed(former=asked), "bob", NOW, "count again", 20)
    assert (made.state, made.key, made.gaming_day) == (DecisionState.OPEN, asked.key, DAY)
    assert approve(proposed(former=made), "bob", NOW, 21, NEXT_DAY).gaming_day == DAY


def test_an_answer_is_about_what_was_asked() -> None:
    """The amount may differ; the kind, and the jackpot, may not."""
    asked = blank(key=RoundKey(DAY, "BAC-01", 1, 1))
    assert proposed(proposal(ADJUSTED._replace(amount=0)), asked).decision_id == "D-1"
    with pytest.raises(errors.ChangeImpossible, match="decision D-1 asks for, Adjustment, given JackpotDecision"):
        proposed(proposal(VOIDED, ChangeReason.JACKPOT), asked)
    other = blank(JackpotDecision("J-2", JackpotAction.NONE, 5), asked.key)
    with pytest.raises(errors.ChangeImpossible, match="expected jackpot J-2, which decision D-1 is about, given J-1"):
        proposed(proposal(VOIDED, ChangeReason.JACKPOT), other)
    with pytest.raises(errors.AlreadyDecided, match="expected decision D-1 to be open, it is proposed"):
        proposed(former=proposed(former=asked))


def test_an_undecided_decision_stands_in_the_state_and_one_that_is_over_does_not() -> None:
    """The state keeps what somebody still has to do."""
    floor = Floor()
    made = floor.propose(ADJUSTED)
    assert list(floor.state.decisions.values()) == [made]
    book = floor.book()
    book.put_decision(reject(made, "bob", NOW, "no", 20))
    floor.keep(book)
    assert floor.state.decisions == {}


def test_a_rejected_answer_is_asked_once_more() -> None:
    """The same decision is open again, and answered by another proposal."""
    floor = Floor()
    floor.round(1, on(1), cards=WHOLE)
    floor.amend(1, on(1))
    (asked,) = floor.open
    subject = JackpotDecision(floor.won().jackpot_id, JackpotAction.VOID, 0)
    made = floor.propose(subject, answers=asked.decision_id)
    assert floor.open == []
    book = floor.book()
    book.put_decision(reject(made, "bob", NOW, "look again", 20))
    floor.keep(book)
    assert [each.decision_id for each in floor.open] == [asked.decision_id]
    floor.decide(subject, answers=asked.decision_id)
    assert floor.state.decisions == {}
