"""The sheet of one commit: entries in the order of the feed, typed rows with their positions, what stays outside.

A sheet changes the book; if its commit fails, the book is loaded again.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as rpc
from services.games.results import GAMES
from services.games.terms import Terms
from services.kernel import errors
from services.kernel.ids import RoundKey
from services.rounds import answers, wire
from services.rounds.answers import HELD
from services.rounds.book import Book, KnownEvent, KnownHold
from services.rounds.folding import Slot
from services.rounds.rows import HeldRow, RoundEventRow, TableEventRow
from services.rounds.shoes import Shoe, cards_of
from services.rounds.stakes import unsent
from services.rounds.standing import Standing
from services.runtime.feeds import NewEntry

SHOE_EXCEEDED, STAKE_MISSING = "SHOE_EXCEEDED", "STAKE_MISSING"
ON_RECORD = (SHOE_EXCEEDED, STAKE_MISSING)
"""Exceptions that stay on the table's record: beside them no fact is held."""


class Origin(NamedTuple):
    """Where an event came from, and the principal whose call brought it."""

    source_id: str
    epoch: int
    sequence: int
    principal: str

    def message(self) -> entries.Origin:
        """As an entry carries it."""
        return entries.Origin(
            source_id=self.source_id, epoch=self.epoch, sequence=self.sequence, principal=self.principal
        )


class People(NamedTuple):
    """Two who let a fact in, and its name."""

    hold_id: str
    proposed_by: str
    approved_by: str


class Known(NamedTuple):
    """What the database already has of the events at hand; `spins` are rounds of wheels beside those corrected."""

    rounds: Mapping[RoundKey, Sequence[KnownEvent]]
    holds: Mapping[bytes, Sequence[KnownHold]]
    table_events: Mapping[tuple[date, str, int, datetime], bytes]
    spins: frozenset[RoundKey] = frozenset()


NOTHING = Known({}, {}, {})


class Sheet:
    """Collects one commit."""

    def __init__(self, book: Book, head: int, known: Known, now: datetime) -> None:
        self.book, self._head, self._known, self.now = book, head, known, now
        self.entries: list[NewEntry] = []
        self.round_rows: list[RoundEventRow] = []
        self.table_rows: list[TableEventRow] = []
        self.held_rows: list[HeldRow] = []
        self.opened_days: list[tuple[date, int, int]] = []
        self.accepted = 0
        # The last spin of each wheel in this commit: day and position, 0 where there is none.
        self.spun: dict[str, tuple[date, int]] = {}
        # Who lets the events at hand in, while they do.
        self.people: People | None = None
        self._fresh: dict[RoundKey, dict[Slot, bytes]] = {}
        self._fresh_events: dict[RoundKey, list[KnownEvent]] = {}
        self._fresh_holds: dict[bytes, list[KnownHold]] = {}

    @property
    def position(self) -> int:
        """Of the last entry."""
        return self._head + len(self.entries)

    def enter(self, entry: NewEntry, slot: Slot, key: RoundKey, origin: Origin, digest: bytes) -> None:
        """Puts an event of a round down: its entry and its row. The slot's kind may differ from the entry's."""
        self.entries.append(entry)
        position = self.position
        kind, roll, item_no = slot
        day, table_id, shoe, round_no, own = key
        source_id, epoch, sequence, _ = origin
        self.round_rows.append(
            RoundEventRow(
                day, table_id, shoe, round_no, roll, kind, item_no, position, source_id, epoch, sequence, digest
            )
        )
        round_ = key._replace(roll=0) if own else key
        known = KnownEvent(slot, digest, entry.data, position)
        if round_ in self._fresh:
            self._fresh[round_][slot] = digest
            self._fresh_events.setdefault(round_, []).append(known)
        else:
            self._fresh[round_] = {slot: digest}
            self._fresh_events[round_] = [known]
        self.accepted += 1

    def events(self, key: RoundKey) -> list[KnownEvent]:
        """Everything recorded of a round that was looked up, this commit's with it."""
        return [*self._known.rounds.get(key, ()), *self._fresh_events.get(key, ())]

    def standing(self, key: RoundKey) -> Standing:
        """A round that was looked up, as it stands."""
        return Standing(self.book.stamps.on(key.table_id, key.gaming_day).terms, self.events(key))

    def holds_of(self, digest: bytes) -> Sequence[KnownHold]:
        """What is kept of the event with this content: those of this commit are not in the database yet."""
        if not self._known.holds and not self._fresh_holds:
            return ()
        return (*self._known.holds.get(digest, ()), *self._fresh_holds.get(digest, ()))

    def held_of(self, digest: bytes) -> list[bytes]:
        """The wagers held of the event with this content."""
        return [hold.content for hold in self.holds_of(digest) if hold.wager_no]

    def reopen(self, key: RoundKey) -> None:
        """After a correction: the book keeps the round if it goes on, and forgets it if it is over."""
        events = self.events(key)
        self._fresh.setdefault(key, {}).update({event.slot: event.digest for event in events})
        found = self.standing(key).reopened(events, self.held_of)
        if found is None:
            self.book.open_rounds.pop(key, None)
        else:
            self.book.open_rounds[key] = found

    def spins(self, table_id: str) -> list[RoundKey]:
        """The rounds of a wheel that were looked up, this commit's with them, in order."""
        fresh = {key for key in self._fresh_events if key.table_id == table_id}
        return sorted(fresh | {key for key in self._known.spins if key.table_id == table_id})

    def watch(self, key: RoundKey, result: floor.Result, terms: Terms) -> None:
        """Takes a result in: the wheel's last spin, the cards seen of a shoe."""
        if GAMES[terms.game].wheels:
            self.spin(key.table_id, key.gaming_day, self.position, result)
        if key.shoe:
            self.see(key, result, terms.decks)

    def spin(self, table_id: str, day: date, position: int, result: floor.Result | None) -> None:
        """Keeps the last spin of a wheel, and where it stands."""
        if result is None:
            self.book.spins.pop(table_id, None)
        else:
            self.book.spins[table_id] = result
        self.spun[table_id] = (day, position)
        self.book.spun[table_id] = position

    def see(self, key: RoundKey, result: floor.Result, decks: int) -> None:
        """The cards of a result: the first too many of its shoe is an exception."""
        shoe = self.book.shoes.get(key[:3])
        if shoe is None:
            shoe = self.book.shoes[key[:3]] = Shoe()
        excess = shoe.see(cards_of(result), decks)
        if excess:
            card, count = excess
            text = f"Expected at most {decks} of {card} in shoe {key.shoe} of {key.table_id}, saw the {count}th."
            self.entries.append(wire.exception_entry(SHOE_EXCEEDED, text, key, card=card))

    def count_stakes(self, key: RoundKey, result: floor.Result, wagers: Iterable[floor.Wager]) -> None:
        """Each stake that the play shows and the floor did not send, of all wagers that it did, is an exception."""
        for owed in unsent(result, wagers):
            where = f"hand {owed.placement} of seat {owed.seat}" if owed.placement else f"seat {owed.seat}"
            text = f"Expected the stake {owed.code} on {where} in round {key}, where it was played; none was sent."
            self.entries.append(wire.exception_entry(STAKE_MISSING, text, key))

    def unsee(self, key: RoundKey, result: floor.Result | None, decks: int) -> None:
        """Takes the cards of a result back that is void or told again."""
        shoe = self.book.shoes.get(key[:3])
        if shoe is not None and result is not None:
            shoe.unsee(cards_of(result), decks)

    def open_day(self, day: date) -> None:
        """Opens a gaming day, if no event has done so."""
        if day not in self.book.stamps.days:
            position = self.book.stamps.position
            self.entries.append(wire.day_opened_entry(day, position))
            self.opened_days.append((day, self.position, position))
            self.book.stamps.open_day(day, position)
            for fact in self.book.unnoticed.pop(day, ()):
                assert fact.key is not None
                self.entries.append(wire.exception_entry(fact.reason, fact.message, fact.key))

    def hold(
        self,
        origin: Origin,
        digest: bytes,
        key: RoundKey,
        held: Iterable[tuple[floor.Wager | floor.AddedStake, errors.Refusal]],
    ) -> list[rpc.Answer]:
        """Keeps wagers of an event outside the feed, each with its notice."""
        answered = []
        for stake, refusal in held:
            number = stake.wager_no if isinstance(stake, floor.Wager) else stake.wager.wager_no
            self.keep(origin, HELD, refusal, key, number, digest, stake.SerializeToString())
            self.entries.append(wire.exception_entry(refusal.reason, refusal.message, key, number))
            answered.append(answers.refused(origin.sequence, HELD, refusal, number))
        return answered

    def keep(
        self,
        origin: Origin,
        kind: int,
        refusal: errors.Refusal,
        key: RoundKey | None,
        wager_no: int,
        digest: bytes,
        content: bytes,
    ) -> HeldRow:
        """Keeps a fact outside the feed."""
        day, table, shoe, round_no, roll = key or (None, "", 0, 0, 0)
        reason, message = refusal.reason, refusal.message
        row = HeldRow(
            *origin[:3],
            wager_no,
            kind,
            reason,
            message,
            day,
            table,
            shoe,
            round_no,
            roll,
            digest,
            content,
            self.now,
            origin.principal,
        )
        self.held_rows.append(row)
        if wager_no == 0:
            self.book.kept.add(digest)
        hold = KnownHold(kind, reason, message, wager_no, content, origin=origin[:3])
        self._fresh_holds.setdefault(digest, []).append(hold)
        return row
