"""What commands print: JSON with 64-bit integers as numbers, or aligned columns for a reader."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import typer
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp


def plain(message: Message) -> dict[str, Any]:
    """A message as JSON values: every field by its proto name.

    Integers of any size are numbers, enums their names, times RFC 3339, bytes hexadecimal, an absent message
    null.
    """
    fields: Iterable[Any] = message.DESCRIPTOR.fields
    return {field.name: _field(message, field) for field in fields if _shown(message, field)}


def _shown(message: Message, field: FieldDescriptor) -> bool:
    # Of a oneof only what is there.
    return field.containing_oneof is None or message.HasField(field.name)


def _field(message: Message, field: FieldDescriptor) -> Any:
    value = getattr(message, field.name)
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        return dict(value)
    if field.is_repeated:
        return [_value(each, field) for each in value]
    if entry is not None and not message.HasField(field.name):
        return None
    return _value(value, field)


def _value(value: Any, field: FieldDescriptor) -> Any:
    if isinstance(value, Timestamp | Duration):
        return value.ToJsonString()
    if isinstance(value, Message):
        return plain(value)
    if isinstance(value, bytes):
        return value.hex()
    if field.enum_type is not None:
        known = field.enum_type.values_by_number.get(value)
        return known.name if known else value
    return value


def say(sentence: str) -> None:
    """One sentence on standard error."""
    print(sentence, file=sys.stderr, flush=True)


def as_json(value: Any, *, indent: int | None = None) -> None:
    """One JSON value on standard output."""
    print(json.dumps(value, ensure_ascii=False, indent=indent), flush=True)


def columns(titles: Sequence[str], rows: Iterable[Sequence[object]], right: Iterable[int] = ()) -> str:
    """Aligned text with a line under the titles; columns numbered in `right`, from 0, are aligned right."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
    to_right = set(right)

    def line(row: Sequence[str]) -> str:
        placed = [
            cell.rjust(width) if place in to_right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(placed).rstrip()

    return "\n".join([line(titles), line(["-" * width for width in widths]), *map(line, cells)])


def fail(sentence: str) -> NoReturn:
    """Ends the command with exit code 1 after one sentence on standard error."""
    say(sentence)
    raise typer.Exit(1)


def exit_if(problem: bool) -> None:
    """Ends the command with exit code 1 if there was a problem that has been printed."""
    if problem:
        raise typer.Exit(1)


def print_each(values: Iterable[Any], show: Callable[[Any], str], *, json_wanted: bool) -> None:
    """Each value on a line of its own: as JSON, or as `show` writes it."""
    for value in values:
        print(json.dumps(value, ensure_ascii=False) if json_wanted else show(value))
