"""Two tables of one link hit at the same time, a thousand times: the recorded order decides, no money is won twice."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.progressives.v1 import entries_pb2 as progressives_entries
from casino.progressives.v1 import progressives_service_pb2 as progressives
from casino.rounds.v1 import entries_pb2 as rounds_entries
from casino.rounds.v1 import rounds_service_pb2 as rounds
from clients.floor.filing import set_up
from clients.floor.house import PROGRESSIVE, house
from clients.floor.sample import FIRST_DAY
from clients.sdk.client import Casino
from clients.sdk.stream import RoundsStream
from services.progressives.__main__ import start as start_progressives
from services.rounds.__main__ import start as start_rounds
from services.runtime.settings import Settings
from services.settlement.__main__ import start as start_settlement
from tests.databases import Database
from tests.ports import free_port

HOUSE = house("HARBOR", "Harbor", 2)
SOURCES = {"BAC-01": "pit-1", "BAC-02": "pit-2"}
PAIRS = 1_000
SEED, RATE, CENT = 1_000_000 * 10_000, 1_000, 10_000
PLAIN, WHOLE = ("7H 9C", "2D 3S 2C"), ("2C 3C 4C", "KC 4C 5C")


@pytest.fixture
async def casino(database: Database, home: Path) -> AsyncIterator[Casino]:
    """Three services in this process on real Postgres, and a client of them."""
    starts = {"rounds": start_rounds, "settlement": start_settlement, "progressives": start_progressives}
    environ = {"CASINO_HOME": str(home), "CASINO_LOG_LEVEL": "error"}
    for name in (*starts, "reporting"):
        environ[f"CASINO_{name.upper()}_DATABASE_URL"] = database.url(name)
        environ[f"CASINO_{name.upper()}_ADDRESS"] = f"127.0.0.1:{free_port()}"
        environ[f"CASINO_{name.upper()}_METRICS_PORT"] = "0"
    settings = Settings.read(environ)
    async with AsyncExitStack() as stack:
        for start in starts.values():
            stack.push_async_callback((await start(settings)).stop)
        places = {name: each.address for name, each in settings.services.items()}
        client = await stack.enter_async_context(Casino(places, "a-tester"))
        await set_up(client, HOUSE, FIRST_DAY)
        for source in SOURCES.values():
            request = rounds.RegisterSourceRequest(request_id=source, property_id="HARBOR", source_id=source)
            await client.call(client.rounds.RegisterSource, request)
        yield client


def event(table_id: str, number: int, cards: tuple[str, str], stake_cents: int) -> floor.Event:
    """A whole round with one progressive wager."""
    whole = floor.WholeRound(table_id=table_id, shoe=1, round_no=number)
    whole.opened_at.FromDatetime(HOUSE.calendar.start_of(FIRST_DAY) + timedelta(seconds=number))
    whole.wagers.add(wager_no=1, seat=1, code="baccarat.player", paytable="standard", stake_cents=10_000)
    whole.wagers.add(wager_no=2, seat=1, code=PROGRESSIVE, paytable="standard", stake_cents=stake_cents)
    player, banker = cards
    whole.result.baccarat.player.extend(player.split())
    whole.result.baccarat.banker.extend(banker.split())
    return floor.Event(occurred_at=whole.opened_at, whole_round=whole)


async def hit_together(casino: Casino) -> None:
    """Both tables send a winning round at the same time, over and over; every third time a plain one comes before."""

    async def send(stream: RoundsStream, table_id: str, pair: int) -> None:
        if pair % 3 == 0:
            await stream.send(event(table_id, 2 * pair, PLAIN, 501 + pair))
        await stream.send(event(table_id, 2 * pair + 1, WHOLE, 500 + pair % 7))
        await stream.drain()

    async with AsyncExitStack() as stack:
        streams = {
            table_id: await stack.enter_async_context(RoundsStream(casino, "HARBOR", source))
            for table_id, source in SOURCES.items()
        }
        for pair in range(1, PAIRS + 1):
            await asyncio.gather(*(send(stream, table_id, pair) for table_id, stream in streams.items()))


async def recorded(casino: Casino) -> list[rounds_entries.Round]:
    """The whole rounds in the order of the feed."""
    found: list[rounds_entries.Round] = []
    request = rounds.WatchRoundsRequest(property_id="HARBOR")
    async for frame in casino.rounds.WatchRounds(request, metadata=(("principal", "a-tester"),), timeout=60):
        if frame.HasField("progress"):
            break
        entries = [rounds_entries.Entry.FromString(data) for data in frame.batch.entries]
        found += [each.whole_round for each in entries if each.HasField("whole_round")]
    return found


async def jackpots(casino: Casino) -> dict[tuple[str, int], progressives_entries.Jackpot]:
    """Every jackpot by table and round, once all are there."""
    request = progressives.ListJackpotsRequest(property_id="HARBOR")
    async with asyncio.timeout(60):
        while len(found := (await casino.call(casino.progressives.ListJackpots, request)).jackpots) < 2 * PAIRS:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    return {(each.key.table_id, each.key.round_no): each for each in found}


async def test_neighbouring_hits_take_the_meter_in_the_recorded_order(casino: Casino) -> None:
    """Ruling J3: the second hit takes the meter as the first one's reset left it, with what came between."""
    await hit_together(casino)
    won, played = await jackpots(casino), await recorded(casino)
    hits = [(each.key.table_id, each.key.round_no) for each in played if each.key.round_no % 2]
    pairs = list(zip(hits[::2], hits[1::2], strict=True))
    assert all(first[0] != second[0] and first[1] == second[1] for first, second in pairs)
    assert len(pairs) == PAIRS
    reading, contributed = SEED, 0
    for each in played:
        (stake,) = (wager.stake_cents for wager in each.wagers if wager.code == PROGRESSIVE)
        reading, contributed = reading + stake * RATE, contributed + stake * RATE
        if each.key.round_no % 2:
            jackpot = won[each.key.table_id, each.key.round_no]
            assert (jackpot.reading_micros, jackpot.amount_cents) == (reading, reading // CENT)
            reading = SEED + reading % CENT
    listed = await casino.call(casino.progressives.ListLinks, progressives.ListLinksRequest(property_id="HARBOR"))
    (meter,) = (meter for link in listed.links for meter in link.meters)
    assert (meter.reading_micros, meter.hits) == (reading, 2 * PAIRS)
    # What was won is every seed but the one that stands and what all contributed, to the micro-dollar.
    assert sum(each.amount_cents for each in won.values()) * CENT == SEED * (2 * PAIRS + 1) + contributed - reading
