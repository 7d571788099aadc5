"""Builders of table-days: `live("BJ-104", win="15,650")` is a day whose papers give that win."""

from datetime import UTC, date, datetime
from typing import Any

from services.kernel.money import cents
from services.reporting.classes import Papers
from services.reporting.document import TableSetting
from services.reporting.periods import Asked, TableDay, TableFacts, table_day
from services.reporting.reports.store import Play
from services.reporting.sums import TableTerms
from services.reporting.table import Cell, Row, Table
from services.reporting.win import Inventory
from tests.reporting.builders import DAY

NOTHING = Inventory(None, 0, 0, None, None)


def asked(first: date = DAY, last: date = DAY) -> Asked:
    """A period of the sample property."""
    return Asked("SAMPLE", "Sample", first, last, datetime(2026, 3, 3, tzinfo=UTC))


def day_of(table: str, papers: Papers, kind: str = "live", day: date = DAY, **given: Any) -> TableDay:
    """A table's day of these papers; `play` and `paid` as given."""
    setting = TableSetting(table, day, given.get("pit", "P1"), given.get("game", "blackjack"))
    terms = TableTerms(1, table, "RS-1", day, kind, [])
    key = (day, given.get("shift", 0), table)
    return table_day(key, setting, terms, papers, given.get("play", Play()), given.get("paid", 0))


def live(table: str, win: str, drop: str = "10,000", day: date = DAY, **given: Any) -> TableDay:
    """A live table: opened with 50,000, closed with what its win leaves."""
    counted = cents(drop)
    opener = cents("50,000")
    inventory = Inventory(opener, 0, 0, counted, opener - counted + cents(win), 0, 0)
    return day_of(table, Papers(inventory, currency=counted), day=day, **given)


def automated(table: str, wagers: str, payouts: str, day: date = DAY, **given: Any) -> TableDay:
    """A fully automated table by its meters."""
    papers = Papers(NOTHING, metered_wagers=cents(wagers), metered_payouts=cents(payouts))
    return day_of(table, papers, "fully_automated", day, **{"game": "roulette", **given})


def facts(*days: TableDay, first: date = DAY, last: date = DAY, **given: Any) -> TableFacts:
    """Table-days in order."""
    ordered = sorted(days, key=lambda each: (each.gaming_day, each.table_id))
    return TableFacts(asked(first, last), ordered, **given)


def named(tables: tuple[Table, ...], name: str) -> list[dict[str, Cell]]:
    """The rows of one table by the names of its columns, the totals last."""
    found = next(each for each in tables if each.name == name)
    rows: list[Row] = [*found.rows, *([found.totals] if found.totals else [])]
    return [dict(zip([column.name for column in found.columns], row, strict=True)) for row in rows]
