"""The SQL of records: projections of the feeds one by one, read by the gaming day."""

from collections.abc import Iterable, Sequence
from datetime import date, time

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


async def add_records(connection: Connection, property_id: str, added: Records) -> None:
    """Keeps what a batch of the progressives feed adds."""
    if added.jackpots:
        await _add_jackpots(connection, property_id, added.jackpots)
    if added.decisions:
        await _add_decisions(connection, property_id, added.decisions)
    if added.links:
        await _add_links(connection, property_id, added.links)
    if added.events:
        await _add_events(connection, property_id, added.events)


async def _add_jackpots(connection: Connection, property_id: str, rows: Iterable[JackpotRecord]) -> None:
    await connection.executemany(
        "INSERT INTO jackpot_record (property_id, position, gaming_day, jackpot_id, hit_id, link_id, level, round_day,"
        " table_id, shoe, round_no, roll, seat, code, paytable, stake_cents, amount_cents, percent, reading_micros,"
        " state, paid_from, actor, rank, at, slip_no, paid_through, reportable, withheld_cents, decision_id)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,"
        " $23, $24, $25, $26, $27, $28, $29) ON CONFLICT (property_id, position) DO NOTHING",
        [(property_id, *row) for row in rows],
    )


async def _add_decisions(connection: Connection, property_id: str, rows: Iterable[DecisionRecord]) -> None:
    await connection.executemany(
        "INSERT INTO decision_record (property_id, position, gaming_day, decision_id, state, subject, link_id, level,"
        " heirs, amount, jackpot_id, action, reason, regulator_reference, note, proposed_by, decided_by, decided_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)"
        " ON CONFLICT (property_id, position) DO NOTHING",
        [(property_id, *row) for row in rows],
    )


async def _add_links(connection: Connection, property_id: str, rows: Iterable[LinkRecord]) -> None:
    await connection.executemany(
        "INSERT INTO link_record (property_id, position, gaming_day, link_id, version, state, title, code, paytable,"
        " table_ids, levels, seeds_cents, increment_rates, reserve_rates, limits_cents, mysteries, effective_from,"
        " proposed_by, approved_by, changed_by, reason, at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)"
        " ON CONFLICT (property_id, position) DO NOTHING",
        [(property_id, *row) for row in rows],
    )


async def _add_events(connection: Connection, property_id: str, rows: Iterable[MeterEvent]) -> None:
    await connection.executemany(
        "INSERT INTO meter_event (property_id, position, gaming_day, link_id, level, cause, amount_micros,"
        " reading_micros, reserve_micros, link_version, table_id, round_no, hit_id, jackpot_id, decision_id)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"
        " ON CONFLICT (property_id, position) DO NOTHING",
        [(property_id, *row) for row in rows],
    )


async def add_submissions(connection: Connection, property_id: str, rows: Iterable[SubmissionRecord]) -> None:
    """Keeps approved submissions."""
    await connection.executemany(
        "INSERT INTO submission_record (property_id, position, submission_id, title, effective_from, proposed_by,"
        " approved_by, approved_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
        " ON CONFLICT (property_id, position) DO NOTHING",
        [(property_id, *row) for row in rows],
    )


async def jackpots(connection: Connection, property_id: str, through: date) -> list[JackpotRecord]:
    """Every state of the jackpots hit up to a gaming day, in the order in which they came."""
    rows = await connection.fetch(
        "SELECT position, gaming_day, jackpot_id, hit_id, link_id, level, round_day, table_id, shoe, round_no, roll,"
        " seat, code, paytable, stake_cents, amount_cents, percent, reading_micros, state, paid_from, actor, rank, at,"
        " slip_no, paid_through, reportable, withheld_cents, decision_id FROM jackpot_record"
        " WHERE property_id = $1 AND gaming_day <= $2 ORDER BY position",
        property_id,
        through,
    )
    return [JackpotRecord(*row) for row in rows]


async def decisions(connection: Connection, property_id: str, through: date) -> list[DecisionRecord]:
    """Every state of the decisions up to a gaming day, in the order in which they came."""
    rows = await connection.fetch(
        "SELECT position, gaming_day, decision_id, state, subject, link_id, level, heirs, amount, jackpot_id, action,"
        " reason, regulator_reference, note, proposed_by, decided_by, decided_at FROM decision_record"
        " WHERE property_id = $1 AND gaming_day <= $2 ORDER BY position",
        property_id,
        through,
    )
    return [DecisionRecord(*row) for row in rows]


async def links(connection: Connection, property_id: str, through: date) -> list[LinkRecord]:
    """Every state of the links' versions up to a gaming day, in the order in which they came."""
    rows = await connection.fetch(
        "SELECT position, gaming_day, link_id, version, state, title, code, paytable, table_ids, levels, seeds_cents,"
        " increment_rates, reserve_rates, limits_cents, mysteries, effective_from, proposed_by, approved_by,"
        " changed_by, reason, at FROM link_record WHERE property_id = $1 AND gaming_day <= $2 ORDER BY position",
        property_id,
        through,
    )
    return [LinkRecord(*row) for row in rows]


async def submissions(connection: Connection, property_id: str, through: date) -> list[SubmissionRecord]:
    """The approved submissions that take effect up to a gaming day, in the order in which they were approved."""
    rows = await connection.fetch(
        "SELECT position, submission_id, title, effective_from, proposed_by, approved_by, approved_at"
        " FROM submission_record WHERE property_id = $1 AND effective_from <= $2 ORDER BY position",
        property_id,
        through,
    )
    return [SubmissionRecord(*row) for row in rows]


async def events(connection: Connection, property_id: str, through: date) -> list[MeterEvent]:
    """Every movement of meters up to a gaming day but the contributions of wagers, in order."""
    rows = await connection.fetch(
        "SELECT position, gaming_day, link_id, level, cause, amount_micros, reading_micros, reserve_micros,"
        " link_version, table_id, round_no, hit_id, jackpot_id, decision_id FROM meter_event"
        " WHERE property_id = $1 AND gaming_day <= $2 ORDER BY position",
        property_id,
        through,
    )
    return [MeterEvent(*row) for row in rows]


async def property_settings(connection: Connection, property_id: str) -> list[PropertySetting]:
    """What was set of the property from each gaming day on, in order."""
    rows = await connection.fetch(
        "SELECT effective_from, title, time_zone, cut_over, shift_starts, house_edge_from, house_edge_to, jurisdiction"
        " FROM property_setting WHERE property_id = $1 ORDER BY effective_from",
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
