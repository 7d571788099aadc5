"""Whoever is slow, dead or too many, memory stays bounded, and who can be served is served."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import asyncpg
import grpc
import pytest

from casino.rounds.v1 import rounds_service_pb2 as pb
from casino.rounds.v1 import rounds_service_pb2_grpc
from casino.settlement.v1 import settlement_service_pb2 as settlement_pb
from clients.sdk.refusals import RefusedByServer
from clients.sdk.stream import RoundsStream
from services.rounds import waiting
from services.rounds.waiting import Job, Waiting
from services.runtime import feeds, server, steps, store
from tests.databases import Database, run
from tests.rounds.conftest import ANN, OPENED, PROPERTY, Rounds, event, running, whole
from tests.rounds.proxy import way_to
from tests.rounds.streams import client, register, shoe, shoes, talking

STREAMS, BATCHES, BATCH = 100, 3, 10
# A connection that takes no more ahead of its reader than it must.
NARROW = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1 << 16), ("grpc.use_local_subchannel_pool", 1))
FULL = """
create function rounds.full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
create trigger full_disk before insert or update on rounds.source_position
    for each statement execute function rounds.full();
"""


def job(count: int, size: int = 1) -> Job:
    """A job of so many events of a size."""
    answer: asyncio.Future[pb.StreamRoundsResponse] = asyncio.get_running_loop().create_future()
    return Job("s", 1, 1, [bytes(size)] * count, {}, "ann", 0, -1, answer)


async def until(lag: Callable[[], Awaitable[tuple[int, int]]], reached: Callable[[int, int], bool]) -> None:
    """Returns once a lag in entries and seconds is as it should be."""
    for _ in range(200):
        if reached(*await lag()):
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"the lag stays {await lag()}")


@pytest.mark.parametrize(("count", "size"), [(10, 1), (1, 100)])
async def test_a_job_waits_for_room_in_events_and_in_bytes(
    count: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is taken counts until it is done; the first to wait is the first to enter."""
    monkeypatch.setattr(waiting, "MOST_WAITING_EVENTS", 15)
    monkeypatch.setattr(waiting, "MOST_WAITING_BYTES", 150)
    queue = Waiting()
    await queue.put(job(count, size))
    late = [asyncio.create_task(queue.put(each)) for each in (job(count, size), job(1))]
    taken = await queue.take()
    await asyncio.sleep(0)
    assert not any(each.done() for each in late)
    queue.done(taken)
    await asyncio.gather(*late)
    assert queue.events == count + 1
    queue.done([*await queue.take()])
    assert (queue.events, queue.bytes) == (0, 0)


async def test_whoever_gives_up_waiting_leaves_the_door_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that ends while it waits for room holds up none behind it."""
    monkeypatch.setattr(waiting, "MOST_WAITING_EVENTS", 5)
    queue = Waiting()
    await queue.put(job(5))
    first, second = asyncio.create_task(queue.put(job(5))), asyncio.create_task(queue.put(job(4)))
    await asyncio.sleep(0)
    first.cancel()
    queue.done(await queue.take())
    await asyncio.wait_for(second, 5)
    assert queue.events == 4


async def test_a_hundred_streams_are_served_from_a_bounded_queue(
    rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more waits for the writer than the bound, and every stream gets its acknowledgements."""
    monkeypatch.setattr(waiting, "MOST_WAITING_EVENTS", 200)
    names = [f"gateway-{number}" for number in range(STREAMS)]
    await register(rounds, *names)
    most = 0

    async def measure(step: str) -> None:
        nonlocal most
        if step == "rounds.before_commit":
            status = rounds.service.metrics.waiting_events.labels(PROPERTY)
            most = max(most, int(next(iter(status.collect())).samples[0].value))

    async def send(place: int, name: str) -> int:
        async with talking(rounds, 1, name) as talk:
            for number in range(BATCHES):
                first = (place * BATCHES + number) * BATCH
                await talk.batch(number * BATCH + 1, [shoe(first + n) for n in range(1, BATCH + 1)])
            return [await talk.durable() for _ in range(BATCHES)][-1]

    steps.on_step(measure)
    try:
        reached = await asyncio.gather(*(send(place, name) for place, name in enumerate(names)))
    finally:
        steps.on_step(None)
    assert reached == [BATCHES * BATCH] * STREAMS
    assert BATCH < most <= 200
    assert sorted(number for _, number in await shoes(rounds)) == list(range(1, STREAMS * BATCHES * BATCH + 1))


async def test_who_does_not_read_acknowledgements_holds_up_nobody(rounds: Rounds) -> None:
    """The writer commits what such a stream has sent, and serves the others."""
    await register(rounds, "pit-2")
    refused = [b"\xff" * 40] * 500
    async with talking(rounds, 1) as deaf, talking(rounds, 1, "pit-2") as other:
        for number in range(8):
            await deaf.batch(number * 500 + 1, refused)
        for number in range(1, 6):
            await other.batch(number, [shoe(number)])
            assert await asyncio.wait_for(other.durable(), 20) == number
        for number in range(8):
            assert await deaf.durable() == (number + 1) * 500


async def test_a_slow_watcher_is_served_from_the_table(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has not read is kept nowhere in memory beyond the ring of the last commits, and nothing is missed."""
    read = store.entries_after
    pages: list[int] = []

    async def counted(connection: Any, table: str, property_id: str, position: int, limit: int) -> Any:
        pages.append(position)
        return await read(connection, table, property_id, position, limit)

    monkeypatch.setattr(feeds, "RING_COMMITS", 4)
    monkeypatch.setattr(store, "entries_after", counted)
    request = pb.WatchRoundsRequest(property_id=PROPERTY, after_position=0)
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{rounds.ports['rounds']}", options=NARROW)
    watcher = rounds_service_pb2_grpc.RoundsServiceStub(channel).WatchRounds(request, metadata=ANN, timeout=60)
    await watcher.read()
    pages.clear()
    for first in range(0, 4_000, 500):
        batch = [event(whole(number, dealer="d" * 200), OPENED) for number in range(first + 1, first + 501)]
        assert (await rounds.submit(batch)).durable_through_sequence == 500
    feed = rounds.service.feed("rounds", PROPERTY)
    assert len(feed._ring) <= 4
    last = 0
    while last < feed.position:
        frame: Any = await watcher.read()
        if frame.HasField("batch"):
            assert frame.batch.first_position > last
            last = frame.batch.first_position + len(frame.batch.entries) - 1
    await channel.close()
    assert (last, bool(pages)) == (feed.position, True)


async def test_a_follower_that_cannot_apply_lags_and_the_floor_goes_on(rounds: Rounds) -> None:
    """Its lag in entries and seconds is in the status of its service, and it catches up."""

    async def fail(step: str) -> None:
        if step == "settlement.before_commit":
            raise ConnectionError("the disk of settlement has stopped")

    async def lag() -> tuple[int, int]:
        status = (await rounds.settlement.GetStatus(settlement_pb.GetStatusRequest(), metadata=ANN, timeout=5)).status
        [found] = [each for each in status.properties[0].lags if each.feed == "rounds"]
        return found.entries, found.seconds

    steps.on_step(fail)
    try:
        assert (await rounds.submit([event(whole(1), OPENED), event(whole(2), OPENED)])).durable_through_sequence == 2
        await until(lag, lambda entries, seconds: entries >= 2 and seconds >= 1)
    finally:
        steps.on_step(None)
    await until(lag, lambda entries, seconds: entries == seconds == 0)


async def test_without_the_database_nothing_is_acknowledged_and_the_service_lives(
    database: Database, home: Path
) -> None:
    """The stream ends UNAVAILABLE with RetryInfo; once the database is back the client has everything there once."""
    async with AsyncExitStack() as stack:
        way, url = await stack.enter_async_context(way_to(database.url("rounds")))
        by_way = Database(database.name, database.owner_url, {**database.urls, "rounds": url})
        rounds = await stack.enter_async_context(running(by_way, home))
        casino = await stack.enter_async_context(client(rounds))
        async with talking(rounds, 1) as talk:
            way.cut()
            await talk.batch(1, [shoe(1)])
            with pytest.raises(RefusedByServer) as refused:
                await talk.answer()
            assert (refused.value.code, refused.value.retry_after) == (grpc.StatusCode.UNAVAILABLE, 1)
        async with RoundsStream(casino, PROPERTY, "pit-1") as stream:
            for number in range(1, 51):
                await stream.send(shoe(number))
            await asyncio.sleep(0.2)
            assert stream.durable == 0
            way.mend()
        assert stream.durable == 50
        assert [number for _, number in await shoes(rounds)] == list(range(1, 51))


async def test_a_full_disk_ends_the_stream_and_loses_nothing(rounds: Rounds, database: Database) -> None:
    """SQLSTATE 53100: no acknowledgement, UNAVAILABLE with RetryInfo; there is room again, and all goes on."""
    async with talking(rounds, 1) as talk:
        await run(database.owner_url, FULL)
        await talk.batch(1, [shoe(1)])
        with pytest.raises(RefusedByServer, match="The database is full") as refused:
            await talk.answer()
        assert (refused.value.code, refused.value.retry_after) == (grpc.StatusCode.UNAVAILABLE, 1)
    assert await shoes(rounds) == []
    await run(database.owner_url, "drop trigger full_disk on rounds.source_position")
    async with talking(rounds, 1) as talk:
        await talk.batch(1, [shoe(1)])
        assert await talk.durable() == 1


async def test_without_a_free_connection_the_stream_ends_and_may_come_again(
    rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for a connection without end."""
    monkeypatch.setattr(server, "ACQUIRE_SECONDS", 0.2)
    pool = rounds.service.pool
    async with talking(rounds, 1) as talk:
        held: list[asyncpg.pool.PoolConnectionProxy[asyncpg.Record]] = []
        held += [await pool.acquire() for _ in range(pool.get_max_size())]
        await talk.batch(1, [shoe(1)])
        with pytest.raises(RefusedByServer, match="The database does not answer") as refused:
            await talk.answer()
        assert refused.value.retriable
        for connection in held:
            await pool.release(connection)
    async with talking(rounds, 1) as talk:
        await talk.batch(1, [shoe(1)])
        assert await talk.durable() == 1
