"""The platform of this machine as the commands reach it: `casino up`, `casino migrate`, and how others connect."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import typer

from casino.rounds.v1 import rounds_service_pb2
from clients.cli.output import as_json, fail, say
from clients.floor import sample
from clients.sdk.client import SERVICES, Casino, addresses
from clients.sdk.refusals import RefusedByServer
from services.kernel.errors import Busy, InvalidRequest

SUPERVISOR = (sys.executable, "-m", "services.runtime.supervisor", "--with-parent")
# A process of its own: a client imports nothing of the plumbing.
MIGRATIONS = """
import asyncio, os
from services.runtime.migrations import migrate
from services.runtime.settings import Settings
settings = Settings.read(os.environ)
urls = {name: own.database_url for name, own in settings.services.items() if own.database_url}
asyncio.run(migrate(settings.database_url, secrets=settings.secrets, urls=urls))
"""
STOP_SECONDS = 60.0
LOOK_SECONDS = 2.0
PATIENCE = 5.0
# A long command outlasts a service or a database that is started again.
WORK_PATIENCE = 60.0


def home_folder() -> Path:
    """The folder of the embedded server, the keys and the addresses: CASINO_HOME or its default."""
    given = os.environ.get("CASINO_HOME")
    return Path(given).expanduser() if given else Path.home() / ".local" / "share" / "casino"


def places() -> dict[str, str]:
    """Address of each service: as the environment says, else as the home's supervisor wrote, else the default."""
    found, written = addresses(os.environ), home_folder() / "addresses.json"
    if written.exists():
        kept = json.loads(written.read_text(encoding="utf-8"))
        named = {name for name in SERVICES if os.environ.get(f"CASINO_{name.upper()}_ADDRESS")}
        found |= {name: address for name, address in kept.items() if name not in named}
    return found


@asynccontextmanager
async def connected() -> AsyncGenerator[Casino, None]:
    """A client of the platform that runs."""
    async with Casino(places(), patience=PATIENCE) as casino:
        yield casino


@asynccontextmanager
async def platform() -> AsyncGenerator[Casino, None]:
    """A client of the platform that runs; where none does, of one that is started and stopped again."""
    async with connected() as casino:
        if await running(casino):
            casino.patience = WORK_PATIENCE
            yield casino
            return
    say("No platform runs here: starting one for this command.")
    child = await _start("--free-ports")
    try:
        async with Casino(await _ready(child)) as casino:
            await seed_if_empty(casino)
            yield casino
    finally:
        await _stop(child)


async def running(casino: Casino) -> bool:
    """Whether the service that takes rounds answers."""
    try:
        request = rounds_service_pb2.ListPropertiesRequest()
        await casino.call(casino.rounds.ListProperties, request, timeout=LOOK_SECONDS, patience=0)
    except RefusedByServer as refusal:
        if not refusal.retriable and refusal.reason != "DEADLINE_EXCEEDED":
            raise
        return False
    return True


async def seed_if_empty(casino: Casino) -> None:
    """An empty home gets the sample property, so that first commands work."""
    found = await casino.call(casino.rounds.ListProperties, rounds_service_pb2.ListPropertiesRequest())
    if not found.properties:
        say(f"An empty home: setting up the sample property {sample.PROPERTY}.")
        await sample.seed(casino)


def up() -> None:
    """Starts everything on this machine and runs until it is stopped: database, services, sample property."""
    code = asyncio.run(_up())
    if code:
        raise typer.Exit(code)


def migrate() -> None:
    """Makes or updates the schemas and logins of the database that CASINO_DATABASE_URL names."""
    if not os.environ.get("CASINO_DATABASE_URL"):
        raise InvalidRequest(
            "expected CASINO_DATABASE_URL to name a database, it is unset;"
            " the embedded one is migrated whenever it starts"
        )
    ended = subprocess.run((sys.executable, "-c", MIGRATIONS), capture_output=True, text=True, check=False)
    if ended.returncode:
        fail(ended.stderr.strip().rpartition("\n")[2])
    say("The schemas and logins are up to date.")


async def _up() -> int:
    child = await _start()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, _terminate, child)
    try:
        listening = await _ready(child)
        async with Casino(listening) as casino:
            await seed_if_empty(casino)
        as_json({"ready": True, "addresses": listening})
        return await child.wait()
    finally:
        await _stop(child)


async def _start(*options: str) -> asyncio.subprocess.Process:
    # A session of its own: a Ctrl-C reaches the supervisor once, from here.
    return await asyncio.create_subprocess_exec(
        *SUPERVISOR,
        *options,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )


async def _ready(child: asyncio.subprocess.Process) -> dict[str, str]:
    """Where the services listen, once all of them serve. Raises Busy if the supervisor ends instead."""
    line = await child.stdout.readline() if child.stdout else b""
    if not line:
        raise Busy(f"expected the platform to start, its supervisor ended with code {await child.wait()}")
    return dict(json.loads(line)["addresses"])


def _terminate(child: asyncio.subprocess.Process) -> None:
    if child.returncode is None:
        child.send_signal(signal.SIGTERM)


async def _stop(child: asyncio.subprocess.Process) -> None:
    _terminate(child)
    try:
        await asyncio.wait_for(child.wait(), STOP_SECONDS)
    except TimeoutError:
        say(f"The platform did not stop within {STOP_SECONDS:.0f} seconds and is killed.")
        child.kill()
        await child.wait()
