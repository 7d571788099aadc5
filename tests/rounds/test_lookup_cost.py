"""What is looked up by key costs what it finds, however many rounds the day has; nobody analyses tables meanwhile."""

from collections.abc import Awaitable, Callable
from datetime import date
from typing import Any

import asyncpg
import pytest

from services.kernel.ids import RoundKey
from services.rounds import store, wire
from services.rounds.rows import RoundEventRow
from services.runtime.store import EntryRow, add_entries
from tests.databases import Database
from tests.explained import Explained

PROPERTY, DAY = "HARBOR", date(2026, 3, 2)
FEW, MANY, TABLES, ROUNDS_OF_SHOE = 400, 12_000, 40, 50
KEYS = [RoundKey(DAY, f"T-{number:02d}", 1, number + 1) for number in range(10)]
# Blocks by which one found row may become dearer: an index grows by a level, rows lie in more pages.
GROWTH = 8

LookUp = Callable[[Any], Awaitable[list[Any]]]


async def _fill(connection: Any, first: int, last: int) -> None:
    """Rounds in turn at the tables, each an entry of 900 bytes."""
    positions = range(first, last + 1)
    entries = [EntryRow(at, DAY, wire.WHOLE_ROUND, bytes(900), bytes(32), None) for at in positions]
    await add_entries(connection, "rounds_entry", PROPERTY, entries)
    await store.add_round_events(connection, PROPERTY, [_event(at) for at in positions])


def _event(position: int) -> RoundEventRow:
    turn, table = divmod(position - 1, TABLES)
    shoe, number = divmod(turn, ROUNDS_OF_SHOE)
    key = DAY, f"T-{table:02d}", shoe + 1, number + 1, 0
    return RoundEventRow(*key, wire.WHOLE_ROUND, 0, position, "pit-1", 1, position, bytes(32))


async def _blocks(connection: Any, look_up: LookUp) -> tuple[int, int]:
    explained = Explained(connection)
    found = await look_up(explained)
    return len(found), explained.blocks


@pytest.mark.parametrize(
    "look_up",
    [
        pytest.param(lambda to: store.events_of_rounds(to, PROPERTY, KEYS), id="rounds"),
        pytest.param(
            lambda to: store.events_of_shoes(to, PROPERTY, [(DAY, "T-07", 1)], [wire.WHOLE_ROUND]), id="shoes"
        ),
        pytest.param(lambda to: store.last_spins(to, PROPERTY), id="spins"),
    ],
)
async def test_a_look_up_costs_what_it_finds(database: Database, look_up: LookUp) -> None:
    """Thirty times the rounds of a day make no look-up by key dearer."""
    connection = await asyncpg.connect(database.url("rounds"))
    try:
        await store.move_last_spins(connection, PROPERTY, {"T-01": (DAY, 2), "T-02": (DAY, 3)})
        await _fill(connection, 1, FEW)
        _, few = await _blocks(connection, look_up)
        await _fill(connection, FEW + 1, MANY)
        found, many = await _blocks(connection, look_up)
    finally:
        await connection.close()
    assert many <= few + GROWTH * found, f"{few} blocks among {FEW} rounds, {many} among {MANY}, for {found} found"
