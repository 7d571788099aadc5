"""Builders that read like the papers of a table: `slip("opener", "BAC-01", "50,000.00")`."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from itertools import count
from typing import Any

from services.kernel.money import cents
from services.reporting.daily_win import DayFacts
from services.reporting.document import Document, TableSetting
from services.reporting.sums import Heading, SettledWagers, SettlementsChange, SumKey, WagerKey, WagerSum

DAY = date(2026, 3, 2)
NOON = datetime(2026, 3, 2, 17, tzinfo=UTC)
_serial = count(1)


def slip(kind: str, table: str, dollars: str = "0.00", **given: Any) -> Document:
    """A document of the test's day with a serial number of its own."""
    parts: dict[str, Any] = {
        "document_id": f"{kind}-{next(_serial)}",
        "property_id": "SAMPLE",
        "kind": kind,
        "gaming_day": DAY,
        "shift": 0,
        "table_id": table,
        "amount_cents": cents(dollars),
        "currency_cents": 0,
        "counter_checks_cents": 0,
        "occurred_at": NOON,
        "posted_by": "pit clerk",
        "posted_at": NOON,
    }
    return Document(**{**parts, **given})


def box(table: str, currency: str, checks: str = "0.00", **given: Any) -> Document:
    """The count of a drop box."""
    total = cents(currency) + cents(checks)
    parts = {"currency_cents": cents(currency), "counter_checks_cents": cents(checks), "amount_cents": total}
    return slip("count", table, **{**parts, **given})


def wagers(*rows: tuple[str, str, int, str, int]) -> SettledWagers:
    """Wagers of one round: code, paytable, stake, outcome and payout in cents, all paid from inventory."""
    codes, paytables, stakes, outcomes, payouts = zip(*rows, strict=True) if rows else ((),) * 5
    return SettledWagers(codes, paytables, stakes, outcomes, payouts, payouts, [0] * len(rows))


def heading(table: str = "BAC-01", shift: int = 1, decks: int = 8, wheel: str = "") -> Heading:
    """What the wagers of a round share."""
    return (DAY, shift, table, "D-7", "RS-1", decks, wheel)


def summed(change: SettlementsChange) -> list[WagerSum]:
    """The sums of a change, as read from the projection."""
    found: Mapping[WagerKey, list[int]] = change.wagers
    return [WagerSum(SumKey(*key), *found[key]) for key in sorted(found)]


def day_facts(**given: Any) -> DayFacts:
    """A day of which nothing is known but what the test says."""
    parts: dict[str, Any] = {
        "property_id": "SAMPLE",
        "gaming_day": DAY,
        "documents": [],
        "tables": {
            "BAC-01": TableSetting("BAC-01", DAY, "P1", "baccarat"),
            "BAC-02": TableSetting("BAC-02", DAY, "P2", "baccarat"),
        },
        "wagers": [],
        "rounds": {},
        "links": [],
        "contributions": {},
        "movements": {},
        "readings": {},
        "jackpots": [],
        "exceptions": {},
    }
    return DayFacts(**{**parts, **given})
