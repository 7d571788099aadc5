"""A jackpot from its claim to its slip and its form, over real gRPC and Postgres."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import structlog

from casino.progressives.v1 import entries_pb2
from casino.progressives.v1 import progressives_service_pb2 as pb
from services.games.wagers import PlacedWager
from services.runtime import logs
from tests.builders import wager_on
from tests.databases import Database
from tests.progressives.conftest import (
    MEGA,
    PAYEE,
    Progressives,
    claim,
    opened,
    payment,
    served,
    verification,
)
from tests.progressives.recorded import (
    CODE,
    DAY,
    PROPERTY,
    SOURCE,
    WHOLE,
    Upstream,
    day_opened,
    key,
    part,
    release,
    submission,
    void,
)

HIT, CLAIMED = entries_pb2.JACKPOT_STATE_HIT, entries_pb2.JACKPOT_STATE_CLAIMED
VERIFIED, PAID = entries_pb2.JACKPOT_STATE_VERIFIED, entries_pb2.JACKPOT_STATE_PAID
VOIDED, HELD = entries_pb2.JACKPOT_STATE_VOIDED, entries_pb2.JACKPOT_STATE_HELD
CONFIRM, VOID = entries_pb2.JACKPOT_ACTION_CONFIRM, entries_pb2.JACKPOT_ACTION_VOID
SET_AMOUNT = entries_pb2.JACKPOT_ACTION_SET_AMOUNT
SEED = 10_000_000_000
ON_H9 = wager_on(CODE, 500)
MYSTERY = entries_pb2.MeterTerms(
    level="mystery", seed_cents=10_000, increment_rate=100, limit_cents=25_000, mystery="A-$5"
)


def at_seat(seat: int) -> PlacedWager:
    """A wager of $5.00 at a seat."""
    return wager_on(CODE, 500, seat=seat, no=seat)


def slip_of(jackpot_id: str) -> pb.GetJackpotSlipRequest:
    return pb.GetJackpotSlipRequest(property_id=PROPERTY, jackpot_id=jackpot_id)


def forms(first: str = "2026-03-01", last: str = "2026-03-31") -> pb.ListWinningsFormsRequest:
    return pb.ListWinningsFormsRequest(property_id=PROPERTY, from_day=first, to_day=last)


def about(jackpot_id: str, action: Any, cents: int = 0) -> entries_pb2.JackpotDecision:
    return entries_pb2.JackpotDecision(jackpot_id=jackpot_id, action=action, amount_cents=cents)


async def verified(progressives: Progressives, name: str, seat: int = 1) -> str:
    """The jackpot at a seat, claimed by dee and verified by vic."""
    (won,) = (await progressives.call("ClaimJackpot", claim(f"c-{name}", seat), "dee")).jackpots
    await progressives.call("VerifyJackpot", verification(f"v-{name}", won.jackpot_id), "vic")
    jackpot_id: str = won.jackpot_id
    return jackpot_id


@pytest.fixture
async def won(progressives: Progressives, upstream: Upstream) -> entries_pb2.Jackpot:
    """A wager of $5.00 that has hit the meter for $10,000.50."""
    await progressives.approved()
    await opened(progressives, upstream)
    await progressives.entries(await upstream.rounds.record(part("whole_round", 1, ON_H9, cards=WHOLE)))
    (found,) = await progressives.jackpots()
    return found


async def test_a_jackpot_is_claimed_verified_and_paid_by_slip(
    progressives: Progressives, upstream: Upstream, won: entries_pb2.Jackpot
) -> None:
    """Each state says who, with which rank, and on which evidence; the slip shows them all and no payee."""
    assert (won.state, won.source, won.amount_cents) == (HIT, SOURCE, 1_000_050)
    (claimed,) = (await progressives.call("ClaimJackpot", claim(), "dee")).jackpots
    assert (claimed.state, claimed.actor, claimed.rank) == (CLAIMED, "dee", "")
    held = (await progressives.call("VerifyJackpot", verification("v1", won.jackpot_id), "vic")).jackpot
    assert (held.state, held.actor, held.rank) == (VERIFIED, "vic", "floorperson")
    assert (held.evaluated_position, len(held.evaluated_sha256)) == (upstream.rounds.position, 32)
    answer = await progressives.call("PayJackpot", payment("y1", won.jackpot_id), "cat")
    paid, slip = answer.jackpot, answer.slip
    assert (paid.state, paid.actor, paid.slip_no) == (PAID, "cat", "PJS-000001")
    assert paid.paid_through == entries_pb2.PAID_THROUGH_ATTENDANT
    # 24 % of $10,000.50 less the stake of $5.00 is $2,398.92.
    assert (paid.reportable, paid.withheld_cents) == (True, 239_892)
    assert (slip.amount_cents, slip.withheld_cents, slip.paid_cents) == (1_000_050, 239_892, 760_158)
    assert [each.state for each in slip.states] == [HIT, CLAIMED, VERIFIED, PAID]
    assert (await progressives.call("GetJackpotSlip", slip_of(won.jackpot_id))).slip == slip
    meter = await progressives.meter()
    assert (meter.pending_jackpots, meter.paid_by_attendant_cents, meter.paid_cents) == (0, 1_000_050, 1_000_050)
    assert await progressives.wrong() == []


async def test_a_payee_is_nowhere_in_the_open_but_in_the_register(
    progressives: Progressives,
    upstream: Upstream,
    won: entries_pb2.Jackpot,
    database: Database,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The row is encrypted, the feed has its digest, the log says who read the register; the register shows it."""
    before = structlog.get_config()
    logs.configure("debug")
    try:
        await verified(progressives, "1")
        paid = (await progressives.call("PayJackpot", payment("y1", won.jackpot_id), "cat")).jackpot
        (form,) = (await progressives.call("ListWinningsForms", forms(), "ann")).forms
    finally:
        # The log goes where it went: what it was told to write on here is closed with this test.
        structlog.configure(**before)
    assert (form.jackpot, form.payee) == (paid, pb.Payee(**PAYEE))
    assert (form.paid_on, form.winnings_cents, form.stake_cents) == (DAY.isoformat(), 1_000_050, 500)
    assert (form.withheld_cents, form.withholding) == (239_892, "regular")
    kept = await everything_kept(database)
    entries = b"".join(each.SerializeToString() for each in await progressives.entries(0))
    told = "".join(capfd.readouterr())
    assert '"principal":"ann"' in told
    assert "register of forms read" in told
    assert paid.payee_sha256 in entries
    for word in PAYEE.values():
        assert word not in kept
        assert word.encode().hex() not in kept
        assert word.encode() not in entries
        assert word not in told
    assert not (await progressives.call("ListWinningsForms", forms("2026-03-03"))).forms


async def everything_kept(database: Database) -> str:
    """Every row of every table of the schema, as text; bytes in hexadecimal digits."""
    owner = await asyncpg.connect(database.owner_url)
    try:
        names = await owner.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'progressives'")
        found = [await owner.fetch(f'SELECT t::text FROM progressives."{name[0]}" AS t') for name in names]
    finally:
        await owner.close()
    text = "\n".join(row[0] for rows in found for row in rows)
    assert "PJS-000001" in text
    return text


async def test_whoever_took_the_step_before_does_not_take_the_next(
    progressives: Progressives, won: entries_pb2.Jackpot
) -> None:
    """Neither source nor claimer verify, the verifier does not pay, and only a floorperson or above verifies."""
    await progressives.call("ClaimJackpot", claim(), "dee")
    for who, whose in ((SOURCE, "whose source brought the round"), ("dee", "who made the claim")):
        reason, message = await progressives.refusal("VerifyJackpot", verification("v1", won.jackpot_id), who)
        assert (reason, whose in message) == ("SAME_PRINCIPAL", True)
    for rank in ("dealer", ""):
        reason, message = await progressives.refusal("VerifyJackpot", verification("v1", won.jackpot_id, rank), "vic")
        assert (reason, message.endswith(f"given {rank or 'no rank'}")) == ("RANK_TOO_LOW", True)
    await progressives.call("VerifyJackpot", verification("v1", won.jackpot_id), "vic")
    reason, message = await progressives.refusal("PayJackpot", payment("y1", won.jackpot_id), "vic")
    assert (reason, "who verified jackpot" in message) == ("SAME_PRINCIPAL", True)
    assert await progressives.wrong() == []


async def test_a_verification_is_repeated_without_asking_again(
    progressives: Progressives, upstream: Upstream, won: entries_pb2.Jackpot
) -> None:
    """Its stored answer needs no recorded round: the author of rounds may be down by then."""
    await progressives.call("ClaimJackpot", claim(), "dee")
    first = await progressives.call("VerifyJackpot", verification("v1", won.jackpot_id), "vic")
    await upstream.stop()
    assert await progressives.call("VerifyJackpot", verification("v1", won.jackpot_id), "vic") == first


async def test_a_step_out_of_turn_is_refused(progressives: Progressives, won: entries_pb2.Jackpot) -> None:
    """What is not there, not claimed, not verified or paid already, each in its words; nothing is left of it."""
    name = won.jackpot_id
    empty = claim("c2", seat=7)
    assert (await progressives.refusal("ClaimJackpot", empty))[0] == "JACKPOT_UNKNOWN"
    for method, request in (
        ("VerifyJackpot", verification("v2", "x")),
        ("PayJackpot", payment("y2", "x")),
        ("GetJackpotSlip", slip_of("x")),
    ):
        assert (await progressives.refusal(method, request, "vic"))[0] == "JACKPOT_UNKNOWN"
    for method, request, words in (
        ("VerifyJackpot", verification("v2", name), "to be claimed, it is hit"),
        ("PayJackpot", payment("y2", name), "to be verified, it is hit"),
        ("GetJackpotSlip", slip_of(name), "to be paid by slip, it is hit"),
    ):
        reason, message = await progressives.refusal(method, request, "vic")
        assert (reason, words in message) == ("JACKPOT_OUT_OF_STATE", True), message
    await verified(progressives, "1")
    assert (await progressives.refusal("ClaimJackpot", claim("c3")))[0] == "JACKPOT_UNKNOWN"
    paid = await progressives.call("PayJackpot", payment("y1", name), "cat")
    before = await progressives.standing(0)
    reason, message = await progressives.refusal("PayJackpot", payment("y3", name, name="Sam Roe"), "cat")
    assert (reason, message) == ("JACKPOT_OUT_OF_STATE", f"expected jackpot {name} to be verified, it is paid")
    assert await progressives.call("PayJackpot", payment("y1", name), "cat") == paid
    assert await progressives.standing(0) == before
    assert len((await progressives.call("ListWinningsForms", forms())).forms) == 1


async def test_a_payee_is_needed_where_a_form_is_due(progressives: Progressives, won: entries_pb2.Jackpot) -> None:
    """Name, address and identification; without tax number the payment is made, as regular withholding applies."""
    name = await verified(progressives, "1")
    bare = pb.PayJackpotRequest(request_id="y1", property_id=PROPERTY, jackpot_id=name)
    lacking = [payment("y1", name, **{each: ""}) for each in ("name", "address", "identification")]
    for request in (bare, *lacking):
        reason, message = await progressives.refusal("PayJackpot", request, "cat")
        assert (reason, "for which a Form W-2G is due" in message) == ("PAYEE_MISSING", True)
    paid = (await progressives.call("PayJackpot", payment("y1", name, tax_number=""), "cat")).jackpot
    assert paid.withheld_cents == 239_892


async def test_a_jackpot_of_a_voided_round_waits_for_two_people(
    progressives: Progressives, upstream: Upstream, won: entries_pb2.Jackpot
) -> None:
    """While a decision about it is undecided nobody verifies it; the refusal names the decision."""
    await progressives.call("ClaimJackpot", claim(), "dee")
    name = won.jackpot_id
    await progressives.entries(await upstream.rounds.record(void(1)))
    (question,) = (each for each in await progressives.decisions() if each.HasField("jackpot"))
    assert await progressives.refusal("VerifyJackpot", verification("v1", name), "vic") == (
        "JACKPOT_OUT_OF_STATE",
        f"expected nothing to be undecided about jackpot {name}, decision {question.decision_id} is to be decided",
    )
    asked = {each.WhichOneof("subject"): each for each in await progressives.decisions()}
    assert asked.keys() == {"adjustment", "jackpot"}
    assert (asked["jackpot"].jackpot.jackpot_id, asked["jackpot"].key) == (won.jackpot_id, key(1))
    assert asked["adjustment"].adjustment.amount_micros == -500_000


async def test_slip_numbers_are_dense_when_several_are_paid_at_once(
    progressives: Progressives, upstream: Upstream, database: Database, home: Path
) -> None:
    """Every payment gets a number of its own and none is left out, on two processes too."""
    await progressives.approved()
    await opened(progressives, upstream)
    winners = [at_seat(seat) for seat in range(1, 5)]
    await progressives.entries(await upstream.rounds.record(part("whole_round", 1, *winners, cards=WHOLE)))
    names = [await verified(progressives, str(seat), seat) for seat in range(1, 5)]
    async with served(database, home, upstream.port) as other:
        calls = [
            (progressives, other)[n % 2].call("PayJackpot", payment(f"y{n}", name), "cat")
            for n, name in enumerate(names)
        ]
        slips = sorted(each.slip.slip_no for each in await asyncio.gather(*calls))
    assert slips == [f"PJS-{number:06d}" for number in range(1, 5)]
    assert len((await progressives.call("ListWinningsForms", forms())).forms) == 4
    assert await progressives.wrong() == []


async def test_an_award_from_inventory_has_no_slip(database: Database, home: Path, upstream: Upstream) -> None:
    """A mystery award is paid from what the Rules Submission says; it takes no slip number."""
    later = DAY + timedelta(1)
    filed = await upstream.submissions.record(submission("RS-2", since=later, mystery="A-$5", paid_from="inventory"))
    async with served(database, home, upstream.port) as progressives:
        await progressives.filed(filed)
        await progressives.approved(meters=[MEGA, MYSTERY], effective_from=later.isoformat())
        await progressives.entries(await upstream.rounds.record(day_opened(), day_opened(later, filed)))
        # $15,000.00 lifts the mystery meter by $150.00, above every trigger that it may have.
        wager = wager_on(CODE, 1_500_000)
        await progressives.entries(await upstream.rounds.record(part("whole_round", 1, wager, name="RS-2")))
        (won,) = await progressives.jackpots()
        assert (won.level, won.paid_from, won.amount_cents) == ("mystery", "inventory", 25_000)
        name = await verified(progressives, "1")
        answer = await progressives.call("PayJackpot", payment("y1", name), "cat")
        assert (answer.jackpot.slip_no, answer.slip.slip_no, answer.jackpot.reportable) == ("", "", False)
        assert (await progressives.refusal("GetJackpotSlip", slip_of(name)))[0] == "JACKPOT_OUT_OF_STATE"
        assert not (await progressives.call("ListWinningsForms", forms())).forms
        assert await progressives.wrong() == []


async def test_a_paid_jackpot_is_voided_by_two_and_set_anew(
    progressives: Progressives, upstream: Upstream, won: entries_pb2.Jackpot
) -> None:
    """The meter gets its award back; an amount set afterwards resets it again and goes to another slip and form."""
    await verified(progressives, "1")
    await progressives.call("PayJackpot", payment("y1", won.jackpot_id), "cat")
    await progressives.decide("d1", jackpot=about(won.jackpot_id, VOID))
    (voided,) = await progressives.jackpots()
    assert (voided.state, voided.actor, voided.slip_no) == (VOIDED, "bob", "PJS-000001")
    assert (await progressives.meter()).reading_micros == SEED + 500_000
    await progressives.decide("d2", jackpot=about(won.jackpot_id, SET_AMOUNT, 900_000))
    (again,) = await progressives.jackpots()
    assert (again.state, again.amount_cents, again.slip_no, again.withheld_cents) == (HIT, 900_000, "", 0)
    assert (await progressives.meter()).reading_micros == SEED + 500_000 - 900_000 * 10_000 + SEED
    await verified(progressives, "2")
    paid = await progressives.call("PayJackpot", payment("y2", won.jackpot_id, name="Sam Roe"), "cat")
    assert paid.slip.slip_no == "PJS-000002"
    listed = (await progressives.call("ListWinningsForms", forms())).forms
    assert sorted(each.payee.name for each in listed) == ["Pat Doe", "Sam Roe"]
    assert await progressives.wrong() == []


async def test_an_award_above_the_posted_maximum_is_held_for_two(
    database: Database, home: Path, upstream: Upstream
) -> None:
    """Nobody claims it until two people have confirmed it."""
    later = DAY + timedelta(1)
    filed = await upstream.submissions.record(submission("RS-2", since=later, most=1_000_000))
    async with served(database, home, upstream.port) as progressives:
        await progressives.filed(filed)
        await progressives.approved(effective_from=later.isoformat())
        await progressives.entries(await upstream.rounds.record(day_opened(), day_opened(later, filed)))
        last = await upstream.rounds.record(part("whole_round", 1, ON_H9, cards=WHOLE, name="RS-2"))
        await progressives.entries(last)
        (won,) = await progressives.jackpots()
        assert won.state == HELD
        assert (await progressives.refusal("ClaimJackpot", claim()))[0] == "JACKPOT_UNKNOWN"
        (asked,) = await progressives.decisions()
        await progressives.decide("d1", decision_id=asked.decision_id, jackpot=about(won.jackpot_id, CONFIRM))
        await verified(progressives, "1")
        assert not await progressives.decisions()
        assert await progressives.wrong() == []


async def test_an_unpriced_jackpot_is_paid_what_two_people_set(progressives: Progressives, upstream: Upstream) -> None:
    """Won where no link was live: without an amount nobody claims it, with one it goes the way of every other."""
    await opened(progressives, upstream)
    await progressives.entries(await upstream.rounds.record(part("whole_round", 1, ON_H9, cards=WHOLE)))
    (asked,) = await progressives.decisions()
    name = asked.jackpot.jackpot_id
    assert (await progressives.refusal("ClaimJackpot", claim()))[0] == "JACKPOT_UNKNOWN"
    await progressives.decide("d1", decision_id=asked.decision_id, jackpot=about(name, SET_AMOUNT, 1_000_000))
    assert await verified(progressives, "1") == name
    paid = (await progressives.call("PayJackpot", payment("y1", name), "cat")).jackpot
    assert (paid.state, paid.amount_cents) == (PAID, 1_000_000)
    assert await progressives.wrong() == []


async def test_an_amount_set_between_two_steps_leaves_who_took_them(
    progressives: Progressives, won: entries_pb2.Jackpot
) -> None:
    """The claimer does not verify and the verifier does not pay because somebody set the amount in between."""
    await progressives.call("ClaimJackpot", claim(), "dee")
    await progressives.decide("d1", jackpot=about(won.jackpot_id, SET_AMOUNT, 900_000))
    request = verification("v1", won.jackpot_id)
    assert (await progressives.refusal("VerifyJackpot", request, "dee"))[0] == "SAME_PRINCIPAL"
    await progressives.call("VerifyJackpot", request, "vic")
    await progressives.decide("d2", jackpot=about(won.jackpot_id, SET_AMOUNT, 800_000))
    assert (await progressives.refusal("PayJackpot", payment("y1", won.jackpot_id), "vic"))[0] == "SAME_PRINCIPAL"
    paid = (await progressives.call("PayJackpot", payment("y1", won.jackpot_id), "cat")).jackpot
    assert paid.amount_cents == 800_000
    assert await progressives.wrong() == []


async def test_a_jackpot_of_a_released_wager_is_verified_on_the_release(
    progressives: Progressives, upstream: Upstream
) -> None:
    """Its evidence is the round as two people let it in."""
    await progressives.approved()
    await opened(progressives, upstream)
    player = wager_on("baccarat.player", 1_000, no=1)
    held = wager_on(CODE, 500, no=2)
    last = await upstream.rounds.record(
        part("whole_round", 1, player, cards=WHOLE), release(1, player, held, cards=WHOLE)
    )
    await progressives.entries(last)
    name = await verified(progressives, "1")
    (found,) = await progressives.jackpots()
    assert (found.jackpot_id, found.evaluated_position, found.amount_cents) == (name, last, 1_000_050)
    assert await progressives.wrong() == []
