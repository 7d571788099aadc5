"""The shoe watch: a card seen more often than the decks allow is an exception on the table's record."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple


class ShoeKey(NamedTuple):
    """A shoe of a table on a gaming day."""

    gaming_day: date
    table_id: str
    shoe: int


class Shoe:
    """The cards seen of one shoe. It is named once, at the first card too many."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._named = False

    def see(self, cards: Iterable[str], decks: int) -> tuple[str, int] | None:
        """The first card, with its count, that now shows more often than `decks` have it; None if the shoe is sound."""
        excess = None
        for card in cards:
            self._seen[card] += 1
            if self._seen[card] > decks and not self._named:
                self._named, excess = True, (card, self._seen[card])
        return excess
