"""The service reads its own rows again: the chain, and every typed row against the bytes it stands for."""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, date
from functools import partial
from typing import Any

from google.protobuf.message import DecodeError

from casino.feeds.v1 import feeds_pb2
from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from services.kernel.ids import RoundKey
from services.rounds import store, wire
from services.rounds.heads.audit import LAST_SPINS, Wheels, source_rows
from services.rounds.holds import store as outside
from services.rounds.holds_audit import decision_rows, held_rows
from services.rounds.retelling import own_digest
from services.rounds.rows import RoundEventRow
from services.rounds.settings_audit import setting_rows, submission_rows
from services.rounds.standing import REENTERED
from services.runtime.feeds import Feed
from services.runtime.records import verify_records
from services.runtime.server import Service
from services.runtime.store import Connection, EntryRow
from services.runtime.verification import Findings, entry_pages, guarded, verify_feed

# What no column says: bytes that are no entry differ from any row.
UNREADABLE = (-1, date.min)
RECORDED = {
    "source": "true",
    "submission": "true",
    "property_setting": "true",
    "table_setting": "true",
    "opened_day": "true",
    "table_event": "true",
    "held_fact": "true",
    "hold_proposal": "true",
    "hold_decision": "true",
    "round_event": f"kind = {wire.AMEND}",
}
"""The tables whose rows are entered in the chain of records, and which of their rows."""
EVENT_KINDS = {**wire.ROUND_KINDS, **wire.CORRECTIONS}


async def audit(service: Service, feed: Feed) -> AsyncIterator[feeds_pb2.Verification]:
    """Every check of one property."""
    for found in await guarded(
        "rounds: rounds_entry", partial(verify_feed, service.pool, service.name, feed, _columns)
    ):
        yield found
    async with service.pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        spins: list[feeds_pb2.Verification] = []
        for found in await guarded("rounds: round_event", partial(_round_rows, connection, feed)):
            if found.check == LAST_SPINS:
                spins.append(found)
            else:
                yield found
        for table, check in CHECKS.items():
            for found in await guarded(f"rounds: {table}", partial(check, connection, feed)):
                yield found
        for found in spins:
            yield found
        for found in await guarded("rounds: source_position", partial(source_rows, connection, feed, service.sealer)):
            yield found
    for found in await guarded("rounds: record", partial(verify_records, service, feed.property_id, RECORDED)):
        yield found


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
    if name in ("stakes_added", "release"):
        body = body.round
    key = body.key if "key" in body.DESCRIPTOR.fields_by_name else body
    return kind, date.fromisoformat(key.gaming_day)


async def _round_rows(connection: Connection, feed: Feed) -> list[feeds_pb2.Verification]:
    """Rows of `round_event` against entries, both ways, their content digests and principals included; last spins."""
    rows = _RoundRows(await _principals(connection, feed), await Wheels.of(connection, feed))
    async for page in entry_pages(connection, feed):
        typed = await store.round_events_between(connection, feed.property_id, page)
        rows.take(page, typed, await _held_by_digest(connection, feed, typed))
    counted = await store.count_round_events(connection, feed.property_id)
    if counted != rows.findings.checked:
        rows.findings.differs(f"round_event has {counted} rows, the feed {rows.findings.checked} events of rounds")
    return [rows.findings.message(), await rows.wheels.check(connection, feed)]


class _RoundRows:
    """Entries of the feed as they come, beside the rows of the same positions."""

    def __init__(self, brought: set[tuple[object, ...]], wheels: Wheels) -> None:
        """`brought`: who brought what was kept outside the feed."""
        self.findings = Findings("rounds: events of rounds compared with entries")
        self.wheels, self._brought = wheels, brought
        self._releases: Counter[RoundKey] = Counter()
        self._actor = ""

    def take(self, page: list[EntryRow], typed: list[RoundEventRow], held: dict[bytes, list[bytes]]) -> None:
        """A page of entries with its rows, and the contents held, by digest of the event that they came with."""
        rows = {row.position: row for row in typed}
        for entry in page:
            if entry.commit:
                self._actor = feeds_pb2.Commit.FromString(entry.commit).actor
            if entry.kind in EVENT_KINDS:
                self._event(entry, rows.pop(entry.position, None), held)
        for position in rows:
            self.findings.differs(f"round_event at position {position} has no entry")

    def _event(self, entry: EntryRow, row: RoundEventRow | None, held: dict[bytes, list[bytes]]) -> None:
        said, findings = _said(entry), self.findings
        findings.checked += 1
        if said is None:
            findings.differs(f"position {entry.position}: the bytes are no entry of its kind")
            return
        wanted = _wanted(entry, said, row, held.get(row.digest if row else b"", []), self._releases)
        if row != wanted:
            findings.differs(f"round_event at position {entry.position}: expected {wanted}, got {row}")
        _check_principal(findings, entry, said, self._actor, self._brought)
        self.wheels.take(entry.position, entry.kind, said)


async def _principals(connection: Connection, feed: Feed) -> set[tuple[object, ...]]:
    """Who brought what was kept outside the feed: it may have entered by the hand of others."""
    facts = [hold.fact for hold in await outside.held_facts(connection, feed.property_id)]
    return {(fact.source_id, fact.epoch, fact.sequence, fact.principal) for fact in facts}


def _check_principal(
    findings: Findings, entry: EntryRow, said: entries.Entry, actor: str, brought: set[tuple[object, ...]]
) -> None:
    """Whoever brought an event stands among those of its commit, or brought it when it was kept outside."""
    origin = _origin(said)
    known = (origin.source_id, origin.epoch, origin.sequence, origin.principal) in brought
    if origin.principal and origin.principal not in actor and not known:
        findings.differs(f"position {entry.position}: brought by {origin.principal}, its commit is of {actor}")


def _said(entry: EntryRow) -> entries.Entry | None:
    """What an entry says; None where bytes or kind were changed."""
    try:
        said = entries.Entry.FromString(entry.entry)
    except DecodeError:
        return None
    name = said.WhichOneof("body")
    if name is None or said.DESCRIPTOR.fields_by_name[name].number != entry.kind:
        return None
    body: Any = getattr(said, name)
    key = body.key if hasattr(body, "key") else body.round.key
    return said if key.gaming_day else None


def _origin(said: entries.Entry) -> entries.Origin:
    return said.void.origin if said.HasField("void") else wire.round_in(said).origin


async def _held_by_digest(connection: Connection, feed: Feed, rows: list[RoundEventRow]) -> dict[bytes, list[bytes]]:
    digests = [row.digest for row in rows]
    held: dict[bytes, list[bytes]] = {}
    for fact, _, _ in await outside.held_facts(connection, feed.property_id, digests=digests) if digests else []:
        if fact.wager_no:
            held.setdefault(fact.digest, []).append(fact.content)
    return held


def _wanted(
    entry: EntryRow,
    said: entries.Entry,
    row: RoundEventRow | None,
    held: list[bytes],
    releases: Counter[RoundKey],
) -> RoundEventRow:
    """The row that an entry asks for. A release of an event has the kind of that event."""
    message, origin = wire.round_in(said), _origin(said)
    key = wire.read_key(said.void.key if entry.kind == wire.VOID else message.key)
    kind, item_no = entry.kind, said.stakes_added.item_no
    if entry.kind in (wire.VOID, wire.AMEND):
        item_no = (said.void if entry.kind == wire.VOID else said.amend).item_no
        digest = _correction_digest(said, row, held)
    elif entry.kind == wire.RELEASE and not said.release.event:
        releases[key._replace(roll=0)] += 1
        item_no, digest = releases[key._replace(roll=0)], own_digest(message)
    else:
        kind = wire.KINDS[said.release.event] if entry.kind == wire.RELEASE else entry.kind
        digest = wire.content_digest(_content(kind, said, message, held))
    where = (origin.source_id, origin.epoch, origin.sequence)
    return RoundEventRow(*key, kind, item_no, entry.position, *where, digest)


def _correction_digest(said: entries.Entry, row: RoundEventRow | None, held: list[bytes]) -> bytes:
    """The digest of what the floor sent, or of what rounds made itself.

    An amended hand carries what works on each roll, not all that the floor told: there the row's digest stands.
    """
    if said.HasField("void"):
        void, key = said.void, said.void.key
        if void.item_no > REENTERED or key.roll:
            return own_digest(void)
        body = floor.RoundVoided(
            table_id=key.table_id,
            shoe=key.shoe,
            round_no=key.round_no,
            opened_at=void.opened_at,
            item_no=void.item_no,
            reason=void.reason,
            actor=void.actor,
        )
        return wire.content_digest(body)
    amend = said.amend
    if amend.item_no > REENTERED:
        return own_digest(amend.round)
    if amend.key.roll:
        return row.digest if row else b""
    whole = wire.whole_of(amend.round, held)
    told = floor.RoundAmended(round=whole, item_no=amend.item_no, reason=amend.reason, actor=amend.actor)
    return wire.content_digest(told)


def _content(kind: int, said: entries.Entry, message: entries.Round, held: list[bytes]) -> wire.RoundBody:
    """What the floor sent, made anew from the entry and what is held beside it."""
    if kind == wire.STAKES_ADDED:
        return wire.stakes_of(said.stakes_added, held)
    whole = wire.whole_of(message, held)
    if kind == wire.WHOLE_ROUND:
        return whole
    piece = wire.pieces(whole)[kind, 0, 0]
    if isinstance(piece, floor.ResultDealt):
        piece.roll = message.key.roll
    return piece


async def _table_rows(connection: Connection, feed: Feed) -> feeds_pb2.Verification:
    """Rows of `table_event` against entries, both ways."""
    findings = Findings("rounds: table events compared with entries")
    told = await store.table_events(connection, feed.property_id)
    rows = {row.position: row for row in told}
    if len(rows) < len(told):
        findings.differs(f"table_event has {len(told)} rows at {len(rows)} positions")
    async for page in entry_pages(connection, feed, wire.TABLE_KINDS):
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


CHECKS: dict[str, Callable[[Connection, Feed], Awaitable[feeds_pb2.Verification]]] = {
    "table_event": _table_rows,
    "held_fact": held_rows,
    "hold_decision": decision_rows,
    "property_setting, table_setting, opened_day": setting_rows,
    "submission": submission_rows,
}
"""What is held against the feed, table by table."""
