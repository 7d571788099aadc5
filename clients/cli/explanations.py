"""How a meter got to where it is, and the triggers of mystery meters as they were published."""

import asyncio
from collections.abc import Iterable
from contextlib import aclosing
from datetime import datetime
from typing import Annotated, Any

import typer
from google.protobuf.timestamp_pb2 import Timestamp

from casino.progressives.v1 import entries_pb2 as entries
from casino.progressives.v1 import progressives_service_pb2 as progressives
from clients.cli.amounts import micro_dollars
from clients.cli.home import connected
from clients.cli.output import as_json, columns, plain
from clients.cli.properties import property_of
from clients.cli.requests import Json, Property
from clients.sdk.feeds import read
from services.kernel.errors import InvalidRequest
from services.kernel.money import dollars


def explain(
    link_id: str,
    level: str,
    at: Annotated[str, typer.Option(help="As it stood at this instant: 2026-03-02T15:00:00Z.")] = "",
    position: Annotated[int, typer.Option(min=0, help="As it stood at this position of the feed.")] = 0,
    wagers: Annotated[bool, typer.Option("--wagers", help="With every wager that contributed.")] = False,
    property_id: Property = None,
    json: Json = False,
) -> None:
    """How a meter got to where it is, or was: sums by cause and by table, then its journal."""
    if at and position:
        raise InvalidRequest(f"expected --at or --position, given {at} and {position}")
    request = progressives.ExplainMeterRequest(link_id=link_id, level=level, with_wagers=wagers)
    if at:
        request.instant.CopyFrom(_instant(at))
    elif position:
        request.position = position
    asyncio.run(_explain(property_id, request, json_wanted=json))


def _instant(text: str) -> Timestamp:
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidRequest(f"expected an instant such as 2026-03-02T15:00:00Z, given {text!r}") from None
    if parsed.tzinfo is None:
        raise InvalidRequest(f"expected an instant with its offset, such as 2026-03-02T15:00:00Z, given {text!r}")
    found = Timestamp()
    found.FromDatetime(parsed)
    return found


async def _explain(given: str | None, request: progressives.ExplainMeterRequest, *, json_wanted: bool) -> None:
    async with connected() as casino:
        request.property_id = await property_of(casino, given)
        async with aclosing(casino.stream(casino.progressives.ExplainMeter, request)) as parts:
            async for part in parts:
                if json_wanted:
                    as_json(plain(part))
                elif part.HasField("explanation"):
                    print(_explained(part.explanation))
                else:
                    print(_line(part.line))


def _explained(told: progressives.MeterExplanation) -> str:
    over = f", kept off by the limit ${micro_dollars(told.overflow_micros)}" if told.overflow_micros else ""
    stands = f"${micro_dollars(told.reading_micros)}, reserve ${micro_dollars(told.reserve_micros)}{over}"
    lines = [
        f"{told.link_id} {told.level} at position {told.position}: {stands}",
        "",
        totals(told.totals),
        "",
        tables(told.tables),
        "",
    ]
    return "\n".join(lines)


def totals(found: Iterable[progressives.CauseTotal]) -> str:
    """Sums by cause, aligned."""
    rows = [(_cause(each.cause), each.count, f"${micro_dollars(each.amount_micros)}") for each in found]
    return columns(("cause", "count", "amount"), rows, right=(1, 2))


def tables(found: Iterable[progressives.TableTotal]) -> str:
    """Sums by table, aligned."""
    rows = [
        (each.table_id, each.wagers, f"${dollars(each.handle_cents)}", f"${micro_dollars(each.amount_micros)}")
        for each in found
    ]
    return columns(("table", "wagers", "handle", "contributed"), rows, right=(1, 2, 3))


def _cause(cause: entries.MeterCause.ValueType) -> str:
    return entries.MeterCause.Name(cause).removeprefix("METER_CAUSE_").lower()


def _line(line: progressives.JournalLine) -> str:
    key = line.key
    where = f" {key.gaming_day}/{key.table_id}/{key.shoe}/{key.round_no}" if key.table_id else ""
    wager = f" wager {line.wager_no} at seat {line.seat}, ${dollars(line.stake_cents)}" if line.stake_cents else ""
    named = "".join(f" {each}" for each in (line.jackpot_id, line.decision_id) if each)
    moved = f"{line.position} {_cause(line.cause)} {micro_dollars(line.amount_micros)}"
    reserve = f" (reserve {micro_dollars(line.reserve_amount_micros)})" if line.reserve_amount_micros else ""
    return f"{moved}{reserve} -> {micro_dollars(line.reading_micros)}{where}{wager}{named}"


def triggers(property_id: Property = None, json: Json = False) -> None:
    """Every commitment to a mystery trigger, and the trigger itself once it was opened; all from the feed.

    `python docs/verify_commitment.py` verifies what --json prints.
    """
    found = asyncio.run(_triggers(property_id))
    if json:
        return as_json(found)
    rows = [
        (
            each["link_id"],
            each["level"],
            each["number"],
            each["commitment"],
            f"${dollars(each['trigger_cents'])}" if each["salt"] else "hidden",
            each["jackpot_id"] or "-",
        )
        for each in found
    ]
    return print(columns(("link_id", "level", "number", "commitment", "trigger", "jackpot"), rows, right=(2, 4)))


async def _triggers(given: str | None) -> list[dict[str, Any]]:
    found: dict[tuple[str, str, int], dict[str, Any]] = {}
    async with connected() as casino:
        known = await property_of(casino, given)
        async for entry in read(casino, "progressives", known):
            if entry.kind == "trigger":
                told: entries.Trigger = entry.body
                found[told.link_id, told.level, told.number] = _published(known, told)
    return list(found.values())


def _published(property_id: str, told: entries.Trigger) -> dict[str, Any]:
    opened = told.state == entries.TRIGGER_STATE_OPENED
    return {
        "property_id": property_id,
        "link_id": told.link_id,
        "level": told.level,
        "number": told.number,
        "commitment": told.commitment.hex(),
        "trigger_cents": told.trigger_cents if opened else None,
        "salt": told.salt.hex() if opened else None,
        "jackpot_id": told.jackpot_id,
    }
