"""Settling a rounds feed, over real gRPC and Postgres."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.settlement.v1 import entries_pb2
from casino.settlement.v1 import settlement_service_pb2 as pb
from services.kernel.ids import RoundKey, jackpot_id
from services.runtime.chains import GENESIS
from tests.builders import wager_on
from tests.databases import Database
from tests.settlement.conftest import Settlement, served
from tests.settlement.recorded import (
    DAY,
    FORTUNE,
    ILLEGAL,
    METER,
    Recorded,
    dealt,
    key,
    whole,
)

WIN, LOSE, VOID = entries_pb2.OUTCOME_WIN, entries_pb2.OUTCOME_LOSE, entries_pb2.OUTCOME_VOID
SEVEN = wager_on("baccarat.fortune_7", 500, no=2)
PLAYER = wager_on("baccarat.player", 10_000, no=1)


async def revisions(settlement: Settlement, number: int) -> list[entries_pb2.SettledRound]:
    request = pb.GetSettlementRequest(property_id=settlement.property_id, key=key(number))
    return list((await settlement.call("GetSettlement", request)).settlements)


async def rows(database: Database, query: str, property_id: str) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(database.url("settlement"))
    try:
        return list(await connection.fetch(query, property_id))
    finally:
        await connection.close()


async def test_a_round_is_settled_once_in_feed_and_row(
    settlement: Settlement, rounds: Recorded, database: Database
) -> None:
    """A whole round gives one entry of parallel lists and one row a wager at the entry's position."""
    await settlement.approved()
    last = await rounds.record(whole(1, FORTUNE, PLAYER, SEVEN), whole(2, FORTUNE))
    first, second = [entry.settled for entry in await settlement.entries(last)]
    assert (list(first.outcome), list(first.payout_cents)) == ([LOSE, WIN], [0, 20_500])
    assert (first.key, first.rounds_position, first.submission_id, first.decks) == (key(1), 1, "RS-1", 8)
    assert (first.pit, first.shift, first.dealer, first.revision) == ("P1", 1, "D7", 0)
    assert (second.key, list(second.wager_no)) == (key(2), [])
    query = "SELECT position, wager_no, outcome, payout_cents, line FROM wager WHERE property_id = $1 ORDER BY 2"
    found = await rows(database, query, rounds.property_id)
    assert [tuple(row) for row in found] == [
        (1, 1, LOSE, 0, ""),
        (1, 2, WIN, 20_500, "banker_three_card_seven"),
    ]
    assert await revisions(settlement, 2) == [second]


async def test_a_meter_award_names_the_jackpot_it_opens(
    settlement: Settlement, rounds: Recorded, database: Database
) -> None:
    """The award's row has the level, the whole share, no cents, and the derived id."""
    await settlement.approved()
    wager = wager_on("baccarat.heavenly_9_progressive", 500, no=3)
    await settlement.entries(await rounds.record(whole(4, METER, PLAYER, wager)))
    query = "SELECT wager_no, kind, level, percent, cents, jackpot_id FROM award WHERE property_id = $1"
    found = await rows(database, query, rounds.property_id)
    jackpot = jackpot_id(RoundKey(DAY, "BAC-01", 1, 4), 3, "mega")
    assert [tuple(row) for row in found] == [(3, "meter", "mega", 10_000, 0, jackpot)]


async def test_a_named_refusal_becomes_an_exception_and_the_others_settle(
    settlement: Settlement, rounds: Recorded
) -> None:
    """A round that cannot settle is told by an exception entry; the rounds beside it settle."""
    await settlement.approved()
    last = await rounds.record(
        whole(1, ILLEGAL, PLAYER), whole(2, FORTUNE, SEVEN), whole(3, FORTUNE, SEVEN, table="BAC-09")
    )
    illegal, settled, uncovered = await settlement.entries(last)
    assert (illegal.exception.reason, illegal.exception.rounds_position) == ("ILLEGAL_COUP", 1)
    assert "Player stands on 6" in illegal.exception.message
    assert settled.settled.key == key(2)
    assert (uncovered.exception.reason, uncovered.exception.key) == ("NO_SUBMISSION", key(3, "BAC-09"))


async def test_a_round_waits_for_the_approval_of_its_submission(settlement: Settlement, rounds: Recorded) -> None:
    """A batch that names a submission not approved yet is tried again and never skipped."""
    last = await rounds.record(whole(1, FORTUNE, SEVEN))
    await asyncio.sleep(0.2)
    assert settlement.service.feed("settlements", settlement.property_id).upstream["rounds"] == 0
    await settlement.approved()
    assert len(await settlement.entries(last)) == 1


async def test_entries_without_a_settlement_move_the_cursor(settlement: Settlement, rounds: Recorded) -> None:
    """Readers learn how far settlement has come although it had nothing to say."""
    last = await rounds.record(rounds_pb2.Entry(round_opened=dealt(1, FORTUNE)))
    assert not await settlement.entries(last)


@pytest.mark.parametrize("together", [True, False])
async def test_a_correction_supersedes_what_it_corrects(
    settlement: Settlement, rounds: Recorded, together: bool
) -> None:
    """Release, amend and void each give a revision of the whole round, in one batch or in several."""
    await settlement.approved()
    corrections = [
        whole(1, FORTUNE, PLAYER),
        rounds_pb2.Entry(release=rounds_pb2.Release(round=dealt(1, FORTUNE, PLAYER, SEVEN))),
        rounds_pb2.Entry(amend=rounds_pb2.RoundCorrection(round=dealt(1, METER, PLAYER, SEVEN))),
        rounds_pb2.Entry(void=rounds_pb2.RoundCorrection(key=key(1))),
        rounds_pb2.Entry(void=rounds_pb2.RoundCorrection(key=key(2))),
    ]
    last = 0
    for commit in [corrections] if together else [[each] for each in corrections]:
        last = await rounds.record(*commit)
        await settlement.entries(last)
    found = await revisions(settlement, 1)
    assert [(each.revision, each.rounds_position) for each in found] == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert [list(each.outcome) for each in found[:2]] == [[LOSE], [LOSE, WIN]]
    assert set(found[2].outcome) <= {LOSE, entries_pb2.OUTCOME_PUSH}
    assert (list(found[3].outcome), list(found[3].payout_cents)) == ([VOID, VOID], [10_000, 500])
    assert len(await settlement.entries(last)) == 4


async def test_a_restart_settles_each_round_once(database: Database, home: Path, rounds: Recorded) -> None:
    """The cursor stands in the transaction of the rows, so a new process goes on where the old one stopped."""
    async with served(database, home, rounds) as settlement:
        await settlement.approved()
        await settlement.entries(await rounds.record(whole(1, FORTUNE, SEVEN)))
    last = await rounds.record(whole(2, FORTUNE, SEVEN), whole(3, FORTUNE, SEVEN))
    async with served(database, home, rounds) as settlement:
        entries = await settlement.entries(last)
        assert [entry.settled.key.round_no for entry in entries] == [1, 2, 3]
        assert {found.different for found in (await settlement.verified()).values()} == {0}


async def test_a_first_round_of_a_far_month_settles(settlement: Settlement, rounds: Recorded) -> None:
    """The months of every table are made when the first round of one comes."""
    await settlement.approved(effective_from="2031-07-01")
    round_ = dealt(1, FORTUNE, SEVEN)
    round_.key.gaming_day = "2031-07-04"
    last = await rounds.record(rounds_pb2.Entry(result=round_))
    (entry,) = await settlement.entries(last)
    assert entry.settled.key.gaming_day == "2031-07-04"


async def test_a_writer_that_lost_sight_of_its_head_reads_it_again(settlement: Settlement, rounds: Recorded) -> None:
    """A commit whose end was not seen leaves an old head in memory: the next writer fails, reads it, goes on."""
    await settlement.approved(request_id="p1")
    await settlement.entries(await rounds.record(whole(1, FORTUNE, SEVEN)))
    for name in ("submissions", "settlements"):
        feed = settlement.service.feed(name, settlement.property_id)
        feed.position, feed.hash = 0, GENESIS
    await settlement.approved(request_id="p2")
    assert len(await settlement.entries(await rounds.record(whole(2, FORTUNE, SEVEN)))) == 2
    found = await settlement.verified()
    assert {each.different for each in found.values()} == {0}
    assert found["settlement: submissions entries rehashed"].checked == 2
