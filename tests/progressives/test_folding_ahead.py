"""Batches folded while the one before is written come to what they come to one after the other."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from casino.progressives.v1 import progressives_service_pb2 as pb
from services.kernel.ids import RoundKey
from services.progressives import operations
from services.progressives.operations import ROUNDS
from services.progressives.play import Change, Correction, Event, Part, Play
from services.runtime import principals
from services.runtime.requests import Write
from services.runtime.server import open_pool
from services.runtime.steps import on_step
from tests.benchmarks.meters import PLAYED, Fold, table
from tests.databases import Templates

PLAIN, WHOLE = ("7H 9C", "2D 3S 2C"), ("2C 3C 4C", "KC 4C 5C")
TABLES, SEED, BATCHES = 3, 20260302, 30


class Coup:
    """A recorded coup."""

    def __init__(self, player: str, banker: str) -> None:
        self.player, self.banker = player.split(), banker.split()


class Story:
    """Batches of the rounds feed in order: whole rounds and rounds in two parts, hits, and voids of rounds before."""

    def __init__(self, fold: Fold) -> None:
        self._wagers = fold.wagers
        self._chance = random.Random(SEED)
        self._position = 1
        self._whole: list[RoundKey] = []
        self._open: list[Play] = []

    def batch(self) -> list[Event]:
        """Up to a hundred events."""
        return [self._event() for _ in range(self._chance.randint(1, 100))]

    def _event(self) -> Event:
        self._position += 1
        kind = self._chance.choices(("whole", "closed", "result", "void"), (8, 2, 2, 0.2))[0]
        if kind == "result" and self._open:
            closed = self._open.pop()
            return closed._replace(position=self._position, part=Part.RESULT, results=[self._result()])
        if kind == "void" and self._whole:
            key = self._whole.pop(self._chance.randrange(len(self._whole)))
            return Correction(self._position, key, Change.VOID, None)
        return self._round(Part.BETTING_CLOSED if kind == "closed" else Part.WHOLE)

    def _round(self, part: Part) -> Play:
        key = PLAYED.key._replace(table_id=table(self._chance.randrange(TABLES)), round_no=self._position)
        played = PLAYED._replace(position=self._position, part=part, key=key, wagers=self._wagers)
        if part is Part.WHOLE:
            self._whole.append(key)
            return played._replace(results=[self._result()])
        self._open.append(played)
        return played

    def _result(self) -> tuple[str, Any]:
        return "baccarat", Coup(*(WHOLE if self._chance.random() < 0.02 else PLAIN))


@asynccontextmanager
async def house(templates: Templates, home: Path) -> AsyncIterator[Fold]:
    """A property with links, on a database of its own."""
    principals._current.set("ann")
    database = templates.clone()
    try:
        async with await open_pool(database.url("progressives")) as pool:
            fold = Fold(pool, home, patrons=2)
            await fold.set_up()
            yield fold
    finally:
        templates.drop(database)


async def feed(fold: Fold) -> list[tuple[int, bytes, bytes]]:
    """Every entry with the hash of the chain after it."""
    async with fold.ledger.pool.acquire() as connection:
        rows = await connection.fetch("SELECT position, entry, hash FROM progressives_entry ORDER BY position")
    return [tuple(row) for row in rows]


async def one_by_one(fold: Fold, batches: Sequence[Sequence[Event]]) -> None:
    """Each batch once the one before is on disk."""
    for batch in batches:
        await (await fold.take(batch))


async def test_the_feed_is_the_same_byte_for_byte(templates: Templates, tmp_path: Path) -> None:
    """Contributions, hits, jackpots, voids: entries, positions and hashes do not tell how they were folded."""
    async with house(templates, tmp_path) as slow, house(templates, tmp_path) as quick:
        story = Story(slow)
        batches = [story.batch() for _ in range(BATCHES)]
        await one_by_one(slow, batches)
        for batch in batches:
            writing = await quick.take(batch)
        await writing
        told = await feed(quick)
        assert told == await feed(slow)
        assert len(told) > 1_000
        async with quick.ledger.pool.acquire() as connection:
            assert await connection.fetchval("SELECT count(DISTINCT jackpot_id) FROM jackpot") > 10
            assert await connection.fetchval("SELECT count(*) FROM movement WHERE cause = 'contribution'") > 0


async def test_who_acts_meanwhile_is_heeded(templates: Templates, tmp_path: Path) -> None:
    """A link suspended between two batches takes no contribution of the second, which was folded before that."""
    async with house(templates, tmp_path) as fold:
        first, second = ([_whole(fold, 2 + 50 * turn + n) for n in range(50)] for turn in range(2))
        await fold.take(first)
        request = Write("BENCH", pb.SuspendLinkRequest(request_id="stop", property_id="BENCH", link_id=table(0)))
        acting = asyncio.create_task(operations.suspend_link(fold.ledger, request, table(0), "a fault", "ann"))
        await asyncio.sleep(0)
        writing = await fold.take(second)
        await asyncio.gather(acting, writing)
        async with fold.ledger.pool.acquire() as connection:
            positions = await connection.fetch("SELECT rounds_position FROM contribution ORDER BY position")
            exceptions = await connection.fetchval("SELECT count(*) FROM progressives_entry WHERE kind = 5")
        assert {row[0] for row in positions} == {each.position for each in first}
        assert exceptions == len(second)


async def test_what_fails_is_told_and_nothing_after_it_is_written(templates: Templates, tmp_path: Path) -> None:
    """The batch after a failed one fails with it; both come again from the stored cursor, once."""
    async with house(templates, tmp_path) as broken, house(templates, tmp_path) as whole:
        batches = [[_whole(broken, 2 + 50 * turn + n) for n in range(50)] for turn in range(3)]
        await one_by_one(whole, batches)
        await broken.take(batches[0])
        on_step(_failing())
        try:
            await broken.take(batches[1])
            with pytest.raises(OSError, match="the disk is gone"):
                await broken.take(batches[2])
        finally:
            on_step(None)
        at, _ = await broken.ledger.cursor(ROUNDS)
        assert at == batches[0][-1].position
        broken.begin(at)
        for batch in batches[1:]:
            writing = await broken.take(batch)
        await writing
        assert await feed(broken) == await feed(whole)


def _whole(fold: Fold, position: int) -> Play:
    key = PLAYED.key._replace(table_id=table(0), round_no=position)
    return PLAYED._replace(position=position, key=key, wagers=fold.wagers, results=[("baccarat", Coup(*PLAIN))])


def _failing() -> Any:
    """Every commit of a batch but the first fails."""
    commits = 0

    async def fail(step: str) -> None:
        nonlocal commits
        commits += step == "progressives.before_commit"
        if step == "progressives.before_commit" and commits > 1:
            raise OSError("the disk is gone")

    return fail
