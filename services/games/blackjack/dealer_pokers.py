"""A view of the dealer's complete hand for AxMan: the poker hand it makes, and the kings of diamonds among the player's
first two cards.

Weights count ordered deals of the two cards of the player and of as many cards as the dealer's longest hand has; of
these a shorter hand leaves the rest unread.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations_with_replacement
from math import comb, factorial, perm, prod
from typing import NamedTuple

from services.games.blackjack.cards import TEN_VALUES
from services.games.blackjack.dealer_hands import SMALL, DealerHand, dealer_hands, longest
from services.games.blackjack.poker import HEIGHTS, MOST, WILD, Five, five_of
from services.games.blackjack.round import Table, shown
from services.games.wagers import Case, Placement, Sample
from services.kernel.cards import CARDS, SUITS, Card


class Dealt(NamedTuple):
    """What AxMan looks at: the dealer's poker hand and the kings of diamonds among the player's first two cards."""

    five: Five
    kings: int


class Ranks(NamedTuple):
    """A dealer's hand by rank: how many cards of each, kings of diamonds apart, how many of these, and in how many
    orders of ranks it is dealt and drawn.
    """

    counts: Mapping[str, int]
    wild: int
    orders: int


def kings_of(cards: tuple[Card, Card]) -> int:
    """The kings of diamonds among the player's first two cards."""
    return cards.count(WILD)


def key(history: Table, placement: Placement) -> Hashable:
    """The poker hand of the dealer and the player's kings of diamonds."""
    seat = history.seat(placement.seat)
    return Dealt(five_of(seat.dealer), kings_of(seat.first_two))


@lru_cache(maxsize=16)
def cases(decks: int, *, hits_soft_17: bool) -> tuple[Case, ...]:
    """Every poker hand of the dealer beside none, one and two kings of diamonds of the player."""
    found: dict[Dealt, tuple[int, list[Card]]] = {}
    most = longest(decks, hits_soft_17=hits_soft_17)
    for hand in dealer_hands(decks, hits_soft_17=hits_soft_17):
        unread = perm(52 * decks - hand.cards - 2, most - hand.cards)
        for ranks in _by_rank(hand, decks):
            others = 52 * decks - hand.cards - (decks - ranks.wild)
            for five, ways, cards in _fives(ranks, decks):
                for kings, two in enumerate(_two_cards(decks - ranks.wild, others)):
                    before, example = found.get(Dealt(five, kings), (0, cards))
                    found[Dealt(five, kings)] = before + ways * two * unread, example
    return tuple(Case(shown(_FIRST_TWO[dealt.kings], cards), ways) for dealt, (ways, cards) in found.items() if ways)


def _by_rank(hand: DealerHand, decks: int) -> Iterator[Ranks]:
    """The hands by rank that a hand by value stands for: each of its tens is a ten, a jack, a queen or a king."""
    small = {rank: number for rank, number in zip(SMALL, hand.counts, strict=False) if number}
    for tens in combinations_with_replacement((*TEN_VALUES, str(WILD)), hand.counts[-1]):
        counts = Counter(tens)
        orders = hand.orders * factorial(len(tens)) // prod(map(factorial, counts.values()))
        wild = counts.pop(str(WILD), 0)
        if wild <= decks:
            yield Ranks({**small, **counts}, wild, orders)


def _two_cards(kings: int, others: int) -> tuple[int, int, int]:
    """The orders of two cards with none, one and two of the kings of diamonds left."""
    return perm(others, 2), 2 * kings * others, perm(kings, 2)


def _left(rank: str, decks: int, suit: str = "") -> int:
    """The cards of a rank in a shoe, or those in one suit, the kings of diamonds left out."""
    suits = [each for each in SUITS if suit in ("", each) and CARDS[rank + each] is not WILD]
    return len(suits) * decks


def _fives(ranks: Ranks, decks: int) -> Iterator[tuple[Five, int, list[Card]]]:
    """The poker hands of a hand by rank, of several suits and of one, each with the ways of the whole hand in order and
    cards that make it.
    """
    wilds = ranks.orders * perm(decks, ranks.wild)
    every = wilds * prod(perm(_left(rank, decks), number) for rank, number in ranks.counts.items())
    mixed = _cards(ranks, "CH")
    five = five_of(mixed)._replace(flush=False)
    if len(mixed) < MOST or len({*five.heights}) + min(five.wild, 1) == 1:
        yield five, every, mixed
        return
    suits = "D" if ranks.wild else SUITS
    suited = wilds * sum(_in_one_suit(ranks, five, decks, suit) for suit in suits)
    yield five, every - suited, mixed
    yield five._replace(flush=True), suited, _cards(ranks, suits[-1])


def _in_one_suit(ranks: Ranks, five: Five, decks: int, suit: str) -> int:
    """The choices of cards of which the five highest are of the suit; of the rank that is cut, enough of them."""
    needed, ways = Counter(five.heights), 1
    for rank, number in ranks.counts.items():
        own, every = _left(rank, decks, suit), _left(rank, decks)
        ways *= sum(
            comb(number, suited) * perm(own, suited) * perm(every - own, number - suited)
            for suited in range(needed[HEIGHTS[rank]], number + 1)
        )
    return ways


def _cards(ranks: Ranks, suits: Sequence[str]) -> list[Card]:
    """Cards of these ranks, their suits in turn."""
    plain = [rank for rank, number in ranks.counts.items() for _ in range(number)]
    return [WILD] * ranks.wild + [CARDS[rank + suits[no % len(suits)]] for no, rank in enumerate(plain)]


def _sample(*, hits_soft_17: bool) -> Sample:
    title = "dealer's hands as poker hands, kings of diamonds of the player's first two cards"
    return Sample(title, Placement(1), partial(cases, hits_soft_17=hits_soft_17), key)


_FIRST_TWO = tuple(tuple(map(CARDS.__getitem__, cards)) for cards in (("5C", "9C"), ("KD", "9C"), ("KD", "KD")))
"""Two cards of the player with none, one and two kings of diamonds."""

DEALER_POKERS = _sample(hits_soft_17=False)
DEALER_POKERS_HITTING = _sample(hits_soft_17=True)
