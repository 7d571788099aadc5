"""How fast contributions are folded onto meters, beside callers that update one row each time.

The feed comes in batches of 100 contributions, of whole rounds, by default of one patron each. The fold commits each
batch with journal, entries, chain and cursor (`each_batch`), or, as a follower does, all that waits of them up to 2,000
entries (`as_followed`). Beside it, on the same Postgres with fsync and synchronous commits, 32 callers each run one
plain UPDATE of a meter's row at a time. Both on one meter and on sixteen, interleaved, medians of five. `ratio` is of
`each_batch` against callers on as many rows; the others are named by what they compare.
"""

import argparse
import asyncio
import json
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import asyncpg
import uvloop

from casino.progressives.v1 import progressives_service_pb2 as pb
from casino.settlement.v1 import entries_pb2 as settlement_pb2
from services.games.wagers import PlacedWager
from services.kernel.ids import RoundKey
from services.progressives import operations
from services.progressives.link import Draft, MeterTerms
from services.progressives.mystery import SYSTEM
from services.progressives.operations import FEED, PARTITIONED, ROUNDS, SUBMISSIONS, Ledger
from services.progressives.play import DayOpened, Event, Part, Play
from services.runtime import principals
from services.runtime.embedded import EmbeddedPostgres
from services.runtime.feeds import Feed
from services.runtime.followers import MOST_ENTRIES
from services.runtime.migrations import migrate
from services.runtime.requests import Write
from services.runtime.server import collect_rarely, open_pool
from services.runtime.store import Move, Pool
from services.runtime.vault import Vault

BATCH, CALLERS, METERS, RUNS, LEAST_RATIO = 100, 32, 16, 5, 10
CODE, DAY = "baccarat.heavenly_9_progressive", date(2026, 3, 2)
NOW = datetime(2026, 3, 2, 18, tzinfo=UTC)
PLAYED = Play(0, Part.WHOLE, RoundKey(DAY, "T1", 1, 1), 1, "RS-1", [], [])


def table(number: int) -> str:
    """A table; each has a link of its own."""
    return f"T{number}"


class Fold:
    """The progressives service's operations on one property with sixteen links."""

    def __init__(self, pool: Pool, home: Path, patrons: int) -> None:
        self.wagers = [PlacedWager(seat, seat, CODE, "standard", 500) for seat in range(1, patrons + 1)]
        feed = Feed(FEED, "BENCH", "progressives_entry", "bench", PARTITIONED)
        vault = Vault(home, "progressives")
        self.ledger = Ledger("BENCH", feed, pool, lambda: NOW, vault, SYSTEM, self._find)
        self._intake = operations.RoundsIntake(self.ledger)
        self._position = 0

    async def _find(self, jackpot: Any) -> None:
        return None

    async def set_up(self) -> None:
        """A submission, the links, and the gaming day that brings them to life."""
        rows = [(1, "RS-1", _submission())]
        await operations.apply_submissions(self.ledger, rows, Move(SUBMISSIONS, 0, 1, bytes(32)))
        for number in range(METERS):
            name, mega = table(number), (MeterTerms("mega", 1_000_000, 1_000, 0, 0),)
            draft = Draft(name, name, CODE, "standard", mega, (name,), DAY)
            made = await operations.propose_link(self.ledger, _write(pb.ProposeLinkRequest, name), draft, "ann")
            approval = _write(pb.ApproveLinkRequest, f"{name}-approved")
            await operations.approve_link(self.ledger, approval, name, made.link.version, "bob")
        await (await self.take([DayOpened(1, DAY, 1)]))

    async def run(self, count: int, meters: int, entries: int) -> float:
        """Contributions a second, so many onto so many meters in turn; a commit takes whole batches up to `entries`."""
        plays = count // len(self.wagers)
        waiting = [self._play(at, number % meters) for number, at in enumerate(self._places(plays))]
        taken = max(entries // (BATCH // len(self.wagers)), 1) * (BATCH // len(self.wagers))
        batches = [waiting[at : at + taken] for at in range(0, plays, taken)]
        began = time.perf_counter()
        for batch in batches:
            writing = await self.take(batch)
        await writing
        return plays * len(self.wagers) / (time.perf_counter() - began)

    def _places(self, count: int) -> range:
        """The positions of so many rounds in the feed, after those that were applied."""
        return range(self._position + 1, self._position + 1 + count)

    def _play(self, position: int, meter: int) -> Play:
        # A round that is whole keeps no pin, like most of a floor's that send finished rounds.
        whole = PLAYED._replace(position=position, wagers=self.wagers, results=[("baccarat", _PLAIN)])
        return whole._replace(key=PLAYED.key._replace(table_id=table(meter), round_no=position))

    def begin(self, position: int) -> None:
        """Batches come from after a position on."""
        self._intake.begin()
        self._position = position

    async def take(self, events: Sequence[Event]) -> Awaitable[None]:
        """As the follower does: folds a batch while the one before is written."""
        old, self._position = self._position, self._position + len(events)
        return await self._intake.take(events, Move(ROUNDS, old, self._position, bytes(32)))


class _Coup:
    """A recorded coup that wins nothing."""

    player: Sequence[str] = ("7H", "9C")
    banker: Sequence[str] = ("2D", "3S", "2C")


_PLAIN = _Coup()


def _write(request: Any, name: str) -> Write:
    return Write("BENCH", request(request_id=name, property_id="BENCH"))


def _submission() -> bytes:
    offer = settlement_pb2.Offer(code=CODE, paytable="standard", minimum_cents=500)
    tables = [
        settlement_pb2.TableTerms(table_id=table(n), game="baccarat", kind="live", decks=8, seats=7, offers=[offer])
        for n in range(METERS)
    ]
    made = settlement_pb2.Submission(submission_id="RS-1", tables=tables, effective_from=DAY.isoformat())
    return settlement_pb2.SubmissionsEntry(approved=made).SerializeToString()


async def updates(pool: Pool, count: int, meters: int) -> float:
    """Updates a second by 32 callers, each with a connection of its own, spread over so many rows."""

    async def caller(place: int) -> None:
        async with pool.acquire() as connection:
            change = await connection.prepare("UPDATE plain_meter SET reading = reading + $1 WHERE id = $2")
            for turn in range(count // CALLERS):
                await change.fetch(500_000, (place + turn) % meters)

    began = time.perf_counter()
    await asyncio.gather(*(caller(place) for place in range(CALLERS)))
    return count // CALLERS * CALLERS / (time.perf_counter() - began)


async def measure(owner_url: str, home: Path, contributions: int, plain: int, patrons: int) -> dict[str, Any]:
    """Every rate: both sides in turn, so that a noisy moment meets both."""
    urls = await migrate(owner_url, secrets=home / "secrets")
    principals._current.set("bench")
    collect_rarely()
    async with (
        await open_pool(urls["progressives"]) as service,
        asyncpg.create_pool(owner_url, min_size=CALLERS, max_size=CALLERS) as callers,
    ):
        await callers.execute("CREATE TABLE plain_meter (id integer PRIMARY KEY, reading bigint NOT NULL)")
        await callers.execute(
            "INSERT INTO plain_meter SELECT n, 0 FROM generate_series(0, $1::integer) AS n", METERS - 1
        )
        fold = Fold(service, home, patrons)
        await fold.set_up()
        found: dict[str, Any] = {}
        for name, meters in (("one", 1), ("sixteen", METERS)):
            works: tuple[Callable[[], Awaitable[float]], ...] = (
                partial(fold.run, contributions, meters, BATCH // patrons),
                partial(fold.run, contributions, meters, MOST_ENTRIES),
                partial(updates, callers, plain, meters),
            )
            for work in works:
                await work()
            runs = [[await work() for work in works] for _ in range(RUNS)]
            folded, followed, updated = (median(rates) for rates in zip(*runs, strict=True))
            found[name] = {
                "meters": meters,
                "each_batch_per_second": round(folded),
                "as_followed_per_second": round(followed),
                "plain_updates_per_second": round(updated),
                "ratio": round(folded / updated, 2),
            }
    one_row = found["one"]["plain_updates_per_second"]
    for each in found.values():
        each["ratio_to_one_row"] = round(each["each_batch_per_second"] / one_row, 2)
        each["as_followed_to_one_row"] = round(each["as_followed_per_second"] / one_row, 2)
    return found


def main() -> None:
    """Prints one JSON object; exit 1 if a ratio of one batch a commit to callers on one row is under the least."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contributions", type=int, default=40_000)
    parser.add_argument("--updates", type=int, default=3_200)
    parser.add_argument("--patrons", type=int, default=1, choices=(1, 2, 4, 5))
    asked = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="casino-bench-"))
    home.chmod(0o711)
    server = EmbeddedPostgres(home)
    try:
        server.start()
        # The loop of the services and of the callers alike.
        found = uvloop.run(measure(server.url, home, asked.contributions, asked.updates, asked.patrons))
    finally:
        server.stop()
        shutil.rmtree(home)
    print(json.dumps({**found, "least_ratio": LEAST_RATIO}))
    if min(found[name]["ratio_to_one_row"] for name in ("one", "sixteen")) < LEAST_RATIO:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
