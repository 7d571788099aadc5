"""The SQL that every service shares: heads, entries, cursors, stored answers, seals."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import NamedTuple, TypeAlias

import asyncpg

from services.runtime.chains import GENESIS

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


async def one_row(connection: Connection, query: str, *arguments: object) -> Record:
    """The row of a statement that always gives one."""
    row = await connection.fetchrow(query, *arguments)
    assert row is not None, query
    return row


async def load_head(connection: Connection, property_id: str, feed: str) -> tuple[int, bytes]:
    """Position and hash of a feed's head; makes the row on first sight."""
    await connection.execute(
        "INSERT INTO feed_head (property_id, feed, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        property_id,
        feed,
        GENESIS,
    )
    row = await one_row(
        connection,
        "SELECT position, hash FROM feed_head WHERE property_id = $1 AND feed = $2",
        property_id,
        feed,
    )
    return row["position"], row["hash"]


async def load_cursor(connection: Connection, property_id: str, feed: str) -> tuple[int, bytes]:
    """Position and hash up to which this service has applied a feed; makes the row on first sight."""
    await connection.execute(
        "INSERT INTO cursor (property_id, feed, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        property_id,
        feed,
        GENESIS,
    )
    row = await one_row(
        connection,
        "SELECT position, hash FROM cursor WHERE property_id = $1 AND feed = $2",
        property_id,
        feed,
    )
    return row["position"], row["hash"]


async def cursors(connection: Connection, property_id: str) -> dict[str, int]:
    """Every cursor of a property."""
    rows = await connection.fetch("SELECT feed, position FROM cursor WHERE property_id = $1", property_id)
    return {row["feed"]: row["position"] for row in rows}


async def advance(
    connection: Connection, property_id: str, heads: Sequence[Move], moves: Sequence[Move]
) -> tuple[int, int]:
    """Raises heads and cursors in one statement; returns how many of each stood where they were expected."""
    row = await one_row(
        connection,
        """
        WITH head AS (
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
    )
    return row["heads"], row["cursors"]


def _columns(moves: Sequence[Move]) -> tuple[list[str], list[int], list[int], list[bytes]]:
    return (
        [move.feed for move in moves],
        [move.old for move in moves],
        [move.new for move in moves],
        [move.hash for move in moves],
    )


async def add_entries(connection: Connection, table: str, property_id: str, rows: Iterable[EntryRow]) -> None:
    """COPYs entries of one feed."""
    await connection.copy_records_to_table(
        table,
        records=[(property_id, *row) for row in rows],
        columns=("property_id", "position", "gaming_day", "kind", "entry", "hash", "commit"),
    )


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


async def all_cursors(connection: Connection) -> list[tuple[str, str, int]]:
    """(property, feed, position) of every cursor of the service."""
    rows = await connection.fetch("SELECT property_id, feed, position FROM cursor ORDER BY property_id, feed")
    return [tuple(row) for row in rows]


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
