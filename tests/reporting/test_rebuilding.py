"""Projections dropped and made anew from the feeds: the same reports to the byte, all of it or nothing."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import asyncpg
import grpc
import pytest

from casino.reporting.v1 import reporting_service_pb2 as messages
from casino.reporting.v1.reporting_service_pb2_grpc import ReportingServiceStub
from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from services.reporting.__main__ import start
from services.reporting.operations import REPORTS
from services.reporting.reports import named
from services.runtime import steps
from tests.databases import Database
from tests.ports import free_port
from tests.reporting import test_documents
from tests.reporting.conftest import House, eventually
from tests.reporting.papers import file_day, notice, post, post_all, whole_day
from tests.reporting.test_days_command import ran
from tests.reporting.test_progressives_reports import MONDAY, SEED, TUESDAY, Meter, link, opened, played
from tests.reporting.test_projections import HEAVENLY, LOSE, VOID, WIN, key, settled
from tests.reporting.upstream import PROPERTY, environment

AS_ADMINISTRATOR = (("principal", "an administrator"),)
STEP = "reporting.rebuilding"
PENDING = settlement.OUTCOME_PENDING


@pytest.fixture
async def told(house: House) -> House:
    """Two days with everything in them: revisions and voids, a link with a hit, exceptions, papers, a filed day."""
    meter, upstream = Meter(), house.upstream
    hit = {"hit_id": "H-1", "key": key(3)}
    await upstream.submissions.commit([submission()])
    notices = [rounds.ExceptionNotice(reason="BASE_WAGER_MISSING", key=key(number)) for number in (1, 2)]
    resolved = rounds.ExceptionResolved(reason="BASE_WAGER_MISSING", key=key(1))
    told_of = [rounds.Entry(exception=each) for each in notices]
    await upstream.rounds.commit([opened(MONDAY), *told_of, rounds.Entry(exception_resolved=resolved), opened(TUESDAY)])
    await upstream.settle(
        settled(1, ("baccarat.player", "standard", 10_000, WIN, 20_000), ("baccarat.tie", "8", 500, LOSE, 0)),
        settled(2, ("baccarat.banker", "5%", 3_000, PENDING, 0)),
        *(played(number) for number in (3, 4)),
        rounds=5,
    )
    await upstream.settle(
        settled(1, ("baccarat.player", "standard", 10_000, LOSE, 0), revision=1),
        settled(2, ("baccarat.banker", "5%", 3_000, WIN, 5_850), revision=1),
        played(4, revision=1, outcome=VOID),
        rounds=7,
    )
    await upstream.progressives.commit([link(), meter.moved("SEED_HOUSE", SEED, 3)], rounds=3)
    await upstream.progressives.commit(
        [
            *(meter.contribution(number, 2 + number) for number in (3, 4)),
            meter.moved("AWARD", -meter.reading, 6, **hit),
            meter.moved("SEED_RESERVE", 100_000, 6, **hit),
            meter.moved("SEED_HOUSE", SEED - 100_000, 6, **hit),
            meter.moved("CONTRIBUTION", -500_000, 7, key=key(4), wager_no=1),
        ],
        rounds=7,
    )
    await house.report(complete_to=7)
    await post_all(house, [*whole_day(), notice("E-1", "rounds/BASE_WAGER_MISSING/BAC-01")])
    return house


def submission() -> settlement.SubmissionsEntry:
    """What is filed for the table."""
    offers = [
        settlement.Offer(code=code, paytable=name) for code, name in ((HEAVENLY, "standard"), ("baccarat.tie", "8"))
    ]
    terms = settlement.TableTerms(table_id="BAC-01", game="baccarat", kind="live", decks=8, seats=7, offers=offers)
    made = settlement.Submission(submission_id="RS-1", tables=[terms], effective_from="2026-01-01")
    return settlement.SubmissionsEntry(approved=made)


async def contents(house: House) -> dict[str, bytes]:
    """Every report of both days and, where it has periods, of the two together, but for when it was made."""
    found = {}
    for name in REPORTS:
        asked: list[dict[str, Any]] = [{"gaming_day": day} for day in (MONDAY, TUESDAY)]
        asked += [{"from_day": MONDAY, "to_day": TUESDAY}] if name in named.REPORTS else []
        for each in asked:
            request = messages.GetReportRequest(name=name, property_id=PROPERTY, **each)
            report = (await house.stub.GetReport(request, metadata=AS_ADMINISTRATOR)).report
            report.ClearField("generated_at")
            found[f"{name} {' '.join(each.values())}"] = report.SerializeToString(deterministic=True)
    return found


async def facts(database: Database) -> list[Any]:
    """Documents, states of days and filed reports as they stand."""
    owner = await asyncpg.connect(database.owner_url)
    try:
        tables = ("document", "day_state", "filed_report", "documents_entry")
        return [await owner.fetch(f"SELECT * FROM reporting.{table} ORDER BY position") for table in tables]
    finally:
        await owner.close()


async def changed(database: Database, statement: str) -> str:
    """A statement run as the owner."""
    owner = await asyncpg.connect(database.owner_url)
    try:
        return await owner.execute(statement)
    finally:
        await owner.close()


async def verified(house: House) -> int:
    """How many differences the service finds in itself."""
    return sum(different for _, different in (await test_documents.verified(house)).values())


def asked(request_id: str = "again", reason: str = "a disk was restored") -> messages.RebuildProjectionsRequest:
    """A request to make them anew."""
    return messages.RebuildProjectionsRequest(request_id=request_id, property_id=PROPERTY, reason=reason)


async def rebuilt(house: House, **given: str) -> tuple[list[messages.RebuildProgress], messages.RebuiltProjections]:
    """How far it was told to be, and what was made at last."""
    stream = house.stub.RebuildProjections(asked(**given), metadata=AS_ADMINISTRATOR)
    answers = [answer async for answer in stream]
    return [each.progress for each in answers[:-1]], answers[-1].rebuilt


async def refusal(house: House, principal: str = "an administrator", **given: str) -> tuple[grpc.StatusCode, str]:
    """The status and sentence with which it is refused."""
    with pytest.raises(grpc.aio.AioRpcError) as found:
        async for _ in house.stub.RebuildProjections(asked(**given), metadata=(("principal", principal),)):
            pass
    return found.value.code(), str(found.value.details())


@pytest.fixture
def unwatched() -> Any:
    """Afterwards nobody is told of steps."""
    yield
    steps.on_step(None)


async def test_every_report_has_the_same_bytes_after_a_rebuild(told: House, database: Database) -> None:
    """All projections are dropped and made anew; facts stay, and verification finds nothing."""
    before, kept = await contents(told), await facts(database)
    progress, made = await rebuilt(told)
    assert await contents(told) == before
    assert await facts(database) == kept
    assert await verified(told) == 0
    rows = {each.name: each.rows for each in made.projections}
    assert all(rows[name] for name in ("wager_sum", "round_sum", "seat_sum", "meter_sum", "table_terms"))
    assert (made.rebuilt_by, made.reason) == ("an administrator", "a disk was restored")
    assert {each.feed: each.position for each in progress} == {each.feed: each.position for each in made.positions}


async def test_a_filed_day_stays_as_filed(told: House) -> None:
    """A rebuild changes no filed byte, and the filed figures are still those of now."""
    await post(told, notice("E-2", "progressives/NO_LIVE_LINK"))
    await resolve_all(told)
    await file_day(told, MONDAY)
    filed = messages.GetReportRequest(name="daily-win", property_id=PROPERTY, gaming_day=MONDAY, version=1)
    before = await told.stub.GetReport(filed, metadata=AS_ADMINISTRATOR)
    await rebuilt(told)
    assert await told.stub.GetReport(filed, metadata=AS_ADMINISTRATOR) == before
    request = messages.ListDaysRequest(property_id=PROPERTY, from_day=MONDAY, to_day=MONDAY, compare=True)
    (day,) = (await told.stub.ListDays(request, metadata=AS_ADMINISTRATOR)).days
    assert not day.differs


async def resolve_all(house: House) -> None:
    """Nothing of rounds is left open."""
    gone = rounds.ExceptionResolved(reason="BASE_WAGER_MISSING", key=key(2))
    await house.upstream.rounds.commit([rounds.Entry(exception_resolved=gone)])
    for feed in (house.upstream.settlements, house.upstream.progressives):
        await feed.commit(rounds=8)
    await house.report(complete_to=8)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE reporting.wager_sum SET handle_cents = handle_cents + 1",
        "DELETE FROM reporting.round_sum",
        "DELETE FROM reporting.link_version",
        "INSERT INTO reporting.seat_sum VALUES ('SAMPLE', '2026-03-02', 'BAC-09', 'RS-1', '', '', 1, 1)",
    ],
)
async def test_a_rebuild_repairs_what_was_changed_behind_its_back(told: House, database: Database, damage: str) -> None:
    """Whatever stands in a projection beside what the feeds give is gone afterwards."""
    before = await contents(told)
    await changed(database, damage)
    assert await verified(told) > 0
    await rebuilt(told)
    assert await contents(told) == before
    assert await verified(told) == 0


async def test_a_rebuild_takes_a_person_and_a_reason(house: House) -> None:
    """A service is refused, so is an empty reason, and a property that is not followed."""
    code, said = await refusal(house, "service:rounds")
    assert (code, said) == (
        grpc.StatusCode.PERMISSION_DENIED,
        "expected an administrator by name to have projections made anew, given service:rounds",
    )
    code, said = await refusal(house, reason="  ")
    assert (code, "expected a reason" in said) == (grpc.StatusCode.INVALID_ARGUMENT, True)


async def test_a_repeated_request_gets_the_same_answer(told: House) -> None:
    """Sent again under its request_id a rebuild is not made again; another one under that id is refused."""
    _, first = await rebuilt(told)
    progress, again = await rebuilt(told)
    assert (progress, again) == ([], first)
    code, _ = await refusal(told, reason="another one")
    assert code is grpc.StatusCode.ALREADY_EXISTS


async def test_followers_go_on_and_a_second_rebuild_is_refused(told: House, unwatched: None) -> None:
    """What is applied while the feeds are read again is in the projections afterwards, once."""
    held, go = asyncio.Event(), asyncio.Event()

    async def wait(step: str) -> None:
        if step == f"{STEP}.page" and not go.is_set():
            held.set()
            await go.wait()

    steps.on_step(wait)
    under_way = asyncio.create_task(rebuilt(told))
    await asyncio.wait_for(held.wait(), 10)
    code, said = await refusal(told, request_id="another")
    assert (code, "being made anew" in said) == (grpc.StatusCode.UNAVAILABLE, True)
    await told.upstream.settle(settled(9, ("baccarat.tie", "8", 700, LOSE, 0)), rounds=7)
    await eventually(lambda: followed(told, 8))
    before = await contents(told)
    go.set()
    await under_way
    assert await contents(told) == before
    assert await verified(told) == 0


async def followed(house: House, position: int) -> bool:
    """Whether settlements have been followed so far."""
    answer = await house.stub.GetStatus(messages.GetStatusRequest(), metadata=AS_ADMINISTRATOR)
    cursors = {each.feed: each.position for each in answer.status.properties[0].cursors}
    return cursors["settlements"] == position


@pytest.mark.parametrize("step", ["page", "before_commit"])
async def test_a_rebuild_that_breaks_off_changes_nothing(told: House, unwatched: None, step: str) -> None:
    """Whatever it met in its middle, the former projections stand, and it can be made again."""
    before = await contents(told)

    async def fail(reached: str) -> None:
        if reached == f"{STEP}.{step}":
            raise OSError("no space left")

    steps.on_step(fail)
    code, _ = await refusal(told)
    assert code is grpc.StatusCode.UNAVAILABLE
    steps.on_step(None)
    assert await contents(told) == before
    await rebuilt(told)
    assert await contents(told) == before
    assert await verified(told) == 0


async def test_a_feed_that_gives_something_else_is_refused(told: House, database: Database) -> None:
    """Where a feed does not fold to the hash that was followed, nothing is replaced."""
    await changed(database, "UPDATE reporting.cursor SET hash = sha256('x') WHERE feed = 'settlements'")
    before = await contents(told)
    code, said = await refusal(told)
    assert code is grpc.StatusCode.FAILED_PRECONDITION
    assert "expected settlements to give position 7" in said
    assert await contents(told) == before


async def test_facts_and_heads_are_no_projections(database: Database) -> None:
    """What clears a projection refuses facts and heads, whoever asks."""
    service = await asyncpg.connect(database.url("reporting"))
    try:
        for table in ("document", "filed_report", "day_state", "request", "cursor", "feed_head"):
            with pytest.raises(asyncpg.RestrictViolationError):
                await service.execute("SELECT clear_projection($1, $2)", table, PROPERTY)
        for table in ("wager_sum", "document"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await service.execute(f"DELETE FROM {table}")
    finally:
        await service.close()


async def test_the_command_says_what_it_made(told: House) -> None:
    """`casino projections rebuild` prints each projection with its rows, and takes a reason."""
    done = await ran(told, "projections", "rebuild", "--reason", "a disk was restored")
    assert done.code == 0, done.err
    assert "round_sum" in done.out
    assert "Made anew up to progressives 8, rounds 7, settlements 7, submissions 1." in done.out
    made = (await ran(told, "projections", "rebuild", "--reason", "once more", "--json")).objects[0]
    assert (made["rebuilt_by"], made["reason"]) == ("ann", "once more")
    refused = await ran(told, "projections", "rebuild", "--reason", "")
    assert (refused.code, "INVALID_REQUEST" in refused.err) == (1, True)


@pytest.mark.floor
@pytest.mark.parametrize("step", ["page", "before_commit", "after_commit"])
async def test_a_killed_rebuild_leaves_the_old_or_the_new(
    told: House, database: Database, tmp_path: Path, step: str
) -> None:
    """kill -9 in its middle: another process finds every report as it was, and verification finds nothing."""
    before = await contents(told)
    await told.service.stop()
    await killed(told, database, tmp_path, step)
    told.service = await start(told.settings)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{told.service.port}") as channel:
        told.stub = ReportingServiceStub(channel)
        await eventually(lambda: followed(told, 7))
        assert await contents(told) == before
        assert await verified(told) == 0


async def killed(house: House, database: Database, home: Path, step: str) -> None:
    """A process of its own that ends at a step of the rebuild which it is asked for."""
    port = free_port()
    environ = {
        **os.environ,
        **environment(house.upstream, database.url("reporting"), str(home)),
        "CASINO_REPORTING_ADDRESS": f"127.0.0.1:{port}",
        "CASINO_FAULT": f"{STEP}.{step}:1:kill",
        "CASINO_LOG_LEVEL": "error",
    }
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "services.reporting", env=environ)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        house.stub = ReportingServiceStub(channel)
        await asyncio.wait_for(channel.channel_ready(), 30)
        await eventually(lambda: served(house))
    assert await asyncio.wait_for(process.wait(), 30) == -signal.SIGKILL


async def served(house: House) -> bool:
    """Whether the service had begun to follow, and was asked; it ends by that."""
    try:
        async for _ in house.stub.RebuildProjections(asked(), metadata=AS_ADMINISTRATOR):
            pass
    except grpc.aio.AioRpcError as problem:
        return "does not follow" not in str(problem.details())
    return False
