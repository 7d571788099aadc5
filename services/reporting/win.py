"""The win of a banking table from its documents (58 Pa. Code 601a.9, ruling V1), and its hold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from services.kernel.money import decimal_text, dollars
from services.reporting.document import Document


@dataclass(frozen=True, slots=True)
class Inventory:
    """What the documents of one table and gaming day say, in cents; None where the document is missing.

    No fill or credit is none made; an opener, a count and a closer there always is. `issued`: counter checks
    written at the table, `checks`: those that were counted in the box.
    """

    opener: int | None
    fills: int
    credits: int
    drop: int | None
    closer: int | None
    issued: int = 0
    checks: int | None = None
    several: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """The documents without which there is no win."""
        there = {"opener": self.opener, "count": self.drop, "closer": self.closer}
        return tuple(name for name, amount in there.items() if amount is None)

    @property
    def win(self) -> int | None:
        """Closing inventory + credits + drop - opening inventory - fills; None if a document is missing."""
        if self.opener is None or self.drop is None or self.closer is None:
            return None
        return self.closer + self.credits + self.drop - self.opener - self.fills


def inventory(documents: Iterable[Document]) -> Inventory:
    """The documents of one table and day, in the order in which they were posted.

    A day begins with the first opener and ends with the last closer; every count of a box is drop.
    """
    by_kind: dict[str, list[Document]] = {}
    for document in documents:
        by_kind.setdefault(document.kind, []).append(document)
    openers = sorted(by_kind.get("opener", ()), key=_moment)
    closers = sorted(by_kind.get("closer", ()), key=_moment)
    counts = by_kind.get("count", [])
    return Inventory(
        opener=openers[0].amount_cents if openers else None,
        fills=_amount(by_kind.get("fill", ())),
        credits=_amount(by_kind.get("credit", ())),
        drop=_amount(counts) if counts else None,
        closer=closers[-1].amount_cents if closers else None,
        issued=_amount(by_kind.get("counter_check", ())),
        checks=sum(count.counter_checks_cents for count in counts) if counts else None,
        several=tuple(name for name, found in (("openers", openers), ("closers", closers)) if len(found) > 1),
    )


def _moment(document: Document) -> datetime:
    return document.occurred_at or document.posted_at


def _amount(documents: Iterable[Document]) -> int:
    return sum(document.amount_cents for document in documents)


def together(tables: Sequence[Inventory]) -> Inventory:
    """Several tables as one; a sum is missing where one of its parts is."""
    return Inventory(
        opener=whole([table.opener for table in tables]),
        fills=sum(table.fills for table in tables),
        credits=sum(table.credits for table in tables),
        drop=whole([table.drop for table in tables]),
        closer=whole([table.closer for table in tables]),
    )


def whole(amounts: Sequence[int | None]) -> int | None:
    """The sum, or None if a part is missing."""
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None


def hold(win: Fraction | int | None, base: int | None, digits: int = 2) -> str | None:
    """Win as a percentage of the drop (or of the handle) in decimals, half up; None where it is undefined."""
    if win is None or not base:
        return None
    return decimal_text(Fraction(win) * 100 / base, digits)


def notes(table_id: str, found: Inventory) -> list[str]:
    """What a reader must know of a table's documents, in sentences."""
    said = [f"{table_id}: {name} missing." for name in found.missing]
    said += [
        f"{table_id}: several {name}; the day goes from the first opener to the last closer." for name in found.several
    ]
    if found.checks is not None and found.issued != found.checks:
        said.append(f"{table_id}: counter checks issued {dollars(found.issued)}, counted {dollars(found.checks)}.")
    return said
