"""What is said of a progressive besides: its return by meter value and where the house edge ends."""

from fractions import Fraction
from typing import Any

from services.games.analysis.law import Law, text
from services.games.analysis.returns import fixed, moments, seeds, stake_of
from services.games.paytables import MeterShare, Paytable
from services.games.wagers import Line, Wager
from services.kernel.money import RATE_UNIT


def figures(rule: Wager, name: str, law: Law) -> dict[str, Any]:
    """Where a progressive was taken, its fixed return, its return by meter value.

    `return_per_meter_dollar`: what one more dollar on the level's meter returns per unit of stake.
    `break_even_meter_cents`: the least reading of the level, the others at their seeds, without a house edge.
    """
    stake, standing = stake_of(rule, rule.paytables[name]), seeds(rule, name)
    fixed_return, _ = moments(law, {line: fixed(rule, name, line) for line, _ in law})
    per_cent = {level: _per_cent(rule.paytables[name], law, level, stake) for level in standing}
    at_seed = fixed_return + sum(per_cent[level] * standing[level] for level in standing)
    return {
        "at": {"seed_cents": standing, "stake_cents": stake},
        "fixed_return": text(fixed_return),
        "return_per_meter_dollar": {level: text(rate * 100) for level, rate in per_cent.items()},
        "break_even_meter_cents": {
            level: None if not rate else -(-(standing[level] * rate + 1 - at_seed) // rate)
            for level, rate in per_cent.items()
        },
    }


def _per_cent(paytable: Paytable, law: Law, level: str, stake_cents: int) -> Fraction:
    shares = _shares(paytable, level)
    return sum((p * shares.get(line, 0) for line, p in law), Fraction(0)) / (RATE_UNIT * stake_cents)


def _shares(paytable: Paytable, level: str) -> dict[Line, int]:
    cells = paytable.lines.items()
    return {line: cell.percent for line, cell in cells if isinstance(cell, MeterShare) and cell.level == level}
