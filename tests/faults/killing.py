"""Real processes and kill -9: one platform, a property for each scenario, processes killed while its day is told."""

import asyncio
import os
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from clients.cli.verify import verify
from clients.floor.filing import set_up
from clients.floor.platform import Platform
from clients.sdk.client import Casino
from tests.faults.compare import Standing, in_order, standing
from tests.faults.schedule import SERVICES
from tests.faults.script import DAY, Script, script
from tests.faults.telling import register, tell, tell_in_order

VICTIMS = (*SERVICES, "postgres")
MOST_KILLS = 3
LATEST_SECONDS = 1.0
OPERATOR = "faults-operator"


@dataclass
class Killed:
    """One scenario: who was killed when, in seconds after the day began, and what is wrong."""

    seed: int
    kills: list[tuple[str, float]]
    problems: list[str]

    def __str__(self) -> str:
        return f"seed {self.seed}, killed {self.kills}: {self.problems[:10]}"


@dataclass
class Killing:
    """Scenarios on one started platform."""

    platform: Platform
    casino: Casino
    clean: dict[tuple[str, ...], Standing] = field(default_factory=dict)

    async def play(self, seed: int) -> Killed:
        """Tells a property's day while processes are killed; compares with a clean run under the recorded order."""
        random = Random(f"kills/{seed}")
        kills = [(VICTIMS[seed % len(VICTIMS)], random.uniform(0, LATEST_SECONDS))]
        kills += [
            (random.choice(VICTIMS), random.uniform(0, LATEST_SECONDS)) for _ in range(random.randrange(MOST_KILLS))
        ]
        told = await self._filed(f"KILL-{seed}")
        killing = asyncio.create_task(self._kill(kills))
        await tell(told, self.casino, lambda source: self.casino, random.randint(1, 3))
        await killing
        found, order, problems = await self._found(told)
        problems += found.differences(await self._clean_run(order))
        return Killed(seed, kills, problems)

    async def _kill(self, kills: list[tuple[str, float]]) -> None:
        passed = 0.0
        for victim, at in sorted(kills, key=lambda kill: kill[1]):
            await asyncio.sleep(at - passed)
            passed = at
            pid = self.platform.pids()[victim]
            if pid:
                with suppress(ProcessLookupError):  # it has been killed before and is not up yet
                    os.kill(pid, signal.SIGKILL)

    async def _filed(self, property_id: str) -> Script:
        told = script(property_id, mystery=False)
        await set_up(self.casino, told.house, DAY)
        await register(self.casino, told)
        return told

    async def _found(self, told: Script) -> tuple[Standing, tuple[str, ...], list[str]]:
        property_id = told.house.property_id
        verified = await verify(self.casino, self.platform.home, property_id)
        problems = [text for found in verified.checks[property_id] for text in found.differences]
        found, order = await standing(self.casino, told)
        return found, order, problems

    async def _clean_run(self, order: tuple[str, ...]) -> Standing:
        if order not in self.clean:
            told = await self._filed(f"CLEAN-{len(self.clean)}")
            await tell_in_order(told, self.casino, in_order(told, order))
            found, again, problems = await self._found(told)
            if problems or again != order:
                raise AssertionError(f"expected a clean run in the order {order}, given {again}: {problems}")
            self.clean[order] = found
        return self.clean[order]
