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
from services.games.admission import admit
from services.games.results import read_history
from services.games.terms import Terms
from services.kernel import errors
from services.kernel.ids import RoundKey
from services.rounds import answers, wire
from services.rounds.answers import DUPLICATE, HELD, QUARANTINED, REJECTED
from services.rounds.book import Book, KnownEvent, KnownHold, OpenRound
from services.rounds.shoes import Shoe, ShoeKey
from services.rounds.sources import SourcePosition
from services.rounds.store import HeldRow, RoundEventRow, TableEventRow
from services.rounds.wire import FloorEvent
from services.runtime.feeds import NewEntry

PIECES = (wire.ROUND_OPENED, wire.BETTING_CLOSED, wire.RESULT)


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
        self._fresh: dict[RoundKey, dict[int, bytes]] = {}
        self._fresh_whole: dict[RoundKey, floor.WholeRound] = {}

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
        if event.kind in known:
            return _same(known[event.kind] == event.digest, key, wire.ROUND_KINDS.get(event.kind, "event"))
        if event.kind == wire.WHOLE_ROUND and any(kind in known for kind in PIECES):
            return self._folds_to(event, key, known)
        if wire.WHOLE_ROUND in known and event.kind in PIECES:
            return _same(self._piece_of_whole(key, event.kind) == event.digest, key, "piece of the whole round")
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

    def _events_of(self, key: RoundKey) -> dict[int, bytes]:
        events = {event.kind: event.digest for event in self._known.rounds.get(key, ())}
        events.update(self._fresh.get(key, {}))
        if key in self.book.open_rounds:
            events.update(self.book.open_rounds[key].digests)
        return events

    def _folds_to(self, event: FloorEvent, key: RoundKey, known: Mapping[int, bytes]) -> bool:
        """A whole round against its known pieces: True if all are known and equal, False if some are missing."""
        assert isinstance(event.body, floor.WholeRound)
        for kind, piece in wire.pieces(event.body).items():
            if kind in known:
                _same(known[kind] == wire.content_digest(piece), key, wire.ROUND_KINDS[kind])
        return all(kind in known for kind in PIECES)

    def _piece_of_whole(self, key: RoundKey, kind: int) -> bytes:
        if key in self._fresh_whole:
            return wire.content_digest(wire.pieces(self._fresh_whole[key])[kind])
        for event in self._known.rounds.get(key, ()):
            if event.kind == wire.WHOLE_ROUND:
                entry = wire.read_round(event.kind, event.entry)
                held = [hold.content for hold in self._known.holds.get(event.digest, ()) if hold.wager_no]
                return wire.content_digest(wire.pieces(wire.whole_of(entry, held))[kind])
        raise AssertionError(f"round {key} is known whole without its entry")

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
        if event.kind == wire.STAKES_ADDED:
            raise errors.OutOfState(f"The game of {key.table_id} takes no stake after betting closed.")
        if event.kind == wire.WHOLE_ROUND and key in self.book.open_rounds:
            return self._complete(origin, event, key, shift)
        return self._enter_round(origin, event, key, shift)

    def _complete(self, origin: Origin, event: FloorEvent, key: RoundKey, shift: int) -> list[rpc.Answer]:
        """Enters the pieces of a whole round that are missing."""
        assert isinstance(event.body, floor.WholeRound)
        answered: list[rpc.Answer] = []
        for kind, piece in wire.pieces(event.body).items():
            if kind not in self.book.open_rounds[key].digests:
                part = FloorEvent(kind, piece, event.occurred_at, wire.content_digest(piece))
                answered += self._enter_round(origin, part, key, shift)
        return answered

    def _enter_round(self, origin: Origin, event: FloorEvent, key: RoundKey, shift: int) -> list[rpc.Answer]:
        self._open_day(key.gaming_day)
        stamp = self.book.stamps.on(key.table_id, key.gaming_day)
        table = self.book.tables.on(key.table_id, key.gaming_day)
        body = event.body
        message = self._base(event, key)
        message.origin.source_id, message.origin.epoch, message.origin.sequence = origin
        message.occurred_at.CopyFrom(event.occurred_at)
        held: list[tuple[floor.Wager, errors.Refusal]] = []
        if isinstance(body, (floor.RoundOpened, floor.WholeRound)):
            message.key.CopyFrom(wire.key_message(key))
            message.shift, message.pit, message.submission_id = shift, table.pit, stamp.submission_id
            message.dealer = body.dealer
            message.opened_at.CopyFrom(body.opened_at)
        if isinstance(body, (floor.BettingClosed, floor.WholeRound)):
            held = _close_betting(message, body, stamp.terms, key.gaming_day)
        if isinstance(body, (floor.ResultDealt, floor.WholeRound)):
            self._check_result(key, body.result, stamp.terms)
            message.history.add().CopyFrom(body.result)
        self._add(origin, event, key, message)
        if isinstance(body, (floor.ResultDealt, floor.WholeRound)):
            self._watch_shoe(key, body.result, stamp.terms.decks)
        return [self._hold(origin, event, key, wager, refusal) for wager, refusal in held]

    def _base(self, event: FloorEvent, key: RoundKey) -> entries.Round:
        """What the pieces before have recorded. OutOfState if this is not the next one."""
        if event.kind in (wire.ROUND_OPENED, wire.WHOLE_ROUND):
            return entries.Round()
        before = {wire.BETTING_CLOSED: wire.ROUND_OPENED, wire.RESULT: wire.BETTING_CLOSED}[event.kind]
        open_round = self.book.open_rounds.get(key)
        if open_round is None or open_round.stage != before:
            raise errors.OutOfState(
                f"Expected {wire.ROUND_KINDS[before]} of round {key} before {wire.ROUND_KINDS[event.kind]}."
            )
        message = entries.Round()
        message.CopyFrom(open_round.message)
        return message

    def _check_result(self, key: RoundKey, result: floor.Result, terms: Terms) -> None:
        game = result.WhichOneof("game")
        if game != terms.game:
            raise errors.ResultMissing(f"Expected a result of {terms.game} for round {key}, got {game or 'none'}.")
        read_history(terms.game, [getattr(result, terms.game)], terms.decks)

    def _add(self, origin: Origin, event: FloorEvent, key: RoundKey, message: entries.Round) -> None:
        self.entries.append(wire.round_entry(event.kind, key.gaming_day, message))
        position = self._head + len(self.entries)
        self.round_rows.append(RoundEventRow(*key, event.kind, 0, position, *origin, event.digest))
        self._fresh.setdefault(key, {})[event.kind] = event.digest
        self.accepted += 1
        if isinstance(event.body, floor.WholeRound):
            self._fresh_whole[key] = event.body
        if event.kind in (wire.ROUND_OPENED, wire.BETTING_CLOSED):
            self.book.open_rounds.setdefault(key, OpenRound()).advance(event.kind, message, event.digest)
        elif event.kind == wire.RESULT:
            done = self.book.open_rounds.pop(key)
            self._fresh[key].update(done.digests)

    def _watch_shoe(self, key: RoundKey, result: floor.Result, decks: int) -> None:
        if key.shoe == 0:
            return
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
            raise errors.DigestUnknown(f"Expected the offer {expected} at {body.table_id}, got {body.offer_digest}.")
        self.book.disagreeing.discard((body.table_id, day))

    def _hold(
        self, origin: Origin, event: FloorEvent, key: RoundKey, wager: floor.Wager, refusal: errors.Refusal
    ) -> rpc.Answer:
        self._keep(origin, HELD, refusal, key, wager.wager_no, event.digest, wager.SerializeToString())
        self.entries.append(wire.exception_entry(refusal.reason, refusal.message, key, wager.wager_no))
        return answers.refused(origin.sequence, HELD, refusal, wager.wager_no)

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


def cards_of(result: floor.Result) -> list[str]:
    """Every card of a result."""
    return [*result.baccarat.player, *result.baccarat.banker]


def _close_betting(
    message: entries.Round, body: floor.BettingClosed | floor.WholeRound, terms: Terms, day: date
) -> list[tuple[floor.Wager, errors.Refusal]]:
    """Puts the lock times and the accepted wagers into the entry; returns the held ones."""
    placed = wire.placed_wagers(body.wagers)
    no_more_bets_at = first_card_at = None
    if body.HasField("no_more_bets_at"):
        message.no_more_bets_at.CopyFrom(body.no_more_bets_at)
        no_more_bets_at = wire.instant(body.no_more_bets_at, "no_more_bets_at")
    if body.HasField("first_card_at"):
        message.first_card_at.CopyFrom(body.first_card_at)
        first_card_at = wire.instant(body.first_card_at, "first_card_at")
    _, held = admit(placed, terms, day, no_more_bets_at, first_card_at)
    if not held:
        message.wagers.extend(body.wagers)
        return []
    refusals = {wager.wager_no: refusal for wager, refusal in held}
    message.wagers.extend(wager for wager in body.wagers if wager.wager_no not in refusals)
    return [(wager, refusals[wager.wager_no]) for wager in body.wagers if wager.wager_no in refusals]


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
