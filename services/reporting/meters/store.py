"""The SQL of meters: projections raised by one statement a table and batch, and read by the day."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from services.reporting.meters.sums import (
    CorrectionKey,
    LinkState,
    MeterKey,
    MeterName,
    OpenedDay,
    Question,
)
from services.reporting.sums import ExceptionKey
from services.runtime.store import Connection


class Moved(NamedTuple):
    """What a cause did to a meter over a period, micro-dollars; `decrease` sums what lay below zero."""

    link_id: str
    level: str
    cause: str
    made_by: str
    times: int
    amount: int
    decrease: int


async def add_opened_days(connection: Connection, property_id: str, days: Sequence[OpenedDay]) -> None:
    """Keeps opened gaming days."""
    await connection.executemany(
        "INSERT INTO opened_day (property_id, rounds_position, gaming_day) VALUES ($1, $2, $3)",
        [(property_id, *each) for each in days],
    )


async def opened_days(connection: Connection, property_id: str) -> tuple[int, list[OpenedDay]]:
    """How far the rounds feed has been followed, and every gaming day opened so far, in order."""
    rows = await connection.fetch(
        "SELECT position, rounds_position, gaming_day FROM cursor LEFT JOIN opened_day USING (property_id)"
        " WHERE property_id = $1 AND feed = 'rounds' ORDER BY rounds_position",
        property_id,
    )
    followed = rows[0]["position"] if rows else 0
    return followed, [OpenedDay(*row[1:]) for row in rows if row["gaming_day"]]


async def curve(connection: Connection, property_id: str, first: date, last: date) -> dict[tuple[date, MeterName], int]:
    """The last reading stamped with each gaming day of a period, micro-dollars; days without a movement have none."""
    rows = await connection.fetch(
        "SELECT gaming_day, link_id, level, reading_micros FROM day_reading WHERE property_id = $1"
        " AND gaming_day BETWEEN $2 AND $3 ORDER BY gaming_day, link_id, level",
        property_id,
        first,
        last,
    )
    return {(row[0], (row[1], row[2])): row[3] for row in rows}


async def add_sums(connection: Connection, property_id: str, sums: Mapping[MeterKey, Sequence[int]]) -> None:
    """Adds to the sums of movements."""
    rows = [(*key, *line) for key, line in sums.items()]
    await connection.execute(
        """
        INSERT INTO meter_sum AS m (property_id, gaming_day, link_id, level, cause, made_by, times, amount_micros,
            decrease_micros)
        SELECT $1, * FROM unnest($2::date[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[],
            $8::bigint[], $9::bigint[])
        ON CONFLICT (property_id, gaming_day, link_id, level, cause, made_by)
        DO UPDATE SET times = m.times + excluded.times, amount_micros = m.amount_micros + excluded.amount_micros,
            decrease_micros = m.decrease_micros + excluded.decrease_micros
        """,
        property_id,
        *(list(column) for column in zip(*rows, strict=True)),
    )


async def correct(connection: Connection, property_id: str, sums: Mapping[CorrectionKey, Sequence[int]]) -> None:
    """Adds corrections to the contributions of their tables.

    A table has one submission a day, so that a link has one row of contributions there.
    """
    rows = [(*key, *line) for key, line in sums.items()]
    await connection.execute(
        """
        UPDATE contribution_sum AS c SET amount_micros = c.amount_micros + k.amount,
            reserve_micros = c.reserve_micros + k.reserve
        FROM unnest($2::date[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
            AS k (gaming_day, table_id, link_id, level, amount, reserve)
        WHERE c.property_id = $1 AND c.gaming_day = k.gaming_day AND c.table_id = k.table_id
            AND c.link_id = k.link_id AND c.level = k.level
            AND (c.submission_id, c.code, c.paytable) = (
                SELECT s.submission_id, s.code, s.paytable FROM contribution_sum AS s
                WHERE s.property_id = $1 AND s.gaming_day = k.gaming_day AND s.table_id = k.table_id
                    AND s.link_id = k.link_id AND s.level = k.level
                ORDER BY s.submission_id DESC, s.code, s.paytable LIMIT 1)
        """,
        property_id,
        *(list(column) for column in zip(*rows, strict=True)),
    )


async def add_links(connection: Connection, property_id: str, states: Sequence[LinkState]) -> None:
    """Keeps states of links."""
    await connection.executemany(
        "INSERT INTO link_state (property_id, position, gaming_day, link_id, version, state, code, paytable, levels,"
        " increment_rates, reserve_rates, table_ids, changed_by)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        [(property_id, *each) for each in states],
    )


async def set_questions(connection: Connection, property_id: str, questions: Mapping[str, Question]) -> None:
    """The latest state of decisions and alerts."""
    await connection.executemany(
        "INSERT INTO question (property_id, name, gaming_day, table_id, reason, open) VALUES ($1, $2, $3, $4, $5, $6)"
        " ON CONFLICT (property_id, name) DO UPDATE SET (gaming_day, table_id, reason, open)"
        " = (excluded.gaming_day, excluded.table_id, excluded.reason, excluded.open)",
        [(property_id, *each) for each in questions.values()],
    )


async def open_questions(connection: Connection, property_id: str, day: date) -> dict[ExceptionKey, int]:
    """The day's decisions that are not taken and alerts that nobody has seen, counted as exceptions."""
    rows = await connection.fetch(
        "SELECT gaming_day, table_id, 'progressives', reason, count(*) FROM question"
        " WHERE property_id = $1 AND gaming_day = $2 AND open GROUP BY gaming_day, table_id, reason"
        " ORDER BY reason, table_id",
        property_id,
        day,
    )
    return {ExceptionKey(*row[:4]): row[4] for row in rows}


async def moved(connection: Connection, property_id: str, first: date, last: date) -> list[Moved]:
    """What each cause did to each meter from one gaming day to another, both included."""
    rows = await connection.fetch(
        "SELECT link_id, level, cause, made_by, sum(times)::bigint, sum(amount_micros)::bigint,"
        " sum(decrease_micros)::bigint FROM meter_sum WHERE property_id = $1 AND gaming_day BETWEEN $2 AND $3"
        " GROUP BY link_id, level, cause, made_by ORDER BY link_id, level, cause, made_by",
        property_id,
        first,
        last,
    )
    return [Moved(*row) for row in rows]


async def overflows(connection: Connection, property_id: str, through: date) -> dict[MeterName, int]:
    """What the limit keeps off each meter at the end of a gaming day, micro-dollars."""
    rows = await connection.fetch(
        "SELECT link_id, level, -sum(amount_micros)::bigint FROM meter_sum"
        " WHERE property_id = $1 AND gaming_day <= $2 AND cause = 'overflow' GROUP BY link_id, level",
        property_id,
        through,
    )
    return {(row[0], row[1]): row[2] for row in rows}


async def links_on(connection: Connection, property_id: str, day: date) -> list[LinkState]:
    """The last state of every link by the end of a gaming day."""
    rows = await connection.fetch(
        "SELECT DISTINCT ON (link_id) position, gaming_day, link_id, version, state, code, paytable, levels,"
        " increment_rates, reserve_rates, table_ids, changed_by FROM link_state"
        " WHERE property_id = $1 AND gaming_day <= $2 ORDER BY link_id, position DESC",
        property_id,
        day,
    )
    return [LinkState(*row) for row in rows]
