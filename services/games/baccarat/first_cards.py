"""Views of the cards dealt first, for wagers that look at nothing else.

Weights count unordered cards: two of one hand, the four of both, or the two of the Player and the two of the
Banker. Every case is a natural or is settled before a third card, so the cards stand for the coup.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import comb, prod

from services.games.baccarat.coup import Coup, Coups
from services.games.wagers import Case, Placement, Sample
from services.kernel.cards import CARDS, RANKS, SUITS, Card

FACES = ("J", "Q", "K")
Royal9 = tuple[Card, Card]
"""A face card and a nine, in this order."""


def player_rank_key(history: Coups, placement: Placement) -> Hashable:
    """Whether the Player's first two cards have one rank."""
    return history.last.player.pair


def banker_rank_key(history: Coups, placement: Placement) -> Hashable:
    """Whether the Banker's first two cards have one rank."""
    return history.last.banker.pair


def pairs_of_the_player(decks: int) -> Iterator[Case]:
    """A pair and no pair of the Player, with the ways of two unordered cards."""
    return _pair_or_not(decks, lambda cards: _shown(cards, _cards("9C KH")))


def pairs_of_the_banker(decks: int) -> Iterator[Case]:
    """A pair and no pair of the Banker, with the ways of two unordered cards."""
    return _pair_or_not(decks, lambda cards: _shown(_cards("9C KH"), cards))


def _pair_or_not(decks: int, shown: Callable[[list[Card]], Coups]) -> Iterator[Case]:
    pairs = len(RANKS) * comb(4 * decks, 2)
    yield Case(shown(_cards("8C 8D")), pairs)
    yield Case(shown(_cards("8C KD")), comb(52 * decks, 2) - pairs)


def nines_key(history: Coups, placement: Placement) -> Hashable:
    """The suits of the nines among the first two cards of both hands."""
    coup = history.last
    return tuple(sorted(each.suit for each in coup.player.initial + coup.banker.initial if each.rank == "9"))


def nines(decks: int) -> Iterator[Case]:
    """Every choice of nines by suit among the first four cards, with the ways of four unordered cards."""
    others = _cards("KC KD KH KS")
    for number in range(5):
        for suits in combinations_with_replacement(SUITS, number):
            ways = prod(comb(decks, suits.count(suit)) for suit in SUITS) * comb(48 * decks, 4 - number)
            four = [CARDS[f"9{suit}"] for suit in suits] + others[number:]
            if ways:
                yield Case(Coups(Coup.of(four[:2], four[2:])), ways)


def royal_9_of(cards: Sequence[Card]) -> Royal9 | None:
    """The face card and the nine that the first two of these cards are, in whatever order, or None."""
    first, second = cards[0], cards[1]
    if second.rank == "9" and first.rank in FACES:
        return first, second
    return (second, first) if first.rank == "9" and second.rank in FACES else None


def royal_9s_key(history: Coups, placement: Placement) -> Hashable:
    """The Royal 9 of the Player and that of the Banker, None where a hand has none."""
    return royal_9_of(history.last.player.cards), royal_9_of(history.last.banker.cards)


def royal_9s(decks: int) -> Iterator[Case]:
    """Every Royal 9 of either hand, both or none, with the ways of two unordered cards for each hand."""
    kinds = [(CARDS[face + suit], CARDS[f"9{nine}"]) for face in FACES for suit, nine in product(SUITS, SUITS)]
    one, pairs_left = decks * decks, comb(52 * decks - 2, 2)
    lone = dict.fromkeys(kinds, one * pairs_left)
    for player, banker in product(kinds, kinds):
        ways = one * (decks - (player[0] is banker[0])) * (decks - (player[1] is banker[1]))
        lone[player] -= ways
        if ways:
            yield Case(_shown(player, banker), ways)
    # The Banker alone has a Royal 9 as often as the Player alone.
    plain_player, plain_banker = _cards("8C KD"), _cards("8H KS")
    for kind, ways in lone.items():
        yield Case(_shown(kind, plain_banker), ways)
        yield Case(_shown(plain_player, kind), ways)
    with_one = one * len(kinds) * pairs_left
    yield Case(_shown(plain_player, plain_banker), comb(52 * decks, 2) * pairs_left - with_one - sum(lone.values()))


PLAYER_PAIRS = Sample("first two cards of the Player, by rank", Placement(1), pairs_of_the_player, player_rank_key)
BANKER_PAIRS = Sample("first two cards of the Banker, by rank", Placement(1), pairs_of_the_banker, banker_rank_key)
NINES = Sample("suits of the nines among the first four cards", Placement(1), nines, nines_key)
ROYAL_9S = Sample("suits of the Royal 9 of either hand", Placement(1), royal_9s, royal_9s_key)


def _cards(text: str) -> list[Card]:
    return [CARDS[each] for each in text.split()]


def _shown(player: Iterable[Card], banker: Iterable[Card]) -> Coups:
    return Coups(Coup.of(tuple(player), tuple(banker)))
