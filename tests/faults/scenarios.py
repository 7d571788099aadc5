"""Scenarios inside one process: a prepared database cloned for each, its faults, and the clean run it is held to."""

import asyncio
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clients.cli.verify import verify
from clients.floor.filing import set_up
from tests.databases import Database, Templates
from tests.faults.compare import Standing, in_order, standing
from tests.faults.line import Lines
from tests.faults.schedule import Fault, Plan, Schedule
from tests.faults.script import DAY, Script, script
from tests.faults.telling import interfere, open_day, register, tell, tell_in_order
from tests.faults.world import PORTS, World, arm_full_disk, hurried

PROPERTY = "FAULTS"
OPERATOR = "faults-operator"
SCENARIO_SECONDS = 60.0


@dataclass(frozen=True)
class Outcome:
    """What came of a scenario: the faults that struck, and what is wrong."""

    plan: Plan
    struck: tuple[Fault, ...]
    problems: tuple[str, ...]

    def __str__(self) -> str:
        told = "\n  ".join(each[:2_000] for each in self.problems[:10])
        replay = f"CASINO_FAULT_SEED={self.plan.seed} pytest tests/faults -k replay"
        return f"{self.plan}\n  struck: {'; '.join(map(str, self.struck)) or 'nothing'}\n  {told}\n  {replay}"


@dataclass
class Stage:
    """The prepared property, and the clean runs by the recorded order of the shared link."""

    templates: Templates
    home: Path
    prepared: Database
    ports: Sequence[int] = PORTS
    script: Script = field(default_factory=lambda: script(PROPERTY))
    clean: dict[tuple[str, ...], Standing] = field(default_factory=dict)

    @classmethod
    def prepare(cls, templates: Templates, home: Path, ports: Sequence[int] = PORTS) -> "Stage":
        """Files the property on a database that is cloned for every run; services listen on some of the ports."""
        prepared = templates.clone()
        stage = cls(templates, home, prepared, ports)
        asyncio.run(stage._file())
        asyncio.run(arm_full_disk(prepared.owner_url))
        return stage

    async def _file(self) -> None:
        with hurried():
            async with self._world(self.prepared, Schedule()) as world, world.casino(OPERATOR) as casino:
                await set_up(casino, self.script.house, DAY)
                await register(casino, self.script)
                # Links go live with the day, and the hidden trigger is drawn: it is the same in every run.
                await open_day(casino, self.script)

    def _world(self, database: Database, schedule: Schedule) -> World:
        return World(database, self.home, self.templates.server_url, schedule, self.ports)

    @contextmanager
    def _clone(self) -> Iterator[Database]:
        statement = f'create database "{{}}" template "{self.prepared.name}" strategy file_copy'
        clone = self.templates._made(statement, self.prepared.urls)
        try:
            yield clone
        finally:
            self.templates.drop(clone)

    def play(self, plan: Plan) -> Outcome:
        """Plays a scenario and compares it with the clean run under its recorded order."""
        schedule = Schedule(plan.faults)
        try:
            with self._clone() as database, hurried():
                work = self._play(database, schedule, plan)
                found, order, problems = asyncio.run(asyncio.wait_for(work, SCENARIO_SECONDS))
            problems += found.differences(self.clean_run(order))
        except Exception:  # noqa: BLE001 - told with the scenario's seed
            problems = [traceback.format_exc()[-1_500:]]
        return Outcome(plan, tuple(schedule.struck), tuple(problems))

    async def _play(
        self, database: Database, schedule: Schedule, plan: Plan
    ) -> tuple[Standing, tuple[str, ...], list[str]]:
        async with self._world(database, schedule) as world, world.casino(OPERATOR) as casino:
            async with _Floor(world, self.script) as floor:
                await tell(self.script, casino, floor.of_source, plan.batch)
            await world.settled()
            return await self._found(casino)

    def clean_run(self, order: tuple[str, ...]) -> Standing:
        """What stands after the same events in this order, one by one, without a fault."""
        if order not in self.clean:
            with self._clone() as database, hurried():
                work = self._play_clean(database, order)
                found, again, problems = asyncio.run(asyncio.wait_for(work, SCENARIO_SECONDS))
            if problems or again != order:
                raise AssertionError(f"expected a clean run in the order {order}, given {again}: {problems}")
            self.clean[order] = found
        return self.clean[order]

    async def _play_clean(
        self, database: Database, order: Sequence[str]
    ) -> tuple[Standing, tuple[str, ...], list[str]]:
        async with self._world(database, Schedule()) as world, world.casino(OPERATOR) as casino:
            await tell_in_order(self.script, casino, in_order(self.script, order))
            return await self._found(casino)

    async def _found(self, casino: Any) -> tuple[Standing, tuple[str, ...], list[str]]:
        verified = await verify(casino, self.home, PROPERTY)
        problems = [text for some in verified.checks.values() for found in some for text in found.differences]
        if verified.different and not problems:
            problems = [f"verify: {verified.different} differences"]
        found, order = await standing(casino, self.script)
        return found, order, problems


class _Floor:
    """The sources, each with a connection and a line of its own."""

    def __init__(self, world: World, told: Script) -> None:
        self._world, self._script = world, told
        self._casinos = {name: world.casino(OPERATOR) for name in told.sources}
        self._lines: list[Lines] = []

    async def __aenter__(self) -> "_Floor":
        for name, casino in self._casinos.items():
            await casino.__aenter__()
            stub: Any = Lines(casino.rounds, name, self._world.schedule, self._strike)
            casino.rounds = stub
            self._lines.append(stub)
        return self

    async def __aexit__(self, *problem: object) -> None:
        for line in self._lines:
            line.hang_up()
        for casino in self._casinos.values():
            await casino.__aexit__(*problem)

    def of_source(self, name: str) -> Any:
        """The client with which a source speaks."""
        return self._casinos[name]

    async def _strike(self, fault: Fault) -> None:
        if fault.kind == "two_clients":
            async with self._world.casino(OPERATOR) as rival:
                await interfere(self._script, rival, fault.step.partition(".")[0])
        else:
            await self._world.strike(fault)
