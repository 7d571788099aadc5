"""A seeded gaming day through real processes, audited by hand."""

from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.reports import complete_report
from clients.floor.day import Day, play, post, send
from clients.floor.filing import set_up
from clients.floor.house import house
from clients.floor.platform import Platform
from clients.sdk.client import Casino
from tests.floor.auditor import SEED_MICROS, Audit, audit, is_side, lines

pytestmark = pytest.mark.floor

DAY = date(2026, 3, 2)


class Played(NamedTuple):
    """A day, its report, what the auditor found, and how many events were not plainly accepted."""

    day: Day
    report: reporting.Report
    audit: Audit
    answers: int


@pytest_asyncio.fixture
async def played(home: Path) -> AsyncIterator[Played]:
    """A day of eight tables played through the platform."""
    day = play(house("HOUSE", "A house", 8), DAY, 800, 20260302)
    async with Platform(home) as platform, Casino(platform.addresses, "a-gateway") as casino:
        await set_up(casino, day.house, DAY)
        answers = await send(casino, day)
        await post(casino, day)
        report = await complete_report(casino, "daily-win", "HOUSE", DAY.isoformat())
        yield Played(day, report, await audit(casino, "HOUSE", DAY), len(answers))


async def test_report_is_what_an_auditor_adds_up_by_hand(played: Played) -> None:
    """Every table's line, every side wager's and the meter's are the naive sums over the raw facts."""
    assert played.answers == 0
    check_tables(played)
    check_side_wagers(played)
    check_meter(played)
    check_simulator(played)


def check_tables(played: Played) -> None:
    """The tables' lines, physical win being the game win at each."""
    rows = {row["name"]: row for row in lines(played.report, "win") if row["scope"] == "table"}
    assert sorted(map(str, rows)) == played.audit.names
    for name in played.audit.names:
        expected = played.audit.figures(name)
        assert {each: rows[name][each] for each in expected} == expected
        assert expected["difference"] == 0


def check_side_wagers(played: Played) -> None:
    """The side wagers' lines, decks and wheels added together."""
    found: dict[tuple[str, str, str], int] = {}
    for row in lines(played.report, "side_wagers"):
        for figure in ("wagers", "handle", "payout"):
            key = (str(row["wager"]), str(row["paytable"]), figure)
            found[key] = found.get(key, 0) + int(row[figure] or 0)
    expected = {key: number for key, number in played.audit.wagers.items() if is_side(key[0])}
    assert {key: number for key, number in found.items() if number} == {
        key: number for key, number in expected.items() if number
    }


def check_meter(played: Played) -> None:
    """A tenth of every progressive stake is on the meter of its table's link, over the seed."""
    rows = {str(row["link"]): row for row in lines(played.report, "progressives")}
    tables = {link.link_id: link.table_ids for link in played.day.house.links}
    assert rows.keys() == tables.keys()
    for link_id, row in rows.items():
        contributed = sum(amount for key, amount in played.audit.meters.items() if key[0] in tables[link_id])
        assert row["contributions"] == contributed > 0
        assert (row["reading"], row["hits"], row["awards"]) == (SEED_MICROS + contributed, 0, 0)


def check_simulator(played: Played) -> None:
    """The floor counted the same rounds and the same money."""
    for table in played.day.tables:
        figures = played.audit.figures(table.table.table_id)
        counted = (table.rounds, table.wagers, table.handle, table.payout)
        assert tuple(figures[each] for each in ("rounds", "wagers", "handle", "payout")) == counted
