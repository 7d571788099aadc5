"""The SQL of records: projections of the feeds one by one, read by the gaming day."""

from collections.abc import Sequence
from datetime import date, time
from typing import Any, TypeVar

from services.kernel.clock import Calendar
from services.reporting.payments.payment import Calendars
from services.reporting.registers.record import (
    DecisionRecord,
    JackpotRecord,
    LinkRecord,
    MeterEvent,
    Records,
    SubmissionRecord,
)
from services.reporting.sums import PropertySetting
from services.runtime.store import Connection

# Followed from the beginning again, a feed gives the same row at the same position.


# The fields of each noun are the columns of its table, after the property.
JACKPOTS, DECISIONS, LINKS = "jackpot_record", "decision_record", "link_record"
EVENTS, SUBMISSIONS = "meter_event", "submission_record"
Noun = TypeVar("Noun", JackpotRecord, DecisionRecord, LinkRecord, MeterEvent, SubmissionRecord)


async def add_records(connection: Connection, property_id: str, added: Records) -> None:
    """Keeps what a batch of the progressives feed adds."""
    await _add(connection, JACKPOTS, JackpotRecord._fields, property_id, added.jackpots)
    await _add(connection, DECISIONS, DecisionRecord._fields, property_id, added.decisions)
    await _add(connection, LINKS, LinkRecord._fields, property_id, added.links)
    await _add(connection, EVENTS, MeterEvent._fields, property_id, added.events)


async def add_submissions(connection: Connection, property_id: str, rows: Sequence[SubmissionRecord]) -> None:
    """Keeps approved submissions."""
    await _add(connection, SUBMISSIONS, SubmissionRecord._fields, property_id, rows)


async def _add(
    connection: Connection, table: str, columns: Sequence[str], property_id: str, rows: Sequence[tuple[Any, ...]]
) -> None:
    if not rows:
        return
    places = ", ".join(f"${number}" for number in range(1, len(columns) + 2))
    await connection.executemany(
        f"INSERT INTO {table} (property_id, {', '.join(columns)}) VALUES ({places})"
        " ON CONFLICT (property_id, position) DO NOTHING",
        [(property_id, *row) for row in rows],
    )


async def jackpots(connection: Connection, property_id: str, through: date) -> list[JackpotRecord]:
    """Every state of the jackpots hit up to a gaming day, in the order in which they came."""
    return await _read(connection, JACKPOTS, JackpotRecord, property_id, through)


async def decisions(connection: Connection, property_id: str, through: date) -> list[DecisionRecord]:
    """Every state of the decisions up to a gaming day, in the order in which they came."""
    return await _read(connection, DECISIONS, DecisionRecord, property_id, through)


async def links(connection: Connection, property_id: str, through: date) -> list[LinkRecord]:
    """Every state of the links' versions up to a gaming day, in the order in which they came."""
    return await _read(connection, LINKS, LinkRecord, property_id, through)


async def submissions(connection: Connection, property_id: str, through: date) -> list[SubmissionRecord]:
    """The approved submissions that take effect up to a gaming day, in the order in which they were approved."""
    return await _read(connection, SUBMISSIONS, SubmissionRecord, property_id, through, "effective_from")


async def events(connection: Connection, property_id: str, through: date) -> list[MeterEvent]:
    """Every movement of meters up to a gaming day but the contributions of wagers, in order."""
    return await _read(connection, EVENTS, MeterEvent, property_id, through)


async def _read(
    connection: Connection, table: str, noun: type[Noun], property_id: str, through: date, day: str = "gaming_day"
) -> list[Noun]:
    rows = await connection.fetch(
        f"SELECT {', '.join(noun._fields)} FROM {table} WHERE property_id = $1 AND {day} <= $2 ORDER BY position",
        property_id,
        through,
    )
    return [noun(*row) for row in rows]


async def property_settings(connection: Connection, property_id: str) -> list[PropertySetting]:
    """What was set of the property from each gaming day on, in order."""
    rows = await connection.fetch(
        f"SELECT {', '.join(PropertySetting._fields)} FROM property_setting"
        " WHERE property_id = $1 ORDER BY effective_from",
        property_id,
    )
    return [PropertySetting(*row) for row in rows]


async def calendars(connection: Connection, property_id: str) -> Calendars:
    """The property's calendars, each with the gaming day from which on it holds, the newest first."""
    rows = await property_settings(connection, property_id)
    return [
        (
            each.effective_from,
            Calendar(
                each.time_zone, time.fromisoformat(each.cut_over), tuple(map(time.fromisoformat, each.shift_starts))
            ),
        )
        for each in reversed(rows)
    ]


async def slip_numbers(
    connection: Connection, property_id: str, names: Sequence[str]
) -> dict[str, tuple[str, date, int]]:
    """The jackpot slips of jackpots that count: number, gaming day and amount in cents, by jackpot."""
    rows = await connection.fetch(
        "SELECT d.jackpot_id, d.document_id, d.gaming_day, d.amount_cents FROM document AS d"
        " WHERE d.property_id = $1 AND d.kind = 'jackpot_slip' AND d.jackpot_id = ANY($2) AND NOT EXISTS ("
        "SELECT FROM document AS c WHERE c.property_id = d.property_id AND c.corrects = d.document_id)"
        " ORDER BY d.position",
        property_id,
        list(names),
    )
    return {row[0]: (row[1], row[2], row[3]) for row in rows}


async def filed_versions(
    connection: Connection, property_id: str, name: str, first: date, last: date
) -> list[tuple[date, int, bytes]]:
    """Every version of a report filed for gaming days: day, version and bytes, in order."""
    rows = await connection.fetch(
        "SELECT gaming_day, version, bytes FROM filed_report WHERE property_id = $1 AND name = $2"
        " AND gaming_day BETWEEN $3 AND $4 ORDER BY gaming_day, version",
        property_id,
        name,
        first,
        last,
    )
    return [(row[0], row[1], row[2]) for row in rows]
