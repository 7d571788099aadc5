"""A seeded gaming day of every wager there is, through real processes, audited by hand."""

import asyncio
import os
import signal
from collections import Counter
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from casino.rounds.v1 import rounds_service_pb2 as rounds
from clients.cli.reports import complete_report
from clients.cli.verify import Verification, verify
from clients.floor.day import GATEWAY, Day, play, post, register, send
from clients.floor.filing import set_up
from clients.floor.full_house import full_house
from clients.floor.platform import Platform
from clients.sdk.client import Casino
from clients.sdk.stream import RoundsStream
from services.games.catalogue import catalogue
from tests.floor.auditor import FULL_HOUSE, audit, lines
from tests.floor.test_gaming_day import Played, check_side_wagers, check_simulator, check_tables

pytestmark = pytest.mark.floor

DAY = date(2026, 3, 2)
ROUNDS_A_TABLE = 25
SEED = 20260305
RESTARTS_WITHIN = 400
"""Looks, twenty a second."""


class FullDay(NamedTuple):
    """What the day came to, and what the verification found."""

    played: Played
    verification: Verification


def seeded() -> Day:
    """The day of the house that offers everything."""
    house = full_house()
    return play(house, DAY, ROUNDS_A_TABLE * len(house.tables), SEED)


async def finished(casino: Casino, home: Path, day: Day, answers: int) -> FullDay:
    """The day after all its events are on disk."""
    name = day.house.property_id
    await post(casino, day)
    report = await complete_report(casino, "daily-win", name, DAY.isoformat())
    played = Played(day, report, await audit(casino, name, DAY, FULL_HOUSE), answers)
    return FullDay(played, await verify(casino, home))


def check(done: FullDay) -> None:
    """Every figure is the naive sum over the raw facts, and the verification finds nothing."""
    played, verification = done
    assert {code for code, _, _ in played.audit.wagers} == set(catalogue())
    check_tables(played)
    check_side_wagers(played)
    check_simulator(played)
    check_meters(played)
    assert not verification.different, verification.lines()


async def test_a_day_of_every_wager_is_what_an_auditor_adds_up_by_hand(home: Path) -> None:
    """All wagers of the catalogue are accepted, settled and reported to the cent; the verification finds nothing."""
    day = seeded()
    async with Platform(home) as platform, Casino(platform.addresses, "a-gateway") as casino:
        await set_up(casino, day.house, DAY)
        assert not await send(casino, day)
        check(await finished(casino, home, day, 0))


@pytest.mark.slow
async def test_kills_in_the_middle_of_hands_change_no_figure(home: Path) -> None:
    """Services die while hands are under way and wheels spin; the day, sent anew, is known event by event."""
    day = seeded()
    environ = {**os.environ, "CASINO_STREAM_WINDOW": "100"}
    async with Platform(home, environ) as platform, Casino(platform.addresses, "a-gateway") as casino:
        await set_up(casino, day.house, DAY)
        await send_through_kills(platform, casino, day, ["rounds", "settlement", "rounds", "progressives", "rounds"])
        kinds = Counter(each.answer.kind for each in await send(casino, day))
        assert kinds == {rounds.ANSWER_KIND_DUPLICATE: len(list(day.events()))}
        check(await finished(casino, home, day, 0))


async def send_through_kills(platform: Platform, casino: Casino, day: Day, victims: list[str]) -> None:
    """Stream the day, killing one service after the other in equal distances."""
    events = list(day.events())
    distance = len(events) // (len(victims) + 1)
    await register(casino, day)
    async with RoundsStream(casino, day.house.property_id, GATEWAY, day.offers()) as stream:
        for number, event in enumerate(events, start=1):
            await stream.send(event)
            if victims and number % distance == 0:
                await kill(platform, victims.pop(0))
    assert not stream.answered()
    assert not victims


async def kill(platform: Platform, victim: str) -> None:
    """End a service at once, after it has come up again from the last time."""
    for _ in range(RESTARTS_WITHIN):
        if pid := platform.pids()[victim]:
            return os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(0.05)
    raise AssertionError(f"{victim} did not come up again")


def check_meters(played: Played) -> None:
    """Each meter stands at what its hits left of seeds and contributions, each contribution being its rate's share."""
    seeds = {(link.link_id, meter.level): meter.seed_cents for link in played.day.house.links for meter in link.levels}
    expected = Counter[tuple[str, str]]()
    for link in played.day.house.links:
        for number, meter in enumerate(link.levels):
            for table_id in link.table_ids:
                share = played.audit.meters[table_id, link.code, link.paytable, number]
                expected[link.link_id, meter.level] += share
    rows = {(str(row["link"]), str(row["level"])): row for row in lines(played.report, "progressives")}
    assert set(rows) == set(seeds)
    for key, row in rows.items():
        hits, awards, reading = (int(row[name] or 0) for name in ("hits", "awards", "reading"))
        assert row["contributions"] == expected[key]
        assert reading == 10_000 * (seeds[key] * (1 + hits) - awards) + expected[key]
        assert expected[key] > 0
