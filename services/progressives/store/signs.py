"""The signs that ever spoke, and what is asked of the journal and of jackpots to watch over the floor."""

from collections.abc import Sequence
from datetime import datetime

from services.kernel.money import MICROS_PER_CENT
from services.runtime.store import Connection


async def add_sign(connection: Connection, property_id: str, sign_id: str, link_id: str, at: datetime) -> None:
    """Registers a sign and the link it shows, where it is not there yet."""
    await connection.execute(
        "INSERT INTO sign (property_id, sign_id, link_id, first_seen_at) VALUES ($1, $2, $3, $4)"
        " ON CONFLICT DO NOTHING",
        property_id,
        sign_id,
        link_id,
        at,
    )


async def known_signs(connection: Connection, property_id: str) -> list[tuple[str, str]]:
    """Every sign that ever spoke, each with a link it shows."""
    rows = await connection.fetch(
        "SELECT sign_id, link_id FROM sign WHERE property_id = $1 ORDER BY sign_id, link_id", property_id
    )
    return [(row[0], row[1]) for row in rows]


async def reading_at(
    connection: Connection, property_id: str, link_id: str, level: str, ordinal: int, position: int
) -> int | None:
    """The reading after the journal row of a meter at a position, micro-dollars; None where it has none there.

    `ordinal` is the place of the level in the link's order, from 1.
    """
    found: int | None = await connection.fetchval(
        "SELECT readings[$4] FROM contribution WHERE property_id = $1 AND link_id = $2 AND position = $5"
        " UNION ALL SELECT reading_after FROM movement"
        " WHERE property_id = $1 AND link_id = $2 AND level = $3 AND position = $5",
        property_id,
        link_id,
        level,
        ordinal,
        position,
    )
    return found


async def leaves(
    connection: Connection, property_id: str, link_id: str, level: str, ordinal: int, after: int, cents: int
) -> int | None:
    """The first position after another at which a meter displays something else than these cents."""
    found: int | None = await connection.fetchval(
        "SELECT min(position) FROM ("
        "(SELECT position FROM contribution WHERE property_id = $1 AND link_id = $2 AND position > $5"
        " AND readings[$4] NOT BETWEEN $6 AND $7 ORDER BY position LIMIT 1)"
        " UNION ALL (SELECT position FROM movement WHERE property_id = $1 AND link_id = $2 AND level = $3"
        " AND position > $5 AND reading_after NOT BETWEEN $6 AND $7 ORDER BY position LIMIT 1)) AS moved",
        property_id,
        link_id,
        level,
        ordinal,
        after,
        cents * MICROS_PER_CENT,
        (cents + 1) * MICROS_PER_CENT - 1,
    )
    return found


async def rounds_played(connection: Connection, property_id: str, link_id: str, after: int, through: int) -> int:
    """How many rounds contributed to a link first after one position and through another.

    A round counts where it contributed first, so that the counts of two stretches are the count of both: what is
    released of it later plays it no second time.
    """
    found: int = await connection.fetchval(
        """
        SELECT count(DISTINCT (c.gaming_day, c.table_id, c.shoe, c.round_no)) FROM contribution AS c
        WHERE c.property_id = $1 AND c.link_id = $2 AND c.position > $3 AND c.position <= $4 AND NOT EXISTS (
            SELECT FROM contribution AS former
            WHERE former.property_id = $1 AND former.gaming_day = c.gaming_day AND former.table_id = c.table_id
                AND former.shoe = c.shoe AND former.round_no = c.round_no AND former.link_id = $2
                AND former.position <= $3)
        """,
        property_id,
        link_id,
        after,
        through,
    )
    return found


async def raised_at(connection: Connection, property_id: str, alert_id: str) -> int:
    """The position of the feed at which an alert was raised."""
    found: int | None = await connection.fetchval(
        "SELECT min(position) FROM alert WHERE property_id = $1 AND alert_id = $2", property_id, alert_id
    )
    assert found is not None, f"alert {alert_id} was never raised"
    return found


async def entered(connection: Connection, property_id: str, jackpot_ids: Sequence[str]) -> dict[str, int]:
    """The position of the latest state of each of these jackpots."""
    rows = await connection.fetch(
        "SELECT jackpot_id, max(position) FROM jackpot WHERE property_id = $1 AND jackpot_id = ANY($2::text[])"
        " GROUP BY jackpot_id",
        property_id,
        list(jackpot_ids),
    )
    return {row[0]: row[1] for row in rows}
