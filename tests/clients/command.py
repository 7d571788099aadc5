"""The command line as a user runs it, in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Ran(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[Any]:
        """Standard output as one JSON object a line."""
        return [json.loads(line) for line in self.out.splitlines()]


def casino(*arguments: str, environ: Mapping[str, str] | None = None) -> Ran:
    """`casino` with these arguments; nothing of this process's settings reaches it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CASINO_")}
    ended = subprocess.run(
        (sys.executable, "-m", "clients.cli", *arguments),
        env={**kept, "PYTHONPATH": str(ROOT), **(environ or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return Ran(ended.returncode, ended.stdout, ended.stderr)
