"""The rounds service in the test's own process behind real gRPC, its offers filed through the settlement service."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as pb
from casino.rounds.v1 import rounds_service_pb2_grpc
from casino.settlement.v1 import entries_pb2 as settlement_entries
from casino.settlement.v1 import settlement_service_pb2 as settlement_pb
from casino.settlement.v1 import settlement_service_pb2_grpc
from services.games.catalogue import catalogue
from services.rounds.__main__ import start as start_rounds
from services.runtime.server import Service
from services.runtime.settings import Settings
from services.settlement.__main__ import start as start_settlement
from tests.databases import Database
from tests.ports import free_port

PROPERTY, TABLE, DAY = "HARBOR", "BAC-01", "2026-03-02"
# Every wager of 631a and 5 Treasures but Cover All, and what a test holds.
OFFERED = {
    "baccarat.player",
    "baccarat.banker",
    "baccarat.tie",
    "baccarat.perfect_pairs",
    "baccarat.fortune_7",
    "baccarat.golden_8",
    "baccarat.heavenly_9",
    "baccarat.blazing_7s",
    "baccarat.heavenly_9_progressive",
}
OPENED = datetime(2026, 3, 2, 18, tzinfo=UTC)
NOW = datetime(2026, 3, 2, 19, tzinfo=UTC)
ANN = (("principal", "ann"),)
BOB = (("principal", "bob"),)


def wager(number: int, code: str = "baccarat.player", cents: int = 1_000, **more: Any) -> floor.Wager:
    """A wager at seat 1 on the paytable that the table offers."""
    paytable = more.pop("paytable", next(iter(catalogue()[code].paytables)) if code in catalogue() else "")
    return floor.Wager(
        **{"wager_no": number, "seat": 1, "code": code, "paytable": paytable, "stake_cents": cents, **more}
    )


def whole(number: int, cards: str = "9H KS/2D 3C", wagers: Sequence[floor.Wager] = (), **more: Any) -> floor.WholeRound:
    """A finished round; cards as player/banker."""
    player, banker = cards.split("/")
    result = floor.Result(baccarat=floor.BaccaratResult(player=player.split(), banker=banker.split()))
    made = floor.WholeRound(
        **{"table_id": TABLE, "shoe": 1, "round_no": number, "wagers": wagers or [wager(1)], "result": result, **more}
    )
    if "opened_at" not in more:
        made.opened_at.FromDatetime(OPENED + timedelta(seconds=number))
    return made


def event(body: Any, at: datetime = OPENED) -> bytes:
    """The event's bytes, by the type of its body."""
    names = {
        floor.WholeRound: "whole_round",
        floor.RoundOpened: "round_opened",
        floor.BettingClosed: "betting_closed",
        floor.ResultDealt: "result",
        floor.StakesAdded: "stakes_added",
        floor.TableOpened: "table_opened",
        floor.TableClosed: "table_closed",
        floor.ShoeChanged: "shoe_changed",
        floor.RoundVoided: "void",
        floor.RoundAmended: "amend",
    }
    made = floor.Event(**{names[type(body)]: body})
    made.occurred_at.FromDatetime(at)
    return made.SerializeToString()


class Rounds:
    """The running services and clients of them."""

    def __init__(self, database: Database, home: Path) -> None:
        self.ports = {name: free_port() for name in ("rounds", "settlement")}
        environ = {"CASINO_HOME": str(home), "CASINO_LOG_LEVEL": "error"}
        for name, port in self.ports.items():
            environ[f"CASINO_{name.upper()}_DATABASE_URL"] = database.url(name)
            environ[f"CASINO_{name.upper()}_ADDRESS"] = f"127.0.0.1:{port}"
            environ[f"CASINO_{name.upper()}_METRICS_PORT"] = "0"
        environ["CASINO_ROUNDS_METRICS_PORT"] = str(free_port())
        self.settings = Settings.read(environ)
        self.service: Service
        self.stub: Any
        # A client of settlement, for tests that file more.
        self.settlement: Any
        self.epoch = 0

    async def start(self) -> None:
        """Starts the service (again)."""
        self.service = await start_rounds(self.settings, lambda: NOW)
        self._channel = grpc.aio.insecure_channel(f"127.0.0.1:{self.ports['rounds']}")
        self.stub = rounds_service_pb2_grpc.RoundsServiceStub(self._channel)

    async def stop(self) -> None:
        """Stops it gracefully."""
        await self._channel.close()
        await self.service.stop()

    async def call(self, method: str, request: Any, who: Any = ANN) -> Any:
        """One unary call."""
        return await getattr(self.stub, method)(request, metadata=who, timeout=10, wait_for_ready=True)

    def hello(self, epoch: int | None = None, source: str = "pit-1", **more: Any) -> pb.Hello:
        """A greeting in a new epoch, or in the one named."""
        if epoch is None:
            self.epoch += 1
        return pb.Hello(
            property_id=PROPERTY,
            source_id=source,
            source_epoch=self.epoch if epoch is None else epoch,
            protocol_version=1,
            **more,
        )

    async def submit(
        self, events: Sequence[bytes], first: int = 1, hello: pb.Hello | None = None
    ) -> pb.StreamRoundsResponse:
        """One batch; in a new epoch unless a greeting is given."""
        batch = pb.EventBatch(first_sequence=first, events=events)
        request = pb.SubmitEventsRequest(hello=hello or self.hello(), batch=batch)
        result: pb.StreamRoundsResponse = (await self.call("SubmitEvents", request)).result
        return result

    async def feed(self, after: int = 0) -> list[tuple[int, entries.Entry]]:
        """The rounds feed as it stands; a watch that reaches its age before is made again."""
        found: list[tuple[int, entries.Entry]] = []
        while True:
            request = pb.WatchRoundsRequest(property_id=PROPERTY, after_position=found[-1][0] if found else after)
            try:
                async for frame in self.stub.WatchRounds(request, metadata=ANN, timeout=15):
                    if frame.HasField("progress"):
                        return found
                    first = frame.batch.first_position
                    found += [(first + n, entries.Entry.FromString(data)) for n, data in enumerate(frame.batch.entries)]
            except grpc.aio.AioRpcError as problem:
                if "reached its age" not in (problem.details() or ""):
                    raise

    async def kinds(self) -> list[str]:
        """The kinds of the feed's entries but settings."""
        names = [entry.WhichOneof("body") or "" for _, entry in await self.feed()]
        return [name for name in names if name not in ("property_set", "table_set")]

    async def differences(self) -> list[str]:
        """Everything that Verify finds different."""
        return [text for found in (await self.verified()).values() for text in found.differences]

    async def verified(self, timeout: float = 20) -> dict[str, Any]:
        """What Verify finds, by check."""
        stream = self.stub.Verify(pb.VerifyRequest(), metadata=ANN, timeout=timeout)
        return {found.verification.check: found.verification async for found in stream}

    async def set_up(self, settlement_stub: Any) -> None:
        """A property with a table, a source and an approved submission in force."""
        property_ = entries.PropertySettings(
            property_id=PROPERTY, time_zone="America/New_York", cut_over="06:00", effective_from="2026-01-01"
        )
        await self.call("SetProperty", pb.SetPropertyRequest(request_id="p", settings=property_))
        table = entries.TableSettings(
            property_id=PROPERTY, table_id=TABLE, pit="P1", game="baccarat", effective_from="2026-01-01"
        )
        await self.call("SetTable", pb.SetTableRequest(request_id="t", settings=table))
        source = pb.RegisterSourceRequest(request_id="s", property_id=PROPERTY, source_id="pit-1")
        await self.call("RegisterSource", source)
        await approve(settlement_stub)
        self.offer = await self.offered(TABLE)

    async def offered(self, table_id: str) -> pb.GetOfferResponse:
        """What a table offers, once its submission has come through."""
        while True:
            try:
                request = pb.GetOfferRequest(property_id=PROPERTY, table_id=table_id, gaming_day=DAY)
                found: pb.GetOfferResponse = await self.call("GetOffer", request)
                return found
            except grpc.aio.AioRpcError as problem:
                if problem.code() is not grpc.StatusCode.NOT_FOUND:
                    raise
                await asyncio.sleep(0.05)


async def approve(stub: Any, request_id: str = "a", effective_from: str = "2026-01-01", minimum: int = 500) -> None:
    """Files a submission for the table: baccarat wagers on their first paytables."""
    offers = [
        settlement_entries.Offer(code=code, paytable=next(iter(rule.paytables)), minimum_cents=minimum)
        for code, rule in catalogue().items()
        if code in OFFERED
    ]
    terms = settlement_entries.TableTerms(table_id=TABLE, game="baccarat", kind="live", decks=8, seats=7, offers=offers)
    await file_submission(stub, request_id, [terms], effective_from)


async def file_submission(
    stub: Any,
    request_id: str,
    tables: Sequence[settlement_entries.TableTerms],
    effective_from: str = "2026-01-01",
) -> None:
    """A Rules Submission, proposed and approved by two."""
    proposal = settlement_pb.ProposeSubmissionRequest(
        request_id=f"{request_id}-p",
        property_id=PROPERTY,
        title="Rules of play",
        certificate_holder="Harbor",
        effective_from=effective_from,
        tables=tables,
    )
    for _ in range(100):
        try:
            found = await stub.ProposeSubmission(proposal, metadata=ANN, timeout=5, wait_for_ready=True)
            break
        except grpc.aio.AioRpcError as problem:
            if problem.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            await asyncio.sleep(0.1)
    name = found.submission.submission_id
    approval = settlement_pb.ApproveSubmissionRequest(
        request_id=f"{request_id}-a", property_id=PROPERTY, submission_id=name
    )
    await stub.ApproveSubmission(approval, metadata=BOB, timeout=5)


@asynccontextmanager
async def running(database: Database, home: Path, **settings: Any) -> AsyncIterator[Rounds]:
    """Both services, set up; with these settings."""
    rounds = Rounds(database, home)
    rounds.settings = replace(rounds.settings, **settings)
    await rounds.start()
    settlement = await start_settlement(rounds.settings, lambda: NOW)
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{rounds.ports['settlement']}") as channel:
            rounds.settlement = settlement_service_pb2_grpc.SettlementServiceStub(channel)
            await rounds.set_up(rounds.settlement)
            yield rounds
    finally:
        await rounds.stop()
        await settlement.stop()


@pytest.fixture
async def rounds(database: Database, home: Path) -> AsyncIterator[Rounds]:
    """The service."""
    async with running(database, home) as made:
        yield made
