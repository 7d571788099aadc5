"""Everything proved from the recorded facts: `casino verify`."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from casino.feeds.v1 import feeds_pb2
from casino.progressives.v1 import progressives_service_pb2 as progressives
from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.rounds.v1 import rounds_service_pb2 as rounds
from casino.settlement.v1 import settlement_service_pb2 as settlement
from clients.cli.audit.daily_win import check_report
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import History
from clients.cli.audit.meters import check_meters, check_signs
from clients.cli.audit.seals import check_seals
from clients.cli.audit.settlements import check_settlements
from clients.cli.audit.stamps import check_stamps
from clients.cli.home import connected, home_folder
from clients.cli.output import as_json, exit_if
from clients.cli.properties import read_day, settings_of, wait_until_level
from clients.cli.reports import complete_report
from clients.sdk.client import SERVICES, Casino

REPORT = "daily-win"


@dataclass
class Verification:
    """What was checked at each property, and what differed."""

    checks: dict[str, list[Findings]] = field(default_factory=dict)

    @property
    def different(self) -> int:
        """How many differences there are in all."""
        return sum(found.different for some in self.checks.values() for found in some)

    def described(self, *, timed: bool = True) -> dict[str, Any]:
        """As JSON values; without the counts that depend on the clock if not `timed`."""
        return {
            "different": self.different,
            "properties": {
                property_id: {found.check: found.described() for found in some if timed or not found.timed}
                for property_id, some in self.checks.items()
            },
        }

    def lines(self) -> list[str]:
        """For a reader: a line for each check, the first differences under it."""
        lines = []
        for property_id, some in self.checks.items():
            for found in some:
                lines.append(f"{property_id}: {found.check}: {found.checked:,} checked, {found.different} different")
                lines += [f"  {difference}" for difference in found.differences]
        return lines


def verify_command(
    property_id: Annotated[str | None, typer.Option("--property", help="One property; else every one.")] = None,
    day: Annotated[str, typer.Option(help="The report of one gaming day; else of every one.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Proves chains, seals, settlements, meters and reports from the recorded facts; exit code 1 on a difference."""
    if day:
        read_day(day)
    found = asyncio.run(_verify(property_id, day))
    if json:
        as_json(found.described(), indent=1)
    else:
        print("\n".join([*found.lines(), f"{found.different} differences."]))
    exit_if(found.different > 0)


async def _verify(property_id: str | None, day: str) -> Verification:
    async with connected() as casino:
        return await verify(casino, home_folder(), property_id, day)


async def verify(casino: Casino, home: Path, property_id: str | None = None, day: str = "") -> Verification:
    """Verifies one property or every one; `home` holds the public keys; `day` limits the reports alone.

    Waits until every follower has what its authors have. Raises RefusedByServer, Busy, Unknown.
    """
    if property_id is None:
        listed = await casino.call(casino.rounds.ListProperties, rounds.ListPropertiesRequest())
        names = sorted({each.property_id for each in listed.properties})
    else:
        names = [(await settings_of(casino, property_id))[-1].property_id]
    found = Verification()
    for name in names:
        found.checks[name] = await _verify_property(casino, home, name, day)
    return found


async def _verify_property(casino: Casino, home: Path, property_id: str, day: str) -> list[Findings]:
    heads = await wait_until_level(casino, property_id)
    found = await _ask_services(casino, home, property_id)
    history = History(property_id)
    found += await history.read_on(casino)
    through = heads.get("rounds", 0)
    found.append(check_stamps(history))
    found += check_settlements(history, through)
    meters, fold = check_meters(history, through)
    found += [*meters, await check_signs(casino, history, fold)]
    found.append(await _check_reports(casino, history, day))
    return found


async def _ask_services(casino: Casino, home: Path, property_id: str) -> list[Findings]:
    """What each service finds when it reads its own rows again, and its seals."""
    found, seals = [], Findings("reader: seals checked with public keys", timed=True)
    for service in SERVICES:
        async for told in _verifications(casino, service, property_id):
            same = Findings(told.check, checked=told.checked, different=told.different)
            same.differences.extend(told.differences)
            found.append(same)
            check_seals(seals, home, service, told)
    return [*found, seals]


def _verifications(casino: Casino, service: str, property_id: str) -> Any:
    if service == "rounds":
        return _told(casino, casino.rounds.Verify, rounds.VerifyRequest(property_id=property_id))
    if service == "settlement":
        return _told(casino, casino.settlement.Verify, settlement.VerifyRequest(property_id=property_id))
    if service == "progressives":
        return _told(casino, casino.progressives.Verify, progressives.VerifyRequest(property_id=property_id))
    return _told(casino, casino.reporting.Verify, reporting.VerifyRequest(property_id=property_id))


async def _told(casino: Casino, method: Any, request: Any) -> Any:
    async for response in casino.stream(method, request):
        told: feeds_pb2.Verification = response.verification
        yield told


async def _check_reports(casino: Casino, history: History, day: str) -> Findings:
    """The daily win of each gaming day, cell by cell, at the positions it stands on."""
    findings = Findings("audit: cells of the daily win recomputed")
    for each in [day] if day else history.days():
        report = await complete_report(casino, REPORT, history.property_id, each)
        request = reporting.ListDocumentsRequest(property_id=history.property_id, gaming_day=each)
        documents = (await casino.call(casino.reporting.ListDocuments, request)).documents
        if any(at.position > _read_to(history, at.feed) for at in report.positions):
            await history.read_on(casino)
        check_report(findings, history, report, documents)
    return findings


def _read_to(history: History, feed: str) -> int:
    chain = history.chains.get(feed)
    # Documents have no feed to read: they are listed.
    return chain.position if chain else 1 << 62
