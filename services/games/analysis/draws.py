"""Wagers whose price a table's approved random number generator draws (ruling R3).

How often their event comes about is exact; what it returns depends on weights that only a Rules Submission can state.
"""

from collections.abc import Mapping
from fractions import Fraction

from services.games.analysis.law import LOSE, Law, count, law_of, paytable_of
from services.games.analysis.returns import net, stake_of
from services.games.catalogue import wager
from services.games.wagers import Setting, Wager
from services.kernel.errors import InvalidRequest


def break_even_mean(rule: Wager, name: str, law: Law) -> Fraction:
    """The mean of the drawn payouts, N to 1, at which the wager has no house edge."""
    drawn = sum((chance for line, chance in law if line in rule.drawn), Fraction(0))
    sure = sum((c * (net(rule, name, line) + 1) for line, c in law if line not in rule.drawn), Fraction(0))
    return (1 - sure) / drawn - 1


def return_at(code: str, name: str, setting: Setting, options: Mapping[str, str]) -> Fraction:
    """What a unit of stake returns where the generator draws by the weights among a table's options.

    Raises WagerUnknown, PaytableUnknown; InvalidRequest where the wager draws nothing or no weights are filed.
    """
    rule = wager(code)
    paytable = paytable_of(rule, name)
    weights = rule.draw_law(options, setting) if rule.draw_law else None
    if weights is None:
        raise InvalidRequest(f"expected filed weights of what {code} draws, given {dict(options) or 'none'}")
    found = Fraction(0)
    for line, chance in law_of(count(rule, name, setting, stake_of(rule, paytable))):
        shares = weights if line in rule.drawn else {line: Fraction(1)}
        if line != LOSE:
            found += chance * sum((share * (net(rule, name, each) + 1) for each, share in shares.items()), Fraction(0))
    return found
