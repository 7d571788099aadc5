"""What reporting has made of the feeds: `casino projections rebuild`."""

import asyncio
from typing import Annotated

import typer

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.home import connected
from clients.cli.output import as_json, columns, plain, say
from clients.cli.properties import property_of
from clients.cli.requests import Json, Property, noun
from clients.sdk.client import new_request_id
from services.kernel.errors import Busy

projections = noun("What reporting has made of the feeds: sums, readings, settings.")


@projections.callback()
def about() -> None:
    """What reporting has made of the feeds: sums, readings, settings."""


@projections.command("rebuild")
def rebuild(
    reason: Annotated[str, typer.Option(help="Why they are made anew.")],
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Drops every projection of a property and makes it anew from the first entry of each feed; documents, days and
    filed reports stay. Reports show the former ones until all is done.
    """
    found = asyncio.run(_rebuild(property_id, reason))
    if json:
        return as_json(plain(found))
    print(columns(("projection", "rows"), [(each.name, each.rows) for each in found.projections], (1,)))
    return print(f"Made anew up to {', '.join(f'{at.feed} {at.position}' for at in found.positions)}.")


async def _rebuild(property_id: str | None, reason: str) -> reporting.RebuiltProjections:
    async with connected() as casino:
        request = reporting.RebuildProjectionsRequest(
            request_id=new_request_id(), property_id=await property_of(casino, property_id), reason=reason
        )
        async for told in casino.stream(casino.reporting.RebuildProjections, request):
            if told.HasField("rebuilt"):
                return told.rebuilt
            say(f"{told.progress.feed} {told.progress.position} of {told.progress.of}")
    raise Busy("expected to be told what was made; the service ended the call before")
