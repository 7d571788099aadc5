"""Temporary tables that lie before the projections in the search path, and the comparison of both."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from services.runtime.store import Connection, key_of


class Unlike(NamedTuple):
    """A row that is not the same made anew: its key, and the columns made anew and as they stand; None for no row."""

    key: tuple[Any, ...]
    anew: dict[str, Any] | None
    stands: dict[str, Any] | None


async def shadow(connection: Connection, tables: Sequence[str]) -> None:
    """Temporary tables of the same names, empty, until the transaction ends."""
    for table in tables:
        await connection.execute(
            f"CREATE TEMP TABLE {table} (LIKE reporting.{table} INCLUDING ALL EXCLUDING INDEXES, PRIMARY KEY"
            f" ({', '.join(await key_of(connection, f'reporting.{table}'))})) ON COMMIT DROP"
        )


async def standing_cursor(connection: Connection, property_id: str, feed: str) -> int:
    """How far the projections that stand have come in a feed."""
    query = "SELECT position FROM reporting.cursor WHERE property_id = $1 AND feed = $2"
    return int(await connection.fetchval(query, property_id, feed) or 0)


async def standing_cursors(connection: Connection, property_id: str, *, held: bool) -> dict[str, tuple[int, bytes]]:
    """Position and hash to which each feed has been followed; `held`: nobody moves them until the transaction ends."""
    rows = await connection.fetch(
        f"SELECT feed, position, hash FROM reporting.cursor WHERE property_id = $1 {'FOR UPDATE' if held else ''}",
        property_id,
    )
    return {row["feed"]: (row["position"], row["hash"]) for row in rows}


async def begin(connection: Connection, property_id: str) -> bool:
    """Whether nobody else makes the property's projections anew; nobody will until the transaction ends."""
    query = "SELECT pg_try_advisory_xact_lock(hashtextextended(current_schema() || '.rebuilding.' || $1, 0))"
    return bool(await connection.fetchval(query, property_id))


async def replace(connection: Connection, table: str, property_id: str) -> int:
    """Puts what was made anew in the place of a projection of a property; gives its rows."""
    await connection.execute("SELECT reporting.clear_projection($1, $2)", table, property_id)
    status = await connection.execute(
        f"INSERT INTO reporting.{table} SELECT * FROM pg_temp.{table} WHERE property_id = $1", property_id
    )
    return int(status.split()[-1])


async def standing_reach(connection: Connection, property_id: str) -> dict[str, int]:
    """How far along the rounds feed each followed feed is said to reach."""
    rows = await connection.fetch(
        "SELECT feed, rounds_position FROM reporting.reach WHERE property_id = $1", property_id
    )
    return {row["feed"]: row["rounds_position"] for row in rows}


async def unlike(connection: Connection, table: str, property_id: str, limit: int) -> tuple[int, int, list[Unlike]]:
    """How many rows there are anew, how many differ, and the first of those.

    A row whose sums are all zero may be there or not: that depends on how entries came together in batches.
    """
    key = await key_of(connection, f"reporting.{table}")
    same = " AND ".join(f"a.content->'{name}' = s.content->'{name}'" for name in key)
    rows = await connection.fetch(
        f"""
        SELECT count(*) OVER () AS different, a.content::text AS anew, s.content::text AS stands
        FROM (SELECT to_jsonb(t) AS content FROM pg_temp.{table} AS t WHERE property_id = $1) AS a
        FULL JOIN (SELECT to_jsonb(t) AS content FROM reporting.{table} AS t WHERE property_id = $1) AS s ON {same}
        WHERE a.content IS DISTINCT FROM s.content AND NOT (
            (a.content IS NULL OR s.content IS NULL) AND NOT EXISTS (
                SELECT FROM jsonb_each(coalesce(a.content, s.content)) AS e
                WHERE e.key <> ALL ($3::text[]) AND e.value <> '0'))
        LIMIT $2
        """,
        property_id,
        limit,
        key,
    )
    checked = await connection.fetchval(f"SELECT count(*) FROM pg_temp.{table} WHERE property_id = $1", property_id)
    return (
        int(checked),
        (rows[0]["different"] if rows else 0),
        [_unlike(key, row["anew"], row["stands"]) for row in rows],
    )


def _unlike(key: list[str], anew: str | None, stands: str | None) -> Unlike:
    before, now = (json.loads(each) if each else None for each in (anew, stands))
    known = before or now or {}
    return Unlike(tuple(known[name] for name in key if name != "property_id"), before, now)
