"""From a correction to the day's figures: real rounds, settlement and reporting, the corrected told right at first."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc

from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.reporting.v1 import reporting_service_pb2_grpc
from casino.settlement.v1 import entries_pb2 as settlement_entries
from casino.settlement.v1 import settlement_service_pb2 as settlement
from clients.cli.audit.settlements import check_settlements
from services.reporting.__main__ import start as start_reporting
from services.rounds import wire
from services.runtime.settings import Settings
from tests.clients.test_audit import history
from tests.databases import Database, Templates
from tests.rounds.conftest import ANN, DAY, PROPERTY, TABLE, Rounds, event, running, wager, whole
from tests.rounds.test_corrections import amend, hand_again, spin_again, void, void_at
from tests.rounds.test_ladder import said
from tests.rounds.test_releases import decide, late
from tests.rounds.test_several_results import CRAPS, HAND, WHEEL, file_floor_of_two, opened, roll, spin
from tests.rounds.test_several_results import wager as stake
from tests.settlement.progress import Progressives

NOT_COMPARED = ("exceptions",)


@asynccontextmanager
async def house(database: Database, home: Path) -> AsyncIterator[tuple[Rounds, Any]]:
    """Rounds, settlement and reporting, and a progressives that has nothing to tell."""
    async with running(database, home) as rounds:
        await file_floor_of_two(rounds)
        progressives = Progressives(PROPERTY)
        await progressives.start()
        environ = {
            "CASINO_HOME": str(home),
            "CASINO_REPORTING_DATABASE_URL": database.url("reporting"),
            "CASINO_REPORTING_ADDRESS": "127.0.0.1:0",
            "CASINO_REPORTING_METRICS_PORT": "0",
            "CASINO_PROGRESSIVES_ADDRESS": f"127.0.0.1:{progressives.port}",
            **{f"CASINO_{name.upper()}_ADDRESS": f"127.0.0.1:{port}" for name, port in rounds.ports.items()},
        }
        service = await start_reporting(Settings.read(environ))
        try:
            async with grpc.aio.insecure_channel(f"127.0.0.1:{service.port}") as channel:
                yield rounds, (reporting_service_pb2_grpc.ReportingServiceStub(channel), progressives)
        finally:
            await service.stop()
            await progressives.stop()


async def report(rounds: Rounds, asked: Any) -> dict[str, reporting.ReportTable]:
    """The daily win, complete to what stands in the rounds feed now."""
    stub, progressives = asked
    last = max(position for position, _ in await rounds.feed())
    await progressives.reach(last)
    request = reporting.GetReportRequest(name="daily-win", property_id=PROPERTY, gaming_day=DAY)
    async with asyncio.timeout(20):
        while True:
            try:
                found = (await stub.GetReport(request, metadata=ANN)).report
            except grpc.aio.AioRpcError as problem:
                if problem.code() is not grpc.StatusCode.NOT_FOUND:
                    raise
                await asyncio.sleep(0.05)
                continue
            if found.complete_to_rounds_position >= last:
                return {table.name: table for table in found.tables}
            await asyncio.sleep(0.05)


def rows(table: reporting.ReportTable) -> list[list[Any]]:
    """The cells of a table, its totals last."""
    return [[cell.text or cell.number for cell in row.cells] for row in [*table.rows, table.totals]]


SEVEN = "7H 9C/2D 3S 2C"
SIDE = [wager(1), wager(2, "baccarat.fortune_7", 500)]
FIELD = [stake(1, "craps.pass"), stake(2, "craps.field"), stake(3, "craps.hot_roller")]


def right() -> list[bytes]:
    """A day as it was played."""
    released = late(3)
    for each in released.wagers:
        each.ClearField("placed_at")
    return [
        event(whole(1, SEVEN, SIDE)),
        event(released),
        *opened(1, FIELD),
        roll(1, 1, 3, 3),
        *HAND[3:],
        spin(1, "19"),
        spin(2, "17"),
        spin(4, "17"),
        event(whole(5)),
    ]


def wrong() -> list[bytes]:
    """The same day as it was told, and what corrected it."""
    return [
        event(whole(1, wagers=SIDE)),
        event(whole(2, SEVEN, SIDE)),
        event(late(3)),
        *HAND,
        *opened(2, FIELD),
        roll(2, 1, 3, 3),
        roll(2, 2, 1, 1),
        spin(1, "18"),
        spin(2, "17"),
        spin(3, "6"),
        spin(4, "17"),
        event(whole(5, "9H KS 2C/2D 3C")),
        amend(whole(1, SEVEN, SIDE)),
        void(2),
        amend(hand_again((3, 3), wagers=FIELD), 1, 1),
        void_at(CRAPS, 2),
        spin_again(1, "19"),
        void_at(WHEEL, 3),
        event(whole(5)),
    ]


async def figures(templates: Templates, home: Path, told: Sequence[bytes], *, release: bool) -> dict[str, Any]:
    """The day's tables after these events, and whether every row proves itself."""
    database = templates.clone()
    try:
        async with house(database, home) as (rounds, asked):
            answered = [answer[2] for answer in said(await rounds.submit(told))]
            assert answered == (["WAGER_LATE", "BASE_WAGER_HELD", "ILLEGAL_COUP"] if release else [])
            await report(rounds, asked)
            if release:
                await decide(rounds, "WAGER_LATE")
            found = await report(rounds, asked)
            assert await rounds.differences() == []
            return found
    finally:
        templates.drop(database)


async def test_a_corrected_day_is_the_day_told_right(templates: Templates, home: Path) -> None:
    """Voids, amendments and a release give the daily win of a day that was sent right at first, exceptions apart."""
    corrected = await figures(templates, home / "a", wrong(), release=True)
    plain = await figures(templates, home / "b", right(), release=False)
    assert corrected.keys() == plain.keys()
    for name in corrected.keys() - set(NOT_COMPARED):
        assert rows(corrected[name]) == rows(plain[name]), name
    assert [cell.text for cell in corrected["exceptions"].rows[0].cells][:2] == ["rounds", "ILLEGAL_COUP"]
    assert len(corrected["exceptions"].rows) == 1
    assert TABLE in [row.cells[1].text for row in plain["win"].rows]


async def told_by(method: Any, request: Any, kind: type[Any], reached: int) -> list[tuple[str, Any]]:
    """The entries of a feed as kind and body, complete to a rounds position."""
    found: list[tuple[str, Any]] = []
    async for frame in method(request, metadata=ANN, timeout=15):
        for data in frame.batch.entries:
            entry = kind.FromString(data)
            name = entry.WhichOneof("body")
            found.append((name, getattr(entry, name)))
        told = {each.feed: each.position for each in frame.progress.upstream}
        if frame.HasField("progress") and told.get("rounds", 0) >= reached:
            break
    return found


async def test_the_auditor_follows_corrections(database: Database, home: Path) -> None:
    """Every settlement priced anew, every wager carried, from the feeds of a day of corrections."""
    async with running(database, home) as rounds:
        await file_floor_of_two(rounds)
        await rounds.submit(wrong())
        await decide(rounds, "WAGER_LATE")
        parts = [event(piece) for piece in wire.pieces(whole(7, wagers=[wager(1), wager(2, cents=1)])).values()]
        await rounds.submit(parts[:2])
        await decide(rounds, "STAKE_UNDER_MINIMUM")
        await rounds.submit([parts[2], void(7), void(5)])
        again = amend(hand_again((2, 2), number=8, wagers=FIELD), 1, 1)
        await rounds.submit([*opened(8, FIELD), roll(8, 1, 3, 3), again, roll(8, 2, 2, 2)])
        feed = await rounds.feed()
        bodies = [(str(entry.WhichOneof("body")), entry) for _, entry in feed]
        read = history(
            rounds=[(name, getattr(entry, name)) for name, entry in bodies],
            submissions=await told_by(
                rounds.settlement.WatchSubmissions,
                settlement.WatchSubmissionsRequest(property_id=PROPERTY),
                settlement_entries.SubmissionsEntry,
                0,
            ),
            settlements=await told_by(
                rounds.settlement.WatchSettlements,
                settlement.WatchSettlementsRequest(property_id=PROPERTY),
                settlement_entries.Entry,
                feed[-1][0],
            ),
        )
        found = check_settlements(read, feed[-1][0])
        assert [text for each in found for text in each.differences] == []
        assert all(each.checked for each in found)
