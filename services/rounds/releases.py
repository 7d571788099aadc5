"""The way out of quarantine and hold: what a fact that two people let in, or reject for good, makes of its round.

Illegal stays illegal: what still cannot be a fact of its round is refused, and only the round's amendment corrects it.
"""

from collections.abc import Iterable, Iterator, Sequence

from google.protobuf.message import DecodeError

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from services.games.catalogue import catalogue
from services.games.results import GAMES
from services.games.settlement import settle_round
from services.kernel import errors
from services.kernel.ids import RoundKey
from services.rounds import corrections, course, folding, instants, retelling, wire
from services.rounds.corrections import Cause
from services.rounds.intake import Intake, Read
from services.rounds.rows import HeldRow, HoldRow
from services.rounds.sheet import Origin, People, Sheet
from services.rounds.standing import Standing
from services.rounds.wire import FloorEvent

RELEASE, REJECT = int(entries.HOLD_DECISION_RELEASE), int(entries.HOLD_DECISION_REJECT)
UNPRICED = ("WAGER_UNKNOWN", "WAGER_NOT_OFFERED", "PAYTABLE_UNKNOWN", "SEAT_UNKNOWN", "PLACEMENT_UNKNOWN")
CONFLICT = errors.Conflict().reason
# A result that came beside another or out of its order is not the one that its round waits for.
STRAY = (CONFLICT, errors.OutOfState().reason)
BASE_HELD = errors.BaseWagerHeld().reason


def check_decidable(hold: HoldRow, decision: int) -> None:
    """AlreadyDecided, ReleaseImpossible: what no decision can change."""
    fact = hold.fact
    if hold.decision is not None:
        word = "released" if hold.decision.decision == RELEASE else "rejected"
        raise errors.AlreadyDecided(
            f"Expected a fact still to be decided, {fact.hold_id} was {word} by {hold.decision.approved_by}."
        )
    if fact.answer == wire.REJECTED:
        raise errors.ReleaseImpossible(f"{fact.hold_id} is no fact of any table ({fact.reason}): {fact.message}")
    if decision == RELEASE and fact.wager_no and fact.reason in UNPRICED:
        raise errors.ReleaseImpossible(f"No paytable in force prices {fact.hold_id} ({fact.reason}): {fact.message}")


def release(
    intake: Intake, fact: HeldRow, read: Read | None, beside: Sequence[HoldRow], people: People
) -> list[HeldRow]:
    """Enters a fact; gives what was let in with it, itself first. `beside` are the facts held of its round.

    `read` is the event of a quarantined one. ReleaseImpossible, and the present refusal of what still cannot be.
    """
    if fact.wager_no:
        return _release_wagers(intake, fact, beside, people)
    assert read is not None
    if read.refusal is not None:
        raise read.refusal
    assert read.event is not None
    _release_event(intake, fact, read.event, read, people)
    return [fact]


def reject(
    intake: Intake, fact: HeldRow, read: Read | None, beside: Sequence[HoldRow], people: People, reason: str
) -> None:
    """Rejects a fact for good: a round whose result it was, and whose wagers stand, is void.

    Not while the same is held of it once more: that one is decided for itself.
    """
    if read is None or read.event is None or read.key is None:
        return
    same = [hold.fact for hold in beside if hold.decision is None and hold.fact.digest == fact.digest]
    if any(row.wager_no == 0 and row.identity != fact.identity for row in same):
        return
    key, event = read.key, read.event
    if event.kind not in (wire.RESULT, wire.WHOLE_ROUND) or fact.reason in STRAY or not intake.events(key):
        return
    standing = intake.standing(key)
    if standing.over or not standing.closed or event.roll in standing.results:
        return
    actor = f"{people.proposed_by}, {people.approved_by}"
    said = f"Its result was rejected: {reason}"
    cause = Cause(standing.next_reentry(), said, actor, _origin(fact), event.occurred_at, b"")
    corrections.void(intake, key, standing, cause, standing.message.opened_at)


def resolve(sheet: Sheet, fact: HeldRow, people: People, decision: int) -> int:
    """Enters that an exception is one no more; gives the position, 0 for a fact without a notice."""
    if fact.key is None or fact.key.gaming_day not in sheet.book.stamps.days:
        return 0
    resolved = entries.ExceptionResolved(
        hold_id=fact.hold_id,
        key=wire.key_message(fact.key),
        wager_no=fact.wager_no,
        reason=fact.reason,
        decision=entries.HoldDecision.ValueType(decision),
        proposed_by=people.proposed_by,
        approved_by=people.approved_by,
    )
    sheet.entries.append(wire.resolved_entry(fact.key.gaming_day, resolved))
    return sheet.position


def _origin(fact: HeldRow) -> Origin:
    return Origin(fact.source_id, fact.epoch, fact.sequence, fact.principal)


def _release_event(intake: Intake, fact: HeldRow, event: FloorEvent, read: Read, people: People) -> None:
    origin, key = _origin(fact), read.key
    correction = event.kind in (wire.VOID, wire.AMEND)
    if fact.reason == CONFLICT and key is not None and intake.events(key) and not correction:
        _replace_round(intake, fact, event, key, read.shift, people)
        return
    if key is not None and not correction and intake.events(key) and intake.standing(key).void:
        raise errors.ReleaseImpossible(f"Round {key} is void, so that {fact.hold_id} cannot enter it.")
    known = intake.digest_at(event)[0] is not None if key is None else event.slot in intake.slots(key)
    if known:
        raise errors.ReleaseImpossible(f"Expected the place of {fact.hold_id} to be free, something is recorded there.")
    intake.people = people
    intake.admit(origin, event, key, read.shift, {})
    intake.people = None
    if key is not None and event.kind in (wire.RESULT, wire.WHOLE_ROUND):
        _place_spin(intake, key, event, origin, people)


def _place_spin(intake: Intake, key: RoundKey, event: FloorEvent, origin: Origin, people: People) -> None:
    """A spin let in late: those recorded since come after it by their numbers."""
    standing = intake.standing(key)
    if GAMES[standing.terms.game].wheels and standing.result is not None:
        cause = Cause(0, f"released by {people.approved_by}", people.approved_by, origin, event.occurred_at, b"")
        corrections.follow_spin(intake, key, cause, "a release")


def _replace_round(intake: Intake, fact: HeldRow, event: FloorEvent, key: RoundKey, shift: int, people: People) -> None:
    """Other content under a known key takes the place of what was recorded, as an amendment does."""
    standing = intake.standing(key)
    if standing.void:
        raise errors.ReleaseImpossible(f"Round {key} is void, so that {fact.hold_id} cannot take its place.")
    body, roll = _told_whole(standing, event, fact)
    told, held = corrections.tell(intake, key, standing, body, roll, shift)
    origin = _origin(fact)
    cause = Cause(0, f"released by {people.approved_by}", people.approved_by, origin, event.occurred_at, b"")
    for ahead, each in enumerate(told):
        if each.roll == roll:
            each.message.origin.CopyFrom(origin.message())
            instants.put(each.message, event.occurred_at)
            _enter_release(intake, key, each.roll, each.message, origin, people)
        else:
            corrections.enter_amended(intake, key, each, cause, standing.next_reentry(ahead), own=False)
    corrections.settle(intake, key, standing, cause, "a release")
    intake.count_stakes(key, body.result, _sent(intake, key, event, body))
    intake.hold(origin, fact.digest, key, held)


def _sent(intake: Intake, key: RoundKey, event: FloorEvent, body: floor.WholeRound) -> Iterator[floor.Wager]:
    """All wagers of a round told again; where only a part of it was, those that the other parts brought too."""
    yield from body.wagers
    if not isinstance(event.body, floor.WholeRound):
        for known in intake.events(key):
            yield from folding.sent_in(known.slot[0], known.entry, intake.held_of(known.digest)).wagers.values()


def _told_whole(standing: Standing, event: FloorEvent, fact: HeldRow) -> tuple[floor.WholeRound, int]:
    """The whole round that the event makes of what is recorded, and the roll that it ends with."""
    by_rolls = GAMES[standing.terms.game].several_results and not standing.whole
    body = event.body
    if isinstance(body, floor.WholeRound):
        return body, 1 + len(body.earlier_results) if by_rolls else 0
    if not standing.results or isinstance(body, floor.StakesAdded | floor.RoundOpened) or (by_rolls and not event.roll):
        raise errors.ReleaseImpossible(f"{fact.hold_id} takes an amendment of the whole round: {fact.message}")
    roll = event.roll or standing.rolls
    newest = standing.results.get(roll)
    if newest is None:
        raise errors.ReleaseImpossible(f"{fact.hold_id} has no recorded result to take the place of.")
    whole = wire.whole_of(newest, ())
    placed = [wager for wager in standing.wagers().values() if not by_rolls or wager.roll < roll]
    if isinstance(body, floor.BettingClosed):
        placed = [*body.wagers, *(each for each in placed if folding.is_later(each.code))]
    else:
        assert isinstance(body, floor.ResultDealt)
        whole.result.CopyFrom(body.result)
    del whole.wagers[:]
    whole.wagers.extend(sorted(placed, key=lambda wager: wager.wager_no))
    return whole, roll


def _enter_release(
    sheet: Sheet, key: RoundKey, roll: int, message: entries.Round, origin: Origin, people: People
) -> None:
    """Enters a round as it stands with what was let in; its row is the next release of the round."""
    item_no = sheet.standing(key).next_number(wire.RELEASE)
    entry = wire.release_entry(key.gaming_day, entries.Release(**people._asdict(), round=message))
    slot = (wire.RELEASE, roll, item_no)
    sheet.enter(entry, slot, key, origin, retelling.own_digest(message))


def _release_wagers(intake: Intake, fact: HeldRow, beside: Sequence[HoldRow], people: People) -> list[HeldRow]:
    """Enters a held wager, and with it the side wagers that were held because it was."""
    assert fact.key is not None
    key = fact.key._replace(roll=0)
    if not intake.events(key):
        raise errors.ReleaseImpossible(f"Expected a recorded round for {fact.hold_id}, {key} is none.")
    standing = intake.standing(key)
    if standing.void:
        raise errors.ReleaseImpossible(f"Round {key} is void, so that {fact.hold_id} cannot enter it.")
    placed = standing.wagers()
    family = _family(fact, _wager(fact), [hold.fact for hold in beside if hold.decision is None], placed.values())
    for row, wager in family:
        if wager.wager_no in placed:
            raise errors.ReleaseImpossible(
                f"Round {key} has a wager {wager.wager_no} by now, so that {row.hold_id} cannot enter it."
            )
    wagers = [wager for _, wager in family]
    for roll, message in _with_wagers(key, standing, wagers):
        message.origin.CopyFrom(_origin(fact).message())
        _enter_release(intake, key, roll, message, _origin(fact), people)
    intake.reopen(key)
    return [row for row, _ in family]


def _wager(fact: HeldRow) -> floor.Wager:
    """The wager kept: by itself, or as a stake that was added."""
    for read in (_as_added, floor.Wager.FromString):
        try:
            wager: floor.Wager = read(fact.content)
        except DecodeError:
            continue
        if wager.wager_no == fact.wager_no:
            return wager
    raise errors.ReleaseImpossible(f"Expected wager {fact.wager_no} in the bytes kept of {fact.hold_id}.")


def _as_added(content: bytes) -> floor.Wager:
    return floor.AddedStake.FromString(content).wager


def _family(
    fact: HeldRow, wager: floor.Wager, beside: Iterable[HeldRow], placed: Iterable[floor.Wager]
) -> list[tuple[HeldRow, floor.Wager]]:
    """The wager, and those of its seat held because it was. ReleaseImpossible while its own base is held."""
    there = {(each.seat, each.code) for each in placed}
    if fact.reason == BASE_HELD and not _based(wager, there):
        raise errors.ReleaseImpossible(f"{fact.hold_id} is released with the wager it needs: {fact.message}")
    family = [(fact, wager)]
    there.add((wager.seat, wager.code))
    depends = [row for row in beside if row.reason == BASE_HELD and row.digest == fact.digest]
    waiting = [(row, _wager(row)) for row in depends if row.identity != fact.identity]
    while found := [each for each in waiting if _based(each[1], there)]:
        family += found
        there.update((each.seat, each.code) for _, each in found)
        waiting = [each for each in waiting if each not in found]
    return family


def _based(wager: floor.Wager, there: set[tuple[int, str]]) -> bool:
    return any((wager.seat, code) in there for code in catalogue()[wager.code].needs)


def _with_wagers(key: RoundKey, standing: Standing, wagers: Sequence[floor.Wager]) -> list[tuple[int, entries.Round]]:
    """The round as it stands with wagers in it: one entry, or of a hand one for each roll that decides some."""
    by_roll: dict[int, list[floor.Wager]] = {}
    for wager in wagers:
        by_roll.setdefault(_deciding(standing, wager), []).append(wager)
    told = []
    for roll, some in sorted(by_roll.items()):
        message = entries.Round()
        message.CopyFrom(standing.results.get(roll) or standing.goes_on or standing.message)
        message.wagers.extend(some)
        message.wagers.sort(key=lambda wager: wager.wager_no)
        if message.history:
            _check(message, key, standing)
        told.append((roll, message))
    return told


def _deciding(standing: Standing, wager: floor.Wager) -> int:
    """The roll of a hand that decides a wager, else the last one; 0 of a round that has one result or none yet."""
    for roll in range(wager.roll + 1, standing.rolls + 1):
        message = standing.results[roll]
        history = course.history_of(message, standing.terms)
        (found,) = settle_round(history, wire.placed_wagers([wager]), standing.terms)
        if found.outcome != "pending":
            return roll
    return standing.rolls


def _check(message: entries.Round, key: RoundKey, standing: Standing) -> None:
    """ReleaseImpossible where the result does not settle what is let in."""
    history = course.history_of(message, standing.terms)
    try:
        course.check_settles(message, history, key, standing.terms)
    except errors.Refusal as refusal:
        raise errors.ReleaseImpossible(f"{refusal.reason}: {refusal.message}") from refusal
