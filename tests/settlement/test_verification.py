"""What Verify says of rows that are not what their entries say."""

from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from tests.builders import wager_on
from tests.databases import Database
from tests.settlement.conftest import Settlement
from tests.settlement.recorded import FORTUNE, METER, Recorded, whole

ROUNDS = "settlement: settled_round rows compared with their entries"
WAGERS = "settlement: wager rows compared with their entries"
AWARDS = "settlement: award rows compared with their entries"
SUBMISSIONS = "settlement: approved submissions compared with their entries"
SEVEN = wager_on("baccarat.fortune_7", 500, no=2)
PLAYER = wager_on("baccarat.player", 10_000, no=1)
METERED = wager_on("baccarat.heavenly_9_progressive", 500, no=3)


@pytest.fixture
async def owner(
    settlement: Settlement, rounds: Recorded, database: Database
) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """The database's owner, with three settled rounds to lay hands on."""
    await settlement.approved()
    last = await rounds.record(whole(1, FORTUNE, PLAYER, SEVEN), whole(2, METER, PLAYER, METERED), whole(3, FORTUNE))
    await settlement.entries(last)
    connection = await asyncpg.connect(database.owner_url)
    await connection.execute("SET search_path = settlement")
    yield connection
    await connection.close()


async def tampered(owner: Any, table: str, statement: str) -> None:
    await owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL; {statement}")


async def test_rows_that_follow_from_their_entries_are_found_the_same(settlement: Settlement, owner: Any) -> None:
    """Every row is counted and none differs, for all days and for one."""
    for day in ("", "2026-03-02"):
        found = await settlement.verified(day)
        assert {check.different for check in found.values()} == {0}
        assert [found[name].checked for name in (ROUNDS, WAGERS, AWARDS, SUBMISSIONS)] == [3, 4, 1, 1]
    assert (await settlement.verified("2026-03-03"))[WAGERS].checked == 0


@pytest.mark.parametrize(
    ("check", "table", "statement", "words"),
    [
        (WAGERS, "wager", "UPDATE wager SET stake_cents = 600 WHERE wager_no = 2", ("changed", "600", "500")),
        (WAGERS, "wager", "DELETE FROM wager WHERE wager_no = 3", ("missing", "wager_no 3")),
        (
            WAGERS,
            "wager",
            "CREATE TEMP TABLE w AS SELECT * FROM wager WHERE wager_no = 2; UPDATE w SET wager_no = 9;"
            " INSERT INTO wager SELECT * FROM w",
            ("extra", "wager_no 9", "BAC-01/1/1/0 revision 0"),
        ),
        (
            WAGERS,
            "wager",
            "CREATE TEMP TABLE w AS SELECT * FROM wager WHERE wager_no = 2; UPDATE w SET position = 77,"
            " round_no = 8; INSERT INTO wager SELECT * FROM w",
            ("extra", "position 77"),
        ),
        (AWARDS, "award", "DELETE FROM award", ("missing", "wager_no 3")),
        (AWARDS, "award", "UPDATE award SET percent = 1000", ("changed", "percent is 1000")),
        (ROUNDS, "settled_round", "DELETE FROM settled_round WHERE round_no = 3", ("missing", "position 3")),
        (ROUNDS, "settled_round", "UPDATE settled_round SET wagers = 5 WHERE round_no = 3", ("wagers is 5",)),
        (SUBMISSIONS, "submission", "UPDATE submission SET title = 'Other'", ("position 1 is changed",)),
        (SUBMISSIONS, "approval", "DELETE FROM approval", ("position 1 is missing",)),
        (
            SUBMISSIONS,
            "submissions_entry",
            "ALTER TABLE submissions_entry_202603 DISABLE TRIGGER ALL; DELETE FROM submissions_entry",
            ("RS-1 is extra",),
        ),
    ],
)
async def test_a_row_laid_hands_on_is_named(
    settlement: Settlement, owner: Any, check: str, table: str, statement: str, words: tuple[str, ...]
) -> None:
    """A changed, missing or extra row is counted in its own check and named with what differs."""
    await tampered(owner, table, statement)
    found = (await settlement.verified())[check]
    assert found.different == 1
    assert not [word for word in words if word not in found.differences[0]]


async def test_a_changed_entry_breaks_the_chain(settlement: Settlement, owner: Any) -> None:
    """Bytes that are not the ones hashed are named by position."""
    await tampered(
        owner,
        "settlements_entry",
        "ALTER TABLE settlements_entry_202603 DISABLE TRIGGER ALL;"
        " UPDATE settlements_entry SET entry = (SELECT entry FROM settlements_entry WHERE position = 3)"
        " WHERE position = 2",
    )
    found = await settlement.verified()
    assert "position 2" in found["settlement: settlements entries rehashed"].differences[0]
    assert found[WAGERS].different
