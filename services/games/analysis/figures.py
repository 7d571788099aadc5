"""The figures of one wager under one paytable at one deck count, as exact fractions.

Money is per unit of stake and breakage is left out of account. A progressive is taken at its seed and at
the least stake its section allows; the result is per unit of that stake.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from services.games.catalogue import wager
from services.games.paytables import NOT_PAID, PUSH, Cell, Fixed, MeterShare, Odds, Paytable
from services.games.terms import Offer, Terms
from services.games.wagers import Line, Wager
from services.kernel.errors import InvalidRequest, PaytableUnknown
from services.kernel.money import RATE_UNIT, decimal_text

LOSE = "lose"
Law = tuple[tuple[Line, Fraction], ...]
"""The probability of each line, the losing one last; they sum to 1."""


class Theory(NamedTuple):
    """What a unit of handle is expected to leave with the house, and the variance of that.

    For a progressive both are on design's basis: stakes less fixed awards less contributions to meter and
    reserve, so that a meter award neither adds nor takes.
    """

    house_edge: Fraction
    variance: Fraction


def compute(code: str, name: str, decks: int) -> dict[str, Any]:
    """The analysis of a wager, counted anew. Raises WagerUnknown, PaytableUnknown, InvalidRequest."""
    rule = wager(code)
    paytable = paytable_of(rule, name)
    if decks < 1:
        raise InvalidRequest(f"expected at least one deck, given {decks}")
    ways = count(rule, name, decks)
    total = sum(ways.values())
    law = tuple((line, Fraction(number, total)) for line, number in ways.items())
    nets = {line: net(rule, paytable, line) for line in ways}
    mean, variance = moments(law, nets)
    hits = sum(number for line, number in ways.items() if line != LOSE and paytable.lines[line] is not PUSH)
    return {
        "section": rule.section,
        "wager": code,
        "title": rule.title,
        "paytable": name,
        "decks": decks,
        "assumes": None,
        "depends_on": None,
        "sample": rule.sample.title,
        "lines": [
            {"line": line, "probability": f"{number}/{total}", "pays": pays(paytable, line)}
            for line, number in ways.items()
        ],
        "house_edge": decimal_text(-mean, 12),
        "hit_frequency": f"{hits}/{total}",
        "variance": text(variance),
        **(progressive(rule, paytable, law) if rule.meters else {}),
    }


def paytable_of(rule: Wager, name: str) -> Paytable:
    """The wager's paytable of that name. Raises PaytableUnknown."""
    paytable = rule.paytables.get(name)
    if paytable is None:
        raise PaytableUnknown(f"expected paytable {' or '.join(rule.paytables)} of {rule.code}, given {name!r}")
    return paytable


def count(rule: Wager, name: str, decks: int) -> dict[Line, int]:
    """The ways of every line in the paytable's order, the losing one last; a line printed N/A counts as
    lost.
    """
    paytable = rule.paytables[name]
    terms = Terms("", rule.game, rule.table_kinds[0], decks, 1, {rule.code: Offer(rule.code, name, stake_of(rule))})
    found: dict[Any, int] = dict.fromkeys(paytable.lines, 0) | {None: 0}
    for case in rule.sample.cases(decks):
        found[rule.classify(case.history, rule.sample.placement, terms)] += case.ways
    paid = {line: found[line] for line, cell in paytable.lines.items() if cell is not NOT_PAID}
    return {**paid, LOSE: sum(found.values()) - sum(paid.values())}


def stake_of(rule: Wager) -> int:
    """The stake in cents at which amounts not growing with it are taken: the least the section allows."""
    return rule.minimum_cents or min(rule.denominations, default=100)


def pays(paytable: Paytable, line: Line) -> str:
    """What the line pays, as printed."""
    return "loss" if line == LOSE else paytable.printed(line)


def net(rule: Wager, paytable: Paytable, line: Line) -> Fraction:
    """What a player gains on the line, per unit of stake: -1 on a loss; meters stand at their seeds."""
    return Fraction(-1) if line == LOSE else _returned(rule, paytable, paytable.lines[line], seeds(rule)) - 1


def fixed(rule: Wager, paytable: Paytable, line: Line) -> Fraction:
    """What the line returns to the player from anything but a meter, per unit of stake."""
    return Fraction(0) if line == LOSE else _returned(rule, paytable, paytable.lines[line], {})


def seeds(rule: Wager) -> dict[str, int]:
    """The seed of each meter, in cents."""
    return {meter.level: meter.seed_cents for meter in rule.meters}


def _returned(rule: Wager, paytable: Paytable, cell: Cell, readings: Mapping[str, int]) -> Fraction:
    if isinstance(cell, Odds):
        won = Fraction(cell.numerator, cell.denominator) * Fraction(RATE_UNIT - paytable.commission, RATE_UNIT)
        return won + 1 if cell.stake_returned else won
    if isinstance(cell, Fixed):
        return Fraction(cell.cents, stake_of(rule))
    if isinstance(cell, MeterShare):
        return Fraction(readings.get(cell.level, 0) * cell.percent, RATE_UNIT * stake_of(rule))
    return Fraction(1)


def moments(law: Law, values: Mapping[Line, Fraction]) -> tuple[Fraction, Fraction]:
    """Mean and variance of a value given by line."""
    mean = sum((probability * values[line] for line, probability in law), Fraction(0))
    square = sum((probability * values[line] ** 2 for line, probability in law), Fraction(0))
    return mean, square - mean**2


def theory(rule: Wager, paytable: Paytable, law: Law) -> Theory:
    """The basis of theoretical win and of its spread (see Theory)."""
    if not rule.meters:
        mean, variance = moments(law, {line: net(rule, paytable, line) for line, _ in law})
        return Theory(-mean, variance)
    mean, variance = moments(law, {line: fixed(rule, paytable, line) for line, _ in law})
    rates = sum(meter.increment_rate + meter.reserve_rate for meter in rule.meters)
    return Theory(1 - mean - Fraction(rates, RATE_UNIT), variance)


def progressive(rule: Wager, paytable: Paytable, law: Law) -> dict[str, Any]:
    """What is said of a progressive besides: where it was taken, its fixed return, its return by meter value.

    `return_per_meter_dollar`: what one more dollar on the level's meter returns per unit of stake.
    `break_even_meter_cents`: the least reading of the level, the others at their seeds, without a house edge.
    """
    fixed_return, _ = moments(law, {line: fixed(rule, paytable, line) for line, _ in law})
    per_cent = {meter.level: _per_cent(rule, paytable, law, meter.level) for meter in rule.meters}
    standing = seeds(rule)
    at_seed = fixed_return + sum(per_cent[level] * standing[level] for level in standing)
    return {
        "at": {"seed_cents": standing, "stake_cents": stake_of(rule)},
        "fixed_return": text(fixed_return),
        "return_per_meter_dollar": {level: text(rate * 100) for level, rate in per_cent.items()},
        "break_even_meter_cents": {
            level: None if not rate else -(-(standing[level] * rate + 1 - at_seed) // rate)
            for level, rate in per_cent.items()
        },
    }


def _per_cent(rule: Wager, paytable: Paytable, law: Law, level: str) -> Fraction:
    shares = _shares(paytable, level)
    return sum((p * shares.get(line, 0) for line, p in law), Fraction(0)) / (RATE_UNIT * stake_of(rule))


def _shares(paytable: Paytable, level: str) -> dict[Line, int]:
    cells: Iterable[tuple[Line, Cell]] = paytable.lines.items()
    return {line: cell.percent for line, cell in cells if isinstance(cell, MeterShare) and cell.level == level}


def text(value: Fraction) -> str:
    """A fraction as `n/d`, reduced."""
    return f"{value.numerator}/{value.denominator}"
