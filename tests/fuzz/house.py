"""The four services in one process on one database, a property to be fuzzed in them, and what must hold of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Container, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from casino.progressives.v1 import progressives_service_pb2
from casino.reporting.v1 import reporting_service_pb2
from casino.rounds.v1 import rounds_service_pb2
from casino.settlement.v1 import settlement_service_pb2
from services.progressives.__main__ import start as start_progressives
from services.reporting.__main__ import start as start_reporting
from services.rounds.__main__ import start as start_rounds
from services.runtime.server import Service
from services.runtime.settings import Settings
from services.settlement.__main__ import start as start_settlement
from tests.databases import Database
from tests.fuzz.oracle import Fault, judge
from tests.ports import free_port
from tests.rounds.conftest import NOW

T = TypeVar("T")

PROPERTY = "HARBOR"
STARTS: dict[str, Callable[..., Coroutine[Any, Any, Service]]] = {
    "rounds": start_rounds,
    "settlement": start_settlement,
    "progressives": start_progressives,
    "reporting": start_reporting,
}
FILES = {
    "rounds": rounds_service_pb2,
    "settlement": settlement_service_pb2,
    "progressives": progressives_service_pb2,
    "reporting": reporting_service_pb2,
}
METHODS: dict[str, MethodDescriptor] = {
    f"{name}.{method.name}": method
    for name, file in FILES.items()
    for each in file.DESCRIPTOR.services_by_name.values()
    for method in each.methods
}
PATIENCE_SECONDS = 20.0
LOOKS_ALIKE = 25
QUIET_SECONDS = 10.0
AWAITED = ("cr_await", "ag_await", "gi_yieldfrom")
"""Where a coroutine or generator keeps what it waits for."""


def by(principal: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a caller."""
    return (("principal", principal),) if principal else ()


def as_they_are(content: bytes) -> bytes:
    """Bytes on their way."""
    return content


def bytes_of(request: Message | bytes) -> bytes:
    """A request as it is sent."""
    return request if isinstance(request, bytes) else request.SerializeToString()


@dataclass
class House:
    """The running platform. `run` gives its loop a turn: between two turns everything in it stands still."""

    settings: Settings
    runner: asyncio.Runner
    services: dict[str, Service] = field(default_factory=dict)
    channels: dict[str, grpc.aio.Channel] = field(default_factory=dict)
    numbers: count[int] = field(default_factory=lambda: count(1))
    tasks: Counter[str] = field(default_factory=Counter)
    tasks_of_property: Counter[str] = field(default_factory=Counter)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of the work."""
        return self.runner.run(work)

    def aside(self, work: Callable[[], T]) -> T:
        """The result of work that waits for the platform, done in a thread while the platform goes on."""
        return self.run(asyncio.to_thread(work))

    def call(self, name: str, request: Message | bytes, principal: str = "ann") -> Any:
        """The call of a method by its name, `rounds.GetStatus`: to await, or to iterate."""
        method, channel = METHODS[name], self.channels[name.partition(".")[0]]
        kind = channel.unary_stream if method.server_streaming else channel.unary_unary
        path = f"/{method.containing_service.full_name}/{method.name}"
        made = kind(path, as_they_are, GetMessageClass(method.output_type).FromString)
        return made(bytes_of(request), metadata=by(principal), timeout=PATIENCE_SECONDS, wait_for_ready=True)

    async def asked(self, name: str, principal: str = "ann", **given: Any) -> Any:
        """The answer of a unary call, once the property is served and what it asks for is there."""
        request = GetMessageClass(METHODS[name].input_type)(**given)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                try:
                    return await self.call(name, request, principal)
                except grpc.aio.AioRpcError as problem:
                    judge(problem)
                    if problem.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.NOT_FOUND):
                        raise
                await asyncio.sleep(0.05)

    async def source(self) -> str:
        """A registered source that has not spoken yet."""
        name = f"fuzz-{next(self.numbers)}"
        await self.asked("rounds.RegisterSource", request_id=f"s-{name}", property_id=PROPERTY, source_id=name)
        return name

    async def well(self) -> None:
        """Every service still answers, has its connections back and runs no more tasks than its properties take."""
        await self._takes_events()
        for name in self.services:
            await self.asked(f"{name}.GetStatus")
        await self._eventually(self._followed, "every follower at the head of what it follows")
        await self._eventually(self._connections_are_back, "every connection of the pools idle")
        await self._eventually(self._as_many_tasks, "no more tasks than the properties take")

    async def _takes_events(self) -> None:
        """The fuzzed property's writer answers one event that is none."""
        hello = {"property_id": PROPERTY, "source_id": await self.source(), "source_epoch": 1, "protocol_version": 1}
        batch = {"first_sequence": 1, "events": [b"\xff"]}
        result = (await self.asked("rounds.SubmitEvents", hello=hello, batch=batch)).result
        if [answer.reason for answer in result.answers] != ["UNREADABLE"] or result.durable_through_sequence != 1:
            raise Fault(f"expected an event that is none to be answered UNREADABLE, got {result}")

    async def _eventually(self, holds: Callable[[], Coroutine[Any, Any, str]], what: str) -> None:
        found = ""
        try:
            async with asyncio.timeout(QUIET_SECONDS):
                while found := await holds():
                    await _pause()
        except TimeoutError as late:
            raise Fault(f"expected {what} within {QUIET_SECONDS} seconds, got {found}") from late

    async def _connections_are_back(self) -> str:
        busy = {
            name: pool.get_size() - pool.get_idle_size()
            for name, service in self.services.items()
            if (pool := service.pool).get_size() != pool.get_idle_size()
        }
        return f"{busy} in use" if busy else ""

    async def _as_many_tasks(self) -> str:
        told = (await self.asked("rounds.ListProperties")).properties
        properties, now = len({each.property_id for each in told}), _tasks()
        if not self.tasks_of_property:
            # At the first look there is one property: the rest of what runs then is what it takes.
            now = await _at_rest()
            self.tasks_of_property = now - self.tasks
        more = now - self.tasks
        for _ in range(properties):
            more -= self.tasks_of_property
        return f"{dict(more)} more for {properties} properties: {_waits(more)}" if more else ""

    async def _followed(self) -> str:
        """What is behind: a follower that stands at an entry it cannot take would stay so for good."""
        heads: dict[tuple[str, str], int] = {}
        cursors: list[tuple[str, str, str, int]] = []
        for name in self.services:
            for each in (await self.asked(f"{name}.GetStatus")).status.properties:
                heads |= {(each.property_id, head.feed): head.position for head in each.heads}
                cursors += [(name, each.property_id, cursor.feed, cursor.position) for cursor in each.cursors]
        behind = [each for each in cursors if each[3] < heads.get((each[1], each[2]), 0)]
        return f"{behind} behind {heads}" if behind else ""

    async def verified(self) -> list[str]:
        """What every service finds different in its own rows, or why it does not tell."""
        found = []
        for name in self.services:
            try:
                async for message in self.call(f"{name}.Verify", b""):
                    found += [f"{name}: {each}" for each in message.verification.differences]
            except grpc.aio.AioRpcError as problem:
                found.append(f"{name}.Verify: {problem.code().name}: {problem.details()}")
        return found


def _tasks() -> Counter[str]:
    """How many tasks run, by what they run."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    return Counter(_named(each.get_coro()) for each in others)


def _waits(names: Container[str]) -> list[str]:
    """What each task that runs one of these waits in, from the outside inwards, and how often."""
    waits = Counter(
        " > ".join(_chain(each.get_coro())) for each in asyncio.all_tasks() if _named(each.get_coro()) in names
    )
    return [f"{number} x {chain}" for chain, number in sorted(waits.items())]


def _chain(work: Any) -> list[str]:
    inner = next((found for name in AWAITED if (found := getattr(work, name, None)) is not None), None)
    return [_named(work), *(_chain(inner) if inner is not None else [])]


def _named(work: Any) -> str:
    return str(getattr(work, "__qualname__", type(work).__name__))


async def _at_rest() -> Counter[str]:
    """The tasks once they are the same for a while: none of them is a call that begins or ends."""
    now, looks = _tasks(), 0
    while looks < LOOKS_ALIKE:
        await _pause()
        before, now = now, _tasks()
        looks = looks + 1 if now == before else 0
    return now


async def _pause() -> None:
    await asyncio.sleep(0.02)


def _settings(database: Database, home: Path) -> Settings:
    environ = {"CASINO_HOME": str(home), "CASINO_LOG_LEVEL": "error"}
    for name in STARTS:
        environ[f"CASINO_{name.upper()}_DATABASE_URL"] = database.url(name)
        environ[f"CASINO_{name.upper()}_ADDRESS"] = f"127.0.0.1:{free_port()}"
        environ[f"CASINO_{name.upper()}_METRICS_PORT"] = "0"
    return Settings.read(environ)


@contextmanager
def running(database: Database, home: Path) -> Iterator[House]:
    """The platform, started, set up and stopped; at the end its feeds verify."""
    from tests.fuzz.bases import set_up

    with asyncio.Runner() as runner:
        house = House(_settings(database, home), runner)
        try:
            house.run(_start(house))
            house.run(set_up(house))
            yield house
        finally:
            house.run(_stop(house))


async def _start(house: House) -> None:
    for name, start in STARTS.items():
        house.services[name] = await start(house.settings, lambda: NOW + timedelta(minutes=5))
        house.channels[name] = grpc.aio.insecure_channel(house.settings.service(name).address)
        await house.asked(f"{name}.GetStatus")
    house.tasks = await _at_rest()


async def _stop(house: House) -> None:
    for channel in house.channels.values():
        await channel.close()
    for service in reversed(house.services.values()):
        await service.stop()
