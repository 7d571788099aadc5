"""A property as its owner describes it: tables with what they offer, progressive links over some."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time
from types import MappingProxyType

from services.games.catalogue import wager
from services.games.terms import MYSTERY, Offer, Terms
from services.games.wagers import Meter, Mystery
from services.kernel.clock import Calendar

PROGRESSIVE = "baccarat.heavenly_9_progressive"
TREASURES = ("fortune_7", "golden_8", "heavenly_9", "blazing_7s", "cover_all")
ZONE, CUT_OVER, SHIFTS = "America/New_York", "06:00", ("06:00", "14:00", "22:00")
EFFECTIVE = date(2026, 1, 1)
BASE_LIMITS = 500, 1_000_000
SIDE_LIMITS = 100, 100_000
PROGRESSIVE_LIMITS = 500, 10_000
SEATS = 14
USUAL_DECKS = 8
TABLES_IN_A_PIT = 4


@dataclass(frozen=True)
class Table:
    """One table: where it stands and what it offers."""

    table_id: str
    pit: str
    terms: Terms


@dataclass(frozen=True)
class Link:
    """The tables that share the meters of one progressive wager on one paytable, all with as many decks.

    `mystery` is the configuration of the meter that a hidden trigger awards beside them, where there is one.
    """

    link_id: str
    title: str
    code: str
    paytable: str
    meters: tuple[Meter, ...]
    table_ids: tuple[str, ...]
    mystery: Mystery | None = None

    @property
    def levels(self) -> tuple[Meter, ...]:
        """The meters, that of the mystery last."""
        if self.mystery is None:
            return self.meters
        hidden = self.mystery
        return (*self.meters, Meter(MYSTERY, hidden.minimum_cents, False, hidden.increment_rate))


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
    """A property of so many Baccarat tables BAC-01 onward, in pits of four; those with the progressive and as many
    decks share a link.

    Offers differ by table so that the filed paytables of these wagers are dealt somewhere; BAC-01 has the usual ones:
    eight decks, 5 % commission, 8 to 1 on a tie.
    """
    made = tuple(_table(number) for number in range(1, tables + 1))
    return House(property_id, title, *people(property_id), made, tuple(_links(property_id, made)))


def _links(property_id: str, tables: tuple[Table, ...]) -> Iterator[Link]:
    """One for the tables with eight decks and one for those with six: the odds of a link are the same everywhere."""
    meters = wager(PROGRESSIVE).meters
    for decks, table_ids in by_decks(tables, PROGRESSIVE, "standard").items():
        name, title = f"{property_id}-HEAVENLY-9", "Heavenly 9"
        if decks != USUAL_DECKS:
            name, title = f"{name}-{decks}D", f"{title}, {decks} decks"
        yield Link(name, title, PROGRESSIVE, "standard", meters, table_ids)


def by_decks(tables: Iterable[Table], code: str, paytable: str) -> dict[int, tuple[str, ...]]:
    """By their number of decks the tables that offer a wager on a paytable."""
    found: dict[int, tuple[str, ...]] = {}
    for table in tables:
        offer = table.terms.offers.get(code)
        if offer is not None and offer.paytable == paytable:
            found[table.terms.decks] = (*found.get(table.terms.decks, ()), table.table_id)
    return found


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
    decks = 6 if place in (3, 6) else USUAL_DECKS
    terms = Terms("", "baccarat", "live", decks, SEATS, by_code(offers))
    return Table(f"BAC-{number:02d}", pit_of(number), terms)


def by_code(offers: Iterable[Offer]) -> Mapping[str, Offer]:
    """The offers of a table by wager code."""
    return MappingProxyType({offer.code: offer for offer in offers})


def pit_of(number: int) -> str:
    """The pit in which the table of that number stands."""
    return f"P{(number - 1) // TABLES_IN_A_PIT + 1}"
