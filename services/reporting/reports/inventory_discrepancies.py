"""Where inventory slips and counts do not agree: openers against closers, the two counts, error notifications."""

from collections.abc import Iterator, Mapping
from datetime import date

from services.kernel.money import dollars
from services.reporting.day import DayRecord
from services.reporting.discrepancy import named
from services.reporting.document import Document, standing
from services.reporting.periods import PaperFacts
from services.reporting.statistics import Limits
from services.reporting.table import CENTS, TEXT, Column, Row, Table

TITLE = "Inventory discrepancies"
COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("table", "Table", TEXT),
    Column("document", "Opener", TEXT),
    Column("closed_on", "Closed on", TEXT),
    Column("closer", "Closer", TEXT),
    Column("expected", "Expected", CENTS),
    Column("found", "Found", CENTS),
    Column("difference", "Difference", CENTS),
    Column("notice", "Notice", TEXT),
    Column("explained", "Explained", TEXT),
)
COUNT_COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("table", "Table", TEXT),
    Column("document", "Count", TEXT),
    Column("box", "Box", TEXT),
    Column("first", "First count", CENTS),
    Column("second", "Second count", CENTS),
    Column("difference", "Difference", CENTS),
)
OTHER_COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("reason", "Reason", TEXT),
    Column("subject", "Document or subject", TEXT),
    Column("detail", "Detail", TEXT),
)


def inventory_discrepancies(facts: PaperFacts, limits: Limits) -> tuple[Table, ...]:
    """Openers that are not the closers before them, boxes counted differently, everything else that is open."""
    openers = [row for record in facts.records for row in _openers(record, facts.closers[record.gaming_day], limits)]
    counts = [row for record in facts.records for row in _counts(record)]
    others = [
        (record.gaming_day.isoformat(), *each)
        for record in facts.records
        for each in record.discrepancies
        if each.reason != "OPENER_DIFFERS"
    ]
    notes = (
        (
            f"Notified: more than {dollars(limits.opener_notified)}; reported: {dollars(limits.opener_reported)} and"
            f" more ({limits.title})."
        ),
    )
    return (
        Table("openers", "Openers against closers", COLUMNS, tuple(openers), None, notes),
        Table("counts", "Counts that differ", COUNT_COLUMNS, tuple(counts)),
        Table("documents", "Other discrepancies of documents", OTHER_COLUMNS, tuple(others)),
    )


def notice(difference: int, limits: Limits) -> str:
    """Whom a difference is told, whatever its sign."""
    if abs(difference) >= limits.opener_reported:
        return "reported"
    return "notified" if abs(difference) > limits.opener_notified else ""


def _openers(record: DayRecord, closers: Mapping[str, Document], limits: Limits) -> Iterator[Row]:
    explained, seen = named(record.documents), set[str]()
    found = [each for each in standing(record.documents) if each.kind == "opener"]
    for opener in sorted(found, key=lambda each: each.occurred_at or each.posted_at):
        closer = closers.get(opener.table_id)
        if closer is None or opener.table_id in seen:
            continue
        seen.add(opener.table_id)
        difference = opener.amount_cents - closer.amount_cents
        if difference:
            said = "yes" if opener.document_id in explained else ""
            yield _opener_row(record.gaming_day, opener, closer, notice(difference, limits), said)


def _opener_row(day: date, opener: Document, closer: Document, told: str, explained: str) -> Row:
    return (
        day.isoformat(),
        opener.table_id,
        opener.document_id,
        closer.gaming_day.isoformat(),
        closer.document_id,
        closer.amount_cents,
        opener.amount_cents,
        opener.amount_cents - closer.amount_cents,
        told,
        explained,
    )


def _counts(record: DayRecord) -> Iterator[Row]:
    for each in standing(record.documents):
        first, second = each.first_count, each.second_count
        if first is not None and second is not None and first.amounts != second.amounts:
            one, two = (made.amounts.currency_cents + made.amounts.counter_checks_cents for made in (first, second))
            day = record.gaming_day.isoformat()
            yield day, each.table_id, each.document_id, each.box_serial, one, two, two - one
