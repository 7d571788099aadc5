"""The SQL of the journal: contributions by the day, positions of documents."""

from datetime import date
from typing import NamedTuple

from services.runtime.store import Connection


class Contributed(NamedTuple):
    """What the contributions of a gaming day did to a meter, micro-dollars; `overflow` is what they added to it.

    `position`: the last of the day's entries on the meter, in the progressives feed.
    """

    gaming_day: date
    link_id: str
    level: str
    amount: int
    reserve: int
    overflow: int
    wagers: int
    position: int


async def contributed(connection: Connection, property_id: str, first: date, last: date) -> list[Contributed]:
    """What wagers contributed on gaming days, by day and meter; corrections are no part of it."""
    rows = await connection.fetch(
        """
        SELECT m.gaming_day, m.link_id, m.level,
            coalesce(sum(m.amount_micros) FILTER (WHERE m.cause = 'contribution'), 0)::bigint,
            coalesce(sum(m.amount_micros) FILTER (WHERE m.cause = 'reserve'), 0)::bigint,
            coalesce(-sum(m.amount_micros) FILTER (WHERE m.cause = 'overflow'), 0)::bigint,
            max(m.times)::bigint, coalesce(max(r.position), 0)
        FROM meter_sum AS m LEFT JOIN day_reading AS r ON r.property_id = m.property_id
            AND r.gaming_day = m.gaming_day AND r.link_id = m.link_id AND r.level = m.level
        WHERE m.property_id = $1 AND m.gaming_day BETWEEN $2 AND $3 AND m.made_by = 'wager'
        GROUP BY m.gaming_day, m.link_id, m.level ORDER BY m.gaming_day, m.link_id, m.level
        """,
        property_id,
        first,
        last,
    )
    return [Contributed(*row) for row in rows]


async def positions(connection: Connection, property_id: str, first: date, last: date) -> dict[str, int]:
    """Positions in the documents feed of the documents of gaming days, by their numbers."""
    rows = await connection.fetch(
        "SELECT document_id, position FROM document WHERE property_id = $1 AND gaming_day BETWEEN $2 AND $3",
        property_id,
        first,
        last,
    )
    return {row[0]: row[1] for row in rows}
