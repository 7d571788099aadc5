"""A source's stream: nothing lost, nothing doubled, whatever breaks."""

import asyncio
from typing import Any

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.floor.v1 import events_pb2
from casino.rounds.v1 import rounds_service_pb2 as pb
from clients.sdk import stream as stream_module
from clients.sdk.client import Casino
from clients.sdk.refusals import Patience, RefusedByServer
from clients.sdk.stream import Answered, RoundsStream
from services.kernel import errors
from tests.clients.peer import Break, Peer, serving


def events(count: int) -> list[bytes]:
    """So many different events."""
    return [
        events_pb2.Event(shoe_changed=events_pb2.ShoeChanged(table_id="T", shoe=shoe)).SerializeToString()
        for shoe in range(1, count + 1)
    ]


async def send_all(casino: Casino, count: int) -> tuple[RoundsStream, list[Answered]]:
    """The stream after everything is durable, and its answers."""
    async with RoundsStream(casino, "P", "source", patience=10) as stream:
        for event in events(count):
            await stream.send(event)
        await stream.drain()
        return stream, stream.answered()


async def test_stream_sends_in_order_and_waits_for_the_disk() -> None:
    """Draining returns once every event is durable; plain acceptance gives no answer."""
    peer = Peer()
    async with serving(peer) as casino:
        stream, answers = await send_all(casino, 100)
    assert peer.kept == events(100)
    assert (stream.sent, stream.durable, answers) == (100, 100, [])
    assert peer.principals == {"floor"}


async def test_window_is_never_exceeded() -> None:
    """No more events are under way than the service grants."""
    peer = Peer(window=7)
    async with serving(peer) as casino:
        await send_all(casino, 100)
    assert 0 < peer.most_under_way <= 7


async def test_events_that_were_not_kept_are_sent_again_in_a_new_epoch() -> None:
    """After a break sequences begin at 1 under the next epoch, with the first event that is not durable."""
    peer = Peer(breaks=[Break(2, kept=False)])
    async with serving(peer) as casino:
        stream, answers = await send_all(casino, 50)
    assert peer.kept == events(50)
    assert peer.epochs == [1, 2]
    assert all(list(range(1, len(sent) + 1)) == sent for sent in peer.sequences)
    assert (stream.connections, answers) == (2, [])


async def test_duplicates_of_the_stream_itself_are_told_apart() -> None:
    """An event kept just before the break is sent again, and its DUPLICATE is marked as resent."""
    peer = Peer(breaks=[Break(1, kept=True)])
    async with serving(peer) as casino:
        _, answers = await send_all(casino, 5)
    assert peer.kept == events(5)
    assert answers
    assert {(each.answer.kind, each.resent) for each in answers} == {(pb.ANSWER_KIND_DUPLICATE, True)}


async def test_duplicates_of_an_earlier_run_are_not_marked_as_resent() -> None:
    """What an earlier stream had sent is a duplicate of the caller's."""
    peer = Peer(kept=events(3))
    async with serving(peer) as casino:
        _, answers = await send_all(casino, 5)
    assert [(each.number, each.resent) for each in answers] == [(1, False), (2, False), (3, False)]


async def test_answers_name_the_callers_event() -> None:
    """An answer by sequence comes back with the number and the bytes of the event, over connections too."""
    wanted = events(60)[44]

    def hold(event: bytes, sequence: int) -> pb.Answer | None:
        said = pb.Answer(sequence=sequence, kind=pb.ANSWER_KIND_HELD, reason="WAGER_LATE", wager_no=2)
        return said if event == wanted else None

    peer = Peer(breaks=[Break(2, kept=False)], answer=hold)
    async with serving(peer) as casino:
        _, answers = await send_all(casino, 60)
    assert [(each.number, each.event, each.answer.reason) for each in answers] == [(45, wanted, "WAGER_LATE")]


async def test_gap_makes_the_stream_begin_anew() -> None:
    """A missing sequence stores nothing, so what is not durable is sent again."""
    told: list[int] = []

    def gap_once(event: bytes, sequence: int) -> pb.Answer | None:
        if sequence == 1 and not told:
            told.append(sequence)
            return pb.Answer(sequence=1, kind=pb.ANSWER_KIND_GAP, missing_from=1, missing_to=1)
        return None

    peer = Peer(answer=gap_once)
    async with serving(peer) as casino:
        stream, answers = await send_all(casino, 1)
    assert stream.durable == 1
    assert [each.answer.kind for each in answers] == [pb.ANSWER_KIND_GAP]


async def test_refusal_that_is_final_ends_the_stream() -> None:
    """A source that is not registered is said so to whoever sends."""
    async with serving(Peer(refusals=[errors.SourceUnknown()] * 3)) as casino:
        with pytest.raises(RefusedByServer, match="SOURCE_UNKNOWN"):
            await send_all(casino, 1)


async def test_idle_stream_tells_the_last_sequence_it_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heartbeats carry the last sequence sent, so that a lost tail is seen."""
    monkeypatch.setattr(stream_module, "HEARTBEAT_SECONDS", 0.05)
    peer = Peer()
    async with serving(peer) as casino, RoundsStream(casino, "P", "source") as stream:
        for event in events(3):
            await stream.send(event)
        await stream.drain()
        async with asyncio.timeout(10):
            assert await peer.heartbeat.get() == 3


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.builds(Break, st.integers(1, 4), st.booleans()), max_size=3),
    st.integers(1, 30),
    st.integers(1, 120),
)
async def test_every_event_is_kept_once_and_in_order(breaks: list[Break], window: int, count: int) -> None:
    """Wherever connections break, the service ends with every event once, in the caller's order."""
    peer = Peer(window=window, breaks=list(breaks))
    async with serving(peer) as casino:
        stream, _ = await send_all(casino, count)
    assert peer.kept == events(count)
    assert stream.durable == count


async def test_client_ends_its_stream_of_its_own_accord() -> None:
    """At the end the service sees the stream closed and not broken, and expects nothing more of the source."""
    peer = Peer()
    async with serving(peer) as casino:
        await send_all(casino, 3)
        assert peer.farewells == 1


async def test_client_that_was_welcomed_and_fenced_gives_up() -> None:
    """Another stream of the source has taken over; to come back would only take over from that one."""
    peer = Peer(breaks=[Break(1, kept=False, refusal=errors.EpochStale("another stream has taken over"))])
    async with serving(peer) as casino:
        with pytest.raises(RefusedByServer, match="EPOCH_STALE"):
            await send_all(casino, 1)
    assert peer.epochs == [1]


async def test_window_refusal_is_tried_again() -> None:
    """RESOURCE_EXHAUSTED with RetryInfo: what is not acknowledged is sent again."""
    peer = Peer(breaks=[Break(1, kept=False, refusal=errors.WindowExceeded("too many"))])
    async with serving(peer) as casino:
        stream, _ = await send_all(casino, 30)
    assert peer.kept == events(30)
    assert stream.connections == 2


async def test_epoch_is_never_one_of_its_own_before() -> None:
    """A hello that the service has not seen yet does not make the next connection take its epoch."""
    peer = Peer(breaks=[Break(1, kept=False)], forgets_epochs=True)
    async with serving(peer) as casino:
        stream, _ = await send_all(casino, 3)
    assert (peer.epochs, stream.epoch) == ([1, 2], 2)


class Ended:
    """A call that ended with a status."""

    def __init__(self, code: grpc.StatusCode) -> None:
        self._code = code

    def done(self) -> bool:
        """It has ended."""
        return True

    async def code(self) -> grpc.StatusCode:
        """As what."""
        return self._code

    async def details(self) -> str:
        """Why."""
        return "Internal error from Core"

    async def trailing_metadata(self) -> grpc.aio.Metadata:
        """Nothing more."""
        return grpc.aio.Metadata()


@pytest.mark.parametrize(
    ("code", "retriable"),
    [
        (grpc.StatusCode.INTERNAL, True),
        (grpc.StatusCode.CANCELLED, True),
        (grpc.StatusCode.UNAVAILABLE, True),
        (grpc.StatusCode.FAILED_PRECONDITION, False),
    ],
)
async def test_message_written_while_the_stream_ends_breaks_the_connection_alone(
    code: grpc.StatusCode, retriable: bool
) -> None:
    """gRPC itself says INTERNAL then, and no service does: the stream is opened again."""
    call: Any = Ended(code)
    assert (await stream_module._ending(call)).retriable is retriable


async def test_batches_hold_at_most_four_mebibytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large events make smaller batches, and one that no batch can carry is refused before it is sent."""
    monkeypatch.setattr(stream_module, "LARGEST_BATCH_BYTES", 100)
    peer, large = Peer(), [bytes([number]) * 60 for number in range(5)]
    async with serving(peer) as casino, RoundsStream(casino, "P", "source") as stream:
        for event in large:
            await stream.send(event)
        with pytest.raises(errors.InvalidRequest, match="at most 100 bytes, given 101"):
            await stream.send(bytes(101))
        await stream.drain()
    assert peer.kept == large
    assert peer.largest_batch == 60


async def test_steps_are_told_around_every_message() -> None:
    """A test can delay or fail the stream before and after it sends."""
    told: list[str] = []

    async def tell(step: str) -> None:
        told.append(step)

    async with serving(Peer()) as casino, RoundsStream(casino, "P", "source", on_step=tell) as stream:
        await stream.send(events(1)[0])
        await stream.drain()
    assert told == ["stream.before_send", "stream.after_send"]


async def test_waits_are_never_shorter_than_asked_for_and_drawn_out_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    """RetryInfo is the least; many callers do not come back at once."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    asked = RefusedByServer("BUSY", "later", grpc.StatusCode.UNAVAILABLE, retry_after=1.0)
    for _ in range(50):
        await Patience(60).wait(asked)
    assert all(1.0 <= wait <= 1.25 for wait in waits)
    assert len(set(waits)) > 1
