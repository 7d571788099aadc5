"""Every statement of the reporting service. Projections are raised by one statement a table and batch."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from services.reporting.document import TableSetting
from services.reporting.sums import (
    ContributionKey,
    ExceptionKey,
    JackpotState,
    LevelKey,
    LinkVersion,
    MovementKey,
    PropertySetting,
    Reading,
    RoundsKey,
    SumKey,
    WagerKey,
    WagerSum,
)
from services.runtime.store import Beside, Connection

EVERY_DAY = date.min
"""The day of an exception that names none; Postgres has it as -infinity."""


def _lists(rows: Iterable[Sequence[Any]], width: int) -> list[list[Any]]:
    """Rows turned into one list a column."""
    columns: list[list[Any]] = [list(column) for column in zip(*rows, strict=True)]
    return columns or [[] for _ in range(width)]


_RAISE_REACH = """
INSERT INTO reach AS r (property_id, feed, rounds_position)
SELECT $1, told ->> 'feed', (told ->> 'rounds_position')::bigint FROM (SELECT $10::jsonb AS told)
ON CONFLICT (property_id, feed) DO UPDATE SET rounds_position = excluded.rounds_position
WHERE r.rounds_position < excluded.rounds_position
"""


def reach_raised(feed: str, rounds_position: int) -> Beside:
    """Records how far along the rounds feed the applied entries of `feed` reach; it never falls."""
    return Beside(_RAISE_REACH, json.dumps({"feed": feed, "rounds_position": rounds_position}))


async def reach(connection: Connection, property_id: str) -> dict[str, int]:
    """The reach of every feed."""
    rows = await connection.fetch("SELECT feed, rounds_position FROM reach WHERE property_id = $1", property_id)
    return {row["feed"]: row["rounds_position"] for row in rows}


async def property_on(connection: Connection, property_id: str, day: date) -> PropertySetting | None:
    """The settings in force on a gaming day."""
    row = await connection.fetchrow(
        f"SELECT {', '.join(PropertySetting._fields)} FROM property_setting"
        " WHERE property_id = $1 AND effective_from <= $2 ORDER BY effective_from DESC LIMIT 1",
        property_id,
        day,
    )
    return PropertySetting(*row) if row else None


async def tables_on(connection: Connection, property_id: str, day: date) -> dict[str, TableSetting]:
    """The tables set on a gaming day, each as it then stood."""
    rows = await connection.fetch(
        f"SELECT DISTINCT ON (table_id) {', '.join(TableSetting._fields)} FROM table_setting"
        " WHERE property_id = $1 AND effective_from <= $2 ORDER BY table_id, effective_from DESC",
        property_id,
        day,
    )
    return {row["table_id"]: TableSetting(*row) for row in rows}


async def set_properties(connection: Connection, property_id: str, rows: Sequence[PropertySetting]) -> None:
    """Settings of the property; a later entry for the same day replaces."""
    await _set(connection, "property_setting", ("effective_from",), property_id, rows)


async def set_tables(connection: Connection, property_id: str, rows: Sequence[TableSetting]) -> None:
    """Settings of tables; a later entry for the same day replaces."""
    await _set(connection, "table_setting", ("table_id", "effective_from"), property_id, rows)


async def _set(
    connection: Connection,
    table: str,
    key: Sequence[str],
    property_id: str,
    rows: Sequence[PropertySetting] | Sequence[TableSetting],
) -> None:
    fields = rows[0]._fields
    said = [field for field in fields if field not in key]
    places = ", ".join(f"${place}" for place in range(1, len(fields) + 2))
    await connection.executemany(
        f"INSERT INTO {table} (property_id, {', '.join(fields)}) VALUES ({places})"
        f" ON CONFLICT (property_id, {', '.join(key)}) DO UPDATE SET"
        f" ({', '.join(said)}) = ({', '.join(f'excluded.{field}' for field in said)})",
        [(property_id, *row) for row in rows],
    )


async def add_wagers(connection: Connection, property_id: str, sums: Mapping[WagerKey, Sequence[int]]) -> None:
    """Adds to the sums of settled wagers."""
    await connection.execute(
        """
        INSERT INTO wager_sum AS w (property_id, gaming_day, shift, table_id, dealer, submission_id, decks,
            wheel, code, paytable, wagers, handle_cents, payout_cents, inventory_cents, breakage_micros, pending,
            pending_cents)
        SELECT $1, * FROM unnest($2::date[], $3::int[], $4::text[], $5::text[], $6::text[], $7::int[],
            $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[],
            $15::bigint[], $16::bigint[], $17::bigint[])
        ON CONFLICT (property_id, gaming_day, shift, table_id, dealer, submission_id, decks, wheel, code, paytable)
        DO UPDATE SET wagers = w.wagers + excluded.wagers,
            handle_cents = w.handle_cents + excluded.handle_cents,
            payout_cents = w.payout_cents + excluded.payout_cents,
            inventory_cents = w.inventory_cents + excluded.inventory_cents,
            breakage_micros = w.breakage_micros + excluded.breakage_micros,
            pending = w.pending + excluded.pending,
            pending_cents = w.pending_cents + excluded.pending_cents
        """,
        property_id,
        *_lists([(*key, *line) for key, line in sums.items()], 16),
    )


async def wagers(connection: Connection, property_id: str, day: date) -> list[WagerSum]:
    """The day's sums of settled wagers, in the order of their keys."""
    rows = await connection.fetch(
        "SELECT gaming_day, shift, table_id, dealer, submission_id, decks, wheel, code, paytable, wagers,"
        " handle_cents, payout_cents, inventory_cents, breakage_micros, pending, pending_cents"
        " FROM wager_sum WHERE property_id = $1 AND gaming_day = $2"
        " ORDER BY shift, table_id, dealer, submission_id, decks, wheel, code, paytable",
        property_id,
        day,
    )
    return [WagerSum(SumKey(*row[:9]), *row[9:]) for row in rows]


async def add_rounds(connection: Connection, property_id: str, sums: Mapping[RoundsKey, int]) -> None:
    """Adds to the counts of settled rounds."""
    await connection.execute(
        """
        INSERT INTO round_sum AS r (property_id, gaming_day, shift, table_id, rounds)
        SELECT $1, * FROM unnest($2::date[], $3::int[], $4::text[], $5::bigint[])
        ON CONFLICT (property_id, gaming_day, shift, table_id)
        DO UPDATE SET rounds = r.rounds + excluded.rounds
        """,
        property_id,
        *_lists([(*key, count) for key, count in sums.items()], 4),
    )


async def rounds(connection: Connection, property_id: str, day: date) -> dict[RoundsKey, int]:
    """The day's settled rounds by shift and table."""
    rows = await connection.fetch(
        "SELECT gaming_day, shift, table_id, rounds FROM round_sum WHERE property_id = $1 AND gaming_day = $2"
        " ORDER BY shift, table_id",
        property_id,
        day,
    )
    return {RoundsKey(*row[:3]): row[3] for row in rows}


async def set_links(connection: Connection, property_id: str, rows: Sequence[LinkVersion]) -> None:
    """Versions of links."""
    await connection.executemany(
        "INSERT INTO link_version (property_id, link_id, version, code, paytable, levels)"
        " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (property_id, link_id, version) DO UPDATE SET"
        " (code, paytable, levels) = (excluded.code, excluded.paytable, excluded.levels)",
        [(property_id, *row) for row in rows],
    )


async def links(connection: Connection, property_id: str) -> list[LinkVersion]:
    """Every version of every link, oldest first."""
    rows = await connection.fetch(
        "SELECT link_id, version, code, paytable, levels FROM link_version WHERE property_id = $1"
        " ORDER BY link_id, version",
        property_id,
    )
    return [LinkVersion(*row) for row in rows]


async def add_contributions(
    connection: Connection, property_id: str, sums: Mapping[ContributionKey, Sequence[int]]
) -> None:
    """Adds to the sums of contributions."""
    await connection.execute(
        """
        INSERT INTO contribution_sum AS c (property_id, gaming_day, table_id, submission_id, code, paytable,
            link_id, level, wagers, amount_micros, reserve_micros)
        SELECT $1, * FROM unnest($2::date[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
            $8::text[], $9::bigint[], $10::bigint[], $11::bigint[])
        ON CONFLICT (property_id, gaming_day, table_id, submission_id, code, paytable, link_id, level)
        DO UPDATE SET wagers = c.wagers + excluded.wagers,
            amount_micros = c.amount_micros + excluded.amount_micros,
            reserve_micros = c.reserve_micros + excluded.reserve_micros
        """,
        property_id,
        *_lists([(*key, *line) for key, line in sums.items()], 10),
    )


async def contributions(connection: Connection, property_id: str, day: date) -> dict[ContributionKey, tuple[int, int]]:
    """The day's contributions to meter and reserve, in micro-dollars."""
    rows = await connection.fetch(
        "SELECT gaming_day, table_id, submission_id, code, paytable, link_id, level, amount_micros,"
        " reserve_micros FROM contribution_sum WHERE property_id = $1 AND gaming_day = $2"
        " ORDER BY table_id, submission_id, code, paytable, link_id, level",
        property_id,
        day,
    )
    return {ContributionKey(*row[:7]): (row[7], row[8]) for row in rows}


async def add_movements(connection: Connection, property_id: str, sums: Mapping[MovementKey, int]) -> None:
    """Adds to the sums of movements by cause."""
    await connection.execute(
        """
        INSERT INTO movement_sum AS m (property_id, gaming_day, link_id, level, cause, amount_micros)
        SELECT $1, * FROM unnest($2::date[], $3::text[], $4::text[], $5::text[], $6::bigint[])
        ON CONFLICT (property_id, gaming_day, link_id, level, cause)
        DO UPDATE SET amount_micros = m.amount_micros + excluded.amount_micros
        """,
        property_id,
        *_lists([(*key, amount) for key, amount in sums.items()], 5),
    )


async def movements(connection: Connection, property_id: str, day: date) -> dict[MovementKey, int]:
    """The day's movements by cause, in micro-dollars."""
    rows = await connection.fetch(
        "SELECT gaming_day, link_id, level, cause, amount_micros FROM movement_sum"
        " WHERE property_id = $1 AND gaming_day = $2 ORDER BY link_id, level, cause",
        property_id,
        day,
    )
    return {MovementKey(*row[:4]): row[4] for row in rows}


async def set_readings(connection: Connection, property_id: str, rows: Mapping[LevelKey, Reading]) -> None:
    """The last reading of a meter on each of the days."""
    await connection.execute(
        """
        INSERT INTO day_reading
            (property_id, gaming_day, link_id, level, position, reading_micros, reserve_micros)
        SELECT $1, * FROM unnest($2::date[], $3::text[], $4::text[], $5::bigint[], $6::bigint[],
            $7::bigint[])
        ON CONFLICT (property_id, gaming_day, link_id, level)
        DO UPDATE SET (position, reading_micros, reserve_micros)
            = (excluded.position, excluded.reading_micros, excluded.reserve_micros)
        """,
        property_id,
        *_lists([(*key, *reading) for key, reading in rows.items()], 6),
    )


async def readings(connection: Connection, property_id: str, day: date) -> dict[LevelKey, Reading]:
    """The reading of every meter at the end of a day: the last one stamped with that day or one before."""
    rows = await connection.fetch(
        "SELECT DISTINCT ON (link_id, level) gaming_day, link_id, level, position, reading_micros,"
        " reserve_micros FROM day_reading WHERE property_id = $1 AND gaming_day <= $2"
        " ORDER BY link_id, level, gaming_day DESC",
        property_id,
        day,
    )
    return {LevelKey(*row[:3]): Reading(*row[3:]) for row in rows}


async def set_jackpots(connection: Connection, property_id: str, rows: Iterable[JackpotState]) -> None:
    """The latest state of jackpots."""
    await connection.executemany(
        "INSERT INTO jackpot (property_id, jackpot_id, gaming_day, table_id, link_id, level, hit_id,"
        " amount_cents, paid_from, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
        " ON CONFLICT (property_id, jackpot_id) DO UPDATE SET (hit_id, amount_cents, paid_from, state)"
        " = (excluded.hit_id, excluded.amount_cents, excluded.paid_from, excluded.state)",
        [(property_id, *row) for row in rows],
    )


async def jackpots(connection: Connection, property_id: str, day: date) -> list[JackpotState]:
    """The jackpots hit on a day."""
    rows = await connection.fetch(
        "SELECT jackpot_id, gaming_day, table_id, link_id, level, hit_id, amount_cents, paid_from, state"
        " FROM jackpot WHERE property_id = $1 AND gaming_day = $2 ORDER BY jackpot_id",
        property_id,
        day,
    )
    return [JackpotState(*row) for row in rows]


async def add_exceptions(connection: Connection, property_id: str, sums: Mapping[ExceptionKey, int]) -> None:
    """Adds to the counts of exceptions."""
    await connection.execute(
        """
        INSERT INTO exception_sum AS e (property_id, gaming_day, table_id, source, reason, exceptions)
        SELECT $1, * FROM unnest($2::date[], $3::text[], $4::text[], $5::text[], $6::bigint[])
        ON CONFLICT (property_id, gaming_day, table_id, source, reason)
        DO UPDATE SET exceptions = e.exceptions + excluded.exceptions
        """,
        property_id,
        *_lists([(*key, count) for key, count in sums.items()], 5),
    )


async def exceptions(connection: Connection, property_id: str, day: date) -> dict[ExceptionKey, int]:
    """The day's exceptions that are not resolved, and those that stand on every day."""
    rows = await connection.fetch(
        "SELECT gaming_day, table_id, source, reason, exceptions FROM exception_sum"
        " WHERE property_id = $1 AND gaming_day IN ($2, $3) AND exceptions <> 0 ORDER BY source, reason, table_id",
        property_id,
        day,
        EVERY_DAY,
    )
    return {ExceptionKey(*row[:4]): row[4] for row in rows}
