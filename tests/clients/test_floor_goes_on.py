"""Days proved and replayed while the floor goes on: what comes meanwhile is no difference."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.rounds.v1 import rounds_service_pb2 as rounds
from casino.settlement.v1 import settlement_service_pb2 as settlement
from clients.cli import verify as verifying
from clients.cli.audit import reported
from clients.cli.audit.auditor import Reader
from clients.cli.audit.day_facts import Reported
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import Body
from clients.cli.audit.outline import Outline
from clients.cli.properties import wait_until_level
from clients.cli.replaying import proof, supposition
from clients.cli.replaying.filing import read_filing
from clients.cli.replaying.rerun import Replayer
from clients.floor.filing import set_up
from clients.floor.house import PROGRESSIVE
from clients.sdk.client import Casino
from clients.sdk.stream import RoundsStream
from tests.databases import Database
from tests.tampering.platform import Platform
from tests.tampering.prepared import PLAIN, PROPERTY, harbor

DAY, NEXT = date(2026, 3, 2), date(2026, 3, 3)
ASKED = DAY.isoformat(), DAY.isoformat()
TABLE = "BAC-01"
Happening = Callable[[], Awaitable[None]]


def whole(number: int, stake_cents: int = 500, day: date = DAY) -> floor.WholeRound:
    """A round with a wager on the meter."""
    made = floor.WholeRound(table_id=TABLE, shoe=1, round_no=number)
    made.opened_at.FromDatetime(harbor().calendar.start_of(day) + timedelta(hours=1, seconds=number))
    made.wagers.add(wager_no=1, seat=1, code="baccarat.player", paytable="standard", stake_cents=10_000)
    made.wagers.add(wager_no=2, seat=1, code=PROGRESSIVE, paytable="standard", stake_cents=stake_cents)
    made.result.baccarat.player.extend(PLAIN[0].split())
    made.result.baccarat.banker.extend(PLAIN[1].split())
    return made


def event(**body: Any) -> floor.Event:
    """An event at the end of the day's second hour."""
    made = floor.Event(**body)
    made.occurred_at.FromDatetime(harbor().calendar.start_of(DAY) + timedelta(hours=2))
    return made


async def sent(casino: Casino, *events: floor.Event) -> None:
    """Events of the pit, until every follower has them."""
    async with RoundsStream(casino, PROPERTY, "pit") as stream:
        for each in events:
            await stream.send(each)
        await stream.drain()
    await wait_until_level(casino, PROPERTY)


async def played(casino: Casino) -> None:
    """A day of four rounds."""
    await set_up(casino, harbor(), DAY)
    source = rounds.RegisterSourceRequest(request_id="pit", property_id=PROPERTY, source_id="pit")
    await casino.call(casino.rounds.RegisterSource, source)
    await sent(casino, *(event(whole_round=whole(number)) for number in range(1, 5)))


async def corrected(casino: Casino) -> None:
    """A round of the day is made void, another told again with a larger stake, two more are played."""
    why: dict[str, Any] = {"item_no": 1, "reason": "camera", "actor": "flo"}
    void = floor.RoundVoided(table_id=TABLE, shoe=1, round_no=2, opened_at=whole(2).opened_at, **why)
    amend = floor.RoundAmended(round=whole(3, 800), **why)
    await sent(casino, event(void=void), event(amend=amend), *(event(whole_round=whole(number)) for number in (5, 6)))


async def filed_anew(casino: Casino) -> None:
    """Another submission is in force from the next day on, which is opened by its first round."""
    listing = settlement.ListSubmissionsRequest(property_id=PROPERTY)
    (known,) = (await casino.call(casino.settlement.ListSubmissions, listing)).submissions
    terms: dict[str, Any] = {"title": "next", "certificate_holder": "Harbor", "tables": known.tables}
    proposal = settlement.ProposeSubmissionRequest(
        request_id="next", property_id=PROPERTY, effective_from=NEXT.isoformat(), **terms
    )
    made = (await casino.acting_as("ann").call(casino.settlement.ProposeSubmission, proposal)).submission
    approval = settlement.ApproveSubmissionRequest(
        request_id="approve", property_id=PROPERTY, submission_id=made.submission_id
    )
    await casino.acting_as("bob").call(casino.settlement.ApproveSubmission, approval)
    await wait_until_level(casino, PROPERTY)
    await sent(casino, event(whole_round=whole(1, day=NEXT)))


def interrupt(monkeypatch: pytest.MonkeyPatch, reader: type[Reader], happen: Happening) -> None:
    """Something happens before a reader of this type reads the rounds; until the patch is undone."""
    pages = reader.pages

    async def interrupted(self: Reader, feed: str) -> AsyncIterator[list[Body]]:
        if feed == "rounds":
            await happen()
        async for page in pages(self, feed):
            yield page

    monkeypatch.setattr(reader, "pages", interrupted)


@pytest.fixture
async def casino(database: Database, home: Path) -> AsyncIterator[Casino]:
    """A client of the running services, a day under way."""
    async with Platform(database, home) as platform:
        await played(platform.casino)
        yield platform.casino


async def test_a_day_is_proved_while_the_next_is_opened(
    casino: Casino, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounds are corrected, a submission approved and its first day opened once the submissions were read."""

    async def happen() -> None:
        await corrected(casino)
        await filed_anew(casino)

    interrupt(monkeypatch, Reader, happen)
    found = await verifying.verify(casino, home, PROPERTY)
    assert (found.different, found.lines()) == (0, found.lines())
    monkeypatch.undo()
    assert (await verifying.verify(casino, home, PROPERTY)).different == 0


async def test_a_day_under_way_is_run_again(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is corrected once the submissions were read is run the next time."""
    interrupt(monkeypatch, Replayer, lambda: corrected(casino))
    for rounds_run in (4, 8):
        heads = await wait_until_level(casino, PROPERTY)
        found = await proof.prove(casino, PROPERTY, ASKED, heads["rounds"], lambda entries: None)
        assert (found.different, found.days[0].rounds) == (0, rounds_run), found.lines()
        monkeypatch.undo()


async def test_a_day_under_way_is_supposed_as_it_stood(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is corrected once the day was looked at counts as it stood; the next time as corrected."""
    filing = await read_filing(casino, PROPERTY, "RS-1")
    interrupt(monkeypatch, Replayer, lambda: corrected(casino))
    for wagers in (4, 5):
        (day,) = await supposition.suppose(casino, PROPERTY, ASKED, filing, lambda entries: None)
        assert (day.totals[TABLE, PROGRESSIVE].wagers, day.affected) == (wagers, [])
        monkeypatch.undo()


@dataclass
class Growing(Outline):
    """A look along a feed in which a round is corrected between any two looks."""

    looks: list[int] = field(default_factory=list)

    async def read_on(self, casino: Casino) -> None:
        """Finds one more correction."""
        self.chain.position += 10
        self.corrected[f"round {len(self.looks)}"] = self.chain.position
        self.looks.append(self.chain.position)


async def test_the_outline_reaches_beyond_what_a_report_says_of_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report may count the settlement of a correction that stands further along than the rounds that it names."""
    told = reporting.Report(gaming_day=ASKED[0])
    told.positions.add(feed="rounds", position=10)
    told.positions.add(feed="settlements", position=12)

    async def report(*_: Any) -> Reported:
        return Reported(told, [])

    monkeypatch.setattr(reported, "reported", report)
    outline: Any = Growing(PROPERTY)
    nobody: Any = None
    await reported.gather_reports(nobody, outline, [ASKED[0]], Findings("cells"))
    assert set(outline.corrected) == {"round 0", "round 1"}
