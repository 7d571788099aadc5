"""A witness of the auditor's own: the newest seal of each feed, in a file kept from one verification to the next.

A seal is a row like any other. Whoever deletes it with the tail that it sealed has the tail sealed anew, and of a feed
that nobody follows the database tells nothing then; whoever has seen the seal can.
"""

import json
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from casino.feeds.v1 import feeds_pb2
from clients.cli.audit.findings import Findings
from services.kernel.errors import InvalidRequest, Unreadable

WITNESS = "reader: seals of the witness told again"
Place = tuple[str, str, str]
"""Property, service and feed."""


class Seen(NamedTuple):
    """A seal as it was told; the hash in hexadecimal, the instant in ISO 8601 with six digits of a second, in UTC."""

    property_id: str
    service: str
    feed: str
    position: int
    hash: str
    sealed_at: str

    @property
    def place(self) -> Place:
        """What it is the seal of."""
        return self[:3]


class Witness:
    """The seals that a file remembers, held against those that services tell."""

    def __init__(self, file: Path) -> None:
        """A file that is not there yet remembers nothing. Raises Unreadable, InvalidRequest where none can be made."""
        if not os.access(file.parent, os.W_OK | os.X_OK):
            raise InvalidRequest(f"expected a folder to write the witness {file} to, given {file.parent}")
        self._file = file
        self._known = {each.place: each for each in _read(file)} if file.exists() else {}
        self._told: dict[Place, Seen] = {}
        self._again: set[Place] = set()
        self._otherwise: dict[Place, str] = {}

    def look(self, property_id: str, service: str, seals: Iterable[feeds_pb2.Seal]) -> None:
        """Seals that a service tells of a property."""
        for seal in seals:
            self._take(_seen(property_id, service, seal))

    def _take(self, told: Seen) -> None:
        place, known = told.place, self._known.get(told.place)
        if place not in self._told or _age(told) >= _age(self._told[place]):
            self._told[place] = told
        if told == known:
            self._again.add(place)
        elif known is not None and told.position == known.position and told.hash != known.hash:
            self._otherwise[place] = told.hash

    def check(self, property_id: str) -> Findings:
        """Whether everything that is remembered of a property was told again."""
        findings = Findings(WITNESS)
        for place, known in self._known.items():
            if known.property_id == property_id:
                findings.checked += 1
                if place not in self._again:
                    findings.differs(self._lost(known))
        return findings

    def forgotten(self, names: Iterable[str]) -> list[str]:
        """The properties that are remembered and are not among these."""
        return sorted({each.property_id for each in self._known.values()} - set(names))

    def _lost(self, known: Seen) -> str:
        what = f"{known.service}: the seal of {known.feed} at position {known.position}"
        what += f" that was seen, sealed at {known.sealed_at}, is gone"
        other = self._otherwise.get(known.place)
        return f"{what}: expected hash {known.hash} there, given {other}" if other else what

    def renew(self) -> None:
        """Remembers the newest that was told, and of what was not looked at what it knew. Raises OSError.

        Only where no seal differs: a file that took over a forged tail would be a witness for it. It is replaced whole,
        so that an end midway leaves the one before.
        """
        beside = self._file.with_name(f"{self._file.name}.new")
        with beside.open("w", encoding="utf-8") as text:
            text.write(_text(sorted({**self._known, **self._told}.values())))
            text.flush()
            os.fsync(text.fileno())
        beside.replace(self._file)


def _seen(property_id: str, service: str, seal: feeds_pb2.Seal) -> Seen:
    sealed_at = seal.sealed_at.ToDatetime(UTC).isoformat(timespec="microseconds")
    return Seen(property_id, service, seal.feed, seal.position, seal.hash.hex(), sealed_at)


def _age(seen: Seen) -> tuple[int, str]:
    return seen.position, seen.sealed_at


def _text(seals: Sequence[Seen]) -> str:
    return json.dumps({"seals": [each._asdict() for each in seals]}, indent=1, ensure_ascii=False) + "\n"


def _read(file: Path) -> list[Seen]:
    try:
        return [_parsed(each) for each in json.loads(file.read_text(encoding="utf-8"))["seals"]]
    except (ValueError, LookupError, TypeError, RecursionError) as problem:
        raise Unreadable(f"expected {file} to hold the seals that a witness has seen, given {problem}") from None


def _parsed(each: dict[str, object]) -> Seen:
    """One seal of the file. Raises ValueError, TypeError."""
    seen = Seen(**each)  # type: ignore[arg-type]  # the types are held against the fields below
    wrong = [name for name, kind in Seen.__annotations__.items() if type(getattr(seen, name)) is not kind]
    if wrong:
        raise ValueError(f"another type of {', '.join(wrong)}")
    bytes.fromhex(seen.hash)
    datetime.fromisoformat(seen.sealed_at)
    return seen
