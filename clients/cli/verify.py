"""Everything proved from the recorded facts: `casino verify`."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from casino.feeds.v1 import feeds_pb2
from casino.progressives.v1 import progressives_service_pb2 as progressives
from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.rounds.v1 import rounds_service_pb2 as rounds
from casino.settlement.v1 import settlement_service_pb2 as settlement
from clients.cli.audit.auditor import UNREADABLE, Auditor, Reader, broken_by
from clients.cli.audit.cursors import Reach, check_cursors, cursors_of, mark_cursors
from clients.cli.audit.day_facts import Days, Reported
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import Body, terms_of
from clients.cli.audit.meters import Meters, check_signs
from clients.cli.audit.outline import Outline
from clients.cli.audit.reported import gather_reports
from clients.cli.audit.seals import SEALS, check_seals
from clients.cli.audit.settlements import Settlements
from clients.cli.audit.stamps import Stamps
from clients.cli.audit.witness import WITNESS, Witness
from clients.cli.home import connected, home_folder
from clients.cli.output import as_json, exit_if
from clients.cli.properties import read_day, settings_of, standing, statuses, wait_until_level
from clients.sdk.client import SERVICES, Casino
from clients.sdk.feeds import FEEDS
from clients.sdk.refusals import RefusedByServer
from services.games.terms import Terms
from services.kernel.errors import Busy, Refusal


@dataclass
class Verification:
    """What was checked at each property, and what differed."""

    checks: dict[str, list[Findings]] = field(default_factory=dict)

    @property
    def different(self) -> int:
        """How many differences there are in all."""
        return sum(found.different for some in self.checks.values() for found in some)

    @property
    def sealed(self) -> bool:
        """Whether no seal differs."""
        seals = [found for some in self.checks.values() for found in some if found.check in (SEALS, WITNESS)]
        return not any(found.different for found in seals)

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
    witness: Annotated[
        Path | None,
        typer.Option(
            help="A file of your own that remembers the newest seals; made if it is not there.", dir_okay=False
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Proves chains, seals, settlements, meters and reports from the recorded facts; exit code 1 on a difference."""
    if day:
        read_day(day)
    found = asyncio.run(_verify(property_id, day, Witness(witness) if witness else None))
    if json:
        as_json(found.described(), indent=1)
    else:
        print("\n".join([*found.lines(), f"{found.different} differences."]))
    exit_if(found.different > 0)


async def _verify(property_id: str | None, day: str, witness: Witness | None) -> Verification:
    async with connected() as casino:
        return await verify(casino, home_folder(), property_id, day, witness)


async def verify(
    casino: Casino, home: Path, property_id: str | None = None, day: str = "", witness: Witness | None = None
) -> Verification:
    """Verifies one property or every one; `home` holds the public keys; `day` limits the reports alone.

    Waits until every follower has what its authors have. A `witness` is renewed where no seal differs. Raises
    RefusedByServer, Busy, Unknown, OSError.
    """
    names = (
        await _properties(casino) if property_id is None else [(await settings_of(casino, property_id))[-1].property_id]
    )
    found = Verification()
    for name in names:
        found.checks[name] = await _verify_property(casino, home, name, day, witness)
    if witness:
        gone = witness.forgotten(names) if property_id is None else []
        found.checks |= {name: [witness.check(name)] for name in gone}
        if found.sealed:
            witness.renew()
    return found


async def _properties(casino: Casino) -> list[str]:
    """Every property that is set, or that a service has anything of."""
    listed = await casino.call(casino.rounds.ListProperties, rounds.ListPropertiesRequest())
    names = {each.property_id for each in listed.properties}
    for service in SERVICES:
        names |= {each.property_id for each in (await statuses(casino, service)).properties}
    return sorted(names)


async def _verify_property(
    casino: Casino, home: Path, property_id: str, day: str, witness: Witness | None
) -> list[Findings]:
    level = Findings("reader: followers level with their authors", timed=True)
    heads = await _level(casino, property_id, level)
    # The services read their own rows while the feeds are read here.
    asked = asyncio.create_task(_ask_services(casino, home, property_id, witness))
    try:
        audited = await _audit(casino, property_id, heads, day)
        return [level, *await asked, *audited]
    finally:
        asked.cancel()
        await asyncio.wait([asked])


async def _audit(casino: Casino, property_id: str, heads: Mapping[str, int], day: str) -> list[Findings]:
    """What the feeds say, read along once after a first look at the rounds; rounds up to the head of their feed."""
    reader, outline = Reader(casino, property_id), Outline(property_id)
    cursors = [each for name in SERVICES for each in cursors_of(await statuses(casino, name), property_id)]
    mark_cursors(reader.chains, cursors)
    cells = Findings("audit: cells of the daily win recomputed")
    reports = await gather_reports(casino, outline, [day] if day else None, cells)
    submissions = [body async for page in reader.pages("submissions") for body in page if body.kind == "approved"]
    checks = _Checks(property_id, submissions, outline, heads.get("rounds", 0), reports)
    await reader.pass_by(checks.auditor)
    feeds = [reader.findings[feed] for feed in FEEDS]
    found = [*feeds, check_cursors(reader.chains, cursors, heads), *checks.of_rounds()]
    if id(checks.meters) not in checks.auditor.broken:
        read_to = reader.chains["progressives"].position
        found.append(await check_signs(casino, property_id, checks.meters.fold, read_to))
    found.append(checks.reach.check((await standing(casino, "rounds", property_id)).heads))
    found += [reader.unreadable] if reader.unreadable.different else []
    return [*found, *checks.of_days(cells)]


class _Checks:
    """The checks of one property that take what passes."""

    def __init__(
        self, property_id: str, submissions: list[Body], outline: Outline, through: int, reports: list[Reported]
    ) -> None:
        self.terms, terms = _terms(submissions)
        corrected = outline.corrected
        self.stamps, self.settlements = Stamps(submissions, through), Settlements(terms, corrected, through)
        self.meters = Meters(property_id, terms, corrected, through)
        self.reach, self.days = Reach(through), Days(property_id, reports, submissions, corrected)
        self.auditor = Auditor(self.stamps, self.settlements, self.meters, self.reach, self.days)

    def of_rounds(self) -> list[Findings]:
        """What was found of rounds, settlements and meters."""
        auditor = self.auditor
        return [
            *auditor.found(self.stamps, lambda: [self.stamps.findings]),
            *self.terms,
            *auditor.found(self.settlements, lambda: self.settlements.findings),
            *auditor.found(self.meters, self.meters.finish),
        ]

    def of_days(self, cells: Findings) -> list[Findings]:
        """What was found of the reports, added to `cells`."""
        return [*self.auditor.found(self.days, lambda: self.days.check(lambda _: cells)), cells]


def _terms(submissions: list[Body]) -> tuple[list[Findings], dict[tuple[str, str], Terms]]:
    """The terms of all submissions; none where some cannot be read, which is a difference."""
    try:
        return [], terms_of(submissions)
    except (*UNREADABLE, Refusal) as problem:
        return [broken_by(problem)], {}


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


async def _ask_services(casino: Casino, home: Path, property_id: str, witness: Witness | None) -> list[Findings]:
    """What each service finds when it reads its own rows again, all of them at the same time, and their seals."""
    asked = await asyncio.gather(*(_ask_service(casino, service, property_id) for service in SERVICES))
    found, seals = [], Findings(SEALS, timed=True)
    for service, (findings, told) in zip(SERVICES, asked, strict=True):
        found += findings
        for each in told:
            check_seals(seals, home, service, each)
            if witness:
                witness.look(property_id, service, each.seals)
    return [*found, seals, *([witness.check(property_id)] if witness else [])]


async def _ask_service(
    casino: Casino, service: str, property_id: str
) -> tuple[list[Findings], list[feeds_pb2.Verification]]:
    """What one service finds, and what it told."""
    found, said = [], []
    try:
        async for told in _verifications(casino, service, property_id):
            same = Findings(told.check, checked=told.checked, different=told.different)
            same.differences.extend(told.differences)
            found.append(same)
            said.append(told)
    except RefusedByServer as refusal:
        broken = Findings(f"{service}: its own rows read to the end")
        broken.differs(f"{service} broke off: {refusal}")
        found.append(broken)
    return found, said


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
