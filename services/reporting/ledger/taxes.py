"""Entries of the tax on gross table game revenue: accrued by the day and class, put right by the week (13A62)."""

from collections.abc import Iterator
from datetime import timedelta

from services.reporting.ledger.accounts import Account, account
from services.reporting.ledger.facts import LedgerFacts
from services.reporting.ledger.posting import Entry, entry, moved
from services.reporting.reports.gross_revenue import revenues
from services.reporting.tax import LOCAL, Taxed, WeekReturn, assess, week_of, week_returns


def taxed(facts: LedgerFacts) -> list[Taxed]:
    """The taxes of the period's days and of those of its first week before it, as the revenue report has them."""
    known = {key: each.after for key, each in revenues(facts.tables).items() if each.after is not None}
    return assess(known, facts.rules)


def tax_entries(facts: LedgerFacts, found: list[Taxed]) -> Iterator[Entry]:
    """One entry a day; at a week's end one for what negative days leave below zero, which nobody pays back."""
    day = facts.asked.first
    returns = week_returns([each for each in found if each.gaming_day >= week_of(day)[0]])
    while day <= facts.asked.last:
        own = [each for each in found if each.gaming_day == day]
        yield from filter(None, (_accrued(own), _unused([each for each in returns if each.last == day])))
        day += timedelta(days=1)


def _accounts(component: str) -> tuple[Account, Account]:
    name = "tax_local" if component == LOCAL else "tax_state"
    return account(f"{name}_expense"), account(name)


def _accrued(own: list[Taxed]) -> Entry | None:
    if not own:
        return None
    lines = [line for each in own for line in moved(*_accounts(each.component), each.tax)]
    classes = ", ".join(dict.fromkeys(each.revenue_class for each in own))
    return entry(own[0].gaming_day, f"tax on the day's revenue: {classes}", lines)


def _unused(returns: list[WeekReturn]) -> Entry | None:
    if not returns:
        return None
    lines = [line for each in returns for line in moved(*_accounts(each.component), each.unused)]
    return entry(returns[0].last, "weekly return: negative days unused", lines)


def due(facts: LedgerFacts, found: list[Taxed]) -> dict[Account, int]:
    """By the weekly returns, in cents: what is due of the weeks that end in the period, what a week under way comes to.

    Days of the first week before the period are taken off.
    """
    first, last = facts.asked.first, facts.asked.last
    monday = week_of(first)[0]
    sums = {account("tax_state"): 0, account("tax_local"): 0}
    for each in week_returns([one for one in found if one.gaming_day >= monday]):
        sums[_accounts(each.component)[1]] += each.tax if each.last <= last else each.tax - each.unused
    for early in found:
        if monday <= early.gaming_day < first:
            sums[_accounts(early.component)[1]] -= early.tax
    return sums
