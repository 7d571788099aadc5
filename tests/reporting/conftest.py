"""A reporting service on a database of its own, with what it follows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest

from casino.reporting.v1 import reporting_service_pb2 as messages
from casino.reporting.v1.reporting_service_pb2_grpc import ReportingServiceStub
from casino.rounds.v1 import entries_pb2 as rounds
from services.reporting.__main__ import start
from services.runtime.server import Service
from services.runtime.settings import Settings
from tests.databases import Database
from tests.reporting.builders import DAY
from tests.reporting.upstream import PROPERTY, Upstream, environment

if TYPE_CHECKING:
    from casino.reporting.v1.reporting_service_pb2_grpc import ReportingServiceAsyncStub

PATIENCE_SECONDS = 10.0
AS_CLERK = (("principal", "pit clerk"),)


@dataclass
class House:
    """A running reporting service: what it follows, its client, and a way to start it anew."""

    upstream: Upstream
    service: Service
    stub: ReportingServiceAsyncStub
    settings: Settings

    async def report(self, complete_to: int = 0, day: str = DAY.isoformat()) -> messages.Report:
        """The day's report, once it is complete to that rounds position."""
        request = messages.GetReportRequest(name="daily-win", property_id=PROPERTY, gaming_day=day)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                answer = await self.stub.GetReport(request, metadata=AS_CLERK)
                if answer.report.complete_to_rounds_position >= complete_to:
                    return answer.report
                await asyncio.sleep(0.02)


@pytest.fixture
async def upstream() -> AsyncIterator[Upstream]:
    """Rounds, settlement and progressives with a property of one table."""
    played = Upstream()
    await played.start()
    await played.rounds.commit(
        [
            rounds.Entry(
                property_set=rounds.PropertySettings(
                    property_id=PROPERTY,
                    title="Sample",
                    time_zone="America/New_York",
                    cut_over="06:00",
                    shift_starts=["06:00", "14:00", "22:00"],
                    effective_from="2026-01-01",
                )
            ),
            rounds.Entry(
                table_set=rounds.TableSettings(
                    property_id=PROPERTY,
                    table_id="BAC-01",
                    pit="P1",
                    game="baccarat",
                    effective_from="2026-01-01",
                )
            ),
        ]
    )
    yield played
    await played.stop()


@pytest.fixture
async def house(upstream: Upstream, database: Database, tmp_path: Path) -> AsyncIterator[House]:
    """The service, its settings known to it."""
    settings = Settings.read(environment(upstream, database.url("reporting"), str(tmp_path)))
    service = await start(settings)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{service.port}") as channel:
        found = House(upstream, service, ReportingServiceStub(channel), settings)
        try:
            await eventually(lambda: _follows(found))
            yield found
        finally:
            await found.service.stop()


async def _follows(house: House) -> bool:
    answer = await house.stub.GetStatus(messages.GetStatusRequest(), metadata=AS_CLERK)
    return any(
        cursor.feed == "rounds" and cursor.position for each in answer.status.properties for cursor in each.cursors
    )


async def eventually(holds: Callable[[], Awaitable[bool]]) -> None:
    """Waits until it holds; TimeoutError if it does not in time."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            if await holds():
                return
            await asyncio.sleep(0.02)
