"""Which property a command means, its gaming days, and how far its services are."""

import asyncio
import time as clock
from datetime import date, datetime, time
from typing import NamedTuple

from casino.feeds.v1 import feeds_pb2
from casino.progressives.v1 import progressives_service_pb2
from casino.reporting.v1 import reporting_service_pb2
from casino.rounds.v1 import entries_pb2, rounds_service_pb2
from casino.settlement.v1 import settlement_service_pb2
from clients.floor import sample
from clients.sdk.client import Casino
from services.kernel.clock import Calendar
from services.kernel.errors import Busy, InvalidRequest, Unknown
from services.kernel.house_edge import EdgeBand, read_band

FOLLOWED = (
    ("settlement", "rounds"),
    ("progressives", "rounds"),
    ("reporting", "rounds"),
    ("reporting", "settlements"),
    ("reporting", "progressives"),
    ("rounds", "submissions"),
    ("progressives", "submissions"),
)
"""Each service with a feed that it follows. The submissions last: who waits has the others level by then."""
BEHIND_SECONDS = 120.0
POLL_SECONDS = 0.05


class Standing(NamedTuple):
    """Where one service stands at one property: heads of its own feeds, cursors in those it follows."""

    heads: dict[str, int]
    cursors: dict[str, int]


def read_day(text: str) -> date:
    """A day written YYYY-MM-DD. Raises InvalidRequest."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidRequest(f"expected a day written YYYY-MM-DD, given {text!r}") from None


async def settings_of(casino: Casino, given: str | None) -> list[entries_pb2.PropertySettings]:
    """The settings of the property meant, the earliest first: the one named, else the only one, else the sample.

    Raises Unknown.
    """
    found = await casino.call(casino.rounds.ListProperties, rounds_service_pb2.ListPropertiesRequest())
    names = sorted({each.property_id for each in found.properties})
    wanted = given or (names[0] if len(names) == 1 else sample.PROPERTY)
    mine = [each for each in found.properties if each.property_id == wanted]
    if not mine:
        raise Unknown(f"expected a property of {', '.join(names) or 'none at all'}, given {given or 'none'}")
    return sorted(mine, key=lambda each: each.effective_from)


async def property_of(casino: Casino, given: str | None) -> str:
    """The id of the property meant. Raises Unknown."""
    return (await settings_of(casino, given))[-1].property_id


def in_force(settings: list[entries_pb2.PropertySettings], day: date) -> entries_pb2.PropertySettings:
    """The settings, of some in the order of `settings_of`, in force on a gaming day: the latest effective by then.

    Before the first of them takes effect, that one.
    """
    effective = [each for each in settings if date.fromisoformat(each.effective_from) <= day]
    return effective[-1] if effective else settings[0]


def calendar_on(settings: list[entries_pb2.PropertySettings], day: date) -> Calendar:
    """The calendar in force on a gaming day."""
    chosen = in_force(settings, day)
    return Calendar(
        chosen.time_zone,
        time.fromisoformat(chosen.cut_over),
        # A property without shifts has one, the gaming day.
        tuple(time.fromisoformat(start) for start in chosen.shift_starts or [chosen.cut_over]),
    )


def band_at(settings: list[entries_pb2.PropertySettings], instant: datetime) -> EdgeBand:
    """The house-edge band in force on the gaming day of an instant."""
    chosen = in_force(settings, calendar_on(settings, instant.date()).day_of(instant))
    return read_band(chosen.house_edge_from, chosen.house_edge_to)


async def statuses(casino: Casino, service: str) -> feeds_pb2.ServiceStatus:
    """What a service says of itself."""
    if service == "rounds":
        rounds = await casino.call(casino.rounds.GetStatus, rounds_service_pb2.GetStatusRequest())
        return rounds.status
    if service == "settlement":
        request = settlement_service_pb2.GetStatusRequest()
        return (await casino.call(casino.settlement.GetStatus, request)).status
    if service == "progressives":
        asked = progressives_service_pb2.GetStatusRequest()
        return (await casino.call(casino.progressives.GetStatus, asked)).status
    wanted = reporting_service_pb2.GetStatusRequest()
    return (await casino.call(casino.reporting.GetStatus, wanted)).status


async def standing(casino: Casino, service: str, property_id: str) -> Standing:
    """Where a service stands at a property; nowhere if it has not heard of it yet."""
    status = await statuses(casino, service)
    for each in status.properties:
        if each.property_id == property_id:
            heads = {head.feed: head.position for head in each.heads}
            return Standing(heads, {cursor.feed: cursor.position for cursor in each.cursors})
    return Standing({}, {})


async def wait_for(casino: Casino, service: str, property_id: str, feed: str, position: int) -> None:
    """Returns once a service has followed a feed to a position.

    Raises Busy where it makes no progress for BEHIND_SECONDS.
    """
    last, until = -1, clock.monotonic() + BEHIND_SECONDS
    while (reached := (await standing(casino, service, property_id)).cursors.get(feed, 0)) < position:
        if reached > last:
            last, until = reached, clock.monotonic() + BEHIND_SECONDS
        if clock.monotonic() > until:
            raise Busy(f"expected {service} to follow {feed} to position {position}, it stands at {reached}")
        await asyncio.sleep(POLL_SECONDS)


async def wait_until_level(casino: Casino, property_id: str) -> dict[str, int]:
    """Returns once every follower has all that its authors have; gives the head of each feed. Raises Busy."""
    rounds = (await standing(casino, "rounds", property_id)).heads.get("rounds", 0)
    for service in ("settlement", "progressives"):
        await wait_for(casino, service, property_id, "rounds", rounds)
    heads: dict[str, int] = {}
    for service in ("rounds", "settlement", "progressives"):
        heads |= (await standing(casino, service, property_id)).heads
    for service, feed in FOLLOWED:
        await wait_for(casino, service, property_id, feed, heads.get(feed, 0))
    return heads
