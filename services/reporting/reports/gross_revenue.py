"""Gross table game revenue and its tax: by day and class, by week, as first filed and as it is now (13A62, 13A63)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from services.kernel.money import decimal_text, dollars
from services.reporting.classes import CLASSES
from services.reporting.periods import TableFacts
from services.reporting.reports.amounts import MISSING_NOTE, totals
from services.reporting.table import CENTS, PERCENT, TEXT, Column, Row, Table
from services.reporting.tax import (
    CARRIED_FORWARD,
    CARRIED_IN_WEEK,
    COMPONENTS,
    DayClass,
    Schedule,
    Taxed,
    WeekReturn,
    assess,
    week_of,
    week_returns,
)
from services.reporting.win import whole

TITLE = "Gross table game revenue and tax"
SIGNATURES = ("Preparer", "Controller")
TAXES = (
    Column("state_tax", "State tax", CENTS),
    Column("automated_tax", "Surcharge, automated", CENTS),
    Column("local_tax", "Local share", CENTS),
    Column("tax", "Tax", CENTS),
)
DAY_COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("class", "Class", TEXT),
    Column("win_before_progressive", "Win before progressive", CENTS),
    Column("progressive_paid", "Progressive paid", CENTS),
    Column("revenue", "Revenue", CENTS),
    Column("taxed", "Taxed", CENTS),
    *TAXES,
    Column("handling", "Negative day", TEXT),
)
CLASS_COLUMNS = (
    Column("class", "Class", TEXT),
    Column("revenue", "Revenue", CENTS),
    *TAXES,
)
WEEK_COLUMNS = (
    Column("first", "From", TEXT),
    Column("last", "To", TEXT),
    Column("class", "Class", TEXT),
    Column("component", "Component", TEXT),
    Column("revenue", "Revenue", CENTS),
    Column("tax", "Tax due", CENTS),
    Column("unused", "Unused of negative days", CENTS),
)
RATE_COLUMNS = (
    Column("class", "Class", TEXT),
    Column("component", "Component", TEXT),
    Column("first", "From", TEXT),
    Column("rate", "Rate %", PERCENT),
)
ADJUSTED_COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("class", "Class", TEXT),
    Column("filed_revenue", "Revenue as filed", CENTS),
    Column("revenue", "Revenue as adjusted", CENTS),
    Column("change", "Change", CENTS),
    Column("filed_tax", "Tax as filed", CENTS),
    Column("tax", "Tax as adjusted", CENTS),
    Column("tax_change", "Change of tax", CENTS),
    Column("flag", "Flag", TEXT),
)
FLAGGED_CENTS = 200_000
"""An adjustment beyond this is flagged (N.J.A.C. 13:69D-1.34)."""
NOTES = (
    "Revenue = win before progressive - what was paid by progressive jackpot slip; no nonbanking tables.",
    "Tax is per gaming day and class, each component half up to the cent (13A62, 13A63).",
    MISSING_NOTE,
)
HANDLINGS = {
    CARRIED_IN_WEEK: "carried inside its week",
    CARRIED_FORWARD: "carried to the days after",
}

Filed = Mapping[DayClass, tuple[int | None, int | None]]
"""Revenue and tax as first filed, in cents, by gaming day and class."""


@dataclass(frozen=True)
class Revenue:
    """What a class brought on a day, in cents; None: a document is missing."""

    before: int | None
    paid: int

    @property
    def after(self) -> int | None:
        """What is taxed."""
        return None if self.before is None else self.before - self.paid


def revenues(facts: TableFacts) -> dict[DayClass, Revenue]:
    """Win and what was paid by slip by day and class, of every day that the facts have."""
    parts: dict[DayClass, tuple[list[int | None], int]] = {}
    for each in facts.days:
        for line in each.lines:
            wins, paid = parts.get((each.gaming_day, line.revenue_class), ([], 0))
            parts[each.gaming_day, line.revenue_class] = [*wins, line.before], paid + line.paid
    return {key: Revenue(whole(wins), paid) for key, (wins, paid) in sorted(parts.items(), key=_order)}


def _order(item: tuple[DayClass, object]) -> tuple[date, int]:
    (day, revenue_class), _ = item
    return day, CLASSES.index(revenue_class)


def gross_revenue(facts: TableFacts, rules: Schedule, filed: Filed, opened: date | None = None) -> tuple[Table, ...]:
    """Days, classes and weeks; of a period also what was filed. Facts reach back to the first day's Monday at least.

    `opened`: when the property's first table did, where a rate depends on that.
    """
    found = revenues(facts)
    taxed = assess({key: each.after for key, each in found.items() if each.after is not None}, rules, opened)
    own = {key: each for key, each in found.items() if facts.asked.first <= key[0] <= facts.asked.last}
    tables = [_days(own, taxed, rules, facts), _classes(own, taxed), _weeks(facts, found, taxed)]
    tables.append(_rates(taxed, facts.asked.first))
    # A single day is what is filed, so nothing in it may come of its having been filed.
    if facts.asked.first != facts.asked.last:
        tables.append(_adjusted(own, taxed, filed))
    return tuple(tables)


def _taxes(taxed: list[Taxed], key: DayClass) -> Row:
    """State, surcharge, local and all of them; missing where the revenue is."""
    own = {each.component: each.tax for each in taxed if (each.gaming_day, each.revenue_class) == key}
    if not own:
        return None, None, None, None
    return (*(own.get(component, 0) for component in COMPONENTS), sum(own.values()))


def _by_key(taxed: list[Taxed]) -> dict[DayClass, list[Taxed]]:
    found: dict[DayClass, list[Taxed]] = {}
    for each in taxed:
        found.setdefault((each.gaming_day, each.revenue_class), []).append(each)
    return found


def _days(own: Mapping[DayClass, Revenue], taxed: list[Taxed], rules: Schedule, facts: TableFacts) -> Table:
    by_key = _by_key(taxed)
    rows = []
    for key, each in own.items():
        lines = by_key.get(key, [])
        negative = each.after is not None and each.after < 0
        handling = HANDLINGS.get(rules.mode, "not carried") if negative else ""
        base = lines[0].base if lines else None
        rows.append(
            (key[0].isoformat(), key[1], each.before, each.paid, each.after, base, *_taxes(lines, key), handling)
        )
    notes = [*NOTES, f"Rates and negative days: {rules.title}."]
    notes += [f"Not certain: {each.source}." for each in rules.uncertain(facts.asked.first, facts.asked.last)]
    return Table("days", "Days", DAY_COLUMNS, tuple(rows), totals(rows, range(2, 10), len(DAY_COLUMNS)), tuple(notes))


def _classes(own: Mapping[DayClass, Revenue], taxed: list[Taxed]) -> Table:
    by_key = _by_key(taxed)
    rows = []
    for revenue_class in CLASSES:
        keys = [key for key in own if key[1] == revenue_class]
        if keys:
            lines = [_taxes(by_key.get(key, []), key) for key in keys]
            sums = [
                whole([cell if isinstance(cell, int) else None for cell in column])
                for column in zip(*lines, strict=True)
            ]
            rows.append((revenue_class, whole([own[key].after for key in keys]), *sums))
    notes = ("The sums of the days' taxes, negative ones among them; what is due is by week.",)
    width = len(CLASS_COLUMNS)
    return Table("classes", "Classes", CLASS_COLUMNS, tuple(rows), totals(rows, range(1, width), width), notes)


def _weeks(facts: TableFacts, found: Mapping[DayClass, Revenue], taxed: list[Taxed]) -> Table:
    """Weekly returns from Monday, of every week that the period touches, up to the period's end."""
    monday = week_of(facts.asked.first)[0]
    returns = week_returns([each for each in taxed if each.gaming_day >= monday])
    rows = tuple(_week_row(each, facts.asked.last) for each in sorted(returns, key=_week_order))
    missing = sorted({day for (day, _), each in found.items() if each.after is None and day >= monday})
    notes = [
        "Weekly return (13A62(b)): the days' taxes summed; a week is never below zero, what is unused is shown.",
        *(f"{day} has no revenue yet: a document is missing." for day in missing),
    ]
    return Table("weeks", "Weeks", WEEK_COLUMNS, rows, totals(rows, (5, 6), len(WEEK_COLUMNS)), tuple(notes))


def _week_order(each: WeekReturn) -> tuple[date, int, int]:
    return each.first, CLASSES.index(each.revenue_class), COMPONENTS.index(each.component)


def _week_row(each: WeekReturn, last: date) -> Row:
    end = min(each.last, last).isoformat()
    return each.first.isoformat(), end, each.revenue_class, each.component, each.revenue, each.tax, each.unused


def _rates(taxed: list[Taxed], first: date) -> Table:
    """Every rate of the period, from the first day on which it was applied."""
    since: dict[tuple[str, str, int], date] = {}
    for each in taxed:
        if each.gaming_day >= first:
            since.setdefault((each.revenue_class, each.component, each.rate), each.gaming_day)
    rows = tuple(
        (revenue_class, component, day.isoformat(), decimal_text(Fraction(rate, 100), 2))
        for (revenue_class, component, rate), day in sorted(since.items(), key=lambda item: (item[1], item[0]))
    )
    return Table("rates", "Rates", RATE_COLUMNS, rows)


def _adjusted(own: Mapping[DayClass, Revenue], taxed: list[Taxed], filed: Filed) -> Table:
    by_key, rows = _by_key(taxed), []
    for key in sorted({*filed, *own}, key=lambda key: _order((key, None))):
        before, tax_before = filed.get(key, (None, None))
        known = own.get(key)
        after = known.after if known else 0
        tax = _taxes(by_key.get(key, []), key)[3] if known else 0
        change = None if before is None or after is None else after - before
        tax_change = tax - tax_before if isinstance(tax, int) and tax_before is not None else None
        flag = f"over {dollars(FLAGGED_CENTS)}" if abs(change or 0) > FLAGGED_CENTS else ""
        rows.append((key[0].isoformat(), key[1], before, after, change, tax_before, tax, tax_change, flag))
    notes = ("As filed: the first version; a day that is not filed has none. As adjusted: the figures of now.",)
    return Table("adjustments", "As filed and as adjusted", ADJUSTED_COLUMNS, tuple(rows), None, notes if rows else ())
