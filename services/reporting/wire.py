"""Between the contract's messages and this service's nouns."""

from calendar import monthrange
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from operator import attrgetter

from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.timestamp_pb2 import Timestamp

from casino.feeds.v1 import feeds_pb2
from casino.progressives.v1 import entries_pb2 as progressives_pb2
from casino.reporting.v1 import documents_pb2, reporting_service_pb2
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.settlement.v1 import entries_pb2 as settlements_pb2
from services.kernel.clock import day_written
from services.kernel.errors import InvalidRequest
from services.kernel.house_edge import read_band
from services.reporting.document import TableSetting
from services.reporting.payments.payment import JackpotStep
from services.reporting.sums import (
    Heading,
    JackpotState,
    LinkVersion,
    PropertySetting,
    SettledWagers,
    TableTerms,
)
from services.reporting.table import Cell, Report, Row, Table
from services.runtime.feeds import kind_of
from services.runtime.server import SOFTWARE_VERSION

POSTED, DAY, FILED = (kind_of(documents_pb2.DocumentsEntry(), name) for name in ("posted", "day", "filed"))

PROPERTY_SET = kind_of(rounds_pb2.Entry(), "property_set")
DAY_OPENED = kind_of(rounds_pb2.Entry(), "day_opened")
TABLE_SET = kind_of(rounds_pb2.Entry(), "table_set")
ROUNDS_EXCEPTION = kind_of(rounds_pb2.Entry(), "exception")
ROUNDS_RESOLVED = kind_of(rounds_pb2.Entry(), "exception_resolved")
READ_OF_ROUNDS = frozenset((PROPERTY_SET, DAY_OPENED, TABLE_SET, ROUNDS_EXCEPTION, ROUNDS_RESOLVED))

SETTLED = kind_of(settlements_pb2.Entry(), "settled")
SETTLEMENT_EXCEPTION = kind_of(settlements_pb2.Entry(), "exception")

LINK = kind_of(progressives_pb2.Entry(), "link")
CONTRIBUTION = kind_of(progressives_pb2.Entry(), "contribution")
MOVEMENT = kind_of(progressives_pb2.Entry(), "movement")
JACKPOT = kind_of(progressives_pb2.Entry(), "jackpot")
PROGRESSIVES_EXCEPTION = kind_of(progressives_pb2.Entry(), "exception")
DECISION = kind_of(progressives_pb2.Entry(), "decision")
ALERT = kind_of(progressives_pb2.Entry(), "alert")

_HEADING = attrgetter("shift", "dealer", "submission_id", "decks", "wheel")


def words(enum: EnumDescriptor, prefix: str) -> dict[int, str]:
    """The numbers of an enum and its names in lower case, without what they all begin with."""
    return {value.number: value.name.removeprefix(prefix).lower() for value in enum.values}


OUTCOMES = words(settlements_pb2.Outcome.DESCRIPTOR, "OUTCOME_")
CAUSES = words(progressives_pb2.MeterCause.DESCRIPTOR, "METER_CAUSE_")
JACKPOT_STATES = words(progressives_pb2.JackpotState.DESCRIPTOR, "JACKPOT_STATE_")
LINK_STATES = words(progressives_pb2.LinkState.DESCRIPTOR, "LINK_STATE_")
DECISION_STATES = words(progressives_pb2.DecisionState.DESCRIPTOR, "DECISION_STATE_")
ALERT_KINDS = words(progressives_pb2.AlertKind.DESCRIPTOR, "ALERT_KIND_")
ALERT_STATES = words(progressives_pb2.AlertState.DESCRIPTOR, "ALERT_STATE_")
COLUMN_TYPES = {
    word: number for number, word in words(reporting_service_pb2.ColumnType.DESCRIPTOR, "COLUMN_TYPE_").items()
}


@lru_cache(maxsize=256)
def day(text: str) -> date:
    """A gaming day as written in entries."""
    return date.fromisoformat(text)


def asked_day(text: str) -> date:
    """A gaming day as a caller writes it. Raises InvalidRequest."""
    return day_written(text, "a gaming day as YYYY-MM-DD")


def asked_period(request: reporting_service_pb2.GetReportRequest) -> tuple[date, date]:
    """First and last gaming day of what a caller asks for, the same for a day. Raises InvalidRequest."""
    if request.from_day or request.to_day:
        if request.gaming_day or request.period:
            raise InvalidRequest("expected from_day and to_day, or a gaming_day; given both")
        return asked_range(request.from_day, request.to_day)
    day = asked_day(request.gaming_day)
    if request.period == "week":
        monday = day - timedelta(days=day.weekday())
        return monday, monday + timedelta(days=6)
    if request.period == "month":
        return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])
    if request.period:
        raise InvalidRequest(f"expected a period: week, month, or none for the day; given {request.period!r}")
    return day, day


def asked_range(first: str, last: str) -> tuple[date, date]:
    """Gaming days from one to another. Raises InvalidRequest."""
    days = asked_day(first), asked_day(last)
    if days[0] > days[1]:
        raise InvalidRequest(f"expected a first day no later than the last, given {first} to {last}")
    return days


def stamp(at: datetime) -> Timestamp:
    """An instant on the wire."""
    made = Timestamp()
    made.FromDatetime(at)
    return made


def instant(told: Timestamp) -> datetime:
    """An instant from the wire, in UTC. Raises ValueError beyond our era."""
    return told.ToDatetime(UTC)


def property_setting(message: rounds_pb2.PropertySettings) -> PropertySetting:
    """A property from a day on."""
    return PropertySetting(
        day(message.effective_from),
        message.title,
        message.time_zone,
        message.cut_over,
        list(message.shift_starts),
        *read_band(message.house_edge_from, message.house_edge_to),
        message.jurisdiction,
    )


def table_setting(message: rounds_pb2.TableSettings) -> TableSetting:
    """A table from a day on."""
    return TableSetting(message.table_id, day(message.effective_from), message.pit, message.game)


def table_terms(position: int, data: bytes) -> list[TableTerms]:
    """What an entry of the submissions feed says of each of its tables."""
    approved = settlements_pb2.SubmissionsEntry.FromString(data).approved
    return [
        TableTerms(
            position,
            each.table_id,
            approved.submission_id,
            day(approved.effective_from),
            each.kind,
            [(offer.code, offer.paytable) for offer in each.offers],
        )
        for each in approved.tables
    ]


def heading(settled: settlements_pb2.SettledRound) -> Heading:
    """What the wagers of a settled round share."""
    key, (shift, dealer, submission_id, decks, wheel) = settled.key, _HEADING(settled)
    return day(key.gaming_day), shift, key.table_id, dealer, submission_id, decks, wheel


def settled_wagers(settled: settlements_pb2.SettledRound) -> SettledWagers:
    """The wagers of a settled round. Lists are copied at once: a message makes a value anew each time it is asked."""
    return SettledWagers(
        settled.code[:],
        settled.paytable[:],
        settled.stake_cents[:],
        list(map(OUTCOMES.__getitem__, settled.outcome[:])),
        settled.payout_cents[:],
        settled.inventory_cents[:],
        settled.breakage_micros[:],
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


def jackpot_step(position: int, message: progressives_pb2.Jackpot, state: JackpotState) -> JackpotStep:
    """A state of a jackpot, with what of it stands as paid by slip."""
    standing = state.amount_cents if (state.state, state.paid_from) == ("paid", "slip") else 0
    at = instant(message.at) if message.HasField("at") else None
    return JackpotStep(position, state.jackpot_id, state.gaming_day, state.table_id, standing, at)


def report_message(report: Report, version: int = 0) -> reporting_service_pb2.Report:
    """A report on the wire, made by this software version; `version`: filed under it, 0 if it is not."""
    return reporting_service_pb2.Report(
        name=report.name,
        title=report.title,
        property_id=report.property_id,
        gaming_day=report.gaming_day.isoformat(),
        day_starts=report.day_starts,
        generated_at=stamp(report.generated_at),
        software_version=SOFTWARE_VERSION,
        requester=report.requester,
        positions=[
            feeds_pb2.UpstreamCursor(feed=feed, position=position)
            for feed, position in sorted(report.positions.items())
        ],
        complete_to_rounds_position=report.complete_to,
        tables=[_table_message(table) for table in report.tables],
        version=version,
        from_day="" if report.first in (None, report.gaming_day) else str(report.first),
        signatures=report.signatures,
    )


def _table_message(table: Table) -> reporting_service_pb2.ReportTable:
    message = reporting_service_pb2.ReportTable(
        name=table.name, title=table.title, rows=_row_messages(table.rows), notes=table.notes
    )
    for name, title, kind in table.columns:
        number = reporting_service_pb2.ColumnType.ValueType(COLUMN_TYPES[kind])
        message.columns.add(name=name, title=title, type=number)
    if table.plot is not None:
        drawn = reporting_service_pb2.PlotKind.Value(f"PLOT_KIND_{table.plot.kind.upper()}")
        message.plot.CopyFrom(reporting_service_pb2.Plot(kind=drawn, x=table.plot.x, y=table.plot.y))
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
