"""What is fuzzed: each target draws examples and holds the running platform against one of them."""

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

import grpc
from google.protobuf.message import Message
from hypothesis import strategies as st

from tests.fuzz import bases, files, streams
from tests.fuzz.house import METHODS, House, bytes_of
from tests.fuzz.oracle import judge
from tests.fuzz.values import Draw, messages, mutated, spoilt

PRINCIPALS = ("ann", "ann", "bob", "bob", "cas", "x" * 3_000, " ", "")
FRAME_SECONDS = 0.2
"""For which the next message of a stream is waited for, before it is dropped."""


class Target(NamedTuple):
    """A name, its examples, and what holds the platform against one."""

    name: str
    examples: st.SearchStrategy[Any]
    check: Callable[[House, Any], None]


class Call(NamedTuple):
    """One call of a method; of a stream so many messages are read before it is dropped."""

    method: str
    principal: str
    request: Message | bytes
    reads: int


@st.composite
def calls(draw: Draw, name: str) -> Call:
    """A request of any content, one that is accepted but for a few parts, or bytes that are none."""
    known = bases.requests().get(name, [])
    plain = messages(METHODS[name].input_type)
    request = draw(mutated(draw(st.sampled_from(known))) if known and draw(st.integers(0, 2)) else plain)
    if not draw(st.integers(0, 9)):
        request = draw(spoilt(bytes_of(request)))
    return Call(name, draw(st.sampled_from(PRINCIPALS)), request, draw(st.integers(0, 3)))


def check_call(house: House, call: Call) -> None:
    """An answer, or a refusal by name."""
    house.run(_called(house, call))


async def _called(house: House, call: Call) -> None:
    made = house.call(call.method, call.request, call.principal)
    try:
        if METHODS[call.method].server_streaming:
            await _read(made, call.reads)
        else:
            await made
    except grpc.aio.AioRpcError as problem:
        judge(problem)


async def _read(made: Any, reads: int) -> None:
    try:
        for _ in range(reads):
            if await asyncio.wait_for(asyncio.shield(made.read()), FRAME_SECONDS) is grpc.aio.EOF:
                break
    except TimeoutError:
        return
    finally:
        made.cancel()


def _of_method(name: str) -> Target:
    return Target(name, calls(name), check_call)


TARGETS: dict[str, Target] = {
    each.name: each
    for each in (
        Target("rounds.StreamRounds", streams.talks(), streams.check_talk),
        Target("rounds.SubmitEvents", streams.submitted(), streams.check_submitted),
        *(_of_method(name) for name, method in METHODS.items() if not method.client_streaming),
        Target("files.jsonl", files.jsonl(), files.check_jsonl),
        Target("files.csv", files.card_logs(), files.check_card_log),
    )
}
COMMANDS = Target("commands", files.commanded(), files.check_command)
"""Each of its examples starts a process: few of them are drawn."""
