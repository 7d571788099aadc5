"""Time: where the present comes from, and which gaming day and shift an instant belongs to."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from services.kernel.errors import InvalidRequest

Clock = Callable[[], datetime]
"""Gives the present as an aware UTC datetime; passed in wherever time matters, so that a test can fix it."""

FIRST_YEAR, LAST_YEAR = 2, 9998
"""Within these every gaming day, its start, its end and the month of its partition can be computed."""


def system_clock() -> datetime:
    """The present by the machine's clock, aware, in UTC."""
    return datetime.now(UTC)


def day_written(text: str, expected: str = "a day written YYYY-MM-DD") -> date:
    """The day that a text names. InvalidRequest unless it is YYYY-MM-DD and of a year that a calendar reaches."""
    try:
        day = date.fromisoformat(text)
    except ValueError as problem:
        raise InvalidRequest(f"expected {expected}, given {text!r}") from problem
    # Other ways to write a day are read from Python 3.11 on: one day has one text.
    if day.isoformat() != text:
        raise InvalidRequest(f"expected {expected}, given {text!r}")
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise InvalidRequest(f"expected a day of the years {FIRST_YEAR} to {LAST_YEAR}, given {text}")
    return day


@dataclass(frozen=True, slots=True)
class Calendar:
    """A property's gaming days: an IANA time zone, the local cut-over and the local starts of the shifts.

    A gaming day is named by the local date on which it starts and runs to the next cut-over, so it has 23
    or 25 hours where the clocks change. A local time the clocks skip is taken as the instant they skip it;
    one they show twice is the first of the two. The first shift starts at the cut-over. Raises
    InvalidRequest otherwise.
    """

    zone: str
    cut_over: time
    shift_starts: tuple[time, ...]

    def __post_init__(self) -> None:
        try:
            _zone(self.zone)
        except (ZoneInfoNotFoundError, ValueError) as unknown:
            raise InvalidRequest(f"expected an IANA time zone, given {self.zone!r}") from unknown
        order = [(start < self.cut_over, start) for start in self.shift_starts]
        if not order or order[0][1] != self.cut_over or sorted(set(order)) != order:
            given = ", ".join(start.isoformat("minutes") for start in self.shift_starts) or "none"
            cut_over = self.cut_over.isoformat("minutes")
            raise InvalidRequest(f"expected shifts in order, the first at the cut-over {cut_over}, given {given}")

    def start_of(self, day: date) -> datetime:
        """The instant, in UTC, at which the gaming day starts."""
        return _instant(self.zone, day, self.cut_over)

    def end_of(self, day: date) -> datetime:
        """The instant, in UTC, at which the next gaming day starts: the first that is no longer of this
        one.
        """
        return self.start_of(day + timedelta(days=1))

    def day_of(self, instant: datetime) -> date:
        """The gaming day of an aware instant."""
        day = instant.astimezone(_zone(self.zone)).date()
        return day if instant >= self.start_of(day) else day - timedelta(days=1)

    def shift_of(self, instant: datetime) -> int:
        """The shift of an aware instant within its gaming day, counted from 1."""
        day = self.day_of(instant)
        return sum(self._shift_start(day, start) <= instant for start in self.shift_starts)

    def _shift_start(self, day: date, start: time) -> datetime:
        return _instant(self.zone, day + timedelta(days=start < self.cut_over), start)


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


@lru_cache(maxsize=4096)
def _instant(zone: str, day: date, wall: time) -> datetime:
    """The first instant at which the local clock has reached `wall` on `day`."""
    local = datetime.combine(day, wall, _zone(zone))
    first, second = local.astimezone(UTC), local.replace(fold=1).astimezone(UTC)
    # Only in a gap does the reading by the later offset come first: the skipped time lies between the two
    # readings.
    return first if first <= second else _end_of_gap(zone, second, first, local.replace(tzinfo=None))


def _end_of_gap(zone: str, before: datetime, after: datetime, wanted: datetime) -> datetime:
    """The first whole second between the two at which the local clock shows `wanted` or later."""
    low, high = 0, round((after - before).total_seconds())
    while low < high:
        middle = (low + high) // 2
        shown = (before + timedelta(seconds=middle)).astimezone(_zone(zone)).replace(tzinfo=None)
        low, high = (low, middle) if shown >= wanted else (middle + 1, high)
    return before + timedelta(seconds=low)
