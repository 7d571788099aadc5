"""The demo: a whole platform that comes, plays a provable day, and goes."""

import asyncio
import json
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from clients.cli import demo
from services.kernel.errors import InvalidRequest
from tests.floor.test_supervisor import running


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which temporary homes are made."""
    tmp_path.chmod(0o711)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


async def played(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """A small demo's JSON object, after it ended well."""
    assert await demo.run(tables=3, rounds=60, seed=9, as_json=True) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.floor
async def test_same_seed_gives_the_same_object(scratch: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two runs print the same counts, win and verification, all clean, and leave no home behind."""
    first, second = await played(capsys), await played(capsys)
    assert first == second
    assert (first["counts"]["tables"], first["counts"]["rounds"], first["clean"]) == (3, 60, True)
    assert [row["difference"] for row in first["win"]] == [0, 0, 0]
    assert not left_in(scratch)


@pytest.mark.floor
async def test_a_stopped_demo_leaves_nothing(scratch: Path) -> None:
    """SIGTERM in the middle ends every process and removes the home."""
    program = "import asyncio, sys; from clients.cli.demo import run; sys.exit(asyncio.run(run(8, 20_000, 1)))"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program), env=os.environ, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    while b"Playing" not in await process.stderr.readline():
        pass
    pids = started(scratch)
    process.send_signal(signal.SIGTERM)
    _, said = await process.communicate()
    assert (process.returncode, b"stopped" in said) == (demo.STOPPED, True)
    assert not [name for name, pid in pids.items() if running(pid)]
    assert not left_in(scratch)


def left_in(scratch: Path) -> list[str]:
    """What lies in the folder of temporary homes."""
    return [entry.name for entry in scratch.iterdir()]


def started(scratch: Path) -> dict[str, int]:
    """The processes of the one home there is."""
    (home,) = scratch.iterdir()
    found: dict[str, int] = json.loads((home / "pids.json").read_text())
    return found


@pytest.mark.parametrize(("tables", "rounds"), [(0, 1), (100, 1), (1, 0), (1, 1_000_001)])
async def test_an_impossible_demo_is_refused(tables: int, rounds: int) -> None:
    """A number of tables or rounds that cannot be played is named before anything is started."""
    with pytest.raises(InvalidRequest, match="expected 1 to"):
        await demo.run(tables, rounds)
