"""The Postgres server the platform brings along when `CASINO_DATABASE_URL` is unset.

One object supervises one server, whose files lie in `<home>/postgres`. The server is a direct child that the
kernel shuts down when its supervisor dies, listens on 127.0.0.1 alone, has no Unix socket, and asks every
login for its password (scram). A start repairs whatever the last end left behind.
"""

from __future__ import annotations

import fcntl
import json
import os
import queue
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from services.kernel.errors import Busy, Precondition
from services.runtime import cluster
from services.runtime.cluster import Account, ServerNotStarted
from services.runtime.migrations import password

SETTINGS: Mapping[str, str] = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "on",
    "synchronous_commit": "on",
    "shared_buffers": "512MB",
    "max_wal_size": "4GB",
    "max_connections": "200",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
PORTS = range(20_000, 32_000)  # below the ephemeral ports, so that no outgoing connection takes it meanwhile
START_SECONDS = 120.0
STOP_SECONDS = 60.0
LOG_BYTES = 10_000_000
BACK_OFF_SECONDS = (0.1, 0.3, 1.0, 3.0, 10.0)


class HomeInUse(Busy):
    """Another process supervises the server of this home."""


class PortTaken(Precondition):
    """Something else listens on the port."""


class EmbeddedPostgres:
    """The server of one home folder.

    `port` fixes the port; otherwise a free one is chosen once and kept in `<home>/postgres.json`. `settings`
    are Postgres settings put over `SETTINGS`. The owner's password is kept in `<home>/secrets/postgres`, so
    that `url` can be asked by any process that may read the home, whoever supervises the server.
    """

    def __init__(
        self,
        home: Path,
        port: int | None = None,
        settings: Mapping[str, str] | None = None,
        run_as: Account | None = None,
    ) -> None:
        self.home = home.absolute()
        self.data = self.home / "postgres"
        self._port = port
        self._settings = {**SETTINGS, **(settings or {})}
        self._run_as = run_as
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: int | None = None
        self._stopping = threading.Event()
        self._changing = threading.RLock()

    @property
    def url(self) -> str:
        """The owner's url."""
        owner = f"{cluster.OWNER}:{password(self.home / 'secrets', 'postgres')}"
        return f"postgresql://{owner}@127.0.0.1:{self.port}/{cluster.DATABASE}"

    @property
    def port(self) -> int:
        """The TCP port on 127.0.0.1."""
        kept = self.home / "postgres.json"
        if self._port is not None:
            return self._port
        return int(json.loads(kept.read_text())["port"]) if kept.exists() else self._choose_port()

    @property
    def pid(self) -> int | None:
        """The postmaster's process id; None when it does not run under this object."""
        process = self._process
        return process.pid if process and process.poll() is None else None

    def is_alive(self) -> bool:
        """Whether the postmaster started by this object is running."""
        return self.pid is not None

    def start(self) -> None:
        """Start the server and return when it accepts connections; does nothing when it runs already.

        Raises HomeInUse, PortTaken, ServerNotStarted, or a refusal of `cluster`.
        """
        self._stopping.clear()
        self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._take_lock()
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Shut down fast (sessions end, everything is written), wait for it, and leave the home to others."""
        self._stopping.set()
        with self._changing:
            if self._process and self.is_alive():
                _end(self._process)
            self._process = None
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None

    def watch(self, restarted: Callable[[int], None] = lambda pid: None) -> None:
        """Restart the server whenever it ends, with back-off, until `stop`; blocks, so give it a thread.

        `restarted` is called with each new process id.
        """
        failures = 0
        while not self._stopping.wait(BACK_OFF_SECONDS[min(failures, len(BACK_OFF_SECONDS) - 1)]):
            if self.is_alive():
                continue
            try:
                self._start()
            except (Busy, Precondition) as refusal:
                failures += 1
                print(f"postgres: {refusal.message}", file=sys.stderr)
            else:
                failures = 0
                restarted(self.pid or 0)

    def _take_lock(self) -> None:
        """The kernel drops this lock with its holder, however that one ends."""
        if self._lock is not None:
            return
        lock = os.open(self.home / "postgres.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise HomeInUse(f"expected to be the only supervisor of {self.home}, another process is") from None
        self._lock = lock

    def _start(self) -> None:
        """Try until the deadline: what died a moment ago may hold its port or its memory a little longer."""
        deadline = time.monotonic() + START_SECONDS
        with self._changing:
            while not (self.is_alive() or self._launched(deadline)):
                if self._stopping.wait(0.3):
                    raise ServerNotStarted("the start of Postgres was called off")
                if time.monotonic() > deadline:
                    raise ServerNotStarted(f"Postgres did not start; {self._log} ends with: {self._last_words()}")

    def _launched(self, deadline: float) -> bool:
        """One try: True when the server is ready, False when it ended."""
        cluster.end_orphans(self.data)
        process = self._process = self._spawn(self._command())
        while not self._stopping.is_set() and time.monotonic() < deadline:
            if process.poll() is not None:
                return False
            if cluster.status(self.data, process.pid) == "ready":
                return True
            time.sleep(0.02)
        _end(process)
        return False

    def _command(self) -> list[str]:
        """The server's command line, its cluster made and its port free."""
        run = self._run_as or cluster.account(self.data)
        programs = cluster.reachable(run, cluster.binaries(), self.home)
        if not self.data.exists():
            cluster.initialise(run, programs, self.data, password(self.home / "secrets", "postgres"))
        cluster.refuse_other_version(programs, self.data)
        run.own(self.data)
        if not _free(self.port):
            self._leave_port()
        settings = [f"--{name}={value}" for name, value in self._settings.items()]
        return run.command(str(programs / "postgres"), "-D", str(self.data), f"--port={self.port}", *settings)

    def _spawn(self, command: list[str]) -> subprocess.Popen[bytes]:
        """Start the child from a thread that lives as long as it does: the kernel takes it for the parent.

        The same thread reaps the child at once: a zombie postmaster still looks alive to the next one.
        """
        started: queue.SimpleQueue[subprocess.Popen[bytes] | OSError] = queue.SimpleQueue()

        def keep() -> None:
            try:
                process = self._popen(command)
            except OSError as error:
                started.put(error)
                return
            started.put(process)
            process.wait()

        threading.Thread(target=keep, name="postgres", daemon=True).start()
        child = started.get()
        if isinstance(child, OSError):
            raise ServerNotStarted(f"{command[0]} could not be run: {child}")
        return child

    def _popen(self, command: list[str]) -> subprocess.Popen[bytes]:
        """In a session of its own, so that Ctrl-C reaches the supervisor, which stops the server last."""
        if self._log.exists() and self._log.stat().st_size > LOG_BYTES:
            self._log.replace(self._log.with_suffix(".log.1"))
        with self._log.open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=cluster.environment(),
                cwd=self.home,
                start_new_session=True,
            )

    def _leave_port(self) -> None:
        if self._port is not None:
            raise PortTaken(f"expected port {self._port} of 127.0.0.1 to be free, something listens there")
        self._choose_port()

    def _choose_port(self) -> int:
        port = next(port for port in random.sample(PORTS, len(PORTS)) if _free(port))
        self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = self.home / "postgres.json.new"
        fresh.write_text(json.dumps({"port": port}) + "\n")
        fresh.replace(self.home / "postgres.json")
        return port

    @property
    def _log(self) -> Path:
        return self.home / "postgres.log"

    def _last_words(self) -> str:
        return " / ".join(self._log.read_text(errors="replace").splitlines()[-5:])


def _end(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGQUIT)
        process.wait()


def _free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
