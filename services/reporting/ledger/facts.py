"""What the journal of a period is made of, read in one snapshot, and what its balances are held against."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from services.reporting import store as projections
from services.reporting.document import Document, standing
from services.reporting.documents import store as papers
from services.reporting.ledger import store
from services.reporting.ledger.store import Contributed
from services.reporting.meters import store as meters
from services.reporting.meters.seed import SeedOf, seeds_of
from services.reporting.meters.sums import MeterName
from services.reporting.payments.payment import Calendars
from services.reporting.periods import Asked, TableFacts, table_facts
from services.reporting.registers import store as registers
from services.reporting.registers.record import JackpotRecord, MeterEvent
from services.reporting.sums import Reading
from services.reporting.tax import Schedule, week_of
from services.runtime.store import Connection


@dataclass(frozen=True)
class MeterFacts:
    """Every movement of the meters up to the period's end, contributions summed by the day of the period alone, and
    where the meters stood before the period and stand at its end: readings by the day's last entry, overflow summed.
    """

    events: Sequence[MeterEvent]
    contributed: Sequence[Contributed]
    seeds: SeedOf
    before: Mapping[MeterName, Reading]
    after: Mapping[MeterName, Reading]
    overflow_before: Mapping[MeterName, int]
    overflow_after: Mapping[MeterName, int]


@dataclass(frozen=True)
class LedgerFacts:
    """A period's documents that count, with their positions; its table-days and those of its first week before it; its
    meters and jackpots; `closers`: the last of each table before it.
    """

    asked: Asked
    tables: TableFacts
    documents: Sequence[Document]
    positions: Mapping[str, int]
    closers: Mapping[str, Document]
    rules: Schedule
    meters: MeterFacts
    jackpots: Sequence[JackpotRecord]
    calendars: Calendars


async def ledger_facts(connection: Connection, asked: Asked, rules: Schedule) -> LedgerFacts:
    """All that the journal needs to know of a period."""
    span = (asked.property_id, asked.first, asked.last)
    since = min(week_of(asked.first)[0], asked.first - timedelta(days=rules.days))
    return LedgerFacts(
        asked=asked,
        tables=await table_facts(connection, asked, since),
        documents=standing(await papers.documents_between(connection, *span)),
        positions=await store.positions(connection, *span),
        closers=await papers.closers_before(connection, asked.property_id, asked.first),
        rules=rules,
        meters=await _meters(connection, asked),
        jackpots=await registers.jackpots(connection, asked.property_id, asked.last),
        calendars=await registers.calendars(connection, asked.property_id),
    )


async def _meters(connection: Connection, asked: Asked) -> MeterFacts:
    property_id, eve = asked.property_id, asked.first - timedelta(days=1)
    return MeterFacts(
        events=await registers.events(connection, property_id, asked.last),
        contributed=await store.contributed(connection, property_id, asked.first, asked.last),
        seeds=seeds_of(await registers.links(connection, property_id, date.max)),
        before=await _readings(connection, property_id, eve),
        after=await _readings(connection, property_id, asked.last),
        overflow_before=await meters.overflows(connection, property_id, eve),
        overflow_after=await meters.overflows(connection, property_id, asked.last),
    )


async def _readings(connection: Connection, property_id: str, day: date) -> dict[MeterName, Reading]:
    found = await projections.readings(connection, property_id, day)
    return {(key.link_id, key.level): reading for key, reading in found.items()}
