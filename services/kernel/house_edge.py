"""The house-edge band of a property: outside it an exact house edge is warned of, never refused."""

import re
from fractions import Fraction
from typing import NamedTuple

from services.kernel.errors import InvalidRequest
from services.kernel.money import RATE_UNIT

_PERCENT = re.compile(r"(-?)([0-9]{1,3})(?:\.([0-9]{1,2}))?")


class EdgeBand(NamedTuple):
    """The lowest and the highest house edge that a property finds usual, hundredths of a percent, both within it."""

    lowest: int
    highest: int

    @property
    def fractions(self) -> tuple[Fraction, Fraction]:
        """Both ends as fractions of the stake."""
        return Fraction(self.lowest, RATE_UNIT), Fraction(self.highest, RATE_UNIT)

    @property
    def texts(self) -> tuple[str, str]:
        """Both ends as `read_band` reads them, in their shortest form: 1250 is `12.5`."""
        return _text(self.lowest), _text(self.highest)


DEFAULT_BAND = EdgeBand(0, 4_500)
"""0 to 45 %: what holds where a property sets nothing."""


def read_band(lowest: str, highest: str) -> EdgeBand:
    """The band of two percents as decimal texts; an empty one is that end of DEFAULT_BAND.

    Raises InvalidRequest where one is no percent from -100 to 100 with at most two decimals, or the lowest is above
    the highest.
    """
    usual = DEFAULT_BAND.texts
    given = lowest or usual[0], highest or usual[1]
    low, high = map(_hundredths, given)
    if low is None or high is None or low > high:
        raise InvalidRequest(
            "expected house_edge_from and house_edge_to as percents from -100 to 100 with at most two decimals,"
            f" the first not above the second; given {given[0]!r} and {given[1]!r}"
        )
    return EdgeBand(low, high)


def _hundredths(text: str) -> int | None:
    found = _PERCENT.fullmatch(text)
    if found is None:
        return None
    sign, whole, rest = found.groups()
    size = int(whole) * 100 + int((rest or "").ljust(2, "0"))
    return None if size > RATE_UNIT else -size if sign else size


def _text(hundredths: int) -> str:
    whole, rest = divmod(abs(hundredths), 100)
    decimals = f".{rest:02d}".rstrip("0") if rest else ""
    return f"{'-' if hundredths < 0 else ''}{whole}{decimals}"
