"""How far every service is: `casino status`."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from casino.feeds.v1 import feeds_pb2
from casino.progressives.v1 import progressives_service_pb2 as progressives
from casino.rounds.v1 import rounds_service_pb2 as rounds
from clients.cli.home import places
from clients.cli.intakes import intake, intake_lines
from clients.cli.output import as_json, exit_if
from clients.cli.properties import statuses
from clients.sdk.client import SERVICES, Casino
from clients.sdk.refusals import RefusedByServer

Heads = dict[tuple[str, str], int]
"""Head of each feed by property and feed."""


def status(json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """Heads, cursors, lags and sources of every service; exit code 1 if one cannot be reached."""
    found = asyncio.run(_status())
    if json:
        as_json(found, indent=1)
    else:
        print("\n".join(_lines(found)))
    exit_if(bool(found["unreachable"]))


async def _status() -> dict[str, Any]:
    async with Casino(places(), patience=0) as casino:
        said = await asyncio.gather(*(_ask(casino, service) for service in SERVICES))
        intakes, undecided = await _intakes(casino), await _undecided(casino)
    told = {name: one for name, one in zip(SERVICES, said, strict=True) if not isinstance(one, str)}
    heads: Heads = {
        (each.property_id, head.feed): head.position
        for one in told.values()
        for each in one.properties
        for head in each.heads
    }
    silent = {name: one for name, one in zip(SERVICES, said, strict=True) if isinstance(one, str)}
    return {
        "services": {name: _described(one, heads) for name, one in told.items()},
        "intakes": {each.property_id: intake(each) for each in intakes},
        "undecided": _waiting(intakes, undecided),
        "unreachable": silent,
    }


async def _ask(casino: Casino, service: str) -> feeds_pb2.ServiceStatus | str:
    """What the service says, or why it says nothing."""
    try:
        return await statuses(casino, service)
    except RefusedByServer as refusal:
        return f"{casino.places[service]}: {refusal}"


async def _intakes(casino: Casino) -> Sequence[rounds.IntakeStatus]:
    """What each property's intake waits for; nothing where rounds cannot be reached, which is said elsewhere."""
    try:
        answer = await casino.call(casino.rounds.GetStatus, rounds.GetStatusRequest(detailed=True))
    except RefusedByServer:
        return ()
    return answer.intakes


async def _undecided(casino: Casino) -> Mapping[str, int]:
    """Decisions that nobody has taken, by property; nothing where progressives cannot be reached, said elsewhere."""
    try:
        answer = await casino.call(casino.progressives.GetStatus, progressives.GetStatusRequest())
    except RefusedByServer:
        return {}
    return {each.property_id: each.decisions for each in answer.undecided}


def _waiting(intakes: Sequence[rounds.IntakeStatus], decisions: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """What waits for people at each property: held facts of rounds, decisions of progressives."""
    held = {each.property_id: each.held_open for each in intakes}
    return {
        name: {"held_facts": held.get(name, 0), "decisions": decisions.get(name, 0)}
        for name in sorted(held.keys() | decisions.keys())
    }


def _described(one: feeds_pb2.ServiceStatus, heads: Heads) -> dict[str, Any]:
    properties = {each.property_id: _property(each, heads) for each in one.properties}
    return {"software_version": one.software_version, "properties": properties}


def _property(each: feeds_pb2.PropertyPositions, heads: Heads) -> dict[str, Any]:
    cursors = {cursor.feed: cursor.position for cursor in each.cursors}
    return {
        "heads": {head.feed: {"position": head.position, "hash": head.hash.hex()} for head in each.heads},
        "cursors": cursors,
        "lags": {
            feed: heads[each.property_id, feed] - position
            for feed, position in cursors.items()
            if (each.property_id, feed) in heads
        },
        "lag_seconds": {lag.feed: lag.seconds for lag in each.lags},
    }


def _lines(found: dict[str, Any]) -> list[str]:
    lines = []
    for service, one in found["services"].items():
        lines.append(f"{service} {one['software_version']}" + ("" if one["properties"] else ": no property yet"))
        for property_id, each in one["properties"].items():
            heads = [f"{feed} at {head['position']}" for feed, head in each["heads"].items()]
            follows = [
                f"follows {feed} to {position}, {each['lags'].get(feed, 'unknown')} behind"
                f"{_for_seconds(each['lag_seconds'].get(feed, 0))}"
                for feed, position in each["cursors"].items()
            ]
            lines.append(f"  {property_id}: {'; '.join(heads + follows)}")
    for property_id, each in found["intakes"].items():
        lines += intake_lines(property_id, each)
    for property_id, waiting in found["undecided"].items():
        if waiting["decisions"]:
            lines.append(f"{property_id}: {waiting['decisions']} decisions of meters and jackpots wait for people")
    lines += [f"{service} cannot be reached: {why}" for service, why in found["unreachable"].items()]
    return lines


def _for_seconds(seconds: int) -> str:
    return f" for {seconds} s" if seconds else ""
