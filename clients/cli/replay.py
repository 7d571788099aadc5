"""Recorded days through the engine of today, and by the terms of another submission: `casino replay`."""

import asyncio
from collections.abc import Iterable
from typing import Annotated

import typer

from clients.cli.home import connected
from clients.cli.output import as_json, exit_if
from clients.cli.properties import property_of, wait_until_level
from clients.cli.replaying.days import chosen, progress
from clients.cli.replaying.filing import Filing, read_filing
from clients.cli.replaying.proof import Proof, prove
from clients.cli.replaying.sums import WhatIf
from clients.cli.replaying.supposition import FEEDS_OF_ROUNDS, suppose
from clients.cli.tax_estimate import REVENUE_CLASSES, estimate_tax, text


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
        taxes = await estimate_tax(casino, property_id, differences(days, filing))
    if json:
        told = {"property": property_id, "submission": filing.name}
        as_json({**told, "days": {each.day: each.described() for each in days}, "tax": taxes.described()}, indent=1)
    else:
        for each in days:
            print(f"{each.text()}\n")
        print(text(taxes))


def differences(days: Iterable[WhatIf], filing: Filing) -> dict[str, dict[str, int]]:
    """By day and class of revenue what the tables would have won more, or less, cents; days without are left out."""
    found: dict[str, dict[str, int]] = {}
    for each in days:
        classes = found.setdefault(each.day, {})
        for table_id, (settled, would) in each.wins.items():
            name = REVENUE_CLASSES[filing.tables[table_id].kind]
            classes[name] = classes.get(name, 0) + would - settled
    return {day: kept for day, classes in found.items() if (kept := {name: n for name, n in classes.items() if n})}
