"""The month's journal under bean-check, and its projections made anew."""

import asyncio
import sys
from collections import Counter
from datetime import date
from pathlib import Path

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.render.beancount import as_beancount
from clients.sdk.client import Casino
from services.reporting.operations import REPORTS
from tests.floor.auditor import lines
from tests.month import office
from tests.month.house import PROPERTY

OF_A_DAY = ("daily-win", "meter-readings", "progressive-reconciliation", "progressive-liability")
"""Reports that have no period."""
ADMINISTRATOR = "administrator"


async def check_journal(casino: Casino, first: date, last: date, folder: Path) -> None:
    """Every entry's debits are its credits, every balance is that of its other source, bean-check finds nothing."""
    report = await office.report(casino, "general-ledger", last, first)
    sums: Counter[int] = Counter()
    for row in lines(report, "journal"):
        sums[int(row["entry"] or 0)] += int(row["debit"] or 0) - int(row["credit"] or 0)
    assert sums
    assert set(sums.values()) == {0}
    assert {row["difference"] for row in lines(report, "accounts")} == {None, 0}
    assert await bean_check(report, folder) == "exit 0"


async def bean_check(report: reporting.Report, folder: Path) -> str:
    """What bean-check says of the report as a Beancount file."""
    path = folder / "month.beancount"
    path.write_text(as_beancount(report), encoding="utf-8")
    check = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "beancount.scripts.check", str(path)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await check.communicate()
    return f"{said.decode()}exit {check.returncode}"


async def check_rebuilt(casino: Casino, first: date, last: date) -> None:
    """Every report gives the same bytes, the time of its making apart, from projections made anew."""
    before = await reports(casino, first, last)
    await rebuild(casino)
    after = await reports(casino, first, last)
    assert [name for name in before if before[name] != after[name]] == []


async def reports(casino: Casino, first: date, last: date) -> dict[str, bytes]:
    """Every named report of the period or, where it has none, of its last day."""
    found = {}
    for name in REPORTS:
        report = await office.report(casino, name, last, None if name in OF_A_DAY else first)
        report.ClearField("generated_at")
        found[name] = report.SerializeToString(deterministic=True)
    return found


async def rebuild(casino: Casino) -> None:
    """Have the projections dropped and made anew. Raises RefusedByServer."""
    administrator = casino.acting_as(ADMINISTRATOR)
    request = reporting.RebuildProjectionsRequest(
        request_id="rebuild the month", property_id=PROPERTY, reason="to see that they come out the same"
    )
    told = [each async for each in administrator.stream(administrator.reporting.RebuildProjections, request)]
    assert told[-1].rebuilt.projections
