"""Batches settled while the one before is written come to what they come to one after the other."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from casino.rounds.v1 import entries_pb2 as rounds_pb2
from services.runtime import followers
from services.runtime.steps import on_step
from services.settlement import operations
from services.settlement.settlements import Settlement, settle
from tests.builders import wager_on
from tests.settlement.conftest import Settlement as Served
from tests.settlement.recorded import FORTUNE, Recorded, key, whole

SEVEN = wager_on("baccarat.fortune_7", 500, no=1)
PATIENCE_SECONDS = 10


class Held:
    """Holds the first arrival at a step until it is let go, and tells how many rounds were settled."""

    def __init__(self, step: str, problem: Exception | None = None) -> None:
        """`problem` is what the first arrival meets once it is let go."""
        self.settled = 0
        self.there, self.goes_on = asyncio.Event(), asyncio.Event()
        self._step, self._problem = step, problem

    async def reached(self, step: str) -> None:
        """What a step calls."""
        if step == self._step and not self.there.is_set():
            self.there.set()
            await self.goes_on.wait()
            if self._problem:
                raise self._problem

    async def until_settled(self, count: int) -> None:
        """Returns once so many rounds have been settled."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self.settled < count:  # noqa: ASYNC110 - what settles tells nobody
                await asyncio.sleep(0.01)


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Held]]:
    """Counts what is settled and holds a step, for batches of one commit each; no step is held after the test."""

    def begun(step: str, problem: Exception | None = None) -> Held:
        held = Held(step, problem)

        def counted(*given: Any) -> Settlement:
            held.settled += 1
            return settle(*given)

        monkeypatch.setattr(operations, "settle", counted)
        on_step(held.reached)
        return held

    monkeypatch.setattr(followers, "MOST_ENTRIES", 1)
    yield begun
    on_step(None)


async def written_first(served: Served, rounds: Recorded, held: Held, *after: rounds_pb2.Entry) -> int:
    """Returns while the batch of one round is being written and another waits; the last position of that one."""
    await rounds.record(whole(1, FORTUNE, SEVEN))
    last = await rounds.record(*after)
    await served.approved()
    await held.there.wait()
    return last


async def in_order(served: Served, last: int) -> list[tuple[int, int, int]]:
    """Number of the round, revision and position of the rounds feed of each settlement, once all is settled."""
    found = [entry.settled for entry in await served.entries(last)]
    assert {each.different for each in (await served.verified()).values()} == {0}
    return [(each.key.round_no, each.revision, each.rounds_position) for each in found]


async def test_a_batch_is_settled_while_the_one_before_is_written(
    settlement: Served, rounds: Recorded, hold: Callable[..., Held]
) -> None:
    """The second is settled before the first is on disk, and stands after it in the feed."""
    held = hold("settlement.before_commit")
    last = await written_first(settlement, rounds, held, whole(2, FORTUNE, SEVEN), whole(3, FORTUNE, SEVEN))
    await held.until_settled(3)
    assert settlement.service.feed("settlements", settlement.property_id).position == 0
    held.goes_on.set()
    assert await in_order(settlement, last) == [(1, 0, 1), (2, 0, 2), (3, 0, 3)]


async def test_a_correction_waits_for_what_it_corrects(
    settlement: Served, rounds: Recorded, hold: Callable[..., Held]
) -> None:
    """The void of a round that is still being written supersedes its settlement."""
    held = hold("settlement.before_commit")
    void = rounds_pb2.Entry(void=rounds_pb2.RoundCorrection(key=key(1)))
    last = await written_first(settlement, rounds, held, void, whole(2, FORTUNE, SEVEN))
    await asyncio.sleep(0.2)
    assert held.settled == 1
    held.goes_on.set()
    assert await in_order(settlement, last) == [(1, 0, 1), (1, 1, 2), (2, 0, 3)]


@pytest.mark.parametrize("step", ["settlement.before_commit", "settlement.after_commit"])
async def test_what_was_settled_ahead_of_a_failed_write_is_settled_again(
    settlement: Served, rounds: Recorded, hold: Callable[..., Held], step: str
) -> None:
    """Whether the write came on disk or not, each round is in the feed once, in its order."""
    held = hold(step, ConnectionResetError(f"the connection is gone at {step}"))
    last = await written_first(settlement, rounds, held, whole(2, FORTUNE, SEVEN))
    await held.until_settled(2)
    held.goes_on.set()
    assert await in_order(settlement, last) == [(1, 0, 1), (2, 0, 2)]
