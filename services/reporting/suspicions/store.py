"""The SQL of suspicions. It may suspect what is in order, and never passes over what is not: the rules decide later."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from services.reporting.serials import Numbered
from services.reporting.sums import ExceptionKey
from services.runtime.store import Connection


class Closed(NamedTuple):
    """What a table-day began and ended with, whole cents, and whether anything on its papers may be wrong by itself."""

    gaming_day: date
    table_id: str
    opener: int | None
    closer: int | None
    closer_id: str | None
    suspected: bool


async def table_days(
    connection: Connection, property_id: str, first: date, last: date, signatures: Mapping[str, int]
) -> list[Closed]:
    """Every table-day of the period with standing documents, by day and table; `signatures`: how many a kind takes.

    Roles are known and different on every document, so that their number says whether one is missing.
    """
    rows = await connection.fetch(
        """
        SELECT d.gaming_day, d.table_id,
            (array_agg(d.amount_cents ORDER BY coalesce(d.occurred_at, d.posted_at), d.position)
                FILTER (WHERE d.kind = 'opener'))[1],
            (array_agg(d.amount_cents ORDER BY coalesce(d.occurred_at, d.posted_at) DESC, d.position DESC)
                FILTER (WHERE d.kind = 'closer'))[1],
            (array_agg(d.document_id ORDER BY coalesce(d.occurred_at, d.posted_at) DESC, d.position DESC)
                FILTER (WHERE d.kind = 'closer'))[1],
            bool_or(d.kind IN ('jackpot_slip', 'error_notification') OR d.corrects <> ''
                OR coalesce(array_length(d.signatures, 1), 0) IS DISTINCT FROM w.signatures
                OR (d.kind IN ('opener', 'fill', 'credit', 'closer') AND d.amount_cents <> 0
                    AND d.denominations = '{}')
                OR (d.kind = 'count' AND (d.first_counted_by = '' OR d.second_counted_by = ''
                    OR d.first_amounts <> d.second_amounts OR d.first_denominations <> d.second_denominations)))
            OR NOT (bool_or(d.kind = 'opener') AND bool_or(d.kind = 'count') AND bool_or(d.kind = 'closer')
                OR bool_or(d.kind = 'meter_reading') AND NOT bool_or(d.kind IN ('opener', 'count', 'closer')))
            OR array_agg(d.box_serial ORDER BY d.box_serial) FILTER (WHERE d.kind = 'drop')
                IS DISTINCT FROM array_agg(d.box_serial ORDER BY d.box_serial)
                FILTER (WHERE d.kind = 'count' AND d.box_serial <> '')
            OR count(*) FILTER (WHERE d.kind = 'drop') <> count(DISTINCT d.box_serial) FILTER (WHERE d.kind = 'drop')
            OR sum(CASE d.kind WHEN 'counter_check' THEN d.amount_cents WHEN 'counter_check_redeemed'
                THEN -d.amount_cents WHEN 'count' THEN -d.counter_checks_cents ELSE 0 END) <> 0
        FROM document AS d LEFT JOIN unnest($4::text[], $5::integer[]) AS w (kind, signatures) ON w.kind = d.kind
        WHERE d.property_id = $1 AND d.gaming_day BETWEEN $2 AND $3 AND NOT EXISTS (
            SELECT FROM document AS c WHERE c.property_id = d.property_id AND c.corrects = d.document_id
                AND c.corrects <> '')
        GROUP BY d.gaming_day, d.table_id ORDER BY d.gaming_day, d.table_id
        """,
        property_id,
        first,
        last,
        list(signatures),
        list(signatures.values()),
    )
    return [Closed(*row) for row in rows]


async def after_gaps(connection: Connection, property_id: str, first: date, last: date) -> list[Numbered]:
    """The numbered documents of gaming days whose series has a lower number, but not the one before theirs."""
    rows = await connection.fetch(
        """
        SELECT d.document_id, d.gaming_day, (
            SELECT p.number FROM document AS p
            WHERE p.property_id = d.property_id AND p.series = d.series AND p.number < d.number
            ORDER BY p.number DESC LIMIT 1)
        FROM document AS d
        WHERE d.property_id = $1 AND d.gaming_day BETWEEN $2 AND $3 AND d.number IS NOT NULL AND NOT EXISTS (
            SELECT FROM document AS b
            WHERE b.property_id = d.property_id AND b.series = d.series AND b.number = d.number - 1)
        ORDER BY d.gaming_day, d.series, d.number
        """,
        property_id,
        first,
        last,
    )
    return [Numbered(*row) for row in rows]


async def exceptions(
    connection: Connection, property_id: str, first: date, last: date
) -> dict[date, dict[ExceptionKey, int]]:
    """The exceptions of each gaming day that are not resolved."""
    rows = await connection.fetch(
        "SELECT gaming_day, table_id, source, reason, exceptions FROM exception_sum WHERE property_id = $1"
        " AND gaming_day BETWEEN $2 AND $3 AND exceptions <> 0 ORDER BY gaming_day, source, reason, table_id",
        property_id,
        first,
        last,
    )
    found: dict[date, dict[ExceptionKey, int]] = {}
    for row in rows:
        found.setdefault(row[0], {})[ExceptionKey(*row[:4])] = row[4]
    return found


async def questions(
    connection: Connection, property_id: str, first: date, last: date
) -> dict[date, dict[ExceptionKey, int]]:
    """What of each gaming day people still have to decide or look at, counted as exceptions."""
    rows = await connection.fetch(
        "SELECT gaming_day, table_id, 'progressives', reason, count(*) FROM question WHERE property_id = $1"
        " AND gaming_day BETWEEN $2 AND $3 AND open GROUP BY gaming_day, table_id, reason"
        " ORDER BY gaming_day, reason, table_id",
        property_id,
        first,
        last,
    )
    found: dict[date, dict[ExceptionKey, int]] = {}
    for row in rows:
        found.setdefault(row[0], {})[ExceptionKey(*row[:4])] = row[4]
    return found
