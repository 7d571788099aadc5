"""The four services inside one process on one database, and what can be done to them."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from clients.sdk import stream
from clients.sdk.client import Casino
from services.progressives.__main__ import start as start_progressives
from services.reporting.__main__ import start as start_reporting
from services.rounds.__main__ import start as start_rounds
from services.runtime import server, steps
from services.runtime.server import Service, cancelled
from services.runtime.settings import Settings
from services.settlement.__main__ import start as start_settlement
from tests.databases import Database
from tests.faults.line import DELAY_SECONDS
from tests.faults.schedule import SERVICES, Fault, Schedule

NOW = datetime(2026, 3, 2, 18, tzinfo=UTC)
"""One o'clock in the afternoon of the gaming day; clocks step within it."""

STARTS: Mapping[str, Callable[..., Awaitable[Service]]] = {
    "rounds": start_rounds,
    "settlement": start_settlement,
    "progressives": start_progressives,
    "reporting": start_reporting,
}
TRIGGER_SEED = 5998
"""Its first trigger lies 109 cents above the minimum, and the next ones far from it."""

HEARTBEAT_SECONDS, ACQUIRE_SECONDS = 0.25, 0.3
"""In place of five and ten seconds, so that a lost tail and an exhausted pool show in a short test."""

DOWN_SECONDS, FULL_SECONDS, EXHAUSTED_SECONDS = 0.2, 0.3, 0.5
SLOW_SECONDS, SLOW_STEPS = 0.05, 5
DOWN_TIMES = 20
CLOCK_MINUTES = 10
PORTS = range(12_000, 20_000)
"""Shared out among processes: the port of a service that is down would look free to another."""

FULL_DISK = """
create table public.full_disk (service text);
create function public.refuse_when_full() returns trigger language plpgsql security definer as $$
begin
  if exists (select from public.full_disk where service = tg_table_schema) then
    raise exception using errcode = '53100', message = 'could not extend file: No space left on device';
  end if;
  return null;
end $$;
"""
FULL_DISK_TRIGGER = """
create trigger refuse_when_full before update on {}.{} for each statement execute function public.refuse_when_full()
"""


async def arm_full_disk(owner_url: str) -> None:
    """Writes of a service are refused with SQLSTATE 53100 while the table full_disk names it."""
    connection = await asyncpg.connect(owner_url)
    try:
        await connection.execute(FULL_DISK)
        for service in SERVICES:
            for table in ("feed_head", "cursor"):
                await connection.execute(FULL_DISK_TRIGGER.format(service, table))
    finally:
        await connection.close()


@contextmanager
def hurried() -> Iterator[None]:
    """Heartbeats come often, and nobody waits long for a connection."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "HEARTBEAT_SECONDS", HEARTBEAT_SECONDS)
        patch.setattr(server, "ACQUIRE_SECONDS", ACQUIRE_SECONDS)
        yield


def lasting_ports(ports: Sequence[int]) -> Iterator[int]:
    """Free ones of these ports, each once. No outgoing connection takes one while a service is down: they lie below."""
    for port in random.sample(ports, len(ports)):
        with socket.socket() as tried:
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
        yield port


class World:
    """`async with World(database, home, server_url, schedule, ports) as world`."""

    def __init__(
        self, database: Database, home: Path, server_url: str, schedule: Schedule, ports: Sequence[int]
    ) -> None:
        self.schedule, self._database, self._server_url = schedule, database, server_url
        self.places = {name: f"127.0.0.1:{port}" for name, port in zip(SERVICES, lasting_ports(ports), strict=False)}
        environ = {"CASINO_HOME": str(home), "CASINO_TRIGGER_SEED": str(TRIGGER_SEED)}
        for name in SERVICES:
            environ[f"CASINO_{name.upper()}_DATABASE_URL"] = database.url(name)
            environ[f"CASINO_{name.upper()}_ADDRESS"] = self.places[name]
            environ[f"CASINO_{name.upper()}_METRICS_PORT"] = "0"
        self._settings = Settings.read(environ)
        self._services: dict[str, Service] = {}
        self._skew = timedelta()
        self._slow: dict[str, int] = {}
        self._work: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> World:
        for name in SERVICES:
            await self._start(name)
        steps.on_step(self._reached)
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self.settled()
        steps.on_step(None)
        await asyncio.gather(*(self._vanish(name) for name in list(self._services)))

    def clock(self) -> datetime:
        """What the services take for the time."""
        return NOW + self._skew

    def casino(self, principal: str) -> Casino:
        """A client."""
        return Casino(self.places, principal)

    async def settled(self) -> None:
        """Returns once every fault is over."""
        while self._work:
            await asyncio.gather(*self._work)

    async def _start(self, name: str) -> None:
        while name not in self._services:
            # A process that cannot start ends, and is started again.
            with contextlib.suppress(
                OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError, RuntimeError
            ):  # the last is how gRPC says that the port is not free yet
                self._services[name] = await STARTS[name](self._settings, self.clock)

    async def _vanish(self, name: str) -> None:
        """Everything of a service ends without a farewell, as far as it is on this side of the database."""
        service = self._services.pop(name)
        await service._server.stop(0)
        await cancelled(list(service._tasks))
        for connected in service._channels:
            await connected.close()
        service.pool.terminate()

    async def _reached(self, step: str) -> None:
        name = step.partition(".")[0]
        if self._slow.get(name):
            self._slow[name] -= 1
            await asyncio.sleep(SLOW_SECONDS)
        for fault in self.schedule.due(step):
            await self.strike(fault)

    async def strike(self, fault: Fault) -> None:
        """What the fault does, to whoever has reached its step."""
        name = fault.step.partition(".")[0]
        if fault.kind == "delay":
            await asyncio.sleep(DELAY_SECONDS)
        elif fault.kind == "clock_step":
            self._skew = timedelta(minutes=fault.spice % (2 * CLOCK_MINUTES) - CLOCK_MINUTES)
        elif fault.kind == "connection_lost":
            raise ConnectionResetError(f"the connection is gone at {fault.step}")
        elif fault.kind == "slow_follower":
            self._slow[name] = SLOW_STEPS
        elif fault.kind == "rebuilt":
            if name in self._services:
                self._begin(self._rebuild(name))
                # Nothing of this service goes any further.
                await asyncio.Event().wait()
        else:
            whole = {
                "database_down": self._down(),
                "disk_full": self._fill(name),
                "pool_exhausted": self._exhaust(name),
            }
            for kind, work in whole.items():
                self._begin(work) if kind == fault.kind else work.close()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _rebuild(self, name: str) -> None:
        await self._vanish(name)
        await self._start(name)

    async def _down(self) -> None:
        """As in a restart: SQLSTATE 57P01 for whoever is connected, and for whoever comes back too early."""
        ended = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1"
        connection = await asyncpg.connect(self._server_url)
        try:
            for _ in range(DOWN_TIMES):
                await connection.execute(ended, self._database.name)
                await asyncio.sleep(DOWN_SECONDS / DOWN_TIMES)
        finally:
            await connection.close()

    async def _fill(self, name: str) -> None:
        # A connection of its own, for it has to find its way back in when the database goes down meanwhile.
        while True:
            with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                connection = await asyncpg.connect(self._database.owner_url)
                try:
                    await connection.execute("insert into public.full_disk values ($1)", name)
                    await asyncio.sleep(FULL_SECONDS)
                    await connection.execute("delete from public.full_disk where service = $1", name)
                    return
                finally:
                    await connection.close()
            await asyncio.sleep(DELAY_SECONDS)

    async def _exhaust(self, name: str) -> None:
        if name not in self._services:
            return
        pool, taken = self._services[name].pool, list[Any]()
        with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
            while len(taken) < pool.get_max_size():
                taken.append(await pool.acquire(timeout=EXHAUSTED_SECONDS))
        await asyncio.sleep(EXHAUSTED_SECONDS)
        for connection in taken:
            with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await pool.release(connection)
