"""What is wrong with a day's documents until somebody corrects or explains it (58 Pa. Code 465a.3, .25, .36 to .42)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from services.kernel.money import dollars
from services.reporting.document import SIGNATORIES, SLIPS, Document, IndependentCount, standing

COUNTS_DIFFER = "COUNTS_DIFFER"
CORRECTED_ALONE = (COUNTS_DIFFER, "SECOND_COUNT_MISSING")
"""No error notification explains these away: the box is counted again and the count corrected."""
NOTIFIED_KINDS = ("opener", "closer")
"""Table Inventory Slips: a correction of one takes an error notification."""


class Discrepancy(NamedTuple):
    """A named reason, the document, table or jackpot it is about, and what was expected and found."""

    reason: str
    subject: str
    detail: str


class PaidJackpot(NamedTuple):
    """A jackpot as progressives has it, whole cents."""

    amount_cents: int
    state: str


def named(documents: Iterable[Document]) -> set[str]:
    """All that the standing error notifications of a day are about."""
    return {name for each in standing(documents) if each.kind == "error_notification" for name in each.about}


def discrepancies(
    documents: Sequence[Document], closers: Mapping[str, Document], jackpots: Mapping[str, PaidJackpot]
) -> list[Discrepancy]:
    """The open ones of a day, by document in the order of posting, then by table.

    `documents`: all of the day, corrected ones too. `closers`: what stood last on earlier days, by table.
    `jackpots`: those that the day's jackpot slips name, as far as they are known.
    """
    counted, names = standing(documents), named(documents)
    found = [each for document in counted for each in _of_document(document, jackpots)]
    found += _corrections(documents, names)
    for table in sorted({document.table_id for document in counted}):
        found += _of_table(table, [each for each in counted if each.table_id == table], closers.get(table))
    return [each for each in found if each.reason in CORRECTED_ALONE or each.subject not in names]


def _of_document(document: Document, jackpots: Mapping[str, PaidJackpot]) -> Iterator[Discrepancy]:
    signed = [each.role for each in document.signatures]
    missing = [role for role in SIGNATORIES[document.kind] if role not in signed]
    if missing:
        said = (
            f"{_name(document)}: expected signatures of {', '.join(missing)} too; given {', '.join(signed) or 'none'}"
        )
        yield Discrepancy("SIGNATURE_MISSING", document.document_id, said)
    if document.kind in SLIPS and document.amount_cents and not document.denominations:
        said = f"{_name(document)}: expected {dollars(document.amount_cents)} by denomination; given none"
        yield Discrepancy("DENOMINATIONS_MISSING", document.document_id, said)
    if document.kind == "count":
        yield from _counts(document)
    if document.kind == "jackpot_slip":
        yield from _slip(document, jackpots.get(document.jackpot_id))


def _counts(document: Document) -> Iterator[Discrepancy]:
    first, second = document.first_count, document.second_count
    if first is None or second is None:
        by = first.counted_by if first else "nobody named"
        said = f"{_name(document)}: expected two independent counts; given one by {by}"
        yield Discrepancy("SECOND_COUNT_MISSING", document.document_id, said)
    elif not _agree(first, second):
        said = f"{_name(document)}: {_counted(first)}; {_counted(second)}"
        yield Discrepancy(COUNTS_DIFFER, document.document_id, said)


def _agree(first: IndependentCount, second: IndependentCount) -> bool:
    return first.amounts == second.amounts and set(first.denominations) == set(second.denominations)


def _counted(count: IndependentCount) -> str:
    currency, checks, coupons, promotional = (dollars(amount) for amount in count.amounts)
    return (
        f"{count.counted_by} counted currency {currency}, counter checks {checks}, coupons {coupons},"
        f" promotional {promotional}"
    )


def _slip(document: Document, jackpot: PaidJackpot | None) -> Iterator[Discrepancy]:
    if jackpot is None:
        said = f"{_name(document)}: expected a jackpot that progressives knows; given {document.jackpot_id}"
        yield Discrepancy("JACKPOT_UNKNOWN", document.document_id, said)
    elif (jackpot.amount_cents, jackpot.state) != (document.amount_cents, "paid"):
        said = (
            f"{_name(document)}: {dollars(document.amount_cents)}, jackpot {document.jackpot_id} is {jackpot.state}"
            f" with {dollars(jackpot.amount_cents)}"
        )
        yield Discrepancy("JACKPOT_SLIP_DIFFERS", document.document_id, said)


def _corrections(documents: Sequence[Document], names: set[str]) -> Iterator[Discrepancy]:
    for document in documents:
        wanted = document.corrects and document.kind in NOTIFIED_KINDS
        if wanted and not names & {document.document_id, document.corrects}:
            said = f"{_name(document)} corrects {document.corrects}: expected an error notification that names it"
            yield Discrepancy("CORRECTION_NOT_NOTIFIED", document.document_id, said)


def _of_table(table: str, documents: Sequence[Document], closer: Document | None) -> Iterator[Discrepancy]:
    opener = next(iter(sorted((each for each in documents if each.kind == "opener"), key=_moment)), None)
    if opener is not None and closer is not None and opener.amount_cents != closer.amount_cents:
        said = (
            f"{_name(opener)}: expected {dollars(closer.amount_cents)} as closed on {closer.gaming_day}"
            f" ({closer.document_id}); given {dollars(opener.amount_cents)}"
        )
        yield Discrepancy("OPENER_DIFFERS", opener.document_id, said)
    yield from _boxes(table, documents)
    yield from _checks(table, documents)


def _moment(document: Document) -> datetime:
    return document.occurred_at or document.posted_at


def _boxes(table: str, documents: Sequence[Document]) -> Iterator[Discrepancy]:
    dropped = {each.box_serial for each in documents if each.kind == "drop"}
    counted = Counter(each.box_serial for each in documents if each.kind == "count" and each.box_serial)
    for box in sorted(set(counted) - dropped):
        yield Discrepancy("BOX_NOT_DROPPED", box, f"box {box} of {table} was counted; expected its drop too")
    for box, times in sorted(counted.items()):
        if times > 1:
            yield Discrepancy("BOX_COUNTED_TWICE", box, f"box {box} of {table} stands on {times} counts; expected one")


def uncounted(documents: Iterable[Document]) -> list[tuple[str, str]]:
    """Table and number of each dropped box of which no count says what was in it."""
    found = standing(documents)
    counted = {(each.table_id, each.box_serial) for each in found if each.kind == "count"}
    return sorted({(each.table_id, each.box_serial) for each in found if each.kind == "drop"} - counted)


def _checks(table: str, documents: Sequence[Document]) -> Iterator[Discrepancy]:
    """Counter checks are in the box unless they were paid back before; without a count nothing is known yet."""
    counts = [each for each in documents if each.kind == "count"]
    issued, redeemed = (
        sum(each.amount_cents for each in documents if each.kind == kind)
        for kind in ("counter_check", "counter_check_redeemed")
    )
    dropped = sum(each.counter_checks_cents for each in counts)
    if counts and issued - redeemed != dropped:
        said = (
            f"{table}: counter checks issued {dollars(issued)}, redeemed {dollars(redeemed)}, counted"
            f" {dollars(dropped)}"
        )
        yield Discrepancy("COUNTER_CHECKS_DIFFER", f"{table}/counter_checks", said)


def _name(document: Document) -> str:
    return f"{document.kind} {document.document_id} of {document.table_id}"
