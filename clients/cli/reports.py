"""Named reports of a gaming day: `casino report NAME`."""

import asyncio
import time as clock
from enum import StrEnum
from typing import Annotated

import typer

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli import render
from clients.cli.home import connected
from clients.cli.properties import property_of, read_day, standing
from clients.sdk.client import Casino
from services.kernel.errors import Busy

WAIT_SECONDS = 120.0
POLL_SECONDS = 0.1


class Format(StrEnum):
    """How a report is printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


RENDERERS = {Format.TABLE: render.as_text, Format.CSV: render.as_csv, Format.JSON: render.as_json}


def report(
    name: Annotated[str, typer.Argument(help="For example daily-win.")],
    day: Annotated[str, typer.Option(help="Gaming day, YYYY-MM-DD.")],
    property_id: Annotated[str | None, typer.Option("--property", help="The property.")] = None,
    form: Annotated[Format, typer.Option("--format", help="How to print it.")] = Format.TABLE,
    wait: Annotated[bool, typer.Option(help="Wait until every recorded round is in it.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Prints a report of a gaming day, with the feed positions it stands on."""
    read_day(day)
    found = asyncio.run(_report(name, day, property_id, wait=wait))
    print(RENDERERS[Format.JSON if json else form](found), end="")


async def _report(name: str, day: str, given: str | None, *, wait: bool) -> reporting.Report:
    async with connected() as casino:
        property_id = await property_of(casino, given)
        if wait:
            return await complete_report(casino, name, property_id, day)
        return await get_report(casino, name, property_id, day)


async def get_report(casino: Casino, name: str, property_id: str, day: str) -> reporting.Report:
    """A report as it stands. Raises RefusedByServer."""
    request = reporting.GetReportRequest(name=name, property_id=property_id, gaming_day=day)
    return (await casino.call(casino.reporting.GetReport, request)).report


async def complete_report(casino: Casino, name: str, property_id: str, day: str) -> reporting.Report:
    """A report in which every round is that is recorded now. Raises RefusedByServer, Busy after WAIT_SECONDS."""
    head = (await standing(casino, "rounds", property_id)).heads.get("rounds", 0)
    until = clock.monotonic() + WAIT_SECONDS
    while (found := await get_report(casino, name, property_id, day)).complete_to_rounds_position < head:
        if clock.monotonic() > until:
            raise Busy(
                f"expected the report to be complete to rounds position {head},"
                f" it is to {found.complete_to_rounds_position}"
            )
        await asyncio.sleep(POLL_SECONDS)
    return found
