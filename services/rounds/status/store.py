"""The statements of the status."""

from collections.abc import Sequence

from services.kernel.ids import RoundKey
from services.runtime.store import Connection


async def held_open(connection: Connection, property_id: str, rejected: int) -> int:
    """How many facts outside the feed wait for a decision; those answered `rejected` never do."""
    return int(
        await connection.fetchval(
            """
            SELECT count(*) FROM held_fact AS f WHERE f.property_id = $1 AND f.answer <> $2 AND NOT EXISTS (
                SELECT FROM hold_decision AS d WHERE (d.property_id, d.source_id, d.epoch, d.sequence, d.wager_no,
                    d.digest) = (f.property_id, f.source_id, f.epoch, f.sequence, f.wager_no, f.digest))
            """,
            property_id,
            rejected,
        )
    )


async def oldest_unfinished(
    connection: Connection, property_id: str, finishing: Sequence[int], days: int
) -> tuple[RoundKey, bytes] | None:
    """The first round, of so many days opened last, without an event of a finishing kind; with its first entry."""
    row = await connection.fetchrow(
        """
        SELECT r.gaming_day, r.table_id, r.shoe, r.round_no, e.entry FROM (
            SELECT gaming_day, table_id, shoe, round_no, min(position) AS position FROM round_event
            WHERE property_id = $1 AND gaming_day IN (
                SELECT gaming_day FROM opened_day WHERE property_id = $1 ORDER BY position DESC LIMIT $3)
            GROUP BY gaming_day, table_id, shoe, round_no HAVING NOT bool_or(kind = ANY ($2::int[]))
            ORDER BY min(position) LIMIT 1
        ) AS r JOIN rounds_entry AS e ON e.property_id = $1 AND e.position = r.position AND e.gaming_day = r.gaming_day
        """,
        property_id,
        list(finishing),
        days,
    )
    return (RoundKey(*tuple(row)[:4]), row["entry"]) if row else None
