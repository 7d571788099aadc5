"""Following rounds into meters and jackpots, over real gRPC and Postgres."""

import asyncio
from pathlib import Path

import asyncpg

from casino.progressives.v1 import entries_pb2
from casino.progressives.v1 import progressives_service_pb2 as pb
from services.kernel.ids import RoundKey, hit_id, jackpot_id
from tests.builders import wager_on
from tests.databases import Database
from tests.progressives.conftest import Progressives, served
from tests.progressives.recorded import (
    CODE,
    DAY,
    PROPERTY,
    TABLE,
    WHOLE,
    Upstream,
    day_opened,
    key,
    part,
    submission,
    void,
)

SEED = 10_000_000_000
ON_H9, PLAYER = wager_on(CODE, 500, no=2, seat=3), wager_on("baccarat.player", 10_000, no=1)


async def rows(url: str, query: str) -> list[tuple[object, ...]]:
    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(query)]
    finally:
        await connection.close()


async def test_contributions_are_entered_and_journalled_at_one_position(
    progressives: Progressives, upstream: Upstream, database: Database
) -> None:
    """One entry and one row a contributing wager; a wager without a meter leaves nothing."""
    await progressives.approved()
    last = await upstream.rounds.record(
        day_opened(), part("whole_round", 1, PLAYER, ON_H9), part("whole_round", 2, PLAYER)
    )
    live, seeded, entry = (await progressives.entries(last))[2:]
    assert (live.link.state, live.link.rounds_position) == (entries_pb2.LINK_STATE_LIVE, 1)
    assert (seeded.movement.cause, seeded.movement.amount_micros) == (entries_pb2.METER_CAUSE_SEED_HOUSE, SEED)
    given = entry.contribution
    assert (given.key, given.wager_no, given.seat, given.stake_cents) == (key(1), 2, 3, 500)
    assert (list(given.amount_micros), list(given.reading_micros)) == ([500_000], [SEED + 500_000])
    assert (given.submission_id, given.link_id, given.link_version, given.rounds_position) == ("RS-1", "H9", 1, 2)
    query = "SELECT position, wager_no, amounts, readings, rounds_position FROM contribution"
    assert await rows(database.url("progressives"), query) == [(5, 2, [500_000], [SEED + 500_000], 2)]
    meter = await progressives.meter()
    assert (meter.reading_micros, meter.revision) == (SEED + 500_000, 5)


async def test_a_hit_freezes_the_amount_resets_the_meter_and_opens_a_jackpot(
    progressives: Progressives, upstream: Upstream
) -> None:
    """The award leaves the meter, the house puts up the seed, the jackpot names round, wager and hit."""
    await progressives.approved()
    last = await upstream.rounds.record(day_opened(), part("whole_round", 1, PLAYER, ON_H9, cards=WHOLE))
    award, reset, jackpot = (await progressives.entries(last))[-3:]
    assert (award.movement.cause, award.movement.amount_micros) == (
        entries_pb2.METER_CAUSE_AWARD,
        -(SEED + 500_000),
    )
    assert (reset.movement.reading_before_micros, reset.movement.reading_after_micros) == (0, SEED)
    found = jackpot.jackpot
    assert found.jackpot_id == jackpot_id(RoundKey(DAY, TABLE, 1, 1), 2, "mega")
    assert found.hit_id == award.movement.hit_id == hit_id("H9", "mega", 2)
    assert (found.amount_cents, found.state, found.paid_from) == (
        1_000_050,
        entries_pb2.JACKPOT_STATE_HIT,
        "slip",
    )
    listed = pb.ListJackpotsRequest(property_id=PROPERTY, gaming_day=DAY.isoformat())
    assert list((await progressives.call("ListJackpots", listed)).jackpots) == [found]
    listed.gaming_day = "2026-03-03"
    assert not (await progressives.call("ListJackpots", listed)).jackpots
    assert (await progressives.meter()).pending_jackpots == 1


async def test_a_round_in_pieces_survives_a_restart(database: Database, home: Path, upstream: Upstream) -> None:
    """Betting closes before the stop, the result comes after it: the link stays pinned, nothing contributes twice."""
    async with served(database, home, upstream.port) as first:
        await first.approved()
        last = await upstream.rounds.record(day_opened(), part("betting_closed", 1, PLAYER, ON_H9))
        before = await first.entries(last)
    pins = await rows(database.url("progressives"), "SELECT table_id, code, link_id, link_version FROM pin")
    assert pins == [(TABLE, CODE, "H9", 1)]
    last = await upstream.rounds.record(part("result", 1, PLAYER, ON_H9, cards=WHOLE))
    async with served(database, home, upstream.port) as second:
        after = await second.entries(last)
        assert after[: len(before)] == before
        assert [entry.WhichOneof("body") for entry in after[len(before) :]] == [
            "movement",
            "movement",
            "jackpot",
        ]
        meter = await second.meter()
        assert (meter.reading_micros, meter.pending_jackpots) == (SEED, 1)
        assert all(found.different == 0 for found in (await second.verified()).values())
    assert await rows(database.url("progressives"), "SELECT 1 FROM pin") == []


async def test_a_round_without_a_live_link_is_an_exception(progressives: Progressives, upstream: Upstream) -> None:
    """Nothing contributes; a meter won there opens a jackpot without an amount, which two people decide."""
    last = await upstream.rounds.record(day_opened(), part("whole_round", 1, ON_H9, cards=WHOLE))
    missing, jackpot, asked = await progressives.entries(last)
    assert (missing.exception.reason, missing.exception.key) == ("NO_LIVE_LINK", key(1))
    assert (jackpot.jackpot.state, jackpot.jackpot.amount_cents) == (entries_pb2.JACKPOT_STATE_UNPRICED, 0)
    assert (asked.decision.state, asked.decision.key) == (entries_pb2.DECISION_STATE_OPEN, key(1))
    assert asked.decision.jackpot.jackpot_id == jackpot.jackpot.jackpot_id


async def test_a_round_waits_for_the_submission_it_names(progressives: Progressives, upstream: Upstream) -> None:
    """A result whose submission has not come moves no cursor until it has."""
    await progressives.approved()
    await progressives.entries(await upstream.rounds.record(day_opened()))
    last = await upstream.rounds.record(part("whole_round", 1, ON_H9, name="RS-2"))
    await asyncio.sleep(0.2)
    assert (await progressives.meter()).reading_micros == SEED
    await upstream.submissions.record(submission("RS-2"))
    assert len(await progressives.entries(last)) == 5
    assert (await progressives.meter()).reading_micros == SEED + 500_000


async def test_an_instant_beyond_every_calendar_keeps_no_meter_standing_still(
    progressives: Progressives, upstream: Upstream
) -> None:
    """An entry with one is read as if it did not say when it occurred."""
    await progressives.approved()
    entry = part("whole_round", 1, wager_on(CODE, 500))
    entry.whole_round.occurred_at.seconds = 1_772_463_600_000
    last = await upstream.rounds.record(day_opened(), entry)
    bodies = [entry.WhichOneof("body") for entry in await progressives.entries(last)]
    assert bodies[-1] == "contribution"


async def test_a_void_takes_contributions_back(progressives: Progressives, upstream: Upstream) -> None:
    """The movement names round and wager, and the meter stands where it stood; a round without a meter moves none."""
    await progressives.approved()
    last = await upstream.rounds.record(
        day_opened(), part("whole_round", 1, ON_H9), part("whole_round", 2, PLAYER), void(1), void(2)
    )
    back = (await progressives.entries(last))[-1].movement
    assert (back.key, back.wager_no, back.amount_micros) == (key(1), 2, -500_000)
    assert (back.cause, back.reading_after_micros) == (entries_pb2.METER_CAUSE_CONTRIBUTION, SEED)
    assert (await progressives.meter()).reading_micros == SEED


async def test_a_failed_commit_is_tried_again_and_counts_once(
    progressives: Progressives, upstream: Upstream, database: Database
) -> None:
    """While the database refuses, the cursor stands; afterwards each wager has contributed exactly once."""
    await progressives.approved()
    await progressives.entries(await upstream.rounds.record(day_opened()))
    owner = await asyncpg.connect(database.owner_url)
    await owner.execute("REVOKE INSERT ON progressives.contribution FROM casino_progressives")
    last = await upstream.rounds.record(*(part("whole_round", n, ON_H9) for n in range(1, 6)))
    await asyncio.sleep(0.3)
    assert (await progressives.meter()).reading_micros == SEED
    await owner.execute("GRANT INSERT ON progressives.contribution TO casino_progressives")
    await owner.close()
    entries = await progressives.entries(last)
    assert [entry.contribution.key.round_no for entry in entries[4:]] == [1, 2, 3, 4, 5]
    assert (await progressives.meter()).reading_micros == SEED + 5 * 500_000
    assert all(found.different == 0 for found in (await progressives.verified()).values())


TAMPERED = (
    (
        "UPDATE contribution SET stake_cents = 501 WHERE wager_no = 2",
        "rows",
        "position 5: the row of this contribution",
    ),
    ("DELETE FROM jackpot", "rows", "the row of this jackpot is missing"),
    ("UPDATE contribution SET position = 99 WHERE round_no = 2", "rows", "position 99: a row without an entry"),
    ("UPDATE meter SET reading = reading + 1, contribution = contribution + 1", "folded", "the head says"),
    ("UPDATE progressives_entry SET gaming_day = '2026-04-01' WHERE position = 5", "rehashed", "gaming day"),
)


async def test_verify_names_what_was_changed_behind_the_service(
    progressives: Progressives, upstream: Upstream, database: Database
) -> None:
    """Rows, heads and entries that were altered, removed or added are found and named."""
    await progressives.approved()
    last = await upstream.rounds.record(
        day_opened(), part("whole_round", 1, PLAYER, ON_H9), part("whole_round", 2, ON_H9, cards=WHOLE)
    )
    await progressives.entries(last)
    assert all(found.different == 0 for found in (await progressives.verified()).values())
    owner = await asyncpg.connect(database.owner_url)
    await owner.execute("SET search_path = progressives")
    for table in ("contribution", "jackpot", "progressives_entry"):
        await owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER refuse_change")
    for change, check, difference in TAMPERED:
        await owner.execute(change)
        named = [found for name, found in (await progressives.verified()).items() if check in name]
        assert any(difference in each for found in named for each in found.differences), change
    await owner.close()
