"""Verify names every row that was changed, put in or taken out behind the service's back."""

from typing import Any

import asyncpg
import pytest

from tests.databases import Database
from tests.rounds.conftest import TABLE, Rounds, event, wager, whole

SETTINGS = "rounds: settings and opened days compared with entries"
HELD = "rounds: held facts compared with notices"

TAMPERED = [
    ("table_setting", "update rounds.table_setting set pit = 'P9'", SETTINGS, "P9"),
    ("table_setting", "update rounds.table_setting set principal = 'eve'", SETTINGS, "eve"),
    ("property_setting", "update rounds.property_setting set cut_over = '04:00'", SETTINGS, "property_setting"),
    ("property_setting", "update rounds.property_setting set house_edge_to = 9000", SETTINGS, "given"),
    ("opened_day", "delete from rounds.opened_day", SETTINGS, "given None"),
    (
        "opened_day",
        "insert into rounds.opened_day select property_id, '2026-03-09', 99, 1 from rounds.opened_day",
        SETTINGS,
        "position 99 has no entry",
    ),
    (
        "submission",
        "update rounds.submission set effective_from = '2026-02-01'",
        "rounds: submissions received compared with their bytes",
        "2026-02-01",
    ),
    ("held_fact", "delete from rounds.held_fact where sequence = 2", HELD, "noticed 2 times, kept 1 times"),
    ("held_fact", "update rounds.held_fact set message = 'fine' where sequence = 2", HELD, "ILLEGAL_COUP"),
    (
        "held_fact",
        "update rounds.held_fact set content = content || '\\x00'::bytea where sequence = 2",
        HELD,
        "2: its bytes are changed",
    ),
]


@pytest.mark.parametrize(("table", "statement", "check", "named"), TAMPERED)
async def test_what_stands_beside_the_rounds_is_proved_too(
    rounds: Rounds, database: Database, table: str, statement: str, check: str, named: str
) -> None:
    """Settings, days, submissions and held facts: a change by the owner with the triggers off is named."""
    illegal = "9H KS 2C/2D 3C"
    held = whole(3, wagers=[wager(1), wager(2, "baccarat.tie", seat=9)])
    other = event(whole(2, illegal, dealer="Kim"))
    await rounds.submit([event(whole(1)), event(whole(2, illegal)), event(held), other])
    before = await rounds.verified()
    assert not sum(found.different for found in before.values())
    assert before[SETTINGS].checked == 3, TABLE
    owner: Any = await asyncpg.connect(database.owner_url)
    await owner.execute(f"alter table rounds.{table} disable trigger all; {statement}")
    await owner.close()
    found = (await rounds.verified())[check]
    assert found.different > 0
    assert any(named in difference for difference in found.differences), list(found.differences)
