"""Gaming days on their way to filing: `casino day list|show|count|audit|file|restate|approve-restatement`."""

from collections.abc import Awaitable
from typing import Annotated

import typer

from casino.reporting.v1 import documents_pb2
from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.output import as_json, columns, exit_if, plain
from clients.cli.properties import read_day
from clients.cli.requests import Json, Property, ask_of, noun, print_one
from clients.sdk.client import Casino, new_request_id
from services.kernel.errors import Unknown

days_app = noun("Gaming days: open, counted, audited, filed, restated.")

GamingDay = Annotated[str, typer.Argument(help="Gaming day, YYYY-MM-DD.", metavar="DAY")]
Compare = Annotated[bool, typer.Option("--compare", help="Hold filed reports against the figures of now.")]


@days_app.command("list")
def list_days(
    from_day: Annotated[str, typer.Option("--from", help="First gaming day, YYYY-MM-DD.")] = "",
    to_day: Annotated[str, typer.Option("--to", help="Last gaming day, YYYY-MM-DD.")] = "",
    compare: Compare = False,
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Gaming days with their states, and how much stands in the way of each next one."""
    found = _days(property_id, from_day, to_day, compare)
    if json:
        return as_json([plain(each) for each in found])
    titles = ("day", "state", "version", "hours", "count", "audit", "file", "differs")
    return print(columns(titles, [_line(each) for each in found], range(2, 7)))


def _days(property_id: str | None, from_day: str, to_day: str, compare: bool) -> list[reporting.DayStatus]:
    def request_of(casino: Casino, known: str) -> Awaitable[reporting.ListDaysResponse]:
        request = reporting.ListDaysRequest(property_id=known, from_day=from_day, to_day=to_day, compare=compare)
        return casino.call(casino.reporting.ListDays, request)

    return list(ask_of(property_id, request_of).days)


def _line(day: reporting.DayStatus) -> tuple[object, ...]:
    blocks = [each.blocks for each in day.blockers]
    steps = (documents_pb2.DAY_STATE_COUNTED, documents_pb2.DAY_STATE_AUDITED, documents_pb2.DAY_STATE_FILED)
    hours = f"{day.minutes // 60}:{day.minutes % 60:02d}"
    counts = [blocks.count(step) or "" for step in steps]
    return (day.gaming_day, _state(day.state), day.version or "", hours, *counts, ", ".join(day.differs))


def _state(number: documents_pb2.DayState.ValueType) -> str:
    return documents_pb2.DayState.Name(number).removeprefix("DAY_STATE_").lower()


@days_app.command("show")
def show_day(day: GamingDay, property_id: Property = None, json: Json = False) -> None:
    """A gaming day: what it came to and who did it, what stands in the way, what was filed and whether it still holds.

    Exit code 1 where a filed report differs from the figures of now.
    """
    read_day(day)
    found = _days(property_id, day, day, compare=True)
    if not found:
        raise Unknown(f"expected a gaming day that was opened or has documents or rounds, given {day}")
    if json:
        as_json(plain(found[0]))
    else:
        print("\n".join(_described(found[0])))
    exit_if(bool(found[0].differs))


def _described(day: reporting.DayStatus) -> list[str]:
    hours = f"{day.minutes // 60}:{day.minutes % 60:02d} hours"
    lines = [f"{day.gaming_day}: {_state(day.state)}, from {day.day_starts}, {hours}"]
    for each in day.history:
        version = f" version {each.version}" if each.version else ""
        reason = f": {each.reason}" if each.reason else ""
        at = each.changed_at.ToJsonString()
        lines.append(f"  {_state(each.state)}{version} by {each.changed_by} at {at}{reason}")
    lines += [
        f"  filed: {each.name} version {each.version}, {each.size:,} bytes, SHA-256 {each.sha256.hex()}"
        for each in day.reports
    ]
    lines += [f"  not {_state(each.blocks)} yet: {each.reason}: {each.detail}" for each in day.blockers]
    return lines + [f"  differs from filed: {name}" for name in day.differs]


def _advance(day: str, to: documents_pb2.DayState.ValueType, property_id: str | None, json: bool) -> None:
    def request_of(casino: Casino, known: str) -> Awaitable[reporting.AdvanceDayResponse]:
        request = reporting.AdvanceDayRequest(request_id=new_request_id(), property_id=known, gaming_day=day, to=to)
        return casino.call(casino.reporting.AdvanceDay, request)

    print_one(ask_of(property_id, request_of), json)


@days_app.command("count")
def count_day(day: GamingDay, property_id: Property = None, json: Json = False) -> None:
    """Says that every table's documents are there and its boxes counted."""
    _advance(day, documents_pb2.DAY_STATE_COUNTED, property_id, json)


@days_app.command("audit")
def audit_day(day: GamingDay, property_id: Property = None, json: Json = False) -> None:
    """Says that documents, serial numbers and figures were held against each other; by another person than counted."""
    _advance(day, documents_pb2.DAY_STATE_AUDITED, property_id, json)


@days_app.command("file")
def file_day(day: GamingDay, property_id: Property = None, json: Json = False) -> None:
    """Files the day's reports: their bytes are kept and never change."""
    _advance(day, documents_pb2.DAY_STATE_FILED, property_id, json)


@days_app.command("restate")
def restate_day(
    day: GamingDay,
    reason: Annotated[str, typer.Option(help="Why.")],
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Proposes another version of a filed day whose figures have changed; the filed one stands until it is approved."""

    def request_of(casino: Casino, known: str) -> Awaitable[reporting.RestateDayResponse]:
        request = reporting.RestateDayRequest(
            request_id=new_request_id(), property_id=known, gaming_day=day, reason=reason
        )
        return casino.call(casino.reporting.RestateDay, request)

    print_one(ask_of(property_id, request_of), json)


@days_app.command("approve-restatement")
def approve_restatement(day: GamingDay, property_id: Property = None, json: Json = False) -> None:
    """Files the version that another person proposed; earlier ones stay as they are."""

    def request_of(casino: Casino, known: str) -> Awaitable[reporting.ApproveRestatementResponse]:
        request = reporting.ApproveRestatementRequest(request_id=new_request_id(), property_id=known, gaming_day=day)
        return casino.call(casino.reporting.ApproveRestatement, request)

    print_one(ask_of(property_id, request_of), json)
