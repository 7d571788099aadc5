"""Whatever fails: wagers, meters, jackpots and reports are those of a clean run under the recorded order."""

import os
from pathlib import Path

import pytest

from clients.floor.platform import Platform
from clients.sdk.client import Casino
from tests.databases import Templates
from tests.faults.killing import OPERATOR, Killing
from tests.faults.scenarios import Stage
from tests.faults.schedule import KINDS, MOST_FAULTS, plan
from tests.faults.workers import counted, play_all, quiet

FEW, ALL, KILLS = 14, 460, 40
SEED = os.environ.get("CASINO_FAULT_SEED")


def test_a_seed_is_its_schedule() -> None:
    """The same seed gives the same faults; kinds take turns, and each scenario has from one to four faults."""
    plans = [plan(seed) for seed in range(ALL)]
    assert plans == [plan(seed) for seed in range(ALL)]
    assert {each.faults[0].kind for each in plans[: len(KINDS)]} == set(KINDS)
    assert {len(each.faults) for each in plans} == set(range(1, MOST_FAULTS + 1))


@pytest.mark.parametrize("seed", range(FEW))
def test_a_fault_changes_nothing(stage: Stage, seed: int) -> None:
    """One scenario of each kind of fault, the four services inside this process."""
    quiet()
    outcome = stage.play(plan(seed))
    assert not outcome.problems, str(outcome)


@pytest.mark.skipif(SEED is None, reason="CASINO_FAULT_SEED names no seed to replay")
def test_replay(stage: Stage) -> None:
    """The scenario that CASINO_FAULT_SEED names, alone."""
    outcome = stage.play(plan(int(SEED or 0)))
    assert not outcome.problems, str(outcome)


@pytest.mark.slow
@pytest.mark.scenarios
@pytest.mark.floor
async def test_kill_9_changes_nothing(home: Path) -> None:
    """Services and Postgres, real processes, are killed while a day is told, some of them twice."""
    async with Platform(home) as platform, Casino(platform.addresses, OPERATOR, patience=60) as casino:
        killing = Killing(platform, casino)
        for seed in range(KILLS):
            killed = await killing.play(seed)
            assert not killed.problems, str(killed)


@pytest.mark.slow
@pytest.mark.scenarios
def test_no_seed_of_hundreds_changes_anything(templates: Templates, capsys: pytest.CaptureFixture[str]) -> None:
    """Every scenario passes, and every kind of fault has struck."""
    outcomes = play_all(templates, range(ALL))
    struck = counted(outcomes)
    with capsys.disabled():
        print(f"{len(outcomes)} scenarios, faults that struck: {struck}")
    failed = [str(outcome) for outcome in outcomes if outcome.problems]
    assert not failed, "\n\n".join([f"{len(failed)} of {ALL} failed", *failed[:5]])
    assert all(struck.values())
