"""The month as its floor saw it: every day's events, the papers of its tables, and what its own people added up."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from casino.floor.v1 import events_pb2 as floor
from clients.floor.day import Day
from clients.floor.dealer import TableDay
from clients.floor.house import House, Table
from clients.floor.tray import OPENER
from tests.floor.auditor import FULL_HOUSE
from tests.month.dealers import DEALERS, Overpaying, PricedCroupier
from tests.month.drawer import Drawer, Serials
from tests.month.house import AUTOMATED, FIRST_DAY, HYBRID, SEATS, TERMINALS_ALONE

DAYS, ROUNDS = 30, 60
SEED = 20260302
TERMINALS_AT_HYBRIDS = 3
"""At hybrid tables with chips too, the seats from this one on are terminals."""
ESTIMATING_PIT = "P1"
BY_SHIFT = ("P1", "P2", "P3", "P4", "P5")
"""Pits whose boxes are changed at each shift; elsewhere there is one for the day."""


@dataclass
class Month:
    """Deals one gaming day after the other; chips stay at their table overnight, and wheels remember their last spin.

    `habits`: dealers with a habit, by day and table.
    """

    house: House
    rounds: int = ROUNDS
    seed: int = SEED
    habits: Mapping[tuple[date, str], Overpaying] = field(default_factory=dict)
    serials: Serials = field(default_factory=Serials)
    chips: dict[str, int] = field(default_factory=dict)
    spins: dict[str, floor.RouletteResult | None] = field(default_factory=dict)

    def deal(self, day: date) -> Day:
        """The next day; its papers have no serial numbers yet."""
        played = [self._table(place, table, day) for place, table in enumerate(self.house.tables)]
        return Day(self.house, day, tuple(played))

    def _table(self, place: int, table: Table, day: date) -> TableDay:
        seed = self.seed * 1_000 + day.toordinal() % 1_000
        dealer = DEALERS[table.terms.game](self.house, table, day, seed, staged=bool(place % 2))
        drawer = Drawer(
            self.house.property_id,
            table.table_id,
            day,
            self.house.calendar,
            self.chips.get(table.table_id, OPENER),
            random=Random(f"{seed}/{table.table_id}"),
            terminals=terminals_of(table),
            shifts=table.pit in BY_SHIFT,
            vigorish=any(offer.paytable == "5%" for offer in table.terms.offers.values()),
            estimates=table.pit == ESTIMATING_PIT,
        )
        dealer.done.tray = dealer.drawer = drawer
        dealer.king_9s = FULL_HOUSE.king_9s[:SEATS]
        dealer.habit = self.habits.get((day, table.table_id))
        if isinstance(dealer, PricedCroupier):
            dealer.spun(self.spins.get(table.table_id))
        played = dealer.play(self.rounds)
        if isinstance(dealer, PricedCroupier):
            self.spins[table.table_id] = dealer.last
        self.chips[table.table_id] = drawer.cents
        return played


def drawer_of(played: TableDay) -> Drawer:
    """The table's drawer of that day."""
    assert isinstance(played.tray, Drawer)
    return played.tray


def terminals_of(table: Table) -> int:
    """The first seat that is a terminal; beyond all seats where none is."""
    if table.terms.kind == AUTOMATED or (table.terms.kind, table.terms.game) == (HYBRID, TERMINALS_ALONE):
        return 1
    return TERMINALS_AT_HYBRIDS if table.terms.kind == HYBRID else 1_000


def days(count: int = DAYS) -> Iterator[date]:
    """The gaming days of the month."""
    return (FIRST_DAY + timedelta(days=number) for number in range(count))
