"""What two people decide, and what corrected rounds ask them to, over real gRPC and Postgres."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from casino.progressives.v1 import entries_pb2
from casino.progressives.v1 import progressives_service_pb2 as pb
from tests.builders import wager_on
from tests.databases import Database
from tests.progressives.conftest import (
    MALFUNCTION,
    Progressives,
    decided,
    decision,
    opened,
    served,
)
from tests.progressives.recorded import (
    CODE,
    DAY,
    OTHER,
    PROPERTY,
    TABLE,
    WHOLE,
    Upstream,
    amend,
    key,
    part,
    release,
    void,
)

OPEN, PROPOSED = entries_pb2.DECISION_STATE_OPEN, entries_pb2.DECISION_STATE_PROPOSED
APPROVED, REJECTED = entries_pb2.DECISION_STATE_APPROVED, entries_pb2.DECISION_STATE_REJECTED
CONTRIBUTION, ADJUSTMENT = entries_pb2.METER_CAUSE_CONTRIBUTION, entries_pb2.METER_CAUSE_ADJUSTMENT
TRANSFER_IN, TRANSFER_OUT = entries_pb2.METER_CAUSE_TRANSFER_IN, entries_pb2.METER_CAUSE_TRANSFER_OUT
SEED, LIMIT = 10_000_000_000, 2_000_000
LIMITED = entries_pb2.MeterTerms(level="mega", seed_cents=1_000_000, increment_rate=1_000, limit_cents=LIMIT)
ON_H9 = wager_on(CODE, 500)


def adjustment(amount: int, link_id: str = "H9", level: str = "mega") -> entries_pb2.Adjustment:
    return entries_pb2.Adjustment(link_id=link_id, level=level, amount_micros=amount)


def transfer(amount: int, to: str = "B", level: str = "mega") -> entries_pb2.Transfer:
    return entries_pb2.Transfer(
        from_link_id="H9", from_level="mega", to_link_id=to, to_level=level, amount_micros=amount
    )


def rejection(request_id: str, decision_id: str, note: str = "no") -> pb.RejectDecisionRequest:
    return pb.RejectDecisionRequest(request_id=request_id, property_id=PROPERTY, decision_id=decision_id, note=note)


async def readings(progressives: Progressives) -> dict[str, int]:
    """Micro-dollars on the one meter of each link."""
    links = (await progressives.call("ListLinks", pb.ListLinksRequest(property_id=PROPERTY))).links
    return {each.link.link_id: each.meters[0].reading_micros for each in links}


async def played(progressives: Progressives, upstream: Upstream, *entries: Any) -> list[entries_pb2.Entry]:
    """Records entries as one commit; what the service enters for them."""
    before = len(await progressives.entries(upstream.rounds.position))
    return (await progressives.entries(await upstream.rounds.record(*entries)))[before:]


@pytest.fixture
async def linked(progressives: Progressives, upstream: Upstream) -> Progressives:
    """Two links that are live, at a table each; the first has a limit of $20,000.00."""
    await progressives.approved(meters=[LIMITED], table_ids=[TABLE])
    await progressives.approved(request_id="p2", link_id="B", table_ids=[OTHER])
    await opened(progressives, upstream)
    return progressives


async def test_an_adjustment_moves_the_meter_once_another_approves_it(linked: Progressives, upstream: Upstream) -> None:
    """Proposed it moves nothing; approved it is one movement that names it, on the gaming day under way."""
    proposed = (await linked.call("ProposeDecision", decision("d1", adjustment=adjustment(-7)))).decision
    assert (proposed.state, proposed.proposed_by, proposed.reason) == (PROPOSED, "ann", MALFUNCTION)
    assert (await readings(linked))["H9"] == SEED
    await opened(linked, upstream, 1)
    approved = (await linked.call("ApproveDecision", decided("d2", proposed.decision_id), "bob")).decision
    assert (approved.state, approved.decided_by, approved.rounds_position) == (APPROVED, "bob", 2)
    entry, moved = (await linked.entries(2))[-2:]
    assert entry.decision == approved
    assert (moved.movement.cause, moved.movement.amount_micros) == (ADJUSTMENT, -7)
    assert (moved.movement.decision_id, moved.movement.gaming_day) == (approved.decision_id, "2026-03-03")
    assert (await readings(linked))["H9"] == SEED - 7
    assert not await linked.decisions()
    assert await linked.decisions(undecided=False) == [approved]
    assert await linked.wrong() == []


async def test_a_transfer_takes_from_one_meter_what_it_puts_on_the_other(linked: Progressives) -> None:
    """Two movements of one decision, which together move nothing."""
    await linked.decide("d1", transfer=transfer(1_000))
    out, into = (each.movement for each in (await linked.entries(0))[-2:])
    assert [(each.link_id, each.cause, each.amount_micros) for each in (out, into)] == [
        ("H9", TRANSFER_OUT, -1_000),
        ("B", TRANSFER_IN, 1_000),
    ]
    assert out.decision_id == into.decision_id != ""
    assert await readings(linked) == {"H9": SEED - 1_000, "B": SEED + 1_000}
    assert await linked.wrong() == []


REFUSALS: tuple[tuple[pb.ProposeDecisionRequest, str, str], ...] = (
    (decision("x"), "CHANGE_IMPOSSIBLE", "adjustment, transfer, retirement or jackpot, given none"),
    (decision("x", adjustment=adjustment(1), reason=0), "CHANGE_IMPOSSIBLE", "given none"),
    (decision("x", adjustment=adjustment(1), reason=99), "CHANGE_IMPOSSIBLE", "given 99"),
    (decision("x", transfer=transfer(1), reason=MALFUNCTION), "CHANGE_IMPOSSIBLE", "expected reason approved_transfer"),
    (decision("x", adjustment=adjustment(1), note=" "), "CHANGE_IMPOSSIBLE", "expected a note"),
    (decision("x", adjustment=adjustment(1), regulator_reference=""), "CHANGE_IMPOSSIBLE", "the regulator's reference"),
    (decision("x", adjustment=adjustment(1, "X")), "LINK_UNKNOWN", "given 'X'"),
    (decision("x", adjustment=adjustment(1, level="mini")), "CHANGE_IMPOSSIBLE", "mega, given mini"),
    (decision("x", adjustment=adjustment(-SEED - 1)), "METER_BELOW_ZERO", f"expected at most the {SEED} micro-dollars"),
    (decision("x", adjustment=adjustment(SEED + 1)), "METER_ABOVE_LIMIT", "its limit of $20,000.00"),
    (decision("x", transfer=transfer(0)), "CHANGE_IMPOSSIBLE", "an amount above zero to transfer, given 0"),
    (decision("x", transfer=transfer(1, "H9")), "CHANGE_IMPOSSIBLE", "expected two meters"),
    (decision("x", transfer=transfer(1, "B", "mini")), "CHANGE_IMPOSSIBLE", "mega, given mini"),
    (decision("x", transfer=transfer(SEED + 1)), "METER_BELOW_ZERO", "to be taken"),
    (decision("x", decision_id="X", adjustment=adjustment(1)), "DECISION_UNKNOWN", "given 'X'"),
    (
        decision("x", jackpot=entries_pb2.JackpotDecision(jackpot_id="X", action=entries_pb2.JACKPOT_ACTION_VOID)),
        "JACKPOT_UNKNOWN",
        "given 'X'",
    ),
)


async def test_what_cannot_be_decided_is_refused_in_words(linked: Progressives) -> None:
    """Every reason of the closed list, every meter within zero and limit; a refusal leaves nothing."""
    before = await linked.standing(1)
    for request, name, words in REFUSALS:
        reason, message = await linked.refusal("ProposeDecision", request)
        assert (reason, words in message) == (name, True), message
    assert await linked.standing(1) == before


async def test_a_decision_is_taken_once_and_by_two(linked: Progressives) -> None:
    """Its proposer does not approve it; rejected or approved it is over, for whoever comes next."""
    assert (await linked.refusal("ApproveDecision", decided("a1", "X")))[0] == "DECISION_UNKNOWN"
    proposed = (await linked.call("ProposeDecision", decision("d1", adjustment=adjustment(7)))).decision
    name = proposed.decision_id
    reason, message = await linked.refusal("ApproveDecision", decided("a1", name), "ann")
    assert (reason, message) == ("SAME_PRINCIPAL", f"expected another principal than ann, who proposed {name}")
    assert (await linked.refusal("RejectDecision", rejection("n1", name, "")))[0] == "CHANGE_IMPOSSIBLE"
    over = (await linked.call("RejectDecision", rejection("n1", name), "bob")).decision
    assert (over.state, over.note, over.decided_by) == (REJECTED, "no", "bob")
    for method, request in (("ApproveDecision", decided("a2", name)), ("RejectDecision", rejection("n2", name))):
        reason, message = await linked.refusal(method, request, "bob")
        assert (reason, message.endswith("it is rejected")) == ("ALREADY_DECIDED", True)
    approved = await linked.decide("d2", adjustment=adjustment(7))
    again = decided("a3", approved.decision_id)
    assert (await linked.refusal("ApproveDecision", again, "cat"))[0] == "ALREADY_DECIDED"
    assert (await readings(linked))["H9"] == SEED + 7


async def test_an_approval_is_held_against_the_meter_as_it_stands_then(linked: Progressives) -> None:
    """What was possible when it was proposed may not be any more."""
    late = (await linked.call("ProposeDecision", decision("d1", adjustment=adjustment(-SEED)))).decision
    await linked.decide("d2", adjustment=adjustment(-1))
    reason, _ = await linked.refusal("ApproveDecision", decided("a9", late.decision_id), "bob")
    assert reason == "METER_BELOW_ZERO"
    assert [each.state for each in await linked.decisions()] == [PROPOSED]


async def test_a_void_after_a_hit_asks_two_people(linked: Progressives, upstream: Upstream) -> None:
    """The level was hit since: nothing moves, the decision names round, wager and what it would have been."""
    await played(linked, upstream, part("whole_round", 1, ON_H9))
    await played(linked, upstream, part("whole_round", 2, ON_H9, cards=WHOLE))
    (asked,) = (each.decision for each in await played(linked, upstream, void(1)))
    assert (asked.state, asked.key, asked.wager_no) == (OPEN, key(1), 1)
    assert asked.adjustment == adjustment(-500_000)
    answer = decision("d1", decision_id=asked.decision_id, adjustment=adjustment(0), reason=asked.reason)
    proposed = (await linked.call("ProposeDecision", answer)).decision
    assert (proposed.decision_id, proposed.key) == (asked.decision_id, key(1))
    back = (await linked.call("RejectDecision", rejection("n1", asked.decision_id), "bob")).decision
    assert back.state == OPEN
    await linked.decide("d2", decision_id=asked.decision_id, adjustment=adjustment(0), reason=asked.reason)
    assert (await readings(linked))["H9"] == SEED
    assert not await linked.decisions()
    assert await linked.wrong() == []


async def test_a_rejected_answer_leaves_the_question_as_it_was(linked: Progressives, upstream: Upstream) -> None:
    """It is open again with what the platform asked and why, over a restart and for the next two people."""
    await played(linked, upstream, part("whole_round", 1, ON_H9), part("whole_round", 2, ON_H9, cards=WHOLE), void(1))
    (asked,) = await linked.decisions()
    assert asked.reason == entries_pb2.CHANGE_REASON_CORRECTED_ROUND
    for turn in ("1", "2"):
        answer = decision(f"d{turn}", decision_id=asked.decision_id, adjustment=adjustment(-7), reason=MALFUNCTION)
        proposed = (await linked.call("ProposeDecision", answer)).decision
        assert (proposed.adjustment, proposed.reason) == (adjustment(-7), MALFUNCTION)
        back = (await linked.call("RejectDecision", rejection(f"n{turn}", asked.decision_id), "bob")).decision
        assert (back.state, back.adjustment, back.reason) == (OPEN, adjustment(-500_000), asked.reason)
        assert await linked.decisions() == [back]
    assert (await readings(linked))["H9"] == SEED
    assert await linked.wrong() == []


async def test_an_amendment_brings_a_contribution_to_its_stake(linked: Progressives, upstream: Upstream) -> None:
    """Up, down, to another wager and away: each by one movement, whatever was corrected before."""
    await played(linked, upstream, part("whole_round", 1, ON_H9))
    for stake, more in ((700, 200_000), (600, -100_000), (600, 0)):
        entries = await played(linked, upstream, amend(1, wager_on(CODE, stake)))
        assert [each.movement.amount_micros for each in entries] == ([more] if more else [])
        assert all(each.movement.cause == CONTRIBUTION for each in entries)
        assert (await readings(linked))["H9"] == SEED + stake * 1_000
    await played(linked, upstream, amend(1, wager_on("baccarat.player", 1_000)))
    assert (await readings(linked))["H9"] == SEED
    await played(linked, upstream, amend(1, ON_H9), void(1))
    assert (await readings(linked))["H9"] == SEED
    assert await linked.wrong() == []


async def test_an_amendment_decides_what_the_round_wins(linked: Progressives, upstream: Upstream) -> None:
    """A result that wins now freezes a jackpot on the reading at the amendment; one that does not any more is asked."""
    await played(linked, upstream, part("whole_round", 1, ON_H9))
    await played(linked, upstream, part("whole_round", 2, ON_H9))
    await played(linked, upstream, amend(1, ON_H9, cards=WHOLE))
    (won,) = await linked.jackpots()
    assert (won.key, won.amount_cents) == (key(1), 1_000_100)
    await played(linked, upstream, amend(1, ON_H9))
    (asked,) = await linked.decisions()
    assert (asked.jackpot.jackpot_id, asked.jackpot.action) == (won.jackpot_id, 0)
    voided = entries_pb2.JackpotDecision(jackpot_id=won.jackpot_id, action=entries_pb2.JACKPOT_ACTION_VOID)
    await linked.decide("d1", decision_id=asked.decision_id, jackpot=voided)
    assert (await readings(linked))["H9"] == SEED + 1_000_000
    assert await linked.wrong() == []


async def test_a_release_adds_the_wager_that_was_held(linked: Progressives, upstream: Upstream) -> None:
    """It contributes on the reading at the release; what contributed before stands."""
    held = wager_on(CODE, 900, seat=2, no=2)
    await played(linked, upstream, part("whole_round", 1, ON_H9))
    await played(linked, upstream, part("whole_round", 2, ON_H9))
    (added,) = (each.contribution for each in await played(linked, upstream, release(1, ON_H9, held)))
    assert (added.key, added.wager_no, added.reading_micros[0]) == (key(1), 2, SEED + 1_900_000)
    assert await linked.wrong() == []


CORRECTIONS = (
    (part("whole_round", 1, ON_H9),),
    (part("whole_round", 2, ON_H9), part("whole_round", 3, ON_H9)),
    (amend(1, wager_on(CODE, 800)),),
    (void(2), part("betting_closed", 4, ON_H9)),
    (release(3, ON_H9, wager_on(CODE, 700, seat=3, no=3)),),
    (void(4),),
    (amend(3, ON_H9, cards=WHOLE),),
    (part("whole_round", 5, ON_H9), void(3)),
    (amend(1, wager_on(CODE, 500)),),
)


async def test_corrections_find_what_was_recorded_before_a_restart(
    database: Database, home: Path, upstream: Upstream
) -> None:
    """A process for each commit: in the end meters, jackpots and decisions are those of one that saw them all."""
    for number, entries in enumerate(CORRECTIONS):
        async with served(database, home, upstream.port) as progressives:
            if not number:
                await progressives.approved(table_ids=[TABLE])
                await opened(progressives, upstream)
            await played(progressives, upstream, *entries)
            assert await progressives.wrong() == []
            meter, asked = await progressives.meter(), await progressives.decisions()
    # Round 3 is frozen on the tenth of 800 and 500 cents, the 700 taken back; after it round 5 alone contributes.
    assert meter.reading_micros == SEED + 500_000
    assert [each.jackpot_id for each in await stored(database, home, upstream)] == [
        each.jackpot.jackpot_id for each in asked if each.HasField("jackpot")
    ]
    amounts = sorted(
        (each.key.round_no, each.adjustment.amount_micros) for each in asked if each.HasField("adjustment")
    )
    assert amounts == [(1, -300_000), (3, -500_000)]


async def stored(database: Database, home: Path, upstream: Upstream) -> list[entries_pb2.Jackpot]:
    """The jackpots as another process tells them."""
    async with served(database, home, upstream.port) as progressives:
        (won,) = await progressives.jackpots()
        assert won.amount_cents == 1_000_130
        return [won]


async def test_a_decision_waits_for_its_day_over_a_restart(database: Database, home: Path, upstream: Upstream) -> None:
    """An approved retirement is due at the first opening on or after its day, whoever serves then."""
    heirs = [entries_pb2.MeterHeir(level="mega", to_link_id="B", to_level="mega")]
    due = (DAY + timedelta(2)).isoformat()
    async with served(database, home, upstream.port) as first:
        await first.approved(table_ids=[TABLE])
        await first.approved(request_id="p2", link_id="B", table_ids=[OTHER])
        await opened(first, upstream)
        retirement = entries_pb2.Retirement(link_id="H9", effective_from=due, heirs=heirs)
        await first.decide("d1", retirement=retirement)
    async with served(database, home, upstream.port) as second:
        await opened(second, upstream, 1)
        assert (await readings(second))["H9"] == SEED
        await opened(second, upstream, 2)
        assert await readings(second) == {"H9": 0, "B": 2 * SEED}
        assert await second.wrong() == []


async def test_a_retirement_that_waits_is_taken_back(linked: Progressives, upstream: Upstream) -> None:
    """Rejected before its day it is over: the link plays on, and a later rejection is refused."""
    heirs = [entries_pb2.MeterHeir(level="mega", to_link_id="B", to_level="mega")]
    due = (DAY + timedelta(1)).isoformat()
    retirement = entries_pb2.Retirement(link_id="H9", effective_from=due, heirs=heirs)
    approved = await linked.decide("d1", retirement=retirement)
    assert (await linked.refusal("RejectDecision", rejection("n1", approved.decision_id, "")))[0] == "CHANGE_IMPOSSIBLE"
    over = (await linked.call("RejectDecision", rejection("n2", approved.decision_id), "cat")).decision
    assert (over.state, over.decided_by, over.retirement) == (REJECTED, "cat", retirement)
    await opened(linked, upstream, 1)
    assert await readings(linked) == {"H9": SEED, "B": SEED}
    reason, message = await linked.refusal("RejectDecision", rejection("n3", approved.decision_id), "cat")
    assert (reason, message.endswith("it is rejected")) == ("ALREADY_DECIDED", True)
    assert await linked.wrong() == []
