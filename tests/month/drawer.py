"""The money of one table over a gaming day, in chips, boxes and meters, with the papers that a casino keeps of it.

It knows no paytable and no service: what is paid it is told in cents. The chips go on to the next day.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Any

from casino.reporting.v1 import documents_pb2 as paper
from clients.floor.tray import CREDIT_ABOVE, FILL_BELOW, OPENER, Tray
from services.reporting.document import SIGNATORIES

PIECES = (10_000, 2_500, 500, 100, 25, 1)
VIGORISH = 2_500
ESTIMATED_TO = 10_000
SLIPS = ("opener", "fill", "credit", "closer")
COUPON = 1_000
WHOLE_DAY = 0
"""Stands in the place of a shift's number."""


@dataclass
class Box:
    """The drop box of a shift: what is in it, in cents; coupons are no part of the drop."""

    serial: str
    shift: int
    currency: int = 0
    checks: list[int] = field(default_factory=list)
    coupons: int = 0

    @property
    def drop(self) -> int:
        """Currency and counter checks."""
        return self.currency + sum(self.checks)


@dataclass
class Drawer(Tray):
    """Chips, boxes by shift, and meters; seats from `terminals` on play at terminals, without chips.

    `shifts`: a box for each shift, else one for the day. `vigorish`: a patron owes his commission at the end of the
    first shift and pays it in the second. `estimates`: somebody estimates what is in each box. `overpaid`: what a
    dealer gave away, in cents.
    """

    random: Random = field(default_factory=Random)
    terminals: int = 1_000
    shifts: bool = True
    vigorish: bool = False
    estimates: bool = False
    boxes: list[Box] = field(default_factory=list)
    metered_wagers: int = 0
    metered_payouts: int = 0
    overpaid: int = 0

    @property
    def felt(self) -> bool:
        """Whether anybody plays with chips."""
        return self.terminals > 1

    @property
    def drop(self) -> int:
        """What all boxes hold, coupons left out."""
        return sum(box.drop for box in self.boxes)

    def amount(self, kind: str) -> int:
        """What the day's papers of a kind come to."""
        return sum(each.amount_cents for each in self.documents if kind_of(each) == kind)

    def open(self, at: datetime) -> None:
        """Write the opener and put the first box in its place."""
        if self.felt:
            self.write("opener", at, 1, self.cents)
            self._box(1 if self.shifts else WHOLE_DAY)

    def buy_in(self, cents: int, at: datetime, *, by_check: bool) -> None:
        """Give chips for currency, or for a counter check."""
        self._turn(at)
        self.cents -= cents
        box = self.boxes[-1]
        if by_check:
            box.checks.append(cents)
            self.write("counter_check", at, self._shift(at), cents)
        else:
            box.currency += cents

    def at_terminal(self, stake: int, payout: int) -> None:
        """A wager that was settled among others was made at a terminal: its money is on the meters, not in chips."""
        self.cents -= stake - payout
        self.metered_wagers += stake
        self.metered_payouts += payout

    def level(self, at: datetime) -> None:
        """Ask the cage for a fill when chips run low, send a credit when there are too many."""
        if not self.felt:
            return
        self._turn(at)
        if self.cents < FILL_BELOW:
            self.write("fill", at, self._shift(at), OPENER - self.cents)
            self.cents = OPENER
        elif self.cents > CREDIT_ABOVE:
            self.write("credit", at, self._shift(at), self.cents - OPENER)
            self.cents = OPENER

    def close(self, at: datetime) -> None:
        """Drop the last box, write the closer, read the meters; then the boxes are counted, each by two people."""
        if self.felt:
            self._turn(at)
            self._drop(at)
            self.write("closer", at, self._shift(at), self.cents)
            for box in self.boxes:
                self.documents.append(self.counted(box, at))
        if self.terminals < 1_000:
            meters = {"wagers_cents": self.metered_wagers, "payouts_cents": self.metered_payouts}
            self.write("meter_reading", at, WHOLE_DAY, **meters)

    def read_terminals(self, at: datetime) -> None:
        """The meters are read at the close."""

    def counted(self, box: Box, at: datetime) -> paper.Document:
        """The count of a box, by two people who agree."""
        made = count_of(box, "ann", "ben")
        return self.paper("count", at, box.shift, box.drop, **made)

    def write(self, kind: str, at: datetime, shift: int, cents: int = 0, **parts: Any) -> None:
        """Keep a signed paper, as yet without its serial number."""
        self.documents.append(self.paper(kind, at, shift, cents, **parts))

    def paper(self, kind: str, at: datetime, shift: int, cents: int = 0, **parts: Any) -> paper.Document:
        """A signed paper of this table and day."""
        written = paper.Document(
            property_id=self.property_id,
            kind=paper.DocumentKind.Value(f"DOCUMENT_KIND_{kind.upper()}"),
            gaming_day=self.day.isoformat(),
            shift=shift,
            table_id=self.table_id,
            amount_cents=cents,
            signatures=[paper.Signature(role=role, name=f"{role} {shift}") for role in SIGNATORIES[kind]],
            **parts,
        )
        if kind in SLIPS:
            written.denominations.extend(pieces(cents))
        written.occurred_at.FromDatetime(at)
        return written

    def _turn(self, at: datetime) -> None:
        """Change the boxes of shifts that are over."""
        while self.shifts and self.boxes[-1].shift < self._shift(at):
            self._drop(at)
            self._box(self.boxes[-1].shift + 1)

    def _shift(self, at: datetime) -> int:
        return self.calendar.shift_of(at)

    def _box(self, shift: int) -> None:
        self.boxes.append(Box(f"{self.table_id}/{'DABC'[shift]}", shift))

    def _drop(self, at: datetime) -> None:
        box = self.boxes[-1]
        box.coupons = COUPON * self.random.randrange(3)
        if box.checks and not self.random.randrange(4):
            redeemed = box.checks.pop()
            box.currency += redeemed
            self.write("counter_check_redeemed", at, box.shift, redeemed)
        if self.vigorish and box.shift in (1, 2):
            kind, sign = ("vigorish_uncollected", -1) if box.shift == 1 else ("vigorish_recovered", 1)
            self.cents += sign * VIGORISH
            self.write(kind, at, box.shift, VIGORISH)
        if self.estimates:
            self.write("estimate", at, box.shift, box.drop // ESTIMATED_TO * ESTIMATED_TO)
        self.write("drop", at, box.shift, box_serial=box.serial)


def count_of(box: Box, first: str, second: str) -> dict[str, Any]:
    """What a count says of a box beside its amount, both counters having found what is there."""
    found: dict[str, Any] = {
        "denominations": pieces(box.currency),
        "currency_cents": box.currency,
        "counter_checks_cents": sum(box.checks),
        "coupons_cents": box.coupons,
    }
    counts = {
        name: paper.IndependentCount(counted_by=by, **found)
        for name, by in (("first_count", first), ("second_count", second))
    }
    return {**found, **counts, "box_serial": box.serial}


def pieces(cents: int) -> list[paper.Denomination]:
    """An amount in chips or notes, the largest first."""
    found, left = [], cents
    for value in PIECES:
        part = left // value * value
        left -= part
        if part:
            found.append(paper.Denomination(value_cents=value, amount_cents=part))
    return found


def kind_of(document: paper.Document) -> str:
    """The kind's plain name."""
    return paper.DocumentKind.Name(document.kind).removeprefix("DOCUMENT_KIND_").lower()


class Serials:
    """Serial numbers of the property's papers, a series for each kind."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}

    def number(self, documents: Sequence[paper.Document]) -> None:
        """Give each paper that has none the next number of its series."""
        for each in documents:
            kind = kind_of(each)
            if not each.document_id:
                self._last[kind] = self._last.get(kind, 0) + 1
                each.document_id = f"{kind.upper()}-{self._last[kind]:06d}"
