"""Jackpots whose round was corrected, and what the word of two people is worth then, over real gRPC and Postgres."""

from datetime import timedelta
from typing import Any

import pytest

from casino.progressives.v1 import entries_pb2
from tests.builders import wager_on
from tests.progressives.conftest import Progressives, claim, decision, opened, payment, verification
from tests.progressives.recorded import CODE, DAY, OTHER, TABLE, WHOLE, Upstream, amend, part, void

CLAIMED, PAID = entries_pb2.JACKPOT_STATE_CLAIMED, entries_pb2.JACKPOT_STATE_PAID
CONFIRM, VOID = entries_pb2.JACKPOT_ACTION_CONFIRM, entries_pb2.JACKPOT_ACTION_VOID
SET_AMOUNT = entries_pb2.JACKPOT_ACTION_SET_AMOUNT
ON_H9 = wager_on(CODE, 500)


def about(jackpot_id: str, action: Any, cents: int = 0) -> entries_pb2.JackpotDecision:
    return entries_pb2.JackpotDecision(jackpot_id=jackpot_id, action=action, amount_cents=cents)


async def recorded(progressives: Progressives, upstream: Upstream, *entries: Any) -> None:
    """Records entries as one commit and waits until they are applied."""
    await progressives.entries(await upstream.rounds.record(*entries))


async def asked(progressives: Progressives) -> entries_pb2.Decision:
    """The one jackpot that two people are asked about."""
    (found,) = (each for each in await progressives.decisions() if each.HasField("jackpot"))
    return found


async def latest(progressives: Progressives) -> entries_pb2.Jackpot:
    (found,) = await progressives.jackpots()
    return found


@pytest.fixture
async def won(progressives: Progressives, upstream: Upstream) -> str:
    """A jackpot of $10,000.50 that dee has claimed, on a link that has an heir."""
    await progressives.approved(table_ids=[TABLE])
    await progressives.approved(request_id="p2", link_id="B", table_ids=[OTHER])
    await opened(progressives, upstream)
    await recorded(progressives, upstream, part("whole_round", 1, ON_H9, cards=WHOLE))
    (found,) = (await progressives.call("ClaimJackpot", claim(), "dee")).jackpots
    name: str = found.jackpot_id
    return name


async def paid(progressives: Progressives, name: str) -> entries_pb2.Jackpot:
    """Verified by vic and paid by cat."""
    await progressives.call("VerifyJackpot", verification("v9", name), "vic")
    done: entries_pb2.Jackpot = (await progressives.call("PayJackpot", payment("y9", name), "cat")).jackpot
    return done


CORRECTIONS = (void(1), amend(1, ON_H9), amend(1, wager_on("baccarat.player", 500)))


@pytest.mark.parametrize("correction", CORRECTIONS, ids=["void", "other cards", "other wager"])
async def test_a_confirmed_jackpot_is_paid_whatever_its_round_wins_now(
    progressives: Progressives, upstream: Upstream, won: str, correction: Any
) -> None:
    """Refused until two people confirm it; their word is a state of the jackpot that leaves who claimed it."""
    await recorded(progressives, upstream, correction)
    request = verification("v1", won)
    question = await asked(progressives)
    reason, message = await progressives.refusal("VerifyJackpot", request, "vic")
    assert (reason, question.decision_id in message) == ("JACKPOT_OUT_OF_STATE", True)
    await progressives.decide("d1", decision_id=question.decision_id, jackpot=about(won, CONFIRM))
    stands = await latest(progressives)
    assert (stands.state, stands.actor, stands.decision_id) == (CLAIMED, "dee", question.decision_id)
    assert (await progressives.refusal("VerifyJackpot", request, "dee"))[0] == "SAME_PRINCIPAL"
    done = await paid(progressives, won)
    assert (done.state, done.amount_cents, done.evaluated_position) == (PAID, 1_000_050, upstream.rounds.position)
    assert await progressives.wrong() == []


async def test_an_amount_that_two_people_set_is_paid_whatever_the_round_wins_now(
    progressives: Progressives, upstream: Upstream, won: str
) -> None:
    """To set the amount is to say that the jackpot stands."""
    await recorded(progressives, upstream, void(1))
    question = await asked(progressives)
    await progressives.decide("d1", decision_id=question.decision_id, jackpot=about(won, SET_AMOUNT, 900_000))
    assert (await paid(progressives, won)).amount_cents == 900_000
    assert await progressives.wrong() == []


async def test_a_correction_after_a_confirmation_asks_once_more(
    progressives: Progressives, upstream: Upstream, won: str
) -> None:
    """Who confirmed it did not know of the correction: nothing goes on until it is decided again."""
    await progressives.decide("d1", jackpot=about(won, CONFIRM))
    await recorded(progressives, upstream, void(1))
    assert (await progressives.refusal("VerifyJackpot", verification("v1", won), "vic"))[0] == "JACKPOT_OUT_OF_STATE"
    question = await asked(progressives)
    await progressives.decide("d2", decision_id=question.decision_id, jackpot=about(won, CONFIRM))
    assert (await paid(progressives, won)).state == PAID
    assert await progressives.wrong() == []


async def test_a_jackpot_of_a_retired_link_is_not_voided(
    progressives: Progressives, upstream: Upstream, won: str
) -> None:
    """Its meter is over and takes nothing back, so the proposal is refused; that it stands may be confirmed."""
    await paid(progressives, won)
    heirs = [entries_pb2.MeterHeir(level="mega", to_link_id="B", to_level="mega")]
    due = (DAY + timedelta(1)).isoformat()
    retirement = entries_pb2.Retirement(link_id="H9", effective_from=due, heirs=heirs)
    await progressives.decide("d1", retirement=retirement)
    await opened(progressives, upstream, 1)
    await recorded(progressives, upstream, void(1))
    question = await asked(progressives)
    answer = {"decision_id": question.decision_id, "jackpot": about(won, VOID)}
    reason, message = await progressives.refusal("ProposeDecision", decision("d2", **answer))
    assert (reason, message) == ("LINK_OUT_OF_STATE", "expected link H9 to be live or suspended, it is retired")
    assert await asked(progressives) == question
    await progressives.decide("d3", decision_id=question.decision_id, jackpot=about(won, CONFIRM))
    assert (await latest(progressives)).state == PAID
    assert await progressives.wrong() == []
