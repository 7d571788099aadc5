"""What two people have decided, done: adjustments, transfers, retirements, and what becomes of a jackpot."""

from typing import NamedTuple

from services.kernel import errors
from services.kernel.money import LARGEST_METER_CENTS, MICROS_PER_CENT, RATE_UNIT, display_cents, dollars
from services.progressives import meter
from services.progressives.book import Book, Origin
from services.progressives.decision import (
    Adjustment,
    Decision,
    DecisionState,
    JackpotAction,
    JackpotDecision,
    Retirement,
    Subject,
    Transfer,
)
from services.progressives.jackpot import OPEN, Jackpot, JackpotState, unpaid
from services.progressives.journal import Movement
from services.progressives.link import Link, LinkState, MeterTerms
from services.progressives.link import retire as retired
from services.progressives.meter import Cause, Net, Steps
from services.progressives.state import State

RUNNING = (LinkState.LIVE, LinkState.SUSPENDED)


class HitRecord(NamedTuple):
    """What has been written of one hit: the latest state of each of its jackpots, and every movement it caused."""

    jackpots: dict[str, Jackpot]
    movements: list[Movement]

    @property
    def net(self) -> Net:
        """What it has put on the meter beside awards, what was taken back included."""
        sums = dict.fromkeys(Net._fields, 0)
        for moved in self.movements:
            if moved.cause.value in sums:
                sums[moved.cause.value] += moved.amount
        return Net(**sums)


def check(state: State, subject: Subject, jackpot: Jackpot | None, former: Decision | None = None) -> None:
    """Whether a decision can be carried out as the meters stand; `jackpot` is the one that it is about.

    `former` is the decision as it was entered before: the open one that is answered, or the proposal to approve.

    Raises LinkUnknown, LinkOutOfState, ChangeImpossible, MeterBelowZero, MeterAboveLimit, JackpotUnknown,
    JackpotOutOfState.
    """
    if isinstance(subject, Adjustment):
        _check_adjusted(state, subject)
    elif isinstance(subject, Transfer):
        _check_transfer(state, subject)
    elif isinstance(subject, Retirement):
        _check_retirement(state, subject)
        _check_only(state, subject, former.decision_id if former else "")
    else:
        _check_jackpot(state, subject, jackpot, former)


def apply(book: Book, decision: Decision, hit: HitRecord) -> None:
    """Carries an approved decision out and writes it down; a retirement waits for its gaming day."""
    origin = Origin(decision.rounds_position, book.state.gaming_day, None, 0, "", decision.decision_id)
    subject = decision.subject
    jackpot = hit.jackpots.get(subject.jackpot_id) if isinstance(subject, JackpotDecision) else None
    check(book.state, subject, jackpot, decision)
    book.put_decision(decision)
    if isinstance(subject, Adjustment):
        _put(book, subject.link_id, subject.level, Cause.ADJUSTMENT, subject.amount, origin)
    elif isinstance(subject, Transfer):
        _put(book, subject.from_link_id, subject.from_level, Cause.TRANSFER_OUT, -subject.amount, origin)
        _put(book, subject.to_link_id, subject.to_level, Cause.TRANSFER_IN, subject.amount, origin)
    elif jackpot is not None and isinstance(subject, JackpotDecision):
        _decide_jackpot(book, decision, subject, jackpot, hit)


def retirement_waits_for(state: State, subject: Retirement) -> str:
    """What keeps a link from retiring at a boundary; empty where nothing does."""
    if busy := state.busy(subject.link_id):
        return busy
    try:
        _check_retirement(state, subject)
    except errors.Refusal as refusal:
        return refusal.message
    return ""


def retire(book: Book, decision: Decision, subject: Retirement, origin: Origin) -> None:
    """Everything on each of the link's meters goes to its heir; hidden triggers are opened."""
    link = book.state.links[subject.link_id]
    by, at = decision.decided_by, decision.decided_at
    assert at is not None, f"retirement {decision.decision_id} was approved at no time"
    moved = origin._replace(decision_id=decision.decision_id)
    for heir in subject.heirs:
        name = link.link_id, heir.level
        book.move(link, heir.level, meter.emptied(book.state.meters[name].meter), moved)
        amount = book.state.meters[name].meter.reading
        out = Steps(book.state.meters[name].meter)
        out.add(Cause.TRANSFER_OUT, -amount)
        book.move(link, heir.level, out.steps, moved)
        to, terms = running(book.state, heir.to_link_id, heir.to_level)
        arriving = meter.taken_in(book.state.meters[heir.to_link_id, heir.to_level].meter, amount, terms.top_micros)
        book.move(to, heir.to_level, arriving, moved)
        own = next(each for each in link.meters if each.level == heir.level)
        if own.mystery:
            book.open_trigger(link, own, "", origin)
    over = retired(link, by, decision.note, at, origin.position)
    book.state.links[link.link_id] = over
    book.state.pending.pop(link.link_id, None)
    book.written.append(over)
    book.put_decision(decision._replace(state=DecisionState.DONE, rounds_position=origin.position))


def running(state: State, link_id: str, level: str) -> tuple[Link, MeterTerms]:
    """A meter that is in force, with its link. Raises LinkUnknown, LinkOutOfState, ChangeImpossible."""
    link = state.links.get(link_id)
    if link is None:
        raise errors.LinkUnknown(f"expected a link that has been live, given {link_id!r}")
    if link.state not in RUNNING:
        raise errors.LinkOutOfState(f"expected link {link_id} to be live or suspended, it is {link.state}")
    for terms in link.meters:
        if terms.level == level:
            return link, terms
    levels = " or ".join(terms.level for terms in link.meters)
    raise errors.ChangeImpossible(f"expected a level of link {link_id}, {levels}, given {level or 'none'}")


def _put(book: Book, link_id: str, level: str, cause: Cause, amount: int, origin: Origin) -> None:
    link, _ = running(book.state, link_id, level)
    made = Steps(book.state.meters[link_id, level].meter)
    made.add(cause, amount)
    book.move(link, level, made.steps, origin)


def _check_moved(state: State, link_id: str, level: str, amount: int) -> None:
    """A meter may be moved by so much: it stays within zero and its limit."""
    _, terms = running(state, link_id, level)
    reading = state.meters[link_id, level].meter.reading
    if reading + amount < 0:
        raise errors.MeterBelowZero(
            f"expected at most the {reading} micro-dollars on {link_id} {level} to be taken, given {-amount}"
        )
    if amount > 0 and reading + amount > terms.top_micros:
        named = "its limit" if terms.limit_cents else "the largest meter"
        raise errors.MeterAboveLimit(
            f"expected {link_id} {level} to stay at or under {named} of ${dollars(display_cents(terms.top_micros))},"
            f" {reading} micro-dollars and {amount} more are above it"
        )


def _check_adjusted(state: State, subject: Adjustment) -> None:
    if subject.amount > 0:
        _check_heir(state, subject.link_id, subject.level)
    _check_moved(state, subject.link_id, subject.level, subject.amount)


def _check_transfer(state: State, subject: Transfer) -> None:
    if subject.amount <= 0:
        raise errors.ChangeImpossible(f"expected an amount above zero to transfer, given {subject.amount}")
    if subject[:2] == subject[2:4]:
        raise errors.ChangeImpossible(f"expected two meters, given {subject.from_link_id} {subject.from_level} twice")
    _check_moved(state, subject.from_link_id, subject.from_level, -subject.amount)
    _check_heir(state, subject.to_link_id, subject.to_level)
    _check_moved(state, subject.to_link_id, subject.to_level, subject.amount)


def _check_heir(state: State, link_id: str, level: str) -> None:
    """People put no money on a meter with a hidden trigger: it would decide who wins."""
    _, terms = running(state, link_id, level)
    if terms.mystery:
        raise errors.ChangeImpossible(f"expected a meter without a hidden trigger, given {link_id} {level}")


def _check_retirement(state: State, subject: Retirement) -> None:
    link = state.links.get(subject.link_id)
    if link is None or link.state not in RUNNING:
        stands = link.state if link else "not there"
        raise errors.LinkOutOfState(f"expected link {subject.link_id} to be live or suspended, it is {stands}")
    levels, given = [terms.level for terms in link.meters], [heir.level for heir in subject.heirs]
    if sorted(levels) != sorted(given):
        named = ", ".join(given) or "none"
        raise errors.ChangeImpossible(f"expected an heir for each of {', '.join(levels)}, once, given {named}")
    for heir in subject.heirs:
        if heir.to_link_id == link.link_id:
            raise errors.ChangeImpossible(f"expected another link than {link.link_id} as heir of {heir.level}")
        _check_heir(state, heir.to_link_id, heir.to_level)


def _check_only(state: State, subject: Retirement, own: str) -> None:
    """A link is retired once."""
    for name, each in state.decisions.items():
        if name != own and isinstance(each.subject, Retirement) and each.subject.link_id == subject.link_id:
            raise errors.ChangeImpossible(
                f"expected no other retirement of link {subject.link_id}, decision {name} is {each.state}"
            )


def _check_jackpot(state: State, subject: JackpotDecision, jackpot: Jackpot | None, former: Decision | None) -> None:
    if jackpot is None:
        raise errors.JackpotUnknown(f"expected a jackpot of the property, given {subject.jackpot_id!r}")
    action, asked = subject.action, former is not None and former.asked
    _check_question(state, jackpot, former)
    voided = jackpot.state is JackpotState.VOIDED
    if action is JackpotAction.NONE:
        raise errors.ChangeImpossible("expected void, confirm or set_amount, given none")
    if action is JackpotAction.CONFIRM and jackpot.state in (JackpotState.UNPRICED, JackpotState.VOIDED):
        _refuse_state(jackpot, "to have an amount")
    if action is JackpotAction.VOID:
        _check_void(state, jackpot, asked=asked)
    if action is JackpotAction.SET_AMOUNT:
        if jackpot.state not in OPEN and not voided:
            _refuse_state(jackpot, "to be unpaid")
        if subject.amount_cents <= 0:
            raise errors.ChangeImpossible(f"expected an amount above zero, given {subject.amount_cents} cents")
        if subject.amount_cents > LARGEST_METER_CENTS:
            most, given = dollars(LARGEST_METER_CENTS), dollars(subject.amount_cents)
            raise errors.ChangeImpossible(f"expected an amount of at most ${most}, given ${given}")
        _check_award(state, jackpot, subject.amount_cents - (0 if voided else jackpot.amount_cents))


def _check_question(state: State, jackpot: Jackpot, former: Decision | None) -> None:
    """What nobody asks about a jackpot waits while something about it is undecided."""
    if former is not None and former.asked:
        return
    if question := state.undecided(jackpot.jackpot_id, but=former.decision_id if former else ""):
        raise errors.JackpotOutOfState(
            f"expected nothing to be undecided about jackpot {jackpot.jackpot_id}, decision {question} is to be decided"
        )


def _check_void(state: State, jackpot: Jackpot, *, asked: bool) -> None:
    """One that is voided stays so where the platform asks; it moves nothing."""
    if jackpot.state is JackpotState.VOIDED:
        if not asked:
            _refuse_state(jackpot, "not to be voided already")
    elif not _without_meter(state, jackpot):
        running(state, jackpot.link_id, jackpot.level)


def _without_meter(state: State, jackpot: Jackpot) -> bool:
    """Whether what is decided of a jackpot moves no meter: none was live, or its link is over.

    A link is not retired while a jackpot of it is open, so that an open one of a retired link is the house's to pay.
    """
    if not jackpot.link_id:
        return True
    over = state.links[jackpot.link_id].state is LinkState.RETIRED
    return over and (jackpot.state in OPEN or jackpot.state is JackpotState.VOIDED)


def _check_award(state: State, jackpot: Jackpot, more: int) -> None:
    """A growing award is paid from the meter; of a mystery meter, what was kept off it comes back first."""
    if _without_meter(state, jackpot) or more <= 0:
        return
    _, terms = running(state, jackpot.link_id, jackpot.level)
    kept = -state.meters[jackpot.link_id, jackpot.level].meter.overflow if terms.mystery else 0
    _check_moved(state, jackpot.link_id, jackpot.level, -max(0, more * MICROS_PER_CENT - kept))


def _refuse_state(jackpot: Jackpot, expected: str) -> None:
    raise errors.JackpotOutOfState(f"expected jackpot {jackpot.jackpot_id} {expected}, it is {jackpot.state}")


def _decide_jackpot(book: Book, decision: Decision, subject: JackpotDecision, jackpot: Jackpot, hit: HitRecord) -> None:
    by = jackpot._replace(actor=decision.decided_by, at=decision.decided_at, rank="", decision_id=decision.decision_id)
    origin = Origin(
        *(decision.rounds_position, book.state.gaming_day, jackpot.key, jackpot.wager_no, jackpot.hit_id),
        decision.decision_id,
    )
    if subject.action is JackpotAction.VOID:
        if jackpot.state is not JackpotState.VOIDED:
            _restore(book, jackpot, hit, origin)
            book.put_jackpot(by._replace(state=JackpotState.VOIDED))
    elif subject.action is JackpotAction.SET_AMOUNT:
        _set_amount(book, jackpot, subject.amount_cents, hit, origin)
        begun = jackpot.state in (JackpotState.CLAIMED, JackpotState.VERIFIED)
        # Who claimed or verified it stays: neither may take the next step too.
        kept = jackpot._replace(decision_id=by.decision_id) if begun else unpaid(by)._replace(state=JackpotState.HIT)
        book.put_jackpot(kept._replace(amount_cents=subject.amount_cents))
    elif jackpot.state is JackpotState.HELD:
        book.put_jackpot(by._replace(state=JackpotState.HIT))
    elif jackpot.state in OPEN:
        book.put_jackpot(jackpot._replace(decision_id=by.decision_id))


def _restore(book: Book, jackpot: Jackpot, hit: HitRecord, origin: Origin) -> None:
    """The meter gets a voided award back (ruling J10); one that was never priced moved none."""
    if _without_meter(book.state, jackpot):
        return
    link, terms = running(book.state, jackpot.link_id, jackpot.level)
    others = [each for each in hit.jackpots.values() if each.jackpot_id != jackpot.jackpot_id]
    last = all(each.state is JackpotState.VOIDED for each in others)
    amount = jackpot.amount_cents * MICROS_PER_CENT
    before = book.state.meters[link.link_id, jackpot.level].meter
    hidden = bool(terms.mystery)
    steps = meter.restore(before, amount, hit.net, last=last, limit=terms.top_micros, hidden=hidden)
    book.move_back(link, jackpot, steps, origin)


def _set_amount(book: Book, jackpot: Jackpot, cents: int, hit: HitRecord, origin: Origin) -> None:
    """The meter pays the other amount; a voided award that is due again resets it again where that was undone."""
    if _without_meter(book.state, jackpot):
        return
    link, terms = running(book.state, jackpot.link_id, jackpot.level)
    voided = jackpot.state is JackpotState.VOIDED
    before = book.state.meters[jackpot.link_id, jackpot.level].meter
    more = (cents - (0 if voided else jackpot.amount_cents)) * MICROS_PER_CENT
    seed = terms.seed_micros if voided and jackpot.percent >= RATE_UNIT else 0
    limit, hidden = terms.top_micros, bool(terms.mystery)
    book.move_back(link, jackpot, meter.set_award(before, more, hit.net, seed, limit=limit, hidden=hidden), origin)
