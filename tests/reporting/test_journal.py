"""The general ledger over Postgres, behind the contract: balanced, held against other sources, clean to bean-check."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from casino.reporting.v1 import reporting_service_pb2 as messages
from clients.cli.render import as_beancount
from services.kernel.errors import InvalidRequest
from services.kernel.money import cents, dollars
from tests.clients.command import casino
from tests.reporting.conftest import AS_CLERK, House
from tests.reporting.full_days import MONDAY, TUESDAY, play_both_days
from tests.reporting.test_projections import table
from tests.reporting.upstream import PROPERTY


@pytest.fixture
async def played(house: House) -> House:
    """Both days with everything in them."""
    await play_both_days(house)
    return house


async def ledger(house: House, first: str, last: str, name: str = "general-ledger") -> messages.Report:
    """A report of a period."""
    request = messages.GetReportRequest(name=name, property_id=PROPERTY, from_day=first, to_day=last)
    return (await house.stub.GetReport(request, metadata=AS_CLERK)).report


def balances(report: messages.Report) -> dict[str, dict[str, Any]]:
    """The accounts by their names."""
    return {row["account"]: row for row in table(report, "accounts")[0]}


async def checked(report: messages.Report, folder: Path) -> str:
    """What bean-check says of the report's Beancount file."""
    path = folder / "journal.beancount"
    path.write_text(as_beancount(report))
    ran = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "beancount.scripts.check", str(path)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await ran.communicate()
    return f"{out.decode()}exit {ran.returncode}"


@pytest.mark.parametrize(
    "period", [(MONDAY, MONDAY), (TUESDAY, TUESDAY), (MONDAY, TUESDAY)], ids=("mon", "tue", "both")
)
async def test_the_journal_balances_and_is_held_against_other_sources(
    played: House, period: tuple[str, str], tmp_path: Path
) -> None:
    """Every entry's debits are its credits, no balance differs from its other source, and bean-check finds nothing."""
    report = await ledger(played, *period)
    rows, totals = table(report, "journal")
    sums: dict[int, int] = {}
    for row in rows:
        sums[row["entry"]] = sums.get(row["entry"], 0) + (row["debit"] or 0) - (row["credit"] or 0)
    assert set(sums.values()) == {0}
    assert totals["debit"] == totals["credit"]
    assert {row["difference"] for row in table(report, "accounts")[0]} == {None, 0}
    assert await checked(report, tmp_path) == "exit 0"


async def test_what_is_not_resolved_is_seen_in_the_balances(played: House) -> None:
    """Monday's tables are resolved; Tuesday's box is not counted yet, so that its closer waits for it."""
    monday, both = balances(await ledger(played, MONDAY, MONDAY)), balances(await ledger(played, MONDAY, TUESDAY))
    assert monday["Assets:Tables:Unresolved:BAC-01"]["closing"] == 0
    assert both["Assets:Tables:Unresolved:BAC-01"]["closing"] == cents("2,395")
    assert both["Income:TableGames:OpenerDifferences"]["closing"] == cents("5")
    assert monday["Income:TableGames:Banking"]["closing"] == -cents("13,550")
    assert monday["Assets:CounterChecks:AtTables"]["closing"] == 0
    assert monday["Assets:Vigorish:Receivable"]["closing"] == cents("25")


async def test_entries_name_their_documents_and_positions(played: House) -> None:
    """The win names every slip of 601a.9, a correction in place of what it corrects; a payment its jackpot and slip."""
    rows, _ = table(await ledger(played, MONDAY, MONDAY), "journal")
    named = {row["narration"]: (row["documents"], row["positions"]) for row in rows}
    assert named["BAC-01: win (601a.9)"] == ("O-1, F-9, C-1, N-1, X-1", "documents 1, 16, 3, 7, 6")
    assert named["jackpot J-1 paid by slip PJ-7 at BAC-01 seat 1"] == ("J-1, PJ-7", "progressives 13")
    assert named["HVN mega: hit H-1 at BAC-01 round 1"] == ("J-1", "progressives 7 to 9")


async def test_a_hit_is_booked_as_accounting_for_progressives_has_it(played: House) -> None:
    """Of the meter 2,000, of the reserve 400, of the house 9,600 to 12,000 payable; paid with 2,878.80 withheld."""
    rows, _ = table(await ledger(played, MONDAY, MONDAY), "journal")
    hit, paid = (
        [
            (row["account"].rpartition(":")[2], (row["debit"] or 0) - (row["credit"] or 0))
            for row in rows
            if words in row["narration"]
        ]
        for words in ("hit H-1", "J-1 paid")
    )
    assert [(name, dollars(amount)) for name, amount in hit] == [
        ("Meter", "2,000.00"),
        ("Reserve", "400.00"),
        ("Payable", "-12,000.00"),
        ("PaidByHouse", "9,600.00"),
    ]
    assert [(name, dollars(amount)) for name, amount in paid] == [
        ("Payable", "12,000.00"),
        ("Withholding", "-2,878.80"),
        ("Cash", "-9,121.20"),
    ]


async def test_the_liability_is_that_of_the_meters(played: House) -> None:
    """Reading, reserve and overflow less the unearned seed; what is booked lacks less than a cent for each."""
    rows, _ = table(await ledger(played, MONDAY, TUESDAY), "liability")
    for row in rows:
        assert row["liability"] == row["reading"] + row["reserve"] + row["overflow"] - row["unearned"]
        assert row["liability"] == row["booked"] * 10_000 + row["residue"]
        assert 0 <= row["residue"] < 30_000
    booked = balances(await ledger(played, MONDAY, TUESDAY))
    assert -booked["Liabilities:Progressive:HVN:Mega:Meter"]["closing"] == cents("345.11")
    assert booked["Liabilities:Jackpots:Payable"]["closing"] == -cents("700")


@pytest.mark.parametrize("day", [MONDAY, TUESDAY])
async def test_the_liability_report_says_the_same_as_the_ledger(played: House, day: str) -> None:
    """Closing less unearned seed is what the general ledger owes, meter by meter."""
    request = messages.GetReportRequest(name="progressive-liability", property_id=PROPERTY, gaming_day=day)
    reported, _ = table((await played.stub.GetReport(request, metadata=AS_CLERK)).report, "liability_day")
    booked, _ = table(await ledger(played, day, day), "liability")
    assert any(row["unearned"] for row in booked)
    assert [(row["link"], row["level"], row["closing"] - row["unearned"], row["unearned"]) for row in reported] == [
        (row["link"], row["level"], row["liability"], row["unearned"]) for row in booked
    ]


async def test_bean_check_names_a_cent_that_is_not_there(played: House, tmp_path: Path) -> None:
    """A posting that is not balanced, and a balance that its other source contradicts, are both found."""
    report = await ledger(played, MONDAY, MONDAY)
    (journal,) = (each for each in report.tables if each.name == "journal")
    journal.rows[0].cells[4].number += 1
    assert "Transaction does not balance" in await checked(report, tmp_path)
    report = await ledger(played, MONDAY, MONDAY)
    (accounts,) = (each for each in report.tables if each.name == "accounts")
    row = next(each for each in accounts.rows if each.cells[0].text == "Liabilities:Jackpots:Payable")
    row.cells[6].number += 1
    assert "Balance failed for 'Liabilities:Jackpots:Payable'" in await checked(report, tmp_path)


async def test_the_command_writes_a_beancount_file(played: House, tmp_path: Path) -> None:
    """`casino report general-ledger --format beancount`; a report without a journal has no such file."""
    path = tmp_path / "ledger.beancount"
    environ = {
        "CASINO_ROUNDS_ADDRESS": f"127.0.0.1:{played.upstream.port}",
        "CASINO_REPORTING_ADDRESS": f"127.0.0.1:{played.service.port}",
        "CASINO_PRINCIPAL": "ann",
        "CASINO_HOME": str(played.settings.home),
    }
    asked = ("report", "general-ledger", "--day", MONDAY, "--format", "beancount", "--output", str(path))
    ran = await asyncio.to_thread(casino, *asked, environ=environ)
    assert ran.code == 0, ran.err
    text = path.read_text()
    assert "2026-03-02 open Liabilities:Jackpots:Payable USD" in text
    assert '  documents: "J-1, PJ-7"' in text
    assert "2026-03-03 balance Assets:Chips:Trays:BAC-01  32400.00 ~ 0 USD" in text
    with pytest.raises(InvalidRequest, match="expected a report with a journal"):
        as_beancount(await ledger(played, MONDAY, MONDAY, "jackpot-register"))


async def test_what_the_tax_deducts_is_what_the_ledger_paid(played: House) -> None:
    """Both by the gaming day of the payment: J-1 on Monday, nothing for what was hit and not paid."""
    deducted, totals = table(await ledger(played, MONDAY, TUESDAY, "gross-revenue"), "days")
    assert [(row["gaming_day"], row["progressive_paid"]) for row in deducted if row["progressive_paid"]] == [
        (MONDAY, cents("12,000"))
    ]
    paid = [
        row["debit"]
        for row in table(await ledger(played, MONDAY, TUESDAY), "journal")[0]
        if row["account"] == "Liabilities:Jackpots:Payable" and "paid by slip" in row["narration"]
    ]
    assert paid == [totals["progressive_paid"]]
