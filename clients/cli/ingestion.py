"""A file of rounds streamed through the gRPC API: `casino ingest`."""

import asyncio
import sys
import time as clock
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from casino.floor.v1 import events_pb2
from casino.rounds.v1 import rounds_service_pb2
from clients.cli.home import platform
from clients.cli.outcomes import FileRounds, offered_paytables
from clients.cli.output import exit_if, print_each, say
from clients.cli.pricing import shown
from clients.cli.properties import calendar_on, read_day, settings_of, standing, wait_for
from clients.cli.rounds_file import RoundLine, placed, read_card_log, read_rounds, stake_text, timed
from clients.floor.sample import FIRST_DAY
from clients.sdk.client import Casino, new_request_id
from clients.sdk.stream import RoundsStream
from services.kernel.clock import Calendar
from services.kernel.errors import InvalidRequest

COLLECT_EVERY = 1_000
Moved = Callable[[int], None]


def ingest(
    file: Annotated[Path, typer.Argument(help="Rounds (.jsonl) or a card log (.csv).")],
    table: Annotated[str | None, typer.Option(help="The table of a card log.")] = None,
    wager: Annotated[
        list[str] | None,
        typer.Option(help="CODE:DOLLARS or CODE@PLACEMENT:DOLLARS in every round of a card log."),
    ] = None,
    day: Annotated[
        str, typer.Option(help="Gaming day of rounds that do not say when they opened.")
    ] = FIRST_DAY.isoformat(),
    property_id: Annotated[str | None, typer.Option("--property", help="The property.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a round.")] = False,
) -> None:
    """Streams a file of rounds to the platform, which settles them; the same file again changes nothing.

    Starts the platform for the time of the command if none runs.
    """
    with file.open("rb"):
        pass  # a file that cannot be read is refused before anything is started
    if (file.suffix == ".csv") != (table is not None and bool(wager)):
        raise InvalidRequest("expected --table and --wager with a .csv card log, and only with one")
    bad = asyncio.run(_ingest(file, table or "", wager or [], read_day(day), property_id, json_wanted=json))
    exit_if(bad > 0)


async def _ingest(file: Path, table: str, wagers: list[str], day: date, given: str | None, *, json_wanted: bool) -> int:
    stakes = [stake_text(text) for text in wagers]
    async with platform() as casino:
        settings = await settings_of(casino, given)
        property_id = settings[-1].property_id
        if file.suffix == ".csv":
            paytables = await offered_paytables(casino, property_id, table, day, stakes)
            lines = read_card_log(file, table, placed(stakes, paytables))
        else:
            lines = read_rounds(file)
        found = FileRounds(settings)
        began = clock.monotonic_ns()
        await _stream(casino, property_id, file, _dated(lines, calendar_on(settings, day), day), found)
        await _wait_settled(casino, property_id)
        await found.collect(casino, property_id)
        if json_wanted:
            print_each(found.objects(), shown, json_wanted=True)
        say(found.summary((clock.monotonic_ns() - began) // 1_000_000))
        return found.bad


def _dated(lines: Iterable[RoundLine], calendar: Calendar, day: date) -> Iterator[RoundLine]:
    starts = calendar.start_of(day)
    for line in lines:
        yield line if line.round is None else line._replace(round=timed(line.round, starts))


async def _stream(casino: Casino, property_id: str, file: Path, lines: Iterable[RoundLine], found: FileRounds) -> None:
    source_id = f"file:{file.name}"
    register = rounds_service_pb2.RegisterSourceRequest(
        request_id=new_request_id(),
        property_id=property_id,
        source_id=source_id,
        description=f"Rounds of the file {file.name}",
    )
    await casino.call(casino.rounds.RegisterSource, register)
    with _progress(file) as moved:
        async with RoundsStream(casino, property_id, source_id) as stream:
            for line in lines:
                found.sent(line)
                await stream.send(_event(line))
                if line.number % COLLECT_EVERY == 0:
                    found.answered(stream.answered())
                    moved(stream.durable)
            await stream.drain()
            found.answered(stream.answered())
            moved(stream.durable)


def _event(line: RoundLine) -> events_pb2.Event | bytes:
    """A round as an event that always has the same content; a line that is none as its bytes, for the record."""
    if line.round is None:
        return line.raw
    return events_pb2.Event(occurred_at=line.round.opened_at, whole_round=line.round)


async def _wait_settled(casino: Casino, property_id: str) -> None:
    """Until every round is settled and every meter moved by it."""
    head = (await standing(casino, "rounds", property_id)).heads.get("rounds", 0)
    for service in ("settlement", "progressives"):
        await wait_for(casino, service, property_id, "rounds", head)


@contextmanager
def _progress(file: Path) -> Iterator[Moved]:
    """A progress bar on standard error where that is a terminal; gives what to call with the rounds on disk."""
    if not sys.stderr.isatty():
        yield lambda durable: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    with file.open("rb") as counted:
        total = sum(1 for _ in counted) - (file.suffix == ".csv")
    shown_columns = TextColumn(file.name), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*shown_columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(file.name, total=total)
        yield lambda durable: bar.update(task, completed=durable)
