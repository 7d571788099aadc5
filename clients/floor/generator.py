"""The approved random number generator of a table: it draws among filed values by their filed weights."""

from collections.abc import Mapping
from itertools import accumulate
from random import Random

from services.games.terms import Terms


class Generator:
    """Draws what a section leaves to a generator, by the options of the table's offer (617c.1(e), 617c.3(d), (g))."""

    def __init__(self, terms: Terms, random: Random) -> None:
        self._terms, self._random = terms, random

    def payout(self, code: str) -> int:
        """A payout of the wager, N to 1."""
        return self._draw(code, "weights")

    def count(self, code: str) -> int:
        """How many numbers are lit."""
        return self._draw(code, "lucky_numbers")

    def _draw(self, code: str, option: str) -> int:
        weights: Mapping[int, int] = self._terms.parsed(code, option)
        drawn = self._random.randrange(sum(weights.values()))
        return next(value for value, end in zip(weights, accumulate(weights.values()), strict=True) if drawn < end)
