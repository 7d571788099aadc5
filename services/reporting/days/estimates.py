"""The tax of revenue that would be other than recorded: what a change of rules would have meant, day by day."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from services.reporting import operations
from services.reporting.periods import Asked, table_facts
from services.reporting.reports.gross_revenue import revenues
from services.reporting.tax import DayClass, Estimate, estimate, schedule, week_of
from services.runtime.store import Pool


async def estimate_tax(
    pool: Pool, property_id: str, differences: Mapping[DayClass, int], now: datetime
) -> tuple[str, list[Estimate]]:
    """The title of the rates, and the tax of each difference (cents, by gaming day and class) on what is recorded.

    The weeks of the days are read whole, and so far around them as a loss is carried. Raises PropertyUnknown,
    JurisdictionUnknown.
    """
    days = [day for day, _ in differences]
    async with pool.acquire() as connection:
        setting = await operations.property_in_force(connection, property_id, max(days))
    rules = schedule(setting.jurisdiction)
    first, last = week_of(min(days))[0] - timedelta(days=rules.days), week_of(max(days))[1] + timedelta(days=rules.days)
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        facts = await table_facts(connection, Asked(property_id, setting.title, first, last, now), first)
    known = {key: each.after for key, each in revenues(facts).items()}
    return rules.title, estimate(known, differences, rules)
