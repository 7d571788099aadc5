"""What each property's writer waits for, as `GetStatus` tells it in detail."""

from collections.abc import Mapping

from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as rpc
from services.rounds import wire
from services.rounds.sources import SourcePosition
from services.rounds.status import store
from services.rounds.vigil import Seen, State
from services.rounds.writer import RESULTS, Writer
from services.runtime.server import Service

DAYS = 2
"""Opened days in which an unfinished round is looked for."""
STATES = {
    State.IDLE: rpc.SOURCE_STATE_IDLE,
    State.STREAMING: rpc.SOURCE_STATE_STREAMING,
    State.SILENT: rpc.SOURCE_STATE_SILENT,
    State.GAP: rpc.SOURCE_STATE_GAP,
}


async def intakes(service: Service, writers: Mapping[str, Writer]) -> list[rpc.IntakeStatus]:
    """One for each property, in the order of their names."""
    return [await _intake(service, writers[name]) for name in sorted(writers)]


async def _intake(service: Service, writer: Writer) -> rpc.IntakeStatus:
    property_id = writer.feed.property_id
    async with writer.feed.lock:
        await writer.load()
        positions = dict(writer.book.sources)
    found = rpc.IntakeStatus(
        property_id=property_id,
        sources=[_source(name, positions[name], writer.vigil.seen(name)) for name in sorted(positions)],
        waiting_events=writer.waiting.events,
        waiting_bytes=writer.waiting.bytes,
    )
    async with service.pool.acquire() as connection:
        found.held_open = await store.held_open(connection, property_id, wire.REJECTED)
        oldest = await store.oldest_unfinished(connection, property_id, (*RESULTS, wire.VOID), DAYS)
    if oldest is not None:
        key, data = oldest
        found.oldest_unfinished.CopyFrom(wire.key_message(key))
        entry = entries.Entry.FromString(data)
        body = getattr(entry, entry.WhichOneof("body") or "")
        told = body.round if isinstance(body, entries.Release | entries.StakesAddedToRound) else body
        found.oldest_unfinished_opened_at.CopyFrom(told.opened_at)
    return found


def _source(name: str, position: SourcePosition | None, seen: Seen) -> rpc.SourceStatus:
    epoch, sequence = position or (0, 0)
    return rpc.SourceStatus(
        source_id=name,
        source_epoch=epoch,
        durable_through_sequence=sequence,
        state=STATES[seen.state],
        silent_seconds=seen.silent,
        table_ids=seen.tables,
        last_sequence=max(seen.last_sequence, sequence),
        missing_from=seen.missing[0],
        missing_to=seen.missing[1],
        under_way=seen.under_way,
    )
