"""Days run again: settlements, meters and reports as the engine of today gives them, beside what is recorded."""

from dataclasses import dataclass, field
from typing import Any

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.audit.daily_win import check_report
from clients.cli.audit.findings import Findings
from clients.cli.audit.meters import check_meters
from clients.cli.replaying.differences import Difference
from clients.cli.replaying.rerun import Rerun
from clients.cli.reports import complete_report
from clients.sdk.client import Casino

REPORT = "daily-win"
BACKED = ("rounds", "settlements", "progressives")
"""Feeds that the report's positions are of and that are read; documents have none and are listed."""


@dataclass
class DayRun:
    """One gaming day: what was run again, where it differs, and the cells of its report."""

    day: str
    rounds: int
    wagers: int
    differences: list[Difference]
    report: Findings

    @property
    def different(self) -> int:
        """How many differences the day has."""
        return len(self.differences) + self.report.different

    def described(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "rounds": self.rounds,
            "wagers": self.wagers,
            "different": self.different,
            "differences": [each.described() for each in self.differences],
            "report": self.report.described(),
        }

    def lines(self) -> list[str]:
        """For a reader."""
        counted = f"{self.rounds:,} rounds and {self.wagers:,} wagers settled again"
        cells = f"{self.report.checked:,} cells of the {REPORT} report, {self.report.different} different"
        return [
            f"{self.day}: {counted}, {len(self.differences)} different",
            *(f"  {each.line()}" for each in self.differences),
            f"{self.day}: {cells}",
            *(f"  {each}" for each in self.report.differences),
        ]


@dataclass
class Proof:
    """What a replay found at one property. Meters are folded from their seeds on, whatever the days asked for."""

    property_id: str
    days: list[DayRun] = field(default_factory=list)
    meters: list[Findings] = field(default_factory=list)
    reader: list[Findings] = field(default_factory=list)

    @property
    def different(self) -> int:
        """How many differences there are in all."""
        checks = [each.different for each in (*self.meters, *self.reader)]
        return sum(checks) + sum(each.different for each in self.days)

    def described(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "property": self.property_id,
            "different": self.different,
            "days": {each.day: each.described() for each in self.days},
            "meters": {each.check: each.described() for each in self.meters},
            "reader": {each.check: each.described() for each in self.reader},
        }

    def lines(self) -> list[str]:
        """For a reader."""
        lines = [line for each in self.days for line in each.lines()]
        for found in (*self.meters, *self.reader):
            lines.append(f"{found.check}: {found.checked:,} checked, {found.different} different")
            lines += [f"  {difference}" for difference in found.differences]
        return [*lines, f"{self.different} differences."]


async def prove(casino: Casino, recording: Rerun, days: list[str], through: int) -> Proof:
    """The days of a recording that was read up to a position of the rounds feed. Raises RefusedByServer, Busy."""
    recording.finish(through)
    meters, _ = check_meters(recording, through)
    found = Proof(recording.property_id, meters=meters)
    reports = {day: await _check_cells(casino, recording, day) for day in days}
    for day in days:
        differences = [each for each in recording.differences if each.gaming_day == day]
        ran = recording.rounds_run[day], recording.wagers_run[day]
        found.days.append(DayRun(day, *ran, differences, reports[day]))
    found.reader = list(recording.reader.values())
    return found


async def _check_cells(casino: Casino, recording: Rerun, day: str) -> Findings:
    """The cells of a day's report, from the settlements as they were run again."""
    findings = Findings(f"{day}: cells of the {REPORT} report")
    report = await complete_report(casino, REPORT, recording.property_id, day)
    request = reporting.ListDocumentsRequest(property_id=recording.property_id, gaming_day=day)
    documents = (await casino.call(casino.reporting.ListDocuments, request)).documents
    reach = {each.feed: each.position for each in report.positions}
    if any(reach.get(feed, 0) > recording.chains[feed].position for feed in BACKED):
        await recording.read_on(casino)
    check_report(findings, recording, report, documents)
    return findings
