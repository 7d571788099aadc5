"""Packed rows: Postgres reads back what was packed, and refuses what does not fit its column."""

import random
from datetime import date, timedelta
from struct import Struct

import asyncpg
import pytest

from services.runtime.packing import INT2, INT4, INT8, NULL, columns, day, int4, int8, int8s, octets, text
from services.runtime.store import copy_packed
from tests.databases import Database

NAMES = ("name", "fell_on", "small", "middle", "large", "four", "eight", "list", "bytes", "nothing")
TABLE = (
    "CREATE TEMPORARY TABLE packed (name text, fell_on date, small smallint, middle integer, large bigint,"
    " four integer, eight bigint, list bigint[], bytes bytea, nothing bigint[])"
)
NUMBERS = Struct("!" + INT2 + INT4 + INT8)
Row = tuple[str, date, int, int, int, int, int, list[int], bytes, None]


def row(chance: random.Random) -> Row:
    """A row of values over the whole width of each column."""
    return (
        chance.choice(("", "BAC-01", "naïve – 賭場", "x" * 300)),
        date(1999, 12, 30) + timedelta(chance.randrange(20_000)),
        chance.choice((-(1 << 15), (1 << 15) - 1)),
        *(chance.choice((-(1 << 31), 0, (1 << 31) - 1)), chance.choice((-(1 << 63), 0, (1 << 63) - 1))),
        *(chance.randrange(1 << 31), chance.randrange(1 << 63)),
        [chance.randrange(-(1 << 63), 1 << 63) for _ in range(chance.randint(1, 6))],
        chance.randbytes(chance.randrange(300)),
        None,
    )


def packed(each: Row) -> bytes:
    """The row as bytes."""
    name, fell_on, small, middle, large, four, eight, numbers, data, _ = each
    own = NUMBERS.pack(2, small, 4, middle, 8, large)
    told = columns(len(NAMES)), text(name), day(fell_on), own, int4(four), int8(eight), int8s(numbers), octets(data)
    return b"".join((*told, NULL))


async def test_packed_rows_are_read_back_as_they_were(database: Database) -> None:
    """Every kind of column, at its ends."""
    chance = random.Random(7)
    rows = [row(chance) for _ in range(500)]
    connection = await asyncpg.connect(database.owner_url)
    try:
        await connection.execute(TABLE)
        await copy_packed(connection, "packed", NAMES, map(packed, rows))
        assert [tuple(each) for each in await connection.fetch("SELECT * FROM packed")] == rows
    finally:
        await connection.close()


async def test_a_value_of_another_width_is_refused(database: Database) -> None:
    """Four bytes for a column of eight enter nothing."""
    connection = await asyncpg.connect(database.owner_url)
    try:
        await connection.execute("CREATE TEMPORARY TABLE packed (large bigint)")
        with pytest.raises(asyncpg.PostgresError):
            await copy_packed(connection, "packed", ("large",), [columns(1) + int4(7)])
        assert await connection.fetchval("SELECT count(*) FROM packed") == 0
    finally:
        await connection.close()
