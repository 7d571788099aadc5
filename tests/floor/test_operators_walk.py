"""The walk of the README, command by command, as an operator types it."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.clients.command import ROOT
from tests.clients.conftest import settings

pytestmark = pytest.mark.floor

MARKED = r"<!-- {} -->\n```bash\n(.*?)```"
MINUTES = 5


def test_a_progressive_goes_from_proposal_to_paid_slip(home: Path) -> None:
    """Every command of the README's walk succeeds, in this order, from an empty home."""
    ran = walked(home)
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    for said in (
        "BAY-9 mega $10,000.00",
        "PROGRESSIVE JACKPOT SLIP",
        "$10,001.50",
        "Verified by   flo, floorperson",
        "Ada Patron",
        "\n0 differences.",
    ):
        assert said in ran.stdout
    slip = ran.stdout.partition("PROGRESSIVE JACKPOT SLIP")[2].partition("Patron ___")[0]
    assert "Ada" not in slip


def walked(home: Path, mark: str = "walk") -> subprocess.CompletedProcess[str]:
    """The README's block under a mark run by bash, which ends at the first command that fails."""
    (block,) = re.findall(MARKED.format(mark), (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CASINO_")}
    home.parent.mkdir(exist_ok=True)
    environ = {**kept, **settings(home), "TMPDIR": str(home.parent)}
    with subprocess.Popen(
        ("bash", "-euo", "pipefail", "-c", block),
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(timeout=MINUTES * 60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
        finally:
            end_session(process.pid)
    return subprocess.CompletedProcess(block, process.returncode, out, err)


def end_session(pid: int) -> None:
    """Ends what a block that failed has left in the background; the platform ends with its parent."""
    try:
        os.killpg(pid, signal.SIGTERM)
    except ProcessLookupError:
        return  # nothing was left
