"""The stream's contract: the window held, one stream a source, gaps named, silence seen."""

import asyncio
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import rounds_service_pb2 as pb
from clients.sdk.refusals import RefusedByServer
from clients.sdk.stream import RoundsStream
from services.rounds import rpc
from services.rounds.vigil import State, Vigil
from services.runtime import steps
from tests.databases import Database
from tests.rounds.conftest import ANN, OPENED, PROPERTY, TABLE, Rounds, event, running, wager, whole
from tests.rounds.streams import client, register, shoe, shoes, sources, talking

WINDOW = 10


def writer_of(rounds: Rounds) -> asyncio.Lock:
    """The lock without which the property's writer commits nothing."""
    return rounds.service.feed("rounds", PROPERTY).lock


def duplicates(said: pb.StreamRoundsResponse) -> list[int]:
    """The sequences answered, all of them as DUPLICATE."""
    assert {each.kind for each in said.answers} == {pb.ANSWER_KIND_DUPLICATE}
    return [each.sequence for each in said.answers]


async def test_a_whole_window_may_be_under_way(database: Database, home: Path) -> None:
    """As many events as the window grants are taken, whatever batches they come in."""
    async with running(database, home, stream_window=WINDOW) as rounds, talking(rounds, 1) as talk:
        assert talk.window == WINDOW
        async with writer_of(rounds):
            await talk.batch(1, [shoe(n) for n in range(1, 7)])
            await talk.batch(7, [shoe(n) for n in range(7, 11)])
        assert [await talk.durable(), await talk.durable()] == [6, 10]


async def test_more_than_the_window_ends_the_stream_and_loses_nothing(database: Database, home: Path) -> None:
    """WINDOW_EXCEEDED comes with RetryInfo, after the answers to what was taken; the batch too many is not taken."""
    async with running(database, home, stream_window=WINDOW) as rounds:
        async with talking(rounds, 1) as talk:
            async with writer_of(rounds):
                await talk.batch(1, [shoe(n) for n in range(1, 7)])
                await talk.batch(7, [shoe(n) for n in range(7, 12)])
                await asyncio.sleep(0.1)
            assert await talk.durable() == 6
            with pytest.raises(RefusedByServer, match="Expected at most 10 events under way, got 11") as refused:
                await talk.answer()
        assert (refused.value.reason, refused.value.code) == ("WINDOW_EXCEEDED", grpc.StatusCode.RESOURCE_EXHAUSTED)
        assert refused.value.retry_after == 1
        assert refused.value.retriable
        async with talking(rounds, 1) as talk:
            await talk.batch(7, [shoe(n) for n in range(7, 12)])
            assert await talk.durable() == 11
        assert [number for _, number in await shoes(rounds)] == list(range(1, 12))


async def test_a_batch_has_at_most_four_mebibytes(rounds: Rounds) -> None:
    """What is larger is refused, saying what was expected and what was given."""
    async with talking(rounds, 1) as talk:
        await talk.batch(1, [bytes((4 << 20) + 1)])
        with pytest.raises(RefusedByServer, match="at most 4194304 bytes of events, got 4194305"):
            await talk.answer()


async def test_a_later_epoch_ends_the_stream_of_an_earlier_one(rounds: Rounds) -> None:
    """A stream that is idle, too, is told at once that another has taken over."""
    async with talking(rounds, 1) as first, talking(rounds, 2) as second:
        with pytest.raises(RefusedByServer, match="Expected epoch 2 or later of source pit-1, got 1") as refused:
            await first.answer()
        assert (refused.value.reason, refused.value.code) == ("EPOCH_STALE", grpc.StatusCode.FAILED_PRECONDITION)
        await second.batch(1, [shoe(1)])
        assert await second.durable() == 1


async def test_a_single_call_in_a_later_epoch_ends_the_stream_too(rounds: Rounds) -> None:
    """It is the epoch that fences, not the kind of call."""
    async with talking(rounds, 1) as first:
        await rounds.submit([shoe(1)], hello=rounds.hello(2))
        with pytest.raises(RefusedByServer, match="EPOCH_STALE"):
            await first.answer()


async def test_what_waits_of_an_earlier_epoch_is_not_recorded(rounds: Rounds) -> None:
    """A batch that comes to the writer after a later epoch's hello is refused, though it was sent before."""
    async with talking(rounds, 1) as first:
        async with writer_of(rounds):
            later = asyncio.create_task(rounds.submit([shoe(2)], hello=rounds.hello(2)))
            await asyncio.sleep(0.1)
            await first.batch(1, [shoe(1)])
            await asyncio.sleep(0.1)
        assert (await later).durable_through_sequence == 1
        with pytest.raises(RefusedByServer, match="EPOCH_STALE"):
            await first.answer()
    assert [number for _, number in await shoes(rounds)] == [2]


async def test_the_later_of_two_streams_of_one_epoch_goes_on(rounds: Rounds) -> None:
    """The same epoch twice is a source that connects anew: it resumes, and the earlier stream ends."""
    async with talking(rounds, 1) as first:
        await first.batch(1, [shoe(1), shoe(2)])
        assert await first.durable() == 2
        async with talking(rounds, 1) as second:
            with pytest.raises(RefusedByServer, match="Expected epoch 2 or later"):
                await first.answer()
            await second.batch(3, [shoe(3)])
            assert await second.durable() == 3
    assert [number for _, number in await shoes(rounds)] == [1, 2, 3]


async def test_two_clients_of_one_source_do_not_take_over_from_each_other_for_ever(rounds: Rounds) -> None:
    """Who was welcomed and is fenced gives up with EPOCH_STALE."""
    async with client(rounds) as casino:
        first = await RoundsStream(casino, PROPERTY, "pit-1").__aenter__()
        await first.send(shoe(1))
        await first.drain()
        async with RoundsStream(casino, PROPERTY, "pit-1") as second:
            await second.send(shoe(2))
            await second.drain()
            with pytest.raises(RefusedByServer, match="EPOCH_STALE"):
                await told(first)
        assert second.epoch > first.epoch
    assert [number for _, number in await shoes(rounds)] == [1, 2]


async def test_a_stream_that_says_nothing_is_ended(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    """No hello in time: named, and nothing is kept of it."""
    monkeypatch.setattr(rpc, "HELLO_SECONDS", 0.1)
    call = rounds.stub.StreamRounds(metadata=ANN, timeout=20)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call.read()
    assert RefusedByServer.read(refused.value).reason == "HANDSHAKE_MISSING"
    assert refused.value.details() == "Expected a hello within 0.1 seconds, got nothing."


async def test_two_clients_that_chose_one_epoch_lose_nothing(rounds: Rounds) -> None:
    """What the other has sent in it is not taken for one's own: the second goes on in an epoch of its own."""
    async with client(rounds) as casino:
        casino.rounds = Overtaken(casino.rounds, rounds)  # type: ignore[assignment]  # a stub but for one method
        async with RoundsStream(casino, PROPERTY, "pit-1") as stream:
            for number in range(11, 16):
                await stream.send(shoe(number))
            await stream.drain()
        assert (stream.epoch, stream.connections) == (2, 2)
    assert [number for _, number in await shoes(rounds)] == [*range(1, 11), *range(11, 16)]


class Overtaken:
    """The services' stub; between the first answer to where the source stands and the next call another client of it
    sends ten events in the epoch that both must choose.
    """

    def __init__(self, stub: Any, rounds: Rounds) -> None:
        self._stub, self._rounds, self._asked = stub, rounds, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stub, name)

    async def GetIngestPosition(self, request: pb.GetIngestPositionRequest, **how: Any) -> Any:  # noqa: N802
        """What the service says."""
        said, self._asked = await self._stub.GetIngestPosition(request, **how), self._asked + 1
        if self._asked == 1:
            async with talking(self._rounds, said.source_epoch + 1) as other:
                await other.batch(1, [shoe(number) for number in range(1, 11)])
                assert await other.durable() == 10
        return said


async def told(stream: RoundsStream) -> None:
    """Sends until the stream knows of its end."""
    while True:
        await stream.send(shoe(3))
        await asyncio.sleep(0.01)


async def test_missing_sequences_are_named_until_they_come(rounds: Rounds) -> None:
    """After a GAP nothing is kept; the missing events or a gap fill let the stream go on."""
    async with talking(rounds, 1) as talk:
        await talk.batch(3, [shoe(3)])
        await talk.batch(4, [shoe(4)])
        said = [await talk.answer(), await talk.answer()]
        assert [(a.missing_from, a.missing_to) for one in said for a in one.answers] == [(1, 2), (1, 3)]
        await talk.batch(1, [shoe(1)])
        await talk.fill(2, 2)
        await talk.batch(3, [shoe(3), shoe(4)])
        assert [await talk.durable() for _ in range(3)] == [1, 2, 4]
        await talk.batch(3, [shoe(3), shoe(4)])
        again = await talk.answer()
        assert [(a.sequence, a.kind) for a in again.answers] == [
            (3, pb.ANSWER_KIND_DUPLICATE),
            (4, pb.ANSWER_KIND_DUPLICATE),
        ]
    assert [number for _, number in await shoes(rounds)] == [1, 3, 4]


async def test_a_heartbeat_shows_a_lost_tail(rounds: Rounds) -> None:
    """What the source says it has sent and has not arrived is a gap."""
    async with talking(rounds, 1) as talk:
        await talk.batch(1, [shoe(1)])
        await talk.heartbeat(4)
        assert await talk.durable() == 1
        [gap] = (await talk.answer()).answers
        assert (gap.kind, gap.missing_from, gap.missing_to) == (pb.ANSWER_KIND_GAP, 2, 4)
        seen = (await sources(rounds))["pit-1"]
        assert (seen.last_sequence, seen.missing_from, seen.missing_to) == (4, 2, 4)


async def test_a_silent_source_is_degraded_until_it_speaks(database: Database, home: Path) -> None:
    """The status names its tables, its last sequence and for how long it has been silent."""
    async with running(database, home, source_silent_seconds=1) as rounds:
        async with talking(rounds, 1) as talk:
            await talk.batch(1, [shoe(1), shoe(2)])
            await talk.durable()
            assert (await sources(rounds))["pit-1"].state == pb.SOURCE_STATE_STREAMING
            await asyncio.sleep(1.05)
            seen = (await sources(rounds))["pit-1"]
            assert seen.state == pb.SOURCE_STATE_SILENT
            assert (list(seen.table_ids), seen.last_sequence, seen.silent_seconds) == (["BAC-01"], 2, 1)
            await talk.heartbeat(2)
            await talk.answer()
            assert (await sources(rounds))["pit-1"].state == pb.SOURCE_STATE_STREAMING
            await talk.call.done_writing()
            with pytest.raises(RefusedByServer, match="ENDED"):
                await talk.answer()
        assert (await sources(rounds))["pit-1"].state == pb.SOURCE_STATE_IDLE


def test_who_broke_off_stays_expected_and_who_said_farewell_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence after a broken connection is trouble, silence after the stream's end is none."""
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    vigil, stream = Vigil(30), Silent()
    vigil.begin("a", stream)
    vigil.end("a", stream, farewell=False)
    vigil.begin("b", stream)
    vigil.end("b", stream, farewell=True)
    now = 29.0
    assert vigil.degraded() == []
    now = 30.0
    assert vigil.degraded() == ["a"]
    vigil.spoke("a")
    assert vigil.degraded() == []


def test_a_gap_that_nobody_fills_is_degraded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A source that speaks and whose sequences stay missing is degraded until they come."""
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    vigil = Vigil(30)
    vigil.begin("a", Silent())
    vigil.arrived("a", 1, 4, [(2, 4)], ())
    now = 30.0
    vigil.spoke("a")
    assert vigil.seen("a").state == State.GAP
    vigil.arrived("a", 4, 4, [], ())
    assert vigil.seen("a").state == State.STREAMING


class Silent:
    """A stream of which nothing is wanted."""

    epoch, under_way = 1, 0

    def end(self, refusal: Exception) -> None:
        """Nothing is told."""


async def test_a_stream_ends_politely_at_its_age_and_the_client_resumes(database: Database, home: Path) -> None:
    """What was under way comes through once, over as many connections as it takes."""
    async with running(database, home, max_connection_age_seconds=1) as rounds, client(rounds) as casino:
        async with RoundsStream(casino, PROPERTY, "pit-1") as stream:
            number = 0
            while stream.connections < 3:
                number += 1
                await stream.send(shoe(number))
                await asyncio.sleep(0.01)
        assert [each for _, each in await shoes(rounds)] == list(range(1, number + 1))


async def test_the_age_is_told_with_when_to_come_again(database: Database, home: Path) -> None:
    """UNAVAILABLE with RetryInfo, and a sentence that says why."""
    async with running(database, home, max_connection_age_seconds=1) as rounds, talking(rounds, 1) as talk:
        with pytest.raises(RefusedByServer, match="reached its age of 1 seconds") as refused:
            await talk.answer()
        assert (refused.value.code, refused.value.retry_after) == (grpc.StatusCode.UNAVAILABLE, 1)


async def test_a_lost_acknowledgement_doubles_nothing(rounds: Rounds) -> None:
    """The commit stands although its answer never came: later batches go on, a repeat is DUPLICATE."""
    committed = asyncio.Event()

    async def hang(step: str) -> None:
        if step == "rounds.before_answer":
            committed.set()
            await asyncio.Event().wait()

    async with talking(rounds, 1) as talk:
        steps.on_step(hang)
        try:
            await talk.batch(1, [shoe(1), shoe(2)])
            await asyncio.wait_for(committed.wait(), 10)
        finally:
            steps.on_step(None)
    async with talking(rounds, 1) as talk:
        await talk.batch(3, [shoe(3)])
        await talk.batch(2, [shoe(2), shoe(3), shoe(4)])
        assert (await talk.answer()).durable_through_sequence == 3
        said = await talk.answer()
        assert [(a.sequence, a.kind) for a in said.answers] == [
            (2, pb.ANSWER_KIND_DUPLICATE),
            (3, pb.ANSWER_KIND_DUPLICATE),
        ]
    assert [number for _, number in await shoes(rounds)] == [1, 2, 3, 4]


async def test_status_names_the_oldest_round_without_a_result(rounds: Rounds) -> None:
    """Rounds that are over are not named; the first that was opened and goes on is."""
    opened = [floor.RoundOpened(table_id=TABLE, shoe=1, round_no=number) for number in (2, 3)]
    for body in opened:
        body.opened_at.FromDatetime(OPENED + timedelta(seconds=body.round_no))
    said = await rounds.submit([event(whole(1)), *(event(body) for body in opened)])
    assert not said.answers
    [intake] = (await rounds.call("GetStatus", pb.GetStatusRequest(detailed=True))).intakes
    assert intake.oldest_unfinished.round_no == 2
    assert intake.oldest_unfinished_opened_at == opened[0].opened_at


async def test_status_tells_what_is_open(rounds: Rounds) -> None:
    """Held facts without a decision are counted; a registered source that never spoke is idle."""
    await register(rounds, "pit-2")
    await rounds.submit([b"\xff", event(whole(1, wagers=[wager(1), wager(2, "no.such")]))])
    answer = await rounds.call("GetStatus", pb.GetStatusRequest(detailed=True))
    [intake] = answer.intakes
    assert (intake.property_id, intake.waiting_events, intake.held_open) == (PROPERTY, 0, 1)
    assert not intake.HasField("oldest_unfinished")
    assert {each.source_id: each.state for each in intake.sources} == dict.fromkeys(
        ("pit-1", "pit-2"), pb.SOURCE_STATE_IDLE
    )
    assert [lag.feed for lag in answer.status.properties[0].lags] == ["submissions"]
