"""Alerts of unclaimed jackpots, and people who have seen an alert, over real gRPC and Postgres."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from casino.progressives.v1 import entries_pb2
from casino.progressives.v1 import progressives_service_pb2 as pb
from services.progressives.state import CLAIM_MINUTES
from tests.builders import wager_on
from tests.databases import Database
from tests.progressives.conftest import Hands, Progressives, served
from tests.progressives.recorded import CODE, PROPERTY, TABLE, WHOLE, Upstream, day_opened, key, part, submission

RAISED, CLEARED = entries_pb2.ALERT_STATE_RAISED, entries_pb2.ALERT_STATE_CLEARED
ACKNOWLEDGED = entries_pb2.ALERT_STATE_ACKNOWLEDGED
SEED = 1_000_000
LOOK_SECONDS = 1.5
"""Longer than the time between two looks at the floor."""


@pytest.fixture
def hands() -> Hands:
    """The clock of the service."""
    return Hands()


@pytest.fixture
async def floor(database: Database, home: Path, upstream: Upstream, hands: Hands) -> AsyncIterator[Progressives]:
    """The service with one link in play."""
    async with served(database, home, upstream.port, hands) as made:
        await made.approved()
        await made.entries(await upstream.rounds.record(day_opened()))
        yield made


async def win(floor: Progressives, upstream: Upstream, name: str = "RS-1") -> entries_pb2.Jackpot:
    """A round that wins the whole meter; its jackpot."""
    won = part("whole_round", 1, wager_on(CODE, 500, seat=3), cards=WHOLE, name=name)
    await floor.entries(await upstream.rounds.record(won))
    (jackpot,) = await floor.jackpots()
    return jackpot


async def alerts(floor: Progressives, *, only_open: bool = False) -> list[entries_pb2.Alert]:
    """The latest state of every alert, or of those that are open."""
    request = pb.ListAlertsRequest(property_id=PROPERTY, open=only_open)
    return list((await floor.call("ListAlerts", request)).alerts)


async def alerted(floor: Progressives, state: int) -> entries_pb2.Alert:
    """The one alert once it is in a state."""
    async with asyncio.timeout(10):
        while True:
            found = [each for each in await alerts(floor) if each.state == state]
            if found:
                return found[-1]
            await asyncio.sleep(0.1)


def acknowledgement(request_id: str, alert_id: str) -> pb.AcknowledgeAlertRequest:
    """A person has seen an alert."""
    return pb.AcknowledgeAlertRequest(request_id=request_id, property_id=PROPERTY, alert_id=alert_id)


def claim() -> pb.ClaimJackpotRequest:
    """The claim of what seat 3 has won."""
    return pb.ClaimJackpotRequest(request_id="c1", property_id=PROPERTY, table_id=TABLE, seat=3)


def echo(cents: int, revision: int) -> pb.EchoMetersRequest:
    """What a sign says it shows."""
    shown = [pb.ShownValue(level="mega", display_cents=cents, revision=revision)]
    return pb.EchoMetersRequest(property_id=PROPERTY, sign_id="SIGN-1", link_id="H9", shown=shown)


async def states(floor: Progressives) -> list[int]:
    """The states of alerts in the feed, in order."""
    return [each.alert.state for each in await floor.entries(0) if each.HasField("alert")]


async def test_a_jackpot_that_nobody_claims_is_raised_after_the_limit(
    floor: Progressives, upstream: Upstream, hands: Hands
) -> None:
    """After the property's minutes, not before; the alert says table, seat, round, time and amount; a claim ends it."""
    jackpot = await win(floor, upstream)
    since = hands.now.isoformat()
    hands.forward(minutes=CLAIM_MINUTES)
    await asyncio.sleep(LOOK_SECONDS)
    assert await alerts(floor) == []
    hands.forward(seconds=1)
    raised = await alerted(floor, RAISED)
    assert (raised.kind, raised.jackpot_id) == (entries_pb2.ALERT_KIND_UNCLAIMED, jackpot.jackpot_id)
    assert (raised.key, raised.seat, raised.expected_cents) == (key(1), 3, SEED + 50)
    for told in (f"table {TABLE}", "seat 3", "round 2026-03-02/BAC-01/1/1", since, f"{SEED + 50} cents"):
        assert told in raised.message
    await asyncio.sleep(LOOK_SECONDS)
    await floor.call("ClaimJackpot", claim())
    assert (await alerted(floor, CLEARED)).alert_id == raised.alert_id
    hands.forward(minutes=10 * CLAIM_MINUTES)
    await asyncio.sleep(LOOK_SECONDS)
    assert await states(floor) == [RAISED, CLEARED]
    assert await floor.wrong() == []


async def test_a_jackpot_claimed_in_time_raises_nothing(floor: Progressives, upstream: Upstream, hands: Hands) -> None:
    """What is claimed waits for nobody to claim it."""
    await win(floor, upstream)
    await floor.call("ClaimJackpot", claim())
    hands.forward(minutes=10 * CLAIM_MINUTES)
    await asyncio.sleep(LOOK_SECONDS)
    assert await alerts(floor) == []


async def test_a_held_jackpot_is_raised_and_its_decision_begins_the_time_anew(
    floor: Progressives, upstream: Upstream, hands: Hands
) -> None:
    """Two people let it wait too long; once they have decided, the patron has the whole time to claim it."""
    await upstream.submissions.record(submission("RS-2", most=100))
    jackpot = await win(floor, upstream, "RS-2")
    assert jackpot.state == entries_pb2.JACKPOT_STATE_HELD
    hands.forward(minutes=CLAIM_MINUTES, seconds=1)
    first = await alerted(floor, RAISED)
    subject = entries_pb2.JackpotDecision(
        jackpot_id=jackpot.jackpot_id, action=entries_pb2.JACKPOT_ACTION_CONFIRM, amount_cents=0
    )
    (asked,) = await floor.decisions()
    await floor.decide("d1", decision_id=asked.decision_id, jackpot=subject)
    assert (await alerted(floor, CLEARED)).alert_id == first.alert_id
    hands.forward(minutes=CLAIM_MINUTES, seconds=1)
    second = await alerted(floor, RAISED)
    assert second.alert_id != first.alert_id
    assert await states(floor) == [RAISED, CLEARED, RAISED]


async def test_a_restart_finds_what_nobody_claimed_meanwhile(
    database: Database, home: Path, upstream: Upstream, hands: Hands
) -> None:
    """The time counts from when the platform recognised the jackpot; what was raised before is not raised again."""
    async with served(database, home, upstream.port, hands) as first:
        await first.approved()
        await first.entries(await upstream.rounds.record(day_opened()))
        await win(first, upstream)
    hands.forward(minutes=CLAIM_MINUTES, seconds=1)
    async with served(database, home, upstream.port, hands) as second:
        raised = await alerted(second, RAISED)
        seen = (await second.call("AcknowledgeAlert", acknowledgement("k1", raised.alert_id))).alert
    async with served(database, home, upstream.port, hands) as third:
        await asyncio.sleep(LOOK_SECONDS)
        assert await alerts(third) == [seen]
        assert await states(third) == [RAISED, ACKNOWLEDGED]
        await third.call("ClaimJackpot", claim())
        assert (await alerted(third, CLEARED)).alert_id == raised.alert_id


async def test_an_acknowledged_alert_is_open_no_more_and_still_cleared(floor: Progressives, upstream: Upstream) -> None:
    """Who saw it and when is entered; the sign's next right word is entered all the same, with the rounds played."""
    (raised,) = (await floor.call("EchoMeters", echo(1, 4))).alerts
    assert await alerts(floor, only_open=True) == [raised]
    seen = (await floor.call("AcknowledgeAlert", acknowledgement("k1", raised.alert_id), "eve")).alert
    assert (seen.state, seen.actor, seen.alert_id) == (ACKNOWLEDGED, "eve", raised.alert_id)
    assert await alerts(floor, only_open=True) == []
    assert await alerts(floor) == [seen]
    assert list((await floor.call("EchoMeters", echo(1, 4))).alerts) == [seen]
    await floor.entries(await upstream.rounds.record(part("whole_round", 1, wager_on(CODE, 500))))
    meter = await floor.meter()
    assert not (await floor.call("EchoMeters", echo(meter.display_cents, meter.revision))).alerts
    cleared = await alerted(floor, CLEARED)
    assert (cleared.actor, cleared.rounds_played) == ("service:progressives", 1)
    assert await states(floor) == [RAISED, ACKNOWLEDGED, CLEARED]


async def test_an_acknowledgement_is_entered_once(floor: Progressives) -> None:
    """A repeat gets the first answer; another, one of an alert that is cleared and one of none are refused."""
    (raised,) = (await floor.call("EchoMeters", echo(1, 4))).alerts
    first: Any = await floor.call("AcknowledgeAlert", acknowledgement("k1", raised.alert_id), "eve")
    assert await floor.call("AcknowledgeAlert", acknowledgement("k1", raised.alert_id), "eve") == first
    reason, words = await floor.refusal("AcknowledgeAlert", acknowledgement("k2", raised.alert_id), "ann")
    assert (reason, "acknowledged by eve" in words) == ("ALREADY_DECIDED", True)
    await floor.call("EchoMeters", echo(SEED, 4))
    reason, words = await floor.refusal("AcknowledgeAlert", acknowledgement("k3", raised.alert_id), "ann")
    assert (reason, "cleared by service:progressives" in words) == ("ALREADY_DECIDED", True)
    reason, words = await floor.refusal("AcknowledgeAlert", acknowledgement("k4", "A-0"), "ann")
    assert (reason, "'A-0'" in words) == ("ALERT_UNKNOWN", True)
    assert await states(floor) == [RAISED, ACKNOWLEDGED, CLEARED]
