"""Amounts: whole cents, whole micro-dollars, hundredths of a percent, and exact decimals of a fraction."""

import re
from fractions import Fraction

from services.kernel.errors import AmountUnreadable

MICROS_PER_CENT = 10_000
RATE_UNIT = 10_000
"""Rates are hundredths of a percent: 10,000 of them are the whole."""

LARGEST_STAKE_CENTS = 10**11
"""The largest stake, and the largest payout that the floor states: sums of these fit every column and the wire."""

LARGEST_METER_CENTS = 10**11
"""The most that a meter shows, and the largest award that people set; what comes beyond is kept apart as overflow."""

_AMOUNT = re.compile(r"(-?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,2}))?")


def dollars(cents: int) -> str:
    """Cents as dollars for a reader: 123456 is `1,234.56`, -5 is `-0.05`."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole:,}.{rest:02d}"


def cents(text: str) -> int:
    """Dollars as a person writes them, in cents: `100`, `100.5` and `1,234.56`; anything else is refused.

    Raises AmountUnreadable: a fraction of a cent is not rounded, and no currency sign or space is read.
    """
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise AmountUnreadable(f"expected dollars with at most two digits after the point, given {text!r}")
    sign, whole, rest = found.groups()
    amount = int(whole.replace(",", "")) * 100 + int((rest or "").ljust(2, "0"))
    return -amount if sign else amount


def half_up(numerator: int, denominator: int) -> int:
    """The nearest whole number, a half going away from zero; `denominator` is above zero."""
    rounded = (2 * abs(numerator) + denominator) // (2 * denominator)
    return -rounded if numerator < 0 else rounded


def display_cents(micros: int) -> int:
    """What a sign shows of a meter: its micro-dollars rounded down to the cent (ruling M4)."""
    return micros // MICROS_PER_CENT


def decimal_text(value: Fraction, digits: int) -> str:
    """A fraction as a decimal with exactly `digits` (one or more) digits after the point, rounded half up."""
    scaled = half_up(value.numerator * 10**digits, value.denominator)
    whole, rest = divmod(abs(scaled), 10**digits)
    return f"{'-' if scaled < 0 else ''}{whole}.{rest:0{digits}d}"


def percent_text(value: Fraction, digits: int) -> str:
    """A fraction as a percentage: 1/8 with two digits is `12.50%`."""
    return f"{decimal_text(value * 100, digits)}%"
