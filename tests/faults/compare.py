"""What stands after a run, so that two runs can be compared to the cent and to the micro-dollar."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from google.protobuf.json_format import MessageToDict

from casino.floor.v1 import events_pb2 as floor
from casino.progressives.v1 import progressives_service_pb2 as progressives
from clients.cli.audit.history import History
from clients.cli.render import as_object
from clients.cli.reports import complete_report
from clients.sdk.client import Casino
from services.reporting.operations import REPORTS
from tests.faults.script import DAY, SHARED_TABLES, Script

PLACES = (
    "position",
    "positions",
    "_position",
    "_at",
    "upstream",
    "origin",
    "source_id",
    "_by",
    "commitment",
    "trigger",
    "digest",
)
"""Endings of fields that say where in a feed, when, and by whose hands something came, not what it is."""

PEOPLE = {"requester", "approver", "preparer", "reviewer"}
DERIVED = {"entry", "decision_id", "hit_id", "hold_id", "evaluated_sha256", "payee_sha256", "revision", "at"}
"""Fields made of such ones, or numbered by them; that they are made rightly `casino verify` proves in either run."""

DERIVED_ID = re.compile("([DH]-)[0-9a-f]{20}")
"""The ids of decisions and hits inside a sentence, which are made of positions too."""

TOLD_BY_KINDS = ("whole_round", "result", "void", "amend")
Facts = Counter[str]


class Standing(NamedTuple):
    """Every fact without its place in a feed; journals in order by link."""

    rounds: Facts
    settlements: Facts
    journal: dict[str, list[str]]
    links: Any
    jackpots: Any
    decisions: Any
    reports: Facts

    def differences(self, clean: "Standing") -> list[str]:
        """What is not as it is after the clean run."""
        found = []
        for name in ("rounds", "settlements", "reports"):
            mine, other = getattr(self, name), getattr(clean, name)
            found += [f"{name}: not in the clean run, {count} times: {text}" for text, count in (mine - other).items()]
            found += [f"{name}: missing, {count} times: {text}" for text, count in (other - mine).items()]
        for link in sorted(self.journal.keys() | clean.journal.keys()):
            found += _unlike(f"journal of {link}", self.journal.get(link, []), clean.journal.get(link, []))
        for name in ("links", "jackpots", "decisions"):
            found += _unlike(name, getattr(self, name), getattr(clean, name))
        return found


def _unlike(name: str, mine: Sequence[Any], clean: Sequence[Any]) -> list[str]:
    if len(mine) != len(clean):
        return [f"{name}: expected {len(clean)}, given {len(mine)}"]
    return [f"{name}: expected {theirs}, given {own}" for own, theirs in zip(mine, clean, strict=True) if own != theirs]


async def standing(casino: Casino, script: Script) -> tuple[Standing, tuple[str, ...]]:
    """What stands, and in which order the rounds of the shared link were recorded."""
    property_id = script.house.property_id
    history = History(property_id)
    broken = [text for found in await history.read_on(casino) for text in found.differences]
    if broken:
        raise AssertionError(f"expected chains that hold, given {broken}")
    given: dict[str, Any] = {"property_id": property_id}
    links = await casino.call(casino.progressives.ListLinks, progressives.ListLinksRequest(**given))
    jackpots = await casino.call(casino.progressives.ListJackpots, progressives.ListJackpotsRequest(**given))
    decisions = await casino.call(casino.progressives.ListDecisions, progressives.ListDecisionsRequest(**given))
    reports: Facts = Counter()
    for name in REPORTS:
        report = await complete_report(casino, name, property_id, DAY.isoformat())
        lines = (f"{name}: {line}".replace(property_id, "P") for line in _lines(as_object(report)["tables"]))
        reports.update(DERIVED_ID.sub(r"\1", line) for line in lines)
    found = Standing(
        Counter(_text(body.body, property_id) for body in history.bodies("rounds", *TOLD_BY_KINDS, "release")),
        Counter(_text(body.body, property_id) for body in history.bodies("settlements")),
        _journal(history, property_id),
        sorted(_text(each, property_id) for each in links.links),
        sorted(_text(each, property_id) for each in jackpots.jackpots),
        sorted(_text(each, property_id) for each in decisions.decisions),
        reports,
    )
    return found, recorded_order(history)


def recorded_order(history: History) -> tuple[str, ...]:
    """The rounds of the shared link in the order in which they were recorded."""
    rounds = history.recorded("whole_round")
    return tuple(f"{each.key.table_id}/{each.key.round_no}" for each in rounds if each.key.table_id in SHARED_TABLES)


def in_order(script: Script, order: Sequence[str]) -> list[floor.Event]:
    """The events before the people act, those of the shared link in this order, every source in its own."""
    left = {name: list(events) for name, events in script.before.items()}
    found: list[floor.Event] = []
    for wanted in order:
        (name,) = [name for name, events in left.items() if any(_name(event) == wanted for event in events)]
        place = next(n for n, event in enumerate(left[name], 1) if _name(event) == wanted)
        found += left[name][:place]
        left[name] = left[name][place:]
    return found + [event for name in script.sources for event in left[name]]


def _name(event: floor.Event) -> str:
    return f"{event.whole_round.table_id}/{event.whole_round.round_no}" if event.HasField("whole_round") else ""


def _journal(history: History, property_id: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for _, kind, body in history.bodies("progressives", "contribution", "movement", "jackpot"):
        link = body.link_id.replace(property_id, "P")
        found.setdefault(link, []).append(f"{kind} {_text(body, property_id)}")
    return found


def _text(message: Any, property_id: str) -> str:
    return str(_bare(MessageToDict(message, preserving_proto_field_name=True))).replace(property_id, "P")


def _bare(value: Any) -> Any:
    """Without the fields that name a place, a time or a hand."""
    if isinstance(value, dict):
        return {name: _bare(each) for name, each in sorted(value.items()) if _is_fact(name)}
    return [_bare(each) for each in value] if isinstance(value, list) else value


def _lines(tables: dict[str, Any]) -> Iterator[str]:
    """Every row of a report's tables, and their totals."""
    for name, table in tables.items():
        for row in [*table["rows"], table["totals"]]:
            yield f"{name} {_bare(row)}"


def _is_fact(name: str) -> bool:
    return name not in DERIVED | PEOPLE and not name.endswith(PLACES)
