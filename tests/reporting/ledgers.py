"""Builders of meters' movements and of what the journal books of them, in dollars."""

from datetime import time
from itertools import count
from typing import Any

from services.kernel.clock import Calendar
from services.kernel.money import MICROS_PER_CENT, cents, dollars
from services.reporting.ledger.facts import LedgerFacts, MeterFacts
from services.reporting.ledger.posting import Entry
from services.reporting.ledger.progressives import Meters, progressive_entries
from services.reporting.ledger.store import Contributed
from services.reporting.meters.seed import Seeds
from services.reporting.periods import TableFacts
from services.reporting.registers.record import JackpotRecord, MeterEvent
from services.reporting.tax import schedule
from tests.reporting.builders import DAY, NOON
from tests.reporting.table_days import asked, facts

SEED = "10,000"


def micros(amount: str) -> int:
    """Dollars as micro-dollars."""
    return cents(amount) * MICROS_PER_CENT


class Journal:
    """A meter's movements in order, as the feed tells them: the reading and reserve after each are kept."""

    def __init__(self, level: str = "mega", link: str = "HVN") -> None:
        self.name = link, level
        self.reading = self.reserve = 0

    def moved(self, cause: str, amount: int, **given: Any) -> MeterEvent:
        """A movement of so many micro-dollars."""
        self.reading += 0 if cause == "reserve" else amount
        self.reserve += {"reserve": amount, "seed_reserve": -amount}.get(cause, 0)
        parts: dict[str, Any] = {
            "position": next(POSITIONS),
            "gaming_day": DAY,
            "link_id": self.name[0],
            "level": self.name[1],
            "cause": cause,
            "amount_micros": amount,
            "reading_micros": self.reading,
            "reserve_micros": self.reserve,
            "link_version": 1,
            "table_id": "",
            "round_no": 0,
            "hit_id": "",
            "jackpot_id": "",
            "decision_id": "",
        }
        return MeterEvent(**{**parts, **given})

    def put(self, amount: int, reserve: int = 0) -> Contributed:
        """What wagers contributed on the day, micro-dollars."""
        self.reading += amount
        self.reserve += reserve
        return Contributed(DAY, *self.name, amount, reserve, 0, 1, next(POSITIONS))


POSITIONS = count(1)


def booked(
    events: list[MeterEvent], made: list[Contributed], seeds: dict[tuple[str, int, str], int] | None = None
) -> tuple[list[Entry], Meters]:
    """The entries of a day on which everything began, and the meters after it."""
    of = seeds or {
        ("HVN", 1, "mega"): micros(SEED),
        ("HVN", 1, "minor"): micros(SEED),
        ("GLD", 1, "mega"): micros(SEED),
    }
    facts = MeterFacts(events, made, of, {}, {}, {}, {})
    meters = Meters(Seeds(of))
    return list(progressive_entries(asked(), facts, meters)), meters


def lines(entry: Entry) -> dict[str, str]:
    """Postings by the ends of their accounts' names, in dollars: debits above zero."""
    return {to.name.rpartition(":")[2]: dollars(amount) for to, amount in entry.postings.items()}


def told(**given: Any) -> LedgerFacts:
    """What the journal is made of: nothing but what the test says; its days are those of the period."""
    nothing = MeterFacts([], [], {}, {}, {}, {}, {})
    tables: TableFacts = given.get("tables", facts())
    parts: dict[str, Any] = {
        "asked": tables.asked,
        "tables": tables,
        "documents": [],
        "positions": {each.document_id: number for number, each in enumerate(given.get("documents", ()), 1)},
        "closers": {},
        "rules": schedule(),
        "meters": nothing,
        "jackpots": [],
        "calendars": [(DAY.replace(year=2025), Calendar("UTC", time(6), (time(6),)))],
    }
    return LedgerFacts(**{**parts, **given})


def jackpot(state: str, amount: str = "700", **given: Any) -> JackpotRecord:
    """A state of a jackpot without a link: what the house bears."""
    parts: dict[str, Any] = {
        "position": next(POSITIONS),
        "gaming_day": DAY,
        "jackpot_id": "J-1",
        "hit_id": "",
        "link_id": "",
        "level": "mega",
        "round_day": DAY,
        "table_id": "BAC-01",
        "shoe": 1,
        "round_no": 7,
        "roll": 0,
        "seat": 3,
        "code": "a wager",
        "paytable": "A",
        "stake_cents": 500,
        "amount_cents": cents(amount),
        "percent": 10_000,
        "reading_micros": 0,
        "state": state,
        "paid_from": "slip",
        "actor": "ann",
        "rank": "",
        "at": NOON,
        "slip_no": "",
        "paid_through": "",
        "reportable": False,
        "withheld_cents": 0,
        "decision_id": "",
    }
    return JackpotRecord(**{**parts, **given})
