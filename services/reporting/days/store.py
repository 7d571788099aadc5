"""The SQL of gaming days and filed reports: facts, and what a day is judged by."""

from datetime import date, datetime
from typing import NamedTuple

from services.reporting.day import DayChange
from services.reporting.filing import Filed
from services.runtime.store import Connection, Record


class Restated(NamedTuple):
    """A restated day, with its gross revenue report in this version and in the one before; None: not filed."""

    gaming_day: date
    version: int
    at: datetime
    approved_by: str
    reason: str
    before: bytes | None
    content: bytes


class Days(NamedTuple):
    """The gaming days of a property, in order: those that were opened, and those with documents or rounds."""

    opened: dict[date, int]
    active: list[date]


async def add_change(connection: Connection, position: int, change: DayChange) -> None:
    """Keeps a state of a day as the fact at that position of the documents feed."""
    await connection.execute(
        "INSERT INTO day_state (property_id, gaming_day, state, version, reason, changed_by, changed_at, position)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        *change,
        position,
    )


async def changes(connection: Connection, property_id: str, first: date, last: date) -> dict[int, DayChange]:
    """The states of gaming days by position, in the order in which they came."""
    rows = await connection.fetch(
        "SELECT position, property_id, gaming_day, state, version, reason, changed_by, changed_at FROM day_state"
        " WHERE property_id = $1 AND gaming_day BETWEEN $2 AND $3 ORDER BY position",
        property_id,
        first,
        last,
    )
    return {row[0]: DayChange(*row[1:]) for row in rows}


async def add_filed(connection: Connection, position: int, filed: Filed, content: bytes) -> None:
    """Keeps a filed report, with its bytes, as the fact at that position of the documents feed."""
    await connection.execute(
        "INSERT INTO filed_report (property_id, gaming_day, name, version, position, bytes, sha256, feeds,"
        " feed_positions, filed_by, approved_by, filed_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        filed.property_id,
        filed.gaming_day,
        filed.name,
        filed.version,
        position,
        content,
        filed.sha256,
        list(filed.positions),
        list(filed.positions.values()),
        filed.filed_by,
        filed.approved_by,
        filed.filed_at,
    )


async def filed_content(connection: Connection, property_id: str, day: date, name: str, version: int) -> bytes | None:
    """The bytes of a report of a day as it was filed under a version."""
    found: bytes | None = await connection.fetchval(
        "SELECT bytes FROM filed_report WHERE property_id = $1 AND gaming_day = $2 AND name = $3 AND version = $4",
        property_id,
        day,
        name,
        version,
    )
    return found


async def filed_reports(connection: Connection, property_id: str, first: date, last: date) -> dict[int, Filed]:
    """Every version of every report filed for gaming days, by position."""
    rows = await connection.fetch(
        "SELECT position, property_id, gaming_day, name, version, sha256, octet_length(bytes) AS size, feeds,"
        " feed_positions, filed_by, approved_by, filed_at FROM filed_report"
        " WHERE property_id = $1 AND gaming_day BETWEEN $2 AND $3 ORDER BY position",
        property_id,
        first,
        last,
    )
    return {row["position"]: _filed(row) for row in rows}


def _filed(row: Record) -> Filed:
    plain = ("property_id", "gaming_day", "name", "version", "sha256", "size", "filed_by", "approved_by", "filed_at")
    positions = dict(zip(row["feeds"], row["feed_positions"], strict=True))
    return Filed(positions=positions, **{name: row[name] for name in plain})


async def days(connection: Connection, property_id: str) -> Days:
    """Every gaming day that was opened, with its position in the rounds feed, and every one with something in it."""
    opened = await connection.fetch(
        "SELECT gaming_day, min(rounds_position) FROM opened_day WHERE property_id = $1"
        " GROUP BY gaming_day ORDER BY gaming_day",
        property_id,
    )
    active = await connection.fetch(
        "SELECT gaming_day FROM document WHERE property_id = $1 UNION"
        " SELECT gaming_day FROM round_sum WHERE property_id = $1 AND rounds <> 0 UNION"
        " SELECT gaming_day FROM day_state WHERE property_id = $1 ORDER BY gaming_day",
        property_id,
    )
    return Days({row[0]: row[1] for row in opened}, [row[0] for row in active])


async def restated(connection: Connection, property_id: str, first: date, last: date) -> list[Restated]:
    """Versions of gaming days filed after a later day was: restatements, and days that were filed late, in order."""
    rows = await connection.fetch(
        "SELECT s.gaming_day, s.version, s.changed_at, s.changed_by, s.reason, b.bytes, r.bytes FROM day_state AS s"
        " JOIN filed_report AS r USING (property_id, gaming_day, version)"
        " LEFT JOIN filed_report AS b ON b.property_id = s.property_id AND b.gaming_day = s.gaming_day"
        " AND b.name = r.name AND b.version = s.version - 1"
        " WHERE s.property_id = $1 AND s.gaming_day BETWEEN $2 AND $3 AND r.name = 'gross-revenue'"
        " AND (s.state = 'restated' OR s.state = 'filed' AND EXISTS (SELECT FROM day_state AS l"
        " WHERE l.property_id = s.property_id AND l.gaming_day > s.gaming_day AND l.state = 'filed'"
        " AND l.position < s.position)) ORDER BY s.position",
        property_id,
        first,
        last,
    )
    return [Restated(*row) for row in rows]


async def played(connection: Connection, property_id: str, day: date) -> list[str]:
    """The tables that dealt a round on a gaming day."""
    rows = await connection.fetch(
        "SELECT table_id FROM round_sum WHERE property_id = $1 AND gaming_day = $2"
        " GROUP BY table_id HAVING sum(rounds) <> 0 ORDER BY table_id",
        property_id,
        day,
    )
    return [row[0] for row in rows]


async def pending(connection: Connection, property_id: str, day: date) -> dict[str, int]:
    """Wagers of a gaming day that are not settled, by table."""
    rows = await connection.fetch(
        "SELECT table_id, sum(pending)::bigint FROM wager_sum WHERE property_id = $1 AND gaming_day = $2"
        " GROUP BY table_id HAVING sum(pending) <> 0 ORDER BY table_id",
        property_id,
        day,
    )
    return {row[0]: row[1] for row in rows}
