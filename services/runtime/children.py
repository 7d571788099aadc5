"""A service as a process of its own, which dies with its supervisor and is started again when it ends."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import grpc
from grpc_health.v1 import health_pb2

from services.kernel.errors import Busy
from services.runtime.settings import ServiceSettings

START_SECONDS = 120.0
STOP_SECONDS = 20.0
STEADY_SECONDS = 10.0
MOST_EARLY_ENDS = 5
BACK_OFF_SECONDS = (0.1, 0.3, 1.0, 3.0, 10.0)
LOG_BYTES = 10_000_000
PR_SET_PDEATHSIG = 1
ROOT = Path(__file__).resolve().parents[2]
CHECK = "/grpc.health.v1.Health/Check"

# Becomes the service after asking the kernel to kill it when the supervisor's main thread ends: nobody would
# be left to stop it, and every service keeps what it has acknowledged.
LAUNCHER = f"""
import ctypes, os, sys
parent, *command = sys.argv[1:]
ctypes.CDLL(None).prctl({PR_SET_PDEATHSIG}, {int(signal.SIGKILL)})
if os.getppid() != int(parent):
    sys.exit("the supervisor is gone")
os.execv(command[0], command)
"""

Say = Callable[[str], None]


class ServiceNotServing(Busy):
    """A service did not come up."""


class Child:
    """One service's process. `started` is called after each start, `say` with a sentence at each end."""

    def __init__(
        self,
        own: ServiceSettings,
        environment: Mapping[str, str],
        log: Path,
        started: Callable[[], None],
        say: Say,
    ) -> None:
        self.name, self.address, self.log = own.name, own.address, log
        self.early_ends = 0
        self._environment, self._started, self._say = environment, started, say
        self._process: asyncio.subprocess.Process | None = None
        self._stopping = False

    @property
    def pid(self) -> int | None:
        """The process id; None while the service is down."""
        return self._process.pid if self._process and self._process.returncode is None else None

    async def keep(self) -> None:
        """Run the process until `stop`; the pause before the next start grows while it does not stay up."""
        while not self._stopping:
            began = time.monotonic()
            end = await self._run()
            if not self._stopping:
                self.early_ends = 0 if time.monotonic() - began > STEADY_SECONDS else self.early_ends + 1
                pause = BACK_OFF_SECONDS[min(max(self.early_ends - 1, 0), len(BACK_OFF_SECONDS) - 1)]
                self._say(f"{self.name} {end}; started again in {pause} seconds; its log is {self.log}")
                await asyncio.sleep(pause)

    async def serving(self) -> None:
        """Return when the health check says that the service serves.

        Raises ServiceNotServing when it ends again and again, or has not come up in START_SECONDS.
        """
        deadline = time.monotonic() + START_SECONDS
        options = (("grpc.max_reconnect_backoff_ms", 200),)
        async with grpc.aio.insecure_channel(self.address, options=options) as channel:
            while not await _healthy(channel):
                if self.early_ends >= MOST_EARLY_ENDS or time.monotonic() > deadline:
                    raise ServiceNotServing(f"expected {self.name} to serve on {self.address}; {self._last_words()}")
                await asyncio.sleep(0.05)

    async def stop(self) -> None:
        """Ask the process to end (SIGTERM), and kill it when it takes longer than STOP_SECONDS."""
        self._stopping = True
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
        except TimeoutError:
            self._say(f"{self.name} did not stop within {STOP_SECONDS:.0f} seconds and was killed")
            process.kill()
            await process.wait()

    async def _run(self) -> str:
        """Run the process once; what to say of its end."""
        try:
            self._process = process = await self._spawn()
        except OSError as problem:
            return f"could not be run: {problem}"
        self._started()
        return f"ended with {await process.wait()}"

    async def _spawn(self) -> asyncio.subprocess.Process:
        """In a session of its own, so that Ctrl-C reaches the supervisor, which stops the services."""
        launcher = (sys.executable, "-I", "-S", "-c", LAUNCHER, str(os.getpid()))
        with _opened(self.log) as log:
            return await asyncio.create_subprocess_exec(
                *launcher,
                sys.executable,
                "-m",
                f"services.{self.name}",
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=dict(self._environment),
                cwd=ROOT,
                start_new_session=True,
            )

    def _last_words(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        return f"{self.log} ends with: {' / '.join(lines[-3:]) or 'nothing'}"


async def _healthy(channel: grpc.aio.Channel) -> bool:
    check: Any = channel.unary_unary(
        CHECK,
        request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
        response_deserializer=health_pb2.HealthCheckResponse.FromString,
    )
    try:
        answer: health_pb2.HealthCheckResponse = await check(health_pb2.HealthCheckRequest(), timeout=2)
    except grpc.aio.AioRpcError:
        return False  # it does not listen yet; the caller asks again until its deadline
    return answer.status == health_pb2.HealthCheckResponse.SERVING


def _opened(log: Path) -> BinaryIO:
    if log.exists() and log.stat().st_size > LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    return log.open("ab")
