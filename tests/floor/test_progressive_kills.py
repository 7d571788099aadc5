"""kill -9 of progressives at each named step around a hit and its reset: it is one jackpot, one reset, every time."""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.progressives.v1 import progressives_service_pb2 as progressives
from clients.cli.reports import complete_report
from clients.floor.platform import Platform
from clients.floor.sample import FIRST_DAY, PROPERTY, sample
from clients.sdk.client import Casino
from clients.sdk.stream import RoundsStream
from tests.floor.test_kills import prepare, verify

pytestmark = pytest.mark.floor

STEPS = ("entries_written", "rows_written", "heads_written", "before_commit", "after_commit", "published")
PLAIN, WHOLE = ("7H 9C", "2D 3S 2C"), ("2C 3C 4C", "KC 4C 5C")
CODE = "baccarat.heavenly_9_progressive"
KILL_SECONDS = 60.0


class Found(NamedTuple):
    """What stands after the run: every jackpot's states, and of each meter what it reads and has counted."""

    jackpots: list[tuple[str, str, int, int]]
    meters: list[tuple[str, str, int, int, int, int, int]]


def event(number: int, cards: tuple[str, str]) -> floor.Event:
    """A round with the progressive wager at two seats, a second after the last."""
    player, banker = cards
    whole = floor.WholeRound(table_id="BAC-01", shoe=1, round_no=number)
    whole.opened_at.FromDatetime(sample().calendar.start_of(FIRST_DAY) + timedelta(seconds=number))
    for seat in (1, 2):
        base = floor.Wager(wager_no=seat, seat=seat, code="baccarat.player", paytable="standard", stake_cents=10_000)
        side = floor.Wager(wager_no=seat + 2, seat=seat, code=CODE, paytable="standard", stake_cents=500)
        whole.wagers.extend((base, side))
    whole.result.baccarat.player.extend(player.split())
    whole.result.baccarat.banker.extend(banker.split())
    return floor.Event(occurred_at=whole.opened_at, whole_round=whole)


async def send(casino: Casino, number: int, cards: tuple[str, str]) -> None:
    """One round, on disk at `rounds` when this returns."""
    async with RoundsStream(casino, PROPERTY, "log") as stream:
        await stream.send(event(number, cards))


async def follow(casino: Casino) -> None:
    """Returns once every service has what `rounds` has."""
    await complete_report(casino, "daily-win", PROPERTY, FIRST_DAY.isoformat())


async def killed(platform: Platform, before: int | None) -> None:
    """Returns once the process of progressives has been killed."""
    async with asyncio.timeout(KILL_SECONDS):
        while platform.pids()["progressives"] == before and _alive(before):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.02)


def _alive(pid: int | None) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


async def play(home: Path, step: str) -> Found:
    """A plain round, the hit with progressives armed to end at a step, and a plain round after all is up again."""
    async with Platform(home) as platform, Casino(platform.addresses, "a-tester") as casino:
        await prepare(casino)
        await send(casino, 1, PLAIN)
        await follow(casino)
    armed: Mapping[str, str] = {**os.environ, **({"CASINO_FAULT": f"progressives.{step}:1:kill"} if step else {})}
    async with Platform(home, armed) as platform, Casino(platform.addresses, "a-tester") as casino:
        pid = platform.pids()["progressives"]
        assert _alive(pid), "expected progressives to live until the hit"
        await send(casino, 2, WHOLE)
        await (killed(platform, pid) if step else follow(casino))
        await platform.crash()
    async with Platform(home) as platform, Casino(platform.addresses, "a-tester") as casino:
        await send(casino, 3, PLAIN)
        await follow(casino)
        found = await standing(casino)
        await verify(platform)
    return found


async def standing(casino: Casino) -> Found:
    """Jackpots and meters as they stand."""
    won = await casino.call(casino.progressives.ListJackpots, progressives.ListJackpotsRequest(property_id=PROPERTY))
    listed = await casino.call(casino.progressives.ListLinks, progressives.ListLinksRequest(property_id=PROPERTY))
    meters = [_reading(meter) for link in listed.links for meter in link.meters]
    jackpots = [(each.jackpot_id, each.hit_id, each.amount_cents, each.reading_micros) for each in won.jackpots]
    return Found(sorted(jackpots), sorted(meters))


def _reading(meter: Any) -> tuple[str, str, int, int, int, int, int]:
    counted = meter.pending_jackpots, meter.hits, meter.wagers
    return meter.link_id, meter.level, meter.reading_micros, meter.reserve_micros, *counted


@pytest.fixture(scope="module")
def undisturbed() -> Found:
    """What stands after a run in which nothing dies but by the same power cut."""
    above = Path(tempfile.mkdtemp(prefix="casino-tests-"))
    above.chmod(0o711)
    try:
        return asyncio.run(play(above / "home", ""))
    finally:
        shutil.rmtree(above)


@pytest.mark.parametrize(
    "step", [each if each == "heads_written" else pytest.param(each, marks=pytest.mark.slow) for each in STEPS]
)
async def test_a_kill_around_a_hit_leaves_one_jackpot_and_one_reset(step: str, undisturbed: Found, home: Path) -> None:
    """Two winners share one hit; killed at any step, the platform comes to the same micro-dollar on every meter."""
    found = await play(home, step)
    assert found == undisturbed
    shares = [cents for _, _, cents, _ in found.jackpots]
    # $10,000.00 and two contributions of 50 cents from each of two rounds; the third round lifts the seed.
    assert shares == [500_100, 500_100]
    assert len({hit for _, hit, _, _ in found.jackpots}) == 1
    assert max(hits for _, _, _, _, _, hits, _ in found.meters) == 1
