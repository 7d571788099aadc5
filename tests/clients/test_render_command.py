"""`casino report` in each of its formats, against a platform of real processes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli import reports
from clients.cli.reports import Format, get_report, rendered
from services.kernel.errors import InvalidRequest
from tests.clients.conftest import Running
from tests.clients.rendered import pages, report_of, sheets, spaced, things

DAILY = ("report", "daily-win", "--day", "2026-03-02")


@pytest.mark.floor
@pytest.mark.parametrize("form", [each for each in Format if each is not Format.BEANCOUNT])  # of a journal alone
def test_a_report_is_written_to_a_file_in_every_format(platform: Running, tmp_path: Path, form: Format) -> None:
    """Nothing is printed then; the file is what the format promises."""
    file = tmp_path / f"daily-win.{form}"
    ran = platform.casino(*DAILY, "--format", form, "--output", str(file))
    assert (ran.code, ran.out) == (0, "")
    content = file.read_bytes()
    told: dict[Format, Callable[[], bool]] = {
        Format.TABLE: lambda: content.decode().startswith("Daily win, SAMPLE, gaming day 2026-03-02 from"),
        Format.CSV: lambda: content.decode().startswith("report,daily-win\n"),
        Format.JSON: lambda: json.loads(content)["property"] == "SAMPLE",
        Format.XLSX: lambda: any(lines[0][0].startswith("Daily win, SAMPLE") for lines in sheets(content).values()),
        Format.PDF: lambda: "Daily win Property SAMPLE" in spaced(pages(content)[0]),
        Format.BYTES: lambda: reporting.Report.FromString(content).name == "daily-win",
    }
    assert told[form]()


@pytest.mark.floor
def test_a_period_is_asked_for_by_its_name_or_its_ends(platform: Running) -> None:
    """The two ways name the same days; both at once are refused, as is a day that is none."""
    week = platform.casino("report", "daily-win", "--from", "2026-03-02", "--to", "2026-03-02", "--json")
    assert json.loads(week.out)["gaming_day"] == "2026-03-02"
    refused = platform.casino(*DAILY, "--from", "2026-03-02", "--to", "2026-03-08")
    assert (refused.code, refused.out) == (1, "")
    assert "expected from_day and to_day, or a gaming_day" in refused.err
    assert "expected a day written YYYY-MM-DD, given 'x'" in platform.casino("report", "daily-win", "--day", "x").err


@pytest.mark.floor
async def test_a_report_comes_in_pieces_and_is_the_same(platform: Running) -> None:
    """What is streamed is what one answer holds, but for the moment at which it was made."""
    async with platform.client() as casino:
        streamed = await get_report(casino, "daily-win", "SAMPLE", "2026-03-02")
        request = reporting.GetReportRequest(name="daily-win", property_id="SAMPLE", gaming_day="2026-03-02")
        whole = (await casino.call(casino.reporting.GetReport, request)).report
    whole.generated_at.CopyFrom(streamed.generated_at)
    assert streamed == whole


@pytest.mark.parametrize("form", [Format.XLSX, Format.PDF, Format.BYTES])
def test_a_terminal_is_not_sent_what_it_cannot_show(form: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    """A workbook or a PDF needs a file, or an output that is no terminal; refused before anything is asked."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    with pytest.raises(InvalidRequest, match=f"expected --output FILE for {form}"):
        reports.report("daily-win", day="2026-03-02", form=form, output=None)


def test_a_text_format_is_utf_8() -> None:
    """Whatever the terminal is set to, so that a file is the same everywhere."""
    table = things()
    table.notes.append("σ")
    assert "σ".encode() in rendered(report_of(table), Format.TABLE)
