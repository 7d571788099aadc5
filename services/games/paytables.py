"""What a line pays. A cell always says whether the stake comes back, so there is no bare number (rulings
M1, M2).

Commission is no part of the odds: it belongs to the paytable and is taken from the winnings (ruling M3).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from services.kernel.money import MICROS_PER_CENT, RATE_UNIT, dollars

if TYPE_CHECKING:
    from services.games.wagers import Meter


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
    """A line without odds: `PUSH` returns the stake; `NOT_PAID`, printed N/A, loses under this paytable; `VOID`
    returns the stake because there was nothing to settle the wager by (ruling R1); `STATED` pays what the floor says
    (ruling K13).
    """

    PUSH = "push"
    NOT_PAID = "N/A"
    VOID = "void"
    STATED = "as the floor states"

    def __str__(self) -> str:
        return self.value


class Fixed(NamedTuple):
    """An amount in cents whatever the stake, which is gone (ruling M2); `kind` is fixed, envy or bonus."""

    cents: int
    kind: str = "fixed"

    def __str__(self) -> str:
        return f"${dollars(self.cents)}"


class MeterShare(NamedTuple):
    """A part of a meter, in hundredths of a percent (10,000 is all of it); the stake is gone (ruling M2)."""

    level: str
    percent: int

    def __str__(self) -> str:
        whole, rest = divmod(self.percent, 100)
        return f"{whole}{f'.{rest:02d}' if rest else ''}% of {self.level}"


class PartReturned(NamedTuple):
    """A loss of which a part of the stake, `numerator` of `denominator`, comes back: a surrender (633a.9)."""

    numerator: int
    denominator: int

    def __str__(self) -> str:
        return f"{self.numerator}/{self.denominator} of the stake returned"


Cell = Odds | Mark | Fixed | MeterShare | PartReturned
PUSH = Mark.PUSH
NOT_PAID = Mark.NOT_PAID
VOID = Mark.VOID
STATED = Mark.STATED
WINNINGS = "winnings"
STAKE = "stake"


def to_one(numerator: int, denominator: int = 1) -> Odds:
    """Win `numerator` for each `denominator` staked and keep the stake."""
    return _odds(numerator, denominator, stake_returned=True)


def for_one(numerator: int, denominator: int = 1) -> Odds:
    """Receive `numerator` in all for each `denominator` staked; the stake is gone."""
    return _odds(numerator, denominator, stake_returned=False)


def _odds(numerator: int, denominator: int, *, stake_returned: bool) -> Odds:
    # Such a denominator leaves a fraction of a cent that is a whole number of micro-dollars: exact breakage. Thirds
    # and sixths, the odds of laying at Craps, do not: their breakage is rounded down to the micro-dollar.
    exact = denominator >= 1 and (MICROS_PER_CENT % denominator == 0 or denominator in (3, 6))
    if numerator < 1 or not exact:
        expected = f"a denominator dividing {MICROS_PER_CENT:,}, or 3 or 6"
        raise ValueError(f"expected odds above zero with {expected}, given {numerator} and {denominator}")
    return Odds(numerator, denominator, stake_returned)


@dataclass(frozen=True, eq=False)
class Paytable:
    """One filed paytable of a wager.

    `lines` in the order the section lists them; `decks` the deck counts and `wheels` the wheels it is for (none: any
    the game allows); `commission` in hundredths of a percent (500 is 5 %) of what `commission_of` says, `winnings` or
    `stake`, taken on a win only. `denominations`: the
    stakes in cents it is for, where they differ from the wager's. `envy`: by line, the cents that every other wager of
    the code at the table receives for each wager that hits it (ruling J5). `meters`: those of this paytable, where
    they differ from the wager's.
    """

    lines: Mapping[str, Cell]
    decks: tuple[int, ...] = ()
    commission: int = 0
    wheels: tuple[str, ...] = ()
    denominations: tuple[int, ...] = ()
    envy: Mapping[str, int] = field(default_factory=dict)
    meters: tuple["Meter", ...] = ()
    commission_of: str = WINNINGS

    def __post_init__(self) -> None:
        if set(self.envy) - set(self.lines):
            raise ValueError(f"expected envy of {' or '.join(self.lines)}, given {' and '.join(self.envy)}")
        if not 0 <= self.commission < RATE_UNIT:
            raise ValueError(f"expected a commission of 0 to {RATE_UNIT - 1} per {RATE_UNIT}, given {self.commission}")
        object.__setattr__(self, "lines", MappingProxyType(dict(self.lines)))
        object.__setattr__(self, "envy", MappingProxyType(dict(self.envy)))

    def printed(self, line: str) -> str:
        """What a line pays, as the layout prints it: `40 to 1`, `299 for 1`, `100% of mega`."""
        cell = self.lines[line]
        if not self.commission or not isinstance(cell, Odds):
            return str(cell)
        whole, rest = divmod(self.commission, 100)
        of_what = " of the stake" if self.commission_of == STAKE else ""
        return f"{cell} less {whole}{f'.{rest:02d}' if rest else ''}% commission{of_what}"
