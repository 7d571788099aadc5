"""The SQL of periods: documents and projections summed by day and table. No wager is read."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from services.reporting.classes import Papers
from services.reporting.document import TableSetting
from services.reporting.sums import ContributionKey, SeatKey, SumKey, TableTerms, WagerSum
from services.reporting.win import Inventory
from services.runtime.store import Connection

PlaceKey = tuple[date, int, str]
"""A gaming day, a shift (0: all of them) and a table."""


class Play(NamedTuple):
    """What was settled, in whole cents; `from_inventory`: what the table paid, by slips not counted."""

    rounds: int = 0
    wagers: int = 0
    handle: int = 0
    payout: int = 0
    from_inventory: int = 0
    pending: int = 0


async def add_seats(connection: Connection, property_id: str, sums: Mapping[SeatKey, Sequence[int]]) -> None:
    """Adds to the counts of seats and the squares of stakes."""
    columns = list(zip(*sums, strict=True))
    await connection.execute(
        """
        INSERT INTO seat_sum AS s (property_id, gaming_day, table_id, submission_id, code, paytable, seats,
            stake_squares)
        SELECT $1, * FROM unnest($2::date[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[],
            $8::numeric[])
        ON CONFLICT (property_id, gaming_day, table_id, submission_id, code, paytable)
        DO UPDATE SET seats = s.seats + excluded.seats, stake_squares = s.stake_squares + excluded.stake_squares
        """,
        property_id,
        *map(list, columns),
        [seats for seats, _ in sums.values()],
        [Decimal(squares) for _, squares in sums.values()],
    )


async def set_terms(connection: Connection, property_id: str, rows: Sequence[TableTerms]) -> None:
    """Keeps what submissions say of tables."""
    await connection.executemany(
        "INSERT INTO table_terms (property_id, position, table_id, submission_id, effective_from, kind, codes,"
        " paytables) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        [
            (property_id, *row[:5], [code for code, _ in row.offers], [paytable for _, paytable in row.offers])
            for row in rows
        ],
    )


async def terms(connection: Connection, property_id: str) -> list[TableTerms]:
    """What submissions say of tables, in the order in which they come into force."""
    rows = await connection.fetch(
        "SELECT position, table_id, submission_id, effective_from, kind, codes, paytables FROM table_terms"
        " WHERE property_id = $1 ORDER BY effective_from, position, table_id",
        property_id,
    )
    return [TableTerms(row[0], row[1], row[2], row[3], row[4], list(zip(row[5], row[6], strict=True))) for row in rows]


async def table_settings(connection: Connection, property_id: str) -> list[TableSetting]:
    """The settings of tables, in the order in which they come into force."""
    rows = await connection.fetch(
        f"SELECT {', '.join(TableSetting._fields)} FROM table_setting WHERE property_id = $1"
        " ORDER BY effective_from, table_id",
        property_id,
    )
    return [TableSetting(*row) for row in rows]


async def papers(
    connection: Connection, property_id: str, first: date, last: date, *, by_shift: bool
) -> dict[PlaceKey, Papers]:
    """What the standing documents of gaming days say, by day and table, or by shift too.

    A day begins with the first opener and ends with the last closer, as `win.inventory` has it.
    """
    rows = await connection.fetch(
        """
        SELECT d.gaming_day, CASE WHEN $4 THEN d.shift ELSE 0 END AS part, d.table_id,
            (array_agg(d.amount_cents ORDER BY coalesce(d.occurred_at, d.posted_at), d.position)
                FILTER (WHERE d.kind = 'opener'))[1] AS opener,
            coalesce(sum(d.amount_cents) FILTER (WHERE d.kind = 'fill'), 0)::bigint AS fills,
            coalesce(sum(d.amount_cents) FILTER (WHERE d.kind = 'credit'), 0)::bigint AS credits,
            sum(d.amount_cents) FILTER (WHERE d.kind = 'count')::bigint AS drop,
            (array_agg(d.amount_cents ORDER BY coalesce(d.occurred_at, d.posted_at) DESC, d.position DESC)
                FILTER (WHERE d.kind = 'closer'))[1] AS closer,
            coalesce(sum(d.amount_cents) FILTER (WHERE d.kind = 'counter_check'), 0)::bigint AS issued,
            sum(d.counter_checks_cents) FILTER (WHERE d.kind = 'count')::bigint AS checks,
            sum(d.currency_cents) FILTER (WHERE d.kind = 'count')::bigint AS currency,
            coalesce(sum(d.coupons_cents), 0)::bigint AS coupons,
            coalesce(sum(d.promotional_cents), 0)::bigint AS promotional,
            sum(d.wagers_cents) FILTER (WHERE d.kind = 'meter_reading')::bigint AS metered_wagers,
            sum(d.payouts_cents) FILTER (WHERE d.kind = 'meter_reading')::bigint AS metered_payouts,
            sum(d.amount_cents) FILTER (WHERE d.kind = 'estimate')::bigint AS estimate
        FROM document AS d
        WHERE d.property_id = $1 AND d.gaming_day BETWEEN $2 AND $3 AND NOT EXISTS (
            SELECT FROM document AS c WHERE c.property_id = d.property_id AND c.corrects = d.document_id
                AND c.corrects <> '')
        GROUP BY d.gaming_day, part, d.table_id
        """,
        property_id,
        first,
        last,
        by_shift,
    )
    return {(row[0], row[1], row[2]): Papers(Inventory(*row[3:10]), *row[10:]) for row in rows}


async def play(
    connection: Connection, property_id: str, first: date, last: date, *, by_shift: bool
) -> dict[PlaceKey, Play]:
    """What was settled on gaming days, by day and table, or by shift too."""
    rows = await connection.fetch(
        """
        SELECT gaming_day, part, table_id, sum(rounds)::bigint, sum(wagers)::bigint, sum(handle)::bigint,
            sum(payout)::bigint, sum(inventory)::bigint, sum(pending)::bigint
        FROM (
            SELECT gaming_day, CASE WHEN $4 THEN shift ELSE 0 END AS part, table_id, 0 AS rounds,
                sum(wagers) AS wagers, sum(handle_cents) AS handle, sum(payout_cents) AS payout,
                sum(inventory_cents) AS inventory, sum(pending) AS pending
            FROM wager_sum WHERE property_id = $1 AND gaming_day BETWEEN $2 AND $3 GROUP BY 1, 2, 3
            UNION ALL
            SELECT gaming_day, CASE WHEN $4 THEN shift ELSE 0 END, table_id, sum(rounds), 0, 0, 0, 0, 0
            FROM round_sum WHERE property_id = $1 AND gaming_day BETWEEN $2 AND $3 GROUP BY 1, 2, 3
        ) AS parts GROUP BY gaming_day, part, table_id
        """,
        property_id,
        first,
        last,
        by_shift,
    )
    return {(row[0], row[1], row[2]): Play(*row[3:]) for row in rows}


async def wagers(
    connection: Connection, property_id: str, first: date, last: date, *, by_dealer: bool
) -> list[WagerSum]:
    """Sums of settled wagers over gaming days by table, submission and wager, or by dealer too; under the first day."""
    # A year's groups are hashed in memory then; by its own estimate of them the planner would sort all rows on disk.
    await connection.execute("SET LOCAL work_mem = '64MB'")
    rows = await connection.fetch(
        """
        SELECT $2::date, 0, table_id, CASE WHEN $4 THEN dealer ELSE '' END AS who, submission_id, decks, wheel, code,
            paytable, sum(wagers)::bigint, sum(handle_cents)::bigint, sum(payout_cents)::bigint,
            sum(inventory_cents)::bigint, sum(breakage_micros)::bigint, sum(pending)::bigint,
            sum(pending_cents)::bigint
        FROM wager_sum WHERE property_id = $1 AND gaming_day BETWEEN $2 AND $3
        GROUP BY table_id, who, submission_id, decks, wheel, code, paytable
        ORDER BY table_id, who, submission_id, decks, wheel, code, paytable
        """,
        property_id,
        first,
        last,
        by_dealer,
    )
    return [WagerSum(SumKey(*row[:9]), *row[9:]) for row in rows]


async def contributions(
    connection: Connection, property_id: str, first: date, last: date
) -> dict[ContributionKey, tuple[int, int]]:
    """Contributions to meter and reserve over gaming days, micro-dollars, by table, submission and wager."""
    rows = await connection.fetch(
        "SELECT $2::date, table_id, submission_id, code, paytable, '', '', sum(amount_micros)::bigint,"
        " sum(reserve_micros)::bigint FROM contribution_sum WHERE property_id = $1 AND gaming_day BETWEEN $2 AND $3"
        " GROUP BY table_id, submission_id, code, paytable ORDER BY table_id, submission_id, code, paytable",
        property_id,
        first,
        last,
    )
    return {ContributionKey(*row[:7]): (row[7], row[8]) for row in rows}


async def seats(connection: Connection, property_id: str, first: date, last: date) -> dict[SeatKey, tuple[int, int]]:
    """Seats and squared stakes (cents) over gaming days by table, submission and wager; under the first day."""
    rows = await connection.fetch(
        "SELECT $2::date, table_id, submission_id, code, paytable, sum(seats)::bigint, sum(stake_squares)"
        " FROM seat_sum WHERE property_id = $1 AND gaming_day BETWEEN $2 AND $3"
        " GROUP BY table_id, submission_id, code, paytable ORDER BY table_id, submission_id, code, paytable",
        property_id,
        first,
        last,
    )
    return {SeatKey(*row[:5]): (row[5], int(row[6])) for row in rows}


async def pending(connection: Connection, property_id: str, first: date, last: date) -> dict[date, dict[str, int]]:
    """Wagers that are not settled, by gaming day and table."""
    rows = await connection.fetch(
        "SELECT gaming_day, table_id, sum(pending)::bigint FROM wager_sum WHERE property_id = $1"
        " AND gaming_day BETWEEN $2 AND $3 GROUP BY gaming_day, table_id HAVING sum(pending) <> 0"
        " ORDER BY gaming_day, table_id",
        property_id,
        first,
        last,
    )
    found: dict[date, dict[str, int]] = {}
    for day, table_id, count in rows:
        found.setdefault(day, {})[table_id] = count
    return found


async def played(connection: Connection, property_id: str, first: date, last: date) -> dict[date, list[str]]:
    """The tables that dealt a round, by gaming day."""
    rows = await connection.fetch(
        "SELECT gaming_day, table_id FROM round_sum WHERE property_id = $1 AND gaming_day BETWEEN $2 AND $3"
        " GROUP BY gaming_day, table_id HAVING sum(rounds) <> 0 ORDER BY gaming_day, table_id",
        property_id,
        first,
        last,
    )
    found: dict[date, list[str]] = {}
    for day, table_id in rows:
        found.setdefault(day, []).append(table_id)
    return found


async def filed_as(connection: Connection, property_id: str, name: str, first: date, last: date) -> dict[date, bytes]:
    """The bytes of a report as first filed, by gaming day."""
    rows = await connection.fetch(
        "SELECT gaming_day, bytes FROM filed_report WHERE property_id = $1 AND name = $2"
        " AND gaming_day BETWEEN $3 AND $4 AND version = 1 ORDER BY gaming_day",
        property_id,
        name,
        first,
        last,
    )
    return {row[0]: row[1] for row in rows}


async def exceptional(connection: Connection, property_id: str, first: date, last: date) -> list[date]:
    """The gaming days that have an exception or an open question of their own."""
    rows = await connection.fetch(
        "SELECT gaming_day FROM exception_sum WHERE property_id = $1 AND gaming_day BETWEEN $2 AND $3"
        " AND exceptions <> 0 UNION SELECT gaming_day FROM question WHERE property_id = $1"
        " AND gaming_day BETWEEN $2 AND $3 AND open ORDER BY gaming_day",
        property_id,
        first,
        last,
    )
    return [row[0] for row in rows]
