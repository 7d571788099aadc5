"""Every hand that the dealer can end with, dealt and drawn from a finite shoe.

Which cards the players take before does not change these figures: the next card of a shuffled shoe is the same unseen
card whether the one before it went to a player or not, and no player sees it before deciding. So the dealer's hand is
counted as though nobody else drew, whatever the players' strategy.

Hands are counted by value first, ace to ten, and then by rank where a wager looks at ranks.
"""

from functools import cache
from math import perm, prod
from typing import NamedTuple

from services.games.blackjack.cards import STANDS, TEN_VALUES, TWENTY_ONE
from services.kernel.cards import RANKS

STANDS_ON_SOFT_17 = "the dealer stands on soft 17 and completes the hand"
HITS_SOFT_17 = "the dealer hits soft 17 and completes the hand"
"""What the figures of a dealer's hand stand on: Pennsylvania's rule, and the other one."""

SMALL = tuple(rank for rank in RANKS if rank not in TEN_VALUES)
"""The ranks that are a value of their own, from the ace up; the tenth value is that of the ranks that count 10."""

Counts = tuple[int, ...]
"""How many cards of each of the ten values, aces first and tens last."""


class DealerHand(NamedTuple):
    """One hand of the dealer by values: how many cards of each, in how many orders of values it is dealt and drawn so
    that it ends with the last card, and its total.
    """

    counts: Counts
    orders: int
    total: int

    @property
    def cards(self) -> int:
        """How many cards it has."""
        return sum(self.counts)

    @property
    def bust(self) -> bool:
        """Whether it is above 21."""
        return self.total > TWENTY_ONE


@cache
def dealer_hands(decks: int, *, hits_soft_17: bool = False) -> tuple[DealerHand, ...]:
    """Every hand of a dealer who draws to 16 and stands on 17 or more; on a soft 17 he draws where the table says so.

    A Blackjack is one of them. The hands of one deck count are the same whatever is done with the players' cards.
    """
    shoe, done = stock(decks), dict[Counts, int]()
    drawing, length = {(0,) * (len(SMALL) + 1): 1}, 0
    while drawing:
        longer, length = _drawn(drawing, shoe), length + 1
        ended = {counts for counts in longer if length >= 2 and stands(counts, hits_soft_17=hits_soft_17)}
        done |= {counts: longer[counts] for counts in ended}
        drawing = {counts: orders for counts, orders in longer.items() if counts not in ended}
    return tuple(DealerHand(counts, orders, _total(counts)[0]) for counts, orders in sorted(done.items()))


def stands(counts: Counts, *, hits_soft_17: bool) -> bool:
    """Whether the dealer takes no further card."""
    total, soft = _total(counts)
    return total > STANDS or (total == STANDS and not (soft and hits_soft_17))


def stock(decks: int) -> Counts:
    """How many cards of each value a full shoe has."""
    return (4 * decks,) * len(SMALL) + (4 * decks * len(TEN_VALUES),)


def longest(decks: int, *, hits_soft_17: bool = False) -> int:
    """The number of cards of the dealer's longest hand."""
    return max(hand.cards for hand in dealer_hands(decks, hits_soft_17=hits_soft_17))


def sequences(hand: DealerHand, decks: int) -> int:
    """In how many ways its cards come off the shoe in order: all cards are told apart."""
    return hand.orders * prod(map(perm, stock(decks), hand.counts))


def _drawn(drawing: dict[Counts, int], shoe: Counts) -> dict[Counts, int]:
    longer: dict[Counts, int] = {}
    for counts, orders in drawing.items():
        for value, left in enumerate(shoe):
            if counts[value] < left:
                more = (*counts[:value], counts[value] + 1, *counts[value + 1 :])
                longer[more] = longer.get(more, 0) + orders
    return longer


def _total(counts: Counts) -> tuple[int, bool]:
    """The total, an ace as eleven where that does not pass 21, and whether one is (soft)."""
    hard = sum(value * number for value, number in enumerate(counts, 1))
    return (hard + 10, True) if counts[0] and hard <= 11 else (hard, False)
