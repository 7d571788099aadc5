"""The SQL of payments off the inventory: a projection of jackpots step by step, read by the day of the payment."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta

from services.kernel.clock import Calendar
from services.reporting.payments.payment import JackpotStep, Moved, by_day
from services.runtime.store import Connection

MARGIN = timedelta(days=2)
"""A gaming day begins and ends within so much of its date's midnights in UTC, whatever the zone."""


async def add_steps(connection: Connection, property_id: str, steps: Iterable[JackpotStep]) -> None:
    """Keeps steps of jackpots."""
    await connection.executemany(
        "INSERT INTO jackpot_step (property_id, position, jackpot_id, gaming_day, table_id, standing_cents, at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7)",
        [(property_id, *each) for each in steps],
    )


async def paid_by_slip(
    connection: Connection, property_id: str, first: date, last: date
) -> dict[tuple[date, str], int]:
    """What progressive jackpot slips paid on gaming days, by day and table, in cents; a voided payment is taken off on
    the day on which it was voided.
    """
    rows = await connection.fetch(
        """
        SELECT at, gaming_day, table_id, moved FROM (
            SELECT at, gaming_day, table_id, standing_cents - lag(standing_cents, 1, 0::bigint) OVER (
                PARTITION BY jackpot_id ORDER BY position) AS moved
            FROM jackpot_step WHERE property_id = $1
        ) AS step
        WHERE moved <> 0 AND (at BETWEEN $2 AND $3 OR at IS NULL AND gaming_day BETWEEN $4 AND $5)
        ORDER BY at, table_id
        """,
        property_id,
        _instant(first) - MARGIN,
        _instant(last) + MARGIN,
        first,
        last,
    )
    if not rows:
        return {}
    found = by_day(await _calendars(connection, property_id), [Moved(*row) for row in rows])
    return {key: cents for key, cents in found.items() if first <= key[0] <= last}


def _instant(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


async def _calendars(connection: Connection, property_id: str) -> list[tuple[date, Calendar]]:
    rows = await connection.fetch(
        "SELECT effective_from, time_zone, cut_over, shift_starts FROM property_setting WHERE property_id = $1"
        " ORDER BY effective_from DESC",
        property_id,
    )
    return [
        (row[0], Calendar(row[1], time.fromisoformat(row[2]), tuple(time.fromisoformat(start) for start in row[3])))
        for row in rows
    ]
