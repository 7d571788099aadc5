"""An event as it is read against a property's settings: its round and day, or why it has none."""

from collections.abc import Sequence

from services.kernel import errors
from services.kernel.ids import RoundKey
from services.rounds import instants, wire
from services.rounds.book import Book
from services.rounds.intake import Read, TableKey


def read(book: Book, raw: bytes) -> Read:
    """Reads an event and names its round and day; what cannot be read carries its refusal."""
    try:
        event = wire.read_event(raw)
    except errors.Refusal as refusal:
        return Read(raw, None, None, 0, refusal, wire.digest_of(raw))
    if event.kind in wire.TABLE_KINDS:
        return Read(raw, event, None, 0, None, event.digest)
    try:
        key, shift = _key(book, event)
    except errors.Refusal as refusal:
        return Read(raw, event, None, 0, refusal, event.digest)
    return Read(raw, event, key, shift, None, event.digest)


def read_to_keep(book: Book, raw: bytes, refusal: errors.Refusal, *, keyed: bool) -> Read:
    """An event that is kept with a refusal, whatever reading it comes to: under its round's key or without one."""
    if keyed:
        return read(book, raw)._replace(refusal=refusal)
    return Read(raw, None, None, 0, refusal, wire.digest_of(raw))


def _key(book: Book, event: wire.FloorEvent) -> tuple[RoundKey, int]:
    body = event.body
    assert not isinstance(body, wire.TableBody)
    opened_at = body.opened_at
    day, shift = book.days.day_and_shift(opened_at.seconds, instants.instant(opened_at, "opened_at"))
    table_id, shoe, round_no = body.table_id, body.shoe, body.round_no
    if round_no < 1 or shoe < 0:
        raise errors.KeyImpossible(f"Expected round_no from 1 up and shoe from 0 up, got {round_no} and {shoe}.")
    book.tables.on(table_id, day)
    return RoundKey(day, table_id, shoe, round_no), shift


def table_key(book: Book, found: Read) -> TableKey | None:
    """The place of a table event; None of any other, and where it can have none."""
    event = found.event
    if event is None or event.kind not in wire.TABLE_KINDS:
        return None
    try:
        at = instants.instant(event.occurred_at, "occurred_at")
        day, _ = book.days.day_and_shift(event.occurred_at.seconds, at)
    except errors.Refusal:
        # No key, nothing to look up: the intake meets the same refusal and answers it.
        return None
    return day, event.body.table_id, event.kind, at


def tables_of(book: Book, events: Sequence[Read]) -> set[str]:
    """The property's tables that events speak of."""
    named = {found.event.body.table_id for found in events if found.event is not None}
    return set(filter(book.tables.known, named))
