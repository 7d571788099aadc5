"""A report as a workbook: a sheet for each table, numbers that can be summed, no digit lost."""

import re
import zipfile
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.render import as_object
from clients.cli.render.xlsx import as_xlsx
from services.kernel.errors import InvalidRequest
from services.kernel.money import dollars
from tests.clients.rendered import column, report_of, row, sheets, things

LARGEST = 2**63 - 1


def part(workbook: bytes, name: str) -> str:
    with zipfile.ZipFile(BytesIO(workbook)) as parts:
        return parts.read(name).decode()


def amounts(*cents: int) -> reporting.ReportTable:
    return reporting.ReportTable(
        name="t", title="T", columns=[column("C", "CENTS")], rows=[row(each) for each in cents]
    )


def test_a_sheet_has_heading_titles_rows_totals_and_notes() -> None:
    """Amounts are numbers in dollars; what is undefined is an empty cell, and the totals are named."""
    assert sheets(as_xlsx(report_of(things()))) == {
        "Things": [
            ["Daily win, HARBOR, gaming day 2026-03-02 from six"],
            ["Generated 2026-03-03T00:00:00Z for ann by version 1."],
            ["Stands on rounds 9, settlements 5; complete to rounds position 9."],
            ["Things"],
            ["Name", "Money", "Count", "Share", "Meter"],
            ["one", "-1234.05", "1000", "7.61", "10.000001"],
            ["two", "", "0", "", "1234.500000"],
            ["Total", "-1234.05", "1000"],
            ["A note."],
        ]
    }


def test_the_same_report_has_the_same_bytes() -> None:
    """Nothing in a workbook depends on when or where it is made."""
    assert as_xlsx(report_of(things())) == as_xlsx(report_of(things()))


@given(st.integers(-LARGEST, LARGEST))
def test_no_digit_of_an_amount_is_lost(cents: int) -> None:
    """What fifteen digits cannot hold is a text; everything else is a number, exact as it is written."""
    written = sheets(as_xlsx(report_of(amounts(cents))))["T"][5][0]
    whole, _, rest = written.replace(",", "").partition(".")
    assert f"{whole}.{rest.ljust(2, '0')}" == dollars(cents).replace(",", "")


def test_totals_are_those_of_the_json() -> None:
    """Both formats stand on the same cents."""
    report = report_of(things())
    totals = as_object(report)["tables"]["things"]["totals"]
    assert sheets(as_xlsx(report))["Things"][7][1] == dollars(totals["money"]).replace(",", "")


def test_titles_stay_on_the_screen_and_on_every_page() -> None:
    """Rows scroll under the titles of the columns, which are printed again on each page."""
    made = as_xlsx(report_of(things()))
    assert re.search(r'<pane ySplit="6"[^>]* state="frozen"/>', part(made, "xl/worksheets/sheet1.xml"))
    assert "Things!$1:$6" in part(made, "xl/workbook.xml")


def test_a_text_is_never_a_formula_or_a_link() -> None:
    """A name beginning like a formula is shown as it is."""
    table = things()
    table.rows[0].cells[0].text = "=1+1"
    table.rows[1].cells[0].text = "https://a.example"
    made = as_xlsx(report_of(table))
    assert [line[0] for line in sheets(made)["Things"][5:7]] == ["=1+1", "https://a.example"]
    assert "<f>" not in part(made, "xl/worksheets/sheet1.xml")
    assert "hyperlink" not in part(made, "xl/worksheets/sheet1.xml")


def test_each_sheet_has_a_name_of_its_own() -> None:
    """Titles too long, alike but for their case or with signs a sheet's name may not have are told apart."""
    titles = ("Win [by] day/shift", "win by day:shift", "A title of more than thirty-one letters", "", "History")
    tables = [amounts(1) for _ in titles]
    for table, title in zip(tables, titles, strict=True):
        table.title = title
    found = list(sheets(as_xlsx(report_of(*tables))))
    assert found == ["Win by day shift", "win by day shift 2", "A title of more than thirty-one", "Table", "History 2"]


def test_what_a_sheet_cannot_hold_is_refused() -> None:
    """A text longer than a cell may have is not left out."""
    table = things()
    table.notes.append("x" * 32_768)
    with pytest.raises(InvalidRequest, match=r"expected a table that a sheet can hold .* given row 12 of things"):
        as_xlsx(report_of(table))


def test_who_signs_stands_below() -> None:
    """A line for each of them."""
    report = report_of(things())
    report.signatures.extend(["Count room supervisor", "Auditor"])
    assert [line[0].split(":")[0] for line in sheets(as_xlsx(report))["Things"][-2:]] == [
        "Count room supervisor",
        "Auditor",
    ]
