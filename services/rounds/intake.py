"""The ladder of answers: each event becomes entries and rows of one commit, or one named answer.

    DUPLICATE    same key, same content: the first answer again
    REJECTED     not a fact of any table: the raw bytes are kept
    QUARANTINED  the round is known, its result or order is not acceptable: the event is kept outside the feed
    HELD         one wager: kept outside the feed, the round's others settle
    GAP          a sequence is missing: nothing is kept

An intake lives for one commit. It changes the book; if the commit fails, the book is loaded again.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as rpc
from services.kernel import errors
from services.kernel.ids import RoundKey
from services.rounds import answers, corrections, course, folding, instants, usual, wire
from services.rounds.answers import DUPLICATE, QUARANTINED, REJECTED
from services.rounds.book import Book, KnownHold, OpenRound
from services.rounds.course import Place, Step
from services.rounds.folding import Sent, Slot
from services.rounds.frames import Tail
from services.rounds.rows import TableEventRow
from services.rounds.sheet import Known, Origin, Sheet
from services.rounds.sources import within
from services.rounds.waiting import Told
from services.rounds.wire import FloorEvent
from services.runtime.feeds import NewEntry

WHOLE: Slot = (wire.WHOLE_ROUND, 0, 0)
# Of these a release carries the round; the others enter as what they are.
RELEASED = (wire.BETTING_CLOSED, wire.RESULT, wire.WHOLE_ROUND)
AHEAD = timedelta(days=1)
"""How far an event's gaming day may lie after the one under way."""


TableKey = tuple[date, str, int, datetime]
"""The place of a table event: day, table, kind and time."""


class Read(NamedTuple):
    """An event as read, or the refusal that reading it gave."""

    raw: bytes
    event: FloorEvent | None
    # The round's key, where the event has one.
    key: RoundKey | None
    shift: int
    refusal: errors.Refusal | None
    digest: bytes


class Intake(Sheet):
    """Takes events into the sheet of one commit, and answers by sequence."""

    def __init__(self, book: Book, head: int, known: Known, now: datetime) -> None:
        super().__init__(book, head, known, now)
        self._last_day = book.days.today(now) + AHEAD
        self._fresh_whole: dict[RoundKey, floor.WholeRound] = {}
        self._fresh_sent: dict[RoundKey, dict[Slot, Sent]] = {}
        self._fresh_table_events: dict[TableKey, bytes] = {}
        self._tails: dict[tuple[str, int, str], Tail] = {}

    def take(
        self,
        source_id: str,
        epoch: int,
        first_sequence: int,
        events: Sequence[Read],
        told: Told,
        principal: str,
    ) -> list[rpc.Answer]:
        """Takes a batch of one source in; `told` are offers as its stream told them, but not as they were in force."""
        before = within(self.book.sources[source_id], epoch)
        reached = before.sequence
        answered: list[rpc.Answer] = []
        met_known = False
        for sequence, read in enumerate(events, first_sequence):
            if sequence > reached + 1:
                answered.append(answers.gap(sequence, reached + 1, sequence - 1))
                break
            passed = sequence <= reached
            given = self._answer(Origin(source_id, epoch, sequence, principal), read, passed, told)
            if given:
                met_known |= any(answer.kind == DUPLICATE for answer in given)
                answered += given
            if not passed:
                reached = sequence
        self.book.sources[source_id] = before._replace(sequence=reached)
        if reached != before.sequence and not met_known:
            self.book.doubtful.discard(source_id)
        return answered

    def _answer(self, origin: Origin, read: Read, passed: bool, told: Told) -> list[rpc.Answer]:
        holds = self.holds_of(read.digest)
        for hold in holds:
            if hold.wager_no == 0 and _is_of(hold, origin, read):
                return [answers.kept(origin.sequence, hold)]
        try:
            if read.refusal is not None:
                raise read.refusal
            assert read.event is not None
            if self._duplicate(read.event, read.key):
                return [
                    answers.duplicate(origin.sequence),
                    *(answers.held_again(origin.sequence, hold) for hold in holds),
                ]
            if passed:
                raise errors.Conflict(
                    f"Sequence {origin.sequence} of {origin.source_id} was answered before with other content."
                )
            return self.admit(origin, read.event, read.key, read.shift, told)
        except errors.Refusal as refusal:
            return [self._refuse(origin, read, refusal)]

    def _duplicate(self, event: FloorEvent, key: RoundKey | None) -> bool:
        """Whether the very same is in the feed. Conflict if something else is under the key."""
        if key is None:
            digest, place = self.digest_at(event)
            if digest not in (None, event.digest):
                raise errors.Conflict(f"Another event of {place[1]} is recorded at {place[3].isoformat()}.")
            return digest is not None
        if self._is_new(key):
            return False
        known = self._events_of(key)
        if event.slot in known:
            return _same(known[event.slot] == event.digest, key, wire.ROUND_KINDS.get(event.kind, "event"))
        if event.kind == wire.WHOLE_ROUND and known:
            return self._folds_to(event, key, known)
        if WHOLE in known and event.kind in wire.ROUND_KINDS:
            return _same(self._is_piece_of_whole(key, event), key, "piece of the whole round")
        return False

    def digest_at(self, event: FloorEvent) -> tuple[bytes | None, TableKey]:
        """What is recorded at a table event's place, this commit's with it, and the place. KeyImpossible."""
        at = instants.instant(event.occurred_at, "occurred_at")
        day, _ = self.book.days.day_and_shift(event.occurred_at.seconds, at)
        place = (day, event.body.table_id, event.kind, at)
        # Sent twice within one commit: the first is not in the database yet.
        return self._known.table_events.get(place) or self._fresh_table_events.get(place), place

    def slots(self, key: RoundKey) -> dict[Slot, bytes]:
        """The digests of everything recorded of a round, by its place in the round."""
        return self._events_of(key)

    def _is_new(self, key: RoundKey) -> bool:
        """Whether nothing is recorded of a round."""
        known, open_rounds = self._known.rounds, self.book.open_rounds
        # Where rounds come whole both are empty: a key is not hashed for them.
        return not (known and key in known) and key not in self._fresh and not (open_rounds and key in open_rounds)

    def _events_of(self, key: RoundKey) -> dict[Slot, bytes]:
        events = {event.slot: event.digest for event in self._known.rounds.get(key, ())}
        events.update(self._fresh.get(key, {}))
        if key in self.book.open_rounds:
            events.update(self.book.open_rounds[key].digests)
        return events

    def _folds_to(self, event: FloorEvent, key: RoundKey, known: Mapping[Slot, bytes]) -> bool:
        """A whole round against its known pieces: True if all are known and equal, False if some are missing."""
        assert isinstance(event.body, floor.WholeRound)
        known = {slot: digest for slot, digest in known.items() if slot[0] in wire.ROUND_KINDS}
        expected = self._pieces(event.body, key, known)
        for slot, digest in known.items():
            piece = expected.get(slot)
            _same(piece is not None and wire.content_digest(piece) == digest, key, wire.ROUND_KINDS[slot[0]])
        return known.keys() == expected.keys()

    def _pieces(self, whole: floor.WholeRound, key: RoundKey, known: Mapping[Slot, bytes]) -> dict[Slot, wire.Piece]:
        """A whole round as the pieces it stands for, spread as the known ones are."""
        return folding.fold(whole, self._sent(key), over=folding.RESULT in known)

    def _sent(self, key: RoundKey) -> Mapping[Slot, Sent]:
        """What the known pieces of a round brought of wagers."""
        if key in self.book.open_rounds:
            return self.book.open_rounds[key].sent
        if key in self._fresh_sent:
            return self._fresh_sent[key]
        return {
            event.slot: folding.sent_in(event.slot[0], event.entry, self.held_of(event.digest))
            for event in self._known.rounds.get(key, ())
        }

    def _is_piece_of_whole(self, key: RoundKey, event: FloorEvent) -> bool:
        """Whether a round that is known whole says the same as an event that is a piece of it."""
        whole = self._fresh_whole.get(key)
        for known in self._known.rounds.get(key, ()) if whole is None else ():
            if known.slot == WHOLE:
                whole = wire.whole_of(wire.read_round(known.entry), self.held_of(known.digest))
        assert whole is not None, f"round {key} is known whole without its entry"
        piece = folding.piece_of(whole, event.slot, event.body)
        return piece is not None and wire.content_digest(piece) == event.digest

    def admit(
        self, origin: Origin, event: FloorEvent, key: RoundKey | None, shift: int, told: Told
    ) -> list[rpc.Answer]:
        """Enters an event that is not in the feed; the answers are of its held wagers. Refusals of many kinds."""
        if key is None:
            return self._enter_table_event(origin, event, told)
        self._check_clock(key.gaming_day)
        self._check_offer(key, told)
        if event.kind in (wire.VOID, wire.AMEND):
            return corrections.correct(self, origin, event, key, shift)
        if self._is_new(key):
            return self._enter_round(origin, event, key, shift)
        if event.kind == wire.WHOLE_ROUND and key in self.book.open_rounds:
            return self._complete(origin, event, key, shift)
        if event.kind in (wire.WHOLE_ROUND, wire.ROUND_OPENED) and self._events_of(key):
            raise errors.OutOfState(f"Expected a correction of round {key}, which is over; got a part of it.")
        return self._enter_round(origin, event, key, shift)

    def _check_offer(self, key: RoundKey, told: Told) -> None:
        """DigestUnknown where the floor holds another offer of the round's table and day than is in force by now."""
        place, disagreeing = (key.table_id, key.gaming_day), self.book.disagreeing
        if place not in told and place not in disagreeing:
            return
        expected = self.book.stamps.on(*place).digest
        if place in disagreeing or told[place] != expected:
            raise errors.DigestUnknown(f"Expected the offer {expected} at {key.table_id}; the floor holds another.")

    def _complete(self, origin: Origin, event: FloorEvent, key: RoundKey, shift: int) -> list[rpc.Answer]:
        """Enters the pieces of a whole round that are missing."""
        assert isinstance(event.body, floor.WholeRound)
        answered: list[rpc.Answer] = []
        known = self._events_of(key)
        for slot, piece in self._pieces(event.body, key, known).items():
            if slot not in known:
                part = FloorEvent(slot[0], piece, event.occurred_at, wire.content_digest(piece), *slot[1:])
                answered += self._enter_round(origin, part, key, shift)
        return answered

    def _check_clock(self, day: date) -> None:
        """TimeAhead: a device's wrong clock opens no day of the future, and fixes no submission for it."""
        if day > self._last_day:
            raise errors.TimeAhead(
                f"Expected a gaming day up to {self._last_day}, the one after that under way; got {day}."
            )

    def _check_stakes_number(self, event: FloorEvent, key: RoundKey) -> None:
        """Stakes added to a round are numbered 1, 2, 3 and so on. OutOfState."""
        if event.kind != wire.STAKES_ADDED:
            return
        expected = 1 + max((slot[2] for slot in self._events_of(key) if slot[0] == wire.STAKES_ADDED), default=0)
        if event.item_no != expected:
            raise errors.OutOfState(f"Expected stakes {expected} of round {key} next, got item_no {event.item_no}.")

    def _enter_round(self, origin: Origin, event: FloorEvent, key: RoundKey, shift: int) -> list[rpc.Answer]:
        if event.cut is not None and self.people is None and self._enter_usual(origin, event, key, shift):
            return []
        stamp = self.book.stamps.on(key.table_id, key.gaming_day)
        pit = self.book.tables.on(key.table_id, key.gaming_day).pit
        place = Place(shift, pit, stamp.submission_id, stamp.terms, self.book.spins.get(key.table_id))
        before = self.book.open_rounds.get(key)
        step = course.step(event, key, before, place)
        self._check_stakes_number(event, key)
        # What is refused above opens no day.
        self.open_day(key.gaming_day)
        step.message.origin.source_id, step.message.origin.epoch, step.message.origin.sequence = origin[:3]
        step.message.origin.principal = origin.principal
        instants.put(step.message, event.occurred_at)
        self._add(origin, event, key, step)
        if isinstance(event.body, (floor.ResultDealt, floor.WholeRound)):
            self.watch(key, event.body.result, stamp.terms)
            self.count_stakes(key, event.body.result, _sent(before, event.body))
        return self.hold(origin, event.digest, key, step.held)

    def _enter_usual(self, origin: Origin, event: FloorEvent, key: RoundKey, shift: int) -> bool:
        """Enters a usual whole round; of another it does nothing."""
        entry = usual.entry(self.book, event, key, shift, self._tail_of(origin), origin.sequence)
        if entry is None:
            return False
        self.open_day(key.gaming_day)
        self.enter(entry, WHOLE, key, origin, event.digest)
        assert isinstance(event.body, floor.WholeRound)
        self._fresh_whole[key] = event.body
        self.watch(key, event.body.result, self.book.stamps.on(key.table_id, key.gaming_day).terms)
        return True

    def _tail_of(self, origin: Origin) -> Tail:
        source = origin.source_id, origin.epoch, origin.principal
        tail = self._tails.get(source)
        if tail is None:
            tail = self._tails[source] = Tail(*source)
        return tail

    def _add(self, origin: Origin, event: FloorEvent, key: RoundKey, step: Step) -> None:
        self.enter(self._entry(event, key, step), event.slot, key, origin, event.digest)
        if isinstance(event.body, floor.WholeRound):
            self._fresh_whole[key] = event.body
        elif step.goes_on is not None:
            open_round = self.book.open_rounds.setdefault(key, OpenRound())
            open_round.advance(event.slot, event.digest, folding.sent_by(event.body), step.goes_on)
        else:
            done = self.book.open_rounds.pop(key)
            self._fresh[key].update(done.digests)
            self._fresh_sent[key] = done.sent

    def _entry(self, event: FloorEvent, key: RoundKey, step: Step) -> NewEntry:
        if event.kind == wire.STAKES_ADDED:
            return wire.stakes_entry(key.gaming_day, step.message, event.item_no, step.stakes)
        if self.people is not None and event.kind in RELEASED:
            name = wire.ROUND_KINDS[event.kind]
            release = entries.Release(**self.people._asdict(), round=step.message, event=name)
            return wire.release_entry(key.gaming_day, release)
        return wire.round_entry(event.kind, key.gaming_day, step.message)

    def _enter_table_event(self, origin: Origin, event: FloorEvent, told: Told) -> list[rpc.Answer]:
        body = event.body
        _, place = self.digest_at(event)
        day = place[0]
        self.book.tables.on(body.table_id, day)
        self._check_clock(day)
        if isinstance(body, floor.TableOpened):
            self._compare_offer(body, day)
            told.pop((body.table_id, day), None)
        self.open_day(day)
        self.entries.append(_table_entry(event, day))
        self.table_rows.append(TableEventRow(*place, self.position, *origin[:3], event.digest))
        self._fresh_table_events[place] = event.digest
        self.accepted += 1
        return []

    def _compare_offer(self, body: floor.TableOpened, day: date) -> None:
        expected = self.book.stamps.on(body.table_id, day).digest
        if body.offer_digest not in ("", expected):
            self.book.disagreeing.add((body.table_id, day))
            raise errors.DigestUnknown(f"Expected the offer {expected} at {body.table_id}, got {body.offer_digest!r}.")
        self.book.disagreeing.discard((body.table_id, day))

    def _refuse(self, origin: Origin, read: Read, refusal: errors.Refusal) -> rpc.Answer:
        kind = QUARANTINED if isinstance(refusal, errors.Quarantined) else REJECTED
        # A wrong clock names no round.
        key = None if isinstance(refusal, errors.TimeAhead) else read.key
        row = self.keep(origin, kind, refusal, key, 0, read.digest, read.raw)
        if kind == QUARANTINED and key is not None:
            if key.gaming_day in self.book.stamps.days:
                self.entries.append(wire.exception_entry(refusal.reason, refusal.message, key))
            else:
                self.book.unnoticed.setdefault(key.gaming_day, []).append(row)
        return answers.refused(origin.sequence, kind, refusal)


def _sent(before: OpenRound | None, body: floor.ResultDealt | floor.WholeRound) -> Iterator[floor.Wager]:
    """All wagers that the floor has sent of a round that ends, held ones too."""
    for piece in (*(before.sent.values() if before else ()), folding.sent_by(body)):
        yield from piece.wagers.values()


def _is_of(hold: KnownHold, origin: Origin, read: Read) -> bool:
    """Whether a hold with an event's content is of it: a table event is another one at another time."""
    event = read.event
    if event is None or event.kind not in wire.TABLE_KINDS or hold.origin == origin[:3]:
        return True
    return wire.occurred_at(hold.content) == event.occurred_at


def _table_entry(event: FloorEvent, day: date) -> NewEntry:
    body, name = event.body, {wire.TABLE_OPENED: "table_opened", wire.TABLE_CLOSED: "table_closed"}
    entry = entries.Entry()
    if isinstance(body, floor.ShoeChanged):
        entry.shoe_changed.gaming_day, entry.shoe_changed.table_id = day.isoformat(), body.table_id
        entry.shoe_changed.shoe = body.shoe
        entry.shoe_changed.occurred_at.CopyFrom(event.occurred_at)
    else:
        state: entries.TableState = getattr(entry, name[event.kind])
        state.gaming_day, state.table_id = day.isoformat(), body.table_id
        state.occurred_at.CopyFrom(event.occurred_at)
        state.offer_digest = body.offer_digest if isinstance(body, floor.TableOpened) else ""
    return wire.new_entry(event.kind, day, entry)


def _same(equal: bool, key: RoundKey, what: str) -> bool:
    if not equal:
        raise errors.Conflict(f"Round {key} is recorded with another {what}.")
    return True
