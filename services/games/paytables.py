"""What a line pays. A cell always says whether the stake comes back, so there is no bare number (rulings
M1, M2).

Commission is no part of the odds: it belongs to the paytable and is taken from the winnings (ruling M3).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from services.kernel.money import MICROS_PER_CENT, RATE_UNIT, dollars


class Odds(NamedTuple):
    """`numerator` for each `denominator` staked; `stake_returned` tells *to* (comes back) from *for* (is
    gone).
    """

    numerator: int
    denominator: int
    stake_returned: bool

    def __str__(self) -> str:
        word = "to" if self.stake_returned else "for"
        return f"{self.numerator:,} {word} {self.denominator}"


class Mark(Enum):
    """A line without odds: `PUSH` returns the stake; `NOT_PAID`, printed N/A, loses under this paytable."""

    PUSH = "push"
    NOT_PAID = "N/A"

    def __str__(self) -> str:
        return self.value


class Fixed(NamedTuple):
    """An amount in cents whatever the stake; the stake is gone (ruling M2)."""

    cents: int

    def __str__(self) -> str:
        return f"${dollars(self.cents)}"


class MeterShare(NamedTuple):
    """A part of a meter, in hundredths of a percent (10,000 is all of it); the stake is gone (ruling M2)."""

    level: str
    percent: int

    def __str__(self) -> str:
        whole, rest = divmod(self.percent, 100)
        return f"{whole}{f'.{rest:02d}' if rest else ''}% of {self.level}"


Cell = Odds | Mark | Fixed | MeterShare
PUSH = Mark.PUSH
NOT_PAID = Mark.NOT_PAID


def to_one(numerator: int, denominator: int = 1) -> Odds:
    """Win `numerator` for each `denominator` staked and keep the stake."""
    return _odds(numerator, denominator, stake_returned=True)


def for_one(numerator: int, denominator: int = 1) -> Odds:
    """Receive `numerator` in all for each `denominator` staked; the stake is gone."""
    return _odds(numerator, denominator, stake_returned=False)


def _odds(numerator: int, denominator: int, *, stake_returned: bool) -> Odds:
    # Only such a denominator leaves a fraction of a cent that is a whole number of micro-dollars: exact
    # breakage.
    if numerator < 1 or denominator < 1 or MICROS_PER_CENT % denominator:
        given = f"{numerator} and {denominator}"
        raise ValueError(f"expected odds above zero with a denominator dividing {MICROS_PER_CENT:,}, given {given}")
    return Odds(numerator, denominator, stake_returned)


@dataclass(frozen=True, eq=False)
class Paytable:
    """One filed paytable of a wager.

    `lines` in the order the section lists them; `decks` the deck counts it is for (none: any the game
    allows); `commission` in hundredths of a percent of the winnings (500 is 5 %).
    """

    lines: Mapping[str, Cell]
    decks: tuple[int, ...] = ()
    commission: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.commission < RATE_UNIT:
            raise ValueError(f"expected a commission of 0 to {RATE_UNIT - 1} per {RATE_UNIT}, given {self.commission}")
        object.__setattr__(self, "lines", MappingProxyType(dict(self.lines)))

    def printed(self, line: str) -> str:
        """What a line pays, as the layout prints it: `40 to 1`, `299 for 1`, `100% of mega`."""
        cell = self.lines[line]
        if not self.commission or not isinstance(cell, Odds):
            return str(cell)
        whole, rest = divmod(self.commission, 100)
        return f"{cell} less {whole}{f'.{rest:02d}' if rest else ''}% commission"
