"""Four services in this process on one database, which the tests change by hand and put back."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from clients.sdk.client import Casino
from services.kernel.clock import Clock, system_clock
from services.progressives.__main__ import start as start_progressives
from services.reporting.__main__ import start as start_reporting
from services.rounds.__main__ import start as start_rounds
from services.runtime.server import Service
from services.runtime.settings import Settings
from services.settlement.__main__ import start as start_settlement
from tests.databases import Database
from tests.ports import free_port

STARTS = {
    "rounds": start_rounds,
    "settlement": start_settlement,
    "progressives": start_progressives,
    "reporting": start_reporting,
}
PATIENCE = 2.0


class Platform:
    """Started with `async with`; `casino` is a client of it.

    With a `clock` that stands still nothing is entered because time goes by, such as the silence of a sign.
    """

    def __init__(self, database: Database, home: Path, clock: Clock = system_clock) -> None:
        self._clock = clock
        # No seal of the minute falls into the time in which a row is changed.
        environ = {"CASINO_HOME": str(home), "CASINO_TRIGGER_SEED": "7", "CASINO_SEAL_SECONDS": "3600"}
        for name in STARTS:
            environ[f"CASINO_{name.upper()}_DATABASE_URL"] = database.url(name)
            environ[f"CASINO_{name.upper()}_ADDRESS"] = f"127.0.0.1:{free_port()}"
            environ[f"CASINO_{name.upper()}_METRICS_PORT"] = "0"
        environ["CASINO_LOG_LEVEL"] = "error"
        self._settings, self._stack = Settings.read(environ), AsyncExitStack()
        self.services: list[Service] = []
        self.casino: Casino

    async def __aenter__(self) -> Platform:
        for start in STARTS.values():
            service = await start(self._settings, self._clock)
            self.services.append(service)
            self._stack.push_async_callback(service.stop)
        places = {name: each.address for name, each in self._settings.services.items()}
        self.casino = await self._stack.enter_async_context(Casino(places, "a-tester", PATIENCE))
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self._stack.aclose()
