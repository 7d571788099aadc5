"""A day of every wager there is, run again, and by the very submission that it was played by."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from clients.floor.day import play, send
from clients.floor.filing import set_up
from clients.floor.full_house import full_house
from clients.floor.platform import Platform
from clients.floor.sample import FIRST_DAY
from clients.sdk.client import Casino
from tests.clients.command import casino as command

pytestmark = pytest.mark.floor

ROUNDS_A_TABLE, SEED = 5, 20260307


async def test_every_wager_comes_out_again(home: Path) -> None:
    """No difference in any settlement, meter or cell; by the submission in force no wager is paid otherwise."""
    house = full_house()
    day = play(house, FIRST_DAY, ROUNDS_A_TABLE * len(house.tables), SEED)
    async with Platform(home) as platform, Casino(platform.addresses, "a-gateway") as casino:
        await set_up(casino, house, FIRST_DAY)
        assert not await send(casino, day)
        found = await ran(platform, ())
        (again,) = found["days"].values()
        assert (found["different"], again["different"]) == (0, 0)
        assert again["wagers"] > 1_000
        assert found["meters"]["audit: contributions computed from wagers"]["checked"] > 100
        (same,) = (await ran(platform, ("--with", "RS-1")))["days"].values()
        assert same["wagers"] == []
        assert {each["difference_cents"] for each in same["win"]} == {0}
        assert len(same["win"]) == len(house.tables) + 1


async def ran(platform: Platform, more: Sequence[str]) -> Any:
    """What a replay of the day prints."""
    environ = {f"CASINO_{name.upper()}_ADDRESS": address for name, address in platform.addresses.items()}
    arguments = "replay", "--property", full_house().property_id, "--day", FIRST_DAY.isoformat(), "--json", *more
    ended = await asyncio.to_thread(command, *arguments, environ=environ)
    assert ended.code == 0, ended.out[:5_000] + ended.err
    return json.loads(ended.out)
