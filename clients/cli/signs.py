"""The signs' view of the meters, and the alerts about signs and unclaimed jackpots."""

import asyncio
from collections.abc import Awaitable
from contextlib import aclosing
from typing import Annotated

import typer

from casino.progressives.v1 import progressives_service_pb2 as progressives
from clients.cli.home import connected
from clients.cli.output import as_json, columns, plain
from clients.cli.properties import property_of
from clients.cli.requests import Json, Property, ask_of, print_one
from clients.sdk.client import Casino, new_request_id
from services.kernel.money import dollars


def list_alerts(
    property_id: Property = None,
    every: Annotated[bool, typer.Option("--all", help="Those cleared and acknowledged too.")] = False,
    json: Json = False,
) -> None:
    """Alerts that nobody has acknowledged: jackpots unclaimed, signs that differ or are silent."""

    def request_of(casino: Casino, known: str) -> Awaitable[progressives.ListAlertsResponse]:
        request = progressives.ListAlertsRequest(property_id=known, open=not every)
        return casino.call(casino.progressives.ListAlerts, request)

    found = plain(ask_of(property_id, request_of))["alerts"]
    if json:
        return as_json(found)
    rows = [
        (
            each["alert_id"],
            each["kind"].removeprefix("ALERT_KIND_").lower(),
            each["state"].removeprefix("ALERT_STATE_").lower(),
            each["at"],
            each["message"],
        )
        for each in found
    ]
    return print(columns(("alert_id", "kind", "state", "at", "message"), rows))


def acknowledge(alert_id: str, property_id: Property = None, json: Json = False) -> None:
    """Says that you have seen an alert."""

    def request_of(casino: Casino, known: str) -> Awaitable[progressives.AcknowledgeAlertResponse]:
        request = progressives.AcknowledgeAlertRequest(
            request_id=new_request_id(), property_id=known, alert_id=alert_id
        )
        return casino.call(casino.progressives.AcknowledgeAlert, request)

    print_one(ask_of(property_id, request_of), json)


def watch(
    link_id: Annotated[str, typer.Argument(help="One link; else every one.")] = "",
    frames: Annotated[int, typer.Option(min=0, help="End after so many frames; 0 = never.")] = 0,
    property_id: Property = None,
    json: Json = False,
) -> None:
    """The meters as signs see them, a line for each that changes, until Ctrl-C."""
    asyncio.run(_watch(property_id, link_id, frames, json_wanted=json))


async def _watch(given: str | None, link_id: str, frames: int, *, json_wanted: bool) -> None:
    async with connected() as casino:
        request = progressives.WatchMetersRequest(property_id=await property_of(casino, given), link_id=link_id)
        again = casino.stream_again("the meters", lambda: casino.stream(casino.progressives.WatchMeters, request))
        async with aclosing(again) as told:
            seen = 0
            async for frame in told:
                for meter in frame.meters:
                    if json_wanted:
                        as_json(plain(meter))
                    else:
                        print(_line(meter), flush=True)
                seen += 1
                if seen == frames:
                    return


def _line(meter: progressives.MeterReading) -> str:
    pending = f", {meter.pending_jackpots} pending" if meter.pending_jackpots else ""
    return f"{meter.link_id} {meter.level} ${dollars(meter.display_cents)} at {meter.revision}{pending}"
