"""Rounds of examples: every target in turn, the platform looked at after each, until the time is over."""

import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.house import House
from tests.fuzz.targets import Target

EVERY = tuple(each for each in HealthCheck if each is not HealthCheck.nested_given)
TOLD_LINES = 40


class Failure(NamedTuple):
    """What was found: the target, the seed and the number of examples that find it again, and how it was told."""

    target: str
    seed: int
    examples: int
    told: str


class Explored(NamedTuple):
    """How many examples each target was held against, and what was found."""

    examples: Counter[str]
    failures: list[Failure]


def hold(house: House, target: Target, number: int, examples: int) -> int:
    """Holds the platform against so many examples, drawn by the seed; how many it were. Raises what fails."""
    held = 0

    # An example that fails is made small only as far as the state that it was found in lasts: it is told as it is.
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=EVERY,
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
    )
    @seed(number)
    @given(target.examples)
    def each(example: Any) -> None:
        nonlocal held
        held += 1
        target.check(house, example)

    each()
    return held


def explore(house: House, targets: Sequence[Target], seconds: float, number: int, examples: int) -> Explored:
    """Every target in turn, again and again with another seed, until the time is over; each at least once.

    A target that fails is left out from then on. Where the platform is not well after one, nothing that follows would
    tell anything: that is the end.
    """
    explored, until, left, turn = Explored(Counter(), []), time.monotonic() + seconds, list(targets), 0
    while left and (turn == 0 or time.monotonic() < until):
        for target in list(left):
            if turn and time.monotonic() >= until:
                break
            if found := _failure(lambda: _hold(house, target, number + turn, examples, explored.examples)):  # noqa: B023
                explored.failures.append(Failure(target.name, number + turn, examples, found))
                left.remove(target)
            if found := _failure(lambda: house.run(house.well())):
                explored.failures.append(Failure(f"after {target.name}", number + turn, examples, found))
                return explored
        turn += 1
    return explored


def _hold(house: House, target: Target, number: int, examples: int, counted: Counter[str]) -> None:
    counted[target.name] += hold(house, target, number, examples)


def _failure(work: Callable[[], None]) -> str:
    """How what fails is told; empty where nothing does."""
    try:
        work()
    except Exception as problem:  # noqa: BLE001 - whatever it is, it is what was looked for
        return "\n".join("".join(traceback.format_exception(problem)).splitlines()[-TOLD_LINES:])
    return ""
