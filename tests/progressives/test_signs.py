"""Signs: what they are shown, what they tell, and the alerts that follow, over real gRPC and Postgres."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from casino.progressives.v1 import entries_pb2
from casino.progressives.v1 import progressives_service_pb2 as pb
from clients.sdk.client import SERVICES, Casino
from services.kernel import errors
from services.progressives.signs import FRAMES_KEPT, SILENT_SECONDS, STALE_SECONDS, Frames, Told
from services.progressives.state import Standing, State
from services.runtime.steps import on_step
from tests.builders import wager_on
from tests.databases import Database
from tests.progressives.conftest import Hands, Progressives, by, served
from tests.progressives.recorded import CODE, DAY, NOW, OTHER, PROPERTY, TABLE, WHOLE, Upstream, day_opened, part

RAISED, CLEARED = entries_pb2.ALERT_STATE_RAISED, entries_pb2.ALERT_STATE_CLEARED
DIFFERS, SILENT = entries_pb2.ALERT_KIND_SIGN_DIFFERS, entries_pb2.ALERT_KIND_SIGN_SILENT
SEED = 1_000_000


@pytest.fixture
def hands() -> Hands:
    """The clock of the service."""
    return Hands()


@pytest.fixture
async def floor(database: Database, home: Path, upstream: Upstream, hands: Hands) -> AsyncIterator[Progressives]:
    """The service with one link in play, its meter at its seed at revision 4."""
    async with served(database, home, upstream.port, hands) as made:
        await made.approved()
        await made.entries(await upstream.rounds.record(day_opened()))
        yield made


async def play(floor: Progressives, upstream: Upstream, *numbers: int) -> None:
    """Rounds with a contribution of fifty cents each."""
    for number in numbers:
        await floor.entries(await upstream.rounds.record(part("whole_round", number, wager_on(CODE, 500))))


def echo(cents: int, revision: int, level: str = "mega", **given: Any) -> pb.EchoMetersRequest:
    """What a sign says it shows."""
    shown = pb.ShownValue(level=level, display_cents=cents, revision=revision)
    said = {"property_id": PROPERTY, "sign_id": "SIGN-1", "link_id": "H9", "shown": [shown], **given}
    return pb.EchoMetersRequest(**said)


async def alerts(floor: Progressives) -> list[entries_pb2.Alert]:
    """The latest state of every alert."""
    return list((await floor.call("ListAlerts", pb.ListAlertsRequest(property_id=PROPERTY))).alerts)


async def alerted(floor: Progressives, state: int, kind: int) -> entries_pb2.Alert:
    """The alert of a kind once it is in a state."""
    async with asyncio.timeout(10):
        while True:
            for each in await alerts(floor):
                if (each.state, each.kind) == (state, kind):
                    return each
            await asyncio.sleep(0.1)


async def entered(floor: Progressives) -> list[tuple[int, int]]:
    """Kind and state of each entry of an alert, in order."""
    found = [each.alert for each in await floor.entries(0) if each.HasField("alert")]
    return [(each.kind, each.state) for each in found]


async def test_a_sign_that_shows_the_meter_raises_nothing(floor: Progressives, upstream: Upstream) -> None:
    """Neither the value as it stands nor one it had within the last thirty seconds is an alert."""
    answer = await floor.call("EchoMeters", echo(SEED, 4))
    assert (list(answer.alerts), answer.silent_after_seconds) == ([], SILENT_SECONDS)
    await play(floor, upstream, 1)
    assert not (await floor.call("EchoMeters", echo(SEED, 4))).alerts
    assert not (await floor.call("EchoMeters", echo(SEED + 50, 5))).alerts
    assert await entered(floor) == []


async def test_a_sign_that_shows_another_value_is_told_once_until_it_is_right(
    floor: Progressives, upstream: Upstream
) -> None:
    """One alert for sign and level however often it is wrong; cleared with the rounds played since the revision."""
    await play(floor, upstream, 1, 2)
    (raised,) = (await floor.call("EchoMeters", echo(SEED + 51, 5))).alerts
    assert (raised.kind, raised.state, raised.link_id, raised.level, raised.sign_id) == (
        *(DIFFERS, RAISED, "H9"),
        *("mega", "SIGN-1"),
    )
    assert (raised.shown_cents, raised.expected_cents, raised.rounds_played) == (SEED + 51, SEED + 50, 1)
    assert "revision 5" in raised.message
    await play(floor, upstream, 3)
    (same,) = (await floor.call("EchoMeters", echo(SEED + 77, 5))).alerts
    assert same == raised
    assert not (await floor.call("EchoMeters", echo(SEED + 150, 8))).alerts
    cleared = await alerted(floor, CLEARED, DIFFERS)
    assert (cleared.alert_id, cleared.rounds_played) == (raised.alert_id, 2)
    (again,) = (await floor.call("EchoMeters", echo(1, 8))).alerts
    assert again.alert_id != raised.alert_id
    assert await entered(floor) == [(DIFFERS, RAISED), (DIFFERS, CLEARED), (DIFFERS, RAISED)]
    assert await floor.wrong() == []


@pytest.mark.parametrize("revision", [2, 3, 99, -1])
async def test_a_revision_that_the_meter_never_had_is_wrong(floor: Progressives, revision: int) -> None:
    """Positions of other entries and positions to come are no revisions of a meter."""
    (raised,) = (await floor.call("EchoMeters", echo(SEED, revision))).alerts
    assert (raised.kind, raised.expected_cents, raised.rounds_played) == (DIFFERS, SEED, 0)
    assert "never had" in raised.message


async def test_a_sign_that_stays_behind_is_stale_after_thirty_seconds(
    floor: Progressives, upstream: Upstream, hands: Hands
) -> None:
    """The time counts from when the meter left what the sign shows, however old the revision is."""
    hands.forward(seconds=1000)
    await floor.call("EchoMeters", echo(SEED, 4))
    await play(floor, upstream, 1)
    hands.forward(seconds=STALE_SECONDS)
    assert not (await floor.call("EchoMeters", echo(SEED, 4))).alerts
    hands.forward(seconds=1)
    (raised,) = (await floor.call("EchoMeters", echo(SEED, 4))).alerts
    assert (raised.kind, raised.shown_cents, raised.expected_cents) == (DIFFERS, SEED, SEED + 50)
    assert raised.rounds_played == 1


async def test_what_moves_below_the_cent_makes_no_sign_stale(
    floor: Progressives, upstream: Upstream, hands: Hands
) -> None:
    """A sign is held against cents, however old the revision is that it shows."""
    await floor.entries(await upstream.rounds.record(part("whole_round", 1, wager_on(CODE, 5))))
    assert (await floor.meter()).revision == 5
    hands.forward(seconds=3600)
    assert not (await floor.call("EchoMeters", echo(SEED, 4))).alerts


async def test_a_watched_value_is_right_without_the_journal(floor: Progressives, upstream: Upstream) -> None:
    """What was shown to a sign lately is held against what it was shown, to the cent."""
    request = pb.WatchMetersRequest(property_id=PROPERTY, link_id="H9")
    stream = floor.stub.WatchMeters(request, metadata=by("sign"), timeout=10)
    (first,) = (await stream.read()).meters
    await play(floor, upstream, 1)
    assert not (await floor.call("EchoMeters", echo(first.display_cents, first.revision))).alerts
    (raised,) = (await floor.call("EchoMeters", echo(first.display_cents + 1, first.revision))).alerts
    assert raised.expected_cents == first.display_cents
    stream.cancel()


async def test_a_silent_sign_is_missed_and_comes_back(floor: Progressives, upstream: Upstream, hands: Hands) -> None:
    """After sixty seconds without a word; cleared by the next one with the rounds played since the last."""
    await floor.call("EchoMeters", echo(SEED, 4))
    await play(floor, upstream, 1, 2)
    hands.forward(seconds=SILENT_SECONDS + 1)
    raised = await alerted(floor, RAISED, SILENT)
    assert (raised.sign_id, raised.link_id, raised.level, raised.rounds_played) == ("SIGN-1", "H9", "", 2)
    await play(floor, upstream, 3)
    reading = await floor.meter()
    assert not (await floor.call("EchoMeters", echo(reading.display_cents, reading.revision))).alerts
    cleared = await alerted(floor, CLEARED, SILENT)
    assert (cleared.alert_id, cleared.rounds_played) == (raised.alert_id, 3)
    assert await entered(floor) == [(SILENT, RAISED), (SILENT, CLEARED)]


async def test_a_restart_remembers_signs_and_alerts(
    database: Database, home: Path, upstream: Upstream, hands: Hands
) -> None:
    """A sign has its sixty seconds anew, and what was raised before lasts and is not raised again."""
    async with served(database, home, upstream.port, hands) as first:
        await first.approved()
        await first.entries(await upstream.rounds.record(day_opened()))
        (raised,) = (await first.call("EchoMeters", echo(1, 4))).alerts
    hands.forward(seconds=10 * SILENT_SECONDS)
    async with served(database, home, upstream.port, hands) as second:
        await asyncio.sleep(1.5)
        assert await entered(second) == [(DIFFERS, RAISED)]
        hands.forward(seconds=SILENT_SECONDS + 1)
        await alerted(second, RAISED, SILENT)
        assert list((await second.call("EchoMeters", echo(1, 4))).alerts) == [raised]
        assert await entered(second) == [(DIFFERS, RAISED), (SILENT, RAISED), (SILENT, CLEARED)]


@pytest.mark.parametrize("step", ["before_commit", "after_commit"])
async def test_an_alert_is_entered_once_whatever_fails(floor: Progressives, step: str) -> None:
    """A sign that repeats what it said after a failure finds the alert raised once, committed before or not."""
    failed: list[str] = []

    async def fail(reached: str) -> None:
        if reached == f"progressives.{step}" and not failed:
            failed.append(reached)
            raise ConnectionError("the database went away")

    on_step(fail)
    try:
        answer = await floor.call("EchoMeters", echo(1, 4))
    finally:
        on_step(None)
    assert failed
    assert [each.kind for each in answer.alerts] == [DIFFERS]
    assert await entered(floor) == [(DIFFERS, RAISED)]


REFUSALS: tuple[tuple[dict[str, Any], type[errors.Refusal]], ...] = (
    ({"sign_id": ""}, errors.InvalidRequest),
    ({"link_id": "X"}, errors.LinkUnknown),
    ({"level": "mini"}, errors.InvalidRequest),
    ({"shown": []}, errors.InvalidRequest),
    ({"shown": [pb.ShownValue(level="mega")] * 2}, errors.InvalidRequest),
)


async def test_an_echo_that_means_nothing_is_refused(floor: Progressives) -> None:
    """A sign has a name, and shows levels of a link that is in force, each once."""
    for given, refusal in REFUSALS:
        reason, words = await floor.refusal("EchoMeters", echo(SEED, 4, **given))
        assert reason == refusal().reason
        assert "expected" in words
    assert await entered(floor) == []


async def test_a_retired_link_has_no_signs(database: Database, home: Path, upstream: Upstream, hands: Hands) -> None:
    """What signs of a link were alerted for is over with the link, and nobody waits for them any more."""
    async with served(database, home, upstream.port, hands) as floor:
        await floor.approved(table_ids=[TABLE])
        await floor.approved(request_id="p2", link_id="HEIR", table_ids=[OTHER])
        await floor.entries(await upstream.rounds.record(day_opened()))
        revision = (await floor.meter()).revision
        (raised,) = (await floor.call("EchoMeters", echo(1, revision))).alerts
        heirs = [entries_pb2.MeterHeir(level="mega", to_link_id="HEIR", to_level="mega")]
        tomorrow = DAY + timedelta(days=1)
        subject = entries_pb2.Retirement(link_id="H9", effective_from=tomorrow.isoformat(), heirs=heirs)
        await floor.decide("d1", retirement=subject)
        await floor.entries(await upstream.rounds.record(day_opened(tomorrow)))
        assert (await alerted(floor, CLEARED, DIFFERS)).alert_id == raised.alert_id
        assert (await floor.refusal("EchoMeters", echo(1, revision)))[0] == "LINK_OUT_OF_STATE"
        hands.forward(seconds=SILENT_SECONDS + 1)
        await asyncio.sleep(1.5)
        assert await entered(floor) == [(DIFFERS, RAISED), (DIFFERS, CLEARED)]


async def test_a_sign_is_told_of_what_moves_no_reading(floor: Progressives, upstream: Upstream) -> None:
    """A payment leaves the meter where it is, and brings the frame without the pending jackpot."""
    request = pb.WatchMetersRequest(property_id=PROPERTY, link_id="H9")
    stream = floor.stub.WatchMeters(request, metadata=by("sign"), timeout=20)
    (seeded,) = (await stream.read()).meters
    await floor.entries(await upstream.rounds.record(part("whole_round", 1, wager_on(CODE, 500), cards=WHOLE)))
    (hit,) = (await stream.read()).meters
    assert (hit.pending_jackpots, hit.hits, hit.revision > seeded.revision) == (1, 1, True)
    for method, asked, who in payment((await floor.jackpots())[0].jackpot_id):
        await floor.call(method, asked, who)
    (paid,) = (await stream.read()).meters
    assert (paid.pending_jackpots, paid.revision) == (0, hit.revision)
    assert paid.paid_by_attendant_cents == SEED + 50
    stream.cancel()


def payment(jackpot_id: str) -> list[tuple[str, Any, str]]:
    """The calls from the claim of a jackpot to its payment, each with who makes it."""
    of_property = {"property_id": PROPERTY}
    payee = pb.Payee(name="Pat Doe", address="1 Main St", tax_number="000-00-0000", identification="licence 7")
    of_jackpot = {**of_property, "jackpot_id": jackpot_id}
    return [
        ("ClaimJackpot", pb.ClaimJackpotRequest(request_id="c1", table_id=TABLE, seat=1, **of_property), "ann"),
        ("VerifyJackpot", pb.VerifyJackpotRequest(request_id="v1", rank="floorperson", **of_jackpot), "bob"),
        ("PayJackpot", pb.PayJackpotRequest(request_id="y1", payee=payee, **of_jackpot), "cat"),
    ]


async def test_a_watch_of_meters_goes_on_after_its_age(database: Database, home: Path, upstream: Upstream) -> None:
    """The call ends at its age and is made again: all meters as they stand then, and what moved meanwhile with them."""
    async with served(database, home, upstream.port, CASINO_MAX_CONNECTION_AGE_SECONDS="1") as floor:
        await floor.approved()
        await floor.entries(await upstream.rounds.record(day_opened()))
        request = pb.WatchMetersRequest(property_id=PROPERTY, link_id="H9")
        async with Casino(dict.fromkeys(SERVICES, f"127.0.0.1:{floor.service.port}"), "sign") as casino:
            again = casino.stream_again("the meters", lambda: casino.stream(casino.progressives.WatchMeters, request))
            async with aclosing(again) as frames:
                (first,) = (await anext(frames)).meters
                (same,) = (await anext(frames)).meters
                await play(floor, upstream, 1)
                (moved,) = (await anext(frames)).meters
    assert first == same
    assert moved.display_cents == SEED + 50


def test_a_watcher_is_told_of_its_link_alone() -> None:
    """A frame has the meters that stand otherwise than this watcher was told, and no others."""
    told, other = Told("H9"), Told("")
    state = State(meters={("H8", "mega"): Standing(revision=1), ("H9", "mega"): Standing(revision=2)})
    assert told.news(state) == [("H9", "mega")]
    assert other.news(state) == [("H8", "mega"), ("H9", "mega")]
    state.meters["H8", "mega"] = Standing(revision=1, pending=1)
    assert told.news(state) == []
    assert other.news(state) == [("H8", "mega")]
    assert other.news(state) == []


def test_only_the_last_frames_are_remembered() -> None:
    """What a sign echoes later than that is looked up in the journal."""
    frames, name = Frames(), ("H9", "mega")
    for revision in range(1, FRAMES_KEPT + 2):
        frames.add({name: Standing(revision=revision)}, NOW)
    assert frames.at(name, 1) is None
    assert frames.at(name, FRAMES_KEPT + 1) is not None
    assert frames.at(("H9", "mini"), 2) is None
