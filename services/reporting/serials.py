"""Serial numbers: a series is what stands before the number, and no number of it is missing (58 Pa. Code 465a.3)."""

import re
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

# As the columns `series` and `number` of a document: more digits than fit belong to the series.
_NUMBER = re.compile(r"[0-9]{1,15}\Z")
RANGE = ".."


class Serial(NamedTuple):
    """A number of a series; `width` above 0 where numbers are filled up with zeros to so many digits."""

    series: str
    number: int
    width: int = 0

    def __str__(self) -> str:
        return f"{self.series}{self.number:0{self.width}d}" if self.width else f"{self.series}{self.number}"


class Numbered(NamedTuple):
    """A document of a gaming day and the number before its own in its series; None if it is the first."""

    document_id: str
    gaming_day: date
    previous: int | None


class Gap(NamedTuple):
    """Numbers `first` to `last` of a series, both missing, before a document of a gaming day."""

    first: Serial
    last: Serial
    before: str
    gaming_day: date

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}{RANGE}{self.last}"


def read(document_id: str) -> Serial | None:
    """Series and number of a document; None where its name does not end in a number."""
    found = _NUMBER.search(document_id)
    if found is None:
        return None
    digits = found.group()
    return Serial(document_id[: found.start()], int(digits), len(digits) if digits.startswith("0") else 0)


def gaps(documents: Iterable[Numbered]) -> list[Gap]:
    """What is missing before each document, in the order given."""
    found = []
    for document_id, day, previous in documents:
        serial = read(document_id)
        if serial is not None and previous is not None and serial.number - previous > 1:
            first, last = serial._replace(number=previous + 1), serial._replace(number=serial.number - 1)
            found.append(Gap(first, last, document_id, day))
    return found


def unexplained(gap: Gap, names: Iterable[str]) -> list[Gap]:
    """The parts of a gap that none of the names (serial numbers, or ranges FIRST..LAST) covers."""
    left = [(gap.first.number, gap.last.number)]
    for low, high in _ranges(gap.first.series, names):
        parts = [((first, min(last, low - 1)), (max(first, high + 1), last)) for first, last in left]
        left = [part for both in parts for part in both if part[0] <= part[1]]
    return [
        gap._replace(first=gap.first._replace(number=first), last=gap.last._replace(number=last))
        for first, last in sorted(left)
    ]


def _ranges(series: str, names: Iterable[str]) -> list[tuple[int, int]]:
    found = []
    for name in names:
        first, _, last = name.partition(RANGE)
        low, high = read(first), read(last or first)
        if low is not None and high is not None and low.series == high.series == series:
            found.append((low.number, high.number))
    return found
