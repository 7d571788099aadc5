"""What a line returns per unit of stake."""

from collections.abc import Mapping
from fractions import Fraction

from services.games.analysis.law import LOSE, Law
from services.games.paytables import STAKE, Cell, Fixed, MeterShare, Odds, PartReturned, Paytable
from services.games.wagers import Line, Wager
from services.kernel.money import RATE_UNIT


def stake_of(rule: Wager, paytable: Paytable) -> int:
    """The stake in cents at which amounts not growing with it are taken: the least the section allows."""
    return rule.minimum_cents or min(paytable.denominations or rule.denominations, default=100)


def net(rule: Wager, name: str, line: Line) -> Fraction:
    """What a player gains on the line, per unit of stake: -1 on a loss; meters stand at their seeds."""
    return Fraction(-1) if line == LOSE else _returned(rule, name, line, seeds(rule, name)) - 1


def fixed(rule: Wager, name: str, line: Line) -> Fraction:
    """What the line returns to the player from anything but a meter, per unit of stake."""
    return Fraction(0) if line == LOSE else _returned(rule, name, line, {})


def seeds(rule: Wager, name: str) -> dict[str, int]:
    """The seed of each meter under the paytable, in cents."""
    return {meter.level: meter.seed_cents for meter in rule.meters_of(name)}


def moments(law: Law, values: Mapping[Line, Fraction]) -> tuple[Fraction, Fraction]:
    """Mean and variance of a value given by line."""
    mean = sum((probability * values[line] for line, probability in law), Fraction(0))
    square = sum((probability * values[line] ** 2 for line, probability in law), Fraction(0))
    return mean, square - mean**2


def _returned(rule: Wager, name: str, line: Line, readings: Mapping[str, int]) -> Fraction:
    paytable = rule.paytables[name]
    cell: Cell = paytable.lines[line]
    if isinstance(cell, Odds):
        return _odds(cell, paytable)
    if isinstance(cell, Fixed):
        return Fraction(cell.cents, stake_of(rule, paytable))
    if isinstance(cell, MeterShare):
        return Fraction(readings.get(cell.level, 0) * cell.percent, RATE_UNIT * stake_of(rule, paytable))
    if isinstance(cell, PartReturned):
        return Fraction(cell.numerator, cell.denominator)
    return Fraction(1)


def _odds(cell: Odds, paytable: Paytable) -> Fraction:
    won = Fraction(cell.numerator, cell.denominator)
    won -= (1 if paytable.commission_of == STAKE else won) * Fraction(paytable.commission, RATE_UNIT)
    return won + 1 if cell.stake_returned else won
