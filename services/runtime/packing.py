"""Rows in the binary format of COPY, for the tables that take most rows.

`copy_records_to_table` encodes one value after another, lists slowest of all. Most columns of these rows are as in the
row before: packed once, they are handed on as bytes. A value of another width than its column's is refused by Postgres.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from struct import Struct, pack

_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_TRAILER = b"\xff\xff"
_FIRST_DAY = date(2000, 1, 1).toordinal()
_INT8, _INT8_OID = Struct("!iq"), 20
NULL = b"\xff\xff\xff\xff"
"""A column without a value."""
INT2, INT4, INT8 = "ih", "ii", "iq"
"""For the format of a `Struct`: a column of 2, 4 or 8 bytes after its width, which is packed before each value."""


@lru_cache(maxsize=4096)
def text(value: str) -> bytes:
    """A column of text."""
    data = value.encode()
    return pack("!i", len(data)) + data


@lru_cache(maxsize=256)
def day(value: date) -> bytes:
    """A column of a date."""
    return pack("!ii", 4, value.toordinal() - _FIRST_DAY)


def int2(value: int) -> bytes:
    """A column of 2 bytes."""
    return pack("!ih", 2, value)


def int4(value: int) -> bytes:
    """A column of 4 bytes."""
    return pack("!ii", 4, value)


def int8(value: int) -> bytes:
    """A column of 8 bytes."""
    return pack("!iq", 8, value)


def int8s(values: Sequence[int]) -> bytes:
    """A column of a list of at least one number of 8 bytes."""
    return _list_of(len(values)) + b"".join([_INT8.pack(8, each) for each in values])


@lru_cache(maxsize=256)
def _list_of(count: int) -> bytes:
    """What a list of numbers begins with: its width, one dimension, nothing null, their type, how many, from 1."""
    return pack("!iiiiii", 20 + _INT8.size * count, 1, 0, _INT8_OID, count, 1)


def columns(count: int) -> bytes:
    """What each row begins with."""
    return pack("!h", count)


def octets(value: bytes) -> bytes:
    """A column of bytes."""
    return len(value).to_bytes(4, "big") + value


def content(rows: Iterable[bytes]) -> bytes:
    """What COPY takes for packed rows."""
    return b"".join((_HEADER, *rows, _TRAILER))


ENTRY_COLUMNS = ("property_id", "gaming_day", "kind", "position", "entry", "hash", "commit")


def entry(
    property_id: str, position: int, gaming_day: date, kind: int, content: bytes, hash_: bytes, commit: bytes | None
) -> bytes:
    """The row of a feed's entry, its columns in the order of ENTRY_COLUMNS."""
    begins = _entry_begins(property_id, gaming_day, kind) + int8(position)
    ends = NULL if commit is None else octets(commit)
    return begins + octets(content) + octets(hash_) + ends


@lru_cache(maxsize=1024)
def _entry_begins(property_id: str, gaming_day: date, kind: int) -> bytes:
    return columns(len(ENTRY_COLUMNS)) + text(property_id) + day(gaming_day) + int2(kind)
