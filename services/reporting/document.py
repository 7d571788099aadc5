"""A table document: a slip, a check or a count of the floor or the cage (58 Pa. Code 465a.25 to 465a.42)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import NamedTuple

from services.kernel.errors import DocumentImpossible, SamePrincipal
from services.kernel.money import dollars

SLIPS = ("opener", "fill", "credit", "closer")
"""Slips on chips in a table's inventory, by denomination (465a.36 to .42)."""
AMOUNTLESS = ("drop", "error_notification", "meter_reading")
"""Kinds whose amount is nothing: what they say stands in other parts."""
KINDS = (
    "opener",
    "fill",
    "credit",
    "counter_check",
    "count",
    "closer",
    "drop",
    "vigorish_uncollected",
    "vigorish_recovered",
    "counter_check_redeemed",
    "jackpot_slip",
    "error_notification",
    "meter_reading",
    "estimate",
)
"""Inventory slips, fill and credit slips, counter checks, drop boxes and their counts, vigorish owed and paid later,
progressive jackpot slips, error notifications, meter readings of electronic tables, estimated drop.

Chips enter and leave a tray by cash, counter checks, wins and losses, equal exchange, fill or credit, and vigorish
alone (465a.36(b)); there is no kind for anything else.
"""

SIGNATORIES: dict[str, tuple[str, ...]] = {
    "opener": ("dealer", "floorperson"),
    "closer": ("dealer", "floorperson"),
    "fill": ("floorperson", "cashier", "security", "dealer"),
    "credit": ("floorperson", "dealer", "security", "cashier"),
    "counter_check": ("preparer", "floorperson"),
    "counter_check_redeemed": ("cashier",),
    "drop": ("security", "drop_team"),
    "count": ("count_supervisor",),
    "vigorish_uncollected": ("dealer", "floorperson"),
    "vigorish_recovered": ("dealer", "floorperson"),
    "jackpot_slip": ("cashier", "floorperson"),
    "error_notification": ("preparer",),
    "meter_reading": ("reader",),
    "estimate": (),
}
"""Whose signatures a kind bears, by role: those through whose hands the chips or the paper go (465a.25, .36 to .42).

A boxperson signs as the dealer of a craps table does. Counters sign by their counts.
"""

LARGEST_CENTS = 10**15


class TableSetting(NamedTuple):
    """Where a table stands and what it deals, from a gaming day on; who set it at which position of the rounds feed."""

    table_id: str
    effective_from: date
    pit: str
    game: str
    set_by: str = ""
    set_at: datetime | None = None
    position: int = 0


class Denomination(NamedTuple):
    """Chips or notes of one value, whole cents; the amount is a multiple of the value."""

    value_cents: int
    amount_cents: int


class Amounts(NamedTuple):
    """What is in a drop box, whole cents. Coupons and promotional amounts are never currency."""

    currency_cents: int
    counter_checks_cents: int
    coupons_cents: int
    promotional_cents: int


class IndependentCount(NamedTuple):
    """One person's count of a drop box, made without knowing another's; denominations of its currency, or none."""

    counted_by: str
    amounts: Amounts
    denominations: tuple[Denomination, ...] = ()


class Signature(NamedTuple):
    """Who signed in which role; `at` None: the document does not say when."""

    role: str
    name: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """Amounts in whole cents; a count's amount is its currency and counter checks, which others do not have.

    `shift` 0 stands for the whole day. `occurred_at` None: the document does not say. Who posted it, and
    when, is no part of what it says. `corrects` names the document in whose place this one stands.
    `about`: the documents and missing serial numbers that an error notification explains.
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
    denominations: tuple[Denomination, ...] = ()
    first_count: IndependentCount | None = None
    second_count: IndependentCount | None = None
    coupons_cents: int = 0
    promotional_cents: int = 0
    box_serial: str = ""
    signatures: tuple[Signature, ...] = ()
    corrects: str = ""
    reason: str = ""
    jackpot_id: str = ""
    about: tuple[str, ...] = ()
    wagers_cents: int = 0
    payouts_cents: int = 0

    @property
    def amounts(self) -> Amounts:
        """What a count says was in the box."""
        return Amounts(self.currency_cents, self.counter_checks_cents, self.coupons_cents, self.promotional_cents)

    @property
    def counts(self) -> tuple[IndependentCount, ...]:
        """The independent counts that were made."""
        return tuple(each for each in (self.first_count, self.second_count) if each is not None)

    def check(self, shifts: int) -> None:
        """Holds the document against itself and the day's number of shifts. Raises DocumentImpossible."""
        if not self.document_id or self.document_id != self.document_id.strip():
            self._refuse("a serial number without spaces around it", repr(self.document_id))
        if self.kind not in KINDS:
            self._refuse(f"a kind: {', '.join(KINDS)}", self.kind or "none")
        if not 0 <= self.shift <= shifts:
            self._refuse(f"a shift from 1 to {shifts}, or 0 for the whole day", str(self.shift))
        for amount in (self.amount_cents, *self.amounts, self.wagers_cents, self.payouts_cents):
            self._check_amount(amount)
        self._check_parts()
        self._check_denominations()
        self._check_counts()
        self._check_words()
        self._check_signatures()

    def check_correction(self, of: "Document", corrected_by: str) -> None:
        """Holds a correction against the document it names (`corrected_by`: who stands in its place already).

        Raises DocumentImpossible (another kind or day, corrected before), SamePrincipal.
        """
        if (of.kind, of.gaming_day) != (self.kind, self.gaming_day):
            self._refuse(
                f"a correction of {of.document_id} to be a {of.kind} on {of.gaming_day} as it is",
                f"a {self.kind} on {self.gaming_day}",
            )
        if corrected_by:
            self._refuse(f"to correct {corrected_by}, which stands in the place of {of.document_id}", of.document_id)
        if of.posted_by == self.posted_by:
            raise SamePrincipal(
                f"{self.document_id}: expected {of.document_id} to be corrected by another person than who posted it;"
                f" given {self.posted_by}"
            )

    def says_the_same(self, other: "Document") -> bool:
        """Whether both are one document, whoever posted it and when."""
        return self == replace(other, posted_by=self.posted_by, posted_at=self.posted_at)

    def _check_amount(self, amount: int) -> None:
        if not 0 <= amount <= LARGEST_CENTS:
            self._refuse(f"amounts from 0.00 to {dollars(LARGEST_CENTS)}", dollars(amount))

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
        aside = self.coupons_cents + self.promotional_cents
        if self.kind != "count" and aside:
            self._refuse(
                "coupons and promotional amounts on a count alone, apart", f"{dollars(aside)} on a {self.kind}"
            )
        if self.kind in AMOUNTLESS and self.amount_cents:
            self._refuse(f"no amount on a {self.kind}", dollars(self.amount_cents))
        metered = self.wagers_cents + self.payouts_cents
        if self.kind != "meter_reading" and metered:
            self._refuse("wagers and payouts on a meter_reading alone", f"{dollars(metered)} on a {self.kind}")

    def _check_denominations(self) -> None:
        listed = [(self.denominations, self.currency_cents if self.kind == "count" else self.amount_cents)]
        listed += [(each.denominations, each.amounts.currency_cents) for each in self.counts]
        for denominations, total in listed:
            for value, amount in denominations:
                if value <= 0 or not 0 <= amount <= LARGEST_CENTS or amount % value:
                    self._refuse("whole pieces of a denomination", f"{dollars(amount)} in pieces of {dollars(value)}")
            values = [each.value_cents for each in denominations]
            if len(set(values)) != len(values):
                self._refuse("each denomination once", ", ".join(dollars(value) for value in values))
            together = sum(each.amount_cents for each in denominations)
            if denominations and together != total:
                self._refuse(f"denominations that sum to {dollars(total)}", dollars(together))

    def _check_counts(self) -> None:
        if self.counts and self.kind != "count":
            self._refuse("independent counts on a count alone", f"one on a {self.kind}")
        if self.second_count and not self.first_count:
            self._refuse("a first count before a second", "the second alone")
        for each in self.counts:
            if not each.counted_by.strip():
                self._refuse("an independent count to name its counter", "none")
            for amount in each.amounts:
                self._check_amount(amount)
        if len({each.counted_by for each in self.counts}) != len(self.counts):
            self._refuse("two counts by two different people", self.counts[0].counted_by)
        if self.counts and self.amounts not in {each.amounts for each in self.counts}:
            self._refuse("the amounts of one of its independent counts", dollars(self.amount_cents))

    def _check_words(self) -> None:
        if self.kind == "drop" and not self.box_serial.strip():
            self._refuse("the serial number of the drop box", "none")
        if self.box_serial and self.kind not in ("drop", "count"):
            self._refuse("a box serial on a drop or a count alone", f"{self.box_serial} on a {self.kind}")
        if (self.kind == "jackpot_slip") != bool(self.jackpot_id):
            self._refuse("a jackpot_id on a jackpot_slip and there alone", self.jackpot_id or "none")
        if (self.kind == "error_notification") != bool(self.about):
            given = ", ".join(self.about) or "none"
            self._refuse("an error_notification, and it alone, to name what it is about", given)
        explains = self.kind == "error_notification" or bool(self.corrects)
        if explains != bool(self.reason.strip()):
            self._refuse("a reason on a correction or an error_notification, and there alone", repr(self.reason))
        if self.corrects and self.corrects == self.document_id:
            self._refuse("a correction to name another document", self.corrects)

    def _check_signatures(self) -> None:
        if self.kind == "estimate" and self.signatures:
            self._refuse("no signature on an estimate", self.signatures[0].role)
        known = SIGNATORIES[self.kind]
        for role, name, _ in self.signatures:
            if role not in known:
                self._refuse(f"signatures of {', '.join(known)}", role or "none")
            if not name.strip():
                self._refuse(f"the {role} to sign by name", repr(name))
        roles, names = [each.role for each in self.signatures], [each.name for each in self.signatures]
        if len(set(roles)) != len(roles):
            self._refuse("one signature for each role", ", ".join(roles))
        if len(set(names)) != len(names):
            self._refuse("a different person in every role", ", ".join(names))

    def _refuse(self, expected: str, given: str) -> None:
        name = self.document_id or "a document"
        raise DocumentImpossible(f"{name}: expected {expected}; given {given}")


def standing(documents: Iterable[Document]) -> list[Document]:
    """The documents of whole gaming days that count: each corrected one is left out for its correction."""
    found = list(documents)
    corrected = {document.corrects for document in found}
    return [document for document in found if document.document_id not in corrected]
