"""What holds for a property and its tables, and from when."""

from bisect import insort
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from services.kernel import errors
from services.kernel.clock import Calendar

Hours = tuple[str, time, tuple[time, ...]]
"""What gaming days and shifts are derived by: time zone, cut-over, starts of the shifts."""


class PropertySetting(NamedTuple):
    """Settings of a property from a gaming day on; `shift_starts` begin with the cut-over.

    `house_edge_from` and `house_edge_to` are its house-edge band, hundredths of a percent; `claim_within_minutes` how
    long a jackpot may stay unclaimed before an alarm; `jurisdiction`: whose taxes hold, empty: those of Pennsylvania.
    """

    effective_from: date
    position: int
    title: str
    time_zone: str
    cut_over: time
    shift_starts: tuple[time, ...]
    house_edge_from: int
    house_edge_to: int
    claim_within_minutes: int
    jurisdiction: str = ""

    @property
    def hours(self) -> Hours:
        """What gaming days and shifts are derived by."""
        return self.time_zone, self.cut_over, self.shift_starts

    def calendar(self) -> Calendar:
        """Raises InvalidRequest where zone or times cannot be."""
        try:
            calendar = Calendar(self.time_zone, self.cut_over, self.shift_starts)
            calendar.start_of(self.effective_from)
        except (KeyError, ValueError, OSError) as problem:
            raise errors.InvalidRequest(
                f"Expected an IANA time zone such as America/New_York, got {self.time_zone!r}."
            ) from problem
        return calendar


class TableSetting(NamedTuple):
    """Where a table stands and what it deals, from a gaming day on."""

    effective_from: date
    position: int
    table_id: str
    pit: str
    game: str


ONE_DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
FARTHEST = timedelta(days=2)
"""How far before the day that a setting names its hours may reach: zones lie up to 26 hours apart."""
MOST_MINUTES = 14 * 24 * 60
"""Whose day and shift are kept in memory."""


class Days:
    """Derives gaming day and shift of an instant from a property's effective-dated settings."""

    def __init__(self, settings: list[PropertySetting]) -> None:
        self._settings = sorted(settings, reverse=True)
        self._calendars = [(setting.effective_from, setting.calendar()) for setting in self._settings]
        self._minutes: dict[int, tuple[date, int]] = {}

    def day_and_shift(self, seconds: int, instant: datetime) -> tuple[date, int]:
        """Gaming day and shift of an instant. Boundaries lie on whole minutes, so a minute is looked up once."""
        minute = seconds // 60
        known = self._minutes.get(minute)
        if known is None:
            calendar = self.calendar_at(instant)
            if len(self._minutes) >= MOST_MINUTES:
                self._minutes.clear()
            known = self._minutes[minute] = (calendar.day_of(instant), calendar.shift_of(instant))
        return known

    def today(self, now: datetime) -> date:
        """The gaming day under way; before the property's settings begin, by the first of them."""
        try:
            return self.calendar_at(now).day_of(now)
        except errors.KeyImpossible:
            return self._calendars[-1][1].day_of(now) if self._calendars else now.date()

    def on(self, day: date) -> PropertySetting:
        """What holds on a gaming day that has been opened, and so lies where settings begin or later."""
        return next(setting for setting in self._settings if setting.effective_from <= day)

    def hours_around(self, day: date, since: date) -> set[Hours]:
        """The hours of an opened gaming day and of the next, as far as they are not before `since`."""
        return {self.on(each).hours for each in (max(day, since), max(day + ONE_DAY, since))}

    def with_setting(self, setting: PropertySetting) -> "Days":
        """With one more setting."""
        return Days([*self._settings, setting])

    def minutes_of(self, day: date) -> Iterator[datetime]:
        """Every minute of a gaming day on which settings hold."""
        at, end = self._start_of(day), self._start_of(day + ONE_DAY)
        while at < end:
            yield at
            at += MINUTE

    def _start_of(self, day: date) -> datetime:
        return self.on(day).calendar().start_of(day)

    def calendar_at(self, instant: datetime) -> Calendar:
        """The calendar in force: the newest whose own day of this instant is not before it takes effect."""
        for effective_from, calendar in self._calendars:
            if calendar.day_of(instant) >= effective_from:
                return calendar
        begin = self._settings[-1].effective_from if self._settings else "a day still to be set"
        raise errors.KeyImpossible(f"Expected a time on or after {begin}, where the property's settings begin.")


def moved(before: Days, after: Days, days: Iterable[date]) -> date | None:
    """The first of these gaming days of which other settings put a minute into another day or shift; None of none."""
    for day in days:
        for at in before.minutes_of(day):
            seconds = int(at.timestamp())
            if before.day_and_shift(seconds, at) != after.day_and_shift(seconds, at):
                return day
    return None


class Tables:
    """A property's tables by id, each with its history."""

    def __init__(self, settings: list[TableSetting]) -> None:
        self._history: dict[str, list[TableSetting]] = {}
        for setting in settings:
            self.add(setting)

    def add(self, setting: TableSetting) -> None:
        """Takes a later setting of a table in."""
        insort(self._history.setdefault(setting.table_id, []), setting)

    def on(self, table_id: str, day: date) -> TableSetting:
        """The table on a gaming day. TableUnknown."""
        for setting in reversed(self._history.get(table_id, [])):
            if setting.effective_from <= day:
                return setting
        raise errors.TableUnknown(f"Expected one of the property's tables on {day}, got {table_id!r}.")

    def known(self, table_id: str) -> bool:
        """Whether the property has, had or will have a table of this name."""
        return table_id in self._history

    def all(self) -> list[TableSetting]:
        """Every setting of every table, by table and day."""
        return [setting for _, history in sorted(self._history.items()) for setting in history]
