"""How a meter is explained and a jackpot proved, over real gRPC and Postgres, against a fold of the feed."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.progressives.v1 import entries_pb2
from casino.progressives.v1 import progressives_service_pb2 as pb
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from services.kernel import errors
from services.progressives.entries import CAUSES, stamp
from services.progressives.explanation import Contributed, Sums, Table, Total, tables
from services.progressives.meter import Cause
from services.progressives.operations import explaining
from services.progressives.reading import read_written
from services.progressives.verification import Fold
from tests.builders import wager_on
from tests.progressives.conftest import MEGA, Progressives, by, refused
from tests.progressives.recorded import CODE, NOW, PROPERTY, WHOLE, Upstream, day_opened, key, part

SEED = 10_000_000_000
LIMITED = entries_pb2.MeterTerms(
    level=MEGA.level, seed_cents=MEGA.seed_cents, increment_rate=MEGA.increment_rate, limit_cents=1_000_120
)
CONTRIBUTION, AWARD = entries_pb2.METER_CAUSE_CONTRIBUTION, entries_pb2.METER_CAUSE_AWARD
OVERFLOW, SEED_HOUSE = entries_pb2.METER_CAUSE_OVERFLOW, entries_pb2.METER_CAUSE_SEED_HOUSE


def on_h9(no: int, seat: int, stake: int = 500) -> Any:
    """A wager with a meter."""
    return wager_on(CODE, stake, no=no, seat=seat)


def history() -> Iterator[rounds_pb2.Entry]:
    """A day: plain rounds at two tables up to above the limit, a void, a shared hit, more rounds, another hit."""
    yield day_opened()
    for number in range(1, 4):
        yield part("whole_round", number, on_h9(1, 2), on_h9(2, 5))
    yield part("whole_round", 1, on_h9(1, 2), table="BAC-02")
    yield rounds_pb2.Entry(void=rounds_pb2.RoundCorrection(key=key(2), reason="misdeal", actor="ann"))
    yield part("whole_round", 4, on_h9(1, 2), on_h9(2, 5), cards=WHOLE)
    yield part("whole_round", 2, on_h9(1, 3), table="BAC-02")
    yield part("whole_round", 5, on_h9(1, 2), cards=WHOLE)
    yield part("whole_round", 6, on_h9(1, 2))


async def explain(progressives: Progressives, **asked: Any) -> tuple[pb.MeterExplanation, list[pb.JournalLine]]:
    """The answer: the explanation, and every line."""
    request = pb.ExplainMeterRequest(**{"property_id": PROPERTY, "link_id": "H9", "level": "mega", **asked})
    parts = [each async for each in progressives.stub.ExplainMeter(request, metadata=by("ann"), timeout=10)]
    assert parts[0].HasField("explanation")
    assert all(each.HasField("line") for each in parts[1:])
    return parts[0].explanation, [each.line for each in parts[1:]]


async def played(progressives: Progressives, upstream: Upstream) -> list[entries_pb2.Entry]:
    """The feed after the history."""
    await progressives.approved(meters=[LIMITED])
    return await progressives.entries(await upstream.rounds.record(*history()))


def sums_to(explanation: Any) -> int:
    """What the totals of a reading's causes add up to."""
    reserved = entries_pb2.METER_CAUSE_RESERVE
    return sum(each.amount_micros for each in explanation.totals if each.cause != reserved)


async def test_a_meter_is_what_its_journal_folds_to_at_every_position(
    progressives: Progressives, upstream: Upstream
) -> None:
    """Reading, reserve and overflow at a position are those of a fold that knows nothing of the tables of rows."""
    entries, fold = await played(progressives, upstream), Fold(PROPERTY)
    for position, entry in enumerate(entries, 1):
        fold.add(position, read_written(entry.SerializeToString()))
        if not fold.meters:
            continue
        meter = fold.meters["H9", "mega"].meter
        explanation, _ = await explain(progressives, position=position)
        found = explanation.reading_micros, explanation.reserve_micros, explanation.overflow_micros
        assert found == (meter.reading, meter.reserve, -meter.overflow), position
        totals = {each.cause: each.amount_micros for each in explanation.totals}
        assert totals.get(CONTRIBUTION, 0) == meter.contribution
        assert totals.get(AWARD, 0) == meter.award
        assert sums_to(explanation) == explanation.reading_micros
    assert fold.meters["H9", "mega"].meter.reading == (await progressives.meter()).reading_micros


async def test_the_journal_follows_the_explanation_in_order(
    progressives: Progressives, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Movements always, wagers when asked; each line's reading is the one before and its amount, page after page."""
    await played(progressives, upstream)
    monkeypatch.setattr(explaining, "PAGE", 3)
    explanation, lines = await explain(progressives, with_wagers=True)
    assert [line.position for line in lines] == sorted({line.position for line in lines})
    reading = 0
    for line in lines:
        of_wager = line.cause == CONTRIBUTION and line.stake_cents
        reading += line.amount_micros - (line.overflow_micros if of_wager else 0)
        assert line.reading_micros == reading
    assert lines[-1].reading_micros == explanation.reading_micros
    wagers = [line for line in lines if line.stake_cents]
    assert sum(table.wagers for table in explanation.tables) == len(wagers)
    assert sum(table.handle_cents for table in explanation.tables) == sum(line.stake_cents for line in wagers)
    _, movements = await explain(progressives)
    assert movements == [line for line in lines if not line.stake_cents]
    assert {each.cause: each.count for each in explanation.totals}[AWARD] == 3


async def test_tables_add_up_to_the_contributions(progressives: Progressives, upstream: Upstream) -> None:
    """What each table put on the meter, after a void took its round back, is what the cause says in all."""
    await played(progressives, upstream)
    explanation, _ = await explain(progressives)
    totals = {each.cause: each.amount_micros for each in explanation.totals}
    found = {each.table_id: (each.wagers, each.handle_cents, each.amount_micros) for each in explanation.tables}
    assert found == {"BAC-01": (10, 5_000, 8 * 500_000), "BAC-02": (2, 1_000, 2 * 500_000)}
    assert sum(amount for _, _, amount in found.values()) == totals[CONTRIBUTION]


async def test_an_instant_is_the_last_commit_before_it(progressives: Progressives, upstream: Upstream) -> None:
    """Everything committed by then is in it; before the meter's seed there is no meter."""
    entries = await played(progressives, upstream)
    explanation, _ = await explain(progressives, instant=stamp(NOW))
    assert explanation.position == len(entries)
    with pytest.raises(grpc.aio.AioRpcError) as early:
        await explain(progressives, instant=stamp(NOW - timedelta(seconds=1)))
    assert refused(early.value, errors.MeterNotBegun)
    assert "H9 mega was seeded" in str(early.value.details())


@pytest.mark.parametrize(
    ("asked", "refusal", "said"),
    [
        ({"link_id": "X"}, errors.LinkUnknown, "given 'X'"),
        ({"level": "mini"}, errors.LevelUnknown, "a level of link H9, mega, given 'mini'"),
        ({"position": 2}, errors.MeterNotBegun, "from position 4 on"),
        ({"position": 0}, errors.MeterNotBegun, "given 0"),
        ({"position": 99}, errors.CursorAhead, "the head of the feed, given 99"),
    ],
)
async def test_a_meter_that_was_not_is_refused_by_name(
    progressives: Progressives, upstream: Upstream, asked: dict[str, Any], refusal: type[errors.Refusal], said: str
) -> None:
    """Link, level and position that there are none of, with what was expected and given."""
    await progressives.approved()
    await progressives.entries(await upstream.rounds.record(day_opened()))
    with pytest.raises(grpc.aio.AioRpcError) as found:
        await explain(progressives, **asked)
    assert refused(found.value, refusal)
    assert said in str(found.value.details())


async def test_a_jackpot_is_proved_by_what_came_since_the_hit_before(
    progressives: Progressives, upstream: Upstream
) -> None:
    """The opening reading and everything since are the reading on which it was priced; sharers in pricing order."""
    entries = await played(progressives, upstream)
    hits = [entry.jackpot for entry in entries if entry.HasField("jackpot")]
    proofs = [await progressives.call("ProveJackpot", proving(each.jackpot_id)) for each in hits]
    for jackpot, proof in zip(hits, proofs, strict=True):
        assert proof.jackpot == jackpot
        assert proof.opening_micros + sums_to(proof) == proof.reading_micros == jackpot.reading_micros
        assert entries[proof.to_position].movement.hit_id == jackpot.hit_id
    first, second, last = proofs
    assert list(first.sharing) == list(second.sharing) == hits[:2]
    assert first.from_position == 4
    assert (first.opening_micros, last.from_position) == (SEED, second.to_position + 4)
    assert [(each.table_id, each.wagers) for each in last.tables] == [("BAC-01", 1), ("BAC-02", 1)]
    assert {each.cause for each in last.totals} <= {CONTRIBUTION, OVERFLOW}
    assert entries[last.from_position - 1].movement.cause in (OVERFLOW, SEED_HOUSE)


async def test_a_jackpot_of_an_amended_round_is_proved_up_to_the_amend(
    progressives: Progressives, upstream: Upstream
) -> None:
    """It is priced on the reading at the amend, so what came after the round itself is in its proof."""
    await progressives.approved(meters=[LIMITED])
    amended = part("whole_round", 1, on_h9(1, 2), cards=WHOLE).whole_round
    correction = rounds_pb2.RoundCorrection(key=key(1), round=amended, reason="misread", actor="ann")
    plain = [part("whole_round", number, on_h9(1, 2)) for number in (1, 2)]
    last = await upstream.rounds.record(day_opened(), *plain, rounds_pb2.Entry(amend=correction))
    (jackpot,) = [each.jackpot for each in await progressives.entries(last) if each.HasField("jackpot")]
    proof = await progressives.call("ProveJackpot", proving(jackpot.jackpot_id))
    assert proof.opening_micros + sums_to(proof) == proof.reading_micros == jackpot.reading_micros == SEED + 1_000_000
    assert [(each.table_id, each.wagers) for each in proof.tables] == [("BAC-01", 2)]


def proving(jackpot_id: str) -> pb.ProveJackpotRequest:
    """The question for a proof."""
    return pb.ProveJackpotRequest(property_id=PROPERTY, jackpot_id=jackpot_id)


async def test_a_jackpot_without_a_meter_has_no_proof(progressives: Progressives, upstream: Upstream) -> None:
    """One that nobody knows, and one that was won where no link was live, are refused by name."""
    last = await upstream.rounds.record(day_opened(), part("whole_round", 1, on_h9(1, 2), cards=WHOLE))
    (unpriced,) = [each.jackpot for each in await progressives.entries(last) if each.HasField("jackpot")]
    for name, refusal in (("none", errors.JackpotUnknown), (unpriced.jackpot_id, errors.JackpotOutOfState)):
        with pytest.raises(grpc.aio.AioRpcError) as found:
            await progressives.stub.ProveJackpot(proving(name), metadata=by("ann"))
        assert refused(found.value, refusal)


AMOUNT = st.integers(-(10**12), 10**12)
TOTAL = st.builds(Total, st.integers(1, 10**6), AMOUNT)
MOVED = st.dictionaries(st.sampled_from(list(Cause)), TOTAL)


@given(st.builds(Contributed, TOTAL, TOTAL, TOTAL), MOVED)
def test_a_stretch_adds_up(contributed: Contributed, moved: dict[Cause, Total]) -> None:
    """Reading and reserve rise by their causes, and what is kept off the reading is the overflow's other side."""
    sums = Sums(contributed, moved, ())
    raised = contributed.contribution.amount - contributed.over.amount
    assert sums.reading == raised + sum(each.amount for cause, each in moved.items() if cause is not Cause.RESERVE)
    assert sums.overflow == contributed.over.amount - moved.get(Cause.OVERFLOW, Total()).amount
    assert list(sums.totals) == [cause for cause in Cause if cause in sums.totals]
    assert set(map(CAUSES.get, sums.totals)) <= set(CAUSES.values())


def test_a_correction_counts_at_its_table() -> None:
    """What a correction moved is in the table's amount, where no wager of the stretch came from there too."""
    found = tables([Table("B", 2, 1_000, 900)], {"A": -300, "B": -900})
    assert found == (Table("A", 0, 0, -300), Table("B", 2, 1_000, 0))
