"""What two people decide: one proposes, another approves; an approval is carried out in its own transaction."""

from datetime import datetime
from typing import Any

from services.kernel import errors
from services.kernel.ids import decision_id
from services.progressives import answers, changes, store
from services.progressives import decision as decisions
from services.progressives.book import Book
from services.progressives.changes import HitRecord
from services.progressives.decision import ChangeReason, Decision, DecisionState, JackpotDecision, Proposal, Subject
from services.progressives.entries import decision_message
from services.progressives.jackpot import Jackpot
from services.progressives.operations.ledger import Ledger, act
from services.runtime.requests import Write
from services.runtime.store import Connection


async def propose_decision(
    ledger: Ledger, request: Write, asked: str, proposal: Proposal, by: str
) -> answers.ProposeDecisionResponse:
    """Enters a proposal, of its own or for a decision that the platform asks for.

    Raises DecisionUnknown, AlreadyDecided, ChangeImpossible, and what keeps it from being carried out now.
    """

    async def work(book: Book, connection: Connection, at: datetime, position: int) -> Any:
        former = await _undecided(book, connection, asked) if asked else None
        hit = await _hit(connection, ledger.property_id, proposal.subject)
        jackpot = _jackpot(hit, proposal.subject)
        changes.check(book.state, proposal.subject, jackpot, former)
        name = decision_id(ledger.property_id, request.request_id)
        blank = Decision(
            *(name, DecisionState.PROPOSED, proposal.subject, ChangeReason.NONE, "", "", "", None, "", None),
            *(None, 0, book.state.gaming_day, position),
        )
        made = decisions.propose(former, blank, proposal, by, at)._replace(rounds_position=position)
        book.put_decision(made, jackpot.link_id if jackpot else "")
        return answers.ProposeDecisionResponse(decision=decision_message(made))

    found: answers.ProposeDecisionResponse = await act(ledger, request, answers.ProposeDecisionResponse, by, work)
    return found


async def approve_decision(
    ledger: Ledger, request: Write, name: str, proposal: int, by: str
) -> answers.ApproveDecisionResponse:
    """Carries out the proposal that the approver has seen, by its number.

    Raises DecisionUnknown, InvalidRequest, AlreadyDecided, SamePrincipal, and what keeps it from being carried out.
    """

    async def work(book: Book, connection: Connection, at: datetime, position: int) -> Any:
        proposed = await _undecided(book, connection, name)
        decisions.check_seen(proposed, proposal)
        made = decisions.approve(proposed, by, at, position, book.state.gaming_day)
        changes.apply(book, made, await _hit(connection, ledger.property_id, made.subject))
        return answers.ApproveDecisionResponse(decision=decision_message(made))

    found: answers.ApproveDecisionResponse = await act(ledger, request, answers.ApproveDecisionResponse, by, work)
    return found


async def reject_decision(
    ledger: Ledger, request: Write, name: str, note: str, by: str
) -> answers.RejectDecisionResponse:
    """Turns a proposal down; its proposer may take it back so too. Raises DecisionUnknown, AlreadyDecided."""

    async def work(book: Book, connection: Connection, at: datetime, position: int) -> Any:
        made = decisions.reject(await _undecided(book, connection, name), by, at, note, position)
        if made.asked:
            # What the platform asks is asked again, not what was proposed in answer.
            asked = await store.asked_decision(connection, ledger.property_id, name)
            made = made._replace(subject=asked.subject, reason=asked.reason)
        book.put_decision(made)
        return answers.RejectDecisionResponse(decision=decision_message(made))

    found: answers.RejectDecisionResponse = await act(ledger, request, answers.RejectDecisionResponse, by, work)
    return found


async def _undecided(book: Book, connection: Connection, name: str) -> Decision:
    found = book.state.decisions.get(name)
    if found is None:
        for each in await store.decisions(connection, book.property_id):
            if each.decision_id == name:
                raise errors.AlreadyDecided(f"expected decision {name} to be open or proposed, it is {each.state}")
        raise errors.DecisionUnknown(f"expected a decision that is open or proposed, given {name!r}")
    return found


async def _hit(connection: Connection, property_id: str, subject: Subject) -> HitRecord:
    if isinstance(subject, JackpotDecision):
        return await store.hit_records(connection, property_id, subject.jackpot_id)
    return HitRecord({}, [])


def _jackpot(hit: HitRecord, subject: Subject) -> Jackpot | None:
    return hit.jackpots.get(subject.jackpot_id) if isinstance(subject, JackpotDecision) else None


async def decisions_of(ledger: Ledger) -> list[Decision]:
    """The latest state of every decision, in the order of these states."""
    async with ledger.pool.acquire() as connection:
        return await store.decisions(connection, ledger.property_id)
