"""Links: proposed by one person, approved by another, suspended and resumed."""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from services.games.terms import Terms
from services.kernel import errors
from services.progressives import answers, fold
from services.progressives import link as links
from services.progressives.book import Book
from services.progressives.changes import retirement_waits_for
from services.progressives.decision import Retirement
from services.progressives.entries import link_message
from services.progressives.link import Draft, Link
from services.progressives.offers import terms_on
from services.progressives.operations.ledger import Ledger, act
from services.progressives.play import DayOpened
from services.runtime.requests import Write
from services.runtime.store import Connection

Decide = Callable[[Book, datetime, int], Link]


async def propose_link(ledger: Ledger, request: Write, draft: Draft, by: str) -> answers.ProposeLinkResponse:
    """Enters a proposed version of a link. Raises LinkContradictsRules, LinkTaken, LinkOutOfState."""

    def decide(book: Book, at: datetime, position: int) -> Link:
        state, name = book.state, draft.link_id
        current = state.links.get(name)
        readings = {level: standing.meter.reading for (of, level), standing in state.meters.items() if of == name}
        offers = _offers(ledger, draft.effective_from)
        others = state.versions()
        pending, withdrawn = state.pending.get(name), state.withdrawn.get(name, 0)
        made = links.propose(draft, current, pending, others, offers, readings, by, at, position, withdrawn)
        state.pending[name] = made
        return made

    found: answers.ProposeLinkResponse = await _decide(ledger, request, answers.ProposeLinkResponse, by, decide)
    return found


async def approve_link(
    ledger: Ledger, request: Write, link_id: str, version: int, by: str
) -> answers.ApproveLinkResponse:
    """Enters the approval. Raises LinkUnknown, AlreadyDecided, SamePrincipal, LinkContradictsRules."""

    def decide(book: Book, at: datetime, position: int) -> Link:
        state = book.state
        pending = state.pending.get(link_id)
        if pending is None:
            if link_id in state.links:
                raise errors.AlreadyDecided(f"expected a proposed version of link {link_id}, there is none")
            raise errors.LinkUnknown(f"expected a link of {ledger.property_id}, given {link_id!r}")
        offers = _offers(ledger, pending.effective_from)
        made = links.approve(pending, version, state.versions(), offers, by, at, position)
        state.pending[link_id] = made
        return made

    found: answers.ApproveLinkResponse = await _decide(ledger, request, answers.ApproveLinkResponse, by, decide)
    return found


async def withdraw_link(
    ledger: Ledger, request: Write, link_id: str, version: int, reason: str, by: str
) -> answers.WithdrawLinkResponse:
    """Takes back a version that is not in force. Raises LinkUnknown, LinkOutOfState, AlreadyDecided, InvalidRequest."""

    def decide(book: Book, at: datetime, position: int) -> Link:
        state = book.state
        pending = state.pending.get(link_id)
        if pending is None:
            # One that is in force is refused for its state.
            pending = _in_force(book, link_id)
        made = links.withdraw(pending, version, by, reason, at, position)
        del state.pending[link_id]
        state.withdrawn[link_id] = made.version
        return made

    found: answers.WithdrawLinkResponse = await _decide(ledger, request, answers.WithdrawLinkResponse, by, decide)
    return found


async def suspend_link(
    ledger: Ledger, request: Write, link_id: str, reason: str, by: str
) -> answers.SuspendLinkResponse:
    """Takes a link out of play at once. Raises LinkUnknown, LinkOutOfState, InvalidRequest without a reason."""

    def decide(book: Book, at: datetime, position: int) -> Link:
        made = links.suspend(_in_force(book, link_id), by, reason, at, position)
        book.state.links[link_id] = made
        return made

    found: answers.SuspendLinkResponse = await _decide(ledger, request, answers.SuspendLinkResponse, by, decide)
    return found


async def resume_link(ledger: Ledger, request: Write, link_id: str, reason: str, by: str) -> answers.ResumeLinkResponse:
    """Puts a suspended link back into play. Raises as `suspend_link`; SamePrincipal, LinkContradictsRules."""

    def decide(book: Book, at: datetime, position: int) -> Link:
        state = book.state
        offers = _offers(ledger, state.gaming_day)
        made = links.resume(_in_force(book, link_id), state.versions(), offers, by, reason, at, position)
        state.links[link_id] = made
        return made

    found: answers.ResumeLinkResponse = await _decide(ledger, request, answers.ResumeLinkResponse, by, decide)
    return found


def _in_force(book: Book, link_id: str) -> Link:
    link = book.state.links.get(link_id)
    if link is None:
        if link_id in book.state.pending:
            state = book.state.pending[link_id].state
            raise errors.LinkOutOfState(f"expected link {link_id} to be in force, it is {state}")
        raise errors.LinkUnknown(f"expected a link, given {link_id!r}")
    return link


async def _decide(ledger: Ledger, request: Write, answer: type[Any], by: str, decide: Decide) -> Any:
    async def work(book: Book, connection: Connection, at: datetime, position: int) -> Any:
        made = decide(book, at, position)
        book.written.append(made)
        return answer(link=link_message(made, ledger.property_id))

    return await act(ledger, request, answer, by, work)


def _offers(ledger: Ledger, day: date) -> dict[str, Terms]:
    return terms_on(ledger.submissions.values(), day)


def waiting_for(ledger: Ledger, link_id: str) -> str:
    """What an approved version or retirement of a link waits for beside its day; empty where nothing."""
    state = ledger.state
    pending = state.pending.get(link_id)
    if pending is not None and pending.state is links.LinkState.APPROVED:
        day = max(pending.effective_from, state.gaming_day)
        return fold.waits_for(ledger.book(), pending, DayOpened(0, day, ledger.filed_through))
    for decision in state.decisions.values():
        if decision.waits and isinstance(decision.subject, Retirement) and decision.subject.link_id == link_id:
            return retirement_waits_for(state, decision.subject)
    return ""
