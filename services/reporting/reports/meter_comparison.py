"""Meters of electronic tables against what was settled at them, each with the variance in dollars and in percent."""

from fractions import Fraction

from services.games.wagers import AUTOMATED
from services.reporting.periods import TableDay, TableFacts
from services.reporting.reports.amounts import percent, totals
from services.reporting.table import CENTS, PERCENT, TEXT, Column, Row, Table

TITLE = "Meter comparison"
COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("table", "Table", TEXT),
    Column("kind", "Kind", TEXT),
    Column("metered_wagers", "Metered wagers", CENTS),
    Column("settled_wagers", "Settled wagers", CENTS),
    Column("wagers_variance", "Variance of wagers", CENTS),
    Column("wagers_variance_percent", "Variance of wagers %", PERCENT),
    Column("metered_payouts", "Metered payouts", CENTS),
    Column("settled_payouts", "Settled payouts", CENTS),
    Column("payouts_variance", "Variance of payouts", CENTS),
    Column("payouts_variance_percent", "Variance of payouts %", PERCENT),
    Column("status", "Status", TEXT),
)
NOTES = (
    (
        "Variance = metered - settled; its percentage is of the metered amount. Settled payouts are what the table"
        " paid, slips left out."
    ),
    "A hybrid table with slips takes wagers on the felt too: its variance contains them.",
)


def meter_comparison(facts: TableFacts) -> tuple[Table, ...]:
    """Every day of every table that has meters, or should have."""
    rows = tuple(
        _row(each)
        for each in facts.own
        if each.kind == AUTOMATED or each.papers.metered is not None or _terminals(each)
    )
    return (Table("meters", TITLE, COLUMNS, rows, totals(rows, (3, 4, 5, 7, 8, 9), len(COLUMNS)), NOTES),)


def _terminals(each: TableDay) -> bool:
    return len(each.lines) > 1 or each.kind == "hybrid"


def _row(each: TableDay) -> Row:
    papers, play = each.papers, each.play
    wagers = _variance(papers.metered_wagers, play.handle)
    payouts = _variance(papers.metered_payouts, play.from_inventory)
    status = "not read" if papers.metered is None else "investigate" if (wagers[0], payouts[0]) != (0, 0) else ""
    return (
        each.gaming_day.isoformat(),
        each.table_id,
        each.kind,
        papers.metered_wagers,
        play.handle,
        *wagers,
        papers.metered_payouts,
        play.from_inventory,
        *payouts,
        status,
    )


def _variance(metered: int | None, settled: int) -> tuple[int | None, str | None]:
    if metered is None:
        return None, None
    return metered - settled, percent(Fraction(metered - settled, metered)) if metered else None
