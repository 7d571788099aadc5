"""Meter amounts as a person writes and reads them: dollars with up to six digits, micro-dollars inside."""

import re

from services.kernel.errors import AmountUnreadable

MICROS_PER_DOLLAR = 1_000_000

_AMOUNT = re.compile(r"([+-]?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,6}))?")


def read_micros(text: str) -> int:
    """Dollars as micro-dollars: `-12.5` is -12,500,000. Raises AmountUnreadable: nothing is rounded."""
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise AmountUnreadable(f"expected dollars with at most six digits after the point, given {text!r}")
    sign, whole, rest = found.groups()
    amount = int(whole.replace(",", "")) * MICROS_PER_DOLLAR + int((rest or "").ljust(6, "0"))
    return -amount if sign == "-" else amount


def micro_dollars(micros: int) -> str:
    """Micro-dollars for a reader, with cents and what of the six digits is beyond them: `1,234.56`, `0.005`."""
    whole, rest = divmod(abs(micros), MICROS_PER_DOLLAR)
    digits = f"{rest:06d}".rstrip("0").ljust(2, "0")
    return f"{'-' if micros < 0 else ''}{whole:,}.{digits}"
