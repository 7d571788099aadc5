"""Two people decide what is done with a fact outside the feed: one proposes, another approves."""

import re
from collections.abc import Callable

from casino.rounds.v1 import entries_pb2 as entries
from services.kernel import errors
from services.rounds import releases, wire
from services.rounds.holds import store as outside
from services.rounds.intake import Intake, Read
from services.rounds.rows import Decision, HeldRow, HoldRow, Proposal
from services.rounds.sheet import People
from services.rounds.writer import Writer
from services.runtime.principals import current_principal
from services.runtime.requests import Answer, Write, once
from services.runtime.server import Service
from services.runtime.store import Connection

DECISIONS = (releases.RELEASE, releases.REJECT)


async def propose(
    service: Service,
    writer: Writer,
    write: Write,
    hold_id: str,
    decision: int,
    reason: str,
    answer: type[Answer],
) -> Answer:
    """Keeps a proposal. HoldUnknown, InvalidRequest, AlreadyDecided, ReleaseImpossible."""
    if decision not in DECISIONS or not reason.strip() or "\0" in reason:
        names = " or ".join(entries.HoldDecision.Name(entries.HoldDecision.ValueType(each)) for each in DECISIONS)
        raise errors.InvalidRequest(f"Expected {names} and a reason, got {decision} and {reason!r}.")
    now, principal = service.clock(), current_principal()
    async with writer.feed.lock, service.pool.acquire() as connection, connection.transaction():

        async def work() -> Answer:
            hold = await find_hold(connection, write.property_id, hold_id)
            releases.check_decidable(hold, decision)
            proposal = Proposal(decision, reason, principal, now)
            await outside.add_proposal(connection, write.property_id, hold.fact, proposal)
            return answer()

        return await once(connection, write, answer, now, work)


async def approve(
    service: Service,
    writer: Writer,
    write: Write,
    hold_id: str,
    seen: int,
    answer: type[Answer],
    make: Callable[[int], Answer],
) -> Answer:
    """Does what stands proposed, if it is the proposal that the approver has `seen`, by its number.

    HoldUnknown, InvalidRequest, DecisionNotProposed, SamePrincipal, AlreadyDecided, ReleaseImpossible.
    """
    async with writer.feed.lock:
        await writer.load()
        # Decisions are few: the book is simply read again, whether this succeeds or not.
        writer.distrust()
        async with service.pool.acquire() as connection:
            known = await write.stored(connection, answer)
            if known is not None:
                return known
            hold = await find_hold(connection, write.property_id, hold_id)
            proposal = _approvable(hold, seen)
            intake, read, beside = await _prepare(service, writer, connection, hold.fact)
        people = People(hold.fact.hold_id, proposal.proposed_by, current_principal())
        decided = _decide(intake, hold.fact, read, beside, people, proposal)
        result = make(intake.position)

        async def record(connection: Connection) -> None:
            await outside.add_decisions(connection, write.property_id, decided)
            await write.keep(connection, result, service.clock())

        await writer.write(intake, people.approved_by, record=record)
        service.metrics.entries.labels(write.property_id, writer.feed.name).inc(len(intake.entries))
        return result


async def find_hold(connection: Connection, property_id: str, hold_id: str) -> HoldRow:
    """A fact outside the feed by its name, found by its key. HoldUnknown."""
    where = _where(hold_id)
    digest = await outside.digest_of(connection, property_id, *where) if where else None
    for hold in await outside.held_facts(connection, property_id, digests=[digest]) if digest else []:
        if hold.fact.hold_id == hold_id:
            return hold
    raise errors.HoldUnknown(f"Expected a fact kept outside the feed of {property_id}, got {hold_id!r}.")


def _where(hold_id: str) -> tuple[tuple[str, int, int, int], str] | None:
    """Source, epoch, sequence and wager of a fact's name, and its digest's beginning; None of what names none."""
    source_id, *numbers, begins = parts if len(parts := hold_id.rsplit("/", 4)) == 5 else ("", "", "")
    if not numbers or not all(re.fullmatch("[0-9]{1,18}", number) for number in numbers) or "\0" in hold_id:
        return None
    epoch, sequence, wager_no = map(int, numbers)
    return ((source_id, epoch, sequence, wager_no), begins) if wager_no <= wire.LARGEST_COUNT else None


def _approvable(hold: HoldRow, seen: int) -> Proposal:
    """What stands proposed of a fact, for another than who proposed it."""
    proposal, principal = hold.proposal, current_principal()
    releases.check_decidable(hold, proposal.decision if proposal else releases.REJECT)
    if proposal is None:
        raise errors.DecisionNotProposed(f"Expected a proposal of {hold.fact.hold_id} to approve, there is none.")
    if proposal.proposed_by == principal:
        raise errors.SamePrincipal(
            f"Expected another principal than {principal}, who proposed it, to approve {hold.fact.hold_id}."
        )
    _check_seen(hold.fact.hold_id, proposal, seen)
    return proposal


def _check_seen(hold_id: str, proposal: Proposal, seen: int) -> None:
    stands = f"proposal {proposal.number} of {hold_id}"
    if seen < 1:
        raise errors.InvalidRequest(f"Expected the number of the proposal that was seen, {stands}; got {seen}.")
    if seen != proposal.number:
        raise errors.AlreadyDecided(f"Expected {stands}, which stands, got proposal {seen}.")


async def _prepare(
    service: Service, writer: Writer, connection: Connection, fact: HeldRow
) -> tuple[Intake, Read | None, list[HoldRow]]:
    """A sheet with all that is known of the fact's round, the event as read, and what is held beside it."""
    read = None if fact.wager_no else writer.read(fact.content)
    key = read.key if read else fact.key
    keys = [key._replace(roll=0)] if key else []
    await writer.see_shoes(connection, keys)
    known = await writer.known(connection, keys, keys, set())
    known = known._replace(table_events=await writer.table_events(connection, [read] if read else []))
    beside = await outside.held_facts(connection, writer.feed.property_id, key=key) if key else []
    return Intake(writer.book, writer.feed.position, known, service.clock()), read, beside


def _decide(
    intake: Intake,
    fact: HeldRow,
    read: Read | None,
    beside: list[HoldRow],
    people: People,
    proposal: Proposal,
) -> list[tuple[HeldRow, Decision]]:
    """Puts what was decided on the sheet; gives the facts decided, each with the entry that resolves it."""
    facts = [fact]
    if proposal.decision == releases.RELEASE:
        facts = releases.release(intake, fact, read, beside, people)
    else:
        releases.reject(intake, fact, read, beside, people, proposal.reason)
    now = intake.now
    return [
        (
            each,
            Decision(
                releases.resolve(intake, each, people, proposal.decision),
                proposal.decision,
                proposal.reason,
                people.proposed_by,
                people.approved_by,
                now,
            ),
        )
        for each in facts
    ]
