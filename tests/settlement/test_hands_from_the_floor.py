"""A shooter's hand and a wheel from the floor's events to the settled wagers: the real rounds service in front."""

from pathlib import Path
from typing import Any

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.rounds.v1 import rounds_service_pb2
from casino.settlement.v1 import entries_pb2, settlement_service_pb2_grpc
from casino.settlement.v1 import settlement_service_pb2 as pb
from clients.cli.audit.history import History
from clients.cli.audit.settlements import check_settlements
from clients.sdk.feeds import Entry
from services.runtime.server import channel
from tests.databases import Database
from tests.rounds import test_several_results as several
from tests.rounds.conftest import PROPERTY, Rounds, event, file_submission, running
from tests.settlement.conftest import by, game_terms
from tests.settlement.test_from_the_floor import settled

CRAPS, WHEEL = several.CRAPS, several.WHEEL
TABLES = (
    game_terms(CRAPS, game="craps", seats=14),
    game_terms(WHEEL, game="roulette", wheel="double_zero"),
)


async def open_tables(rounds: Rounds) -> None:
    """A craps table and a wheel beside the Baccarat table."""
    for table in TABLES:
        settings = rounds_pb2.TableSettings(
            property_id=PROPERTY, table_id=table.table_id, pit="P2", game=table.game, effective_from="2026-01-01"
        )
        request = rounds_service_pb2.SetTableRequest(request_id=table.table_id, settings=settings)
        await rounds.call("SetTable", request)
    await file_submission(rounds.settlement, "more", TABLES)
    for table in TABLES:
        await rounds.offered(table.table_id)


def spin(number: int, pocket: str, drawn: int = 0) -> bytes:
    """A spin of the wheel with a B2B wager and the straight wager it needs."""
    result = floor.RouletteResult(pocket=pocket, drawn_payout=drawn)
    wagers = [several.wager(1, "roulette.straight", on="17"), several.wager(2, "roulette.b2b")]
    return event(several.at(floor.WholeRound(wagers=wagers, result=floor.Result(roulette=result)), WHEEL, number))


def hand() -> list[bytes]:
    """The hand goes on to its seven-out, a place wager taken down on the way."""
    down = floor.AddedStake(kind=floor.STAKE_KIND_TAKEN_DOWN, belongs_to=7)
    place = several.added(several.wager(7, "craps.place_8", roll=3))
    return [
        *several.HAND[:-1],
        several.roll(1, 3, 6, 5),
        several.stakes(1, 3, place, several.added(several.wager(8, "craps.hard_6", roll=3))),
        several.roll(1, 4, 6, 6),
        several.stakes(1, 4, down),
        several.roll(1, 5, 3, 4),
    ]


async def audited(rounds: Rounds, settlements: list[entries_pb2.SettledRound]) -> list[str]:
    """What the auditor finds different in what both services told."""
    made = History(PROPERTY)
    for position, entry in await rounds.feed():
        made.entries["rounds"].append(
            Entry(position, str(entry.WhichOneof("body")), entry.SerializeToString(), "rounds")
        )
    for position, settled_round in enumerate(settlements, 1):
        data = entries_pb2.Entry(settled=settled_round).SerializeToString()
        made.entries["settlements"].append(Entry(position, "settled", data, "settlements"))
    request = pb.ListSubmissionsRequest(property_id=PROPERTY)
    listed = await rounds.settlement.ListSubmissions(request, metadata=by("ann"), timeout=10)
    for position, submission in enumerate(listed.submissions, 1):
        data = entries_pb2.SubmissionsEntry(approved=submission).SerializeToString()
        made.entries["submissions"].append(Entry(position, "approved", data, "submissions"))
    last = made.entries["rounds"][-1].position
    return [text for found in check_settlements(made, last) for text in found.differences]


async def test_a_hand_and_a_wheel_settle_from_the_floor(database: Database, home: Path) -> None:
    """Stakes come and go between rolls, spins look back; each wager settles once, as the auditor recomputes it."""
    async with running(database, home) as rounds, channel(f"127.0.0.1:{rounds.ports['settlement']}") as to:
        stub: Any = settlement_service_pb2_grpc.SettlementServiceStub(to)
        await open_tables(rounds)
        await rounds.submit(hand()[:4])
        await rounds.stop()
        await rounds.start()
        # Sent again from the beginning, in a new epoch.
        await rounds.submit([*hand(), spin(2, "17"), spin(3, "17", 250), spin(4, "00")])
        found = await settled(stub, rounds)
        rolls = [each for each in found if each.key.table_id == CRAPS]
        assert [each.key.roll for each in rolls] == [1, 2, 3, 4, 5]
        assert sorted(number for each in rolls for number in each.wager_no) == [1, 2, 3, 4, 5, 6, 7, 8]
        outcomes = {number: each for roll in rolls for number, each in zip(roll.wager_no, roll.outcome, strict=True)}
        assert outcomes[7] == entries_pb2.OUTCOME_VOID
        spins = [list(each.payout_cents) for each in found if each.key.table_id == WHEEL]
        assert spins == [[43_200, 1_200], [43_200, 301_200], [0, 0]]
        assert await audited(rounds, found) == []
        stream = stub.Verify(pb.VerifyRequest(), metadata=by("ann"), timeout=15)
        assert not [told async for told in stream if told.verification.different]
        assert await rounds.differences() == []
