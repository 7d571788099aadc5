"""A property as its owner describes it: tables with what they offer, progressive links over some."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, time
from types import MappingProxyType

from services.games.catalogue import wager
from services.games.terms import Offer, Terms
from services.games.wagers import Meter
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


@dataclass(frozen=True)
class Table:
    """One table: where it stands and what it offers."""

    table_id: str
    pit: str
    terms: Terms


@dataclass(frozen=True)
class Link:
    """The tables that share the meters of one progressive wager on one paytable."""

    link_id: str
    title: str
    code: str
    paytable: str
    meters: tuple[Meter, ...]
    table_ids: tuple[str, ...]


@dataclass(frozen=True)
class House:
    """A property with its tables and links.

    At a `thorough` house the patrons try the wagers of their table in turn, so that every one of them is placed;
    elsewhere they follow their habits.
    """

    property_id: str
    title: str
    operator: str
    approver: str
    tables: tuple[Table, ...]
    links: tuple[Link, ...]
    thorough: bool = False

    @property
    def calendar(self) -> Calendar:
        """The property's gaming days and shifts."""
        return Calendar(ZONE, time.fromisoformat(CUT_OVER), tuple(map(time.fromisoformat, SHIFTS)))


def people(property_id: str) -> tuple[str, str]:
    """Who proposes and who approves at a property."""
    name = property_id.lower()
    return f"{name}-operator", f"{name}-approver"


def house(property_id: str, title: str, tables: int) -> House:
    """A property of so many Baccarat tables BAC-01 onward, in pits of four; those with the progressive share a link.

    Offers differ by table so that the filed paytables of these wagers are dealt somewhere; BAC-01 has the usual ones:
    eight decks, 5 % commission, 8 to 1 on a tie.
    """
    made = tuple(_table(number) for number in range(1, tables + 1))
    linked = tuple(table.table_id for table in made if PROGRESSIVE in table.terms.offers)
    meters = wager(PROGRESSIVE).meters
    link = Link(f"{property_id}-HEAVENLY-9", "Heavenly 9", PROGRESSIVE, "standard", meters, linked)
    return House(property_id, title, *people(property_id), made, (link,) if linked else ())


def _table(number: int) -> Table:
    """In each run of eight: the third and sixth have six decks, the last two no link, the seventh 4 %."""
    place = (number - 1) % 8 + 1
    treasures = "A" if place % 2 else "B"
    offers = [
        Offer("baccarat.player", "standard", *BASE_LIMITS),
        Offer("baccarat.banker", "4%" if place == 7 else "5%", *BASE_LIMITS),
        Offer("baccarat.tie", "9" if place == 8 else "8", *BASE_LIMITS),
        Offer("baccarat.perfect_pairs", "ABC"[(place - 1) % 3], *SIDE_LIMITS),
        *(Offer(f"baccarat.{wager}", treasures, *SIDE_LIMITS) for wager in TREASURES),
    ]
    if place <= 6:
        offers.append(Offer(PROGRESSIVE, "standard", *PROGRESSIVE_LIMITS))
    decks = 6 if place in (3, 6) else 8
    terms = Terms("", "baccarat", "live", decks, SEATS, by_code(offers))
    return Table(f"BAC-{number:02d}", pit_of(number), terms)


def by_code(offers: Iterable[Offer]) -> Mapping[str, Offer]:
    """The offers of a table by wager code."""
    return MappingProxyType({offer.code: offer for offer in offers})


def pit_of(number: int) -> str:
    """The pit in which the table of that number stands."""
    return f"P{(number - 1) // TABLES_IN_A_PIT + 1}"
