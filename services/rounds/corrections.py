"""Voids and amendments: what they make of a recorded round, and of what was recorded after it on its account.

A shooter's hand is told again from its first roll that changes; a spin is told again with another one before it.
"""

from typing import NamedTuple

from google.protobuf.timestamp_pb2 import Timestamp

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as rpc
from services.games.results import GAMES
from services.kernel import errors
from services.kernel.ids import RoundKey
from services.rounds import course, instants, retelling, wire
from services.rounds.course import HeldWagers, Place
from services.rounds.retelling import Told
from services.rounds.sheet import Origin, Sheet
from services.rounds.standing import Standing
from services.rounds.wire import FloorEvent

ITSELF = "service:rounds"


class Cause(NamedTuple):
    """Why an entry is made: the correction's number, reason and actor, where and when it came from, and the digest of
    what the floor sent, empty where it sent none.
    """

    item_no: int
    reason: str
    actor: str
    origin: Origin
    occurred_at: Timestamp
    digest: bytes


def correct(sheet: Sheet, origin: Origin, event: FloorEvent, key: RoundKey, shift: int) -> list[rpc.Answer]:
    """Enters a void or an amendment as the floor sends it.

    RoundUnknown, ReasonMissing, ActorMissing, RoundVoided, OutOfState, and what an amended result refuses.
    """
    if not sheet.events(key):
        raise errors.RoundUnknown(f"Expected a recorded round to correct, got {key}.")
    if not event.reason.strip():
        raise errors.ReasonMissing(f"Expected the reason of the correction of round {key}, got none.")
    if not event.actor.strip():
        raise errors.ActorMissing(f"Expected who corrects round {key}, got none.")
    standing = sheet.standing(key)
    if standing.void:
        raise errors.RoundVoided(f"Expected a round that is not void to correct, {key} is.")
    name, expected = wire.CORRECTIONS[event.kind], standing.next_number(event.kind)
    if event.item_no != expected:
        raise errors.OutOfState(f"Expected {name} {expected} of round {key} next, got item_no {event.item_no}.")
    cause = Cause(event.item_no, event.reason, event.actor, origin, event.occurred_at, event.digest)
    if event.kind == wire.VOID:
        if event.roll:
            raise errors.OutOfState(f"Expected roll 0, a void is of the whole round {key}; got roll {event.roll}.")
        assert isinstance(event.body, floor.RoundVoided)
        void(sheet, key, standing, cause, event.body.opened_at)
        return []
    assert isinstance(event.body, floor.WholeRound)
    return amend(sheet, key, standing, cause, event.body, event.roll, shift)


def void(sheet: Sheet, key: RoundKey, standing: Standing, cause: Cause, opened_at: Timestamp) -> None:
    """Makes a round void: an entry for the whole of it, and one for each roll of a hand told roll by roll."""
    rolls = [roll for roll in sorted(standing.results) if roll]
    for ahead, roll in enumerate([0, *rolls]):
        item_no = standing.next_reentry(ahead - 1) if roll else cause.item_no
        correction = entries.RoundCorrection(
            key=wire.key_message(key._replace(roll=roll)),
            item_no=item_no,
            reason=cause.reason,
            actor=cause.actor,
            origin=cause.origin.message(),
            opened_at=opened_at,
        )
        instants.put(correction, cause.occurred_at)
        digest = cause.digest if cause.digest and not roll else retelling.own_digest(correction)
        entry = wire.correction_entry(wire.VOID, correction)
        sheet.enter(entry, (wire.VOID, roll, item_no), key, cause.origin, digest)
    sheet.unsee(key, standing.result, standing.terms.decks)
    sheet.reopen(key)
    follow_spin(sheet, key, cause, f"void {cause.item_no}")


def amend(
    sheet: Sheet,
    key: RoundKey,
    standing: Standing,
    cause: Cause,
    body: floor.WholeRound,
    roll: int,
    shift: int,
) -> list[rpc.Answer]:
    """Tells a round again. Nothing is entered where it is refused."""
    told, held = tell(sheet, key, standing, body, roll, shift)
    ahead = 0
    for each in told:
        own = each.roll == roll
        enter_amended(sheet, key, each, cause, cause.item_no if own else standing.next_reentry(ahead), own=own)
        ahead += not own
    settle(sheet, key, standing, cause, f"amendment {cause.item_no}")
    sheet.count_stakes(key, body.result, body.wagers)
    return sheet.hold(cause.origin, cause.digest, key, held)


def tell(
    sheet: Sheet, key: RoundKey, standing: Standing, body: floor.WholeRound, roll: int, shift: int
) -> tuple[list[Told], HeldWagers]:
    """What a round told again makes of its entries, and which of its wagers are held."""
    stamp = sheet.book.stamps.on(key.table_id, key.gaming_day)
    pit = sheet.book.tables.on(key.table_id, key.gaming_day).pit
    place = Place(shift, pit, stamp.submission_id, stamp.terms, _previous(sheet, key, standing))
    by_rolls = GAMES[stamp.terms.game].several_results and not standing.whole
    expected = 1 + len(body.earlier_results) if by_rolls else 0
    if roll != expected:
        raise errors.OutOfState(f"Expected roll {expected} of the round {key} told again, got roll {roll}.")
    if by_rolls:
        return retelling.hand(key, standing, body, place)
    again = FloorEvent(wire.WHOLE_ROUND, body, body.opened_at, b"")
    step = course.step(again, key, None, place)
    return [Told(0, step.message)], step.held


def enter_amended(sheet: Sheet, key: RoundKey, told: Told, cause: Cause, item_no: int, *, own: bool) -> None:
    """Enters one round told again: as its cause says, or by rounds itself because of it."""
    told.message.origin.CopyFrom(cause.origin.message())
    instants.put(told.message, cause.occurred_at)
    correction = entries.RoundCorrection(
        key=told.message.key,
        item_no=item_no,
        reason=cause.reason if own else f"Amendment {cause.item_no} of round {key}: {cause.reason}",
        actor=cause.actor if own else ITSELF,
        round=told.message,
    )
    digest = cause.digest if own else retelling.own_digest(told.message)
    entry = wire.correction_entry(wire.AMEND, correction)
    sheet.enter(entry, (wire.AMEND, told.roll, item_no), key, cause.origin, digest)


def settle(sheet: Sheet, key: RoundKey, before: Standing, cause: Cause, what: str) -> None:
    """After a round was told again: its shoe, its wheel, and whether it goes on."""
    sheet.reopen(key)
    after, decks = sheet.standing(key), before.terms.decks
    if key.shoe and after.result is not None and after.result != before.result:
        sheet.unsee(key, before.result, decks)
        sheet.see(key, after.result, decks)
    if after.result != before.result:
        follow_spin(sheet, key, cause, what)


def _previous(sheet: Sheet, key: RoundKey, standing: Standing) -> floor.Result | None:
    """The spin before a round: as it was recorded, or found for one that has no result yet."""
    if not GAMES[standing.terms.game].wheels:
        return None
    if standing.results:
        newest = standing.results[0]
        return newest.previous if newest.HasField("previous") else None
    found = _beside(sheet, key, after=False)
    return found[1].result if found else None


def _beside(sheet: Sheet, key: RoundKey, *, after: bool) -> tuple[RoundKey, Standing] | None:
    """The valid spin of the wheel next to a round."""
    keys = sheet.spins(key.table_id)
    wanted = [each for each in keys if each > key] if after else [each for each in reversed(keys) if each < key]
    for each in wanted:
        standing = sheet.standing(each)
        if standing.result is not None:
            return each, standing
    return None


def follow_spin(sheet: Sheet, key: RoundKey, cause: Cause, what: str) -> None:
    """After a spin was told again or voided: the next one has another before it, or the wheel another last one."""
    changed = sheet.standing(key)
    if not GAMES[changed.terms.game].wheels:
        return
    valid = (key, changed) if changed.result is not None else _beside(sheet, key, after=False)
    following = _beside(sheet, key, after=True)
    if following is None:
        day, position = (valid[0].gaming_day, valid[1].positions[0]) if valid else (key.gaming_day, 0)
        sheet.spin(key.table_id, day, position, valid[1].result if valid else None)
        return
    _respin(sheet, following, valid[1].result if valid else None, key, cause, what)
    if sheet.book.spun.get(key.table_id) in {event.position for event in sheet.events(key)}:
        _last_anew(sheet, key)


def _last_anew(sheet: Sheet, key: RoundKey) -> None:
    """After a correction of the spin that was told last, though others come after it by their numbers: itself, or, if
    it is void, the latest.
    """
    for each in (key, *reversed(sheet.spins(key.table_id))):
        standing = sheet.standing(each)
        if standing.result is not None:
            sheet.spin(key.table_id, each.gaming_day, standing.positions[0], standing.result)
            return


def _respin(
    sheet: Sheet,
    following: tuple[RoundKey, Standing],
    previous: floor.Result | None,
    key: RoundKey,
    cause: Cause,
    what: str,
) -> None:
    """Tells the next spin again, if it has another one before it now."""
    next_key, standing = following
    message = entries.Round()
    message.CopyFrom(standing.results[0])
    message.ClearField("previous")
    if previous is not None:
        message.previous.CopyFrom(previous)
    if message.previous == standing.results[0].previous:
        return
    message.origin.CopyFrom(cause.origin.message())
    instants.put(message, cause.occurred_at)
    item_no = standing.next_reentry()
    correction = entries.RoundCorrection(
        key=message.key,
        item_no=item_no,
        reason=f"The spin before it, round {key}, was corrected by {what}: {cause.reason}",
        actor=ITSELF,
        round=message,
    )
    entry = wire.correction_entry(wire.AMEND, correction)
    sheet.enter(entry, (wire.AMEND, 0, item_no), next_key, cause.origin, retelling.own_digest(message))
    sheet.reopen(next_key)
