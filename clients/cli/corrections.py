"""Rounds made void or told again by a person: `casino rounds void` and `casino rounds amend`."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from google.protobuf.timestamp_pb2 import Timestamp

from casino.floor.v1 import events_pb2
from casino.rounds.v1 import entries_pb2
from casino.rounds.v1 import rounds_service_pb2 as rounds
from clients.cli.home import connected
from clients.cli.output import exit_if, say
from clients.cli.properties import property_of
from clients.cli.records import read_key, rounds_app
from clients.cli.requests import Property
from clients.cli.rounds_file import read_rounds
from clients.sdk.client import Casino, new_request_id
from clients.sdk.stream import RoundsStream
from services.kernel.errors import Unknown, Unreadable

__all__ = ["rounds_app"]

LARGEST_FLOOR_NUMBER = 1_000_000_000
"""Item numbers above are of what rounds itself enters because of another correction."""

Reason = Annotated[str, typer.Option(help="Why.")]
Correct = Callable[[entries_pb2.RoundKey, rounds.GetRoundResponse, str], events_pb2.Event]


@rounds_app.command("void")
def void_rounds(keys: list[str], reason: Reason, property_id: Property = None) -> None:
    """Makes rounds DAY/TABLE/SHOE/ROUND void: every stake goes back."""

    def correct(key: entries_pb2.RoundKey, recorded: rounds.GetRoundResponse, actor: str) -> events_pb2.Event:
        void = events_pb2.RoundVoided(
            table_id=key.table_id,
            shoe=key.shoe,
            round_no=key.round_no,
            opened_at=_opening(recorded),
            item_no=_next_number(recorded, "void"),
            reason=reason,
            actor=actor,
        )
        return events_pb2.Event(void=void)

    _run(property_id, [(read_key(each), correct) for each in keys])


@rounds_app.command("amend")
def amend_rounds(
    file: Annotated[Path, typer.Argument(help="Rounds as they were (.jsonl), a whole one a line.")],
    day: Annotated[str, typer.Option(help="Their gaming day, YYYY-MM-DD.")],
    reason: Reason,
    property_id: Property = None,
) -> None:
    """Tells recorded rounds again, each whole; of a shooter's hand up to the roll that its line ends with."""
    told = []
    for line in read_rounds(file):
        if line.round is None:
            raise line.refusal or Unreadable(f"expected a round on {line.name}, given none")
        told.append((_key_of(line.round, day), _amendment(line.round, reason)))
    _run(property_id, told)


def _key_of(body: events_pb2.WholeRound, day: str) -> entries_pb2.RoundKey:
    return entries_pb2.RoundKey(gaming_day=day, table_id=body.table_id, shoe=body.shoe, round_no=body.round_no)


def _amendment(body: events_pb2.WholeRound, reason: str) -> Correct:
    def correct(key: entries_pb2.RoundKey, recorded: rounds.GetRoundResponse, actor: str) -> events_pb2.Event:
        body.opened_at.CopyFrom(_opening(recorded))
        by_rolls = any(each.entry.result.key.roll for each in recorded.events if each.entry.HasField("result"))
        amend = events_pb2.RoundAmended(
            round=body,
            roll=1 + len(body.earlier_results) if by_rolls else 0,
            item_no=_next_number(recorded, "amend"),
            reason=reason,
            actor=actor,
        )
        return events_pb2.Event(amend=amend)

    return correct


def _opening(recorded: rounds.GetRoundResponse) -> Timestamp:
    """When a recorded round opened. Unknown where nothing of it is in the feed."""
    if not recorded.events:
        raise Unknown("expected a round in the feed to correct, given one that is held back whole")
    entry = recorded.events[0].entry
    body: Any = getattr(entry, entry.WhichOneof("body") or "")
    opened_at: Timestamp = (body if isinstance(body, entries_pb2.Round) else body.round).opened_at
    return opened_at


def _next_number(recorded: rounds.GetRoundResponse, kind: str) -> int:
    entries = [each.entry for each in recorded.events if each.entry.WhichOneof("body") == kind]
    found = [getattr(entry, kind).item_no for entry in entries]
    return 1 + max((number for number in found if number <= LARGEST_FLOOR_NUMBER), default=0)


def _run(property_id: str | None, told: Sequence[tuple[entries_pb2.RoundKey, Correct]]) -> None:
    exit_if(asyncio.run(_send(property_id, told)) > 0)


async def _send(given: str | None, told: Sequence[tuple[entries_pb2.RoundKey, Correct]]) -> int:
    """How many corrections were refused."""
    async with connected() as casino:
        known = await property_of(casino, given)
        events = []
        for key, correct in told:
            recorded = await casino.call(casino.rounds.GetRound, rounds.GetRoundRequest(property_id=known, key=key))
            event = correct(key, recorded, casino.principal)
            event.occurred_at.GetCurrentTime()
            events.append(event)
        return await _stream(casino, known, events)


async def _stream(casino: Casino, property_id: str, events: Sequence[events_pb2.Event]) -> int:
    source_id = f"corrections:{casino.principal}"
    register = rounds.RegisterSourceRequest(
        request_id=new_request_id(),
        property_id=property_id,
        source_id=source_id,
        description=f"Corrections by {casino.principal}",
    )
    await casino.call(casino.rounds.RegisterSource, register)
    refused = 0
    async with RoundsStream(casino, property_id, source_id) as stream:
        for event in events:
            await stream.send(event)
        await stream.drain()
        for answered in stream.answered():
            refused += answered.answer.kind in (rounds.ANSWER_KIND_QUARANTINED, rounds.ANSWER_KIND_REJECTED)
            say(f"{answered.answer.reason}: {answered.answer.message}")
    say(f"{len(events) - refused} rounds corrected, {refused} refused.")
    return refused
