"""The dealer's hand read as a poker hand, for AxMan (58 Pa. Code 633c.12).

The king of diamonds is wild in rank and stays a diamond; it takes the rank that makes the best-paying hand (ruling K9).
Of six or more cards the five highest by rank count, ace high, a king of diamonds ranking as a king. Among cards of the
rank that is cut, a king of diamonds goes first, then a card in the suit of the higher ones. An ace stands high or low
in a straight.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from services.kernel.cards import CARDS, RANKS, Card

WILD = CARDS["KD"]
MOST = 5
"""A poker hand has at most five cards."""

HEIGHTS = {rank: height for height, rank in enumerate((*RANKS[1:], RANKS[0]), 2)}
"""How high a rank is, ace highest (14)."""

_JACK = HEIGHTS["J"]
_LOW_ACE = 1

LINES = (
    "straight_flush",
    "five_of_a_kind",
    "flush",
    "straight",
    "four_of_a_kind",
    "full_house",
    "three_of_a_kind",
    "two_pair",
    "jacks_or_better_pair",
)
"""The hands that win, the best-paying first."""


class Five(NamedTuple):
    """At most five cards of the dealer: the heights of those that are not wild, from the highest; how many are wild;
    whether there are five in one suit, of more than one rank.
    """

    heights: tuple[int, ...]
    wild: int
    flush: bool


def five_of(cards: Sequence[Card]) -> Five:
    """The cards of the dealer's hand that make its poker hand."""
    kept = cards if len(cards) <= MOST else _highest(cards)
    heights = sorted((HEIGHTS[each.rank] for each in kept if each is not WILD), reverse=True)
    flush = len(kept) == MOST and len({each.suit for each in kept}) == 1 and len(set(kept)) > 1
    return Five(tuple(heights), len(kept) - len(heights), flush)


def line_of(five: Five) -> str | None:
    """The best-paying hand that the cards make, or None below a pair of jacks.

    With fewer than five cards only a pair, two pair, three or four of a kind can be made (g).
    """
    numbers = sorted(Counter(five.heights).values(), reverse=True)
    most = (numbers[0] if numbers else 0) + five.wild
    found = _of_five(five, most, len(numbers)) if len(five.heights) + five.wild == MOST else None
    return found or _of_a_kind(five, most, numbers)


def _of_five(five: Five, most: int, ranks: int) -> str | None:
    """A hand that only five cards make."""
    straight = most == five.wild + 1 and _sequential(five.heights)
    if straight and five.flush:
        return "straight_flush"
    if most == MOST:
        return "five_of_a_kind"
    if five.flush:
        return "flush"
    if straight:
        return "straight"
    return "full_house" if ranks == 2 and most == 3 else None


def _of_a_kind(five: Five, most: int, numbers: Sequence[int]) -> str | None:
    if most >= 3:
        return "four_of_a_kind" if most == 4 else "three_of_a_kind"
    if numbers[:2] == [2, 2]:
        return "two_pair"
    return "jacks_or_better_pair" if most == 2 and _paired(five) >= _JACK else None


def _paired(five: Five) -> int:
    """The height of the best pair; two wild cards alone are whatever they should be."""
    if five.wild:
        return max(five.heights, default=_JACK)
    return next(height for height, number in Counter(five.heights).items() if number == 2)


def _sequential(heights: Sequence[int]) -> bool:
    """Whether different heights fit in a run of five, an ace high or low."""
    low = [_LOW_ACE if height == HEIGHTS["A"] else height for height in heights]
    return any(max(run) - min(run) < MOST for run in (heights, low))


def _highest(cards: Sequence[Card]) -> list[Card]:
    by_height = sorted(cards, key=lambda each: -HEIGHTS[each.rank])
    suit = by_height[0].suit
    return sorted(cards, key=lambda each: (-HEIGHTS[each.rank], each is not WILD, each.suit != suit))[:MOST]
