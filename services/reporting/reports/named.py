"""The revenue reports by name: what each reads of a period, and what makes its tables of that."""

from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from functools import partial
from typing import NamedTuple

from services.reporting.days import store as days
from services.reporting.documents import store as documents
from services.reporting.ledger import journal
from services.reporting.ledger.facts import ledger_facts
from services.reporting.periods import Asked, TableFacts, paper_facts, table_facts, wager_facts
from services.reporting.registers import adjustments, jackpots, parameters, slips
from services.reporting.registers import facts as registers
from services.reporting.reports import (
    gross_revenue,
    inventory_discrepancies,
    master_game,
    meter_comparison,
    monthly_sheet,
    open_exceptions,
    reconciliation,
    restatements,
    side_wagers,
    store,
    table_statistics,
    wire,
)
from services.reporting.statistics import limits
from services.reporting.table import Table
from services.reporting.tax import schedule, week_of
from services.runtime.store import Connection


class Made(NamedTuple):
    """A report's title, what makes its tables of the facts that were read, who signs it."""

    title: str
    tables: Callable[[], tuple[Table, ...]]
    signatures: tuple[str, ...] = ()


def period(name: str, first: date, last: date) -> tuple[date, date]:
    """The period a report is of: the monthly sheet is of whole months; others are of what is asked."""
    if name != "monthly-sheet":
        return first, last
    following = (last.replace(day=28) + timedelta(days=4)).replace(day=1)
    return first.replace(day=1), following - timedelta(days=1)


async def _master_game(connection: Connection, asked: Asked) -> Made:
    facts = await table_facts(connection, asked, _new_year(asked), shifts=True)
    forms = await documents.vigorish(connection, asked.property_id, asked.first, asked.last)
    restated = await restatements.read(connection, asked.property_id, asked.last)
    title = f"{master_game.TITLE}, {master_game.status(facts)}"
    return Made(title, partial(master_game.master_game, facts, forms, restated), master_game.SIGNATURES)


def _new_year(asked: Asked) -> date:
    """What year to date begins with, whichever day of the period it is of."""
    return asked.first.replace(month=1, day=1)


async def _gross_revenue(connection: Connection, asked: Asked) -> Made:
    rules = schedule(asked.jurisdiction)
    since = min(week_of(asked.first)[0], asked.first - timedelta(days=rules.days))
    facts = await table_facts(connection, asked, since)
    filed = await store.filed_as(connection, asked.property_id, "gross-revenue", asked.first, asked.last)
    before = {key: each for content in filed.values() for key, each in wire.filed_revenue(content).items()}
    make = partial(gross_revenue.gross_revenue, facts, rules, before)
    restated = await restatements.read(connection, asked.property_id, asked.last)
    return Made(gross_revenue.TITLE, restatements.beside(make, restated, asked.last), gross_revenue.SIGNATURES)


async def _monthly_sheet(connection: Connection, asked: Asked) -> Made:
    facts = await table_facts(connection, asked, asked.first)
    make = partial(monthly_sheet.monthly_sheet, facts, schedule(asked.jurisdiction))
    return Made(monthly_sheet.TITLE, make, monthly_sheet.SIGNATURES)


async def _side_wagers(connection: Connection, asked: Asked) -> Made:
    facts = await wager_facts(connection, asked)
    return Made(side_wagers.TITLE, partial(side_wagers.side_wagers, facts, limits(asked.jurisdiction)))


async def _statistics(connection: Connection, asked: Asked) -> Made:
    facts = await table_facts(
        connection, asked, asked.first.replace(year=asked.first.year - 1, month=1, day=1), shift_play=True
    )
    wagers = await wager_facts(connection, asked, dealers=True)
    return Made(table_statistics.TITLE, partial(table_statistics.statistics, facts, wagers, limits(asked.jurisdiction)))


async def _exceptions(connection: Connection, asked: Asked) -> Made:
    facts = await paper_facts(connection, asked)
    filed = await days.filed_reports(connection, asked.property_id, asked.first, asked.last)
    restated = await restatements.read(connection, asked.property_id, asked.last)
    return Made(open_exceptions.TITLE, partial(open_exceptions.open_exceptions, facts, list(filed.values()), restated))


async def _discrepancies(connection: Connection, asked: Asked) -> Made:
    facts = await paper_facts(connection, asked)
    make = partial(inventory_discrepancies.inventory_discrepancies, facts, limits(asked.jurisdiction))
    return Made(inventory_discrepancies.TITLE, make)


async def _meters(connection: Connection, asked: Asked) -> Made:
    facts: TableFacts = await table_facts(connection, asked, asked.first)
    return Made(meter_comparison.TITLE, partial(meter_comparison.meter_comparison, facts))


async def _reconciliation(connection: Connection, asked: Asked) -> Made:
    facts = await table_facts(connection, asked, asked.first, shifts=True)
    return Made(reconciliation.TITLE, partial(reconciliation.reconciliation, facts, limits(asked.jurisdiction)))


async def _general_ledger(connection: Connection, asked: Asked) -> Made:
    facts = await ledger_facts(connection, asked, schedule(asked.jurisdiction))
    return Made(journal.TITLE, partial(journal.general_ledger, facts), journal.SIGNATURES)


async def _jackpots(connection: Connection, asked: Asked) -> Made:
    make = partial(jackpots.jackpot_register, await registers.jackpot_facts(connection, asked))
    return Made(jackpots.TITLE, make, jackpots.SIGNATURES)


async def _fills(connection: Connection, asked: Asked) -> Made:
    make = partial(slips.fills_and_credits, await registers.slip_facts(connection, asked, slips.FILL_KINDS))
    return Made(slips.FILLS_TITLE, make, slips.FILLS_SIGNATURES)


async def _checks(connection: Connection, asked: Asked) -> Made:
    make = partial(slips.counter_checks, await registers.slip_facts(connection, asked, (*slips.CHECK_KINDS, "count")))
    return Made(slips.CHECKS_TITLE, make, slips.CHECKS_SIGNATURES)


async def _adjustments(connection: Connection, asked: Asked) -> Made:
    make = partial(adjustments.adjustments, await registers.adjustment_facts(connection, asked))
    return Made(adjustments.TITLE, make, adjustments.SIGNATURES)


async def _parameters(connection: Connection, asked: Asked) -> Made:
    make = partial(parameters.parameter_changes, await registers.parameter_facts(connection, asked))
    return Made(parameters.TITLE, make, parameters.SIGNATURES)


REPORTS: dict[str, Callable[[Connection, Asked], Awaitable[Made]]] = {
    "master-game-report": _master_game,
    "gross-revenue": _gross_revenue,
    "monthly-sheet": _monthly_sheet,
    "reconciliation": _reconciliation,
    "side-wagers": _side_wagers,
    "statistics": _statistics,
    "exceptions": _exceptions,
    "inventory-discrepancies": _discrepancies,
    "meter-comparison": _meters,
    "general-ledger": _general_ledger,
    "jackpot-register": _jackpots,
    "fills-and-credits": _fills,
    "counter-checks": _checks,
    "adjustments": _adjustments,
    "parameter-changes": _parameters,
}
"""Named reports of a period: each reads its facts in the caller's snapshot."""
