"""A journal as a Beancount file: accounts opened, entries in double entry, balances held against another source.

Renders any report that has a table `journal` and a table `accounts`, and nothing else of it.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import groupby

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.render.cells import Value, value
from clients.cli.render.heading import heading
from services.kernel.errors import InvalidRequest
from services.kernel.money import dollars

CURRENCY = "USD"
Cells = dict[str, Value]


def as_beancount(report: reporting.Report) -> str:
    """The journal for Beancount; what it stands on is in comments. Raises InvalidRequest for a report without one."""
    journal, accounts = _rows(report, "journal"), _rows(report, "accounts")
    first = report.from_day or report.gaming_day
    after = (date.fromisoformat(report.gaming_day) + timedelta(days=1)).isoformat()
    parts = [
        "\n".join(f"; {line}" for line in heading(report)),
        f'option "title" {_quoted(f"{report.title}, {report.property_id}")}\noption "operating_currency" "{CURRENCY}"',
        f"{first} commodity {CURRENCY}",
        "\n".join(f"{first} open {row['account']} {CURRENCY}\n  title: {_quoted(row['title'])}" for row in accounts),
        *_entries(journal),
        "\n".join(_balances(accounts, after)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _rows(report: reporting.Report, name: str) -> list[Cells]:
    for table in report.tables:
        if table.name == name:
            names = [column.name for column in table.columns]
            return [dict(zip(names, map(value, row.cells), strict=True)) for row in table.rows]
    raise InvalidRequest(
        f"expected a report with a journal and its accounts, such as general-ledger; given {report.name}"
    )


def _entries(journal: list[Cells]) -> Iterator[str]:
    for number, rows in groupby(journal, key=lambda row: row["entry"]):
        postings = list(rows)
        head = postings[0]
        told = {"entry": str(number), "documents": head["documents"], "positions": head["positions"]}
        yield "\n".join(
            [
                f"{head['gaming_day']} * {_quoted(head['narration'])}",
                *(f"  {name}: {_quoted(said)}" for name, said in told.items() if said),
                *(f"  {row['account']}  {_amount(_signed(row))}" for row in postings),
            ]
        )


def _signed(row: Cells) -> int:
    debit, credit = row["debit"], row["credit"]
    return (debit if isinstance(debit, int) else 0) - (credit if isinstance(credit, int) else 0)


def _balances(accounts: list[Cells], day: str) -> Iterator[str]:
    """A balance stands at the beginning of its day, so that of the period's end is of the day after; to the cent."""
    for row in accounts:
        if isinstance(row["held_against"], int):
            exactly = f"{_plain(row['held_against'])} ~ 0 {CURRENCY}"
            yield f"{day} balance {row['account']}  {exactly}\n  by: {_quoted(row['source'])}"


def _amount(cents: int) -> str:
    return f"{_plain(cents)} {CURRENCY}"


def _plain(cents: int) -> str:
    return dollars(cents).replace(",", "")


def _quoted(text: Value) -> str:
    plain = " ".join(str(text or "").split())
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'
