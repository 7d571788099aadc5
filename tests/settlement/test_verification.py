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


LAID_HANDS_ON = {
    "wager": """
        UPDATE wager SET stake_cents = 600 WHERE property_id = '{0}' AND round_no = 1 AND wager_no = 2;
        DELETE FROM wager WHERE property_id = '{0}' AND round_no = 2 AND wager_no = 3;
        CREATE TEMP TABLE w AS SELECT * FROM wager WHERE property_id = '{0}' AND round_no = 1 AND wager_no = 1;
        UPDATE w SET wager_no = 9; INSERT INTO wager SELECT * FROM w;
        UPDATE w SET round_no = 8, position = 77; INSERT INTO wager SELECT * FROM w""",
    "award": """
        UPDATE award SET percent = 1000 WHERE property_id = '{0}' AND round_no = 2;
        DELETE FROM award WHERE property_id = '{0}' AND round_no = 4""",
    "settled_round": """
        UPDATE settled_round SET wagers = 5 WHERE property_id = '{0}' AND round_no = 2;
        DELETE FROM settled_round WHERE property_id = '{0}' AND round_no = 3""",
    "submission": "UPDATE submission SET title = 'Other' WHERE property_id = '{0}' AND submission_id = 'RS-1'",
    "approval": "DELETE FROM approval WHERE property_id = '{0}' AND submission_id = 'RS-2'",
    "submissions_entry": """
        ALTER TABLE submissions_entry_202603 DISABLE TRIGGER ALL;
        DELETE FROM submissions_entry WHERE property_id = '{0}' AND position = 3""",
}
KEY = "2026-03-02/BAC-01/1/{}/0 revision 0"
AWARD = f"award row {KEY} wager_no 3 ordinal 0"
NAMED = {
    WAGERS: [
        f"wager row {KEY.format(1)} wager_no 2 at position 1 is changed: stake_cents is 600, the entry says 500",
        f"wager row {KEY.format(1)} wager_no 9 at position 1 is extra: no entry gives it",
        f"wager row {KEY.format(2)} wager_no 3 at position 2 is missing",
        f"wager row {KEY.format(8)} wager_no 9 at position 77 is extra: no entry gives it",
    ],
    AWARDS: [
        f"{AWARD.format(2)} at position 2 is changed: percent is 1000, the entry says 10000",
        f"{AWARD.format(4)} at position 4 is missing",
    ],
    ROUNDS: [
        f"settled_round row {KEY.format(2)} at position 2 is changed: wagers is 5, the entry says 2",
        f"settled_round row {KEY.format(3)} at position 3 is missing",
    ],
    SUBMISSIONS: [
        "submission at submissions position 1 is changed",
        "submission at submissions position 2 is missing",
        "submission RS-3 is extra: no entry stands at position 3",
    ],
}


@pytest.fixture
async def owner(
    settlement: Settlement, rounds: Recorded, database: Database
) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """The database's owner, with settled rounds and approved submissions to lay hands on."""
    for request_id in ("p1", "p2", "p3"):
        await settlement.approved(request_id=request_id)
    last = await rounds.record(
        whole(1, FORTUNE, PLAYER, SEVEN),
        whole(2, METER, PLAYER, METERED),
        whole(3, FORTUNE),
        whole(4, METER, PLAYER, METERED),
    )
    await settlement.entries(last)
    connection = await asyncpg.connect(database.owner_url)
    await connection.execute("SET search_path = settlement")
    yield connection
    await connection.close()


async def test_rows_that_follow_from_their_entries_are_found_the_same(settlement: Settlement, owner: Any) -> None:
    """Every row is counted and none differs, for all days and for one."""
    for day in ("", "2026-03-02"):
        found = await settlement.verified(day)
        assert {check.different for check in found.values()} == {0}
        assert [found[name].checked for name in (ROUNDS, WAGERS, AWARDS, SUBMISSIONS)] == [4, 6, 2, 3]
    assert (await settlement.verified("2026-03-03"))[WAGERS].checked == 0


async def test_a_row_laid_hands_on_is_named(settlement: Settlement, owner: Any) -> None:
    """Changed, missing and extra rows are counted in their own check and named with what differs."""
    for table, statement in LAID_HANDS_ON.items():
        await owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL; {statement.format(settlement.property_id)}")
    found = await settlement.verified()
    assert {check: list(found[check].differences) for check in NAMED} == NAMED
    assert {check: found[check].different for check in NAMED} == {check: len(names) for check, names in NAMED.items()}


async def test_a_changed_entry_breaks_the_chain(settlement: Settlement, owner: Any) -> None:
    """Bytes that are not the ones hashed are named by position."""
    await owner.execute(
        "ALTER TABLE settlements_entry DISABLE TRIGGER ALL;"
        " ALTER TABLE settlements_entry_202603 DISABLE TRIGGER ALL;"
        " UPDATE settlements_entry AS e SET entry = other.entry FROM settlements_entry AS other"
        f" WHERE e.property_id = '{settlement.property_id}' AND e.position = 2"
        " AND other.property_id = e.property_id AND other.position = 3"
    )
    found = await settlement.verified()
    assert "position 2" in found["settlement: settlements entries rehashed"].differences[0]
    assert found[WAGERS].different
