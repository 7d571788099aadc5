"""Scenarios spread over processes, each with a prepared property of its own on the session's server."""

import logging
import multiprocessing
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from services.runtime import logs
from tests.databases import Templates
from tests.faults.scenarios import Outcome, Stage
from tests.faults.schedule import KINDS, plan
from tests.faults.world import PORTS

PROCESSES = 3
"""One waits for Postgres while two compute."""


def play_all(templates: Templates, seeds: Sequence[int]) -> list[Outcome]:
    """What came of the scenarios, in order of their seeds."""
    templates.drop(templates.clone())
    shares = [(templates, list(seeds[place::PROCESSES]), list(PORTS[place::PROCESSES])) for place in range(PROCESSES)]
    # A fork would carry gRPC's threads along.
    with ProcessPoolExecutor(PROCESSES, multiprocessing.get_context("spawn")) as pool:
        found = [outcome for some in pool.map(_play, shares) for outcome in some]
    return sorted(found, key=lambda outcome: outcome.plan.seed)


def _play(share: tuple[Templates, list[int], list[int]]) -> list[Outcome]:
    given, seeds, ports = share
    quiet()
    home = Path(tempfile.mkdtemp(prefix="casino-faults-"))
    # The template is the session's: to migrate anew would give the logins other passwords.
    templates = Templates(given.server_url, template=given.template)
    stage = Stage.prepare(templates, home, ports)
    try:
        return [stage.play(plan(seed)) for seed in seeds]
    finally:
        templates.drop(stage.prepared)
        shutil.rmtree(home)


def quiet() -> None:
    """Trouble that a scenario makes on purpose is not logged."""
    logs.configure("error")
    logging.getLogger("asyncpg").setLevel(logging.CRITICAL)


def counted(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How often a fault of each kind struck."""
    struck = Counter(fault.kind for outcome in outcomes for fault in outcome.struck)
    return {kind: struck[kind] for kind in sorted(KINDS)}
