"""Hours of a property: what was recorded keeps its day and shift, whatever is set afterwards."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import grpc
from hypothesis import given
from hypothesis import strategies as st

from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as pb
from services.rounds.calendar import Days, PropertySetting, moved
from tests.rounds.conftest import DAY, PROPERTY, Rounds, event, whole
from tests.rounds.test_ladder import said

SINCE, OPENED = date(2026, 1, 1), date(2026, 3, 2)
ZONES = ("America/New_York", "America/Chicago", "UTC", "Etc/GMT+12", "Pacific/Kiritimati")


async def set_hours(rounds: Rounds, since: str, cut_over: str = "06:00", zone: str = ZONES[0], **more: Any) -> str:
    """Sets the property's hours; the refusal's sentence, empty for none."""
    settings = entries.PropertySettings(
        property_id=PROPERTY, time_zone=zone, cut_over=cut_over, effective_from=since, **more
    )
    request = pb.SetPropertyRequest(request_id=f"{since}{cut_over}{more}", settings=settings)
    return "".join((await refusal(rounds, request)).values())


async def refusal(rounds: Rounds, request: pb.SetPropertyRequest) -> dict[grpc.StatusCode, str]:
    """Code and sentence of a refusal, if it is one."""
    try:
        await rounds.call("SetProperty", request)
    except grpc.aio.AioRpcError as refused:
        return {refused.code(): refused.details() or ""}
    return {}


async def test_hours_of_a_recorded_day_stay(rounds: Rounds) -> None:
    """The round sent again is known by its key; hours may change from the first day that moves nothing."""
    assert said(await rounds.submit([event(whole(1))])) == []
    refused = [
        await set_hours(rounds, "2026-03-01", "04:00"),
        await set_hours(rounds, DAY, zone="Europe/London"),
        await set_hours(rounds, DAY, shift_starts=["06:00", "14:00"]),
        await set_hours(rounds, "2026-03-03", "04:00"),
    ]
    assert [text.endswith(f"would move hours of {DAY}.") for text in refused] == [True] * 4
    assert await set_hours(rounds, DAY, title="Harbor") == ""
    assert await set_hours(rounds, "2026-03-03", "08:00") == ""
    assert await set_hours(rounds, "2026-03-04", "04:00") == ""
    assert said(await rounds.submit([event(whole(1))])) == [(1, "DUPLICATE", "DUPLICATE")]
    assert await rounds.differences() == []


async def test_a_property_that_is_refused_leaves_nothing(rounds: Rounds) -> None:
    """A zone that does not exist: no feed, no follower, no row that nobody owns."""
    settings = entries.PropertySettings(property_id="NEW", time_zone="America/NewYork", cut_over="06:00")
    settings.effective_from = "2026-01-01"
    refused = await refusal(rounds, pb.SetPropertyRequest(request_id="n", settings=settings))
    assert list(refused) == [grpc.StatusCode.INVALID_ARGUMENT]
    assert {feed.property_id for feed in rounds.service.feeds()} == {PROPERTY}
    await rounds.stop()
    await rounds.start()
    assert await rounds.differences() == []


def hours(since: date, position: int, zone: str, hour: int) -> PropertySetting:
    """Settings with one shift."""
    return PropertySetting(since, position, "", zone, time(hour), (time(hour),), 0, 0, 30)


@given(st.sampled_from(ZONES), st.integers(0, 23), st.integers(-2, 3))
def test_what_moves_is_what_any_instant_of_the_day_says(zone: str, hour: int, after: int) -> None:
    """Held against the days of instants, a quarter of an hour apart, that lie in the opened day."""
    before = Days([hours(SINCE, 1, ZONES[0], 6)])
    later = before.with_setting(hours(OPENED + timedelta(after), 2, zone, hour))
    instants = [datetime(2026, 3, 1, tzinfo=UTC) + timedelta(minutes=15 * number) for number in range(4 * 72)]
    told = [(before.calendar_at(each).day_of(each), later.calendar_at(each).day_of(each)) for each in instants]
    differ = any(one == OPENED != other for one, other in told)
    assert (moved(before, later, [OPENED]) is not None) == differ
