"""The service reads its own rows again: the chain, and every typed row against the bytes it stands for."""

from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, date
from hashlib import sha256
from typing import Any

from google.protobuf.message import DecodeError

from casino.feeds.v1 import feeds_pb2
from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from services.kernel.errors import Refusal
from services.kernel.ids import RoundKey
from services.rounds import store, wire
from services.rounds.settings_audit import setting_rows, submission_rows
from services.rounds.store import HeldRow, RoundEventRow
from services.runtime.feeds import Feed
from services.runtime.server import Service
from services.runtime.store import Connection, EntryRow
from services.runtime.verification import Findings, entry_pages, verify_feed

# What no column says: bytes that are no entry differ from any row.
UNREADABLE = (-1, date.min)


async def audit(service: Service, feed: Feed) -> AsyncIterator[feeds_pb2.Verification]:
    """Every check of one property."""
    yield await verify_feed(service.pool, service.name, feed, _columns)
    async with service.pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        yield await _round_rows(connection, feed)
        yield await _table_rows(connection, feed)
        yield await _held_rows(connection, feed)
        yield await setting_rows(connection, feed)
        yield await submission_rows(connection, feed)


def _columns(row: EntryRow) -> tuple[int, date]:
    try:
        entry = entries.Entry.FromString(row.entry)
    except DecodeError:
        return UNREADABLE
    name = entry.WhichOneof("body") or ""
    kind = entries.Entry.DESCRIPTOR.fields_by_name[name].number if name else 0
    body: Any = getattr(entry, name) if name else entry
    if name in ("property_set", "table_set"):
        return kind, date.fromisoformat(body.effective_from)
    if name == "stakes_added":
        body = body.round
    key = body.key if "key" in body.DESCRIPTOR.fields_by_name else body
    return kind, date.fromisoformat(key.gaming_day)


async def _round_rows(connection: Connection, feed: Feed) -> feeds_pb2.Verification:
    """Rows of `round_event` against entries, both ways, their content digests included."""
    findings = Findings("rounds: events of rounds compared with entries")
    async for page in entry_pages(connection, feed):
        first, last = page[0].position, page[-1].position
        rows = {
            row.position: row for row in await store.round_events_between(connection, feed.property_id, first, last)
        }
        held = await _held_by_digest(connection, feed, list(rows.values()))
        for entry in page:
            if entry.kind not in wire.ROUND_KINDS:
                continue
            row, message = rows.pop(entry.position, None), _round(entry)
            if message is None:
                findings.expect(False, f"position {entry.position}: the bytes are no entry of its kind")
                continue
            wanted = _wanted(entry, message, held.get(row.digest if row else b"", []))
            findings.expect(row == wanted, f"round_event at position {entry.position}: expected {wanted}, got {row}")
        for position in rows:
            findings.differs(f"round_event at position {position} has no entry")
    counted = await store.count_round_events(connection, feed.property_id)
    if counted != findings.checked:
        findings.differs(f"round_event has {counted} rows, the feed {findings.checked} events of rounds")
    return findings.message()


def _round(entry: EntryRow) -> entries.Round | None:
    """The round of an entry; None where bytes or kind were changed."""
    try:
        message = wire.read_round(entry.kind, entry.entry)
    except DecodeError:
        return None
    return message if message.key.gaming_day else None


async def _held_by_digest(connection: Connection, feed: Feed, rows: list[RoundEventRow]) -> dict[bytes, list[bytes]]:
    digests = [row.digest for row in rows]
    held: dict[bytes, list[bytes]] = {}
    for fact in await store.held_facts_with(connection, feed.property_id, digests) if digests else []:
        if fact.wager_no:
            held.setdefault(fact.digest, []).append(fact.content)
    return held


def _wanted(entry: EntryRow, message: entries.Round, held: list[bytes]) -> RoundEventRow:
    """The row that an entry asks for."""
    key, origin = wire.read_key(message.key), message.origin
    item_no = entries.Entry.FromString(entry.entry).stakes_added.item_no if entry.kind == wire.STAKES_ADDED else 0
    where = (origin.source_id, origin.epoch, origin.sequence)
    digest = wire.content_digest(_content(entry, message, held))
    return RoundEventRow(*key, entry.kind, item_no, entry.position, *where, digest)


def _content(entry: EntryRow, message: entries.Round, held: list[bytes]) -> wire.RoundBody:
    """What the floor sent, made anew from the entry and what is held beside it."""
    if entry.kind == wire.STAKES_ADDED:
        return wire.stakes_of(entries.Entry.FromString(entry.entry).stakes_added, held)
    whole = wire.whole_of(message, held)
    if entry.kind == wire.WHOLE_ROUND:
        return whole
    piece = wire.pieces(whole)[entry.kind, 0, 0]
    if isinstance(piece, floor.ResultDealt):
        piece.roll = message.key.roll
    return piece


async def _table_rows(connection: Connection, feed: Feed) -> feeds_pb2.Verification:
    """Rows of `table_event` against entries, both ways."""
    findings = Findings("rounds: table events compared with entries")
    rows = {row.position: row for row in await store.table_events(connection, feed.property_id)}
    async for page in entry_pages(connection, feed):
        for entry in page:
            if entry.kind in wire.TABLE_KINDS and _columns(entry) != UNREADABLE:
                row = rows.pop(entry.position, None)
                same = row is not None and _says(entry) == (
                    row.gaming_day,
                    row.table_id,
                    row.kind,
                    row.occurred_at,
                )
                findings.expect(same, f"table_event at position {entry.position}: it is not what the entry says")
    for position in rows:
        findings.differs(f"table_event at position {position} has no entry")
    return findings.message()


def _says(entry: EntryRow) -> tuple[object, ...]:
    message = entries.Entry.FromString(entry.entry)
    body = getattr(message, message.WhichOneof("body") or "")
    return date.fromisoformat(body.gaming_day), body.table_id, entry.kind, body.occurred_at.ToDatetime(UTC)


async def _held_rows(connection: Connection, feed: Feed) -> feeds_pb2.Verification:
    """Every held wager or quarantined event has its notice in the feed, as often, and the other way round.

    The digest of a whole event is that of the bytes kept.
    """
    findings = Findings("rounds: held facts compared with notices")
    noted: Counter[tuple[RoundKey, int, str, str]] = Counter()
    async for page in entry_pages(connection, feed):
        for entry in page:
            if entry.kind == wire.EXCEPTION and _columns(entry) != UNREADABLE:
                notice = entries.Entry.FromString(entry.entry).exception
                if notice.reason != "SHOE_EXCEEDED":
                    noted[wire.read_key(notice.key), notice.wager_no, notice.reason, notice.message] += 1
    kept: Counter[tuple[RoundKey, int, str, str]] = Counter()
    for fact in await store.held_facts(connection, feed.property_id, None):
        if fact.gaming_day and fact.answer != wire.REJECTED:
            key = RoundKey(fact.gaming_day, fact.table_id, fact.shoe, fact.round_no, fact.roll)
            kept[key, fact.wager_no, fact.reason, fact.message] += 1
        if fact.wager_no == 0 and fact.digest != _digest(fact):
            findings.differs(f"held fact {fact.source_id}/{fact.epoch}/{fact.sequence}: its bytes are changed")
    for one in noted | kept:
        findings.expect(
            noted[one] == kept[one],
            f"{one[2]} of round {one[0]}, wager {one[1]}: noticed {noted[one]} times, kept {kept[one]} times",
        )
    return findings.message()


def _digest(fact: HeldRow) -> bytes:
    """The digest that the intake gives these bytes."""
    try:
        return wire.read_event(fact.content).digest
    except Refusal:
        return sha256(fact.content).digest()
