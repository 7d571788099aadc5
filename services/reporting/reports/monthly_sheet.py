"""The regulator's monthly table sheet: average tables in operation, revenue by class, state tax and local share."""

from collections.abc import Iterable
from datetime import date
from fractions import Fraction

from services.games.wagers import AUTOMATED
from services.kernel.money import decimal_text, half_up
from services.reporting.classes import BANKING, FELT, HYBRID, LIVE, TERMINALS
from services.reporting.periods import TableDay, TableFacts
from services.reporting.reports.amounts import MISSING_NOTE
from services.reporting.reports.gross_revenue import revenues
from services.reporting.table import CENTS, COUNT, TEXT, Cell, Column, Table
from services.reporting.tax import AUTOMATED_SURCHARGE, COMPONENTS, LOCAL, STATE, Schedule, Taxed, assess
from services.reporting.win import whole

TITLE = "Monthly table sheet"
SIGNATURES = ("Preparer",)
CENTS_PER_DOLLAR = 100
AVERAGE_DIGITS = 2
COLUMNS = (
    Column("casino", "Casino", TEXT),
    Column("month", "Month", TEXT),
    Column("days", "Days", COUNT),
    Column("avg_tables_total", "Tables", TEXT),
    Column("avg_tables_banking", "Banking tables", TEXT),
    Column("avg_tables_electronic", "Electronic tables", TEXT),
    Column("avg_tables_hybrid", "Hybrid tables", TEXT),
    Column("rev_banking", "Banking revenue", CENTS),
    Column("rev_electronic", "Electronic revenue", CENTS),
    Column("rev_hybrid", "Hybrid revenue", CENTS),
    Column("gross_revenue", "Gross revenue", CENTS),
    Column("state_tax", "State tax", CENTS),
    Column("local_share", "Local share", CENTS),
)
PUBLISHED_COLUMNS = (
    Column("casino", "Casino", TEXT),
    Column("days", "Days", COUNT),
    Column("tables", "Tables", COUNT),
    Column("gross_revenue", "Gross revenue, dollars", COUNT),
    Column("state_tax", "State tax, dollars", COUNT),
    Column("local_tax", "Local tax, dollars", COUNT),
)
NOTES = (
    "Average tables: table-days in operation / days on which a table was in operation.",
    "Electronic: fully automated tables; hybrid: felt and terminals. Nonbanking tables are not contained.",
    MISSING_NOTE,
)
PUBLISHED_NOTE = (
    "Whole dollars, each rounded half up from its cents by itself: rows of several properties need not foot."
)


def monthly_sheet(facts: TableFacts, rules: Schedule, opened: date | None = None) -> tuple[Table, ...]:
    """The sheet in cents, and as it is published in whole dollars. `opened` as in `gross_revenue`."""
    found = {key: each.after for key, each in revenues(facts).items()}
    taxed = assess({key: after for key, after in found.items() if after is not None}, rules, opened)
    complete = None not in found.values()
    gross = whole(list(found.values()))
    state = _tax(taxed, (STATE, AUTOMATED_SURCHARGE)) if complete else None
    local = _tax(taxed, (LOCAL,)) if complete else None
    running = [each for each in facts.days if each.open]
    days = len({each.gaming_day for each in running})

    def revenue(*classes: str) -> int | None:
        return whole([after for (_, revenue_class), after in found.items() if revenue_class in classes])

    row: tuple[Cell, ...] = (
        facts.asked.title,
        f"{facts.asked.last:%Y-%m}",
        days,
        *(_average(running, days, kinds) for kinds in ((LIVE, HYBRID, AUTOMATED), (LIVE,), (AUTOMATED,), (HYBRID,))),
        revenue(BANKING),
        revenue(AUTOMATED),
        revenue(FELT, TERMINALS),
        gross,
        state,
        local,
    )
    tables = half_up(len(running), days) if days else 0
    published = (facts.asked.title, days, tables, whole_dollars(gross), whole_dollars(state), whole_dollars(local))
    return (
        Table("sheet", TITLE, COLUMNS, (row,), None, NOTES),
        Table("published", "As published", PUBLISHED_COLUMNS, (published,), None, (PUBLISHED_NOTE,)),
    )


def whole_dollars(cents: int | None) -> int | None:
    """Cents in whole dollars, half up."""
    return None if cents is None else half_up(cents, CENTS_PER_DOLLAR)


def _tax(taxed: Iterable[Taxed], components: tuple[str, ...]) -> int:
    assert set(components) <= set(COMPONENTS)
    return sum(each.tax for each in taxed if each.component in components)


def _average(running: list[TableDay], days: int, kinds: tuple[str, ...]) -> str | None:
    if not days:
        return None
    return decimal_text(Fraction(sum(each.kind in kinds for each in running), days), AVERAGE_DIGITS)
