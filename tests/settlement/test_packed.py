"""The rows of wagers as they are packed, against the rows that verification expects of them."""

from datetime import date

import asyncpg

from services.kernel.ids import RoundKey
from services.runtime.store import ensure_partitions
from services.settlement import packed, store
from services.settlement.settlements import Settlement
from tests.databases import Database

PROPERTY = "Häfen"
LARGEST, LARGEST_CENTS = 2**31 - 1, 2**63 - 1


def settlement(key: RoundKey, position: int, wagers: int) -> Settlement:
    """A settlement whose values are told apart, the largest that its columns hold among them."""
    numbers = list(range(1, wagers + 1))
    return Settlement(
        key,
        shift=2,
        pit="P—1",
        dealer="",
        submission_id="RS-1",
        game="baccarat",
        decks=8,
        rounds_position=position,
        revision=3,
        wager_no=[LARGEST - number for number in numbers],
        seat=numbers,
        code=[f"baccarat.{number}" for number in numbers],
        paytable=["5 %"] * wagers,
        stake_cents=[LARGEST_CENTS - number for number in numbers],
        outcome=[number % 5 + 1 for number in numbers],
        line=["" if number % 2 else "Tie, same suit" for number in numbers],
        payout_cents=[LARGEST_CENTS - number for number in numbers],
        inventory_cents=[7 * number for number in numbers],
        breakage_micros=[9_999 - number for number in numbers],
    )


async def test_what_is_copied_reads_back_as_the_rows(database: Database) -> None:
    """Every value of every wager is stored as it is; a round without wagers has no row."""
    days = (date(2026, 3, 2), date(1999, 12, 31))
    keys = [RoundKey(day, "BAC-01", LARGEST, number, roll) for day in days for number in range(60) for roll in (0, 2)]
    placed = [(2**40 + at, settlement(key, at, at % 7)) for at, key in enumerate(keys)]
    connection = await asyncpg.connect(database.url("settlement"))
    try:
        await ensure_partitions(connection, ("settled_round", "wager"), days)
        rows = store.Rows(PROPERTY)
        for position, found in placed:
            rows.add(position, found)
        await rows.copy(connection)
        columns = ", ".join(store.WAGER_COLUMNS)
        stored = await connection.fetch(f"SELECT {columns} FROM wager ORDER BY position, wager_no DESC")
    finally:
        await connection.close()
    assert [tuple(row) for row in stored] == list(store.wager_rows(PROPERTY, placed))
    assert sorted(packed.COLUMNS) == sorted(store.WAGER_COLUMNS)
