"""Values of every protobuf field as hypothesis draws them: what a caller means, and what no caller should send."""

from collections.abc import Sequence
from hashlib import sha512
from typing import Any, TypeAlias

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import strategies as st

from services.games.catalogue import catalogue

# What hypothesis hands to a composite strategy.
Draw: TypeAlias = Any

DEEPEST = 4
LONG = "".join(sha512(bytes([number])).hexdigest() for number in range(48))
"""6,144 characters that do not compress: longer than an index of the database takes."""
PROPERTIES = ("HARBOR", "HARBOR", "HARBOR", "HARBOR", "NOWHERE")
WEIRD = (
    "", " ", "\x00", "a\x00b", "\n", "\x1b[31m", "\u202e\u2066", "\ufeff", "x" * 300, LONG, LONG, "\U0001d54f" * 400,
    "'; select 1", "%s{0}%(a)s", "null", "-1", "9" * 5_000, "../../etc", "H9\u0301", "\u0661\u0662",
)  # fmt: skip
DAYS = (
    "2026-03-02", "2026-03-02", "2026-03-02", "2026-03-01", "2026-03-03", "2026-01-01", "2026-02-30", "0001-01-01",
    "0002-01-01", "9998-12-31", "9999-12-31", "20260302", "2026-W10-1", "2026-3-2", "infinity", "-infinity",
    "today", "2026-03-02T00:00", "\u0662\u0660\u0662\u0666-\u0660\u0663-\u0660\u0662", "10000-01-01",
)  # fmt: skip
TABLES = ("BAC-01", "BAC-01", "BAC-02", "NO-1")
KNOWN: dict[str, Sequence[str]] = {
    "property_id": PROPERTIES,
    "table_id": TABLES,
    "table_ids": TABLES,
    "source_id": ("pit-1", "pit-2"),
    "link_id": ("H9", "H9", "NEW-1", "NEW-2"),
    "level": ("mega", "mega", "minor"),
    "submission_id": ("RS-1", "RS-2", "RS-3", "RS-99"),
    "name": ("daily-win", "meters", "Pat Doe", "a dealer"),
    "period": ("", "week", "month", "year"),
    "rank": ("floorperson", "pit_manager", "dealer"),
    "game": ("baccarat", "craps", "roulette", "blackjack", "minibaccarat"),
    "kind": ("live", "electronic", "hybrid"),
    "code": tuple(catalogue()),
    "paytable": tuple(sorted({name for rule in catalogue().values() for name in rule.paytables})),
    "wheel": ("", "single_zero", "double_zero"),
    "time_zone": ("America/New_York", "UTC", "Mars/Base", "../passwd", "America"),
    "cut_over": ("06:00", "00:00", "24:00", "6", "23:59"),
    "shift_starts": ("06:00", "14:00", "22:00"),
    "player": ("9H", "KS", "2D", "3C", "10C", "1X"),
    "banker": ("2D", "3C", "AS", "7H", ""),
    "pocket": ("0", "00", "17", "37"),
    "dealer": ("D-7", "KS"),
    "placement": ("", "player", "banker"),
    "options": ("", "on", "off"),
}
DAY_FIELDS = ("gaming_day", "effective_from", "from_day", "to_day", "paid_on")
WHOLE = {
    "int32": (-(2**31), 2**31 - 1, (0, 1, 2, 7, -1, 500, 10_000, -(2**31), 2**31 - 1)),
    "int64": (-(2**63), 2**63 - 1, (0, 1, 2, 500, 1_000, -1, 10**6, 2**31, 2**53, 10**15, -(2**63), 2**63 - 1)),
}
SECONDS = (0, 1, -1, -62_135_596_800, -62_000_000_000, 253_402_300_799, 253_370_000_000, -(2**63), 2**63 - 1)
AT = 1_772_474_400
"""Seconds at 2026-03-02T18:00Z, when the table is open."""


@st.composite
def texts(draw: Draw, name: str) -> str:
    """A text for a field of this name; of six draws five are what a caller means."""
    kind = draw(st.integers(0, 17))
    if kind == 17:
        return str(draw(st.text(max_size=20)))
    if kind >= 15:
        return str(draw(st.sampled_from(WEIRD)))
    if name == "request_id":
        return f"r-{draw(st.integers(0, 2**40))}"
    known = DAYS if name in DAY_FIELDS else KNOWN.get(name, ("a", "text", "2026-03-02"))
    return str(draw(st.sampled_from(known)))


@st.composite
def numbers(draw: Draw, size: str) -> int:
    """A whole number of the size: mostly one that is at an edge of something."""
    least, most, known = WHOLE[size]
    return int(draw(st.sampled_from(known) if draw(st.integers(0, 3)) else st.integers(least, most)))


@st.composite
def messages(draw: Draw, descriptor: Descriptor, depth: int = 0) -> Message:
    """Any message of the type; of a oneof at most one field."""
    made: Message = GetMessageClass(descriptor)()
    if descriptor.full_name == "google.protobuf.Timestamp":
        return _timestamp(draw, made)
    chosen = {each.name: draw(st.sampled_from(tuple(each.fields))) for each in descriptor.oneofs}
    for field in descriptor.fields:
        told = field.containing_oneof is None or chosen[field.containing_oneof.name] is field
        if told and draw(st.integers(0, 11)):
            put(draw, made, field, depth)
    return made


def _timestamp(draw: Draw, empty: Message) -> Message:
    made, usual = Timestamp(), draw(st.integers(0, 3))
    made.seconds = AT + draw(st.integers(-5, 3_600)) if usual else draw(st.sampled_from(SECONDS))
    made.nanos = 0 if usual else draw(st.sampled_from((0, 1, -1, 999_999_999, 10**9, 2**31 - 1, -(2**31))))
    empty.CopyFrom(made)
    return empty


def put(draw: Draw, made: Message, field: FieldDescriptor, depth: int = 0) -> None:
    """Puts a value into a field, in the place of what is there."""
    made.ClearField(field.name)
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        for _ in range(draw(st.integers(0, 2))):
            getattr(made, field.name)[draw(texts(field.name))] = draw(texts(field.name))
    elif field.is_repeated:
        few = 0 if depth >= DEEPEST else draw(st.sampled_from((0, 1, 1, 2, 3)))
        getattr(made, field.name).extend([_value(draw, field, depth) for _ in range(few)])
    elif kind is not None:
        if depth < DEEPEST:
            getattr(made, field.name).CopyFrom(_value(draw, field, depth))
    else:
        setattr(made, field.name, _value(draw, field, depth))


def _value(draw: Draw, field: FieldDescriptor, depth: int) -> Any:
    if field.message_type is not None:
        return draw(messages(field.message_type, depth + 1))
    if field.type == FieldDescriptor.TYPE_STRING:
        return draw(texts(field.name))
    if field.type == FieldDescriptor.TYPE_BYTES:
        return draw(st.binary(max_size=40))
    if field.type == FieldDescriptor.TYPE_BOOL:
        return draw(st.booleans())
    if field.type == FieldDescriptor.TYPE_ENUM:
        known = field.enum_type.values if field.enum_type else ()
        return draw(st.sampled_from((*(each.number for each in known), 99, -1)))
    return draw(numbers("int64" if field.type == FieldDescriptor.TYPE_INT64 else "int32"))


@st.composite
def mutated(draw: Draw, base: Message) -> Message:
    """The message with one to three of its parts otherwise, at any depth."""
    made = type(base)()
    made.CopyFrom(base)
    for _ in range(draw(st.integers(1, 3))):
        _mutate(draw, made, 0)
    return made


def _mutate(draw: Draw, made: Message, depth: int) -> None:
    if not made.DESCRIPTOR.fields:
        return
    field = draw(st.sampled_from(tuple(made.DESCRIPTOR.fields)))
    below = _below(made, field)
    if below and draw(st.integers(0, 3)):
        _mutate(draw, draw(st.sampled_from(below)), depth + 1)
    else:
        put(draw, made, field, depth)


def _below(made: Message, field: FieldDescriptor) -> list[Message]:
    """The messages that stand in a field."""
    if field.message_type is None or field.message_type.GetOptions().map_entry:
        return []
    if field.is_repeated:
        return list(getattr(made, field.name))
    return [getattr(made, field.name)] if made.HasField(field.name) else []


@st.composite
def spoilt(draw: Draw, content: bytes) -> bytes:
    """Bytes cut short, with some bytes changed or put in, or any bytes at all."""
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return bytes(draw(st.binary(max_size=60)))
    at = draw(st.integers(0, len(content)))
    if kind == 1:
        return content[:at]
    new = draw(st.binary(min_size=1, max_size=4))
    return bytes(content[:at] + new + content[at + (len(new) if kind == 2 else 0) :])
