"""What the pipeline's benchmark reads of processes: processor time and peak memory, from /proc."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import asyncpg

MICROS_PER_TICK = 1_000_000 // os.sysconf("SC_CLK_TCK")
KIBIBYTES_IN_MEBIBYTE = 1_024
# Places after the name in /proc/<pid>/stat: time of the process, and of its children that have ended.
OWN, ENDED = slice(11, 13), slice(13, 15)


class Processes:
    """The services by name, the client (this process) and Postgres.

    A server process counts for the service whose login it serves; checkpointer, writers, and those that ended
    meanwhile count as `postgres shared`.
    """

    def __init__(self, pids: Mapping[str, int | None], database: "asyncpg.Connection[asyncpg.Record]") -> None:
        named = {name: pid for name, pid in pids.items() if pid}
        self._postmaster = named.pop("postgres")
        self._named = {**named, "client": os.getpid()}
        self._database = database

    async def micros(self) -> Counter[str]:
        """Micro-seconds of processor time so far, by process."""
        spent = Counter({name: _micros(pid, OWN) for name, pid in self._named.items()})
        owners = await self._owners()
        for pid in _children(self._postmaster):
            spent[f"postgres {owners.get(pid, 'shared')}"] += _micros(pid, OWN)
        spent["postgres shared"] += _micros(self._postmaster, OWN) + _micros(self._postmaster, ENDED)
        return spent

    def peaks(self) -> dict[str, float]:
        """The most memory that each process has held, in mebibytes; of Postgres the largest server process, which
        counts the buffers that all share as its own.
        """
        found = {name: _peak(pid) for name, pid in self._named.items()}
        return {**found, "postgres, largest": max(_peaks(_children(self._postmaster)))}

    async def _owners(self) -> dict[int, str]:
        rows = await self._database.fetch(
            "SELECT pid, substr(usename, 8) AS service FROM pg_stat_activity WHERE usename LIKE 'casino\\_%'"
        )
        return {row["pid"]: row["service"] for row in rows}


def _children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _micros(pid: int, part: slice) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0  # it has ended since it was listed: its parent counts it
    return sum(map(int, fields[part])) * MICROS_PER_TICK


def _peaks(pids: Iterable[int]) -> list[float]:
    return [_peak(pid) for pid in pids]


def _peak(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0  # it has ended since it was listed
    found = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return round(sum(found) / KIBIBYTES_IN_MEBIBYTE, 1)
