"""Reports as filed: facts with their bytes, their hash and what they stand on."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256

FILED_REPORTS = ("daily-win", "master-game-report", "gross-revenue")
"""What is filed for a gaming day, by name and in this order."""


@dataclass(frozen=True, slots=True)
class Filed:
    """A report of a gaming day under a version: hash and size of its bytes, the positions it stands on by feed."""

    property_id: str
    gaming_day: date
    name: str
    version: int
    sha256: bytes
    size: int
    positions: Mapping[str, int]
    filed_by: str
    approved_by: str
    filed_at: datetime


def names(reports: Container[str]) -> tuple[str, ...]:
    """Those of the reports to be filed that there are."""
    return tuple(name for name in FILED_REPORTS if name in reports)


def digest(content: bytes) -> bytes:
    """SHA-256 of a report's bytes."""
    return sha256(content).digest()
