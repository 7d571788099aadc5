"""Payouts that a table's random number generator draws (58 Pa. Code 617c.1(e), 617c.3(d), (g); ruling R3).

That a wager wins is decided by the ball, so its chance is exact. Which payout is drawn depends on weights that the
Rules Submission may state as options; where it states none, nothing is assumed in their place.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from services.games.terms import Terms
from services.games.wagers import Check, Contradiction

PAYOUTS, WEIGHTS, COUNTS = "payouts", "weights", "lucky_numbers"
"""The options that list the payouts filed, weigh them, and weigh how many numbers are lit."""


def listed(allowed: Sequence[int]) -> Callable[[str], tuple[int, ...]]:
    """A reader of `1000,500`: the payouts filed, each of those the section lists, each once."""

    def read(text: str) -> tuple[int, ...]:
        names = text.split(",")
        _check_names(names, names, allowed, "payouts such as", f"{allowed[0]},{allowed[1]}", text)
        return tuple(map(int, names))

    return read


def weighed(allowed: Sequence[int]) -> Callable[[str], dict[int, int]]:
    """A reader of `1000:1,500:3`: the relative weight of each value, a whole number above zero."""

    def read(text: str) -> dict[int, int]:
        parts = [part.partition(":") for part in text.split(",")]
        names = [name for name, _, _ in parts]
        example = f"{allowed[0]}:1,{allowed[1]}:3"
        whole = all(weight.isascii() and weight.isdecimal() and int(weight) > 0 for _, _, weight in parts)
        _check_names(names, names if whole else [], allowed, "weights such as", example, text)
        return {int(name): int(weight) for name, _, weight in parts}

    return read


def _check_names(names: list[str], good: list[str], allowed: Sequence[int], what: str, example: str, text: str) -> None:
    known = set(map(str, allowed))
    if not good or len(set(names)) != len(names) or not known.issuperset(names):
        raise ValueError(
            f"expected {what} {example}, each of {', '.join(map(str, allowed))} at most once, given {text!r}"
        )


def weighs_what_is_filed(code: str) -> Check:
    """A check that the weights, where they are filed, weigh every payout filed and no other."""

    def check(terms: Terms) -> Contradiction | None:
        filed, weights = terms.parsed(code, PAYOUTS), terms.parsed(code, WEIGHTS)
        if filed is None or weights is None or set(filed) == set(weights):
            return None
        expected = f"a weight for each of {', '.join(map(str, filed))}"
        return Contradiction(f"option {WEIGHTS} of {code}", expected, str(terms.option(code, WEIGHTS)))

    return check


def shares(weights: Mapping[int, int]) -> dict[int, Fraction]:
    """The probability of each value by its weight."""
    total = sum(weights.values())
    return {value: Fraction(weight, total) for value, weight in weights.items()}
