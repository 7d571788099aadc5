"""Payments off the inventory by the gaming day on which they were made or voided (ruling V4)."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import NamedTuple

from services.kernel.clock import Calendar


class JackpotStep(NamedTuple):
    """A jackpot as of the entry at `position` of the progressives feed; `standing_cents`: what of it is paid by slip.

    `at`: when it came to this state; None for the hit itself.
    """

    position: int
    jackpot_id: str
    gaming_day: date
    table_id: str
    standing_cents: int
    at: datetime | None


class Moved(NamedTuple):
    """What a slip paid at a table, whole cents, below zero where a payment was voided; `gaming_day`: of the hit."""

    at: datetime | None
    gaming_day: date
    table_id: str
    amount_cents: int


Calendars = Sequence[tuple[date, Calendar]]
"""A property's calendars, each with the gaming day from which on it holds, the newest first."""


def day_of(calendars: Calendars, at: datetime) -> date:
    """The gaming day of an instant, by the newest calendar whose own day of it is not before it takes effect.

    Before the first of them, by the first. Raises LookupError where there is none.
    """
    for effective_from, calendar in calendars:
        if calendar.day_of(at) >= effective_from:
            return calendar.day_of(at)
    if not calendars:
        raise LookupError("expected a property with a calendar, given none")
    return calendars[-1][1].day_of(at)


def by_day(calendars: Calendars, moves: Iterable[Moved]) -> dict[tuple[date, str], int]:
    """What was paid on each gaming day at each table, in cents; what comes to nothing is left out.

    A payment that does not say when it was made is of the day of the hit.
    """
    sums: dict[tuple[date, str], int] = {}
    for each in moves:
        key = (day_of(calendars, each.at) if each.at else each.gaming_day), each.table_id
        sums[key] = sums.get(key, 0) + each.amount_cents
    return {key: cents for key, cents in sorted(sums.items()) if cents}
