"""Everything proved from the recorded facts: `casino verify`."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from google.protobuf.message import DecodeError

from casino.feeds.v1 import feeds_pb2
from casino.progressives.v1 import progressives_service_pb2 as progressives
from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.rounds.v1 import rounds_service_pb2 as rounds
from casino.settlement.v1 import settlement_service_pb2 as settlement
from clients.cli.audit.cursors import check_cursors, check_reach, cursors_of, mark_cursors
from clients.cli.audit.daily_win import check_report
from clients.cli.audit.findings import Findings
from clients.cli.audit.fold import Fold
from clients.cli.audit.history import History
from clients.cli.audit.meters import check_meters, check_signs
from clients.cli.audit.seals import check_seals
from clients.cli.audit.settlements import check_settlements
from clients.cli.audit.stamps import check_stamps
from clients.cli.home import connected, home_folder
from clients.cli.output import as_json, exit_if
from clients.cli.properties import read_day, settings_of, standing, statuses, wait_until_level
from clients.cli.reports import complete_report
from clients.sdk.client import SERVICES, Casino
from clients.sdk.refusals import RefusedByServer
from services.kernel.errors import Busy

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
    names = (
        await _properties(casino) if property_id is None else [(await settings_of(casino, property_id))[-1].property_id]
    )
    found = Verification()
    for name in names:
        found.checks[name] = await _verify_property(casino, home, name, day)
    return found


async def _properties(casino: Casino) -> list[str]:
    """Every property that is set, or that a service has anything of."""
    listed = await casino.call(casino.rounds.ListProperties, rounds.ListPropertiesRequest())
    names = {each.property_id for each in listed.properties}
    for service in SERVICES:
        names |= {each.property_id for each in (await statuses(casino, service)).properties}
    return sorted(names)


async def _verify_property(casino: Casino, home: Path, property_id: str, day: str) -> list[Findings]:
    level = Findings("reader: followers level with their authors", timed=True)
    heads = await _level(casino, property_id, level)
    found = [level, *await _ask_services(casino, home, property_id)]
    history = History(property_id)
    cursors = [each for name in SERVICES for each in cursors_of(await statuses(casino, name), property_id)]
    mark_cursors(history, cursors)
    found += await history.read_on(casino)
    found.append(check_cursors(history, cursors))
    through = heads.get("rounds", 0)
    for check in (check_stamps, partial(_settlements, through=through)):
        found += _audited(check, history)
    meters: list[tuple[list[Findings], Fold]] = []
    found += _audited(lambda read: _kept(meters, check_meters(read, through)), history)
    if meters:
        found.append(await check_signs(casino, history, meters[0][1]))
    found.append(check_reach(history, (await standing(casino, "rounds", property_id)).heads))
    found.append(await _check_reports(casino, history, day))
    return found


def _settlements(history: History, through: int) -> list[Findings]:
    return check_settlements(history, through)


def _kept(meters: list[tuple[list[Findings], Fold]], made: tuple[list[Findings], Fold]) -> list[Findings]:
    meters.append(made)
    return made[0]


def _audited(check: Callable[[History], Findings | list[Findings]], history: History) -> list[Findings]:
    """What a check finds; entries that it cannot make anything of are a difference, not its end."""
    try:
        found = check(history)
    except (DecodeError, ValueError, LookupError, ArithmeticError, AttributeError) as problem:
        broken = Findings("audit: entries that can be read")
        broken.differs(f"{type(problem).__name__} in an entry that no service writes: {problem}")
        return [broken]
    return [found] if isinstance(found, Findings) else found


async def _level(casino: Casino, property_id: str, findings: Findings) -> dict[str, int]:
    """The heads of the feeds once every follower has what its authors have; one that stays behind is a difference."""
    try:
        heads = await wait_until_level(casino, property_id)
    except Busy as behind:
        findings.differs(str(behind))
        heads = {}
        for service in SERVICES:
            heads |= (await standing(casino, service, property_id)).heads
    findings.checked += 1
    return heads


async def _ask_services(casino: Casino, home: Path, property_id: str) -> list[Findings]:
    """What each service finds when it reads its own rows again, and its seals."""
    found, seals = [], Findings("reader: seals checked with public keys", timed=True)
    for service in SERVICES:
        try:
            async for told in _verifications(casino, service, property_id):
                same = Findings(told.check, checked=told.checked, different=told.different)
                same.differences.extend(told.differences)
                found.append(same)
                check_seals(seals, home, service, told)
        except RefusedByServer as refusal:
            broken = Findings(f"{service}: its own rows read to the end")
            broken.differs(f"{service} broke off: {refusal}")
            found.append(broken)
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
        try:
            await _check_day(casino, history, each, findings)
        except (RefusedByServer, Busy) as refusal:
            findings.differs(f"daily win of {each}: expected a report, given {refusal}")
    return findings


async def _check_day(casino: Casino, history: History, day: str, findings: Findings) -> None:
    report = await complete_report(casino, REPORT, history.property_id, day)
    request = reporting.ListDocumentsRequest(property_id=history.property_id, gaming_day=day)
    documents = (await casino.call(casino.reporting.ListDocuments, request)).documents
    if any(at.position > _read_to(history, at.feed) for at in report.positions):
        await history.read_on(casino)
    check_report(findings, history, report, documents)


def _read_to(history: History, feed: str) -> int:
    chain = history.chains.get(feed)
    # Documents have no feed to read: they are listed.
    return chain.position if chain else 1 << 62
