"""Hold against what was to be expected: standard errors, scores, and the limits beyond which somebody looks into it.

Every figure is exact or rounded half up at the end; limits are data by jurisdiction.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import isqrt
from pathlib import Path
from typing import NamedTuple

from services.kernel.money import RATE_UNIT, dollars
from services.reporting.tax import of_jurisdiction

LIMITS = Path(__file__).with_name("data") / "thresholds.json"
HUNDRED = 100
ROOT_DIGITS = 12


class Tolerance(NamedTuple):
    """How far the two wins of a table-day may lie apart: cents, or hundredths of a percent of the drop if more."""

    cents: int
    rate_of_drop: int

    def of(self, drop: int | None) -> int:
        """The tolerance in cents."""
        return max(self.cents, (drop or 0) * self.rate_of_drop // RATE_UNIT)


@dataclass(frozen=True, slots=True)
class Limits:
    """A jurisdiction's limits. `points`: hundredths of a percent of hold; `z`: hundredths of a standard error.

    None: it has no such limit. Below the least drop (cents) or number of wagers nothing is flagged. An opener that
    differs by more than `opener_notified`, or `opener_reported` and more, is notified or reported (cents).
    """

    jurisdiction: str
    title: str
    points: int | None
    z: int | None
    minimum_drop: int
    minimum_wagers: int
    opener_notified: int
    opener_reported: int
    tolerances: Mapping[str, Tolerance]

    @property
    def said(self) -> str:
        """The limits on hold as a sentence's part."""
        found = []
        if self.points is not None:
            found.append(f"{dollars(self.points)} points")
        if self.z is not None:
            found.append(f"{dollars(self.z)} standard errors")
        return " or ".join(found)


@cache
def limits(jurisdiction: str = "") -> Limits:
    """The limits of a jurisdiction, by default those of the data. Raises JurisdictionUnknown."""
    name, found = of_jurisdiction(json.loads(LIMITS.read_text(encoding="utf-8")), jurisdiction, "thresholds")
    return Limits(
        name,
        found["title"],
        found["points"],
        found["z"],
        found["minimum_drop_cents"],
        found["minimum_wagers"],
        found["opener_notified_cents"],
        found["opener_reported_cents"],
        {kind: Tolerance(each["cents"], each["rate_of_drop"]) for kind, each in found["tolerances"].items()},
    )


def root(value: Fraction) -> Fraction:
    """The square root of what is not negative, rounded down at the twelfth digit after the point."""
    scale = 10**ROOT_DIGITS
    return Fraction(isqrt(value.numerator * scale**2 // value.denominator), scale)


def standard_error(variance: Fraction, stake_squares: int, handle: int) -> Fraction | None:
    """The standard error of the hold on a handle of independent wagers; None without a handle.

    `variance` is per unit of stake, `stake_squares` the sum of the squared stakes in cents: the win's variance is
    their product, and the hold is the win over the handle.
    """
    return root(variance * stake_squares) / handle if handle else None


def score(actual: Fraction, expected: Fraction, error: Fraction | None) -> Fraction | None:
    """How many standard errors the actual hold lies above the expected one; None where there is none."""
    return (actual - expected) / error if error else None


def mean_and_error(values: Sequence[Fraction], days: int) -> tuple[Fraction, Fraction] | None:
    """Mean of daily holds and the standard error of a mean over so many days; None of fewer than two values."""
    if len(values) < 2 or days < 1:
        return None
    mean = sum(values, Fraction(0)) / len(values)
    spread = sum(((each - mean) ** 2 for each in values), Fraction(0)) / (len(values) - 1)
    return mean, root(spread / days)


def flag(difference: Fraction, error: Fraction | None, found: Limits) -> str:
    """Which limits a difference of holds passes, in words; empty if none."""
    said = []
    if found.points is not None and abs(difference) * RATE_UNIT > found.points:
        said.append(f"over {dollars(found.points)} points")
    if found.z is not None and error and abs(difference) * HUNDRED > found.z * error:
        said.append(f"over {dollars(found.z)} standard errors")
    return "; ".join(said)


def flag_score(z: Fraction | None, found: Limits) -> str:
    """Whether a score passes the limit, in words; empty if not."""
    over = z is not None and found.z is not None and abs(z) * HUNDRED > found.z
    return f"over {dollars(found.z or 0)} standard errors" if over else ""
