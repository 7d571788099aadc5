"""The floor's own books: what chips, boxes and meters came to, class by class, and the tax on it by hand."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta

from clients.floor.day import Day
from clients.floor.dealer import TableDay
from tests.month.drawer import Drawer
from tests.month.house import AUTOMATED, LIVE
from tests.month.month import drawer_of

STATE, SURCHARGE, LOCAL = 12, 34, 2
"""Percent: 4 Pa.C.S. 13A62(a)(1), (a)(2) on fully automated tables, 13A63."""


def felt_win(drawer: Drawer) -> int:
    """Chips at the end, credits and what is in the boxes, less chips at the beginning and fills."""
    came = drawer.amount("closer") + drawer.amount("credit") + drawer.drop
    return came - drawer.amount("opener") - drawer.amount("fill")


def physical_win(drawer: Drawer) -> int:
    """What the table won, in chips and at its terminals."""
    metered = drawer.metered_wagers - drawer.metered_payouts
    return metered + (felt_win(drawer) if drawer.felt else 0)


def table_figures(played: TableDay) -> dict[str, int]:
    """A table's line of the daily win report."""
    drawer = drawer_of(played)
    win, game_win = physical_win(drawer), played.handle - played.payout
    return {
        "opener": drawer.amount("opener"),
        "fills": drawer.amount("fill"),
        "credits": drawer.amount("credit"),
        "drop": drawer.drop,
        "closer": drawer.amount("closer"),
        "metered_wagers": drawer.metered_wagers,
        "metered_payouts": drawer.metered_payouts,
        "win": win,
        "game_win": game_win,
        "difference": win - game_win,
        "rounds": played.rounds,
        "wagers": played.wagers,
        "handle": played.handle,
    }


def revenue_of(day: Day) -> Counter[str]:
    """Win by class of revenue, in cents, before what was paid by jackpot slip."""
    found: Counter[str] = Counter()
    for played in day.tables:
        drawer, kind = drawer_of(played), played.table.terms.kind
        metered = drawer.metered_wagers - drawer.metered_payouts
        if kind == LIVE:
            found["banking"] += felt_win(drawer)
        elif kind == AUTOMATED:
            found["fully_automated"] += metered
        else:
            found["hybrid_terminals"] += metered
            if drawer.felt:
                found["hybrid_felt"] += felt_win(drawer)
    return found


def percent_of(cents: int, rate: int) -> int:
    """So many percent to the cent, a half cent away from zero."""
    percent = (2 * abs(cents) * rate + 100) // 200
    return percent if cents >= 0 else -percent


def taxes_of(revenue_class: str, revenue: int) -> dict[str, int]:
    """The taxes on a day's revenue of a class."""
    surcharge = percent_of(revenue, SURCHARGE) if revenue_class == "fully_automated" else 0
    return {"state": percent_of(revenue, STATE), "automated": surcharge, "local": percent_of(revenue, LOCAL)}


def weeks_of(revenues: Iterable[tuple[date, str, int]]) -> Counter[tuple[str, str, str]]:
    """The days' taxes summed by week (its Monday), class and component."""
    found: Counter[tuple[str, str, str]] = Counter()
    for day, revenue_class, revenue in revenues:
        monday = (day - timedelta(days=day.weekday())).isoformat()
        for component, tax in taxes_of(revenue_class, revenue).items():
            found[monday, revenue_class, component] += tax
    return found
