"""Named reports of a gaming day or a period: `casino report NAME`."""

import asyncio
import sys
import time as clock
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli import render
from clients.cli.home import connected
from clients.cli.properties import property_of, read_day, standing
from clients.sdk.client import Casino
from clients.sdk.refusals import Patience, RefusedByServer
from services.kernel.errors import Busy, InvalidRequest

WAIT_SECONDS = 120.0
POLL_SECONDS = 0.1


class Format(StrEnum):
    """How a report is printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    XLSX = "xlsx"
    PDF = "pdf"
    BYTES = "bytes"
    BEANCOUNT = "beancount"


class Period(StrEnum):
    """The period in which a gaming day lies."""

    WEEK = "week"
    MONTH = "month"


TEXTS = {
    Format.TABLE: render.as_text,
    Format.CSV: render.as_csv,
    Format.JSON: render.as_json,
    Format.BEANCOUNT: render.as_beancount,
}


def report(
    name: Annotated[str, typer.Argument(help="For example daily-win.")],
    day: Annotated[str, typer.Option(help="Gaming day, YYYY-MM-DD; with --period, one of the period.")] = "",
    property_id: Annotated[str | None, typer.Option("--property", help="The property.")] = None,
    period: Annotated[Period | None, typer.Option(help="The week or the month of --day.")] = None,
    from_day: Annotated[str, typer.Option("--from", help="First gaming day, YYYY-MM-DD, in place of --day.")] = "",
    to_day: Annotated[str, typer.Option("--to", help="Last gaming day, YYYY-MM-DD.")] = "",
    version: Annotated[int, typer.Option(min=0, help="As filed under that version; 0 for the figures of now.")] = 0,
    form: Annotated[Format, typer.Option("--format", help="How to print it.")] = Format.TABLE,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file to write it to.")] = None,
    wait: Annotated[bool, typer.Option(help="Wait until every recorded round is in it.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Prints a report of a gaming day or a period, with the feed positions it stands on."""
    form = Format.JSON if json else form
    _check_output(form, output)
    request = reporting.GetReportRequest(
        name=name, gaming_day=day, version=version, from_day=from_day, to_day=to_day, period=period or ""
    )
    for each in filter(None, (day, from_day, to_day)):
        read_day(each)
    content = asyncio.run(_report(request, property_id, wait=wait))
    # As they are told: of a filed report, the very bytes that its hash is of.
    _write(content if form is Format.BYTES else rendered(reporting.Report.FromString(content), form), output)


def rendered(found: reporting.Report, form: Format) -> bytes:
    """The report in one of its formats; a text is UTF-8. Raises InvalidRequest for what the format cannot hold."""
    if form is Format.XLSX:
        from clients.cli.render.xlsx import as_xlsx

        return as_xlsx(found)
    if form is Format.PDF:
        from clients.cli.render.pdf import as_pdf

        return as_pdf(found)
    return TEXTS[form](found).encode()


def _check_output(form: Format, output: Path | None) -> None:
    if form not in TEXTS and output is None and sys.stdout.isatty():
        raise InvalidRequest(f"expected --output FILE for {form}, which a terminal cannot show, given none")


def _write(content: bytes, output: Path | None) -> None:
    if output is not None:
        output.write_bytes(content)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


async def _report(request: reporting.GetReportRequest, given: str | None, *, wait: bool) -> bytes:
    async with connected() as casino:
        request.property_id = await property_of(casino, given)
        if wait:
            return (await _complete(casino, request)).SerializeToString(deterministic=True)
        return await _content(casino, request)


async def get_report(casino: Casino, name: str, property_id: str, day: str) -> reporting.Report:
    """A report of a gaming day as it stands. Raises RefusedByServer."""
    return await _streamed(casino, reporting.GetReportRequest(name=name, property_id=property_id, gaming_day=day))


async def complete_report(casino: Casino, name: str, property_id: str, day: str) -> reporting.Report:
    """A report in which every round is that is recorded now. Raises RefusedByServer, Busy after WAIT_SECONDS."""
    return await _complete(casino, reporting.GetReportRequest(name=name, property_id=property_id, gaming_day=day))


async def _streamed(casino: Casino, request: reporting.GetReportRequest) -> reporting.Report:
    """The report, whatever its size. Raises RefusedByServer."""
    return reporting.Report.FromString(await _content(casino, request))


async def _content(casino: Casino, request: reporting.GetReportRequest) -> bytes:
    """The report's bytes; asked for again, from the beginning, while the service says it may be."""
    patient = Patience(casino.patience)
    wanted = reporting.StreamReportRequest(report=request)
    while True:
        try:
            pieces = [each.chunk async for each in casino.stream(casino.reporting.StreamReport, wanted)]
            return b"".join(pieces)
        except RefusedByServer as refusal:
            await patient.wait(refusal)


async def _complete(casino: Casino, request: reporting.GetReportRequest) -> reporting.Report:
    head = (await standing(casino, "rounds", request.property_id)).heads.get("rounds", 0)
    until = clock.monotonic() + WAIT_SECONDS
    while (found := await _streamed(casino, request)).complete_to_rounds_position < head:
        if clock.monotonic() > until:
            raise Busy(
                f"expected the report to be complete to rounds position {head},"
                f" it is to {found.complete_to_rounds_position}"
            )
        await asyncio.sleep(POLL_SECONDS)
    return found
