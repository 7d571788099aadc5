"""A table's tray of chips and its drop box, with the documents that record what moves in and out.

Chips leave or enter the tray only by wins and losses, for currency or counter checks that go into the box,
and by fills and credits (58 Pa. Code 465a.36(b)). So at the end of an honest day
closer + credits + drop - opener - fills is what was staked less what was paid.
"""

from dataclasses import dataclass, field
from datetime import date, datetime

from casino.reporting.v1 import documents_pb2 as paper
from services.kernel.clock import Calendar

OPENER = 10_000_000
FILL_BELOW, CREDIT_ABOVE = 4_000_000, 18_000_000


@dataclass
class Tray:
    """The chips of one table in whole cents, the drop in its box, and the documents of its gaming day."""

    property_id: str
    table_id: str
    day: date
    calendar: Calendar
    cents: int = OPENER
    currency: int = 0
    counter_checks: int = 0
    documents: list[paper.Document] = field(default_factory=list)

    def open(self, at: datetime) -> None:
        """Write the opener."""
        self._write(paper.DOCUMENT_KIND_OPENER, self.cents, at)

    def buy_in(self, cents: int, at: datetime, *, by_check: bool) -> None:
        """Give chips for currency, or for a counter check issued at the table; either goes into the box."""
        self.cents -= cents
        if by_check:
            self.counter_checks += cents
            self._write(paper.DOCUMENT_KIND_COUNTER_CHECK, cents, at)
        else:
            self.currency += cents

    def settle(self, stakes: int, payout: int) -> None:
        """Take a round's stakes and pay what it won, stakes returned included."""
        self.cents += stakes - payout

    def level(self, at: datetime) -> None:
        """Ask the cage for a fill when chips run low, send a credit when there are too many."""
        if self.cents < FILL_BELOW:
            self._write(paper.DOCUMENT_KIND_FILL, OPENER - self.cents, at)
            self.cents = OPENER
        elif self.cents > CREDIT_ABOVE:
            self._write(paper.DOCUMENT_KIND_CREDIT, self.cents - OPENER, at)
            self.cents = OPENER

    def close(self, at: datetime) -> None:
        """Write the closer, and the count of the box."""
        self._write(paper.DOCUMENT_KIND_CLOSER, self.cents, at)
        self._write(paper.DOCUMENT_KIND_COUNT, self.currency + self.counter_checks, at)
        self.documents[-1].currency_cents = self.currency
        self.documents[-1].counter_checks_cents = self.counter_checks

    def read_terminals(self, at: datetime) -> None:
        """Write the reading of a hybrid table's terminals: all of this floor's patrons play at the felt."""
        self._write(paper.DOCUMENT_KIND_METER_READING, 0, at)

    def _write(self, kind: "paper.DocumentKind.ValueType", cents: int, at: datetime) -> None:
        name = paper.DocumentKind.Name(kind).removeprefix("DOCUMENT_KIND_")
        number = 1 + sum(document.kind == kind for document in self.documents)
        document = paper.Document(
            document_id=f"{self.day}/{self.table_id}/{name}/{number}",
            property_id=self.property_id,
            kind=kind,
            gaming_day=self.day.isoformat(),
            shift=self.calendar.shift_of(at),
            table_id=self.table_id,
            amount_cents=cents,
        )
        document.occurred_at.FromDatetime(at)
        self.documents.append(document)


@dataclass
class Terminals(Tray):
    """The meters of a fully automated table, which has neither chips nor a box (58 Pa. Code 605a.5); whole cents."""

    wagers: int = 0
    payouts: int = 0

    def open(self, at: datetime) -> None:
        """Nothing is written."""

    def buy_in(self, cents: int, at: datetime, *, by_check: bool) -> None:
        """Credits are bought at the terminal."""

    def settle(self, stakes: int, payout: int) -> None:
        """Count what was wagered and what was paid."""
        self.wagers += stakes
        self.payouts += payout

    def level(self, at: datetime) -> None:
        """There is nothing to fill."""

    def close(self, at: datetime) -> None:
        """Write the reading of the meters."""
        self._write(paper.DOCUMENT_KIND_METER_READING, 0, at)
        self.documents[-1].wagers_cents, self.documents[-1].payouts_cents = self.wagers, self.payouts
