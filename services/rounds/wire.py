"""Protobuf in and out: events as the floor sends them, entries as the feed carries them."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

from google.protobuf.message import DecodeError
from google.protobuf.timestamp_pb2 import Timestamp

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as rpc
from casino.settlement.v1 import entries_pb2 as settlement
from services.games.terms import Terms
from services.games.wagers import PlacedWager
from services.kernel import errors
from services.kernel.clock import day_written
from services.kernel.ids import RoundKey
from services.kernel.money import LARGEST_STAKE_CENTS
from services.rounds import instants
from services.rounds.frames import Cut, cut
from services.rounds.stamps import Submission
from services.runtime.feeds import NewEntry, field, kind_of
from services.runtime.texts import MOST_NAME_BYTES

PROPERTY_SET = kind_of(entries.Entry(), "property_set")
TABLE_SET = kind_of(entries.Entry(), "table_set")
DAY_OPENED = kind_of(entries.Entry(), "day_opened")
TABLE_OPENED = kind_of(entries.Entry(), "table_opened")
TABLE_CLOSED = kind_of(entries.Entry(), "table_closed")
SHOE_CHANGED = kind_of(entries.Entry(), "shoe_changed")
ROUND_OPENED = kind_of(entries.Entry(), "round_opened")
BETTING_CLOSED = kind_of(entries.Entry(), "betting_closed")
STAKES_ADDED = kind_of(entries.Entry(), "stakes_added")
RESULT = kind_of(entries.Entry(), "result")
WHOLE_ROUND = kind_of(entries.Entry(), "whole_round")
VOID = kind_of(entries.Entry(), "void")
AMEND = kind_of(entries.Entry(), "amend")
RELEASE = kind_of(entries.Entry(), "release")
EXCEPTION = kind_of(entries.Entry(), "exception")
EXCEPTION_RESOLVED = kind_of(entries.Entry(), "exception_resolved")

KINDS = {
    "table_opened": TABLE_OPENED,
    "table_closed": TABLE_CLOSED,
    "shoe_changed": SHOE_CHANGED,
    "round_opened": ROUND_OPENED,
    "betting_closed": BETTING_CLOSED,
    "stakes_added": STAKES_ADDED,
    "result": RESULT,
    "whole_round": WHOLE_ROUND,
    "void": VOID,
    "amend": AMEND,
}
REJECTED = int(rpc.ANSWER_KIND_REJECTED)
LARGEST_COUNT = 2**31 - 1
TABLE_KINDS = (TABLE_OPENED, TABLE_CLOSED, SHOE_CHANGED)

TableBody: TypeAlias = floor.TableOpened | floor.TableClosed | floor.ShoeChanged
RoundBody: TypeAlias = (
    floor.RoundOpened
    | floor.BettingClosed
    | floor.StakesAdded
    | floor.ResultDealt
    | floor.WholeRound
    | floor.RoundVoided
)


class FloorEvent(NamedTuple):
    """An event as read: the kind of entry it asks for, its body, the digest of its content, and for events of a round
    the roll and the item number. The body of an amend is the whole round again; a correction has reason and actor.
    """

    kind: int
    body: TableBody | RoundBody
    occurred_at: Timestamp
    digest: bytes
    roll: int = 0
    item_no: int = 0
    reason: str = ""
    actor: str = ""
    # Of a whole round whose bytes an entry can repeat.
    cut: Cut | None = None

    @property
    def slot(self) -> tuple[int, int, int]:
        """The event's place within its round."""
        return self.kind, self.roll, self.item_no


def read_event(raw: bytes) -> FloorEvent:
    """Reads an event. Unreadable, EmptyEvent."""
    try:
        event = floor.Event.FromString(raw)
    except DecodeError as problem:
        raise errors.Unreadable(
            f"Expected a serialised casino.floor.v1.Event, got {len(raw)} bytes that are none."
        ) from problem
    name = event.WhichOneof("body")
    if name is None:
        raise errors.EmptyEvent("Expected an event with one of the bodies of casino.floor.v1.Event, got none.")
    if name == "whole_round" and (whole := _read_whole(event)):
        return whole
    said = getattr(event, name)
    body = said.round if name == "amend" else said
    if name in ("whole_round", "betting_closed", "amend"):
        _sort_wagers(body)
    if name == "stakes_added":
        body.stakes.sort(key=_stake_order)
    _check_text(body)
    roll, item_no = getattr(said, "roll", 0), getattr(said, "item_no", 0)
    if not 0 <= roll <= LARGEST_COUNT or not 0 <= item_no <= LARGEST_COUNT:
        raise errors.KeyImpossible(f"Expected roll and item_no from 0 up, got {roll} and {item_no}.")
    signed = (said.reason, said.actor) if name in ("void", "amend") else ()
    return FloorEvent(KINDS[name], body, event.occurred_at, content_digest(said), roll, item_no, *signed)


def _read_whole(event: floor.Event) -> FloorEvent | None:
    """A whole round with its bytes cut; None of one that is not usual."""
    body = event.whole_round
    content = body.SerializeToString(deterministic=True)
    pieces = cut(content)
    if pieces is None:
        return None
    _check_text(body)
    return FloorEvent(WHOLE_ROUND, body, event.occurred_at, sha256(content).digest(), cut=pieces)


def digest_of(raw: bytes) -> bytes:
    """The digest of an event's content, of bytes that are none theirs."""
    try:
        return read_event(raw).digest
    except errors.Refusal:
        return sha256(raw).digest()


def occurred_at(raw: bytes) -> Timestamp:
    """When an event that could be read once says that it occurred."""
    return floor.Event.FromString(raw).occurred_at


def _check_text(body: TableBody | RoundBody) -> None:
    """Text that becomes a column here or in a service that follows: Postgres keeps no zero character."""
    for name in ("table_id", "dealer"):
        text = getattr(body, name, "")
        if "\0" in text:
            raise errors.Unreadable(f"Expected a {name} without zero characters, got {text[:100]!r}.")
        if len(text) * 4 > MOST_NAME_BYTES and len(text.encode()) > MOST_NAME_BYTES:
            raise errors.Unreadable(
                f"Expected a {name} of at most {MOST_NAME_BYTES} bytes, got {len(text.encode())}: no key holds more."
            )


def _sort_wagers(body: floor.WholeRound | floor.BettingClosed) -> None:
    """Content is compared with wagers in the order of their numbers."""
    numbers = [wager.wager_no for wager in body.wagers]
    if numbers != sorted(numbers):
        body.wagers.sort(key=lambda wager: wager.wager_no)


def content_digest(body: TableBody | RoundBody | floor.RoundAmended) -> bytes:
    """SHA-256 of what the event says; when it was sent is not part of it."""
    return sha256(body.SerializeToString(deterministic=True)).digest()


Piece: TypeAlias = floor.RoundOpened | floor.BettingClosed | floor.StakesAdded | floor.ResultDealt


def pieces(whole: floor.WholeRound) -> dict[tuple[int, int, int], Piece]:
    """A whole round of one result as the events it stands for, by slot."""
    same: dict[str, Any] = {
        "table_id": whole.table_id,
        "shoe": whole.shoe,
        "round_no": whole.round_no,
        "opened_at": whole.opened_at,
    }
    opened = floor.RoundOpened(**same, dealer=whole.dealer)
    closed = floor.BettingClosed(**same, wagers=whole.wagers)
    for name in ("no_more_bets_at", "first_card_at"):
        if whole.HasField(name):
            getattr(closed, name).CopyFrom(getattr(whole, name))
    return {
        (ROUND_OPENED, 0, 0): opened,
        (BETTING_CLOSED, 0, 0): closed,
        (RESULT, 0, 0): floor.ResultDealt(**same, result=whole.result),
    }


def whole_of(entry: entries.Round, held: Iterable[bytes]) -> floor.WholeRound:
    """The whole round that an entry was made from, its held wagers put back."""
    key = entry.key
    whole = floor.WholeRound(
        table_id=key.table_id,
        shoe=key.shoe,
        round_no=key.round_no,
        opened_at=entry.opened_at,
        dealer=entry.dealer,
        wagers=[*entry.wagers, *(floor.Wager.FromString(content) for content in held)],
    )
    if entry.history:
        whole.result.CopyFrom(entry.history[-1])
        whole.earlier_results.extend(entry.history[:-1])
    for name in ("no_more_bets_at", "first_card_at"):
        if entry.HasField(name):
            getattr(whole, name).CopyFrom(getattr(entry, name))
    _sort_wagers(whole)
    return whole


def stakes_of(added: entries.StakesAddedToRound, held: Iterable[bytes]) -> floor.StakesAdded:
    """The event that an entry of added stakes was made from, its held stakes put back."""
    key = added.round.key
    stakes = [*added.stakes, *(floor.AddedStake.FromString(content) for content in held)]
    # Stakes are compared in the order of their wagers; those taken down come first.
    stakes.sort(key=_stake_order)
    return floor.StakesAdded(
        table_id=key.table_id,
        shoe=key.shoe,
        round_no=key.round_no,
        opened_at=added.round.opened_at,
        item_no=added.item_no,
        stakes=stakes,
    )


def _stake_order(stake: floor.AddedStake) -> tuple[int, int]:
    return stake.wager.wager_no, stake.belongs_to


def stated_in(history: Iterable[floor.Result]) -> list[floor.StatedPayout]:
    """The payouts that the results of a round state."""
    return [each for result in history for each in result.stated_payouts]


def stated(history: Iterable[floor.Result]) -> dict[int, int]:
    """The same as the engine takes them: cents by wager number."""
    return {each.wager_no: each.payout_cents for each in stated_in(history)}


def placed_wagers(wagers: Sequence[floor.Wager]) -> list[PlacedWager]:
    """The wagers as the engine takes them. StakeImpossible, WagerNoRepeated, KeyImpossible: none of them a fact."""
    placed, last = [], 0
    for wager in wagers:
        number, stake = wager.wager_no, wager.stake_cents
        if number <= last:
            raise _numbering(number, last)
        if not 0 < stake <= LARGEST_STAKE_CENTS:
            raise errors.StakeImpossible(
                f"Expected whole cents from 1 to {LARGEST_STAKE_CENTS} on wager {number}, got {stake}."
            )
        at = instants.instant(wager.placed_at, "placed_at") if wager.HasField("placed_at") else None
        placed.append(
            PlacedWager(number, wager.seat, wager.code, wager.paytable, stake, wager.placement, at, wager.roll)
        )
        last = number
    return placed


def _numbering(number: int, last: int) -> errors.Refusal:
    if number == last and number > 0:
        return errors.WagerNoRepeated(f"Expected each wager_no of a round once, got {number} twice.")
    return errors.KeyImpossible(f"Expected wager_no from 1 up, got {number}.")


def key_message(key: RoundKey) -> entries.RoundKey:
    """A round's key as the wire has it."""
    message = entries.RoundKey()
    put_key(message, key)
    return message


def put_key(message: entries.RoundKey, key: RoundKey) -> None:
    """Puts a round's key into a message that has none."""
    day, message.table_id, message.shoe, message.round_no, message.roll = key
    message.gaming_day = day.isoformat()


def read_key(message: entries.RoundKey) -> RoundKey:
    """A round's key from the wire. InvalidRequest."""
    return RoundKey(read_day(message.gaming_day), message.table_id, message.shoe, message.round_no, message.roll)


def read_day(text: str) -> date:
    """A day written YYYY-MM-DD. InvalidRequest."""
    return day_written(text)


def read_time(text: str) -> time:
    """A local time written HH:MM. InvalidRequest."""
    try:
        return datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007 - a time of day has no zone
    except ValueError as problem:
        raise errors.InvalidRequest(f"Expected a time written HH:MM, got {text!r}.") from problem


def read_submission(position: int, content: bytes) -> Submission:
    """A submission from the bytes of its feed's entry."""
    approved = settlement.SubmissionsEntry.FromString(content).approved
    tables = {table.table_id: Terms.read(approved.submission_id, table) for table in approved.tables}
    return Submission(position, approved.submission_id, date.fromisoformat(approved.effective_from), tables)


def day_opened_entry(day: date, submissions_position: int) -> NewEntry:
    """The entry that opens a gaming day."""
    opened = entries.DayOpened(gaming_day=day.isoformat(), submissions_position=submissions_position)
    return new_entry(DAY_OPENED, day, entries.Entry(day_opened=opened))


def exception_entry(reason: str, message: str, key: RoundKey, wager_no: int = 0, card: str = "") -> NewEntry:
    """The notice of something that keeps the day open."""
    notice = entries.ExceptionNotice(reason=reason, message=message, key=key_message(key), wager_no=wager_no, card=card)
    return new_entry(EXCEPTION, key.gaming_day, entries.Entry(exception=notice))


def new_entry(kind: int, day: date, entry: entries.Entry) -> NewEntry:
    """An entry's bytes, made once."""
    return NewEntry(kind, day, entry.SerializeToString(deterministic=True))


CORRECTIONS = {VOID: "void", AMEND: "amend", RELEASE: "release"}
ROUND_KINDS = {
    ROUND_OPENED: "round_opened",
    BETTING_CLOSED: "betting_closed",
    STAKES_ADDED: "stakes_added",
    RESULT: "result",
    WHOLE_ROUND: "whole_round",
}


def round_entry(kind: int, day: date, message: entries.Round) -> NewEntry:
    """An entry that carries a round: framed by hand, because an `Entry` would have to take a copy of the round."""
    return NewEntry(kind, day, field(kind, message.SerializeToString(deterministic=True)))


def last_result(content: bytes) -> floor.Result:
    """The newest result of the round that an entry carries."""
    return read_round(content).history[-1]


def stakes_entry(day: date, message: entries.Round, item_no: int, stakes: Iterable[floor.AddedStake]) -> NewEntry:
    """The entry of stakes added to a round: the round with every wager that works now."""
    added = entries.StakesAddedToRound(round=message, item_no=item_no, stakes=stakes)
    return new_entry(STAKES_ADDED, day, entries.Entry(stakes_added=added))


def read_round(content: bytes) -> entries.Round:
    """The round that an entry's bytes carry; of a void an empty one."""
    return round_in(entries.Entry.FromString(content))


def round_in(entry: entries.Entry) -> entries.Round:
    """The round that an entry carries; of a void an empty one."""
    body: Any = getattr(entry, entry.WhichOneof("body") or "round_opened")
    message: entries.Round = body if isinstance(body, entries.Round) else body.round
    return message


def correction_entry(kind: int, correction: entries.RoundCorrection) -> NewEntry:
    """The entry of a void or an amendment."""
    entry = entries.Entry()
    getattr(entry, CORRECTIONS[kind]).CopyFrom(correction)
    return new_entry(kind, read_day(correction.key.gaming_day), entry)


def release_entry(day: date, release: entries.Release) -> NewEntry:
    """The entry of what two people let in."""
    return new_entry(RELEASE, day, entries.Entry(release=release))


def resolved_entry(day: date, resolved: entries.ExceptionResolved) -> NewEntry:
    """The entry that ends an exception."""
    return new_entry(EXCEPTION_RESOLVED, day, entries.Entry(exception_resolved=resolved))
