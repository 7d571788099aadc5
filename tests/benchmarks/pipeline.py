"""What the platform does with a stream of rounds, end to end, beside a raw COPY of the same rows: one JSON object.

Eight streams send whole rounds of Baccarat in batches to the four services and their Postgres, real processes in a
temporary home. A pair plays one gaming day through them, from the first request until reporting has projected the
last settlement and journal entry, and then copies that day's wagers raw. docs/performance.md says how to read it.
"""

import argparse
import asyncio
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import uvloop

from casino.rounds.v1 import rounds_service_pb2 as rpc
from clients.floor.filing import set_up
from clients.floor.platform import Platform
from clients.sdk.client import Casino
from tests.benchmarks.pipeline_copy import ROWS_PER_COMMIT, Yardstick
from tests.benchmarks.pipeline_processes import Processes
from tests.benchmarks.pipeline_rounds import BATCH, FIRST_DAY, PROPERTY, WAGERS, Play, Requests, bench_house
from tests.benchmarks.pipeline_streams import Streams, projected

LEAST_RATIO, MOST_CHANGE = 0.20, 0.30
"""What is asked for at the usual size, and by how much more tables or more history may lower it."""
STREAMS, PACE = 8, 50
SOURCES = tuple(f"gateway-{number}" for number in range(1, STREAMS + 1))
# The table that is copied into has its partitions for the year.
MOST_HISTORY = 200


class Size(NamedTuple):
    """How much a run plays: `warm` and `paced` rounds before the first of `pairs` of `rounds` each."""

    pairs: int
    rounds: int
    paced: int
    warm: int
    tables: int = 40
    history: int = 0


USUAL = Size(pairs=5, rounds=48_000, paced=1_500, warm=8_000)
QUICK = Size(pairs=2, rounds=6_000, paced=250, warm=1_000)


class Pair(NamedTuple):
    """The seconds of both halves over the same number of wagers."""

    wagers: int
    pipeline: float
    raw: float

    @property
    def ratio(self) -> float:
        """The pipeline's rate as a share of the raw one."""
        return self.raw / self.pipeline

    def described(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "wagers": self.wagers,
            "wagers_per_second": round(self.wagers / self.pipeline),
            "raw_rows_per_second": round(self.wagers / self.raw),
            "ratio": round(self.ratio, 4),
        }


@dataclass
class Measured:
    """Everything one run measures."""

    pairs: list[Pair] = field(default_factory=list)
    paced: list[float] = field(default_factory=list)
    saturated: list[float] = field(default_factory=list)
    micros: Counter[str] = field(default_factory=Counter)
    peaks: dict[str, float] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        """The median of the pairs."""
        return statistics.median(pair.ratio for pair in self.pairs)

    def described(self) -> dict[str, Any]:
        """As JSON values."""
        wagers = sum(pair.wagers for pair in self.pairs)
        each = {name: round(spent / wagers, 2) for name, spent in sorted(self.micros.items())}
        database = sum(spent for name, spent in self.micros.items() if name.startswith("postgres"))
        return {
            "ratio": round(self.ratio, 4),
            "wagers_per_second": round(statistics.median(pair.wagers / pair.pipeline for pair in self.pairs)),
            "raw_rows_per_second": round(statistics.median(pair.wagers / pair.raw for pair in self.pairs)),
            "pairs": [pair.described() for pair in self.pairs],
            "cpu_micros_per_wager": {
                **each,
                "postgres": round(database / wagers, 2),
                "total": round(self.micros.total() / wagers, 2),
            },
            "acknowledgement_ms": {
                f"at_{PACE}_rounds_per_second": _percentiles(self.paced),
                "saturated": _percentiles(self.saturated),
            },
            "peak_memory_mib": self.peaks,
        }


class Bench:
    """One run on a started platform."""

    def __init__(self, casino: Casino, size: Size, yardstick: Yardstick, processes: Processes) -> None:
        self._casino, self._size = casino, size
        self._yardstick, self._processes = yardstick, processes
        self._house = bench_house(size.tables)
        self._play = Play(self._house, SOURCES)
        self._days = 0
        self.measured = Measured()

    async def run(self) -> Measured:
        """Files the property, loads what stands there before, and measures. Raises NotAccepted, NotOffered."""
        say(f"Filing {self._size.tables} tables and their link.")
        await set_up(self._casino, self._house, FIRST_DAY)
        await self._register()
        await self._load(self._size.warm)
        say(f"Pacing {self._size.paced:,} rounds at {PACE} a second.")
        async with self._streams(self._next(self._size.paced, batch=1)) as streams:
            await streams.run_paced(PACE)
            self.measured.paced = streams.seconds
        await projected(self._casino)
        for number in range(self._size.history):
            say(f"Loading history, {number + 1} of {self._size.history}.")
            await self._yardstick.copy(await self._load(self._size.rounds))
        for number in range(self._size.pairs):
            await self._pair()
            said = self.measured.pairs[-1].described()
            say(f"Pair {number + 1} of {self._size.pairs}: {said}")
        self.measured.peaks = self._processes.peaks()
        return self.measured

    async def _pair(self) -> None:
        requests = self._next(self._size.rounds)
        await self._yardstick.level()
        async with self._streams(requests) as streams:
            before, began = await self._processes.micros(), time.perf_counter()
            await streams.run()
            await projected(self._casino)
            took, after = time.perf_counter() - began, await self._processes.micros()
            self.measured.saturated += streams.seconds
        after.subtract(before)
        self.measured.micros.update(after)
        rows = await self._stored(self._size.rounds)
        await self._yardstick.level()
        self.measured.pairs.append(Pair(len(rows), took, await self._yardstick.copy(rows)))

    async def _load(self, rounds: int) -> list[tuple[object, ...]]:
        """Plays a day that is not measured, and gives the rows stored of it."""
        async with self._streams(self._next(rounds)) as streams:
            await streams.run()
        await projected(self._casino)
        return await self._stored(rounds)

    async def _stored(self, rounds: int) -> list[tuple[object, ...]]:
        rows = await self._yardstick.rows(FIRST_DAY + timedelta(days=self._days - 1))
        if len(rows) != rounds * WAGERS:
            raise SystemExit(f"expected {rounds * WAGERS} settled wagers, given {len(rows)}")
        return rows

    def _next(self, rounds: int, batch: int = BATCH) -> list[Requests]:
        self._days += 1
        return self._play.day(rounds, batch)

    def _streams(self, requests: Sequence[Requests]) -> Streams:
        return Streams(self._casino.places["rounds"], self._house.operator, requests)

    async def _register(self) -> None:
        for source in SOURCES:
            request = rpc.RegisterSourceRequest(
                request_id=f"source-{source}", property_id=PROPERTY, source_id=source, description="one of eight"
            )
            await self._casino.call(self._casino.rounds.RegisterSource, request)


async def run(size: Size) -> dict[str, Any]:
    """Measures in a temporary home that is gone afterwards; the object that is printed."""
    with tempfile.TemporaryDirectory(prefix="casino-bench-") as folder:
        home = Path(folder) / "home"
        say("Starting a platform in a temporary home: Postgres and four services.")
        async with Platform(home) as started, Casino(started.addresses, bench_house(1).operator) as casino:
            yardstick = await Yardstick.open(home)
            try:
                described = await yardstick.described()
                processes = Processes(started.pids(), yardstick.owner)
                measured = await Bench(casino, size, yardstick, processes).run()
            finally:
                await yardstick.close()
            say("Verifying.")
            verified = await asyncio.to_thread(verify, home, casino.principal)
            found = {**measured.described(), **verified}
    passed = found["verify"] == "clean" and measured.ratio >= least_ratio(size)
    return {"passed": passed, **found, "size": _size(size), "machine": {**_machine(), "postgres": described}}


def verify(home: Path, principal: str) -> dict[str, Any]:
    """What `casino verify` says of the whole run: `clean`, or `different` with the first differences."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CASINO_")}
    began = time.perf_counter()
    ended = subprocess.run(
        (sys.executable, "-m", "clients.cli", "verify", "--json"),
        env={**kept, "CASINO_HOME": str(home), "CASINO_PRINCIPAL": principal},
        capture_output=True,
        text=True,
        check=False,
    )
    took = round(time.perf_counter() - began, 1)
    said = {"verify_exit_code": ended.returncode, "verify_seconds": took}
    if ended.returncode == 0:
        return {"verify": "clean", **said}
    return {"verify": "different", **said, "verify_said": (ended.stdout + ended.stderr)[-4_000:]}


def least_ratio(size: Size) -> float:
    """The ratio that is asked for."""
    more = size.tables > USUAL.tables or size.history > USUAL.history
    return LEAST_RATIO * (1 - MOST_CHANGE) if more else LEAST_RATIO


def _percentiles(seconds: Sequence[float]) -> dict[str, Any]:
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return {"p50": round(cuts[49] * 1_000, 2), "p99": round(cuts[98] * 1_000, 2), "acknowledgements": len(seconds)}


def _size(size: Size) -> dict[str, Any]:
    given = {"streams": STREAMS, "events_per_batch": BATCH, "wagers_per_round": WAGERS}
    return {**size._asdict(), **given, "raw_rows_per_commit": ROWS_PER_COMMIT}


def _machine() -> dict[str, Any]:
    return {"processors": os.cpu_count(), "python": platform.python_version(), "load": os.getloadavg()[0]}


def say(sentence: str) -> None:
    """Progress, beside what is printed for programs."""
    print(sentence, file=sys.stderr, flush=True)


def read_size(arguments: Sequence[str] | None = None) -> Size:
    """The size that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smoke test of a minute")
    parser.add_argument("--pairs", type=int, help="pairs of a pipeline and a raw run (5)")
    parser.add_argument("--rounds", type=int, help="rounds in a pair (48,000)")
    parser.add_argument("--tables", type=int, help="tables, at least one for each of eight streams (40)")
    parser.add_argument("--history", type=int, help="how many times the rounds of a pair are there before (0)")
    asked = vars(parser.parse_args(arguments))
    size = QUICK if asked.pop("quick") else USUAL
    size = size._replace(**{name: value for name, value in asked.items() if value is not None})
    _expect(parser, "pairs", size.pairs, 1, 100)
    _expect(parser, "rounds", size.rounds, STREAMS, 1_000_000)
    _expect(parser, "tables", size.tables, STREAMS, 999)
    _expect(parser, "history", size.history, 0, MOST_HISTORY)
    return size


def _expect(parser: argparse.ArgumentParser, name: str, given: int, least: int, most: int) -> None:
    if not least <= given <= most:
        parser.error(f"expected --{name} from {least} to {most:,}, given {given}")


def main() -> int:
    """Prints the object; 1 if the verification found a difference or the ratio is too low."""
    found = uvloop.run(run(read_size()))
    print(json.dumps(found, indent=1))
    return 0 if found["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
