"""From the floor's event to the settled wager: the real rounds service in front."""

from pathlib import Path
from typing import Any

from casino.floor.v1 import events_pb2 as floor
from casino.settlement.v1 import entries_pb2, settlement_service_pb2_grpc
from casino.settlement.v1 import settlement_service_pb2 as pb
from services.runtime.server import channel
from tests.databases import Database
from tests.rounds.conftest import PROPERTY, Rounds, event, running, wager, whole
from tests.settlement.conftest import by

SEVEN = "7H 9C/2D 3S 2C"


def staged(number: int, wagers: list[floor.Wager]) -> list[bytes]:
    """The same round in its pieces."""
    made = whole(number, SEVEN, wagers)
    of: dict[str, Any] = {
        "table_id": made.table_id,
        "shoe": made.shoe,
        "round_no": made.round_no,
        "opened_at": made.opened_at,
    }
    pieces = (
        floor.RoundOpened(**of),
        floor.BettingClosed(**of, wagers=wagers),
        floor.ResultDealt(**of, result=made.result),
    )
    return [event(piece) for piece in pieces]


async def settled(stub: Any, rounds: Rounds) -> list[entries_pb2.SettledRound]:
    """The settlements, complete to what stands in the rounds feed now."""
    last = max(position for position, _ in await rounds.feed())
    found: list[entries_pb2.SettledRound] = []
    request = pb.WatchSettlementsRequest(property_id=PROPERTY)
    async for frame in stub.WatchSettlements(request, metadata=by("ann"), timeout=15):
        found += [entries_pb2.Entry.FromString(data).settled for data in frame.batch.entries]
        if {each.feed: each.position for each in frame.progress.upstream}.get("rounds", 0) >= last:
            break
    return found


async def test_a_round_in_pieces_settles_like_the_whole_round(database: Database, home: Path) -> None:
    """Whole or in pieces, a round gives the same wagers the same payouts, and every row proves itself."""
    async with running(database, home) as rounds, channel(f"127.0.0.1:{rounds.ports['settlement']}") as to:
        stub: Any = settlement_service_pb2_grpc.SettlementServiceStub(to)
        wagers = [wager(1, cents=10_000), wager(2, "baccarat.fortune_7", 500)]
        await rounds.submit([event(whole(1, SEVEN, wagers)), *staged(2, wagers)])
        first, second = await settled(stub, rounds)
        assert list(first.payout_cents) == [0, 20_500]
        for name in ("wager_no", "code", "paytable", "outcome", "line", "payout_cents", "submission_id", "pit"):
            assert getattr(first, name) == getattr(second, name), name
        stream = stub.Verify(pb.VerifyRequest(), metadata=by("ann"), timeout=15)
        assert not [found async for found in stream if found.verification.different]
