"""A floor source's stream, as no source should speak: any messages in any order, any bytes as events."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import grpc
from google.protobuf.message import Message
from hypothesis import strategies as st

from casino.rounds.v1 import rounds_service_pb2 as pb
from tests.fuzz import bases
from tests.fuzz.house import METHODS, PATIENCE_SECONDS, PROPERTY, House, as_they_are, by, bytes_of
from tests.fuzz.oracle import ANSWERS, REASONS, Fault, judge, judge_sentence
from tests.fuzz.values import Draw, mutated, spoilt, texts

SOURCE = "THE-SOURCE"
"""Stands for a source of the example's own."""
SEQUENCES = (1, 1, 1, 2, 3, 7, 0, -1, 500, 2**31, 2**62, 2**63 - 1, -(2**63))
MOST = 501
LOST = grpc.StatusCode.INTERNAL, "Internal error from Core"
PAUSES = (0.02, 0.1, 0.5)
"""Seconds between two messages where the refusal was lost."""


class Talk(NamedTuple):
    """Messages in their order; whether the source then waits for the end, or is gone after so many answers."""

    messages: list[Message | bytes]
    waits: bool
    reads: int


class Submission(NamedTuple):
    """One batch by a unary call."""

    request: pb.SubmitEventsRequest


@st.composite
def talks(draw: Draw) -> Talk:
    """Mostly a hello first, and then anything."""
    first = [pb.StreamRoundsRequest(hello=draw(hellos()))] if draw(st.integers(0, 7)) else []
    rest = draw(st.lists(_messages(), max_size=6))
    return Talk([*first, *rest], draw(st.booleans()), draw(st.integers(0, 3)))


@st.composite
def submitted(draw: Draw) -> Submission:
    """A batch with its hello."""
    return Submission(pb.SubmitEventsRequest(hello=draw(hellos()), batch=draw(batches())))


@st.composite
def hellos(draw: Draw) -> pb.Hello:
    """A hello of the example's source, with an odd part in one of five."""
    made = pb.Hello(property_id=PROPERTY, source_id=SOURCE, source_epoch=1, protocol_version=1)
    return made if draw(st.integers(0, 4)) else draw(mutated(made))


@st.composite
def batches(draw: Draw) -> pb.EventBatch:
    """A few events; rarely none, or more than a batch may have."""
    some = draw(st.lists(raw_events(), min_size=1, max_size=4))
    many = draw(st.sampled_from((1,) * 12 + (0, MOST)))
    return pb.EventBatch(first_sequence=draw(st.sampled_from(SEQUENCES)), events=(some * many)[: MOST + 3])


@st.composite
def raw_events(draw: Draw) -> bytes:
    """The bytes of an event that is accepted, of one with a few parts otherwise, of one spoilt."""
    event = draw(st.sampled_from(bases.events()))
    kind = draw(st.integers(0, 5))
    if kind <= 3:
        event = draw(mutated(event))
    content = event.SerializeToString()
    return bytes(draw(spoilt(content)) if kind == 5 else content)


@st.composite
def _messages(draw: Draw) -> Message | bytes:
    sequence = st.sampled_from(SEQUENCES)
    kind = draw(st.integers(0, 9))
    if kind <= 4:
        return pb.StreamRoundsRequest(batch=draw(batches()))
    if kind == 5:
        return pb.StreamRoundsRequest(hello=draw(hellos()))
    if kind == 6:
        gap = pb.GapFill(first_sequence=draw(sequence), last_sequence=draw(sequence), reason=draw(texts("reason")))
        return pb.StreamRoundsRequest(gap_fill=gap)
    if kind == 7:
        return pb.StreamRoundsRequest(heartbeat=pb.Heartbeat(last_sequence_sent=draw(sequence)))
    if kind == 8:
        return pb.StreamRoundsRequest()
    return bytes(draw(spoilt(pb.StreamRoundsRequest(batch=draw(batches())).SerializeToString())))


def check_talk(house: House, talk: Talk) -> None:
    """Every message is answered, or the stream ends with a refusal by name."""
    house.run(_talk(house, talk))


async def _talk(house: House, talk: Talk) -> None:
    for pause in (0.0, *PAUSES):
        if await _talked(house, talk, pause):
            return
    raise Fault("expected the stream's refusal to reach the client, it was lost each time")


async def _talked(house: House, talk: Talk, pause: float) -> bool:
    """Whether the talk came to its end; False where the client was writing when the stream was ended.

    The client's library then gives the call a status of its own and loses the one that was sent.
    """
    source = (await house.source()).encode()
    path = f"/{METHODS['rounds.StreamRounds'].containing_service.full_name}/StreamRounds"
    made = house.channels["rounds"].stream_stream(path, as_they_are, pb.StreamRoundsResponse.FromString)
    call = made(_spoken(talk, source, pause), metadata=by("ann"), timeout=PATIENCE_SECONDS)
    try:
        await _heard(call, -1 if talk.waits else talk.reads)
    except grpc.aio.AioRpcError as problem:
        if (problem.code(), problem.details()) == LOST:
            return False
        judge(problem)
    finally:
        call.cancel()
    return True


async def _spoken(talk: Talk, source: bytes, pause: float) -> AsyncIterator[bytes]:
    for message in talk.messages:
        await asyncio.sleep(pause)
        yield _with_source(message, source)


async def _heard(call: Any, reads: int) -> None:
    """Reads so many answers; all, to the end of the stream, where it is below zero."""
    while reads:
        response = await call.read()
        if response is grpc.aio.EOF:
            break
        _judge_answers(response)
        reads -= 1


def _with_source(message: Message | bytes, source: bytes) -> bytes:
    """The bytes of a message, with a source of the example's own in its hello."""
    if isinstance(message, pb.StreamRoundsRequest) and message.hello.source_id == SOURCE:
        copy = pb.StreamRoundsRequest()
        copy.CopyFrom(message)
        copy.hello.source_id = source.decode()
        return copy.SerializeToString()
    return bytes_of(message)


def check_submitted(house: House, example: Submission) -> None:
    """Every event is answered, or the batch is refused by name."""
    house.run(_submitted(house, example))


async def _submitted(house: House, example: Submission) -> None:
    request = pb.SubmitEventsRequest()
    request.CopyFrom(example.request)
    if request.hello.source_id == SOURCE:
        request.hello.source_id = await house.source()
    try:
        answer = await house.call("rounds.SubmitEvents", request)
    except grpc.aio.AioRpcError as problem:
        judge(problem)
    else:
        _judge_answers(answer.result)


def _judge_answers(response: pb.StreamRoundsResponse) -> None:
    if response.durable_through_sequence < 0:
        raise Fault(f"expected a sequence from 0 up, got {response}")
    for answer in response.answers:
        judge_sentence(answer.reason, answer.message, REASONS | ANSWERS)
