"""What explains a meter: sums and lines of its journal, read from facts, never from its head."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from services.kernel.ids import RoundKey
from services.progressives.explanation import Contributed, Line, Sums, Table, Total, tables
from services.progressives.meter import Cause
from services.runtime.store import Connection, Record


class Level(NamedTuple):
    """A meter of a property, and its place, from 1, among the levels of its link."""

    property_id: str
    link_id: str
    level: str
    place: int


class Edge(NamedTuple):
    """A movement where a stretch of the journal begins or ends: its position, and the reading on either side."""

    position: int
    before: int
    after: int


async def sums(connection: Connection, meter: Level, after: int, through: int) -> Sums:
    """A meter's journal after one position and through another, summed by cause and by table."""
    contributed, of_tables = await _contributed(connection, meter, after, through)
    rows = await connection.fetch(
        "SELECT cause, count(*), sum(amount)::bigint FROM movement"
        " WHERE property_id = $1 AND link_id = $2 AND level = $3 AND position > $4 AND position <= $5 GROUP BY cause",
        *meter[:3],
        after,
        through,
    )
    moved = {Cause(row[0]): Total(row[1], row[2]) for row in rows}
    corrected = await _corrected(connection, meter, after, through)
    return Sums(contributed, moved, tables(of_tables, corrected))


async def _contributed(
    connection: Connection, meter: Level, after: int, through: int
) -> tuple[Contributed, list[Table]]:
    rows = await connection.fetch(
        """
        SELECT table_id, count(*), sum(stake_cents)::bigint, sum(amounts[$3])::bigint,
            count(*) FILTER (WHERE reserve_amounts[$3] <> 0), sum(reserve_amounts[$3])::bigint,
            count(*) FILTER (WHERE overflows[$3] <> 0), coalesce(sum(overflows[$3]), 0)::bigint
        FROM contribution
        WHERE property_id = $1 AND link_id = $2 AND position > $4 AND position <= $5 GROUP BY table_id
        """,
        meter.property_id,
        meter.link_id,
        meter.place,
        after,
        through,
    )
    count, amount, kept_by, kept, over_by, over = (sum(row[n] for row in rows) for n in (1, 3, 4, 5, 6, 7))
    found = Contributed(Total(count, amount), Total(kept_by, kept), Total(over_by, over))
    return found, [Table(*row[:4]) for row in map(tuple, rows)]


async def _corrected(connection: Connection, meter: Level, after: int, through: int) -> Mapping[str, int]:
    rows = await connection.fetch(
        "SELECT table_id, sum(amount)::bigint FROM movement"
        " WHERE property_id = $1 AND link_id = $2 AND level = $3 AND position > $4 AND position <= $5"
        " AND cause = 'contribution' AND table_id IS NOT NULL GROUP BY table_id",
        *meter[:3],
        after,
        through,
    )
    return {row[0]: row[1] for row in rows}


async def lines(
    connection: Connection, meter: Level, after: int, through: int, limit: int, *, with_wagers: bool
) -> list[Line]:
    """At most so many lines of a meter's journal after one position and through another, in order."""
    rows = await connection.fetch(
        """
        (SELECT position, cause, CASE cause WHEN 'reserved' THEN 0 ELSE amount END,
            CASE cause WHEN 'reserved' THEN amount WHEN 'seed_reserve' THEN -amount ELSE 0 END,
            reading_after, reserve_after, wager_no, 0 AS seat, 0 AS stake_cents, jackpot_id, decision_id,
            0 AS overflow, coalesce(round_day, gaming_day), table_id, shoe, round_no, roll
        FROM movement WHERE property_id = $1 AND link_id = $2 AND level = $3 AND position > $5 AND position <= $6
        ORDER BY position LIMIT $7)
        UNION ALL
        (SELECT position, 'contribution', amounts[$4], reserve_amounts[$4],
            readings[$4], reserves[$4], wager_no, seat, stake_cents, '', '',
            coalesce(overflows[$4], 0), gaming_day, table_id, shoe, round_no, roll
        FROM contribution WHERE $8 AND property_id = $1 AND link_id = $2 AND position > $5 AND position <= $6
        ORDER BY position LIMIT $7)
        ORDER BY position LIMIT $7
        """,
        *meter,
        after,
        through,
        limit,
        with_wagers,
    )
    return [_line(row) for row in rows]


def _line(row: Record) -> Line:
    values = tuple(row)
    key = None if values[13] is None else RoundKey(*values[12:17])
    return Line._make((values[0], Cause(values[1]), *values[2:6], key, *values[6:12]))


async def first_seed(connection: Connection, meter: Level) -> int:
    """Where the meter begins: the position of its first movement; 0 where it has none."""
    found: int | None = await connection.fetchval(
        "SELECT min(position) FROM movement WHERE property_id = $1 AND link_id = $2 AND level = $3", *meter[:3]
    )
    return found or 0


async def hit_begins(connection: Connection, meter: Level, hit_id: str, gaming_day: date) -> Edge | None:
    """The first movement of a hit; None where there is none."""
    row = await connection.fetchrow(
        "SELECT position, reading_before, reading_after FROM movement WHERE property_id = $1 AND link_id = $2"
        " AND level = $3 AND hit_id = $4 AND decision_id = '' AND gaming_day = $5 ORDER BY position LIMIT 1",
        *meter[:3],
        hit_id,
        gaming_day,
    )
    return Edge(*row) if row else None


async def hit_before(connection: Connection, meter: Level, position: int) -> Edge | None:
    """The last movement before a position that a hit or the first seed made; corrections and decisions make none."""
    row = await connection.fetchrow(
        "SELECT position, reading_before, reading_after FROM movement WHERE property_id = $1 AND link_id = $2"
        " AND level = $3 AND position < $4 AND decision_id = '' AND (hit_id <> '' OR table_id IS NULL)"
        " ORDER BY position DESC LIMIT 1",
        *meter[:3],
        position,
    )
    return Edge(*row) if row else None


async def commit_at(connection: Connection, property_id: str, position: int) -> bytes:
    """The commit within which a position of the progressives feed lies, in its bytes."""
    found: bytes | None = await connection.fetchval(
        "SELECT commit FROM progressives_entry WHERE property_id = $1 AND position <= $2 AND commit IS NOT NULL"
        " ORDER BY position DESC LIMIT 1",
        property_id,
        position,
    )
    assert found is not None, f"position {position} of the progressives feed of {property_id} lies in no commit"
    return found
