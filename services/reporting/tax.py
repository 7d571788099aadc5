"""The tax on gross table game revenue: per gaming day and class, half up to the cent, summed by the week (ruling V3).

4 Pa.C.S. 13A62 and 13A63; rates with their history are data.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from services.kernel.errors import Unknown
from services.kernel.money import RATE_UNIT, half_up

RATES = Path(__file__).with_name("data") / "tax_rates.json"
STATE, AUTOMATED_SURCHARGE, LOCAL = "state", "automated", "local"
COMPONENTS = (STATE, AUTOMATED_SURCHARGE, LOCAL)
"""The state's tax, what it takes besides on fully automated tables, the local share."""

CARRIED_IN_WEEK, CARRIED_FORWARD, NOT_CARRIED = "carried_in_week", "carried_forward", "not_carried"
MODES = (CARRIED_IN_WEEK, CARRIED_FORWARD, NOT_CARRIED)
"""What a negative day does: it lessens its week's tax; it lessens following days, so many at most; nothing."""

DayClass = tuple[date, str]
"""A gaming day and a class of revenue."""


class Rate(NamedTuple):
    """Hundredths of a percent of a class's revenue, from a gaming day to another, both included.

    `first_years`: only so long after the property's tables opened; None: always.
    """

    component: str
    classes: tuple[str, ...]
    rate: int
    first: date
    last: date | None
    first_years: int | None
    source: str
    certain: bool


@dataclass(frozen=True, slots=True)
class Schedule:
    """The rates of a jurisdiction and what it does with negative days; `days`: how long one is carried forward."""

    jurisdiction: str
    title: str
    mode: str
    days: int
    rates: tuple[Rate, ...]

    def rate(self, component: str, revenue_class: str, day: date, opened: date | None = None) -> int:
        """The rate on a gaming day, all that is in force added; `opened`: when the property's first table did."""
        return sum(
            each.rate
            for each in self.rates
            if each.component == component and revenue_class in each.classes and _in_force(each, day, opened)
        )

    def uncertain(self, first: date, last: date) -> list[Rate]:
        """Rates in force in a period of which the text that makes them was not read."""
        return [
            each
            for each in self.rates
            if not each.certain and each.first_years is None and each.first <= last and (each.last or last) >= first
        ]


class Taxed(NamedTuple):
    """One component's tax on a day and class, in cents. `base`: the part of the revenue that is taxed."""

    gaming_day: date
    revenue_class: str
    component: str
    rate: int
    revenue: int
    base: int
    tax: int


class WeekReturn(NamedTuple):
    """One component's tax on a class in a week, in cents; what negative days leave below zero is `unused`."""

    first: date
    last: date
    revenue_class: str
    component: str
    revenue: int
    tax: int
    unused: int


class JurisdictionUnknown(Unknown):
    """A property's jurisdiction is one whose rates and thresholds the data has."""


def of_jurisdiction(data: Mapping[str, Any], given: str, of: str) -> tuple[str, Any]:
    """The jurisdiction meant, by default that of the data, and its block of it. Raises JurisdictionUnknown."""
    name, known = given or data["default"], data["jurisdictions"]
    if name not in known:
        raise JurisdictionUnknown(f"expected a jurisdiction with {of}: {', '.join(sorted(known))}; given {name}")
    return name, known[name]


@cache
def schedule(jurisdiction: str = "") -> Schedule:
    """The schedule of a jurisdiction, by default that of the data. Raises JurisdictionUnknown."""
    name, found = of_jurisdiction(json.loads(RATES.read_text(encoding="utf-8")), jurisdiction, "tax rates")
    negative = found["negative_days"]
    if negative["mode"] not in MODES:
        raise ValueError(
            f"{RATES.name}: expected a mode of negative days: {', '.join(MODES)}; given {negative['mode']}"
        )
    return Schedule(name, found["title"], negative["mode"], negative["days"], tuple(map(_rate, found["rates"])))


def _rate(row: Mapping[str, Any]) -> Rate:
    return Rate(
        row["component"],
        tuple(row["classes"]),
        row["rate"],
        date.fromisoformat(row["from"]),
        date.fromisoformat(row["to"]) if row["to"] else None,
        row["first_years"],
        row["source"],
        row["certain"],
    )


def _in_force(rate: Rate, day: date, opened: date | None) -> bool:
    if day < rate.first or (rate.last is not None and day > rate.last):
        return False
    return rate.first_years is None or (opened is not None and day < _anniversary(opened, rate.first_years))


def _anniversary(day: date, years: int) -> date:
    """The same day so many years on; of 29 February the day after it in years that have none."""
    year = day.year + years
    leap = (day.month, day.day) == (2, 29) and (year % 4 != 0 or (year % 100 == 0 and year % 400 != 0))
    return date(year, 3, 1) if leap else day.replace(year=year)


def tax_of(cents: int, rate: int) -> int:
    """The tax on an amount at a rate, half up to the cent, in cents; of a negative amount negative."""
    return half_up(cents * rate, RATE_UNIT)


def assess(revenues: Mapping[DayClass, int], rules: Schedule, opened: date | None = None) -> list[Taxed]:
    """The tax on each day and class by component, in the order of days, of classes as given, of components."""
    bases = _bases(revenues, rules)
    found = []
    for (day, revenue_class), revenue in sorted(revenues.items()):
        base = bases[day, revenue_class]
        for component in COMPONENTS:
            rate = rules.rate(component, revenue_class, day, opened)
            if rate:
                found.append(Taxed(day, revenue_class, component, rate, revenue, base, tax_of(base, rate)))
    return found


def _bases(revenues: Mapping[DayClass, int], rules: Schedule) -> dict[DayClass, int]:
    if rules.mode == CARRIED_IN_WEEK:
        return dict(revenues)
    days = rules.days if rules.mode == CARRIED_FORWARD else 0
    found: dict[DayClass, int] = {}
    for revenue_class in {each for _, each in revenues}:
        own = sorted((day, amount) for (day, each), amount in revenues.items() if each == revenue_class)
        found |= {(day, revenue_class): base for day, base in _carried(own, days)}
    return found


def _carried(own: Iterable[tuple[date, int]], days: int) -> list[tuple[date, int]]:
    """What each day is taxed on: less the losses of at most so many days before, the oldest first."""
    losses: list[tuple[date, int]] = []
    found = []
    for day, amount in own:
        losses = [(at, loss) for at, loss in losses if loss and day - at <= timedelta(days=days)]
        left = max(amount, 0)
        for place, (at, loss) in enumerate(losses):
            used = min(left, loss)
            left, losses[place] = left - used, (at, loss - used)
        if amount < 0:
            losses.append((day, -amount))
        found.append((day, left))
    return found


class Estimate(NamedTuple):
    """The tax of a day and class that would bring so much more than it did, in cents; `revenue` None: not known."""

    gaming_day: date
    revenue_class: str
    difference: int
    revenue: int | None
    tax: int | None
    change: int


def estimate(
    revenues: Mapping[DayClass, int | None],
    differences: Mapping[DayClass, int],
    rules: Schedule,
    opened: date | None = None,
) -> list[Estimate]:
    """What differences would change of the tax, by day and class; other days too, where a loss is carried to them.

    Where the revenue is not known, the tax is that of the difference alone.
    """
    known = {key: amount or 0 for key, amount in revenues.items()}
    would = {key: known.get(key, 0) + differences.get(key, 0) for key in {*known, *differences}}
    before, after = (_by_day_class(assess(amounts, rules, opened)) for amounts in (known, would))
    found = []
    for key in sorted(would):
        tax, change = before.get(key, 0), after.get(key, 0) - before.get(key, 0)
        revenue = revenues.get(key)
        if change or key in differences:
            recorded = None if revenue is None else tax
            found.append(Estimate(*key, differences.get(key, 0), revenue, recorded, change))
    return found


def _by_day_class(taxed: Iterable[Taxed]) -> dict[DayClass, int]:
    sums: dict[DayClass, int] = {}
    for each in taxed:
        key = each.gaming_day, each.revenue_class
        sums[key] = sums.get(key, 0) + each.tax
    return sums


def week_of(day: date) -> tuple[date, date]:
    """The week of a weekly return (13A62(b)): Monday to Sunday."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6)


def week_returns(taxed: Sequence[Taxed]) -> list[WeekReturn]:
    """The weekly returns: each class's days summed by component; a week is never below zero.

    What is unused does not go into the next week.
    """
    sums: dict[tuple[date, date, str, str], list[int]] = {}
    for each in taxed:
        line = sums.setdefault((*week_of(each.gaming_day), each.revenue_class, each.component), [0, 0])
        line[0] += each.revenue
        line[1] += each.tax
    return [WeekReturn(*key, revenue, max(tax, 0), max(-tax, 0)) for key, (revenue, tax) in sorted(sums.items())]
