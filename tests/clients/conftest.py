"""A platform of real processes, started as a user starts it, for the tests of one file."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from clients.sdk.client import SERVICES, Casino, addresses
from tests.clients.command import ROOT, Ran, casino
from tests.ports import free_port


@dataclass
class Running:
    """A platform with its settings; `casino` runs a command against it."""

    home: Path
    environ: dict[str, str]
    process: subprocess.Popen[str]
    ready: str

    def casino(self, *arguments: str, principal: str = "ann") -> Ran:
        """One command, as this principal."""
        return casino(*arguments, environ={**self.environ, "CASINO_PRINCIPAL": principal})

    def client(self) -> Casino:
        """The SDK's client of it."""
        return Casino(addresses(self.environ), principal="ann")

    def pids(self) -> list[int]:
        """The processes of the home."""
        found = json.loads((self.home / "pids.json").read_text())
        return [int(pid) for pid in found.values() if pid]


def settings(home: Path) -> dict[str, str]:
    """A home of its own and free ports."""
    environ = {"CASINO_HOME": str(home), "PYTHONPATH": str(ROOT)}
    for service in SERVICES:
        environ[f"CASINO_{service.upper()}_ADDRESS"] = f"127.0.0.1:{free_port()}"
        environ[f"CASINO_{service.upper()}_METRICS_PORT"] = str(free_port())
    return environ


@pytest.fixture(scope="module")
def platform() -> Iterator[Running]:
    """`casino up` in a home on a path with a space, stopped with SIGTERM."""
    above = Path(tempfile.mkdtemp(prefix="casino-clients-"))
    above.chmod(0o711)
    environ = settings(above / "a home")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CASINO_")}
    with subprocess.Popen(
        (sys.executable, "-m", "clients.cli", "up"),
        env=kept | environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield Running(above / "a home", environ, process, process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=90)
    shutil.rmtree(above)
