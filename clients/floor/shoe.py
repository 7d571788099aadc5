"""A shoe of cards, shuffled by a seeded generator, with a cut card and burned cards."""

from collections.abc import Iterator
from random import Random

from services.games.baccarat.coup import POINTS, Coup, deal
from services.kernel.cards import CARDS, Card

BEHIND_CUT = 14, 52
TEN = 10


class Shoe:
    """So many decks, shuffled; the first card is turned over and burned with as many cards as it counts.

    `number` counts the table's shoes of the day from 1; `behind`: the fewest and the most cards that lie behind
    the cut card.
    """

    def __init__(self, number: int, decks: int, random: Random, behind: tuple[int, int] = BEHIND_CUT) -> None:
        self.number = number
        self._cards = list(CARDS.values()) * decks
        random.shuffle(self._cards)
        self._cut = len(self._cards) - random.randint(*behind)
        self._dealt = 1 + (POINTS[self._cards[0].rank] or TEN)

    @property
    def finished(self) -> bool:
        """Whether the cut card has come out: the coup under way was the last."""
        return self._dealt >= self._cut

    def deal(self) -> Coup:
        """The next coup, by the rules."""
        return deal(self.draw())

    def draw(self) -> Iterator[Card]:
        """The next cards, one by one."""
        while True:
            self._dealt += 1
            yield self._cards[self._dealt - 1]
