"""A report on paper: every figure there, on numbered pages, with lines for who signs."""

from io import BytesIO

from pypdf import PdfReader

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.render import as_object
from clients.cli.render.pdf import as_pdf
from services.kernel.money import dollars
from tests.clients.rendered import column, pages, report_of, row, spaced, things


def wide(columns: int, rows: int) -> reporting.ReportTable:
    """A table whose cells all differ."""
    return reporting.ReportTable(
        name="wide",
        title="Wide",
        columns=[column("Table", "TEXT"), *(column(f"Amount {place}", "CENTS") for place in range(columns))],
        rows=[row(f"T-{line:03d}", *(line * 1_000_003 + place for place in range(columns))) for line in range(rows)],
        totals=row("", *(rows * 10_000_019 + place for place in range(columns))),
    )


def test_a_page_has_heading_rows_totals_and_notes() -> None:
    """The heading says what the report is, for whom and of which figures; a missing number is a dash."""
    text = spaced(pages(as_pdf(report_of(things())))[0])
    for stated in (
        "Daily win Property HARBOR",
        "gaming day 2026-03-02",
        "2026-03-03T00:00:00Z",
        "figures of now, not filed",
        "rounds 9, settlements 5",
        "one -1,234.05 1,000 7.61 10.000001 two - 0 - 1,234.500000",
        "Total -1,234.05 1,000 - - A note.",
    ):
        assert stated in text


def test_the_same_report_has_the_same_bytes() -> None:
    """Nothing in the document depends on when or where it is made."""
    assert as_pdf(report_of(things())) == as_pdf(report_of(things()))


def test_totals_are_those_of_the_json() -> None:
    """Both formats stand on the same cents, in whatever part a column is."""
    report = report_of(wide(30, 3))
    totals = as_object(report)["tables"]["wide"]["totals"]
    text = spaced(" ".join(pages(as_pdf(report))))
    assert all(f" {dollars(amount)}" in text for amount in totals.values() if isinstance(amount, int))


def test_no_cell_of_a_wide_and_long_table_is_lost() -> None:
    """Columns that do not fit stand in further parts, which repeat the first one; titles stand on every page."""
    report = report_of(wide(30, 120))
    found = pages(as_pdf(report))
    text = spaced(" ".join(found))
    assert "Wide (part 1 of " in text
    assert all(dollars(cell.number) in text for row in report.tables[0].rows for cell in row.cells[1:])
    assert all("Table" in page for page in found)


def test_every_page_says_of_how_many_it_is() -> None:
    """A page that is missing is missed, and each one says what it belongs to."""
    found = pages(as_pdf(report_of(wide(3, 200))))
    assert len(found) > 2
    for number, page in enumerate(found, 1):
        assert f"Page {number} of {len(found)}" in spaced(page)
        assert "Daily win, HARBOR, gaming day 2026-03-02; figures of now, not filed" in spaced(page)


def test_a_narrow_report_stands_upright_a_wide_one_lies() -> None:
    """US letter either way."""
    sizes = [PdfReader(BytesIO(as_pdf(report_of(table)))).pages[0].mediabox for table in (things(), wide(12, 1))]
    assert [(box.width, box.height) for box in sizes] == [(612, 792), (792, 612)]


def test_text_is_no_markup_and_no_letter_is_lost() -> None:
    """Signs of markup are printed; a letter that the type has not is printed by its number."""
    table = things()
    table.notes[:] = ["a <b>note</b> & more, σ"]
    assert "a <b>note</b> & more, <U+03C3>" in spaced(pages(as_pdf(report_of(table)))[0])


def test_a_text_longer_than_a_page_is_set_on_several() -> None:
    """Its row is split rather than refused."""
    table = things()
    table.rows[0].cells[0].text = " ".join(f"word-{number}" for number in range(3_000))
    text = " ".join(pages(as_pdf(report_of(table))))
    assert "word-0" in text
    assert "word-2999" in text


def test_a_table_without_rows_says_so() -> None:
    """An empty table is told from one that is missing."""
    table = things()
    del table.rows[:]
    table.ClearField("totals")
    assert "Name Money Count Share Meter No rows." in spaced(pages(as_pdf(report_of(table)))[0])


def test_who_signs_has_a_line() -> None:
    """Each with name, licence number and time; a report that nobody signs has none."""
    report = report_of(things())
    assert "Signed" not in pages(as_pdf(report))[0]
    report.signatures.extend(["Count room supervisor", "Auditor"])
    text = spaced(pages(as_pdf(report))[0])
    assert "Signed Name and signature Licence number Date and time Count room supervisor Auditor" in text
