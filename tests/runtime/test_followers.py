"""A follower leaves nothing behind when it begins anew."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from casino.feeds.v1 import feeds_pb2
from casino.rounds.v1 import rounds_service_pb2
from services.runtime.chains import GENESIS
from services.runtime.followers import WAITING_FRAMES, Batch, Follower
from services.runtime.logs import log
from services.runtime.metrics import Metrics


class Endless:
    """A call of which more comes than is taken; `open` until it is cancelled."""

    def __init__(self) -> None:
        self.open, self.told, self.full = True, 0, asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[rounds_service_pb2.WatchRoundsResponse]:
        """As many messages as are taken."""
        while self.open:
            self.told += 1
            if self.told > WAITING_FRAMES:
                self.full.set()
            yield rounds_service_pb2.WatchRoundsResponse(progress=feeds_pb2.Progress())
            await asyncio.sleep(0)

    def cancel(self) -> None:
        """Ends the call."""
        self.open = False


async def cursor() -> tuple[int, bytes]:
    """A feed that nothing was applied of."""
    return 0, GENESIS


@pytest.mark.parametrize("stopped", [False, True], ids=["trouble", "stopped"])
async def test_a_stream_is_closed_that_is_left_while_more_waits_than_fits(stopped: bool) -> None:
    """Whatever ends the reading: trouble in applying or the end of the follower, the queue being full."""
    calls: list[Endless] = []
    met = asyncio.Event()

    def opened(after: int) -> Endless:
        calls.append(Endless())
        return calls[-1]

    async def applied(batch: Batch) -> None:
        await calls[-1].full.wait()
        await asyncio.sleep(0.05)
        met.set()
        if stopped:
            await asyncio.Event().wait()
        raise OSError("the database is away")

    follower = Follower("rounds", "HARBOR", opened, cursor, applied, log("rounds"), Metrics("rounds"))
    running = asyncio.create_task(follower.run())
    await met.wait()
    await asyncio.sleep(0.2)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert [call.open for call in calls] == [False] * len(calls)
