"""Thirty days of forty tables, honestly dealt, closed, filed and reported through the services."""

import hashlib
from datetime import timedelta
from pathlib import Path

import pytest

from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.reporting.v1.documents_pb2 import FiledReport
from clients.sdk.client import Casino
from services.kernel.clock import Calendar
from tests.floor.auditor import lines
from tests.month import checks, ledger, office
from tests.month.house import CALENDAR, FIRST_DAY, PROPERTY, forty_tables
from tests.month.month import DAYS, ROUNDS, Month, days
from tests.month.running import Run, opened

pytestmark = [pytest.mark.slow, pytest.mark.floor]

LAST_DAY = FIRST_DAY + timedelta(days=DAYS - 1)
OPEN = {"exceptions": ("open",), "inventory-discrepancies": ("openers", "counts", "documents")}
"""What is open in a month, by report and table."""


def minutes(calendar: Calendar) -> list[int]:
    """How long each gaming day of the month is."""
    return [(calendar.end_of(day) - calendar.start_of(day)) // timedelta(minutes=1) for day in days()]


async def test_an_honest_month_closes_files_and_reports(home: Path) -> None:
    """Every day is filed as its tables counted it, physical win is game win on every table-day, the weeks are taxed,
    the journal is clean, and projections made anew give the same bytes.
    """
    month = Month(forty_tables())
    async with opened(home, month) as casino:
        run = Run(casino, month)
        await run.play(list(days()))
        assert sum(played.rounds for day in run.played.values() for played in day.tables) == DAYS * 40 * ROUNDS
        await check_filed(run)
        await check_month(run)
        await ledger.check_journal(casino, FIRST_DAY, LAST_DAY, home)
        await ledger.check_rebuilt(casino, FIRST_DAY, LAST_DAY)


async def check_filed(run: Run) -> None:
    """Each day's filed reports are the bytes that their hashes say, and say what the floor counted."""
    listed = await run.casino.call(
        run.casino.reporting.ListDays, reporting.ListDaysRequest(property_id=PROPERTY, compare=True)
    )
    found = {each.gaming_day: each for each in listed.days}
    assert sorted(found) == [day.isoformat() for day in days()]
    assert sorted(each.minutes for each in found.values()) == sorted(minutes(CALENDAR))
    assert min(each.minutes for each in found.values()) == 23 * 60
    for day in days():
        each = found[day.isoformat()]
        assert (each.state, each.version, list(each.differs)) == (office.state("filed"), 1, [])
        reports = {filed.name: await filed_report(run.casino, filed) for filed in run.filed[day]}
        assert tuple(reports) == office.FILED
        checks.check_daily_win(reports["daily-win"], run.played[day])
        checks.check_revenue(reports["gross-revenue"], run.played[day])


async def filed_report(casino: Casino, filed: FiledReport) -> reporting.Report:
    """A filed report, once its bytes are held against their hash."""
    content = await office.content(casino, filed.name, filed.gaming_day, filed.version)
    assert (len(content), hashlib.sha256(content).digest()) == (filed.size, filed.sha256)
    return reporting.Report.FromString(content)


async def check_month(run: Run) -> None:
    """The reports on the whole month."""

    async def monthly(name: str) -> reporting.Report:
        return await office.report(run.casino, name, LAST_DAY, first=FIRST_DAY)

    two_wins = await monthly("reconciliation")
    checks.check_two_wins(two_wins, run.played)
    checks.check_estimates(two_wins, run.played)
    checks.check_meters(await monthly("meter-comparison"), run.played)
    checks.check_weeks(await monthly("gross-revenue"), run.played)
    for name, tables in OPEN.items():
        report = await monthly(name)
        assert not [row for table in tables for row in lines(report, table)], name
    assert not [row for row in lines(await monthly("counter-checks"), "dropped") if row["difference"]]
    await check_jackpots(run)


async def check_jackpots(run: Run) -> None:
    """Every jackpot of the links is in the register, paid by a slip, and deducted on the day of its payment.

    Payments are made by the clock of the machine, so the register goes to the day that this is.
    """
    jackpots = [each for paid in run.paid.values() for each in paid]
    assert jackpots
    paid_on = checks.paid_by_day(jackpots)
    register = await office.report(run.casino, "jackpot-register", max([*paid_on, LAST_DAY]), FIRST_DAY)
    rows = {
        row["jackpot"]: (row["slip"], row["amount"], row["state"], row["flag"]) for row in lines(register, "jackpots")
    }
    assert rows == {each.jackpot_id: (each.slip_no, each.amount_cents, "paid", "") for each in jackpots}
    for report in ("progressive-reconciliation", "progressive-liability"):
        found = await office.report(run.casino, report, LAST_DAY)
        assert not [
            row
            for table in found.tables
            for row in lines(found, table.name)
            if row.get("difference") or row.get("variance")
        ]
    for day, cents in paid_on.items():
        checks.check_paid(await office.report(run.casino, "gross-revenue", day), cents)
