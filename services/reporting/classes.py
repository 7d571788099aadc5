"""Classes of win: which part of a table's money is which class of revenue (58 Pa. Code 601a.9, 605a.5).

Nonbanking tables (poker, by its rake) are no part of this platform and have no class here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from services.games.wagers import AUTOMATED
from services.reporting.document import Document
from services.reporting.win import Inventory, inventory

LIVE, HYBRID = "live", "hybrid"
"""Kinds of table beside AUTOMATED, as a Rules Submission has them."""

BANKING, FELT, TERMINALS = "banking", "hybrid_felt", "hybrid_terminals"
CLASSES = (BANKING, FELT, TERMINALS, AUTOMATED)
"""Live tables; hybrid tables on the felt and at their terminals; fully automated tables."""
ELECTRONIC = (TERMINALS, AUTOMATED)
"""Classes whose win is what their meters counted: wagers less payouts (605a.5), in place of a drop."""


@dataclass(frozen=True, slots=True)
class Papers:
    """What the documents of one table and day say, in cents; None where the document is missing.

    Coupons and promotional amounts lie in the box and are neither currency nor drop. The metered amounts are of
    the table's electronic meters; the estimate is the drop as the pit estimated it, in no win.
    """

    inventory: Inventory
    currency: int | None = None
    coupons: int = 0
    promotional: int = 0
    metered_wagers: int | None = None
    metered_payouts: int | None = None
    estimate: int | None = None

    @property
    def metered(self) -> int | None:
        """What the meters say was won; None if they were not read."""
        if self.metered_wagers is None or self.metered_payouts is None:
            return None
        return self.metered_wagers - self.metered_payouts

    @property
    def felt(self) -> bool:
        """Whether any slip says that chips were on the table."""
        found = self.inventory
        return len(found.missing) < 3 or bool(found.fills or found.credits)

    @property
    def closed(self) -> bool:
        """Whether nothing says that the table was open: no slip, no counter check, no reading of its meters."""
        return not self.felt and not self.inventory.issued and self.metered_wagers is None


def papers(documents: Iterable[Document]) -> Papers:
    """What the standing documents of one table and day say, in the order in which they were posted."""
    found = list(documents)
    counts, readings, estimates = (
        [each for each in found if each.kind == kind] for kind in ("count", "meter_reading", "estimate")
    )
    return Papers(
        inventory(found),
        currency=sum(each.currency_cents for each in counts) if counts else None,
        coupons=sum(each.coupons_cents for each in counts),
        promotional=sum(each.promotional_cents for each in counts),
        metered_wagers=sum(each.wagers_cents for each in readings) if readings else None,
        metered_payouts=sum(each.payouts_cents for each in readings) if readings else None,
        estimate=sum(each.amount_cents for each in estimates) if estimates else None,
    )


class ClassLine(NamedTuple):
    """One class's part of a table's day, in cents: win before progressives, what of them was paid by slip (ruling V2).

    `paid` is of the day of the payment, below zero where payments that were voided outweigh it (ruling V4). `base` is
    what its hold is of: the drop, of an electronic class the metered wagers. None: a document is missing.
    """

    revenue_class: str
    before: int | None
    paid: int
    base: int | None

    @property
    def win(self) -> int | None:
        """The win after what was paid off the inventory."""
        return None if self.before is None else self.before - self.paid


def kind_of(filed: str, papers: Papers) -> str:
    """The kind of table that its Rules Submission files; where none is known, what its documents show."""
    if filed:
        return filed
    if papers.metered_wagers is None:
        return LIVE
    return HYBRID if papers.felt else AUTOMATED


def class_lines(kind: str, papers: Papers, paid: int, *, played: bool = True) -> tuple[ClassLine, ...]:
    """The lines of a table's day; a hybrid table's felt stands beside its terminals if it has any slip.

    What was paid by slip is the felt's where there is one. A table that was closed and not played won nothing: only a
    jackpot of an earlier day was paid.
    """
    felt = ClassLine(BANKING, papers.inventory.win, paid, papers.inventory.drop)
    if papers.closed and not played:
        return (ClassLine({AUTOMATED: AUTOMATED, HYBRID: FELT}.get(kind, BANKING), 0, paid, 0),)
    if kind == AUTOMATED:
        return (ClassLine(AUTOMATED, papers.metered, paid, papers.metered_wagers),)
    if kind != HYBRID:
        return (felt,)
    if not papers.felt:
        return (ClassLine(TERMINALS, papers.metered, paid, papers.metered_wagers),)
    return felt._replace(revenue_class=FELT), ClassLine(TERMINALS, papers.metered, 0, papers.metered_wagers)


def notes(table_id: str, kind: str, papers: Papers) -> list[str]:
    """What a reader must know of a table whose documents are not those of its kind, in sentences."""
    said = []
    if kind == AUTOMATED and papers.felt:
        said.append(f"{table_id}: slips on a fully automated table, in no win.")
    if kind in (AUTOMATED, HYBRID) and papers.metered is None:
        said.append(f"{table_id}: meter_reading missing.")
    if kind not in (AUTOMATED, HYBRID) and papers.metered is not None:
        said.append(f"{table_id}: a meter_reading of a live table, in no win.")
    return said
