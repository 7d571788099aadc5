"""What the heads of rounds say, and the facts that bound them."""

from datetime import date
from typing import NamedTuple

from services.rounds.sources import SourcePosition
from services.runtime.store import READING_SECONDS, Connection


class SourceHead(NamedTuple):
    """How far a source was answered, with the service's mark.

    `recorded`: the row stands as it was entered in the records before there were marks.
    """

    source_id: str
    at: SourcePosition
    mark: bytes
    recorded: bool


async def source_heads(connection: Connection, property_id: str) -> list[SourceHead]:
    """Every source's head."""
    rows = await connection.fetch(
        "SELECT p.source_id, p.epoch, p.sequence, p.mark, EXISTS (SELECT FROM record AS r WHERE r.property_id = $1"
        " AND r.fact = 'source_position' AND r.content::jsonb = to_jsonb(p) - 'mark') AS recorded"
        " FROM source_position AS p WHERE p.property_id = $1 ORDER BY p.source_id",
        property_id,
    )
    return [SourceHead(row[0], SourcePosition(row[1], row[2]), row[3], row[4]) for row in rows]


async def answered(connection: Connection, property_id: str) -> dict[str, SourcePosition]:
    """The furthest event of each source that left a row."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT ON (source_id) source_id, epoch, sequence FROM (
            SELECT source_id, epoch, max(sequence) AS sequence FROM round_event WHERE property_id = $1 GROUP BY 1, 2
            UNION ALL
            SELECT source_id, epoch, max(sequence) FROM table_event WHERE property_id = $1 GROUP BY 1, 2
            UNION ALL
            SELECT source_id, epoch, max(sequence) FROM held_fact WHERE property_id = $1 GROUP BY 1, 2
        ) AS told WHERE source_id <> '' ORDER BY source_id, epoch DESC, sequence DESC
        """,
        property_id,
        timeout=READING_SECONDS,
    )
    return {row["source_id"]: SourcePosition(row["epoch"], row["sequence"]) for row in rows}


async def spin_heads(connection: Connection, property_id: str) -> dict[str, tuple[date, int]]:
    """Day and position of the last spin of each wheel, by table."""
    rows = await connection.fetch(
        "SELECT table_id, gaming_day, position FROM last_spin WHERE property_id = $1 ORDER BY table_id", property_id
    )
    return {row["table_id"]: (row["gaming_day"], row["position"]) for row in rows}
