"""One noun each: properties, tables, submissions, links, jackpots, documents, rounds, quarantine."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from google.protobuf import json_format
from google.protobuf.message import Message

from casino.progressives.v1 import progressives_service_pb2 as progressives
from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.rounds.v1 import entries_pb2
from casino.rounds.v1 import rounds_service_pb2 as rounds
from casino.settlement.v1 import settlement_service_pb2 as settlement
from clients.cli.home import connected
from clients.cli.output import as_json, columns, plain
from clients.cli.properties import property_of
from clients.sdk.client import Casino, new_request_id
from services.kernel.errors import InvalidRequest, Unknown
from services.kernel.money import dollars

Asked = TypeVar("Asked", bound=Message)
Ask = Callable[[Casino, str], Awaitable[Message]]

Property = Annotated[str | None, typer.Option("--property", help="The property.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Described = Annotated[Path, typer.Argument(help="A request in protobuf JSON form; - reads standard input.")]
Day = Annotated[str, typer.Option(help="Gaming day, YYYY-MM-DD.")]

PAGE = 1_000


def noun(help_text: str) -> typer.Typer:
    """A command with one subcommand for each thing to do."""
    return typer.Typer(no_args_is_help=True, help=help_text)


properties = noun("Properties: time zone, cut-over and shifts, effective-dated.")
tables = noun("Tables: where they stand, what they offer.")
submissions = noun("Rules Submissions: proposed by one person, approved by another.")
links = noun("Links: progressive pools, proposed by one person, approved by another.")
jackpots = noun("Jackpots: what hits of meters opened.")
documents = noun("Table documents: slips, checks and counts.")
rounds_app = noun("Rounds as recorded.")
quarantine = noun("Facts held back from the feed.")


@properties.command("list")
def list_properties(json: Json = False) -> None:
    """Every property, with its settings by the day they take effect."""
    found = _ask(None, lambda casino, _: casino.call(casino.rounds.ListProperties, rounds.ListPropertiesRequest()))
    _print(found, "properties", ("property_id", "effective_from", "title", "time_zone", "cut_over"), json)


@properties.command("set")
def set_property(file: Described, json: Json = False) -> None:
    """Sets a property up or changes its settings from a gaming day on (SetPropertyRequest)."""
    request = _read(file, rounds.SetPropertyRequest)
    _print_one(_ask(None, lambda casino, _: casino.call(casino.rounds.SetProperty, request)), json)


@tables.command("list")
def list_tables(property_id: Property = None, json: Json = False) -> None:
    """Every table, with its settings by the day they take effect."""

    def ask(casino: Casino, known: str) -> Awaitable[Message]:
        return casino.call(casino.rounds.ListTables, rounds.ListTablesRequest(property_id=known))

    _print(_ask(property_id, ask), "tables", ("table_id", "effective_from", "pit", "game"), json)


@tables.command("set")
def set_table(file: Described, json: Json = False) -> None:
    """Sets a table up or changes its settings from a gaming day on (SetTableRequest)."""
    request = _read(file, rounds.SetTableRequest)
    _print_one(_ask(None, lambda casino, _: casino.call(casino.rounds.SetTable, request)), json)


@tables.command("offer")
def show_offer(table: str, day: Day, property_id: Property = None, json: Json = False) -> None:
    """What a table offers on a day, with the digest that the floor compares."""

    def ask(casino: Casino, known: str) -> Awaitable[Message]:
        request = rounds.GetOfferRequest(property_id=known, table_id=table, gaming_day=day)
        return casino.call(casino.rounds.GetOffer, request)

    _print_one(_ask(property_id, ask), json)


@submissions.command("list")
def list_submissions(property_id: Property = None, json: Json = False) -> None:
    """Every Rules Submission, whatever its state."""
    found = _ask(property_id, _list_submissions)
    fields = ("submission_id", "effective_from", "title", "state", "proposed_by", "approved_by")
    _print(found, "submissions", fields, json)


def _list_submissions(casino: Casino, known: str) -> Awaitable[Message]:
    request = settlement.ListSubmissionsRequest(property_id=known)
    return casino.call(casino.settlement.ListSubmissions, request)


@submissions.command("show")
def show_submission(submission_id: str, property_id: Property = None, json: Json = False) -> None:
    """One Rules Submission with all its terms."""

    def ask(casino: Casino, known: str) -> Awaitable[Message]:
        request = settlement.GetSubmissionRequest(property_id=known, submission_id=submission_id)
        return casino.call(casino.settlement.GetSubmission, request)

    _print_one(_ask(property_id, ask), json)


@submissions.command("propose")
def propose_submission(file: Described, json: Json = False) -> None:
    """Proposes a Rules Submission (ProposeSubmissionRequest)."""
    request = _read(file, settlement.ProposeSubmissionRequest)
    _print_one(_ask(None, lambda casino, _: casino.call(casino.settlement.ProposeSubmission, request)), json)


@submissions.command("approve")
def approve_submission(submission_id: str, property_id: Property = None, json: Json = False) -> None:
    """Approves a Rules Submission that somebody else proposed."""

    def ask(casino: Casino, known: str) -> Awaitable[Message]:
        request = settlement.ApproveSubmissionRequest(
            request_id=new_request_id(), property_id=known, submission_id=submission_id
        )
        return casino.call(casino.settlement.ApproveSubmission, request)

    _print_one(_ask(property_id, ask), json)


@links.command("list")
def list_links(property_id: Property = None, json: Json = False) -> None:
    """Every link with its meters."""
    found = _ask(property_id, _list_links)
    if json:
        return as_json(plain(found)["links"])
    rows = [
        (each["link"]["link_id"], each["link"]["version"], each["link"]["state"], each["link"]["code"], _meters(each))
        for each in plain(found)["links"]
    ]
    return print(columns(("link_id", "version", "state", "code", "meters"), rows))


@links.command("show")
def show_link(link_id: str, property_id: Property = None) -> None:
    """One link with its meters, as JSON."""
    found = [each for each in plain(_ask(property_id, _list_links))["links"] if each["link"]["link_id"] == link_id]
    if not found:
        raise Unknown(f"expected a link of the property, given {link_id}")
    as_json(found[0], indent=1)


def _list_links(casino: Casino, known: str) -> Awaitable[Message]:
    return casino.call(casino.progressives.ListLinks, progressives.ListLinksRequest(property_id=known))


def _meters(link: dict[str, Any]) -> str:
    return ", ".join(f"{meter['level']} ${dollars(meter['display_cents'])}" for meter in link["meters"])


@links.command("propose")
def propose_link(file: Described, json: Json = False) -> None:
    """Proposes a link (ProposeLinkRequest)."""
    request = _read(file, progressives.ProposeLinkRequest)
    _print_one(_ask(None, lambda casino, _: casino.call(casino.progressives.ProposeLink, request)), json)


@links.command("approve")
def approve_link(link_id: str, version: int, property_id: Property = None, json: Json = False) -> None:
    """Approves a version of a link that somebody else proposed."""

    def ask(casino: Casino, known: str) -> Awaitable[Message]:
        request = progressives.ApproveLinkRequest(
            request_id=new_request_id(), property_id=known, link_id=link_id, version=version
        )
        return casino.call(casino.progressives.ApproveLink, request)

    _print_one(_ask(property_id, ask), json)


@jackpots.command("list")
def list_jackpots(property_id: Property = None, day: Day = "", json: Json = False) -> None:
    """Every jackpot, or those of a gaming day."""

    def ask(casino: Casino, known: str) -> Awaitable[Message]:
        request = progressives.ListJackpotsRequest(property_id=known, gaming_day=day)
        return casino.call(casino.progressives.ListJackpots, request)

    fields = ("jackpot_id", "link_id", "level", "amount_cents", "state")
    _print(_ask(property_id, ask), "jackpots", fields, json)


@documents.command("list")
def list_documents(day: Day, table: str = "", property_id: Property = None, json: Json = False) -> None:
    """The documents of a gaming day, or of one table of it."""

    def ask(casino: Casino, known: str) -> Awaitable[Message]:
        request = reporting.ListDocumentsRequest(property_id=known, gaming_day=day, table_id=table)
        return casino.call(casino.reporting.ListDocuments, request)

    fields = ("document_id", "kind", "table_id", "shift", "amount_cents", "posted_by")
    _print(_ask(property_id, ask), "documents", fields, json)


@documents.command("post")
def post_document(file: Described, json: Json = False) -> None:
    """Posts a table document (PostDocumentRequest)."""
    request = _read(file, reporting.PostDocumentRequest)
    _print_one(_ask(None, lambda casino, _: casino.call(casino.reporting.PostDocument, request)), json)


@rounds_app.command("list")
def list_rounds(day: Day, table: str = "", property_id: Property = None, json: Json = False) -> None:
    """The rounds of a gaming day, or of one table of it, in the order of the feed."""
    for each in asyncio.run(_pages(property_id, day, table)):
        if json:
            as_json(plain(each))
        else:
            print(each.position, each.entry.WhichOneof("body"), _round_key(each.entry))


async def _pages(given: str | None, day: str, table: str) -> list[rounds.RoundEvent]:
    found: list[rounds.RoundEvent] = []
    async with connected() as casino:
        known = await property_of(casino, given)
        while True:
            request = rounds.ListRoundsRequest(
                property_id=known,
                gaming_day=day,
                table_id=table,
                page_size=PAGE,
                after_position=found[-1].position if found else 0,
            )
            page = (await casino.call(casino.rounds.ListRounds, request)).rounds
            found += page
            if len(page) < PAGE:
                return found


def _round_key(entry: entries_pb2.Entry) -> str:
    body = getattr(entry, entry.WhichOneof("body") or "")
    key = body.key if hasattr(body, "key") else body.round.key
    return f"{key.gaming_day}/{key.table_id}/{key.shoe}/{key.round_no}"


@rounds_app.command("show")
def show_round(key: str, property_id: Property = None) -> None:
    """A round DAY/TABLE/SHOE/ROUND as recorded and as settled, as JSON."""
    parts = key.split("/")
    if len(parts) != 4 or not (parts[2].isdecimal() and parts[3].isdecimal()):
        raise InvalidRequest(f"expected a round written DAY/TABLE/SHOE/ROUND, given {key!r}")
    wanted = entries_pb2.RoundKey(
        gaming_day=parts[0], table_id=parts[1], shoe=int(parts[2]), round_no=int(parts[3])
    )
    recorded, settled = asyncio.run(_round(property_id, wanted))
    as_json({**plain(recorded), **plain(settled)}, indent=1)


async def _round(given: str | None, key: entries_pb2.RoundKey) -> tuple[Message, Message]:
    async with connected() as casino:
        known = await property_of(casino, given)
        recorded = rounds.GetRoundRequest(property_id=known, key=key)
        settled = settlement.GetSettlementRequest(property_id=known, key=key)
        return (
            await casino.call(casino.rounds.GetRound, recorded),
            await casino.call(casino.settlement.GetSettlement, settled),
        )


@quarantine.command("list")
def list_quarantine(property_id: Property = None, day: Day = "", json: Json = False) -> None:
    """Held wagers and quarantined or rejected events, of every day or of one."""

    def ask(casino: Casino, known: str) -> Awaitable[Message]:
        request = rounds.ListHeldFactsRequest(property_id=known, gaming_day=day)
        return casino.call(casino.rounds.ListHeldFacts, request)

    found = _ask(property_id, ask)
    if json:
        return as_json(plain(found)["facts"])
    rows = [
        (each["kind"].removeprefix("ANSWER_KIND_"), _fact_key(each["key"]), each["reason"], each["message"])
        for each in plain(found)["facts"]
    ]
    return print(columns(("kind", "round", "reason", "message"), rows))


def _fact_key(key: dict[str, Any] | None) -> str:
    return f"{key['gaming_day']}/{key['table_id']}/{key['shoe']}/{key['round_no']}" if key else "-"


def _ask(given: str | None, ask: Ask) -> Message:
    async def run() -> Message:
        async with connected() as casino:
            return await ask(casino, await property_of(casino, given) if _needs_property(ask) else "")

    return asyncio.run(run())


def _needs_property(ask: Ask) -> bool:
    # Requests read from a file, and the list of properties, name their own.
    return not ask.__name__ == "<lambda>"


def _read(file: Path, kind: type[Asked]) -> Asked:
    """A request in protobuf JSON form; one without a request_id gets one. Raises InvalidRequest."""
    text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    try:
        request = json_format.Parse(text, kind())
    except json_format.ParseError as problem:
        first = str(problem).partition("\n")[0]
        raise InvalidRequest(f"expected {kind.DESCRIPTOR.name} in protobuf JSON, given {first}") from None
    if not getattr(request, "request_id"):
        setattr(request, "request_id", new_request_id())
    return request
