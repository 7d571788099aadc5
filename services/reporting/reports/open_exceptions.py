"""What is open: everything that keeps the days of a period from being counted, audited or filed, by day."""

from collections.abc import Iterable, Sequence

from services.reporting.day import DayRecord
from services.reporting.filing import Filed
from services.reporting.periods import PaperFacts
from services.reporting.reports import restatements
from services.reporting.reports.restatements import Restatement
from services.reporting.table import COUNT, TEXT, Column, Row, Table

TITLE = "Exceptions"
COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("blocks", "Keeps from", TEXT),
    Column("reason", "Reason", TEXT),
    Column("subject", "Document or subject", TEXT),
    Column("detail", "Detail", TEXT),
)
EXPLAINED_COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("document", "Error notification", TEXT),
    Column("about", "About", TEXT),
    Column("reason", "Reason", TEXT),
)
REASON_COLUMNS = (Column("reason", "Reason", TEXT), Column("count", "Count", COUNT))


def open_exceptions(
    facts: PaperFacts, filed: Iterable[Filed] = (), restated: Sequence[Restatement] = ()
) -> tuple[Table, ...]:
    """Each open one with its reason and document, the counts by reason, what was explained, and filed days that stand
    on an older version of a day before them.
    """
    rows = [row for record in facts.records for row in _rows(record)]
    counts: dict[str, int] = {}
    for row in rows:
        counts[str(row[2])] = counts.get(str(row[2]), 0) + 1
    notes = ("An error notification that names the subject explains it, or a correction does; then it is not open.",)
    return (
        Table("open", "Open", COLUMNS, tuple(rows), None, notes),
        Table("reasons", "By reason", REASON_COLUMNS, tuple(sorted(counts.items())), ("total", len(rows))),
        Table("explained", "Explained", EXPLAINED_COLUMNS, tuple(_explained(facts))),
        restatements.outdated(filed, restated),
    )


def _rows(record: DayRecord) -> list[Row]:
    day = record.gaming_day.isoformat()
    return [(day, each.blocks, each.reason, each.subject, each.detail) for each in record.blockers()]


def _explained(facts: PaperFacts) -> list[Row]:
    return [
        (record.gaming_day.isoformat(), each.document_id, subject, each.reason)
        for record in facts.records
        for each in record.documents
        if each.kind == "error_notification"
        for subject in each.about
    ]
