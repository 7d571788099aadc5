"""A table document: a slip, a check or a count of the floor or the cage (58 Pa. Code 465a.25 to 465a.42)."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import NamedTuple

from services.kernel.errors import DocumentImpossible
from services.kernel.money import dollars

KINDS = ("opener", "fill", "credit", "counter_check", "count", "closer")
"""Inventory slips at opening and closing, fill and credit slips, counter checks issued, counts of the box."""

LARGEST_CENTS = 10**15


class TableSetting(NamedTuple):
    """Where a table stands and what it deals, from a gaming day on."""

    table_id: str
    effective_from: date
    pit: str
    game: str


@dataclass(frozen=True, slots=True)
class Document:
    """Amounts in whole cents; a count's amount is its currency and counter checks, which others do not have.

    `shift` 0 stands for the whole day. `occurred_at` None: the document does not say. Who posted it, and
    when, is no part of what it says.
    """

    document_id: str
    property_id: str
    kind: str
    gaming_day: date
    shift: int
    table_id: str
    amount_cents: int
    currency_cents: int
    counter_checks_cents: int
    occurred_at: datetime | None
    posted_by: str
    posted_at: datetime

    def check(self, shifts: int) -> None:
        """Holds the document against itself and the day's number of shifts. Raises DocumentImpossible."""
        if not self.document_id or self.document_id != self.document_id.strip():
            self._refuse("a serial number without spaces around it", repr(self.document_id))
        if self.kind not in KINDS:
            self._refuse(f"a kind: {', '.join(KINDS)}", self.kind or "none")
        if not 0 <= self.shift <= shifts:
            self._refuse(f"a shift from 1 to {shifts}, or 0 for the whole day", str(self.shift))
        for amount in (self.amount_cents, self.currency_cents, self.counter_checks_cents):
            if not 0 <= amount <= LARGEST_CENTS:
                self._refuse(f"amounts from 0.00 to {dollars(LARGEST_CENTS)}", dollars(amount))
        self._check_parts()

    def _check_parts(self) -> None:
        parts = self.currency_cents + self.counter_checks_cents
        if self.kind != "count" and parts:
            self._refuse("currency and counter checks on a count alone", f"{dollars(parts)} on a {self.kind}")
        if self.kind == "count" and parts != self.amount_cents:
            self._refuse(
                f"a count of currency {dollars(self.currency_cents)} and counter checks"
                f" {dollars(self.counter_checks_cents)}, together {dollars(parts)}",
                dollars(self.amount_cents),
            )

    def says_the_same(self, other: "Document") -> bool:
        """Whether both are one document, whoever posted it and when."""
        return self == replace(other, posted_by=self.posted_by, posted_at=self.posted_at)

    def _refuse(self, expected: str, given: str) -> None:
        name = self.document_id or "a document"
        raise DocumentImpossible(f"{name}: expected {expected}; given {given}")
