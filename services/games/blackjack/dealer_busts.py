"""A view of the dealer's complete hand for Buster Blackjack: whether it busts, with how many cards, and whether the
player has a Blackjack.

Weights count ordered deals of the two cards of the player and of as many cards as the dealer's longest hand has; of
these a shorter hand leaves the rest unread.
"""

from collections.abc import Hashable
from functools import lru_cache, partial
from math import perm
from typing import NamedTuple

from services.games.blackjack.dealer_hands import DealerHand, dealer_hands, longest, sequences, stock
from services.games.blackjack.round import Table, shown
from services.games.wagers import Case, Placement, Sample
from services.kernel.cards import CARDS

MOST_CARDS = 8
"""A bust with more cards counts as one with eight."""


class Busted(NamedTuple):
    """The cards with which the dealer busts, eight for eight or more and 0 for a hand that stands, and whether the
    player has a Blackjack.
    """

    cards: int
    blackjack: bool


_STANDING = ("10S", "7S")
_BUSTS = {
    3: ("10S", "6S", "10H"),
    4: ("10S", "2S", "4S", "10H"),
    5: ("8S", "2S", "2H", "4S", "10H"),
    6: ("6S", "2S", "2H", "2C", "4S", "10H"),
    7: ("4S", "2S", "2H", "2C", "2D", "4H", "10H"),
    8: ("2S", "2H", "2C", "2D", "3S", "AS", "4S", "10H"),
}
"""A hand of the dealer that busts with so many cards."""

_BLACKJACK, _OTHER = ("AH", "KH"), ("5H", "9H")


def key(history: Table, placement: Placement) -> Hashable:
    """How the dealer busts, and whether the player has a Blackjack."""
    seat = history.seat(placement.seat)
    return Busted(min(len(seat.dealer), MOST_CARDS) if seat.dealer_bust else 0, seat.blackjack)


@lru_cache(maxsize=16)
def cases(decks: int, *, hits_soft_17: bool) -> tuple[Case, ...]:
    """Every way of busting or standing, beside a Blackjack of the player and without."""
    found: dict[Busted, int] = {}
    most = longest(decks, hits_soft_17=hits_soft_17)
    for hand in dealer_hands(decks, hits_soft_17=hits_soft_17):
        left = 52 * decks - hand.cards
        dealt = sequences(hand, decks) * perm(left - 2, most - hand.cards)
        cards, blackjacks = min(hand.cards, MOST_CARDS) if hand.bust else 0, _blackjacks(hand, decks)
        for busted, two in ((Busted(cards, True), blackjacks), (Busted(cards, False), perm(left, 2) - blackjacks)):
            found[busted] = found.get(busted, 0) + dealt * two
    return tuple(Case(_shown(busted), ways) for busted, ways in sorted(found.items()))


def _blackjacks(hand: DealerHand, decks: int) -> int:
    """The ordered Blackjacks of the cards that the dealer's hand leaves."""
    left = [all_of - taken for all_of, taken in zip(stock(decks), hand.counts, strict=True)]
    return 2 * left[0] * left[-1]


def _shown(busted: Busted) -> Table:
    first = _BLACKJACK if busted.blackjack else _OTHER
    dealer = _BUSTS.get(busted.cards, _STANDING)
    return shown(tuple(CARDS[each] for each in first), tuple(CARDS[each] for each in dealer))


def _sample(title: str, *, hits_soft_17: bool) -> Sample:
    return Sample(title, Placement(1), partial(cases, hits_soft_17=hits_soft_17), key)


TITLE = "dealer's hands by value, player's first two cards"
DEALER_BUSTS = _sample(TITLE, hits_soft_17=False)
DEALER_BUSTS_HITTING = _sample(TITLE, hits_soft_17=True)
