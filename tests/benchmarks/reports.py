"""How long every report takes over a year of forty tables, and what ten times the wagers cost: one JSON object.

The year's projections and papers are made in bulk, twice: as they are, and with ten times the wagers of each
table-day. Each stands in a database of its own with a reporting service of its own, both on one embedded Postgres.
Every report is asked for over real gRPC in turn from both, five times after a first time that does not count; a figure
is the median. `ratio` is of the sums of the medians: the exit code is 1 where that is over 1.30, or where a report
takes longer than its limit.
"""

import argparse
import asyncio
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import grpc

from casino.reporting.v1 import reporting_service_pb2 as messages
from casino.reporting.v1.reporting_service_pb2_grpc import ReportingServiceStub
from services.reporting.operations import REPORTS
from services.reporting.reports import named
from services.runtime.embedded import EmbeddedPostgres
from services.runtime.migrations import migrate
from tests.benchmarks.reports_year import FIRST, LAST, PROPERTY, Year, tables
from tests.databases import at
from tests.ports import free_port

RUNS, MOST_RATIO = 5, 1.30
MOST_SECONDS, MOST_LISTING_SECONDS = 5.0, 20.0
LISTINGS = ("general-ledger", "fills-and-credits", "counter-checks")
"""Reports with a row or more for each document of a kind: as long as there are documents."""
TIMES = (1, 10)
START_SECONDS = 60.0
AS_AUDITOR = (("principal", "an auditor"),)
LARGEST = 256 << 20


class Measured:
    """A reporting service on a year of so many times the wagers."""

    def __init__(self, times: int, rows: Mapping[str, int], stub: Any) -> None:
        self.times, self.rows, self._stub = times, rows, stub

    async def seconds(self, name: str) -> tuple[float, int]:
        """How long a report takes, and its size in bytes."""
        asked = messages.GetReportRequest(name=name, property_id=PROPERTY, from_day=str(FIRST), to_day=str(LAST))
        if name not in named.REPORTS:
            asked = messages.GetReportRequest(name=name, property_id=PROPERTY, gaming_day=str(LAST))
        began, size = time.perf_counter(), 0
        async for answer in self._stub.StreamReport(messages.StreamReportRequest(report=asked), metadata=AS_AUDITOR):
            size += len(answer.chunk)
        return time.perf_counter() - began, size


@asynccontextmanager
async def serving(home: Path, owner_url: str, count: int, times: int) -> AsyncIterator[Measured]:
    """A database of its own with the year in it, and a process that serves it. It follows nobody."""
    connection = await asyncpg.connect(owner_url)
    await connection.execute(f"CREATE DATABASE year_{times}")
    await connection.close()
    url = at(owner_url, f"year_{times}")
    urls = await migrate(url, secrets=home / "secrets")
    owner = await asyncpg.connect(url)
    rows = await Year(tables(count), times).write(owner)
    await owner.close()
    ports = [free_port() for _ in range(4)]
    names = ("rounds", "settlement", "progressives", "reporting")
    environ = {
        **os.environ,
        **{f"CASINO_{name.upper()}_ADDRESS": f"127.0.0.1:{port}" for name, port in zip(names, ports, strict=True)},
        "CASINO_HOME": str(home),
        "CASINO_LOG_LEVEL": "error",
        "CASINO_REPORTING_DATABASE_URL": urls["reporting"],
        "CASINO_REPORTING_METRICS_PORT": "0",
    }
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "services.reporting", env=environ)
    limit = [("grpc.max_receive_message_length", LARGEST)]
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{ports[3]}", options=limit) as channel:
            async with asyncio.timeout(START_SECONDS):
                await channel.channel_ready()
            yield Measured(times, rows, ReportingServiceStub(channel))
    finally:
        process.terminate()
        await process.wait()


async def measure(home: Path, owner_url: str, count: int, runs: int, names: Sequence[str]) -> dict[str, Any]:
    """Every report from both in turn."""
    async with serving(home, owner_url, count, TIMES[0]) as usual, serving(home, owner_url, count, TIMES[1]) as more:
        found: dict[str, dict[str, Any]] = {}
        for name in names:
            taken: dict[int, list[float]] = {times: [] for times in TIMES}
            sizes = {}
            for run in range(runs + 1):
                for each in (usual, more):
                    seconds, sizes[each.times] = await each.seconds(name)
                    if run:
                        taken[each.times].append(seconds)
            found[name] = {
                "seconds": {f"{times}x": round(statistics.median(taken[times]), 3) for times in TIMES},
                "kib": {f"{times}x": sizes[times] >> 10 for times in TIMES},
            }
        sums = [sum(each["seconds"][f"{times}x"] for each in found.values()) for times in TIMES]
        return {
            "tables": count,
            "rows": {f"{each.times}x": each.rows for each in (usual, more)},
            "reports": found,
            "seconds": {f"{times}x": round(each, 3) for times, each in zip(TIMES, sums, strict=True)},
            "slow": [name for name, each in found.items() if max(each["seconds"].values()) > most_seconds(name)],
            "ratio": round(sums[1] / sums[0], 3),
            "most_ratio": MOST_RATIO,
            "most_seconds": MOST_SECONDS,
            "most_listing_seconds": MOST_LISTING_SECONDS,
        }


def most_seconds(name: str) -> float:
    """How long a report may take."""
    return MOST_LISTING_SECONDS if name in LISTINGS else MOST_SECONDS


def main() -> None:
    """Prints one JSON object; exit 1 beyond a limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--report", action="append", choices=REPORTS, help="of these reports alone")
    asked = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="casino-bench-"))
    home.chmod(0o711)
    server = EmbeddedPostgres(home)
    try:
        server.start()
        found = asyncio.run(measure(home, server.url, asked.tables, asked.runs, asked.report or REPORTS))
    finally:
        server.stop()
        shutil.rmtree(home)
    print(json.dumps(found))
    if found["ratio"] > MOST_RATIO or found["slow"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
