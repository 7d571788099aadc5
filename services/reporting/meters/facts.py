"""What the reports on meters are made of, read in one snapshot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from services.reporting import store
from services.reporting.meters import store as meters
from services.reporting.meters.seed import seeds_after, seeds_of
from services.reporting.meters.store import Moved
from services.reporting.meters.sums import LinkState, MeterName
from services.reporting.registers import store as registers
from services.reporting.sums import ContributionKey, JackpotState, MovementKey, Reading, WagerSum
from services.runtime.store import Connection


@dataclass(frozen=True)
class Period:
    """Gaming days, both included: readings and overflow before the first and after the last, and what moved between."""

    first: date
    last: date
    before: Mapping[MeterName, Reading]
    after: Mapping[MeterName, Reading]
    overflow_before: Mapping[MeterName, int]
    overflow_after: Mapping[MeterName, int]
    moved: Sequence[Moved]


@dataclass(frozen=True)
class MeterFacts:
    """One gaming day of every meter, and its month so far; `curve`: the last reading of each day that moved it.

    Contributions (with what corrections changed) and movements lie under the gaming day of their rounds, the periods
    under the day that was under way.
    """

    gaming_day: date
    day: Period
    month: Period
    links: Sequence[LinkState]
    wagers: Sequence[WagerSum]
    contributions: Mapping[ContributionKey, tuple[int, int]]
    movements: Mapping[MovementKey, int]
    jackpots: Sequence[JackpotState]
    unearned: Mapping[MeterName, int]
    curve: Mapping[tuple[date, MeterName], int] = field(default_factory=dict)


async def meter_facts(connection: Connection, property_id: str, day: date) -> MeterFacts:
    """All that is known of a property's meters on a day."""
    return MeterFacts(
        gaming_day=day,
        day=await _period(connection, property_id, day, day),
        month=await _period(connection, property_id, day.replace(day=1), day),
        links=await meters.links_on(connection, property_id, day),
        wagers=await store.wagers(connection, property_id, day),
        contributions=await store.contributions(connection, property_id, day),
        movements=await store.movements(connection, property_id, day),
        jackpots=await store.jackpots(connection, property_id, day),
        unearned=await _unearned(connection, property_id, day),
        curve=await meters.curve(connection, property_id, day.replace(day=1), day),
    )


async def _unearned(connection: Connection, property_id: str, day: date) -> Mapping[MeterName, int]:
    links = await registers.links(connection, property_id, date.max)
    return seeds_after(await registers.events(connection, property_id, day), seeds_of(links)).unearned


async def _period(connection: Connection, property_id: str, first: date, last: date) -> Period:
    eve = first - timedelta(days=1) if first > date.min else first
    return Period(
        first,
        last,
        await _readings(connection, property_id, eve),
        await _readings(connection, property_id, last),
        await meters.overflows(connection, property_id, eve),
        await meters.overflows(connection, property_id, last),
        await meters.moved(connection, property_id, first, last),
    )


async def _readings(connection: Connection, property_id: str, day: date) -> dict[MeterName, Reading]:
    found = await store.readings(connection, property_id, day)
    return {(key.link_id, key.level): reading for key, reading in found.items()}
