"""The progressives service in the test's own process, behind real gRPC, with recorded feeds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from casino.progressives.v1 import entries_pb2, progressives_service_pb2_grpc
from casino.progressives.v1 import progressives_service_pb2 as pb
from services.kernel.errors import Refusal
from services.progressives.__main__ import start
from services.runtime.server import Service
from services.runtime.settings import Settings
from tests.databases import Database
from tests.progressives.recorded import CODE, DAY, NOW, PROPERTY, TABLE, Upstream, submission

MEGA = entries_pb2.MeterTerms(level="mega", seed_cents=1_000_000, increment_rate=1_000)


def by(name: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a caller."""
    return (("principal", name),)


def proposal(request_id: str = "p1", **changes: Any) -> pb.ProposeLinkRequest:
    """A link that its section allows."""
    given: dict[str, Any] = {
        "property_id": PROPERTY,
        "link_id": "H9",
        "title": "Heavenly 9",
        "code": CODE,
        "paytable": "standard",
        "meters": [MEGA],
        "table_ids": [TABLE, "BAC-02"],
        "effective_from": DAY.isoformat(),
        **changes,
    }
    return pb.ProposeLinkRequest(request_id=request_id, **given)


def approval(request_id: str = "a1", link_id: str = "H9", version: int = 1) -> pb.ApproveLinkRequest:
    """The approval of a link."""
    return pb.ApproveLinkRequest(request_id=request_id, property_id=PROPERTY, link_id=link_id, version=version)


class Progressives:
    """The running service and a client of it."""

    def __init__(self, service: Service, stub: Any) -> None:
        self.service, self.stub = service, stub

    async def call(self, method: str, request: Any, who: str = "ann") -> Any:
        """One unary call, which waits for the property to be served."""
        async with asyncio.timeout(10):
            while True:
                try:
                    return await getattr(self.stub, method)(request, metadata=by(who), timeout=10)
                except grpc.aio.AioRpcError as problem:
                    if problem.code() is not grpc.StatusCode.UNAVAILABLE:
                        raise
                await asyncio.sleep(0.05)

    async def approved(self, **changes: Any) -> entries_pb2.Link:
        """A link that two people decided."""
        link = (await self.call("ProposeLink", proposal(**changes))).link
        request = approval(link_id=link.link_id, version=link.version)
        approved: entries_pb2.Link = (await self.call("ApproveLink", request, "bob")).link
        return approved

    async def entries(self, rounds_position: int, after: int = 0) -> list[entries_pb2.Entry]:
        """The progressives feed, complete to a position of the rounds feed."""
        found: list[entries_pb2.Entry] = []
        request = pb.WatchEntriesRequest(property_id=PROPERTY, after_position=after)
        async for frame in self.stub.WatchEntries(request, metadata=by("ann"), timeout=15):
            found += [entries_pb2.Entry.FromString(data) for data in frame.batch.entries]
            told = {each.feed: each.position for each in frame.progress.upstream}
            if frame.HasField("progress") and told.get("rounds", 0) >= rounds_position:
                break
        return found

    async def verified(self) -> dict[str, Any]:
        """What Verify finds, by the name of the check."""
        stream = self.stub.Verify(pb.VerifyRequest(property_id=PROPERTY), metadata=by("ann"), timeout=15)
        return {found.verification.check: found.verification async for found in stream}

    async def meter(self) -> pb.MeterReading:
        """The one meter of the one link."""
        found = await self.call("ListLinks", pb.ListLinksRequest(property_id=PROPERTY))
        reading: pb.MeterReading = found.links[0].meters[0]
        return reading


@asynccontextmanager
async def served(database: Database, home: Path, port: int) -> AsyncIterator[Progressives]:
    """The service, started and stopped."""
    settings = Settings.read(
        {
            "CASINO_HOME": str(home),
            "CASINO_PROGRESSIVES_DATABASE_URL": database.url("progressives"),
            "CASINO_PROGRESSIVES_ADDRESS": "127.0.0.1:0",
            "CASINO_PROGRESSIVES_METRICS_PORT": "0",
            "CASINO_ROUNDS_ADDRESS": f"127.0.0.1:{port}",
            "CASINO_SETTLEMENT_ADDRESS": f"127.0.0.1:{port}",
        }
    )
    service = await start(settings, lambda: NOW)
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{service.port}") as channel:
            made = Progressives(service, progressives_service_pb2_grpc.ProgressivesServiceStub(channel))
            await made.call("ListLinks", pb.ListLinksRequest(property_id=PROPERTY))
            yield made
    finally:
        await service.stop()


@pytest.fixture
async def upstream() -> AsyncIterator[Upstream]:
    """The recorded feeds, with one submission."""
    made = Upstream()
    await made.start()
    await made.submissions.record(submission())
    yield made
    await made.stop()


@pytest.fixture
async def progressives(database: Database, home: Path, upstream: Upstream) -> AsyncIterator[Progressives]:
    """The service."""
    async with served(database, home, upstream.port) as made:
        yield made


def refused(problem: grpc.aio.AioRpcError, refusal: type[Refusal]) -> bool:
    """Whether the status names the refusal."""
    details = dict(problem.trailing_metadata() or ())
    return refusal().reason.encode() in bytes(details["grpc-status-details-bin"])
