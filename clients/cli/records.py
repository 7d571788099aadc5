"""What was recorded: `casino rounds`, `documents`."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Annotated

import typer
from google.protobuf.message import Message

from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.rounds.v1 import entries_pb2
from casino.rounds.v1 import rounds_service_pb2 as rounds
from casino.settlement.v1 import settlement_service_pb2 as settlement
from clients.cli.home import connected
from clients.cli.output import as_json, plain
from clients.cli.properties import property_of
from clients.cli.requests import (
    Day,
    Described,
    Json,
    Property,
    ask,
    ask_of,
    noun,
    print_list,
    print_one,
    read_request,
    read_requests,
)
from clients.sdk.client import Casino
from services.kernel.errors import InvalidRequest

PAGE = 1_000

documents = noun("Table documents: slips, checks and counts.")
rounds_app = noun("Rounds as recorded.")


@documents.command("list")
def list_documents(day: Day, table: str = "", property_id: Property = None, json: Json = False) -> None:
    """The documents of a gaming day, or of one table of it."""

    def request_of(casino: Casino, known: str) -> Awaitable[reporting.ListDocumentsResponse]:
        request = reporting.ListDocumentsRequest(property_id=known, gaming_day=day, table_id=table)
        return casino.call(casino.reporting.ListDocuments, request)

    fields = ("document_id", "kind", "table_id", "shift", "amount_cents", "posted_by", "corrects")
    print_list(ask_of(property_id, request_of), "documents", fields, json)


@documents.command("post")
def post_document(file: Described, json: Json = False) -> None:
    """Posts a table document (PostDocumentRequest), or several, one a line; the first that is refused ends it."""
    for answer in asyncio.run(_posted(read_requests(file, reporting.PostDocumentRequest))):
        print_one(answer, json)


async def _posted(requests: Sequence[reporting.PostDocumentRequest]) -> list[reporting.PostDocumentResponse]:
    async with connected() as casino:
        return [await casino.call(casino.reporting.PostDocument, request) for request in requests]


@documents.command("correct")
def correct_document(
    document_id: Annotated[str, typer.Argument(help="The posted document that is wrong; it stays listed.")],
    file: Described,
    reason: Annotated[str, typer.Option(help="Why.")],
    json: Json = False,
) -> None:
    """Posts a document (PostDocumentRequest, with a serial number of its own) in the place of another one."""
    request = read_request(file, reporting.PostDocumentRequest)
    request.document.corrects, request.document.reason = document_id, reason
    print_one(ask(lambda casino: casino.call(casino.reporting.PostDocument, request)), json)


@documents.command("gaps")
def list_gaps(
    from_day: Annotated[str, typer.Option("--from", help="First gaming day, YYYY-MM-DD.")],
    to_day: Annotated[str, typer.Option("--to", help="Last gaming day; the first one if left out.")] = "",
    property_id: Property = None,
    json: Json = False,
) -> None:
    """Missing serial numbers, and the error notifications that explain them."""

    def request_of(casino: Casino, known: str) -> Awaitable[reporting.ListMissingSerialsResponse]:
        request = reporting.ListMissingSerialsRequest(property_id=known, from_day=from_day, to_day=to_day or from_day)
        return casino.call(casino.reporting.ListMissingSerials, request)

    print_list(
        ask_of(property_id, request_of), "missing", ("gaming_day", "first", "last", "before", "explained_by"), json
    )


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
    recorded, settled = asyncio.run(_round(property_id, read_key(key)))
    as_json({**plain(recorded), **plain(settled)}, indent=1)


def read_key(text: str) -> entries_pb2.RoundKey:
    """A round written DAY/TABLE/SHOE/ROUND. Raises InvalidRequest."""
    parts = text.split("/")
    if len(parts) != 4 or not (parts[2].isdecimal() and parts[3].isdecimal()):
        raise InvalidRequest(f"expected a round written DAY/TABLE/SHOE/ROUND, given {text!r}")
    return entries_pb2.RoundKey(gaming_day=parts[0], table_id=parts[1], shoe=int(parts[2]), round_no=int(parts[3]))


async def _round(given: str | None, key: entries_pb2.RoundKey) -> tuple[Message, Message]:
    async with connected() as casino:
        known = await property_of(casino, given)
        recorded = rounds.GetRoundRequest(property_id=known, key=key)
        settled = settlement.GetSettlementRequest(property_id=known, key=key)
        return (
            await casino.call(casino.rounds.GetRound, recorded),
            await casino.call(casino.settlement.GetSettlement, settled),
        )
