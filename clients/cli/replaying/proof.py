"""Days run again: settlements, meters and reports as the engine of today gives them, beside what is recorded."""

from dataclasses import dataclass, field
from typing import Any

from clients.cli.audit.auditor import Auditor
from clients.cli.audit.day_facts import Days
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import terms_of
from clients.cli.audit.meters import Meters
from clients.cli.audit.outline import Outline
from clients.cli.audit.reported import REPORT, reported
from clients.cli.properties import standing
from clients.cli.replaying.days import Moved, opened
from clients.cli.replaying.differences import Difference
from clients.cli.replaying.rerun import Replayer, Rerun
from clients.sdk.client import Casino


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


async def prove(casino: Casino, property_id: str, asked: tuple[str, str], through: int, moved: Moved) -> Proof:
    """Runs the days asked for again, those of them that were opened; `through`: how far rounds have been settled.

    `moved` is told of the entries that were read. Raises RefusedByServer, Busy, Unknown.
    """
    outline = Outline(property_id)
    await outline.read_on(casino)
    days = opened(sorted(outline.days), *asked)
    reports = [await reported(casino, property_id, day) for day in days]
    await outline.read_on(casino)
    reader = Replayer(casino, property_id, moved)
    submissions = [body async for page in reader.pages("submissions") for body in page if body.kind == "approved"]
    terms, corrected = terms_of(submissions), outline.corrected
    meters = Meters(property_id, terms, corrected, through)
    facts = Days(property_id, reports, submissions, corrected)
    auditor = Auditor(meters, facts)
    rerun = Rerun(asked, terms, corrected, through, reader.versions, auditor)
    await reader.pass_by(rerun)
    rerun.finish((await standing(casino, "rounds", property_id)).heads.get("rounds", 0))
    cells = {day: Findings(f"{day}: cells of the {REPORT} report") for day in days}
    broken = [*auditor.found(facts, lambda: facts.check(cells.__getitem__)), reader.unreadable]
    found = Proof(property_id, meters=auditor.found(meters, meters.finish))
    for day in days:
        differences = [each for each in rerun.differences if each.gaming_day == day]
        found.days.append(DayRun(day, rerun.rounds_run[day], rerun.wagers_run[day], differences, cells[day]))
    found.reader = [*reader.findings.values(), *(each for each in broken if each.different)]
    return found
