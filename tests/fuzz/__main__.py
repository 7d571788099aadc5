"""`scripts/fuzz`: explores for so many minutes and prints one JSON object; exit code 1 if anything was found."""

import argparse
import json
import logging
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from services.runtime import logs
from services.runtime.embedded import EmbeddedPostgres
from tests.conftest import memory
from tests.databases import Templates
from tests.fuzz.exploration import Explored, explore
from tests.fuzz.house import running
from tests.fuzz.targets import COMMANDS, TARGETS, Target

SOME = 25
"""Examples of a target in a turn."""
FEW = 1


def main() -> None:
    """Makes a database server of its own, explores, and is gone."""
    given = _arguments()
    logging.disable(logging.CRITICAL)
    logs.configure("critical")
    home = Path(tempfile.mkdtemp(prefix="casino-fuzz-", dir=memory()))
    home.chmod(0o711)
    server = EmbeddedPostgres(home / "server", settings={"shared_buffers": "256MB", "fsync": "off"})
    server.start()
    began = time.monotonic()
    try:
        explored, wrong = _explored(Templates(server.url), home / "home", given)
    finally:
        server.stop()
        shutil.rmtree(home)
    told = {
        "seed": given.seed,
        "seconds": int(time.monotonic() - began),
        "examples": sum(explored.examples.values()),
        "by_target": dict(explored.examples),
        "failures": [each._asdict() for each in explored.failures],
        "verify": wrong,
    }
    print(json.dumps(told, indent=2))
    sys.exit(bool(explored.failures or wrong))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long, in all")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="the same seed draws the same")
    parser.add_argument("--examples", type=int, default=SOME, help="examples of a target in a turn")
    parser.add_argument("--target", action="append", help=f"only this one: commands, {', '.join(TARGETS)}")
    given = parser.parse_args()
    unknown = sorted(set(given.target or ()) - TARGETS.keys() - {COMMANDS.name})
    if unknown:
        parser.error(f"expected targets by their names, got {', '.join(unknown)}")
    return given


def _explored(templates: Templates, home: Path, given: argparse.Namespace) -> tuple[Explored, list[str]]:
    names = given.target or [*TARGETS, COMMANDS.name]
    targets = [_target(name) for name in names]
    with running(templates.clone(), home) as house:
        explored = explore(house, targets, given.minutes * 60, given.seed, given.examples)
        return explored, house.run(house.verified())


def _target(name: str) -> Target:
    return COMMANDS if name == COMMANDS.name else TARGETS[name]


if __name__ == "__main__":
    main()
