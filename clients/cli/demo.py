"""`casino demo`: a temporary platform plays a seeded gaming day, reports it, proves it, and is gone."""

import asyncio
import os
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.rounds.v1.rounds_service_pb2 import AnswerKind
from clients.cli.output import as_json as print_json
from clients.cli.output import say
from clients.cli.render import as_object, as_text
from clients.cli.reports import complete_report
from clients.cli.verify import Verification, verify
from clients.floor.day import Day, play, post, send
from clients.floor.filing import NotOffered, set_up
from clients.floor.house import House, house
from clients.floor.platform import Platform, PlatformNotStarted
from clients.sdk.client import Casino
from clients.sdk.stream import Answered
from services.kernel.errors import Busy, InvalidRequest

PROPERTY, TITLE, DAY = "DEMO", "Demo Casino", date(2026, 3, 2)
MOST_TABLES, MOST_ROUNDS = 99, 1_000_000
LARGEST_SEED = 1 << 62
STOPPED = 130
KIND = "ANSWER_KIND_"


@dataclass(frozen=True)
class Outcome:
    """What came of a played day."""

    seed: int
    day: Day
    answers: list[Answered]
    report: reporting.Report
    verification: Verification

    @property
    def clean(self) -> bool:
        """Every event accepted, no difference found, physical win = game win at every table of the day."""
        level = all(row["difference"] == 0 for row in self.tables())
        every = len(self.tables()) == len(self.day.tables)
        return level and every and not self.answers and not self.verification.different

    def tables(self) -> list[dict[str, Any]]:
        """The lines of the tables in the daily win report; money in whole cents."""
        rows: list[dict[str, Any]] = as_object(self.report)["tables"]["win"]["rows"]
        return [row for row in rows if row["scope"] == "table"]

    def counts(self) -> dict[str, Any]:
        """What the floor sent, by its own count; money in whole cents."""
        tables = self.day.tables
        kinds = Counter(AnswerKind.Name(each.answer.kind).removeprefix(KIND) for each in self.answers)
        return {
            "tables": len(tables),
            "rounds": sum(table.rounds for table in tables),
            "wagers": sum(table.wagers for table in tables),
            "events": sum(len(table.events) for table in tables),
            "documents": len(self.day.documents()),
            "handle_cents": sum(table.handle for table in tables),
            "payout_cents": sum(table.payout for table in tables),
            "not_accepted": dict(sorted(kinds.items())),
        }

    def described(self) -> dict[str, Any]:
        """As JSON values that follow from the seed alone: no clock times, hashes, seals, commits or frames."""
        return {
            "property": PROPERTY,
            "gaming_day": DAY.isoformat(),
            "seed": self.seed,
            "clean": self.clean,
            "counts": self.counts(),
            "win": self.tables(),
            "verification": self.verification.described(timed=False),
        }

    def text(self) -> str:
        """The report, what was verified, and the whole in one sentence."""
        counts, differences = self.counts(), self.verification.different
        gaps = sum(row["difference"] != 0 for row in self.tables())
        sentence = (
            f"{counts['rounds']:,} rounds and {counts['wagers']:,} wagers at {counts['tables']} tables:"
            f" {len(self.answers)} events not accepted, {differences} differences in the verification,"
            f" {gaps} tables whose physical win is not the game win."
        )
        verified = "\n".join(self.verification.lines())
        return f"{as_text(self.report)}\nVerification\n{verified}\n\n{sentence}\n"


async def run(tables: int = 8, rounds: int = 1600, seed: int = 1, as_json: bool = False) -> int:
    """Play, report and verify one gaming day; the exit code.

    0 only if every event was accepted, the verification found no difference and the physical win is the game
    win at every table. `as_json` prints one object that follows from the arguments alone. Raises
    InvalidRequest, Busy.
    """
    _check(tables, rounds)
    home = Path(tempfile.mkdtemp(prefix="casino-demo-"))
    try:
        with _stoppable():
            return await _play(home, house(PROPERTY, TITLE, tables), rounds, seed, as_json=as_json)
    except asyncio.CancelledError:
        say("The demo was stopped.")
        return STOPPED
    except (NotOffered, PlatformNotStarted) as problem:
        raise Busy(str(problem)) from problem
    finally:
        shutil.rmtree(home)


async def _play(home: Path, played_at: House, rounds: int, seed: int, *, as_json: bool) -> int:
    say("Starting a platform in a temporary home: Postgres and four services.")
    # Triggers of mystery meters follow from the seed too; a home that is kept never has such.
    environ = {**os.environ, "CASINO_TRIGGER_SEED": str(seed % LARGEST_SEED)}
    async with Platform(home, environ) as platform, Casino(platform.addresses, played_at.operator) as casino:
        tables, links = len(played_at.tables), len(played_at.links)
        say(f"Filing the rules of {tables} tables and of the progressive links, {links}: two people approve.")
        await set_up(casino, played_at, DAY)
        say(f"Playing the gaming day {DAY}: {rounds:,} rounds with seed {seed}.")
        day = play(played_at, DAY, rounds, seed)
        answers = await _stream(casino, day)
        await post(casino, day)
        say(f"Posted {len(day.documents())} table documents; waiting until every round is settled.")
        report = await complete_report(casino, "daily-win", PROPERTY, DAY.isoformat())
        say("Verifying: every chain and seal, every settlement, every meter and every figure of the report.")
        verification = await verify(casino, home)
        say("Stopping everything.")
    outcome = Outcome(seed, day, answers, report, verification)
    if as_json:
        print_json(outcome.described(), indent=1)
    else:
        print(outcome.text(), end="")
    return 0 if outcome.clean else 1


async def _stream(casino: Casino, day: Day) -> list[Answered]:
    began, events = time.monotonic(), sum(1 for _ in day.events())
    answers = await send(casino, day)
    took = max(time.monotonic() - began, 0.001)
    say(f"{events:,} events are on disk, {events / took:,.0f} a second; {len(answers)} were not accepted.")
    return answers


def _check(tables: int, rounds: int) -> None:
    if not 1 <= tables <= MOST_TABLES:
        raise InvalidRequest(f"expected 1 to {MOST_TABLES} tables, given {tables}")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise InvalidRequest(f"expected 1 to {MOST_ROUNDS:,} rounds, given {rounds}")


@contextmanager
def _stoppable() -> Iterator[None]:
    """SIGTERM and SIGINT cancel the demo, which then stops what it started and removes its home."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    numbers = (signal.SIGTERM, signal.SIGINT)
    for number in numbers:
        loop.add_signal_handler(number, task.cancel if task else loop.stop)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
