"""A property as its owner describes it: tables with what they offer, a progressive link over some."""

import asyncio
import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from types import MappingProxyType

import grpc

from casino.progressives.v1 import entries_pb2 as progressives
from casino.progressives.v1 import progressives_service_pb2 as links
from casino.rounds.v1 import entries_pb2 as settings
from casino.rounds.v1 import rounds_service_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as submissions
from casino.settlement.v1 import settlement_service_pb2 as settlement
from clients.sdk.client import Casino
from clients.sdk.refusals import RefusedByServer
from services.games.catalogue import wager
from services.games.terms import Offer, Terms
from services.kernel.clock import Calendar

PROGRESSIVE = "baccarat.heavenly_9_progressive"
TREASURES = ("fortune_7", "golden_8", "heavenly_9", "blazing_7s", "cover_all")
ZONE, CUT_OVER, SHIFTS = "America/New_York", "06:00", ("06:00", "14:00", "22:00")
EFFECTIVE = date(2026, 1, 1)
BASE_LIMITS = 500, 1_000_000
SIDE_LIMITS = 100, 100_000
PROGRESSIVE_LIMITS = 500, 10_000
SEATS = 14
TABLES_IN_A_PIT = 4
SET_UP_SECONDS = 60.0


class NotOffered(Exception):
    """The tables do not offer what was approved within the time that followers may take."""


@dataclass(frozen=True)
class Table:
    """One table: where it stands and what it offers."""

    table_id: str
    pit: str
    terms: Terms


@dataclass(frozen=True)
class House:
    """A property with its tables; the tables that offer the progressive wager share one link."""

    property_id: str
    title: str
    operator: str
    approver: str
    tables: tuple[Table, ...]

    @property
    def linked(self) -> tuple[str, ...]:
        """The tables of the link."""
        return tuple(table.table_id for table in self.tables if PROGRESSIVE in table.terms.offers)

    @property
    def link_id(self) -> str:
        """The id of the property's link."""
        return f"{self.property_id}-HEAVENLY-9"

    @property
    def calendar(self) -> Calendar:
        """The property's gaming days and shifts."""
        return Calendar(ZONE, time.fromisoformat(CUT_OVER), tuple(map(time.fromisoformat, SHIFTS)))


def house(property_id: str, title: str, tables: int) -> House:
    """A property of so many Baccarat tables BAC-01 onward, in pits of four.

    Offers differ by table so that every filed paytable is dealt somewhere; BAC-01 has the usual ones: eight
    decks, 5 % commission, 8 to 1 on a tie.
    """
    name = property_id.lower()
    return House(
        property_id,
        title,
        f"{name}-operator",
        f"{name}-approver",
        tuple(_table(number) for number in range(1, tables + 1)),
    )


def _table(number: int) -> Table:
    """In each run of eight: the third and sixth have six decks, the last two no link, the seventh 4 %."""
    place = (number - 1) % 8 + 1
    treasures = "A" if place % 2 else "B"
    offers = [
        Offer("baccarat.player", *_named("baccarat.player"), *BASE_LIMITS),
        Offer("baccarat.banker", "4%" if place == 7 else "5%", *BASE_LIMITS),
        Offer("baccarat.tie", "9" if place == 8 else "8", *BASE_LIMITS),
        Offer("baccarat.perfect_pairs", "ABC"[(place - 1) % 3], *SIDE_LIMITS),
        *(Offer(f"baccarat.{wager}", treasures, *SIDE_LIMITS) for wager in TREASURES),
    ]
    if place <= 6:
        offers.append(Offer(PROGRESSIVE, *_named(PROGRESSIVE), *PROGRESSIVE_LIMITS))
    decks = 6 if place in (3, 6) else 8
    by_code: Mapping[str, Offer] = MappingProxyType({offer.code: offer for offer in offers})
    terms = Terms("", "baccarat", "live", decks, SEATS, by_code)
    return Table(f"BAC-{number:02d}", f"P{(number - 1) // TABLES_IN_A_PIT + 1}", terms)


def _named(code: str) -> tuple[str]:
    """The name of the one paytable that a wager has."""
    (name,) = wager(code).paytables
    return (name,)


async def set_up(casino: Casino, house: House, day: date) -> None:
    """Make the property, its tables, its Rules Submission and its link, and wait until they are offered on
    `day`.

    Every request has a fixed id, so that a second run changes nothing. Raises RefusedByServer, NotOffered.
    """
    operator, approver = casino.acting_as(house.operator), casino.acting_as(house.approver)
    await _set_property(operator, house)
    await _file_submission(operator, approver, house)
    if house.linked:
        await _file_link(operator, approver, house)
    await wait_for_offers(operator, house, day)


async def wait_for_offers(casino: Casino, house: House, day: date) -> None:
    """Return when every table offers its terms on that gaming day; NotOffered after SET_UP_SECONDS."""
    deadline = clock.monotonic() + SET_UP_SECONDS
    for table in house.tables:
        while not await _offered(casino, house.property_id, table.table_id, day):
            if clock.monotonic() > deadline:
                raise NotOffered(f"expected {table.table_id} of {house.property_id} to have an offer on {day}")
            await asyncio.sleep(0.05)


async def _offered(casino: Casino, property_id: str, table_id: str, day: date) -> bool:
    request = rounds.GetOfferRequest(property_id=property_id, table_id=table_id, gaming_day=day.isoformat())
    try:
        return bool((await casino.call(casino.rounds.GetOffer, request)).digest)
    except RefusedByServer as refusal:
        if refusal.code is not grpc.StatusCode.NOT_FOUND:
            raise
        return False


async def _set_property(operator: Casino, house: House) -> None:
    described = settings.PropertySettings(
        property_id=house.property_id,
        title=house.title,
        time_zone=ZONE,
        cut_over=CUT_OVER,
        shift_starts=SHIFTS,
        effective_from=EFFECTIVE.isoformat(),
    )
    request = rounds.SetPropertyRequest(request_id=_request_id(house, "property"), settings=described)
    await operator.call(operator.rounds.SetProperty, request)
    for table in house.tables:
        placed = settings.TableSettings(
            property_id=house.property_id,
            table_id=table.table_id,
            pit=table.pit,
            game=table.terms.game,
            effective_from=EFFECTIVE.isoformat(),
        )
        wanted = rounds.SetTableRequest(request_id=_request_id(house, table.table_id), settings=placed)
        await operator.call(operator.rounds.SetTable, wanted)


async def _file_submission(operator: Casino, approver: Casino, house: House) -> None:
    proposal = settlement.ProposeSubmissionRequest(
        request_id=_request_id(house, "submission"),
        property_id=house.property_id,
        title=f"Rules Submission of {house.title}",
        certificate_holder=house.title,
        effective_from=EFFECTIVE.isoformat(),
        tables=[_table_terms(table) for table in house.tables],
    )
    proposed = await operator.call(operator.settlement.ProposeSubmission, proposal)
    approval = settlement.ApproveSubmissionRequest(
        request_id=_request_id(house, "submission-approval"),
        property_id=house.property_id,
        submission_id=proposed.submission.submission_id,
    )
    await approver.call(approver.settlement.ApproveSubmission, approval)


async def _file_link(operator: Casino, approver: Casino, house: House) -> None:
    proposal = links.ProposeLinkRequest(
        request_id=_request_id(house, "link"),
        property_id=house.property_id,
        link_id=house.link_id,
        title="Heavenly 9",
        code=PROGRESSIVE,
        paytable=_named(PROGRESSIVE)[0],
        meters=meter_terms(),
        table_ids=house.linked,
        effective_from=EFFECTIVE.isoformat(),
    )
    proposed = await operator.call(operator.progressives.ProposeLink, proposal)
    approval = links.ApproveLinkRequest(
        request_id=_request_id(house, "link-approval"),
        property_id=house.property_id,
        link_id=house.link_id,
        version=proposed.link.version,
    )
    await approver.call(approver.progressives.ApproveLink, approval)


def meter_terms() -> Sequence[progressives.MeterTerms]:
    """The meters of the link, as the wager's section sets them (631c.2): $10,000 seed, 10 % increment."""
    return [
        progressives.MeterTerms(
            level=meter.level,
            seed_cents=meter.seed_cents,
            increment_rate=meter.increment_rate,
            reserve_rate=meter.reserve_rate,
        )
        for meter in wager(PROGRESSIVE).meters
    ]


def _table_terms(table: Table) -> submissions.TableTerms:
    terms = table.terms
    return submissions.TableTerms(
        table_id=table.table_id,
        game=terms.game,
        kind=terms.kind,
        decks=terms.decks,
        seats=terms.seats,
        offers=[_offer(offer) for offer in terms.offers.values()],
    )


def _offer(offer: Offer) -> submissions.Offer:
    return submissions.Offer(
        code=offer.code,
        paytable=offer.paytable,
        minimum_cents=offer.minimum_cents,
        maximum_cents=offer.maximum_cents or 0,
        options=dict(offer.options),
    )


def _request_id(house: House, what: str) -> str:
    return f"{house.property_id.lower()}-{what.lower()}"
