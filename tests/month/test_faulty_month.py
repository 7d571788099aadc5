"""The same thirty days with faults: each is named, none stands in the way of others, nothing filed changes."""

from pathlib import Path

import pytest

from tests.month import ledger, office
from tests.month.faults import FillKeyedTwice, MiscalibratedFeed, OverpaidSideWagers, ShortBox, ShortCount
from tests.month.faulty import Fault, FaultyRun, day_of
from tests.month.house import FIRST_DAY, forty_tables
from tests.month.month import DAYS, Month, days
from tests.month.paper_faults import CountOnTheWrongDay, EditedSlip, LateWinningRound, MissingBox
from tests.month.running import opened

pytestmark = [pytest.mark.slow, pytest.mark.floor]


def planted() -> tuple[OverpaidSideWagers, list[Fault]]:
    """The dealer with a habit, and all faults, each on days of its own."""
    dealer = OverpaidSideWagers(day_of(9))
    return dealer, [
        FillKeyedTwice(day_of(3)),
        ShortBox(day_of(5), table="BLA-28"),
        ShortCount(day_of(6)),
        dealer,
        MiscalibratedFeed(day_of(15), table="ROU-21"),
        MiscalibratedFeed(day_of(16), table="ROU-17"),
        MissingBox(day_of(18)),
        CountOnTheWrongDay(day_of(21)),
        EditedSlip(day_of(24), table="MID-12"),
        LateWinningRound(day_of(27), table="BAC-01"),
    ]


async def test_planted_faults_are_named_and_block_nothing_else(home: Path) -> None:
    """Each fault is a row of the report that has to name it; every day is filed; the bytes filed first stay."""
    dealer, faults = planted()
    month = Month(forty_tables(), habits=dealer.habits)
    async with opened(home, month) as casino:
        run = FaultyRun(casino, month, faults=faults)
        await run.play(list(days()))
        assert sorted(run.filed) == list(days())
        filed = {day: await run.contents(day) for day in days()}
        for fault in faults:
            await fault.ended(run)
        for day in days():
            assert await run.contents(day) == filed[day]
            assert (await office.status(casino, day)).state in (office.state("filed"), office.state("restated"))
        await check_nothing_else(run)
        await ledger.check_journal(casino, FIRST_DAY, day_of(DAYS), home)
        await ledger.check_rebuilt(casino, FIRST_DAY, day_of(DAYS))


async def check_nothing_else(run: FaultyRun) -> None:
    """Once all is put right that can be, the two wins differ where money is gone or stakes are wrong alone."""
    lasting = {
        (day.isoformat(), table)
        for fault in run.faults
        if isinstance(fault, OverpaidSideWagers | MiscalibratedFeed | ShortBox)
        for day, table in fault.tables
    }
    rows = await run.rows("reconciliation", "two_wins", day_of(DAYS), FIRST_DAY)
    assert {(row["gaming_day"], row["table"]) for row in rows if row["difference"]} == lasting
    assert len(rows) == DAYS * len(run.month.house.tables)
