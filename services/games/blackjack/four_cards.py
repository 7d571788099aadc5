"""The player's initial two cards and the dealer's two as one hand of four, for Super 4 and Jackpot Party."""

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

from services.games.blackjack.cards import TEN_VALUES
from services.games.blackjack.round import Seat, Table, shown
from services.games.wagers import Case, Placement, Sample
from services.kernel.cards import CARDS, SUITS, Card

STRAIGHT = frozenset("AKQJ")
Pair = tuple[Card, Card]
Classes = dict["FourCards", tuple[int, Pair, Pair]]


class FourCards(NamedTuple):
    """What the four cards are. But for `ace_up`, the dealer's upcard being an ace, all need a dealer Blackjack.

    `royal`: the suit of a royal flush, ace to jack in one suit, or empty; then it is a `flush` but no `straight`.
    Straights are ace to jack alone (ruling K1). Two pair and pair are by rank, `identical` by rank and suit: the
    dealer's cards are the player's two, or two of the four are one.
    """

    dealer_blackjack: bool
    ace_up: bool
    royal: str = ""
    three_of_a_kind: bool = False
    straight: bool = False
    flush: bool = False
    same_color: bool = False
    two_pair: bool = False
    two_pair_identical: bool = False
    pair: bool = False
    pair_identical: bool = False


def four_cards(seat: Seat) -> FourCards:
    """What the player's initial two cards and the dealer's two are together."""
    ace_up = seat.upcard.rank == "A"
    if not seat.dealer_blackjack:
        return FourCards(dealer_blackjack=False, ace_up=ace_up)
    return _with_blackjack(seat.first_two, (seat.upcard, seat.hole), ace_up)


def _with_blackjack(player: Pair, dealer: Pair, ace_up: bool) -> FourCards:
    cards = (*player, *dealer)
    ranks = [card.rank for card in cards]
    one_suit = len({card.suit for card in cards}) == 1
    sequence = frozenset(ranks) == STRAIGHT
    return FourCards(
        dealer_blackjack=True,
        ace_up=ace_up,
        royal=cards[0].suit if sequence and one_suit else "",
        three_of_a_kind=max(map(ranks.count, ranks)) == 3,
        straight=sequence and not one_suit,
        flush=one_suit,
        same_color=len({card.color for card in cards}) == 1,
        two_pair={card.rank for card in player} == {card.rank for card in dealer},
        two_pair_identical=frozenset(player) == frozenset(dealer),
        pair=len(set(ranks)) < 4,
        pair_identical=len(set(cards)) < 4,
    )


def four_cards_key(history: Table, placement: Placement) -> Hashable:
    """What the four cards are; which card of a dealer Blackjack is up changes nothing."""
    found = four_cards(history.seat(placement.seat))
    return found._replace(ace_up=True) if found.dealer_blackjack else found


def fours(decks: int) -> Iterator[Case]:
    """Every class of four cards, with the ways of the dealer's upcard, hole card and two unordered cards of the
    player.
    """
    for ways, player, dealer in _classes(decks).values():
        yield Case(shown(player, dealer), ways)
    aces, tens, cards = 4 * decks, 4 * len(TEN_VALUES) * decks, 52 * decks
    players = comb(cards - 2, 2)
    player, ace_up = (CARDS["9C"], CARDS["8D"]), aces * (cards - 1 - tens)
    yield Case(shown(player, (CARDS["AS"], CARDS["5D"])), ace_up * players)
    yield Case(shown(player, (CARDS["KS"], CARDS["5D"])), (cards * (cards - 1) - 2 * aces * tens - ace_up) * players)


@lru_cache(maxsize=16)
def _classes(decks: int) -> Classes:
    """The classes with a dealer Blackjack: ways and a deal of each.

    All is counted with an ace of clubs and taken four times, since no class but a royal flush names its suit.
    """
    found: Classes = {}
    for dealer in [(CARDS["AC"], CARDS[rank + suit]) for rank in TEN_VALUES for suit in SUITS]:
        for ways, player in _players(decks, dealer):
            kind = _with_blackjack(player, dealer, ace_up=True)
            known = found.get(kind, (0, player, dealer))
            found[kind] = known[0] + 2 * 4 * decks * decks * ways, *known[1:]
    return dict(_by_suit(found))


def _players(decks: int, dealer: Pair) -> Iterator[tuple[int, Pair]]:
    """Every two cards the player may have beside these of the dealer, with their ways."""
    left = {card: decks - (card in dealer) for card in CARDS.values()}
    for first, second in combinations_with_replacement(left, 2):
        ways = comb(left[first], 2) if first is second else left[first] * left[second]
        if ways:
            yield ways, (first, second)


def _by_suit(found: Classes) -> Iterable[tuple[FourCards, tuple[int, Pair, Pair]]]:
    for kind, (ways, player, dealer) in found.items():
        for suit in SUITS if kind.royal else ():
            yield kind._replace(royal=suit), (ways // 4, _in_suit(player, suit), _in_suit(dealer, suit))
        if not kind.royal:
            yield kind, (ways, player, dealer)


def _in_suit(cards: Pair, suit: str) -> Pair:
    first, second = cards
    return CARDS[first.rank + suit], CARDS[second.rank + suit]


FOUR_CARDS = Sample("first two cards of player and dealer as four", Placement(1), fours, four_cards_key)
