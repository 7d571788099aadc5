"""The progressives service in the test's own process, behind real gRPC, with recorded feeds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from casino.progressives.v1 import entries_pb2, progressives_service_pb2_grpc
from casino.progressives.v1 import progressives_service_pb2 as pb
from services.kernel.clock import Clock
from services.kernel.errors import Refusal
from services.progressives.__main__ import start
from services.runtime.server import Service
from services.runtime.settings import Settings
from tests.databases import Database
from tests.progressives.recorded import CODE, DAY, NOW, PROPERTY, TABLE, Upstream, day_opened, submission

MALFUNCTION = entries_pb2.CHANGE_REASON_MALFUNCTION_CORRECTION
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


def decision(request_id: str, **given: Any) -> pb.ProposeDecisionRequest:
    """A decision with its reason, reference and note, unless told otherwise."""
    reasons = {
        "transfer": entries_pb2.CHANGE_REASON_APPROVED_TRANSFER,
        "retirement": entries_pb2.CHANGE_REASON_APPROVED_TRANSFER,
        "jackpot": entries_pb2.CHANGE_REASON_JACKPOT,
    }
    reason = next((reasons[name] for name in given if name in reasons), MALFUNCTION)
    said = {"reason": reason, "regulator_reference": "PGCB-7", "note": "as reported", **given}
    return pb.ProposeDecisionRequest(request_id=request_id, property_id=PROPERTY, **said)


def decided(request_id: str, decision_id: str, proposal: int = 1) -> pb.ApproveDecisionRequest:
    """The approval of a decision, as it was proposed the first time unless another number is said."""
    return pb.ApproveDecisionRequest(
        request_id=request_id, property_id=PROPERTY, decision_id=decision_id, proposal=proposal
    )


def claim(request_id: str = "c1", seat: int = 1, table_id: str = TABLE) -> pb.ClaimJackpotRequest:
    """Somebody at a seat calls the jackpot."""
    return pb.ClaimJackpotRequest(request_id=request_id, property_id=PROPERTY, table_id=table_id, seat=seat)


def verification(request_id: str, jackpot_id: str, rank: str = "floorperson") -> pb.VerifyJackpotRequest:
    """A floorperson has the round evaluated again."""
    return pb.VerifyJackpotRequest(request_id=request_id, property_id=PROPERTY, jackpot_id=jackpot_id, rank=rank)


PAYEE = {"name": "Pat Doe", "address": "1 Main St", "tax_number": "000-00-0000", "identification": "licence 7"}


def payment(request_id: str, jackpot_id: str, **payee: str) -> pb.PayJackpotRequest:
    """The payment to a payee whose papers are in order, unless told otherwise."""
    given = pb.Payee(**{**PAYEE, **payee})
    return pb.PayJackpotRequest(request_id=request_id, property_id=PROPERTY, jackpot_id=jackpot_id, payee=given)


def reason_of(problem: grpc.aio.AioRpcError) -> str:
    """The name of the refusal that a status carries."""
    details = status_pb2.Status.FromString(bytes(dict(problem.trailing_metadata() or ())["grpc-status-details-bin"]))
    info = error_details_pb2.ErrorInfo()
    assert details.details[0].Unpack(info), details
    return str(info.reason)


class Standing(NamedTuple):
    """Everything that the service tells of a property: one answer of each list, the feed, what Verify finds wrong."""

    links: pb.ListLinksResponse
    jackpots: pb.ListJackpotsResponse
    decisions: pb.ListDecisionsResponse
    entries: list[entries_pb2.Entry]
    wrong: list[str]


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

    async def filed(self, position: int) -> None:
        """Waits until the submissions feed is applied to a position."""
        async with asyncio.timeout(10):
            while True:
                status = (await self.call("GetStatus", pb.GetStatusRequest())).status
                cursors = {each.feed: each.position for found in status.properties for each in found.cursors}
                if cursors.get("submissions", 0) >= position:
                    break
                await asyncio.sleep(0.05)
        await self.call("ListLinks", pb.ListLinksRequest(property_id=PROPERTY))

    async def refusal(self, method: str, request: Any, who: str = "ann") -> tuple[str, str]:
        """The name and the words in which a call is refused."""
        with pytest.raises(grpc.aio.AioRpcError) as problem:
            await self.call(method, request, who)
        return reason_of(problem.value), problem.value.details() or ""

    async def approved(self, **changes: Any) -> entries_pb2.Link:
        """A link that two people decided."""
        link = (await self.call("ProposeLink", proposal(**changes))).link
        request = approval(f"approval-{link.link_id}-{link.version}", link.link_id, link.version)
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

    async def wrong(self) -> list[str]:
        """Every difference that Verify finds."""
        return [each for found in (await self.verified()).values() for each in found.differences]

    async def standing(self, rounds_position: int) -> Standing:
        """What is told once the rounds feed is applied to a position."""
        entries = await self.entries(rounds_position)
        return Standing(
            await self.call("ListLinks", pb.ListLinksRequest(property_id=PROPERTY)),
            await self.call("ListJackpots", pb.ListJackpotsRequest(property_id=PROPERTY)),
            await self.call("ListDecisions", pb.ListDecisionsRequest(property_id=PROPERTY)),
            entries,
            await self.wrong(),
        )

    async def jackpots(self) -> list[entries_pb2.Jackpot]:
        """The latest state of every jackpot."""
        request = pb.ListJackpotsRequest(property_id=PROPERTY)
        return list((await self.call("ListJackpots", request)).jackpots)

    async def decisions(self, *, undecided: bool = True) -> list[entries_pb2.Decision]:
        """The decisions that nobody has taken yet, or all."""
        request = pb.ListDecisionsRequest(property_id=PROPERTY, undecided=undecided)
        return list((await self.call("ListDecisions", request)).decisions)

    async def decide(self, request_id: str, **subject: Any) -> entries_pb2.Decision:
        """Carries out what ann proposes and bob approves."""
        proposed = await self.call("ProposeDecision", decision(request_id, **subject))
        request = decided(f"{request_id}-approved", proposed.decision.decision_id, proposed.decision.proposal)
        approved: entries_pb2.Decision = (await self.call("ApproveDecision", request, "bob")).decision
        return approved

    async def meter(self) -> pb.MeterReading:
        """The one meter of the one link."""
        found = await self.call("ListLinks", pb.ListLinksRequest(property_id=PROPERTY))
        reading: pb.MeterReading = found.links[0].meters[0]
        return reading


class Hands:
    """A clock that goes where a test puts it."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **time: int) -> None:
        """Puts it forward, by seconds or minutes."""
        self.now += timedelta(**time)


@asynccontextmanager
async def served(
    database: Database, home: Path, port: int, clock: Clock = lambda: NOW, **more: str
) -> AsyncIterator[Progressives]:
    """The service, started and stopped; with more settings, by their variables."""
    settings = Settings.read(
        {
            "CASINO_HOME": str(home),
            "CASINO_PROGRESSIVES_DATABASE_URL": database.url("progressives"),
            "CASINO_PROGRESSIVES_ADDRESS": "127.0.0.1:0",
            "CASINO_PROGRESSIVES_METRICS_PORT": "0",
            "CASINO_ROUNDS_ADDRESS": f"127.0.0.1:{port}",
            "CASINO_SETTLEMENT_ADDRESS": f"127.0.0.1:{port}",
            **more,
        }
    )
    service = await start(settings, clock)
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{service.port}") as channel:
            made = Progressives(service, progressives_service_pb2_grpc.ProgressivesServiceStub(channel))
            await made.filed(1)
            yield made
    finally:
        await service.stop()


async def opened(progressives: Progressives, upstream: Upstream, days: int = 0) -> int:
    """Opens a gaming day, so many after the first, and waits until it is applied; the position of its entry."""
    last = await upstream.rounds.record(day_opened(DAY + timedelta(days)))
    await progressives.entries(last)
    return last


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
