"""A report to render: a table with a column of every type, and what is read back from a workbook or a PDF."""

import re
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO
from xml.etree import ElementTree as ET

from pypdf import PdfReader

from casino.feeds.v1 import feeds_pb2
from casino.reporting.v1 import reporting_service_pb2 as reporting

TYPES = ("TEXT", "CENTS", "COUNT", "PERCENT", "MICROS")
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"

Value = int | str | None


def cell(value: Value) -> reporting.Cell:
    """A cell with a number, a text or nothing."""
    if value is None:
        return reporting.Cell()
    return reporting.Cell(number=value) if isinstance(value, int) else reporting.Cell(text=value)


def row(*values: Value) -> reporting.Row:
    """A row of such cells."""
    return reporting.Row(cells=[cell(value) for value in values])


def column(title: str, kind: str) -> reporting.Column:
    """A column by its title; its name is the title in small letters."""
    return reporting.Column(
        name=title.lower().replace(" ", "_"), title=title, type=reporting.ColumnType.Value(f"COLUMN_TYPE_{kind}")
    )


def things() -> reporting.ReportTable:
    """Two rows and totals."""
    titles = ("Name", "Money", "Count", "Share", "Meter")
    return reporting.ReportTable(
        name="things",
        title="Things",
        columns=[column(title, kind) for title, kind in zip(titles, TYPES, strict=True)],
        rows=[row("one", -123_405, 1_000, "7.61", 10_000_001), row("two", None, 0, None, 1_234_500_000)],
        totals=row("", -123_405, 1_000, None, None),
        notes=["A note."],
    )


def report_of(*tables: reporting.ReportTable) -> reporting.Report:
    """A daily win report of these tables."""
    found = reporting.Report(
        name="daily-win",
        title="Daily win",
        property_id="HARBOR",
        gaming_day="2026-03-02",
        day_starts="six",
        software_version="1",
        requester="ann",
        positions=[
            feeds_pb2.UpstreamCursor(feed="rounds", position=9),
            feeds_pb2.UpstreamCursor(feed="settlements", position=5),
        ],
        complete_to_rounds_position=9,
        tables=tables,
    )
    found.generated_at.FromDatetime(datetime(2026, 3, 3, tzinfo=UTC))
    return found


def sheets(workbook: bytes) -> dict[str, list[list[str]]]:
    """Each sheet's rows as written in the file, without the empty cells at their ends."""
    with zipfile.ZipFile(BytesIO(workbook)) as parts:
        book = ET.fromstring(parts.read("xl/workbook.xml"))
        shared = ET.fromstring(parts.read("xl/sharedStrings.xml"))
        texts = ["".join(part.text or "" for part in item.iter(f"{SHEET}t")) for item in shared]
        names = [each.get("name", "") for each in book.iter(f"{SHEET}sheet")]
        return {
            name: [_cells(line, texts) for line in _part(parts, number).iter(f"{SHEET}row")]
            for number, name in enumerate(names, 1)
        }


def pages(document: bytes) -> Sequence[str]:
    """The text of each page of a PDF."""
    return [page.extract_text() for page in PdfReader(BytesIO(document)).pages]


def spaced(text: str) -> str:
    """A text with one space wherever it has any."""
    return re.sub(r"\s+", " ", text)


def _part(parts: zipfile.ZipFile, number: int) -> ET.Element:
    return ET.fromstring(parts.read(f"xl/worksheets/sheet{number}.xml"))


def _cells(line: ET.Element, texts: Sequence[str]) -> list[str]:
    found = []
    for each in line.iter(f"{SHEET}c"):
        written = each.findtext(f"{SHEET}v", "")
        found.append(texts[int(written)] if each.get("t") == "s" else written)
    while found and not found[-1]:
        found.pop()
    return found
