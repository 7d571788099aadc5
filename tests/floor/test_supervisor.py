"""The platform as real processes: what dies comes back, what stops leaves nothing behind."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from casino.rounds.v1.rounds_service_pb2 import ListPropertiesRequest
from clients.floor.platform import Platform, PlatformNotStarted
from clients.floor.sample import PROPERTY, seed
from clients.sdk.client import Casino
from services.runtime.migrations import SERVICES

pytestmark = pytest.mark.floor


def running(pid: int | None) -> bool:
    """Whether the process runs; one that only waits to be reaped does not."""
    try:
        return pid is not None and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def eventually(fact: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until the fact holds; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


def urls(pid: int | None) -> list[str]:
    """The database urls in a process's environment, by the names of their variables."""
    environment = Path(f"/proc/{pid}/environ").read_text().split("\0")
    return [line.partition("=")[0] for line in environment if "DATABASE_URL=" in line]


async def replaced(platform: Platform, name: str, old: int) -> None:
    """Wait until another process than `old` runs under this name."""
    await eventually(lambda: platform.pids()[name] not in (None, old))


async def test_a_killed_process_comes_back(home: Path) -> None:
    """A service, and Postgres too, is started again after kill -9, on the same address, with what it kept."""
    async with Platform(home) as platform, Casino(platform.addresses, "a-tester") as casino:
        await seed(casino)
        for name in ("reporting", "postgres"):
            old = platform.pids()[name]
            assert old is not None
            os.kill(old, signal.SIGKILL)
            await replaced(platform, name, old)
        await seed(casino)
        listed = await casino.call(casino.rounds.ListProperties, ListPropertiesRequest())
        assert [each.property_id for each in listed.properties] == [PROPERTY]


async def test_nothing_is_left_after_a_stop(home: Path) -> None:
    """SIGTERM ends the services and Postgres, and the home is free for the next supervisor."""
    async with Platform(home) as platform:
        pids = platform.pids()
        assert set(pids) == {*SERVICES, "postgres"}
        assert all(map(running, pids.values()))
    assert not [name for name, pid in pids.items() if running(pid)]
    async with Platform(home):
        pass


async def test_a_home_has_one_supervisor(home: Path) -> None:
    """A second supervisor of the same home is refused in a sentence that names the home."""
    async with Platform(home):
        with pytest.raises(PlatformNotStarted, match="only supervisor of"):
            async with Platform(home):
                pass


async def test_a_killed_supervisor_leaves_a_home_that_starts_again(home: Path) -> None:
    """Every process dies with its supervisor; the next start recovers what was there."""
    platform = Platform(home)
    await platform.start()
    async with Casino(platform.addresses, "a-tester") as casino:
        await seed(casino)
    pids = platform.pids()
    await platform.crash()
    await eventually(lambda: not any(running(pid) for name, pid in pids.items() if name != "postgres"))
    async with Platform(home) as again, Casino(again.addresses, "a-tester") as casino:
        listed = await casino.call(casino.rounds.ListProperties, ListPropertiesRequest())
        assert [each.property_id for each in listed.properties] == [PROPERTY]


async def test_a_service_has_its_own_login_alone(home: Path) -> None:
    """No service's environment holds another service's database url, or the owner's."""
    async with Platform(home) as platform:
        for name in SERVICES:
            assert urls(platform.pids()[name]) == [f"CASINO_{name.upper()}_DATABASE_URL"]
