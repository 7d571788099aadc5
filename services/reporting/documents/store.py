"""The SQL of table documents: facts that nobody changes."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from services.reporting.discrepancy import PaidJackpot
from services.reporting.document import Amounts, Denomination, Document, IndependentCount, Signature
from services.reporting.serials import Numbered
from services.reporting.vigorish import Forms
from services.runtime.store import Connection, Record


async def add_document(connection: Connection, position: int, document: Document) -> None:
    """Keeps a document as the fact at that position of the documents feed."""
    await connection.execute(
        "INSERT INTO document (document_id, property_id, kind, gaming_day, shift, table_id, amount_cents,"
        " currency_cents, counter_checks_cents, occurred_at, posted_by, posted_at, position, denominations,"
        " coupons_cents, promotional_cents, box_serial, signatures, corrects, reason, jackpot_id, about,"
        " wagers_cents, payouts_cents, first_counted_by, first_amounts, first_denominations, second_counted_by,"
        " second_amounts, second_denominations)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,"
        " $21, $22, $23, $24, $25, $26, $27, $28, $29, $30)",
        document.document_id,
        document.property_id,
        document.kind,
        document.gaming_day,
        document.shift,
        document.table_id,
        document.amount_cents,
        document.currency_cents,
        document.counter_checks_cents,
        document.occurred_at,
        document.posted_by,
        document.posted_at,
        position,
        _lists(document.denominations),
        document.coupons_cents,
        document.promotional_cents,
        document.box_serial,
        [[role, name, at.isoformat() if at else ""] for role, name, at in document.signatures],
        document.corrects,
        document.reason,
        document.jackpot_id,
        list(document.about),
        document.wagers_cents,
        document.payouts_cents,
        *_count_columns(document.first_count),
        *_count_columns(document.second_count),
    )


def _lists(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    return [list(row) for row in rows]


def _count_columns(count: IndependentCount | None) -> tuple[str, list[int], list[list[int]]]:
    return (count.counted_by, list(count.amounts), _lists(count.denominations)) if count else ("", [], [])


def _document(row: Record) -> Document:
    """The document in a row of its own columns, by name."""
    plain = (
        *("document_id", "property_id", "kind", "gaming_day", "shift", "table_id", "amount_cents", "currency_cents"),
        *("counter_checks_cents", "occurred_at", "posted_by", "posted_at", "coupons_cents", "promotional_cents"),
        *("box_serial", "corrects", "reason", "jackpot_id", "wagers_cents", "payouts_cents"),
    )
    return Document(
        **{name: row[name] for name in plain},
        denominations=_denominations(row["denominations"]),
        first_count=_count(row, "first"),
        second_count=_count(row, "second"),
        signatures=tuple(_signature(*each) for each in row["signatures"]),
        about=tuple(row["about"]),
    )


def _denominations(pairs: Iterable[Sequence[int]]) -> tuple[Denomination, ...]:
    return tuple(Denomination(*pair) for pair in pairs)


def _count(row: Record, which: str) -> IndependentCount | None:
    by = row[f"{which}_counted_by"]
    if not by:
        return None
    return IndependentCount(by, Amounts(*row[f"{which}_amounts"]), _denominations(row[f"{which}_denominations"]))


def _signature(role: str, name: str, at: str) -> Signature:
    return Signature(role, name, datetime.fromisoformat(at) if at else None)


async def document(connection: Connection, property_id: str, document_id: str) -> tuple[int, Document] | None:
    """The document with that serial number and its position."""
    row = await connection.fetchrow(
        "SELECT * FROM document WHERE property_id = $1 AND document_id = $2", property_id, document_id
    )
    return (row["position"], _document(row)) if row else None


async def documents(
    connection: Connection, property_id: str, gaming_day: date | None = None, table_id: str = ""
) -> dict[int, Document]:
    """Documents by position, of one day and table or of all, in the order in which they were posted.

    Corrected ones are among them: `standing` leaves them out.
    """
    rows = await connection.fetch(
        "SELECT * FROM document"
        " WHERE property_id = $1 AND ($2::date IS NULL OR gaming_day = $2) AND ($3 = '' OR table_id = $3)"
        " ORDER BY position",
        property_id,
        gaming_day,
        table_id,
    )
    return {row["position"]: _document(row) for row in rows}


async def documents_between(
    connection: Connection, property_id: str, first: date, last: date, kinds: Sequence[str] = ()
) -> list[Document]:
    """Documents of the gaming days from one to another, both included, in the order in which they were posted; of some
    kinds, or of all.
    """
    rows = await connection.fetch(
        "SELECT * FROM document WHERE property_id = $1 AND gaming_day BETWEEN $2 AND $3"
        " AND (kind = ANY ($4) OR $4 = '{}') ORDER BY position",
        property_id,
        first,
        last,
        list(kinds),
    )
    return [_document(row) for row in rows]


async def documents_corrected(connection: Connection, property_id: str, first: date, last: date) -> list[Document]:
    """Documents of gaming days that were corrected, and those that correct them, in the order of posting."""
    rows = await connection.fetch(
        "SELECT d.* FROM document AS d WHERE d.property_id = $1 AND d.gaming_day BETWEEN $2 AND $3"
        " AND d.document_id IN (SELECT unnest(ARRAY[c.document_id, c.corrects]) FROM document AS c"
        " WHERE c.property_id = $1 AND c.corrects <> '') ORDER BY d.position",
        property_id,
        first,
        last,
    )
    return [_document(row) for row in rows]


async def documents_at(
    connection: Connection, property_id: str, table_days: Iterable[tuple[date, str]]
) -> list[Document]:
    """All documents of some gaming days and tables, in the order in which they were posted."""
    days, tables = [list(column) for column in zip(*table_days, strict=True)] or ([], [])
    rows = await connection.fetch(
        "SELECT d.* FROM unnest($2::date[], $3::text[]) AS t (gaming_day, table_id) JOIN document AS d"
        " ON d.property_id = $1 AND d.gaming_day = t.gaming_day AND d.table_id = t.table_id ORDER BY d.position",
        property_id,
        days,
        tables,
    )
    return [_document(row) for row in rows]


async def documents_named(connection: Connection, property_id: str, names: Iterable[str]) -> dict[str, Document]:
    """Those of the documents that there are, by serial number."""
    rows = await connection.fetch(
        "SELECT * FROM document WHERE property_id = $1 AND document_id = ANY($2)", property_id, list(names)
    )
    return {row["document_id"]: _document(row) for row in rows}


async def vigorish(connection: Connection, property_id: str, first: date, last: date) -> dict[tuple[date, str], Forms]:
    """What standing forms say of vigorish owed and recovered, in cents, by gaming day and table."""
    rows = await connection.fetch(
        """
        SELECT d.gaming_day, d.table_id,
            coalesce(sum(d.amount_cents) FILTER (WHERE d.kind = 'vigorish_uncollected'), 0)::bigint,
            coalesce(sum(d.amount_cents) FILTER (WHERE d.kind = 'vigorish_recovered'), 0)::bigint
        FROM document AS d
        WHERE d.property_id = $1 AND d.gaming_day BETWEEN $2 AND $3
            AND d.kind IN ('vigorish_uncollected', 'vigorish_recovered') AND NOT EXISTS (
            SELECT FROM document AS c WHERE c.property_id = d.property_id AND c.corrects = d.document_id
                AND c.corrects <> '')
        GROUP BY d.gaming_day, d.table_id ORDER BY d.gaming_day, d.table_id
        """,
        property_id,
        first,
        last,
    )
    return {(row[0], row[1]): Forms(row[2], row[3]) for row in rows}


async def corrected_by(connection: Connection, property_id: str, document_id: str) -> str:
    """The document that stands in the place of another; empty if none does."""
    found = await connection.fetchval(
        "SELECT document_id FROM document WHERE property_id = $1 AND corrects = $2", property_id, document_id
    )
    return str(found or "")


async def numbered(connection: Connection, property_id: str, first: date, last: date) -> list[Numbered]:
    """The numbered documents of gaming days, each with the number before its own in its series."""
    rows = await connection.fetch(
        """
        SELECT d.document_id, d.gaming_day, (
            SELECT p.number FROM document AS p
            WHERE p.property_id = d.property_id AND p.series = d.series AND p.number < d.number
            ORDER BY p.number DESC LIMIT 1)
        FROM document AS d
        WHERE d.property_id = $1 AND d.gaming_day BETWEEN $2 AND $3 AND d.number IS NOT NULL
        ORDER BY d.gaming_day, d.series, d.number
        """,
        property_id,
        first,
        last,
    )
    return [Numbered(*row) for row in rows]


async def closers_before(connection: Connection, property_id: str, day: date) -> dict[str, Document]:
    """The closer that stood last at each table on the gaming days before one."""
    rows = await connection.fetch(
        "SELECT DISTINCT ON (d.table_id) d.* FROM document AS d"
        " WHERE d.property_id = $1 AND d.kind = 'closer' AND d.gaming_day < $2 AND NOT EXISTS ("
        "SELECT FROM document AS c WHERE c.property_id = d.property_id AND c.corrects = d.document_id)"
        " ORDER BY d.table_id, d.gaming_day DESC, coalesce(d.occurred_at, d.posted_at) DESC",
        property_id,
        day,
    )
    return {row["table_id"]: _document(row) for row in rows}


async def jackpots_named(connection: Connection, property_id: str, names: Iterable[str]) -> dict[str, PaidJackpot]:
    """Those of the jackpots that are known, with amount and state."""
    rows = await connection.fetch(
        "SELECT jackpot_id, amount_cents, state FROM jackpot WHERE property_id = $1 AND jackpot_id = ANY($2)",
        property_id,
        list(names),
    )
    return {row["jackpot_id"]: PaidJackpot(row["amount_cents"], row["state"]) for row in rows}
