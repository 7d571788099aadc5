"""The age of connections: endless calls end politely and go on, a call with an end of its own is not cut off."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import asyncpg
import grpc
import pytest

from casino.rounds.v1 import rounds_service_pb2 as pb
from clients.sdk.feeds import Entry, watch
from clients.sdk.refusals import RefusedByServer
from tests.databases import Database
from tests.rounds.conftest import ANN, PROPERTY, Rounds, event, running, whole
from tests.rounds.streams import client

AGE = 1
BEYOND_SECONDS = 7.0
"""For which a verification is held up: several ages, and more than gRPC would let pass if it cut calls off."""


async def test_a_watcher_is_told_of_its_age_and_when_to_come_again(database: Database, home: Path) -> None:
    """UNAVAILABLE with RetryInfo and a sentence that says why, though nothing new came; never cut off by gRPC."""
    async with running(database, home, max_connection_age_seconds=AGE) as rounds:
        watching = rounds.stub.WatchRounds(pb.WatchRoundsRequest(property_id=PROPERTY), metadata=ANN)
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await to_the_end(watching)
        refused = RefusedByServer.read(ended.value)
    assert (refused.code, refused.retry_after) == (grpc.StatusCode.UNAVAILABLE, 1)
    assert refused.message == "The call has reached its age of 1 seconds; make it again and go on from there."


async def to_the_end(watching: AsyncIterator[pb.WatchRoundsResponse]) -> None:
    """Reads what a watch says for as long as it says anything."""
    async for _ in watching:
        continue


async def test_a_reader_goes_on_over_several_ages(database: Database, home: Path) -> None:
    """Every entry once and in order, whichever call brought it."""
    async with running(database, home, max_connection_age_seconds=AGE) as rounds, client(rounds) as casino:
        playing = asyncio.create_task(play(rounds, 12))
        numbers: list[int] = []
        async with aclosing(watch(casino, "rounds", PROPERTY)) as told:
            async for each in told:
                if isinstance(each, Entry) and each.kind == "whole_round":
                    numbers.append(each.body.key.round_no)
                if len(numbers) == 12:
                    break
        await playing
        assert numbers == list(range(1, 13))
        assert ended_calls(rounds, "WatchRounds") > 1


async def play(rounds: Rounds, count: int) -> None:
    """So many rounds, two a second."""
    hello = rounds.hello()
    for number in range(1, count + 1):
        await rounds.submit([event(whole(number))], number, hello)
        await asyncio.sleep(0.5)


def ended_calls(rounds: Rounds, method: str) -> float:
    """How many calls of a method ended because they were asked to come again."""
    sample = rounds.service.metrics.registry.get_sample_value
    return sample("casino_calls_total", {"method": method, "code": "BUSY"}) or 0.0


async def test_a_verification_takes_the_time_that_it_takes(database: Database, home: Path) -> None:
    """Held up for longer than connections live, it says all that it has to say."""
    async with running(database, home, max_connection_age_seconds=AGE) as rounds:
        await rounds.submit([event(whole(number)) for number in range(1, 4)])
        wanted = await rounds.verified()
        holder = await asyncpg.connect(database.owner_url)
        async with holder.transaction():
            await holder.execute("LOCK TABLE rounds.rounds_entry IN ACCESS EXCLUSIVE MODE")
            asked = asyncio.create_task(rounds.verified(timeout=60))
            await asyncio.sleep(BEYOND_SECONDS)
            assert not asked.done()
        found = await asked
        await holder.close()
    assert found.keys() == wanted.keys()
    assert [each.checked for each in found.values()] == [each.checked for each in wanted.values()]
