"""Recorded days through the engine of today, and by the terms of another submission: `casino replay`."""

import asyncio
from typing import Annotated

import typer

from clients.cli.home import connected
from clients.cli.output import as_json, exit_if
from clients.cli.properties import property_of, wait_until_level
from clients.cli.replaying.days import chosen, progress
from clients.cli.replaying.filing import read_filing
from clients.cli.replaying.proof import Proof, prove
from clients.cli.replaying.supposition import FEEDS_OF_ROUNDS, suppose


def replay(
    day: Annotated[str, typer.Option(help="Gaming day, YYYY-MM-DD.")] = "",
    first: Annotated[str, typer.Option("--from", help="First gaming day of several, YYYY-MM-DD.")] = "",
    last: Annotated[str, typer.Option("--to", help="Last gaming day of several, YYYY-MM-DD.")] = "",
    property_id: Annotated[str | None, typer.Option("--property", help="The property.")] = None,
    submission: Annotated[
        str, typer.Option("--with", help="What would have been paid by this submission: its id, or a proposal's file.")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Runs recorded days again through the engine of today; exit code 1 on a difference.

    With --with nothing is proved: prints every wager that the submission would have paid otherwise, or not taken.
    """
    days = chosen(day, first, last)
    if submission:
        asyncio.run(_what_if(property_id, days, submission, json=json))
        return
    found = asyncio.run(_replay(property_id, days))
    if json:
        as_json(found.described(), indent=1)
    else:
        print("\n".join(found.lines()))
    exit_if(found.different > 0)


async def _replay(given: str | None, asked: tuple[str, str]) -> Proof:
    async with connected() as casino:
        property_id = await property_of(casino, given)
        heads = await wait_until_level(casino, property_id)
        with progress(sum(heads.values())) as moved:
            return await prove(casino, property_id, asked, heads.get("rounds", 0), moved)


async def _what_if(given: str | None, asked: tuple[str, str], submission: str, *, json: bool) -> None:
    async with connected() as casino:
        property_id = await property_of(casino, given)
        heads = await wait_until_level(casino, property_id)
        filing = await read_filing(casino, property_id, submission)
        with progress(sum(heads.get(feed, 0) for feed in FEEDS_OF_ROUNDS)) as moved:
            days = await suppose(casino, property_id, asked, filing, moved)
    if json:
        described = {each.day: each.described() for each in days}
        as_json({"property": property_id, "submission": filing.name, "days": described}, indent=1)
    else:
        for each in days:
            print(f"{each.text()}\n")
