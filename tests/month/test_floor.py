"""The floor of the month without any service: what chips, boxes and meters come to."""

from datetime import date

import pytest

from clients.floor.day import Day
from tests.month.books import physical_win, revenue_of
from tests.month.dealers import Overpaying
from tests.month.drawer import Drawer, Serials, kind_of
from tests.month.house import FIRST_DAY, forty_tables
from tests.month.month import Month, days, drawer_of

ROUNDS = 20
OVERPAYING = "BAC-02"


@pytest.fixture(scope="module")
def dealt() -> list[Day]:
    """Two days; on the second a dealer overpays."""
    (_, second) = gaming_days = list(days(2))
    month = Month(forty_tables(), rounds=ROUNDS, habits={(second, OVERPAYING): Overpaying(shift=2, every=5)})
    return [month.deal(day) for day in gaming_days]


def drawers(day: Day) -> dict[str, Drawer]:
    """The drawers of a day by table."""
    return {played.table.table_id: drawer_of(played) for played in day.tables}


def test_physical_win_is_game_win_unless_a_dealer_gives_chips_away(dealt: list[Day]) -> None:
    """At every table-day the two wins are equal; where a side wager is overpaid they differ by that."""
    for day in dealt:
        for played in day.tables:
            drawer = drawer_of(played)
            assert physical_win(drawer) - (played.handle - played.payout) == -drawer.overpaid
    assert [name for day in dealt for name, drawer in drawers(day).items() if drawer.overpaid] == [OVERPAYING]


def test_chips_stay_overnight(dealt: list[Day]) -> None:
    """What a table closes with it opens with."""
    first, second = map(drawers, dealt)
    for name, drawer in first.items():
        if drawer.felt:
            assert drawer.amount("closer") == second[name].amount("opener")


def test_every_class_of_revenue_is_played(dealt: list[Day]) -> None:
    """Live tables, hybrid ones on the felt and at terminals, fully automated ones."""
    assert set(revenue_of(dealt[0])) == {"banking", "hybrid_felt", "hybrid_terminals", "fully_automated"}


def test_the_same_seed_deals_the_same_day(dealt: list[Day]) -> None:
    """Events and papers of a day follow from the seed."""
    again = Month(forty_tables(), rounds=ROUNDS).deal(FIRST_DAY)
    assert list(again.events()) == list(dealt[0].events())
    assert again.documents() == dealt[0].documents()


def test_serial_numbers_are_dense_in_each_series(dealt: list[Day]) -> None:
    """Every paper gets the next number of its kind; one that has a number keeps it."""
    serials, documents = Serials(), [each for day in dealt for each in day.documents()]
    serials.number(documents)
    serials.number(documents)
    for kind in {kind_of(each) for each in documents}:
        numbers = [int(each.document_id.rpartition("-")[2]) for each in documents if kind_of(each) == kind]
        assert numbers == list(range(1, len(numbers) + 1))


def test_the_month_has_a_day_of_23_hours() -> None:
    """Clocks change in the night that ends the sixth gaming day."""
    calendar = forty_tables().calendar
    hours = {day: (calendar.end_of(day) - calendar.start_of(day)).total_seconds() / 3600 for day in days()}
    assert {day: found for day, found in hours.items() if found != 24} == {date(2026, 3, 7): 23}
