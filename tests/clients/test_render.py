"""Rendering of a report: tables of typed columns, whatever the report."""

import json

import pytest

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.render import as_csv, as_json, as_text
from tests.clients.rendered import report_of, things


@pytest.fixture
def report() -> reporting.Report:
    """A report of one table with a column of every type."""
    return report_of(things())


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


def test_a_period_names_both_its_ends(report: reporting.Report) -> None:
    """A report of several gaming days says from which to which."""
    report.from_day = "2026-02-23"
    assert as_text(report).startswith("Daily win, HARBOR, gaming days 2026-02-23 to 2026-03-02 from six\n")
    assert json.loads(as_json(report))["from_day"] == "2026-02-23"


def test_a_filed_report_says_under_which_version(report: reporting.Report) -> None:
    """What was filed is told from the figures of now, for which the version is 0."""
    assert json.loads(as_json(report))["version"] == 0
    report.version = 2
    assert "\nAs filed, version 2. Stands on rounds 9" in as_text(report)
    assert "version,2" in as_csv(report).splitlines()
