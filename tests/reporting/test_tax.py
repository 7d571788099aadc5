"""Tax by day and class: worked examples to the cent, published figures line by line, negative days."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.wagers import AUTOMATED
from services.kernel.money import cents, half_up
from services.reporting.classes import BANKING, CLASSES
from services.reporting.reports.monthly_sheet import whole_dollars
from services.reporting.tax import (
    AUTOMATED_SURCHARGE,
    CARRIED_FORWARD,
    LOCAL,
    NOT_CARRIED,
    STATE,
    DayClass,
    assess,
    estimate,
    schedule,
    tax_of,
    week_of,
    week_returns,
)

MONDAY = date(2026, 3, 2)
JULY = date(2010, 7, 31)
PUBLISHED = (
    ("Rivers", 85, 3_052_531, 427_354, 61_051),
    ("Parx", 57, 2_328_599, 326_004, 46_572),
    ("Mount Airy", 72, 2_028_827, 284_036, 40_577),
    ("Harrah's Chester", 99, 1_972_181, 276_105, 39_444),
    ("The Meadows", 62, 1_911_064, 267_549, 38_221),
    ("Hollywood PNRC", 50, 1_830_558, 256_278, 36_611),
    ("Sands Bethlehem", 89, 1_655_357, 231_750, 33_107),
    ("Presque Isle", 48, 1_499_569, 209_940, 29_991),
    ("Mohegan Sun", 62, 1_260_653, 176_491, 25_213),
)
WEEK = st.dictionaries(
    st.tuples(st.integers(0, 13).map(lambda n: MONDAY + timedelta(days=n)), st.sampled_from(CLASSES)),
    st.integers(-(10**9), 10**9),
)


def taxes(day: date, revenue_class: str, amount: int, opened: date | None = None) -> dict[str, int]:
    """The tax on one day and class by component."""
    return {each.component: each.tax for each in assess({(day, revenue_class): amount}, schedule(), opened)}


def test_a_banking_table_is_taxed_twelve_and_two_percent() -> None:
    """BJ-104 after a progressive payout: 14,415.44 gives 1,729.85 to the state and 288.31 locally."""
    assert taxes(MONDAY, BANKING, cents("14,415.44")) == {STATE: cents("1,729.85"), LOCAL: cents("288.31")}


def test_a_fully_automated_table_is_taxed_thirty_four_percent_more() -> None:
    """The same amount gives the state 6,631.10 in two components, and the same local share."""
    found = taxes(MONDAY, AUTOMATED, cents("14,415.44"))
    assert found[STATE] + found[AUTOMATED_SURCHARGE] == cents("6,631.10")
    assert found[LOCAL] == cents("288.31")


@pytest.mark.parametrize(("casino", "tables", "gross", "state", "local"), PUBLISHED)
def test_the_first_published_month_is_reproduced_by_line(
    casino: str, tables: int, gross: int, state: int, local: int
) -> None:
    """July 2010: 14 % of a property in its first two years, 2 % locally, each line in whole dollars half up."""
    found = taxes(JULY, BANKING, gross * 100, opened=date(2010, 7, 8))
    assert (whole_dollars(found[STATE]), whole_dollars(found[LOCAL])) == (state, local)


def test_lines_need_not_foot_to_the_printed_total() -> None:
    """The total is rounded by itself: the lines' state taxes sum to a dollar less than the total printed."""
    assert sum(line[2] for line in PUBLISHED) == 17_539_339
    assert half_up(17_539_339 * 14, 100) == 2_455_507
    assert sum(line[3] for line in PUBLISHED) == 2_455_508 - 1
    assert sum(line[4] for line in PUBLISHED) == half_up(17_539_339 * 2, 100) == 350_787
    assert sum(line[1] for line in PUBLISHED) == 624


@pytest.mark.parametrize(
    ("day", "opened", "rate"),
    [
        (date(2010, 6, 30), None, 0),
        (date(2010, 7, 1), None, 1200),
        (date(2012, 7, 7), date(2010, 7, 8), 1400),
        (date(2012, 7, 8), date(2010, 7, 8), 1200),
        (date(2016, 7, 31), None, 1200),
        (date(2016, 8, 1), None, 1400),
        (date(2019, 5, 31), None, 1400),
        (date(2019, 7, 1), None, 1200),
        (date(2026, 3, 2), date(2025, 1, 1), 1200),
    ],
)
def test_the_state_rate_is_that_of_the_day(day: date, opened: date | None, rate: int) -> None:
    """Rates hold from a gaming day to another; a property's first two years end on their anniversary."""
    assert schedule().rate(STATE, BANKING, day, opened) == rate


def test_what_no_text_says_is_marked_as_uncertain() -> None:
    """The end of the temporary rate is from no text that was read; today's rates are."""
    assert len(schedule().uncertain(date(2019, 1, 1), date(2019, 1, 31))) == 1
    assert schedule().uncertain(date(2026, 1, 1), date(2026, 12, 31)) == []


def test_a_negative_day_lessens_its_week_alone() -> None:
    """The day's tax is negative and shown; the week's sum is net, and what would lie below zero is not carried on."""
    revenues: dict[DayClass, int] = {
        (MONDAY, BANKING): 100_000,
        (MONDAY + timedelta(days=6), BANKING): -150_000,
        (MONDAY + timedelta(days=7), BANKING): 100_000,
    }
    taxed = [each for each in assess(revenues, schedule()) if each.component == STATE]
    assert [each.tax for each in taxed] == [12_000, -18_000, 12_000]
    first, second = week_returns(taxed)
    assert (first.revenue, first.tax, first.unused) == (-50_000, 0, 6_000)
    assert (second.tax, second.unused) == (12_000, 0)


def test_a_negative_day_may_be_carried_forward_so_many_days() -> None:
    """As Maryland has it: for at most seven following days, the oldest loss first, and then it is lost."""
    rules = replace(schedule(), mode=CARRIED_FORWARD, days=7)
    days = {0: -100_000, 1: 30_000, 7: 50_000, 8: 90_000}
    revenues = {(MONDAY + timedelta(days=n), BANKING): amount for n, amount in days.items()}
    assert [each.base for each in assess(revenues, rules) if each.component == STATE] == [0, 0, 0, 90_000]


def test_a_negative_day_may_count_for_nothing() -> None:
    """Without carrying the day is not taxed and lessens nothing."""
    rules = replace(schedule(), mode=NOT_CARRIED)
    revenues = {(MONDAY, BANKING): -100_000, (MONDAY + timedelta(days=1), BANKING): 100_000}
    assert [each.tax for each in assess(revenues, rules) if each.component == STATE] == [0, 12_000]


def test_a_difference_in_revenue_has_the_difference_of_its_tax() -> None:
    """On what is recorded, so that no cent of rounding is lost: 1,729.85 + 288.31 become 1,728.00 + 288.00."""
    key = MONDAY, BANKING
    (found,) = estimate({key: cents("14,415.44")}, {key: -cents("15.44")}, schedule())
    assert (found.revenue, found.difference, found.tax) == (cents("14,415.44"), -cents("15.44"), cents("2,018.16"))
    assert found.change == cents("2,016.00") - cents("2,018.16")
    assert estimate({key: 1}, {key: 0}, schedule())[0].change == 0


def test_a_difference_on_a_day_without_revenue_is_taxed_alone() -> None:
    """Where a document is missing the tax of the difference is told, and no tax as recorded."""
    key = MONDAY, AUTOMATED
    for known in ({key: None}, {}):
        (found,) = estimate(known, {key: 10_000}, schedule())
        assert (found.revenue, found.tax, found.change) == (None, None, 4_800)


def test_a_loss_that_is_carried_on_changes_the_tax_of_days_after() -> None:
    """A day that the difference makes negative lessens the next day's tax where losses are carried forward."""
    rules = replace(schedule(), mode=CARRIED_FORWARD, days=7)
    first, second = (MONDAY, BANKING), (MONDAY + timedelta(days=1), BANKING)
    found = estimate({first: 10_000, second: 50_000}, {first: -20_000}, rules)
    assert [(each.gaming_day, each.difference, each.change) for each in found] == [
        (first[0], -20_000, -1_400),
        (second[0], 0, -1_400),
    ]


def test_a_week_runs_from_monday_to_sunday() -> None:
    """Weeks of a return, over the end of a year too."""
    assert week_of(date(2025, 12, 31)) == (date(2025, 12, 29), date(2026, 1, 4))
    assert week_of(MONDAY)[0] == MONDAY


@given(st.integers(0, 10**12), st.integers(0, 10_000))
def test_tax_is_the_nearest_cent(amount: int, rate: int) -> None:
    """Rounding moves a tax by half a cent at most, upwards where it is exactly half."""
    left = tax_of(amount, rate) * 10_000 - amount * rate
    assert -5_000 < left <= 5_000


@given(WEEK)
def test_no_week_is_ever_below_zero(revenues: dict[DayClass, int]) -> None:
    """Due and unused are never both there, their difference is the sum of the days."""
    taxed = assess(revenues, schedule())
    for each in week_returns(taxed):
        own = [
            one.tax
            for one in taxed
            if (one.revenue_class, one.component) == (each.revenue_class, each.component)
            and each.first <= one.gaming_day <= each.last
        ]
        assert each.tax - each.unused == sum(own)
        assert min(each.tax, each.unused) == 0


@given(WEEK)
def test_carrying_forward_never_taxes_less_than_the_net(revenues: dict[DayClass, int]) -> None:
    """What is taxed is never negative, and no more than is won on days that are not negative."""
    bases = assess(revenues, replace(schedule(), mode=CARRIED_FORWARD, days=7))
    assert all(0 <= each.base <= max(each.revenue, 0) for each in bases)
