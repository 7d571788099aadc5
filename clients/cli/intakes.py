"""What a property's intake waits for, as `casino status` shows it."""

from typing import Any

from casino.rounds.v1 import entries_pb2
from casino.rounds.v1 import rounds_service_pb2 as rounds

DEGRADED = (rounds.SOURCE_STATE_SILENT, rounds.SOURCE_STATE_GAP)
PREFIX = "SOURCE_STATE_"


def intake(said: rounds.IntakeStatus) -> dict[str, Any]:
    """As one JSON object; `oldest_unfinished` null where every round has its result."""
    oldest = said.oldest_unfinished if said.HasField("oldest_unfinished") else None
    return {
        "sources": {each.source_id: _source(each) for each in said.sources},
        "waiting_events": said.waiting_events,
        "waiting_bytes": said.waiting_bytes,
        "held_open": said.held_open,
        "oldest_unfinished": None if oldest is None else _round(oldest, said),
    }


def _source(each: rounds.SourceStatus) -> dict[str, Any]:
    return {
        "state": rounds.SourceState.Name(each.state).removeprefix(PREFIX).lower(),
        "degraded": each.state in DEGRADED,
        "epoch": each.source_epoch,
        "durable_through_sequence": each.durable_through_sequence,
        "last_sequence": each.last_sequence,
        "silent_seconds": each.silent_seconds,
        "tables": list(each.table_ids),
        "missing": [each.missing_from, each.missing_to] if each.missing_to else None,
        "under_way": each.under_way,
    }


def _round(key: entries_pb2.RoundKey, said: rounds.IntakeStatus) -> dict[str, Any]:
    opened_at = said.oldest_unfinished_opened_at.ToJsonString()
    return {
        "gaming_day": key.gaming_day,
        "table": key.table_id,
        "shoe": key.shoe,
        "round_no": key.round_no,
        "opened_at": opened_at,
    }


def intake_lines(property_id: str, found: dict[str, Any]) -> list[str]:
    """For people: the degraded sources each on a line, the others counted."""
    sources = found["sources"]
    streaming = sum(each["state"] == "streaming" for each in sources.values())
    waiting = f"{found['waiting_events']} events waiting, {found['held_open']} held facts open"
    lines = [f"{property_id}: {streaming} of {len(sources)} sources streaming, {waiting}"]
    lines += [f"  DEGRADED {name}: {_trouble(each)}" for name, each in sources.items() if each["degraded"]]
    oldest = found["oldest_unfinished"]
    if oldest is not None:
        lines.append(
            f"  oldest round without a result: {oldest['gaming_day']} {oldest['table']} shoe {oldest['shoe']}"
            f" round {oldest['round_no']}, opened {oldest['opened_at']}"
        )
    return lines


def _trouble(each: dict[str, Any]) -> str:
    tables = ", ".join(each["tables"]) or "no table yet"
    said = f"{each['state']} for {each['silent_seconds']} s"
    if each["state"] == "gap":
        said = f"sequences {each['missing'][0]} to {each['missing'][1]} are missing"
    return f"{said}; tables {tables}; last sequence {each['last_sequence']}"
