"""What waits for a property's writer: jobs of all streams in arrival order, bounded in events and in bytes.

Whoever brings a job waits for room, so a stream whose job finds none is not read further and the transport's flow
control holds its sender. What the writer has taken counts until it is committed or refused.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from casino.rounds.v1 import rounds_service_pb2 as rpc

MOST_EVENTS = 500
MOST_BYTES = 4 << 20
"""Of one batch."""
MOST_WAITING_EVENTS = 20_000
MOST_WAITING_BYTES = 32 << 20
"""Of all that waits for one writer."""

Told = dict[tuple[str, date], str]
"""Digests of offers by table and gaming day, as a stream's hello told them; one that is told anew is taken out."""


class Job(NamedTuple):
    """A batch of one source, with the future that its answer goes to."""

    source_id: str
    epoch: int
    first_sequence: int
    events: Sequence[bytes]
    told: Told
    principal: str
    # A gap fill up to this sequence; 0 for a batch.
    fill_through: int
    # A heartbeat with the last sequence sent; -1 for anything else.
    last_sent: int
    answer: asyncio.Future[rpc.StreamRoundsResponse]

    @property
    def last(self) -> int:
        """The last sequence that it brings."""
        return max(self.fill_through, self.first_sequence + len(self.events) - 1)

    @property
    def size(self) -> int:
        """Bytes of its events."""
        return sum(map(len, self.events))


class Waiting:
    """The queue in front of a writer."""

    def __init__(self) -> None:
        self.events = self.bytes = 0
        self._jobs: deque[Job] = deque()
        # A lock gives turns in the order asked for: no stream overtakes another that found no room.
        self._door = asyncio.Lock()
        self._arrived, self._freed = asyncio.Event(), asyncio.Event()

    async def put(self, job: Job) -> None:
        """Queues a job once there is room, first come first served; where nothing waits any job finds room."""
        async with self._door:
            while not self._fits(job):
                self._freed.clear()
                await self._freed.wait()
            self._count(job, 1)
            self._jobs.append(job)
            self._arrived.set()

    def _fits(self, job: Job) -> bool:
        free = self.events == self.bytes == 0
        return free or (
            self.events + len(job.events) <= MOST_WAITING_EVENTS and self.bytes + job.size <= MOST_WAITING_BYTES
        )

    def _count(self, job: Job, sign: int) -> None:
        self.events += sign * len(job.events)
        self.bytes += sign * job.size

    async def take(self) -> list[Job]:
        """What waits, at least one job, up to the most events that one commit should hold."""
        while not self._jobs:
            self._arrived.clear()
            await self._arrived.wait()
        jobs = [self._jobs.popleft()]
        size = len(jobs[0].events)
        while self._jobs and size + len(self._jobs[0].events) <= MOST_EVENTS:
            jobs.append(self._jobs.popleft())
            size += len(jobs[-1].events)
        return jobs

    def done(self, jobs: Sequence[Job]) -> None:
        """Jobs that were taken are committed or refused: their room is free."""
        for job in jobs:
            self._count(job, -1)
        self._freed.set()
