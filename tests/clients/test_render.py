"""Rendering of a report: tables of typed columns, whatever the report."""

import json
from datetime import UTC, datetime

import pytest

from casino.feeds.v1 import feeds_pb2
from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.render import as_csv, as_json, as_text

TYPES = ("TEXT", "CENTS", "COUNT", "PERCENT", "MICROS")


def cell(value: int | str | None) -> reporting.Cell:
    """A cell with a number, a text or nothing."""
    if value is None:
        return reporting.Cell()
    return reporting.Cell(number=value) if isinstance(value, int) else reporting.Cell(text=value)


@pytest.fixture
def report() -> reporting.Report:
    """A report of one table with a column of every type."""
    titles = ("Name", "Money", "Count", "Share", "Meter")
    columns = [
        reporting.Column(name=title.lower(), title=title, type=reporting.ColumnType.Value(f"COLUMN_TYPE_{kind}"))
        for title, kind in zip(titles, TYPES, strict=True)
    ]
    rows: list[list[int | str | None]] = [
        ["one", -123_405, 1_000, "7.61", 10_000_001],
        ["two", None, 0, None, 1_234_500_000],
    ]
    table = reporting.ReportTable(
        name="things",
        title="Things",
        columns=columns,
        rows=[reporting.Row(cells=[cell(value) for value in row]) for row in rows],
        totals=reporting.Row(cells=[cell(value) for value in ("", -123_405, 1_000, None, None)]),
        notes=["A note."],
    )
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
        tables=[table],
    )
    found.generated_at.FromDatetime(datetime(2026, 3, 3, tzinfo=UTC))
    return found


def test_text_is_for_a_reader(report: reporting.Report) -> None:
    """Dollars have two digits and commas, meters six digits, what is undefined is a dash."""
    assert as_text(report) == (
        "Daily win, HARBOR, gaming day 2026-03-02 from six\n"
        "Generated 2026-03-03T00:00:00Z for ann by version 1.\n"
        "Stands on rounds 9, settlements 5; complete to rounds position 9.\n"
        "\n"
        "Things\n"
        "Name      Money  Count  Share         Meter\n"
        "----  ---------  -----  -----  ------------\n"
        "one   -1,234.05  1,000   7.61     10.000001\n"
        "two           -      0      -  1,234.500000\n"
        "      -1,234.05  1,000      -             -\n"
        "A note.\n"
    )


def test_csv_is_for_a_spreadsheet(report: reporting.Report) -> None:
    """Amounts are plain dollars without commas; each row names its table."""
    assert as_csv(report).splitlines()[-4:] == [
        "table,name,money,count,share,meter",
        "things,one,-1234.05,1000,7.61,10.000001",
        "things,two,,0,,1234.500000",
        "things,,-1234.05,1000,,",
    ]


def test_json_is_for_a_program(report: reporting.Report) -> None:
    """Cents, counts and micro-dollars are numbers, percent a decimal text, no value is null."""
    found = json.loads(as_json(report))
    assert found["positions"] == {"rounds": 9, "settlements": 5}
    assert found["complete_to_rounds_position"] == 9
    things = found["tables"]["things"]
    assert things["columns"][1] == {"name": "money", "title": "Money", "type": "CENTS"}
    assert things["rows"] == [
        {"name": "one", "money": -123_405, "count": 1_000, "share": "7.61", "meter": 10_000_001},
        {"name": "two", "money": None, "count": 0, "share": None, "meter": 1_234_500_000},
    ]
    assert things["totals"]["money"] == -123_405
