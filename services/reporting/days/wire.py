"""Between the contract's gaming days and filed reports and this service's."""

from collections.abc import Iterable, Sequence

from casino.feeds.v1 import feeds_pb2
from casino.reporting.v1 import documents_pb2, reporting_service_pb2
from services.kernel.errors import InvalidRequest
from services.reporting.classes import CLASSES
from services.reporting.day import STATES, Blocker, DayChange
from services.reporting.filing import Filed
from services.reporting.table import Report
from services.reporting.tax import DayClass, Estimate
from services.reporting.wire import DAY, FILED, asked_day, day, instant, report_message, stamp, words
from services.runtime.feeds import NewEntry

STATE_NUMBERS = {
    word: number for number, word in words(documents_pb2.DayState.DESCRIPTOR, "DAY_STATE_").items() if word in STATES
}
STATE_NAMES = {number: word for word, number in STATE_NUMBERS.items()}

AdvanceAnswer = reporting_service_pb2.AdvanceDayResponse
RestateAnswer = reporting_service_pb2.RestateDayResponse
ApproveAnswer = reporting_service_pb2.ApproveRestatementResponse
Status = reporting_service_pb2.DayStatus


def asked_state(number: int) -> str:
    """A state as a caller asks for it; empty if there is no such state."""
    return STATE_NAMES.get(number, "")


def _state(name: str) -> documents_pb2.DayState.ValueType:
    return documents_pb2.DayState.ValueType(STATE_NUMBERS[name])


def change_message(change: DayChange) -> documents_pb2.DayStateChanged:
    """A state of a day on the wire."""
    return documents_pb2.DayStateChanged(
        property_id=change.property_id,
        gaming_day=change.gaming_day.isoformat(),
        state=_state(change.state),
        version=change.version,
        reason=change.reason,
        changed_by=change.changed_by,
        changed_at=stamp(change.changed_at),
    )


def change_entry(change: DayChange) -> NewEntry:
    """A state of a day as an entry of the documents feed."""
    entry = documents_pb2.DocumentsEntry(day=change_message(change))
    return NewEntry(DAY, change.gaming_day, entry.SerializeToString(deterministic=True))


def change_of(message: documents_pb2.DayStateChanged) -> DayChange:
    """The state of a day in an entry of the documents feed."""
    return DayChange(
        message.property_id,
        day(message.gaming_day),
        STATE_NAMES[message.state],
        message.version,
        message.reason,
        message.changed_by,
        instant(message.changed_at),
    )


def filed_message(filed: Filed) -> documents_pb2.FiledReport:
    """A filed report, but its bytes, on the wire."""
    return documents_pb2.FiledReport(
        property_id=filed.property_id,
        gaming_day=filed.gaming_day.isoformat(),
        name=filed.name,
        version=filed.version,
        sha256=filed.sha256,
        size=filed.size,
        positions=[
            feeds_pb2.UpstreamCursor(feed=feed, position=position) for feed, position in sorted(filed.positions.items())
        ],
        filed_by=filed.filed_by,
        approved_by=filed.approved_by,
        filed_at=stamp(filed.filed_at),
    )


def filed_entry(filed: Filed) -> NewEntry:
    """A filed report as an entry of the documents feed."""
    entry = documents_pb2.DocumentsEntry(filed=filed_message(filed))
    return NewEntry(FILED, filed.gaming_day, entry.SerializeToString(deterministic=True))


def filed_of(message: documents_pb2.FiledReport) -> Filed:
    """The filed report in an entry of the documents feed."""
    return Filed(
        message.property_id,
        day(message.gaming_day),
        message.name,
        message.version,
        message.sha256,
        message.size,
        {cursor.feed: cursor.position for cursor in message.positions},
        message.filed_by,
        message.approved_by,
        instant(message.filed_at),
    )


def report_content(report: Report, version: int) -> bytes:
    """A report's bytes, the same for the same report."""
    return report_message(report, version).SerializeToString(deterministic=True)


def says_other(content: bytes, report: Report) -> bool:
    """Whether the tables of a filed report are not those of the figures of now."""
    filed = reporting_service_pb2.Report.FromString(content)
    return list(filed.tables) != list(report_message(report).tables)


def asked_differences(request: reporting_service_pb2.EstimateTaxRequest) -> dict[DayClass, int]:
    """By how much revenue would be other, in cents, by gaming day and class. Raises InvalidRequest."""
    found: dict[DayClass, int] = {}
    for each in request.differences:
        key = asked_day(each.gaming_day), each.revenue_class
        if each.revenue_class not in CLASSES:
            raise InvalidRequest(
                f"expected a class of revenue: {', '.join(CLASSES)}; given {each.revenue_class or 'none'}"
            )
        if key in found:
            raise InvalidRequest(f"expected one difference for a day and class; given two for {key[0]} {key[1]}")
        found[key] = each.difference_cents
    if not found:
        raise InvalidRequest("expected at least one difference, given none")
    return found


def estimates_answer(title: str, found: Iterable[Estimate]) -> reporting_service_pb2.EstimateTaxResponse:
    """What differences would change of the tax, on the wire."""
    return reporting_service_pb2.EstimateTaxResponse(
        schedule=title,
        estimates=[
            reporting_service_pb2.TaxEstimate(
                gaming_day=each.gaming_day.isoformat(),
                revenue_class=each.revenue_class,
                difference_cents=each.difference,
                revenue_cents=each.revenue,
                tax_cents=each.tax,
                tax_difference_cents=each.change,
            )
            for each in found
        ],
    )


def advance_answer(change: DayChange, filed: Sequence[Filed]) -> AdvanceAnswer:
    """What who advances a day is told."""
    return AdvanceAnswer(day=change_message(change), reports=[filed_message(each) for each in filed])


def restate_answer(change: DayChange, filed: Sequence[Filed]) -> RestateAnswer:
    """What who proposes a restatement is told; nothing is filed by it."""
    assert not filed
    return RestateAnswer(day=change_message(change))


def approve_answer(change: DayChange, filed: Sequence[Filed]) -> ApproveAnswer:
    """What who approves a restatement is told."""
    return ApproveAnswer(day=change_message(change), reports=[filed_message(each) for each in filed])


def blocker_messages(blockers: Iterable[Blocker]) -> list[reporting_service_pb2.DayBlocker]:
    """What stands in the way, on the wire."""
    return [
        reporting_service_pb2.DayBlocker(
            blocks=_state(each.blocks), reason=each.reason, subject=each.subject, detail=each.detail
        )
        for each in blockers
    ]


def status_message(
    property_id: str,
    gaming_day: str,
    state: str,
    history: Sequence[DayChange],
    filed: Sequence[Filed],
    blockers: Sequence[Blocker],
    starts: str,
    minutes: int,
    differs: Sequence[str],
) -> Status:
    """A gaming day as it stands."""
    return Status(
        property_id=property_id,
        gaming_day=gaming_day,
        state=_state(state),
        version=history[-1].version if history else 0,
        day_starts=starts,
        minutes=minutes,
        history=[change_message(each) for each in history],
        blockers=blocker_messages(blockers),
        reports=[filed_message(each) for each in filed],
        differs=differs,
    )
