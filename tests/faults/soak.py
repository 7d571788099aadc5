"""A soak: rounds for minutes or an hour while a process is killed every twenty seconds; one JSON object.

Four sources send whole rounds at half the rate that the platform was found to take, or at the one asked for. Services
and Postgres are real processes in a temporary home. Nothing may be lost, nothing counted twice, and memory stays flat.
"""

import argparse
import asyncio
import json
import os
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import uvloop

from casino.rounds.v1 import rounds_service_pb2 as rpc
from clients.floor.filing import set_up
from clients.floor.platform import Platform
from clients.sdk.client import SERVICES, Casino
from clients.sdk.feeds import read
from clients.sdk.stream import RoundsStream
from tests.benchmarks.pipeline import verify
from tests.benchmarks.pipeline_rounds import FIRST_DAY, PROPERTY, Play, bench_house
from tests.faults.telling import level_of

TABLES, SEED = 40, 20260302
SOURCES = tuple(f"soak-{number}" for number in range(1, 5))
VICTIMS = (*SERVICES, "postgres")
KILL_SECONDS, SAMPLE_SECONDS, TICK_SECONDS = 20.0, 5.0, 0.05
SATURATED_SECONDS = 15.0
GROWN_UP_SECONDS = 10.0
LEVEL_SECONDS = 1_800.0
PATIENCE = 300.0
ROUNDS_A_DAY = 20_000_000
MEBIBYTE = 1 << 20


class Sample(NamedTuple):
    """What a process holds: seconds since the beginning, seconds that it lives, mebibytes."""

    at: float
    age: float
    mebibytes: float


@dataclass
class Soaked:
    """What was done and seen."""

    saturated: float = 0.0
    rate: float = 0.0
    sent: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    memory: dict[str, list[Sample]] = field(default_factory=lambda: {name: [] for name in SERVICES})


class Soak:
    """One run on a started platform."""

    def __init__(self, platform: Platform, casino: Casino) -> None:
        self._platform, self._casino = platform, casino
        self._house = bench_house(TABLES)
        self._play = Play(self._house, SOURCES)
        self._began = time.monotonic()
        self._born: dict[int, float] = {}
        self.seen = Soaked()

    async def run(self, minutes: float, rate: float | None) -> Soaked:
        """Files the property, finds the rate unless it is given, and soaks."""
        await set_up(self._casino, self._house, FIRST_DAY)
        for source in SOURCES:
            request = rpc.RegisterSourceRequest(request_id=f"s-{source}", property_id=PROPERTY, source_id=source)
            await self._casino.call(self._casino.rounds.RegisterSource, request)
        if rate is None:
            self.seen.saturated = await self._saturate()
            rate = self.seen.saturated / 2
        self.seen.rate = rate
        say(f"Soaking for {minutes:g} minutes at {rate:,.0f} rounds a second.")
        stopping = asyncio.Event()
        helpers = [asyncio.create_task(each(stopping)) for each in (self._kill, self._sample)]
        await self._send(FIRST_DAY + timedelta(days=1), minutes * 60, rate)
        stopping.set()
        await asyncio.gather(*helpers)
        await level_of(self._casino, PROPERTY, LEVEL_SECONDS)
        return self.seen

    async def _saturate(self) -> float:
        """Rounds a second, settled and reported, when the sources send as fast as they are let."""
        began, before = time.monotonic(), self.seen.sent
        await self._send(FIRST_DAY, SATURATED_SECONDS, None)
        await level_of(self._casino, PROPERTY, LEVEL_SECONDS)
        return (self.seen.sent - before) / (time.monotonic() - began)

    async def _send(self, day: date, seconds: float, rate: float | None) -> None:
        until = time.monotonic() + seconds
        share = None if rate is None else rate / len(SOURCES)
        await asyncio.gather(*(self._source(place, day, until, share) for place in range(len(SOURCES))))

    async def _source(self, place: int, day: date, until: float, rate: float | None) -> None:
        events, began, given = self._events(place, day), time.monotonic(), 0
        async with RoundsStream(self._casino, PROPERTY, SOURCES[place], patience=PATIENCE) as stream:
            while (now := time.monotonic()) < until:
                due = given + 100 if rate is None else int((now - began) * rate)
                for _ in range(due - given):
                    await stream.send(next(events))
                given = max(due, given)
                await asyncio.sleep(0 if rate is None else TICK_SECONDS)
        self.seen.sent += given

    def _events(self, place: int, day: date) -> Iterator[bytes]:
        self._play._days = (day - FIRST_DAY).days + 1
        return self._play._events(self._house.tables[place :: len(SOURCES)], day, ROUNDS_A_DAY)

    async def _kill(self, stopping: asyncio.Event) -> None:
        random = Random(SEED)
        while not await waited(stopping, KILL_SECONDS):
            victim = random.choice(VICTIMS)
            pid = self._platform.pids()[victim]
            if pid:
                with suppress(ProcessLookupError):  # it is not up again yet
                    os.kill(pid, signal.SIGKILL)
                    self.seen.kills[victim] += 1

    async def _sample(self, stopping: asyncio.Event) -> None:
        while not await waited(stopping, SAMPLE_SECONDS):
            for name, pid in self._platform.pids().items():
                if name in self.seen.memory and pid and (held := resident(pid)):
                    now = time.monotonic()
                    age = now - self._born.setdefault(pid, now)
                    self.seen.memory[name].append(Sample(now - self._began, age, held))


async def waited(stopping: asyncio.Event, seconds: float) -> bool:
    """Whether it is over; else after so many seconds."""
    try:
        await asyncio.wait_for(stopping.wait(), seconds)
    except TimeoutError:
        return False
    return True


def resident(pid: int) -> float:
    """Mebibytes that a process holds; 0 when it is gone."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return pages * os.sysconf("SC_PAGESIZE") / MEBIBYTE


def flatness(samples: Sequence[Sample]) -> dict[str, float]:
    """Of processes that have grown up: mebibytes at first and at last (medians of a third), and the slope an hour."""
    grown = [each for each in samples if each.age >= GROWN_UP_SECONDS]
    if len(grown) < 3:
        return {"samples": len(grown)}
    third = len(grown) // 3
    slope, _ = statistics.linear_regression([each.at for each in grown], [each.mebibytes for each in grown])
    return {
        "samples": len(grown),
        "first_mib": round(statistics.median(each.mebibytes for each in grown[:third]), 1),
        "last_mib": round(statistics.median(each.mebibytes for each in grown[-third:]), 1),
        "slope_mib_an_hour": round(slope * 3_600, 1),
    }


async def entered(casino: Casino, feed: str, kind: str) -> Counter[tuple[str, str, int, int]]:
    """How often each round is in a feed."""
    found: Counter[tuple[str, str, int, int]] = Counter()
    async for entry in read(casino, feed, PROPERTY, 0):
        if getattr(entry, "kind", "") == kind:
            key = entry.body.key
            found[key.gaming_day, key.table_id, key.shoe, key.round_no] += 1
    return found


async def run(minutes: float, rate: float | None) -> dict[str, Any]:
    """Soaks in a temporary home that is gone afterwards; the object that is printed."""
    with tempfile.TemporaryDirectory(prefix="casino-soak-") as folder:
        home = Path(folder) / "home"
        async with Platform(home) as platform, Casino(platform.addresses, "bench-operator", PATIENCE) as casino:
            seen = await Soak(platform, casino).run(minutes, rate)
            say("Counting and verifying.")
            told = await entered(casino, "rounds", "whole_round")
            settled = await entered(casino, "settlements", "settled")
            verified = await asyncio.to_thread(verify, home, casino.principal)
    lost = max(seen.sent - len(told), seen.sent - len(settled))
    doubled = sum(found.total() - len(found) for found in (told, settled))
    return {
        "passed": not lost and not doubled and verified["verify"] == "clean",
        "minutes": minutes,
        "saturated_rounds_a_second": round(seen.saturated),
        "rounds_a_second": round(seen.rate),
        "rounds_sent": seen.sent,
        "lost": lost,
        "doubled": doubled,
        "kills": dict(sorted(seen.kills.items())),
        "memory": {name: flatness(samples) for name, samples in seen.memory.items()},
        **verified,
    }


def say(sentence: str) -> None:
    """Progress, beside what is printed for programs."""
    print(sentence, file=sys.stderr, flush=True)


def main() -> int:
    """Prints the object; 1 if anything was lost, doubled or different."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="how long (60)")
    parser.add_argument("--rate", default="half", help="rounds a second, or half of what the platform takes (half)")
    asked = parser.parse_args()
    if asked.minutes <= 0:
        parser.error(f"expected --minutes above 0, given {asked.minutes}")
    if asked.rate != "half" and not asked.rate.isdigit():
        parser.error(f"expected --rate half or a whole number of rounds a second, given {asked.rate}")
    found = uvloop.run(run(asked.minutes, None if asked.rate == "half" else float(asked.rate)))
    print(json.dumps(found, indent=1))
    return 0 if found["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
