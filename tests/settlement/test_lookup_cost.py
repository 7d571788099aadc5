"""What is looked up by key costs what it finds, however many rounds the day has; nobody analyses tables meanwhile."""

from collections.abc import Awaitable, Callable, Sized
from datetime import date
from typing import Any

import asyncpg

from services.kernel.ids import RoundKey
from services.runtime.store import EntryRow, add_entries
from services.settlement import store, wire
from services.settlement.settlements import Settlement
from tests.databases import Database
from tests.explained import Explained

PROPERTY, DAY = "HARBOR", date(2026, 3, 2)
FEW, MANY, TABLES = 400, 12_000, 40
KEYS = [RoundKey(DAY, f"T-{number:02d}", 1, number + 1) for number in range(9)]
# Blocks by which one found row may become dearer: an index grows by a level, rows lie in more pages.
GROWTH = 8

LOOK_UPS: tuple[Callable[[Any], Awaitable[Sized]], ...] = (
    lambda connection: store.latest(connection, PROPERTY, KEYS),
    lambda connection: store.settlement_entries(connection, PROPERTY, KEYS[3]),
)


async def _fill(connection: Any, first: int, last: int) -> None:
    """Settled rounds in turn at the tables, each an entry of 300 bytes."""
    positions = range(first, last + 1)
    entries = [EntryRow(at, DAY, wire.SETTLED, bytes(300), bytes(32), None) for at in positions]
    await add_entries(connection, "settlements_entry", PROPERTY, entries)
    rows = store.Rows(PROPERTY)
    for at in positions:
        rows.add(at, _settled(at))
    await rows.copy(connection)


def _settled(position: int) -> Settlement:
    number, table = divmod(position - 1, TABLES)
    key = RoundKey(DAY, f"T-{table:02d}", 1, number + 1)
    return Settlement(key, 1, "P1", "D-1", "S-1", "baccarat", 8, position, 0)


async def _cost(connection: Any) -> list[tuple[int, int]]:
    """Of each look-up how much it finds, and the blocks that it touches."""
    costs = []
    for look_up in LOOK_UPS:
        explained = Explained(connection)
        costs.append((len(await look_up(explained)), explained.blocks))
    return costs


async def test_a_look_up_costs_what_it_finds(database: Database) -> None:
    """Thirty times the settlements of a day make no look-up by key dearer."""
    connection = await asyncpg.connect(database.url("settlement"))
    try:
        await _fill(connection, 1, FEW)
        few = await _cost(connection)
        await _fill(connection, FEW + 1, MANY)
        many = await _cost(connection)
    finally:
        await connection.close()
    for (found, before), (again, after) in zip(few, many, strict=True):
        assert found == again > 0
        assert after <= before + GROWTH * found, f"{before} blocks among {FEW} rounds, {after} among {MANY}"
