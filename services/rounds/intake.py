"""The ladder of answers: each event becomes entries and rows of one commit, or one named answer.

    DUPLICATE    same key, same content: the first answer again
    REJECTED     not a fact of any table: the raw bytes are kept
    QUARANTINED  the round is known, its result or order is not acceptable: the event is kept outside the feed
    HELD         one wager: kept outside the feed, the round's others settle
    GAP          a sequence is missing: nothing is kept

An intake lives for one commit. It changes the book; if the commit fails, the book is loaded again.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as rpc
from services.games.results import GAMES
from services.games.terms import Terms
from services.kernel import errors
from services.kernel.ids import RoundKey
from services.rounds import answers, course, folding, wire
from services.rounds.answers import DUPLICATE, HELD, QUARANTINED, REJECTED
from services.rounds.book import Book, KnownEvent, KnownHold, OpenRound
from services.rounds.course import Place, Step
from services.rounds.folding import Sent, Slot
from services.rounds.shoes import Shoe, ShoeKey, cards_of
from services.rounds.sources import SourcePosition
from services.rounds.store import HeldRow, RoundEventRow, TableEventRow
from services.rounds.wire import FloorEvent
from services.runtime.feeds import NewEntry

WHOLE: Slot = (wire.WHOLE_ROUND, 0, 0)


class Origin(NamedTuple):
    """Where an event came from."""

    source_id: str
    epoch: int
    sequence: int


class Read(NamedTuple):
    """An event as read, or the refusal that reading it gave."""

    raw: bytes
    event: FloorEvent | None
    # The round's key, where the event has one.
    key: RoundKey | None
    shift: int
    refusal: errors.Refusal | None
    digest: bytes


class Known(NamedTuple):
    """What the database already has of the events at hand."""

    rounds: Mapping[RoundKey, Sequence[KnownEvent]]
    holds: Mapping[bytes, Sequence[KnownHold]]
    table_events: Mapping[tuple[date, str, int, datetime], bytes]


NOTHING = Known({}, {}, {})


class Intake:
    """Collects one commit: entries in feed order, typed rows with their positions, answers by sequence."""

    def __init__(self, book: Book, head: int, known: Known, now: datetime) -> None:
        self.book, self._head, self._known, self._now = book, head, known, now
        self.entries: list[NewEntry] = []
        self.round_rows: list[RoundEventRow] = []
        self.table_rows: list[TableEventRow] = []
        self.held_rows: list[HeldRow] = []
        self.opened_days: list[tuple[date, int, int]] = []
        self.accepted = 0
        # The last spin of each wheel in this commit: day and position.
        self.spun: dict[str, tuple[date, int]] = {}
        self._fresh: dict[RoundKey, dict[Slot, bytes]] = {}
        self._fresh_whole: dict[RoundKey, floor.WholeRound] = {}
        self._fresh_sent: dict[RoundKey, dict[Slot, Sent]] = {}
        self._fresh_holds: dict[bytes, list[KnownHold]] = {}

    def take(
        self, source_id: str, epoch: int, first_sequence: int, events: Sequence[Read], refused: frozenset[str]
    ) -> list[rpc.Answer]:
        """Takes a batch of one source in; `refused` are tables whose offer the source has wrong."""
        position = self.book.sources[source_id] or SourcePosition(epoch, 0)
        answered: list[rpc.Answer] = []
        met_known = False
        for sequence, read in enumerate(events, first_sequence):
            if sequence > position.sequence + 1:
                answered.append(answers.gap(sequence, position.sequence + 1, sequence - 1))
                break
            passed = sequence <= position.sequence
            given = self._answer(Origin(source_id, epoch, sequence), read, passed, refused)
            met_known |= any(answer.kind == DUPLICATE for answer in given)
            answered += given
            if not passed:
                position = position._replace(sequence=sequence)
        self.book.sources[source_id] = position
        if events and not met_known:
            self.book.doubtful.discard(source_id)
        return answered

    def _answer(self, origin: Origin, read: Read, passed: bool, refused: frozenset[str]) -> list[rpc.Answer]:
        holds = self._known.holds.get(read.digest, ())
        if passed:
            # Sent twice within one commit: the first is not in the database yet.
            holds = [*holds, *self._fresh_holds.get(read.digest, ())]
        kept = [hold for hold in holds if hold.wager_no == 0]
        if kept:
            return [answers.kept(origin.sequence, kept[0])]
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
            return self._enter(origin, read.event, read.key, read.shift, refused)
        except errors.Refusal as refusal:
            return [self._refuse(origin, read, refusal)]

    def _duplicate(self, event: FloorEvent, key: RoundKey | None) -> bool:
        """Whether the very same is in the feed. Conflict if something else is under the key."""
        if key is None:
            return self._table_event_known(event)
        known = self._events_of(key)
        if event.slot in known:
            return _same(known[event.slot] == event.digest, key, wire.ROUND_KINDS.get(event.kind, "event"))
        if event.kind == wire.WHOLE_ROUND and known:
            return self._folds_to(event, key, known)
        if WHOLE in known and event.kind in wire.ROUND_KINDS:
            return _same(self._is_piece_of_whole(key, event), key, "piece of the whole round")
        return False

    def _table_event_known(self, event: FloorEvent) -> bool:
        body = event.body
        at = wire.instant(event.occurred_at, "occurred_at")
        day, _ = self.book.days.day_and_shift(event.occurred_at.seconds, at)
        digest = self._known.table_events.get((day, body.table_id, event.kind, at))
        if digest is None:
            return False
        if digest != event.digest:
            raise errors.Conflict(f"Another event of {body.table_id} is recorded at {at.isoformat()}.")
        return True

    def _events_of(self, key: RoundKey) -> dict[Slot, bytes]:
        events = {event.slot: event.digest for event in self._known.rounds.get(key, ())}
        events.update(self._fresh.get(key, {}))
        if key in self.book.open_rounds:
            events.update(self.book.open_rounds[key].digests)
        return events

    def _folds_to(self, event: FloorEvent, key: RoundKey, known: Mapping[Slot, bytes]) -> bool:
        """A whole round against its known pieces: True if all are known and equal, False if some are missing."""
        assert isinstance(event.body, floor.WholeRound)
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
            event.slot: folding.sent_in(event.slot[0], event.entry, _held_with(self._known.holds, event.digest))
            for event in self._known.rounds.get(key, ())
        }

    def _is_piece_of_whole(self, key: RoundKey, event: FloorEvent) -> bool:
        """Whether a round that is known whole says the same as an event that is a piece of it."""
        whole = self._fresh_whole.get(key)
        for known in self._known.rounds.get(key, ()) if whole is None else ():
            if known.slot == WHOLE:
                entry = wire.read_round(wire.WHOLE_ROUND, known.entry)
                whole = wire.whole_of(entry, _held_with(self._known.holds, known.digest))
        assert whole is not None, f"round {key} is known whole without its entry"
        piece = folding.piece_of(whole, event.slot, event.body)
        return piece is not None and wire.content_digest(piece) == event.digest

    def _enter(
        self, origin: Origin, event: FloorEvent, key: RoundKey | None, shift: int, refused: frozenset[str]
    ) -> list[rpc.Answer]:
        if key is None:
            return self._enter_table_event(origin, event)
        if event.kind in (wire.VOID, wire.AMEND):
            raise errors.CorrectionNotAccepted(f"The correction of round {key} is kept and not applied.")
        if key.table_id in refused or (key.table_id, key.gaming_day) in self.book.disagreeing:
            expected = self.book.stamps.on(key.table_id, key.gaming_day).digest
            raise errors.DigestUnknown(f"Expected the offer {expected} at {key.table_id}; the floor holds another.")
        if event.kind == wire.WHOLE_ROUND and key in self.book.open_rounds:
            return self._complete(origin, event, key, shift)
        return self._enter_round(origin, event, key, shift)

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

    def _enter_round(self, origin: Origin, event: FloorEvent, key: RoundKey, shift: int) -> list[rpc.Answer]:
        self._open_day(key.gaming_day)
        stamp = self.book.stamps.on(key.table_id, key.gaming_day)
        pit = self.book.tables.on(key.table_id, key.gaming_day).pit
        place = Place(shift, pit, stamp.submission_id, stamp.terms, self.book.spins.get(key.table_id))
        step = course.step(event, key, self.book.open_rounds.get(key), place)
        step.message.origin.source_id, step.message.origin.epoch, step.message.origin.sequence = origin
        step.message.occurred_at.CopyFrom(event.occurred_at)
        self._add(origin, event, key, step)
        if isinstance(event.body, (floor.ResultDealt, floor.WholeRound)):
            self._watch(key, event.body.result, stamp.terms)
        return [self._hold(origin, event, key, wager, refusal) for wager, refusal in step.held]

    def _add(self, origin: Origin, event: FloorEvent, key: RoundKey, step: Step) -> None:
        entry = (
            wire.round_entry(event.kind, key.gaming_day, step.message)
            if event.kind != wire.STAKES_ADDED
            else (wire.stakes_entry(key.gaming_day, step.message, event.item_no, step.stakes))
        )
        self.entries.append(entry)
        position = self._head + len(self.entries)
        at = key._replace(roll=event.roll)
        self.round_rows.append(RoundEventRow(*at, event.kind, event.item_no, position, *origin, event.digest))
        self._fresh.setdefault(key, {})[event.slot] = event.digest
        self.accepted += 1
        if isinstance(event.body, floor.WholeRound):
            self._fresh_whole[key] = event.body
        elif step.goes_on is not None:
            open_round = self.book.open_rounds.setdefault(key, OpenRound())
            open_round.advance(event.slot, event.digest, folding.sent_by(event.body), step.goes_on)
        else:
            done = self.book.open_rounds.pop(key)
            self._fresh[key].update(done.digests)
            self._fresh_sent[key] = done.sent

    def _watch(self, key: RoundKey, result: floor.Result, terms: Terms) -> None:
        if GAMES[terms.game].wheels:
            self.book.spins[key.table_id] = result
            self.spun[key.table_id] = (key.gaming_day, self._head + len(self.entries))
        if key.shoe:
            self._watch_shoe(key, result, terms.decks)

    def _watch_shoe(self, key: RoundKey, result: floor.Result, decks: int) -> None:
        shoe = self.book.shoes.setdefault(ShoeKey(key.gaming_day, key.table_id, key.shoe), Shoe())
        excess = shoe.see(cards_of(result), decks)
        if excess:
            card, count = excess
            text = f"Expected at most {decks} of {card} in shoe {key.shoe} of {key.table_id}, saw the {count}th."
            self.entries.append(wire.exception_entry("SHOE_EXCEEDED", text, key, card=card))

    def _open_day(self, day: date) -> None:
        if day not in self.book.stamps.days:
            position = self.book.stamps.position
            self.entries.append(wire.day_opened_entry(day, position))
            self.opened_days.append((day, self._head + len(self.entries), position))
            self.book.stamps.open_day(day, position)

    def open_day(self, day: date) -> None:
        """Opens a gaming day at cut-over, if no event has done so."""
        self._open_day(day)

    def _enter_table_event(self, origin: Origin, event: FloorEvent) -> list[rpc.Answer]:
        body = event.body
        at = wire.instant(event.occurred_at, "occurred_at")
        day, _ = self.book.days.day_and_shift(event.occurred_at.seconds, at)
        self.book.tables.on(body.table_id, day)
        self._open_day(day)
        if isinstance(body, floor.TableOpened):
            self._compare_offer(body, day)
        self.entries.append(_table_entry(event, day))
        position = self._head + len(self.entries)
        self.table_rows.append(TableEventRow(day, body.table_id, event.kind, at, position, *origin, event.digest))
        self.accepted += 1
        return []

    def _compare_offer(self, body: floor.TableOpened, day: date) -> None:
        expected = self.book.stamps.on(body.table_id, day).digest
        if body.offer_digest not in ("", expected):
            self.book.disagreeing.add((body.table_id, day))
            raise errors.DigestUnknown(f"Expected the offer {expected} at {body.table_id}, got {body.offer_digest!r}.")
        self.book.disagreeing.discard((body.table_id, day))

    def _hold(
        self,
        origin: Origin,
        event: FloorEvent,
        key: RoundKey,
        stake: floor.Wager | floor.AddedStake,
        refusal: errors.Refusal,
    ) -> rpc.Answer:
        number = stake.wager_no if isinstance(stake, floor.Wager) else stake.wager.wager_no
        self._keep(origin, HELD, refusal, key, number, event.digest, stake.SerializeToString())
        self.entries.append(wire.exception_entry(refusal.reason, refusal.message, key, number))
        return answers.refused(origin.sequence, HELD, refusal, number)

    def _refuse(self, origin: Origin, read: Read, refusal: errors.Refusal) -> rpc.Answer:
        kind = QUARANTINED if isinstance(refusal, errors.Quarantined) else REJECTED
        self._keep(origin, kind, refusal, read.key, 0, read.digest, read.raw)
        if kind == QUARANTINED and read.key is not None:
            self._open_day(read.key.gaming_day)
            self.entries.append(wire.exception_entry(refusal.reason, refusal.message, read.key))
        return answers.refused(origin.sequence, kind, refusal)

    def _keep(
        self,
        origin: Origin,
        kind: int,
        refusal: errors.Refusal,
        key: RoundKey | None,
        wager_no: int,
        digest: bytes,
        content: bytes,
    ) -> None:
        day, table, shoe, round_no, roll = key or (None, "", 0, 0, 0)
        reason, message = refusal.reason, refusal.message
        row = HeldRow(
            *origin, wager_no, kind, reason, message, day, table, shoe, round_no, roll, digest, content, self._now
        )
        self.held_rows.append(row)
        self._fresh_holds.setdefault(digest, []).append(KnownHold(kind, reason, message, wager_no, content))


def _held_with(holds: Mapping[bytes, Sequence[KnownHold]], digest: bytes) -> list[bytes]:
    """The wagers held of the event with this content."""
    return [hold.content for hold in holds.get(digest, ()) if hold.wager_no]


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
