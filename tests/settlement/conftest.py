"""The settlement service in the test's own process, behind real gRPC, with a recorded rounds feed."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import grpc
import pytest

from casino.settlement.v1 import entries_pb2, settlement_service_pb2_grpc
from casino.settlement.v1 import settlement_service_pb2 as pb
from services.games.catalogue import catalogue
from services.games.terms import Terms
from services.kernel.errors import Refusal
from services.runtime.server import Service
from services.runtime.settings import Settings
from services.settlement.__main__ import start
from tests.builders import offer, terms
from tests.databases import Database, Templates
from tests.settlement.recorded import DAY, TABLE, Recorded

NUMBERS = itertools.count(1)
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def table_terms(table_id: str = TABLE, decks: int = 8, **changes: Any) -> entries_pb2.TableTerms:
    """Terms of a table with commission that offer every wager of Baccarat it may, on its first paytable."""
    offers = offers_of(terms(decks=decks))
    given = {"game": "baccarat", "kind": "live", "decks": decks, "seats": 7, "offers": offers, **changes}
    return entries_pb2.TableTerms(table_id=table_id, **given)


def game_terms(table_id: str, instead: Mapping[str, str] | None = None, **given: Any) -> entries_pb2.TableTerms:
    """Terms of a table of any game that offer every wager it may, as `tests.builders.terms` has them.

    `instead` gives wagers to offer in the place of others.
    """
    made = terms(**given)
    for code, other in (instead or {}).items():
        offers = {name: each for name, each in made.offers.items() if name != other}
        made = replace(made, offers={**offers, code: offer(code, next(iter(catalogue()[code].paytables)))})
    table: dict[str, Any] = {
        "game": made.game,
        "kind": made.kind,
        "decks": made.decks,
        "seats": made.seats,
        "wheel": made.wheel,
    }
    return entries_pb2.TableTerms(table_id=table_id, offers=offers_of(made), **table)


def offers_of(made: Terms) -> list[entries_pb2.Offer]:
    """The offers of a table as they are proposed."""
    return [
        entries_pb2.Offer(
            code=each.code,
            paytable=each.paytable,
            minimum_cents=each.minimum_cents,
            options=dict(each.options),
            maximum_payout_cents=each.maximum_payout_cents or 0,
        )
        for each in made.offers.values()
        if made.wheel in (catalogue()[each.code].paytables[each.paytable].wheels or (made.wheel,))
    ]


def proposal(property_id: str, request_id: str = "p1", **changes: Any) -> pb.ProposeSubmissionRequest:
    """A request that the regulation allows."""
    given: dict[str, Any] = {
        "property_id": property_id,
        "title": "Baccarat",
        "certificate_holder": "Harbor Casino",
        "effective_from": DAY.isoformat(),
        "tables": [table_terms()],
        **changes,
    }
    return pb.ProposeSubmissionRequest(request_id=request_id, **given)


def by(name: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a caller."""
    return (("principal", name),)


class Settlement:
    """The running service and a client of it."""

    def __init__(self, service: Service, stub: Any, property_id: str) -> None:
        self.service, self.stub, self.property_id = service, stub, property_id

    async def call(self, method: str, request: Any, who: str = "ann") -> Any:
        """One unary call, which waits for the property to be served."""
        for _ in range(300):
            try:
                return await getattr(self.stub, method)(request, metadata=by(who), timeout=10)
            except grpc.aio.AioRpcError as problem:
                if problem.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                await _pause()
        raise AssertionError(f"{method} stays unavailable")

    async def approved(self, **changes: Any) -> entries_pb2.Submission:
        """A submission that two people filed."""
        found = await self.call("ProposeSubmission", proposal(self.property_id, **changes))
        name = found.submission.submission_id
        request = pb.ApproveSubmissionRequest(request_id=f"a-{name}", property_id=self.property_id, submission_id=name)
        answer: pb.ApproveSubmissionResponse = await self.call("ApproveSubmission", request, "bob")
        return answer.submission

    async def entries(self, rounds_position: int, after: int = 0) -> list[entries_pb2.Entry]:
        """The settlements feed, complete to a position of the rounds feed."""
        found: list[entries_pb2.Entry] = []
        request = pb.WatchSettlementsRequest(property_id=self.property_id, after_position=after)
        async for frame in self.stub.WatchSettlements(request, metadata=by("ann"), timeout=15):
            found += [entries_pb2.Entry.FromString(data) for data in frame.batch.entries]
            told = {each.feed: each.position for each in frame.progress.upstream}
            if told.get("rounds", 0) >= rounds_position:
                break
        return found

    async def verified(self, day: str = "") -> dict[str, Any]:
        """What Verify finds, by the name of the check; other tests' properties lie in the same database."""
        request = pb.VerifyRequest(property_id=self.property_id, gaming_day=day)
        stream = self.stub.Verify(request, metadata=by("ann"), timeout=15)
        found = {each.verification.check: each.verification async for each in stream}
        return {check: each for check, each in found.items() if "unknown properties" not in check}


async def _pause() -> None:
    await asyncio.sleep(0.02)


@asynccontextmanager
async def served(database: Database, home: Path, rounds: Recorded) -> AsyncIterator[Settlement]:
    """The service, started and stopped."""
    settings = Settings.read(
        {
            "CASINO_HOME": str(home),
            "CASINO_SETTLEMENT_DATABASE_URL": database.url("settlement"),
            "CASINO_SETTLEMENT_ADDRESS": "127.0.0.1:0",
            "CASINO_SETTLEMENT_METRICS_PORT": "0",
            "CASINO_ROUNDS_ADDRESS": f"127.0.0.1:{rounds.port}",
        }
    )
    service = await start(settings, lambda: NOW)
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{service.port}") as channel:
            stub = settlement_service_pb2_grpc.SettlementServiceStub(channel)
            made = Settlement(service, stub, rounds.property_id)
            await _served(made)
            yield made
    finally:
        await service.stop()


async def _served(made: Settlement) -> None:
    """Waits until the service has heard of the property."""
    while len([each for each in made.service.feeds() if each.property_id == made.property_id]) < 2:
        await _pause()


@pytest.fixture(scope="module")
def database(templates: Templates) -> Iterator[Database]:
    """One database for the tests of a file: each of them has a property of its own."""
    clone = templates.clone()
    yield clone
    templates.drop(clone)


@pytest.fixture
async def rounds() -> AsyncIterator[Recorded]:
    """The rounds feed of the test's own property."""
    recorded = Recorded(f"HAR-{next(NUMBERS)}")
    await recorded.start()
    yield recorded
    await recorded.stop()


@pytest.fixture
async def settlement(database: Database, home: Path, rounds: Recorded) -> AsyncIterator[Settlement]:
    """The service."""
    async with served(database, home, rounds) as made:
        yield made


def refused(problem: grpc.aio.AioRpcError, refusal: type[Refusal]) -> bool:
    """Whether the status names the refusal."""
    details = dict(problem.trailing_metadata() or ())
    return refusal().reason.encode() in bytes(details["grpc-status-details-bin"])
