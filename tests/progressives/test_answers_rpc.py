"""Answers that have seen the question, links taken back, and payments made twice, over real gRPC and Postgres."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from casino.progressives.v1 import entries_pb2
from casino.progressives.v1 import progressives_service_pb2 as pb
from services.runtime.vault import VaultBroken
from tests.builders import wager_file, wager_on
from tests.databases import Database
from tests.progressives.conftest import (
    Progressives,
    approval,
    claim,
    decided,
    decision,
    opened,
    payment,
    proposal,
    served,
    verification,
)
from tests.progressives.house import MADE_WAGER, House, make_pool
from tests.progressives.recorded import CODE, PROPERTY, TABLE, WHOLE, Upstream, amend, part, submission, void

CONFIRM, VOID = entries_pb2.JACKPOT_ACTION_CONFIRM, entries_pb2.JACKPOT_ACTION_VOID
SET_AMOUNT = entries_pb2.JACKPOT_ACTION_SET_AMOUNT
WITHDRAWN = entries_pb2.LINK_STATE_WITHDRAWN
ON_H9 = wager_on(CODE, 500)


def withdrawal(version: int = 1, reason: str = "wrong table", link_id: str = "H9", request_id: str = "w1") -> Any:
    return pb.WithdrawLinkRequest(
        request_id=request_id, property_id=PROPERTY, link_id=link_id, version=version, reason=reason
    )


def about(jackpot_id: str, action: Any, cents: int = 0) -> entries_pb2.JackpotDecision:
    return entries_pb2.JackpotDecision(jackpot_id=jackpot_id, action=action, amount_cents=cents)


def slip(jackpot_id: str = "", slip_no: str = "") -> pb.GetJackpotSlipRequest:
    return pb.GetJackpotSlipRequest(property_id=PROPERTY, jackpot_id=jackpot_id, slip_no=slip_no)


async def asked(floor: Progressives) -> str:
    """The decision by which two people are asked about the one jackpot."""
    (found,) = (each for each in await floor.decisions() if each.HasField("jackpot"))
    return found.decision_id


async def pay(floor: Progressives, jackpot_id: str, request_id: str, **payee: str) -> pb.PayJackpotResponse:
    """Claimed by dee, verified by vic, paid by cat."""
    await floor.call("ClaimJackpot", claim(f"c-{request_id}"), "dee")
    await floor.call("VerifyJackpot", verification(f"v-{request_id}", jackpot_id), "vic")
    paid: pb.PayJackpotResponse = await floor.call("PayJackpot", payment(request_id, jackpot_id, **payee), "cat")
    return paid


@pytest.fixture
async def floor(progressives: Progressives, upstream: Upstream) -> AsyncIterator[Progressives]:
    """The service with one link in play."""
    await progressives.approved()
    await opened(progressives, upstream)
    yield progressives
    assert await progressives.wrong() == []


@pytest.fixture
async def won(floor: Progressives, upstream: Upstream) -> str:
    """A jackpot of $10,000.50."""
    await floor.entries(await upstream.rounds.record(part("whole_round", 1, ON_H9, cards=WHOLE)))
    (found,) = await floor.jackpots()
    return found.jackpot_id


@pytest.mark.parametrize("approves", [False, True], ids=["proposed", "approved"])
async def test_a_version_that_is_not_in_force_is_withdrawn(
    database: Database, home: Path, upstream: Upstream, approves: bool
) -> None:
    """Its tables are free, a restart does not bring it back, and the next version has a number of its own."""
    async with served(database, home, upstream.port) as made:
        await made.call("ProposeLink", proposal())
        if approves:
            await made.call("ApproveLink", approval(), "bob")
        told = (await made.call("WithdrawLink", withdrawal(), "cat")).link
        assert (told.state, told.changed_by, told.reason) == (WITHDRAWN, "cat", "wrong table")
        await made.call("ProposeLink", proposal("p2", link_id="OTHER"))
    async with served(database, home, upstream.port) as again:
        listed = (await again.call("ListLinks", pb.ListLinksRequest(property_id=PROPERTY))).links
        assert [each.link.link_id for each in listed] == ["OTHER"]
        assert (await again.refusal("ApproveLink", approval("a2"), "bob"))[0] == "LINK_UNKNOWN"
        assert (await again.call("ProposeLink", proposal("p3"))).link.version == 2
        assert await again.wrong() == []


async def test_what_is_not_withdrawn_is_refused_in_words(floor: Progressives) -> None:
    """A link in force, one that is none, another version, and a withdrawal without a reason."""
    assert await floor.refusal("WithdrawLink", withdrawal()) == (
        "LINK_OUT_OF_STATE",
        "expected link H9 to be proposed or approved, given one that is live",
    )
    assert (await floor.refusal("WithdrawLink", withdrawal(link_id="X")))[0] == "LINK_UNKNOWN"
    await floor.call("ProposeLink", proposal("p2"))
    assert (await floor.refusal("WithdrawLink", withdrawal(3)))[0] == "ALREADY_DECIDED"
    assert (await floor.refusal("WithdrawLink", withdrawal(2, " ")))[0] == "INVALID_REQUEST"
    assert (await floor.call("WithdrawLink", withdrawal(2))).link.version == 2


async def test_a_decision_is_approved_as_it_was_seen(floor: Progressives, upstream: Upstream, won: str) -> None:
    """A proposal that was rejected and made anew in other words has another number."""
    await floor.entries(await upstream.rounds.record(void(1)))
    name = await asked(floor)
    await floor.call("ProposeDecision", decision("d1", decision_id=name, jackpot=about(won, VOID)))
    reject = pb.RejectDecisionRequest(request_id="r1", property_id=PROPERTY, decision_id=name, note="a typo")
    await floor.call("RejectDecision", reject, "ann")
    answer = decision("d2", decision_id=name, jackpot=about(won, SET_AMOUNT, 5))
    assert (await floor.call("ProposeDecision", answer)).decision.proposal == 2
    assert (await floor.refusal("ApproveDecision", decided("x1", name, 0), "bob"))[0] == "INVALID_REQUEST"
    reason, message = await floor.refusal("ApproveDecision", decided("x2", name, 1), "bob")
    assert (reason, message) == (
        "ALREADY_DECIDED",
        f"expected proposal 2 of decision {name}, which stands, given proposal 1",
    )
    assert (await floor.call("ApproveDecision", decided("x3", name, 2), "bob")).decision.proposal == 2


async def test_a_verified_jackpot_in_question_is_not_paid(floor: Progressives, upstream: Upstream, won: str) -> None:
    """The refusal names the decision."""
    await floor.call("ClaimJackpot", claim(), "dee")
    await floor.call("VerifyJackpot", verification("v1", won), "vic")
    await floor.entries(await upstream.rounds.record(void(1)))
    reason, message = await floor.refusal("PayJackpot", payment("y1", won), "cat")
    assert (reason, await asked(floor) in message) == ("JACKPOT_OUT_OF_STATE", True)


async def test_a_held_award_that_is_confirmed_has_still_to_be_won(floor: Progressives, upstream: Upstream) -> None:
    """Two people have confirmed its height; what the round wins is evaluated all the same."""
    await upstream.submissions.record(submission("RS-2", most=100))
    await floor.entries(await upstream.rounds.record(part("whole_round", 1, ON_H9, cards=WHOLE, name="RS-2")))
    (held,) = await floor.jackpots()
    # The correction comes while the first question is open: it is not asked twice.
    await floor.entries(await upstream.rounds.record(void(1)))
    name = await asked(floor)
    await floor.decide("d1", decision_id=name, jackpot=about(held.jackpot_id, CONFIRM))
    await floor.call("ClaimJackpot", claim(), "dee")
    assert await floor.refusal("VerifyJackpot", verification("v1", held.jackpot_id), "vic") == (
        "JACKPOT_NOT_WON",
        f"expected a recorded result of round {held.key.gaming_day}/{TABLE}/1/1, it is void",
    )
    await floor.decide("d2", jackpot=about(held.jackpot_id, CONFIRM))
    assert (await floor.call("VerifyJackpot", verification("v2", held.jackpot_id), "vic")).jackpot.actor == "vic"


async def test_a_word_from_before_the_last_change_is_none(floor: Progressives, upstream: Upstream, won: str) -> None:
    """Confirmed, then amended so that it is won again: the round itself has to win it then, and does."""
    await floor.entries(await upstream.rounds.record(void(1)))
    await floor.decide("d1", decision_id=await asked(floor), jackpot=about(won, CONFIRM))
    await floor.entries(await upstream.rounds.record(amend(1, ON_H9, cards=WHOLE)))
    await floor.call("ClaimJackpot", claim(), "dee")
    verified = (await floor.call("VerifyJackpot", verification("v1", won), "vic")).jackpot
    assert verified.evaluated_position == upstream.rounds.position


async def test_each_payment_keeps_its_slip_and_its_form(floor: Progressives, upstream: Upstream, won: str) -> None:
    """A voided one says so; by the jackpot the latest is found, by its number each."""
    first = await pay(floor, won, "y1")
    await floor.entries(await upstream.rounds.record(void(1)))
    await floor.decide("d1", decision_id=await asked(floor), jackpot=about(won, VOID))
    shown = (await floor.call("GetJackpotSlip", slip(won))).slip
    assert (shown.slip_no, shown.voided, shown.amount_cents) == (first.slip.slip_no, True, 1_000_050)
    await floor.entries(await upstream.rounds.record(amend(1, ON_H9, cards=WHOLE)))
    await floor.decide("d2", decision_id=await asked(floor), jackpot=about(won, SET_AMOUNT, 900_000))
    second = await pay(floor, won, "y2", name="Sam Roe")
    assert (await floor.call("GetJackpotSlip", slip(won))).slip == second.slip
    assert (await floor.call("GetJackpotSlip", slip(slip_no=first.slip.slip_no))).slip == shown
    for request, reason in ((slip(slip_no="PJS-9"), "JACKPOT_UNKNOWN"), (slip(won, "PJS-9"), "JACKPOT_OUT_OF_STATE")):
        assert (await floor.refusal("GetJackpotSlip", request))[0] == reason
    asked_for = pb.ListWinningsFormsRequest(property_id=PROPERTY, from_day="2026-03-01", to_day="2026-03-31")
    forms = (await floor.call("ListWinningsForms", asked_for)).forms
    assert {each.payee.name: (each.voided, each.winnings_cents, each.withholding) for each in forms} == {
        "Pat Doe": (True, 1_000_050, "regular"),
        "Sam Roe": (False, 900_000, "regular"),
    }


@pytest.mark.parametrize("field", ["name", "address", "identification"])
async def test_a_blank_payee_is_a_missing_one(floor: Progressives, won: str, field: str) -> None:
    """A form is due: blanks name nobody."""
    await floor.call("ClaimJackpot", claim(), "dee")
    await floor.call("VerifyJackpot", verification("v1", won), "vic")
    reason, _ = await floor.refusal("PayJackpot", payment("y1", won, **{field: " \t"}), "cat")
    assert reason == "PAYEE_MISSING"
    reason, message = await floor.refusal("PayJackpot", payment("y2", won, tax_number="000x"), "cat")
    assert (reason, "000x" in message) == ("INVALID_REQUEST", False)
    await floor.call("PayJackpot", payment("y3", won, name=" Pat Doe ", tax_number=" "), "cat")
    asked_for = pb.ListWinningsFormsRequest(property_id=PROPERTY, from_day="2026-03-01", to_day="2026-03-31")
    (form,) = (await floor.call("ListWinningsForms", asked_for)).forms
    assert (form.payee.name, form.payee.tax_number) == ("Pat Doe", "")


async def test_a_trigger_that_is_not_the_one_committed_to_is_not_taken_up(
    database: Database, home: Path, tmp_path: Path
) -> None:
    """A hidden trigger is held against its commitment whenever it is read into memory, not by Verify alone."""
    with wager_file(tmp_path, "model", MADE_WAGER):
        pool = await make_pool(database.url("progressives"))
        house = House("P-13", pool, home)
        await house.set_up()
        owner = await asyncpg.connect(database.owner_url)
        await owner.execute("ALTER TABLE progressives.trigger DISABLE TRIGGER refuse_change")
        await owner.execute("UPDATE progressives.trigger SET commitment = sha256('x') WHERE property_id = 'P-13'")
        with pytest.raises(VaultBroken, match="trigger 1 of MY mystery: expected the one committed to, found another"):
            await house.open()
        await owner.close()
        await pool.close()
