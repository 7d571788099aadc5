"""The figures of one wager under one paytable for one setting, as exact fractions.

A setting is the number of decks, the wheel, or None where the game has neither. Money is per unit of stake and breakage
is left out of account. A progressive is taken at its seed and at the least stake its section allows; the result is
per unit of that stake.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from services.games.analysis import progressive
from services.games.analysis.draws import break_even_mean
from services.games.analysis.law import LOSE, Law, Ways, check_setting, count, law_of, paytable_of, share, text
from services.games.analysis.returns import fixed, moments, net, stake_of
from services.games.catalogue import wager
from services.games.paytables import PUSH, VOID, PartReturned, Paytable
from services.games.wagers import Line, Setting, Wager
from services.kernel.money import RATE_UNIT, decimal_text

RNG_WEIGHTS = "rng_weights"
CHAIN = "rolls of a shooter's hand"


class Theory(NamedTuple):
    """What a unit of handle is expected to leave with the house, and the variance of that.

    For a progressive both are on design's basis: stakes less fixed awards less contributions to meter and
    reserve, so that a meter award neither adds nor takes; an increment rate that the Rules Submission states is left
    out. None where no figure follows from the rules: where a random number generator draws the price or play decides.
    """

    house_edge: Fraction | None
    variance: Fraction | None


def compute(code: str, name: str, setting: Setting) -> dict[str, Any]:
    """The analysis of a wager, counted anew. Raises WagerUnknown, PaytableUnknown, InvalidRequest."""
    rule = wager(code)
    paytable = paytable_of(rule, name)
    check_setting(rule, setting)
    found = {
        "section": rule.section,
        "wager": code,
        "title": rule.title,
        "paytable": name,
        "decks": setting if isinstance(setting, int) else None,
        "wheel": setting if isinstance(setting, str) else None,
        "assumes": assumes(rule),
        "depends_on": depends_on(rule),
        "sample": rule.sample.title if rule.sample else CHAIN,
    }
    if rule.sample is None and rule.distribution is None:
        return {**found, "sample": None, "lines": [], "house_edge": None, "hit_frequency": None, "variance": None}
    ways: Ways = count(rule, name, setting, stake_of(rule, paytable))
    if rule.drawn:
        # A view gives each payout that may be drawn ways of its own, which stand for nothing.
        ways = dict(law_of(ways))
    figures = {**found, **_figures(rule, name, ways), **_more(rule, name, law_of(ways))}
    return {**figures, "alternatives": _alternatives(rule, name, setting)} if rule.alternatives else figures


def depends_on(rule: Wager) -> str | None:
    """What a house edge would need besides the rules: `rng_weights`, `play`, or nothing."""
    return RNG_WEIGHTS if rule.drawn else rule.depends_on


def assumes(rule: Wager) -> str | None:
    """The written strategy, or the options, that the figures stand on."""
    chosen = "; ".join(f"{name} {value}" for name, value in rule.assumed.items())
    return rule.assumes or chosen or None


def pays(rule: Wager, paytable: Paytable, line: Line) -> str:
    """What the line pays, as printed; of an event, what may be drawn."""
    if line == LOSE:
        return "loss"
    drawn = rule.drawn.get(line)
    return "drawn: " + ", ".join(map(paytable.printed, drawn)) if drawn else paytable.printed(line)


def _figures(rule: Wager, name: str, ways: Ways) -> dict[str, Any]:
    paytable, total = rule.paytables[name], sum(ways.values())
    hits = sum(number for line, number in ways.items() if line != LOSE and not _returns(paytable, line))
    edge, variance = None, None
    if depends_on(rule) is None:
        mean, spread = moments(law_of(ways), {line: net(rule, name, line) for line in ways})
        edge, variance = decimal_text(-mean, 12), text(spread)
    return {
        "lines": [
            {"line": line, "probability": share(number, total), "pays": pays(rule, paytable, line)}
            for line, number in ways.items()
        ],
        "house_edge": edge,
        "hit_frequency": share(hits, total),
        "variance": variance,
    }


def _returns(paytable: Paytable, line: Line) -> bool:
    """Whether the line gives the stake, or a part of it, back and nothing else."""
    cell = paytable.lines.get(line)
    return cell in (PUSH, VOID) or isinstance(cell, PartReturned)


def _more(rule: Wager, name: str, law: Law) -> dict[str, Any]:
    if rule.drawn:
        return {"break_even_mean": text(break_even_mean(rule, name, law))}
    return progressive.figures(rule, name, law) if rule.meters else {}


def _alternatives(rule: Wager, name: str, setting: Setting) -> list[dict[str, Any]]:
    """The figures under each other assumption; a bonus is taken at the least stake that has it."""
    found = []
    for assumed, other in rule.alternatives.items():
        ways = count(replace(rule, sample=other.sample), name, setting, stake_of(rule, rule.paytables[name]))
        values = {line: net(rule, name, line) for line in ways}
        if rule.bonus is not None:
            for line, cents in rule.bonus.under(other.options).items():
                values[line] += Fraction(cents, rule.bonus.least_stake_cents)
        mean, spread = moments(law_of(ways), values)
        lines = {line: share(number, sum(ways.values())) for line, number in ways.items()}
        edge = {"house_edge": decimal_text(-mean, 12), "variance": text(spread)}
        found.append({"assumes": assumed, "lines": lines, **edge})
    return found


def theory(rule: Wager, name: str, law: Law) -> Theory:
    """The basis of theoretical win and of its spread (see Theory)."""
    meters = rule.meters_of(name)
    if depends_on(rule):
        return Theory(None, None)
    if not meters:
        mean, variance = moments(law, {line: net(rule, name, line) for line, _ in law})
        return Theory(-mean, variance)
    mean, variance = moments(law, {line: fixed(rule, name, line) for line, _ in law})
    rates = sum((meter.increment_rate or 0) + meter.reserve_rate for meter in meters)
    return Theory(1 - mean - Fraction(rates, RATE_UNIT), variance)
