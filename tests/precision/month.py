"""A month of forty tables as generated facts: papers and sums of wagers, honest but for what people get wrong."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from services.games.wagers import AUTOMATED
from services.reporting.document import SIGNATORIES, Amounts, Denomination, Document, IndependentCount, Signature

TABLES, DAYS = 40, 30
FIRST = date(2026, 6, 1)
AUTOMATED_TABLES = 4
DOLLAR, CHIP = 100, 2_500
"""Cents; tables deal in chips of $25."""
PROPERTY = "MONTH"
SIGNATURES = {kind: tuple(Signature(role, f"a {role}") for role in roles) for kind, roles in SIGNATORIES.items()}
# A dealer's day in four is off by some chips of a payout, one in two hundred by many.
SMALL_ERROR, LARGE_ERROR = 4, 200


@dataclass
class Sheet:
    """A table's day: what was settled, in cents, its papers, and the side wagers among what was settled."""

    day: date
    table_id: str
    handle: int
    payout: int
    side_wagers: int
    papers: list[Document] = field(default_factory=list)

    def find(self, kind: str) -> int:
        """The place of the first paper of a kind."""
        return next(place for place, each in enumerate(self.papers) if each.kind == kind)


class Month:
    """Forty tables over thirty days; the same seed makes the same month."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._serials: dict[str, int] = {}
        self.tables = [f"T-{number:02d}" for number in range(1, TABLES + 1)]
        self.days = [FIRST + timedelta(days=number) for number in range(DAYS)]
        self._closed = dict.fromkeys(self.tables, 50_000 * DOLLAR)
        self.sheets = {(day, table): self._sheet(day, table) for day in self.days for table in self.tables}

    def kind(self, table_id: str) -> str:
        """Four tables are fully automated, the others live."""
        return AUTOMATED if table_id in self.tables[:AUTOMATED_TABLES] else "live"

    def _sheet(self, day: date, table_id: str) -> Sheet:
        drop, hold = self.random.randrange(8_000, 40_000, 25) * DOLLAR, self._percent(20, 10)
        won = drop * hold // 100 // CHIP * CHIP
        handle = drop * self.random.randint(4, 6)
        sheet = Sheet(day, table_id, handle, handle - won, self.random.randint(150, 450))
        if self.kind(table_id) == AUTOMATED:
            metered = {"wagers_cents": sheet.handle, "payouts_cents": sheet.payout}
            sheet.papers = [self.paper("meter_reading", sheet, 0, 22, **metered)]
        else:
            sheet.papers = list(self._papers(sheet, drop, won + self._error()))
        return sheet

    def _percent(self, mean: int, spread: int) -> int:
        """A whole percentage, bell-shaped: the sum of twelve evenly spread parts."""
        return mean + sum(self.random.randint(-spread, spread) for _ in range(12)) // 4

    def _error(self) -> int:
        """What a dealer paid wrongly, in cents."""
        if self.random.randrange(LARGE_ERROR) == 0:
            return self.random.choice((-1, 1)) * self.random.randrange(4 * CHIP, 16 * CHIP, CHIP)
        return self.random.choice((-1, 1)) * self.random.randint(0, 3) * CHIP if self._once_in(SMALL_ERROR) else 0

    def _once_in(self, times: int) -> bool:
        return self.random.randrange(times) == 0

    def _papers(self, sheet: Sheet, drop: int, won: int) -> Iterator[Document]:
        """What is there before, what is brought and taken, what is in the box, what is left."""
        opener, checks = self._closed[sheet.table_id], 1_000 * DOLLAR if self._once_in(4) else 0
        yield self.paper("opener", sheet, opener, 6)
        missing = (50_000 * DOLLAR - (opener + won - drop)) // (1_000 * DOLLAR) * 1_000 * DOLLAR
        first = missing // 2 // (1_000 * DOLLAR) * 1_000 * DOLLAR
        fills, credit = ([first, missing - first], 0) if missing > 0 else ([], -missing)
        for hour, amount in enumerate((each for each in fills if each), 9):
            yield self.paper("fill", sheet, amount, hour)
        if credit:
            yield self.paper("credit", sheet, credit, 12)
        yield from self._checks(sheet, checks)
        box = f"B-{sheet.table_id}-{sheet.day:%d}"
        yield self.paper("drop", sheet, 0, 21, box_serial=box)
        yield self.count(sheet, Amounts(drop - checks, checks, 0, 0), box)
        closer = won + opener + sum(fills) - credit - drop
        yield self.paper("closer", sheet, closer, 22)
        self._closed[sheet.table_id] = closer

    def _checks(self, sheet: Sheet, amount: int) -> Iterator[Document]:
        """A counter check; one in ten is written wrongly first, and corrected as it should be."""
        if amount and self._once_in(10):
            wrong = self.paper("counter_check", sheet, amount + 100 * DOLLAR, 13)
            yield wrong
            yield self.paper("counter_check", sheet, amount, 13, corrects=wrong.document_id, reason="misread")
        elif amount:
            yield self.paper("counter_check", sheet, amount, 13)

    def count(self, sheet: Sheet, amounts: Amounts, box: str, second: Amounts | None = None) -> Document:
        """A box counted twice, the second time with the same result unless another one is given."""
        return self.paper(
            "count",
            sheet,
            amounts.currency_cents + amounts.counter_checks_cents,
            23,
            currency_cents=amounts.currency_cents,
            counter_checks_cents=amounts.counter_checks_cents,
            box_serial=box,
            first_count=IndependentCount("Ann", amounts),
            second_count=IndependentCount("Ben", second or amounts),
        )

    def paper(self, kind: str, sheet: Sheet, amount: int, hour: int, **given: Any) -> Document:
        """A signed paper under the next serial number of its kind."""
        number = self._serials[kind] = self._serials.get(kind, 0) + 1
        at = datetime(sheet.day.year, sheet.day.month, sheet.day.day, tzinfo=UTC) + timedelta(hours=hour)
        parts = (Denomination(DOLLAR, amount),) if kind in ("opener", "fill", "credit", "closer") and amount else ()
        made: dict[str, Any] = {
            "document_id": f"{kind.upper()}-{number}",
            "property_id": PROPERTY,
            "kind": kind,
            "gaming_day": sheet.day,
            "shift": 0,
            "table_id": sheet.table_id,
            "amount_cents": amount,
            "currency_cents": 0,
            "counter_checks_cents": 0,
            "occurred_at": at,
            "posted_by": "a clerk",
            "posted_at": at,
            "denominations": parts,
            "signatures": SIGNATURES[kind],
        }
        return Document(**{**made, **given})
