"""The SQL that every service shares: heads, entries, cursors, stored answers, seals."""

from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import date, datetime
from typing import NamedTuple, TypeAlias

import asyncpg

from services.runtime import packing
from services.runtime.chains import GENESIS

READING_SECONDS = 3_600.0
"""For which a statement may read all that is there, as verification asks for."""

# Texts, because asyncpg's classes take no parameters outside a type checker.
Record: TypeAlias = asyncpg.Record
Connection: TypeAlias = "asyncpg.Connection[Record] | asyncpg.pool.PoolConnectionProxy[Record]"
Pool: TypeAlias = "asyncpg.Pool[Record]"


class Move(NamedTuple):
    """A head or cursor that goes from one position to another, with its hash there."""

    feed: str
    old: int
    new: int
    hash: bytes


class EntryRow(NamedTuple):
    """An entry as stored; `commit` on the first entry of each commit."""

    position: int
    gaming_day: date
    kind: int
    entry: bytes
    hash: bytes
    commit: bytes | None


class StoredAnswer(NamedTuple):
    """What a unary write was and what it was answered."""

    method: str
    digest: bytes
    answer: bytes


class SealRow(NamedTuple):
    """A signed head."""

    feed: str
    position: int
    hash: bytes
    sealed_at: datetime
    signature: bytes


class RecordRow(NamedTuple):
    """A row as it was inserted: its table, the row as JSON, and the hash of the chain after it."""

    position: int
    fact: str
    content: str
    hash: bytes


async def one_row(connection: Connection, query: str, *arguments: object) -> Record:
    """The row of a statement that always gives one."""
    row = await connection.fetchrow(query, *arguments)
    assert row is not None, query
    return row


async def load_head(connection: Connection, property_id: str, feed: str) -> tuple[int, bytes]:
    """Position and hash of a feed's head; makes the row on first sight."""
    query = "SELECT position, hash FROM feed_head WHERE property_id = $1 AND feed = $2"
    row = await connection.fetchrow(query, property_id, feed)
    if row is None:
        await connection.execute(
            "INSERT INTO feed_head (property_id, feed, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            property_id,
            feed,
            GENESIS,
        )
        row = await one_row(connection, query, property_id, feed)
    return row["position"], row["hash"]


async def load_cursor(connection: Connection, property_id: str, feed: str) -> tuple[int, bytes]:
    """Position and hash up to which this service has applied a feed; makes the row on first sight."""
    query = "SELECT position, hash FROM cursor WHERE property_id = $1 AND feed = $2"
    row = await connection.fetchrow(query, property_id, feed)
    if row is None:
        await connection.execute(
            "INSERT INTO cursor (property_id, feed, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            property_id,
            feed,
            GENESIS,
        )
        row = await one_row(connection, query, property_id, feed)
    return row["position"], row["hash"]


async def cursors(connection: Connection, property_id: str) -> dict[str, int]:
    """Every cursor of a property."""
    rows = await connection.fetch("SELECT feed, position FROM cursor WHERE property_id = $1", property_id)
    return {row["feed"]: row["position"] for row in rows}


class Beside(NamedTuple):
    """A statement of a service's own that goes with the heads: the property is its $1, `argument` its $10."""

    statement: str
    argument: str


NOTHING_BESIDE = Beside("SELECT $10::text", "")


async def advance(
    connection: Connection,
    property_id: str,
    heads: Sequence[Move],
    moves: Sequence[Move],
    beside: Beside = NOTHING_BESIDE,
) -> tuple[int, int]:
    """Raises heads and cursors in one statement; returns how many of each stood where they were expected.

    What goes `beside` is done whatever stood where: a transaction whose heads have moved is rolled back.
    """
    row = await one_row(
        connection,
        f"""
        WITH beside AS ({beside.statement}), head AS (
            UPDATE feed_head AS h SET position = m.new, hash = m.hash
            FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bytea[]) AS m (feed, old, new, hash)
            WHERE h.property_id = $1 AND h.feed = m.feed AND h.position = m.old
            RETURNING 1
        ), moved AS (
            UPDATE cursor AS c SET position = m.new, hash = m.hash
            FROM unnest($6::text[], $7::bigint[], $8::bigint[], $9::bytea[]) AS m (feed, old, new, hash)
            WHERE c.property_id = $1 AND c.feed = m.feed AND c.position = m.old
            RETURNING 1
        )
        SELECT (SELECT count(*) FROM head) AS heads, (SELECT count(*) FROM moved) AS cursors
        """,
        property_id,
        *_columns(heads),
        *_columns(moves),
        beside.argument,
    )
    return row["heads"], row["cursors"]


def _columns(moves: Sequence[Move]) -> tuple[list[str], list[int], list[int], list[bytes]]:
    return (
        [move.feed for move in moves],
        [move.old for move in moves],
        [move.new for move in moves],
        [move.hash for move in moves],
    )


async def copy_packed(connection: Connection, table: str, names: Sequence[str], rows: Iterable[bytes]) -> None:
    """COPYs packed rows, each of which begins with `packing.columns(len(names))`."""
    content = packing.content(rows)

    async def once() -> AsyncIterator[bytes]:
        yield content

    await connection.copy_to_table(table, source=once(), columns=list(names), format="binary")


async def add_entries(connection: Connection, table: str, property_id: str, rows: Iterable[EntryRow]) -> None:
    """COPYs entries of one feed."""
    packed = [packing.entry(property_id, *row) for row in rows]
    await copy_packed(connection, table, packing.ENTRY_COLUMNS, packed)


async def entries_after(
    connection: Connection, table: str, property_id: str, position: int, limit: int
) -> list[EntryRow]:
    """At most `limit` entries after a position, in order."""
    rows = await connection.fetch(
        f"SELECT position, gaming_day, kind, entry, hash, commit FROM {table}"
        " WHERE property_id = $1 AND position > $2 ORDER BY position LIMIT $3",
        property_id,
        position,
        limit,
    )
    return [EntryRow(*row) for row in rows]


async def entries_beyond(
    connection: Connection,
    table: str,
    property_id: str,
    last: tuple[int, date],
    limit: int,
    kinds: Sequence[int] = (),
) -> list[EntryRow]:
    """At most `limit` entries after a position and a gaming day, in order of both: several may share a position.

    With `kinds` of those alone, and of those that begin a commit.
    """
    rows = await connection.fetch(
        f"SELECT position, gaming_day, kind, entry, hash, commit FROM {table}"
        " WHERE property_id = $1 AND (position, gaming_day) > ($2, $3)"
        f" {'AND (kind = ANY ($5::int[]) OR commit IS NOT NULL)' if kinds else ''}"
        " ORDER BY position, gaming_day LIMIT $4",
        *(property_id, *last, limit),
        *([list(kinds)] if kinds else []),
        timeout=READING_SECONDS,
    )
    return [EntryRow(*row) for row in rows]


async def hash_at(connection: Connection, table: str, property_id: str, position: int) -> bytes:
    """The hash of the chain at a position; genesis at 0."""
    if position == 0:
        return GENESIS
    value: bytes | None = await connection.fetchval(
        f"SELECT hash FROM {table} WHERE property_id = $1 AND position = $2",
        property_id,
        position,
    )
    return value or b""


async def ensure_partitions(connection: Connection, tables: Sequence[str], days: Iterable[date]) -> None:
    """Makes the monthly partitions that these days need."""
    await connection.execute(
        "SELECT ensure_partition(t, d) FROM unnest($1::text[]) AS t, unnest($2::date[]) AS d",
        list(tables),
        list(days),
    )


async def stored_answer(connection: Connection, property_id: str, request_id: str) -> StoredAnswer | None:
    """The answer that a unary write got before."""
    row = await connection.fetchrow(
        "SELECT method, digest, answer FROM request WHERE property_id = $1 AND request_id = $2",
        property_id,
        request_id,
    )
    return StoredAnswer(*row) if row else None


async def add_answer(
    connection: Connection,
    property_id: str,
    request_id: str,
    stored: StoredAnswer,
    principal: str,
    recorded_at: datetime,
) -> bool:
    """Stores an answer; False if another writer was first."""
    row = await connection.fetchval(
        "INSERT INTO request (property_id, request_id, method, digest, answer, principal, recorded_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING 1",
        property_id,
        request_id,
        *stored,
        principal,
        recorded_at,
    )
    return row is not None


async def heads(connection: Connection) -> list[tuple[str, str, int, bytes]]:
    """(property, feed, position, hash) of every head of the service."""
    rows = await connection.fetch("SELECT property_id, feed, position, hash FROM feed_head ORDER BY property_id, feed")
    return [tuple(row) for row in rows]


async def all_cursors(connection: Connection) -> list[tuple[str, str, int, bytes]]:
    """(property, feed, position, hash) of every cursor of the service."""
    rows = await connection.fetch("SELECT property_id, feed, position, hash FROM cursor ORDER BY property_id, feed")
    return [tuple(row) for row in rows]


async def records_head(connection: Connection, property_id: str) -> tuple[int, bytes]:
    """Position and hash of the last record; 0 and genesis where there is none."""
    row = await connection.fetchrow(
        "SELECT position, hash FROM record WHERE property_id = $1 ORDER BY position DESC LIMIT 1", property_id
    )
    return (row["position"], row["hash"]) if row else (0, GENESIS)


async def records_after(connection: Connection, property_id: str, position: int, limit: int) -> list[RecordRow]:
    """At most `limit` records after a position, in order."""
    rows = await connection.fetch(
        "SELECT position, fact, content, hash FROM record WHERE property_id = $1 AND position > $2"
        " ORDER BY position LIMIT $3",
        property_id,
        position,
        limit,
    )
    return [RecordRow(*row) for row in rows]


async def unlike_records(
    connection: Connection, property_id: str, fact: str, only: str, limit: int
) -> tuple[int, list[tuple[str | None, str | None]]]:
    """How many rows of a table differ from their records, and at most `limit` of them: as entered, and as they stand.

    Both are JSON; None for a row that is not there, or was never entered. `only` limits the rows to some, as SQL.
    Columns that came after a row was entered are not compared.
    """
    await connection.execute("SET LOCAL bytea_output = 'hex'")
    rows = await connection.fetch(
        f"""
        SELECT count(*) OVER () AS different, r.content::text AS entered, f.content::text AS stands
        FROM (SELECT content::jsonb AS content FROM record WHERE property_id = $1 AND fact = $2) AS r
        FULL JOIN (SELECT to_jsonb(t) AS content FROM {fact} AS t WHERE property_id = $1 AND {only}) AS f
            ON {await _same_key(connection, fact)}
        WHERE r.content IS NULL OR f.content IS NULL OR EXISTS (
            SELECT FROM jsonb_each(r.content) AS e WHERE f.content->e.key IS DISTINCT FROM e.value)
        LIMIT $3
        """,
        property_id,
        fact,
        limit,
    )
    return (rows[0]["different"] if rows else 0), [(row["entered"], row["stands"]) for row in rows]


async def count_rows(connection: Connection, property_id: str, table: str, only: str) -> int:
    """How many rows of a property a table has, all or some."""
    row = await one_row(connection, f"SELECT count(*) FROM {table} WHERE property_id = $1 AND {only}", property_id)
    return int(row[0])


async def _same_key(connection: Connection, table: str) -> str:
    """The condition that two rows, `r.content` and `f.content`, have the same primary key."""
    columns = await key_of(connection, table)
    return " AND ".join(f"r.content->'{name}' = f.content->'{name}'" for name in columns)


async def key_of(connection: Connection, table: str) -> list[str]:
    """The columns of a table's primary key."""
    rows = await connection.fetch(
        "SELECT a.attname FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = i.indrelid"
        " AND a.attnum = ANY (i.indkey) WHERE i.indrelid = $1::text::regclass AND i.indisprimary ORDER BY a.attnum",
        table,
    )
    return [row["attname"] for row in rows]


async def foreign_properties(connection: Connection, table: str, known: Sequence[str]) -> list[str]:
    """The properties of a table's rows that are none of these; found by steps through its key, not by its rows."""
    found: list[str] = []
    last = ""
    while True:
        name: str | None = await connection.fetchval(
            f"SELECT property_id FROM {table} WHERE property_id > $1 ORDER BY property_id LIMIT 1", last
        )
        if name is None:
            return found
        if name not in known:
            found.append(name)
        last = name


async def property_tables(connection: Connection) -> list[str]:
    """Every table of the schema whose rows belong to a property, partitions aside."""
    rows = await connection.fetch(
        "SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'property_id'"
        " WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
        " ORDER BY c.relname"
    )
    return [row["relname"] for row in rows]


async def add_seal(connection: Connection, property_id: str, seal: SealRow) -> None:
    """Keeps a signed head."""
    await connection.execute(
        "INSERT INTO seal (property_id, feed, position, hash, sealed_at, signature) VALUES ($1, $2, $3, $4, $5, $6)",
        property_id,
        *seal,
    )


async def seals(connection: Connection, property_id: str, feed: str) -> list[SealRow]:
    """Every seal of a feed, oldest first."""
    rows = await connection.fetch(
        "SELECT feed, position, hash, sealed_at, signature FROM seal"
        " WHERE property_id = $1 AND feed = $2 ORDER BY position, sealed_at",
        property_id,
        feed,
    )
    return [SealRow(*row) for row in rows]
