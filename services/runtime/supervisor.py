"""Everything of one home on one machine: Postgres, the migrations, and the four services as processes.

`python -m services.runtime.supervisor [--free-ports] [--with-parent]` starts the embedded Postgres unless
`CASINO_DATABASE_URL` is set, migrates, starts the services and prints one JSON line on standard output when
all of them serve: `{"ready": true, "addresses": {service: "host:port"}, "pids": {process: pid}}`. Whatever
dies is started again after a pause that grows; SIGTERM or SIGINT stops everything, the services first.

A service gets its own login and no other. Its log is `$CASINO_HOME/logs/<service>.log`; where everything
listens and runs is kept in `$CASINO_HOME/addresses.json` and `$CASINO_HOME/pids.json` while it does.
"""

import argparse
import asyncio
import ctypes
import fcntl
import json
import os
import random
import signal
import socket
import sys
import time
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from pathlib import Path

import asyncpg

from services.kernel.errors import Precondition, Refusal
from services.runtime.children import PR_SET_PDEATHSIG, Child
from services.runtime.embedded import PORTS, EmbeddedPostgres, HomeInUse, PortTaken
from services.runtime.migrations import SERVICES, migrate
from services.runtime.settings import ServiceSettings, Settings

PORT_SECONDS = 15.0


class ParentGone(Precondition):
    """The process that started the supervisor has ended."""


class Supervisor:
    """The processes of one home. `start` returns when all serve, `stop` when none is left."""

    def __init__(self, settings: Settings, environ: Mapping[str, str]) -> None:
        self.settings, self._environ = settings, environ
        self.home = settings.home.absolute()
        self.children: list[Child] = []
        self._postgres: EmbeddedPostgres | None = None
        self._starting: asyncio.Future[None] | None = None
        self._lock: int | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start everything, whatever the last end left behind.

        Raises HomeInUse, PortTaken, ServiceNotServing, and what Postgres or a migration refuses.
        """
        self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        (self.home / "logs").mkdir(exist_ok=True)
        self._take_lock()
        owner = self.settings.database_url or await self._start_postgres()
        given = {own.name: own.database_url for own in self._services if own.database_url}
        urls = await migrate(owner, secrets=self.settings.secrets, urls=given)
        for own in self._services:
            await self._free_port(own)
            self.children.append(self._child(own, urls[own.name]))
        for child in self.children:
            self._spawn(child.keep())
        await asyncio.gather(*(child.serving() for child in self.children))
        _write(self.home / "addresses.json", self.addresses)

    async def stop(self) -> None:
        """Stop the services, then Postgres, and leave the home to others."""
        await asyncio.gather(*(child.stop() for child in self.children))
        await self._stop_postgres()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._lock is not None:
            for kept in ("addresses.json", "pids.json"):
                (self.home / kept).unlink(missing_ok=True)
            os.close(self._lock)

    @property
    def addresses(self) -> dict[str, str]:
        """Where each service listens, host:port."""
        return {own.name: own.address for own in self._services}

    @property
    def pids(self) -> dict[str, int | None]:
        """The process id of each service, and of `postgres` where it is the embedded one."""
        postgres = {"postgres": self._postgres.pid} if self._postgres else {}
        return {child.name: child.pid for child in self.children} | postgres

    @property
    def _services(self) -> list[ServiceSettings]:
        return list(self.settings.services.values())

    def _take_lock(self) -> None:
        """The kernel drops this lock with its holder, however that one ends."""
        lock = os.open(self.home / "supervisor.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise HomeInUse(f"expected to be the only supervisor of {self.home}, another process is") from None
        self._lock = lock

    async def _start_postgres(self) -> str:
        """Start the embedded server and watch it from a thread; returns the owner's url."""
        self._postgres = postgres = EmbeddedPostgres(self.home)
        self._starting = asyncio.ensure_future(asyncio.to_thread(postgres.start))
        await asyncio.shield(self._starting)
        loop = asyncio.get_running_loop()

        def restarted(pid: int) -> None:
            loop.call_soon_threadsafe(self._again, pid)

        self._spawn(asyncio.to_thread(postgres.watch, restarted))
        return postgres.url

    def _again(self, pid: int) -> None:
        say(f"postgres had ended and was started again as process {pid}")
        self._write_pids()

    async def _stop_postgres(self) -> None:
        """A start under way notices the stop; one that has hardly begun may not, and is stopped again."""
        stopped = self._postgres is None
        while self._postgres and not stopped:
            stopped = self._starting is None or self._starting.done()
            await asyncio.to_thread(self._postgres.stop)
            await asyncio.sleep(0 if stopped else 0.1)

    def _child(self, own: ServiceSettings, url: str) -> Child:
        log = self.home / "logs" / f"{own.name}.log"
        return Child(own, self._environment(own, url), log, self._write_pids, say)

    def _environment(self, own: ServiceSettings, url: str) -> dict[str, str]:
        """This process's environment with all addresses, and with the service's own login alone."""
        kept = {name: value for name, value in self._environ.items() if not name.endswith("DATABASE_URL")}
        addresses = {f"CASINO_{name.upper()}_ADDRESS": address for name, address in self.addresses.items()}
        prefix = f"CASINO_{own.name.upper()}"
        mine = {f"{prefix}_DATABASE_URL": url, f"{prefix}_METRICS_PORT": str(own.metrics_port)}
        return {**kept, **addresses, **mine, "CASINO_HOME": str(self.home)}

    async def _free_port(self, own: ServiceSettings) -> None:
        """What died a moment ago may hold its port a little longer; PortTaken if something else keeps it."""
        host, _, port = own.address.rpartition(":")
        deadline = time.monotonic() + PORT_SECONDS
        while not _free(host, int(port)):
            if time.monotonic() > deadline:
                raise PortTaken(f"expected {own.address} to be free for {own.name}, something listens there")
            await asyncio.sleep(0.2)

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()):
            say(f"a process is no longer watched: {problem!r}")

    def _write_pids(self) -> None:
        _write(self.home / "pids.json", self.pids)


def with_free_ports(settings: Settings, *, every: bool) -> Settings:
    """The same settings with a free port in place of port 0; `every` service and its metrics gets free ones.

    Raises PortTaken where there are not enough.
    """
    ports = iter(_free_ports(2 * len(SERVICES)))
    services = {}
    for name, own in settings.services.items():
        host, _, port = own.address.rpartition(":")
        if every:
            own = replace(own, metrics_port=next(ports))
        if every or int(port) == 0:
            own = replace(own, address=f"{host}:{next(ports)}")
        services[name] = own
    return replace(settings, services=services)


async def supervise(settings: Settings, environ: Mapping[str, str]) -> None:
    """Run everything until SIGTERM or SIGINT; raises what `Supervisor.start` raises."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    supervisor = Supervisor(settings, environ)
    starting = asyncio.ensure_future(supervisor.start())
    asked = asyncio.ensure_future(stopping.wait())
    try:
        await asyncio.wait((starting, asked), return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            starting.result()
            ready = {"ready": True, "addresses": supervisor.addresses, "pids": supervisor.pids}
            print(json.dumps(ready), flush=True)
            await asked
    finally:
        for task in (starting, asked):
            task.cancel()
        await asyncio.gather(starting, asked, return_exceptions=True)
        await supervisor.stop()


def main(arguments: list[str] | None = None) -> int:
    """The command line; 1 with one sentence on standard error when something is refused."""
    options = _parser().parse_args(arguments)
    try:
        if options.with_parent:
            _stop_with_parent()
        settings = Settings.read(os.environ)
        asyncio.run(supervise(with_free_ports(settings, every=options.free_ports), os.environ))
    except Refusal as refusal:
        say(refusal.message)
        return 1
    except (OSError, asyncpg.PostgresError) as problem:
        say(f"the platform could not be started: {problem}")
        return 1
    return 0


def say(sentence: str) -> None:
    """One sentence on standard error."""
    print(f"supervisor: {sentence}", file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="services.runtime.supervisor", description="Run the platform of one home.")
    parser.add_argument("--free-ports", action="store_true", help="every service listens on a free port")
    parser.add_argument("--with-parent", action="store_true", help="stop when the process that started this one ends")
    return parser


def _stop_with_parent() -> None:
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))
    if os.getppid() != parent:
        raise ParentGone


def _free_ports(number: int) -> list[int]:
    found: list[int] = []
    for port in random.sample(PORTS, len(PORTS)):
        if len(found) == number:
            return found
        if _free("127.0.0.1", port):
            found.append(port)
    raise PortTaken(f"expected {number} free ports from {PORTS.start} to {PORTS.stop - 1}, found {len(found)}")


def _free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True


def _write(path: Path, content: Mapping[str, object]) -> None:
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(json.dumps(content) + "\n")
    fresh.replace(path)


if __name__ == "__main__":
    sys.exit(main())
