"""The platform of one home as a child process: started, asked where it listens, stopped."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

START_SECONDS = 180.0
STOP_SECONDS = 120.0
ROOT = Path(__file__).resolve().parents[2]
SUPERVISOR = ("-m", "services.runtime.supervisor", "--free-ports", "--with-parent")


class PlatformNotStarted(Exception):
    """The platform did not come up."""


class Platform:
    """`async with Platform(home) as platform` runs the embedded Postgres and the four services of a home.

    The home is made where it is not there; it is never one of the environment's databases that is used.
    `addresses` says where each service listens, `pids()` which process each one is now.
    """

    def __init__(self, home: Path, environ: Mapping[str, str] = os.environ) -> None:
        self.home = home.absolute()
        self.addresses: dict[str, str] = {}
        self._environ = {name: value for name, value in environ.items() if not name.endswith("DATABASE_URL")} | {
            "CASINO_HOME": str(self.home)
        }
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Platform:
        try:
            await self.start()
        except BaseException:
            await self.stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def pid(self) -> int:
        """The process that supervises the others."""
        return self._process.pid if self._process else 0

    def pids(self) -> dict[str, int | None]:
        """The process of each service and of `postgres` now; None while one is down."""
        found: dict[str, int | None] = json.loads((self.home / "pids.json").read_text())
        return found

    async def start(self) -> None:
        """Start everything and return when all services serve. Raises PlatformNotStarted."""
        self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._log.open("ab") as log:
            self._process = process = await asyncio.create_subprocess_exec(
                sys.executable,
                *SUPERVISOR,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env=self._environ,
                cwd=ROOT,
                start_new_session=True,
            )
        if process.stdout is None:
            raise PlatformNotStarted("expected a pipe from the supervisor, there is none")
        with contextlib.suppress(TimeoutError):  # said below, with what the supervisor said last
            line = await asyncio.wait_for(process.stdout.readline(), START_SECONDS)
            if line:
                self.addresses = json.loads(line)["addresses"]
                return
        raise PlatformNotStarted(f"the platform did not start; {self._log} ends with: {self._last_words()}")

    async def stop(self) -> None:
        """Stop everything and return when no process is left."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
            process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()

    async def crash(self) -> None:
        """Kill the supervisor as a power cut would: every other process of the home dies with it."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            await process.wait()

    @property
    def _log(self) -> Path:
        return self.home / "supervisor.log"

    def _last_words(self) -> str:
        return " / ".join(self._log.read_text(errors="replace").splitlines()[-3:]) or "nothing"
