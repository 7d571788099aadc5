"""The two wins of each table-day beside each other, with a tolerance by kind of table; estimated and counted drop."""

from fractions import Fraction

from services.kernel.money import decimal_text, dollars
from services.reporting.periods import TableDay, TableFacts
from services.reporting.reports.amounts import MISSING_NOTE, totals
from services.reporting.statistics import Limits, Tolerance
from services.reporting.table import CENTS, COUNT, TEXT, Column, Row, Table

TITLE = "Round-to-count reconciliation"
COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("table", "Table", TEXT),
    Column("kind", "Kind", TEXT),
    Column("rounds", "Rounds", COUNT),
    Column("game_win", "Game win", CENTS),
    Column("win_before_progressive", "Win before progressive", CENTS),
    Column("difference", "Difference", CENTS),
    Column("tolerance", "Tolerance", CENTS),
    Column("pending", "Wagers pending", COUNT),
    Column("status", "Status", TEXT),
)
DROP_COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("shift", "Shift", TEXT),
    Column("table", "Table", TEXT),
    Column("estimated", "Estimated drop", CENTS),
    Column("counted", "Counted drop", CENTS),
    Column("difference", "Difference", CENTS),
)
NOTES = (
    "Game win = settled stakes - what the table paid from its inventory or at its terminals.",
    "Difference = win before progressive - game win: errors of dealers, buy-backs, coupons, vigorish explain it.",
    MISSING_NOTE,
)


def reconciliation(facts: TableFacts, limits: Limits) -> tuple[Table, ...]:
    """Every table-day of the period, then the estimated drop where somebody estimated it."""
    rows = tuple(_row(each, limits.tolerances[each.kind]) for each in facts.own)
    said = tuple(
        f"Tolerance, {kind}: {dollars(each.cents)}, or {decimal_text(Fraction(each.rate_of_drop, 100), 2)} % of drop"
        " if more."
        for kind, each in limits.tolerances.items()
    )
    drops = tuple(_drop_row(each) for each in facts.shifts if each.papers.estimate is not None)
    notes = ("Difference = estimated - counted. Shift 0 is the whole day. The estimate is in no win.",) if drops else ()
    return (
        Table("two_wins", TITLE, COLUMNS, rows, totals(rows, (3, 4, 5, 6, 8), len(COLUMNS)), (*NOTES, *said)),
        Table("estimated_drop", "Estimated and counted drop", DROP_COLUMNS, drops, None, notes),
    )


def _row(each: TableDay, tolerance: Tolerance) -> Row:
    allowed = tolerance.of(each.papers.inventory.drop)
    before = each.before
    difference = None if before is None else before - each.game_win
    return (
        each.gaming_day.isoformat(),
        each.table_id,
        each.kind,
        each.play.rounds,
        each.game_win,
        before,
        difference,
        allowed,
        each.play.pending,
        _status(difference, allowed),
    )


def _status(difference: int | None, allowed: int) -> str:
    if difference is None:
        return "documents missing"
    return "out of tolerance" if abs(difference) > allowed else "in tolerance"


def _drop_row(each: TableDay) -> Row:
    estimate, counted = each.papers.estimate, each.papers.inventory.drop
    difference = None if estimate is None or counted is None else estimate - counted
    return each.gaming_day.isoformat(), str(each.shift), each.table_id, estimate, counted, difference
