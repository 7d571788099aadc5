"""What the commands of a noun share: a request asked, read from a file, its answer printed."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from google.protobuf import json_format
from google.protobuf.message import Message

from clients.cli.home import connected
from clients.cli.output import as_json, columns, plain
from clients.cli.properties import property_of
from clients.sdk.client import Casino, new_request_id
from services.kernel.errors import InvalidRequest
from services.kernel.money import dollars

Asked = TypeVar("Asked", bound=Message)
Answer = TypeVar("Answer", bound=Message)

Property = Annotated[str | None, typer.Option("--property", help="The property.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Described = Annotated[Path, typer.Argument(help="A request in protobuf JSON form; - reads standard input.")]
Day = Annotated[str, typer.Option(help="Gaming day, YYYY-MM-DD.")]


def noun(help_text: str) -> typer.Typer:
    """A command with one subcommand for each thing to do."""
    return typer.Typer(no_args_is_help=True, help=help_text)


def ask(request: Callable[[Casino], Awaitable[Answer]]) -> Answer:
    """The answer to one request. Raises RefusedByServer."""

    async def run() -> Answer:
        async with connected() as casino:
            return await request(casino)

    return asyncio.run(run())


def ask_of(given: str | None, request: Callable[[Casino, str], Awaitable[Answer]]) -> Answer:
    """The answer to one request about the property meant. Raises RefusedByServer, Unknown."""

    async def run() -> Answer:
        async with connected() as casino:
            return await request(casino, await property_of(casino, given))

    return asyncio.run(run())


def read_request(file: Path, kind: type[Asked]) -> Asked:
    """A request in protobuf JSON form; one without a request_id gets one. Raises InvalidRequest."""
    return _parsed(_text(file), kind)


def read_requests(file: Path, kind: type[Asked]) -> list[Asked]:
    """Requests in protobuf JSON form, one a line, or a single one over several lines. Raises InvalidRequest."""
    text = _text(file)
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        json.loads(lines[0] if lines else "")
    except json.JSONDecodeError:
        lines = [text]
    return [_parsed(line, kind) for line in lines]


def _text(file: Path) -> str:
    return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")


def _parsed(text: str, kind: type[Asked]) -> Asked:
    request = kind()
    if not text.strip():
        raise InvalidRequest(f"expected {kind.DESCRIPTOR.name} in protobuf JSON, given nothing")
    try:
        json_format.Parse(text, request)
    except json_format.ParseError as problem:
        first = str(problem).partition("\n")[0]
        raise InvalidRequest(f"expected {kind.DESCRIPTOR.name} in protobuf JSON, given {first}") from None
    given = json_format.MessageToDict(request, preserving_proto_field_name=True)
    return request if given.get("request_id") else kind(**{**_fields(request), "request_id": new_request_id()})


def _fields(request: Message) -> dict[str, Any]:
    return {field.name: value for field, value in request.ListFields()}


def print_one(answer: Message, as_line: bool) -> None:
    """An answer as one JSON object: on one line with --json, else indented."""
    as_json(plain(answer), indent=None if as_line else 1)


def print_list(answer: Message, name: str, fields: Sequence[str], as_list: bool) -> None:
    """The list `name` of an answer: as a JSON list, or its `fields` in columns."""
    found = plain(answer)[name]
    if as_list:
        return as_json(found)
    money = [place for place, field in enumerate(fields) if field.endswith("_cents")]
    titles = [field.removesuffix("_cents") for field in fields]
    return print(columns(titles, ([_cell(each, field) for field in fields] for each in found), money))


def _cell(each: dict[str, object], field: str) -> str:
    value = each[field]
    return dollars(value) if field.endswith("_cents") and isinstance(value, int) else str(value)
