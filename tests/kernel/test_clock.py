"""Gaming days and shifts, over every change of the clocks."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.kernel.clock import Calendar, day_written, system_clock
from services.kernel.errors import InvalidRequest

SIX = Calendar("America/New_York", time(6), (time(6), time(14), time(22)))
ZONES = ("America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "America/Havana", "UTC")


@st.composite
def calendars(draw: st.DrawFn) -> Calendar:
    """A property with any cut-over and one to four shifts, in zones that change their clocks differently."""
    cut_over = draw(st.integers(0, 1439))
    offsets = sorted(draw(st.sets(st.integers(1, 1439), max_size=3)))
    starts = [divmod((cut_over + offset) % 1440, 60) for offset in (0, *offsets)]
    shifts = tuple(time(hour, minute) for hour, minute in starts)
    return Calendar(draw(st.sampled_from(ZONES)), shifts[0], shifts)


FIRST, LAST = (int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) for year in (2000, 2040))
INSTANTS = st.integers(FIRST, LAST).map(lambda second: datetime.fromtimestamp(second, tz=UTC))


@given(calendars(), INSTANTS)
def test_every_instant_lies_in_exactly_its_gaming_day(calendar: Calendar, instant: datetime) -> None:
    """A gaming day holds every instant from its start up to, not including, the start of the next."""
    day = calendar.day_of(instant)
    assert calendar.start_of(day) <= instant < calendar.end_of(day)


@given(calendars(), INSTANTS)
def test_shifts_are_counted_from_one_and_never_fall_back(calendar: Calendar, instant: datetime) -> None:
    """A gaming day starts in its first shift, and the shift only rises until the next day."""
    day = calendar.day_of(instant)
    now, first = calendar.shift_of(instant), calendar.shift_of(calendar.start_of(day))
    last = calendar.shift_of(calendar.end_of(day) - timedelta(microseconds=1))
    assert 1 <= first <= now <= last <= len(calendar.shift_starts)


@given(calendars(), st.dates(date(2000, 1, 2), date(2039, 12, 30)))
def test_a_day_starts_when_the_clock_first_reaches_the_cut_over(calendar: Calendar, day: date) -> None:
    """The instant of the cut-over belongs to the day, the one before it to the day before."""
    start = calendar.start_of(day)
    assert calendar.day_of(start) == day
    assert calendar.day_of(start - timedelta(microseconds=1)) == day - timedelta(days=1)


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 3, 7), 23), (date(2026, 10, 31), 25), (date(2026, 6, 1), 24)])
def test_a_day_has_23_or_25_hours_where_the_clocks_change(day: date, hours: int) -> None:
    """The gaming day that holds the change of the clocks is an hour shorter or longer."""
    assert SIX.end_of(day) - SIX.start_of(day) == timedelta(hours=hours)


def test_a_cut_over_that_the_clocks_skip_is_the_instant_they_skip_it() -> None:
    """On the day without a half past two, the gaming day starts when the clocks go from two to three."""
    skipped = Calendar("America/New_York", time(2, 30), (time(2, 30), time(2, 45)))
    assert skipped.start_of(date(2026, 3, 8)) == datetime(2026, 3, 8, 7, 0, tzinfo=UTC)
    assert skipped.shift_of(datetime(2026, 3, 8, 7, 0, tzinfo=UTC)) == 2


def test_a_cut_over_that_the_clocks_show_twice_is_the_first() -> None:
    """On the day with two half past ones, the gaming day starts at the first and the second is in it."""
    twice = Calendar("America/New_York", time(1, 30), (time(1, 30),))
    assert twice.start_of(date(2026, 11, 1)) == datetime(2026, 11, 1, 5, 30, tzinfo=UTC)
    assert twice.day_of(datetime(2026, 11, 1, 6, 15, tzinfo=UTC)) == date(2026, 11, 1)


def test_the_small_hours_belong_to_the_day_before() -> None:
    """Before the cut-over it is the last shift of the gaming day before."""
    early = datetime(2026, 3, 2, 10, 59, tzinfo=UTC)
    assert (SIX.day_of(early), SIX.shift_of(early)) == (date(2026, 3, 1), 3)
    assert (SIX.day_of(early + timedelta(minutes=1)), SIX.shift_of(early + timedelta(minutes=1))) == (
        date(2026, 3, 2),
        1,
    )


@pytest.mark.parametrize("starts", [(), (time(7),), (time(6), time(5), time(14)), (time(6), time(14), time(14))])
def test_shifts_out_of_order_are_refused(starts: tuple[time, ...]) -> None:
    """The first shift starts at the cut-over and the others follow it in order."""
    with pytest.raises(InvalidRequest, match="the first at the cut-over 06:00"):
        Calendar("America/New_York", time(6), starts)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc"])
def test_an_unknown_time_zone_is_refused(zone: str) -> None:
    """A property's time zone is one of the IANA names."""
    with pytest.raises(InvalidRequest, match="expected an IANA time zone"):
        Calendar(zone, time(6), (time(6),))


def test_the_present_is_aware_and_in_utc() -> None:
    """The machine's clock gives an aware instant in UTC."""
    assert system_clock().utcoffset() == timedelta(0)


def test_a_day_has_one_text() -> None:
    """Year, month and day with hyphens; any other writing is refused, and so is a year that no calendar reaches."""
    assert day_written("2028-02-29") == date(2028, 2, 29)
    for text in ("20280229", "2028-W09-2", "2027-02-29", "", "today", "0001-12-31", "9999-12-31"):
        with pytest.raises(InvalidRequest) as refused:
            day_written(text)
        assert text in refused.value.message
