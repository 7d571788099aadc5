"""Between the contract's messages and this service's nouns."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from functools import lru_cache

from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.timestamp_pb2 import Timestamp

from casino.feeds.v1 import feeds_pb2
from casino.progressives.v1 import entries_pb2 as progressives_pb2
from casino.reporting.v1 import documents_pb2, reporting_service_pb2
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.settlement.v1 import entries_pb2 as settlements_pb2
from services.kernel.errors import DocumentImpossible, InvalidRequest
from services.kernel.house_edge import read_band
from services.reporting.document import KINDS, Document, TableSetting
from services.reporting.sums import (
    Heading,
    JackpotState,
    LinkVersion,
    PropertySetting,
    SettledWagers,
)
from services.reporting.table import Cell, Report, Row, Table
from services.runtime.feeds import NewEntry, kind_of
from services.runtime.server import SOFTWARE_VERSION
from services.runtime.store import EntryRow

POSTED = kind_of(documents_pb2.DocumentsEntry(), "posted")

PROPERTY_SET = kind_of(rounds_pb2.Entry(), "property_set")
TABLE_SET = kind_of(rounds_pb2.Entry(), "table_set")
ROUNDS_EXCEPTION = kind_of(rounds_pb2.Entry(), "exception")

SETTLED = kind_of(settlements_pb2.Entry(), "settled")
SETTLEMENT_EXCEPTION = kind_of(settlements_pb2.Entry(), "exception")

LINK = kind_of(progressives_pb2.Entry(), "link")
CONTRIBUTION = kind_of(progressives_pb2.Entry(), "contribution")
MOVEMENT = kind_of(progressives_pb2.Entry(), "movement")
JACKPOT = kind_of(progressives_pb2.Entry(), "jackpot")
PROGRESSIVES_EXCEPTION = kind_of(progressives_pb2.Entry(), "exception")

PostedAnswer = reporting_service_pb2.PostDocumentResponse


def _words(enum: EnumDescriptor, prefix: str) -> dict[int, str]:
    """The numbers of an enum and its names in lower case, without what they all begin with."""
    return {value.number: value.name.removeprefix(prefix).lower() for value in enum.values}


OUTCOMES = _words(settlements_pb2.Outcome.DESCRIPTOR, "OUTCOME_")
CAUSES = _words(progressives_pb2.MeterCause.DESCRIPTOR, "METER_CAUSE_")
JACKPOT_STATES = _words(progressives_pb2.JackpotState.DESCRIPTOR, "JACKPOT_STATE_")
KIND_NUMBERS = {
    word: number
    for number, word in _words(documents_pb2.DocumentKind.DESCRIPTOR, "DOCUMENT_KIND_").items()
    if word in KINDS
}
COLUMN_TYPES = {
    word: number for number, word in _words(reporting_service_pb2.ColumnType.DESCRIPTOR, "COLUMN_TYPE_").items()
}


@lru_cache(maxsize=256)
def day(text: str) -> date:
    """A gaming day as written in entries."""
    return date.fromisoformat(text)


def asked_day(text: str) -> date:
    """A gaming day as a caller writes it. Raises InvalidRequest."""
    try:
        return date.fromisoformat(text)
    except ValueError as problem:
        raise InvalidRequest(f"expected a gaming day as YYYY-MM-DD, given {text!r}") from problem


def _stamp(at: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(at)
    return stamp


def _instant(stamp: Timestamp) -> datetime:
    return stamp.ToDatetime(UTC)


def document(message: documents_pb2.Document, posted_by: str, posted_at: datetime) -> Document:
    """A document as a caller sends it, posted by that principal now. Raises InvalidRequest, DocumentImpossible."""
    names = {number: word for word, number in KIND_NUMBERS.items()}
    occurred = None
    if message.HasField("occurred_at"):
        try:
            occurred = _instant(message.occurred_at)
        except ValueError as problem:
            raise DocumentImpossible(f"{message.document_id}: expected a time of our era: {problem}") from problem
    return Document(
        document_id=message.document_id,
        property_id=message.property_id,
        kind=names.get(message.kind, ""),
        gaming_day=asked_day(message.gaming_day),
        shift=message.shift,
        table_id=message.table_id,
        amount_cents=message.amount_cents,
        currency_cents=message.currency_cents,
        counter_checks_cents=message.counter_checks_cents,
        occurred_at=occurred,
        posted_by=posted_by,
        posted_at=posted_at,
    )


def document_message(found: Document) -> documents_pb2.Document:
    """A document on the wire."""
    message = documents_pb2.Document(
        document_id=found.document_id,
        property_id=found.property_id,
        kind=documents_pb2.DocumentKind.ValueType(KIND_NUMBERS[found.kind]),
        gaming_day=found.gaming_day.isoformat(),
        shift=found.shift,
        table_id=found.table_id,
        amount_cents=found.amount_cents,
        currency_cents=found.currency_cents,
        counter_checks_cents=found.counter_checks_cents,
        posted_by=found.posted_by,
        posted_at=_stamp(found.posted_at),
    )
    if found.occurred_at is not None:
        message.occurred_at.CopyFrom(_stamp(found.occurred_at))
    return message


def document_entry(found: Document) -> NewEntry:
    """A document as an entry of the documents feed."""
    entry = documents_pb2.DocumentsEntry(posted=document_message(found))
    return NewEntry(POSTED, found.gaming_day, entry.SerializeToString(deterministic=True))


def document_of(entry: bytes) -> Document:
    """The document in an entry of the documents feed."""
    posted = documents_pb2.DocumentsEntry.FromString(entry).posted
    return document(posted, posted.posted_by, _instant(posted.posted_at))


def document_columns(row: EntryRow) -> tuple[int, date]:
    """Kind and gaming day as the entry's bytes give them."""
    entry = documents_pb2.DocumentsEntry.FromString(row.entry)
    kind = POSTED if entry.HasField("posted") else 0
    return kind, day(entry.posted.gaming_day)


def posted_answer(found: Document, position: int) -> PostedAnswer:
    """What the poster of a document is told."""
    return PostedAnswer(document=document_message(found), position=position)


def property_setting(message: rounds_pb2.PropertySettings) -> PropertySetting:
    """A property from a day on."""
    return PropertySetting(
        day(message.effective_from),
        message.title,
        message.time_zone,
        message.cut_over,
        list(message.shift_starts),
        *read_band(message.house_edge_from, message.house_edge_to),
    )


def table_setting(message: rounds_pb2.TableSettings) -> TableSetting:
    """A table from a day on."""
    return TableSetting(message.table_id, day(message.effective_from), message.pit, message.game)


def heading(settled: settlements_pb2.SettledRound) -> Heading:
    """What the wagers of a settled round share."""
    key = settled.key
    return (
        day(key.gaming_day),
        settled.shift,
        key.table_id,
        settled.dealer,
        settled.submission_id,
        settled.decks,
        settled.wheel,
    )


def settled_wagers(settled: settlements_pb2.SettledRound) -> SettledWagers:
    """The wagers of a settled round, each list read once."""
    return SettledWagers(
        settled.code,
        settled.paytable,
        settled.stake_cents,
        [OUTCOMES[number] for number in settled.outcome],
        settled.payout_cents,
        settled.inventory_cents,
        settled.breakage_micros,
    )


def link_version(message: progressives_pb2.Link) -> LinkVersion:
    """What a version of a link is for."""
    levels = [meter.level for meter in message.meters]
    return LinkVersion(message.link_id, message.version, message.code, message.paytable, levels)


def jackpot_state(message: progressives_pb2.Jackpot) -> JackpotState:
    """A jackpot as of its entry."""
    return JackpotState(
        message.jackpot_id,
        day(message.key.gaming_day),
        message.key.table_id,
        message.link_id,
        message.level,
        message.hit_id,
        message.amount_cents,
        message.paid_from,
        JACKPOT_STATES[message.state],
    )


def report_message(report: Report) -> reporting_service_pb2.Report:
    """A report on the wire, made by this software version."""
    return reporting_service_pb2.Report(
        name=report.name,
        title=report.title,
        property_id=report.property_id,
        gaming_day=report.gaming_day.isoformat(),
        day_starts=report.day_starts,
        generated_at=_stamp(report.generated_at),
        software_version=SOFTWARE_VERSION,
        requester=report.requester,
        positions=[
            feeds_pb2.UpstreamCursor(feed=feed, position=position)
            for feed, position in sorted(report.positions.items())
        ],
        complete_to_rounds_position=report.complete_to,
        tables=[_table_message(table) for table in report.tables],
    )


def _table_message(table: Table) -> reporting_service_pb2.ReportTable:
    message = reporting_service_pb2.ReportTable(
        name=table.name, title=table.title, rows=_row_messages(table.rows), notes=table.notes
    )
    for name, title, kind in table.columns:
        number = reporting_service_pb2.ColumnType.ValueType(COLUMN_TYPES[kind])
        message.columns.add(name=name, title=title, type=number)
    if table.totals is not None:
        message.totals.CopyFrom(_row_messages([table.totals])[0])
    return message


def _row_messages(rows: Iterable[Row]) -> list[reporting_service_pb2.Row]:
    return [reporting_service_pb2.Row(cells=[_cell_message(cell) for cell in row]) for row in rows]


def _cell_message(cell: Cell) -> reporting_service_pb2.Cell:
    if cell is None:
        return reporting_service_pb2.Cell()
    if isinstance(cell, str):
        return reporting_service_pb2.Cell(text=cell)
    return reporting_service_pb2.Cell(number=cell)
