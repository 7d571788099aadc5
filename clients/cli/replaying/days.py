"""Which gaming days are replayed, and the progress of reading them."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from clients.cli.properties import read_day
from services.kernel.errors import InvalidRequest, Unknown

Moved = Callable[[int], None]


def chosen(day: str, first: str, last: str) -> tuple[str, str]:
    """The first and the last gaming day asked for: one day, or from one to another. Raises InvalidRequest."""
    if bool(day) == bool(first or last):
        given = "all of them" if day else "none"
        raise InvalidRequest(f"expected --day, or --from and --to, given {given}")
    found = (day, day) if day else (first, last)
    for each in found:
        read_day(each)
    if found[0] > found[1]:
        raise InvalidRequest(f"expected --from not after --to, given {first} and {last}")
    return found


def opened(days: Sequence[str], first: str, last: str) -> list[str]:
    """Those of the property's gaming days that are asked for, in order. Raises Unknown where there are none."""
    found = [each for each in days if first <= each <= last]
    if not found:
        known = f"one of {days[0]} to {days[-1]}" if days else "one, and none was opened"
        raise Unknown(f"expected a gaming day that was opened, {known}, given {first} to {last}")
    return found


@contextmanager
def progress(total: int) -> Iterator[Moved]:
    """A progress bar on standard error where that is a terminal; gives what to call with the entries just read."""
    if not sys.stderr.isatty():
        yield lambda entries: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    shown = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*shown, console=Console(stderr=True)) as bar:
        task = bar.add_task("entries", total=total)
        yield lambda entries: bar.update(task, advance=entries)
