"""The views of the result space of Baccarat that its wagers are analysed on.

Weights count ordered deals of six cards from the whole shoe (or unordered pairs, for the first two cards of
a hand), whether the coup uses all six or not, so that all weights of a view sum to one known total.
"""

from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from types import MappingProxyType

from services.games.baccarat.coup import NATURAL, POINTS, Coup, Coups, Hand, banker_draws, player_draws
from services.games.wagers import Case, Placement, Sample
from services.kernel.cards import CARDS, RANKS, Card

TEN_VALUES = tuple(rank for rank in RANKS if POINTS[rank] == 0)
_SHOWN = {"one_suit": "CCCCCC", "one_color": "CSCSCS", "mixed": "CDCDCD"}
_VALUES = range(10)
Points = tuple[int, ...]
Totals = tuple[int, int, int, int]


def points_key(history: Coups, placement: Placement) -> Totals:
    """The class of a coup by points: total and number of cards of the Player, then of the Banker."""
    player, banker = history.last.player, history.last.banker
    return player.total, len(player), banker.total, len(banker)


def suits_key(history: Coups, placement: Placement) -> Hashable:
    """The class of a coup by points and by whether all its cards have one suit, one color, or neither."""
    cards = history.last.player.cards + history.last.banker.cards
    if len({each.suit for each in cards}) == 1:
        return points_key(history, placement), "one_suit"
    return points_key(history, placement), "one_color" if len({each.color for each in cards}) == 1 else "mixed"


def initial_key(history: Coups, placement: Placement) -> Hashable:
    """The class of the two cards dealt first to the hand the wager lies on: the two, in whatever order."""
    return frozenset(map(str, hand_of(history.last, placement).initial))


def hand_of(coup: Coup, placement: Placement) -> Hand:
    """The hand a wager lies on: placed on `player` or on `banker`."""
    return coup.player if placement.on == "player" else coup.banker


def coups_by_points(decks: int) -> Iterator[Case]:
    """Every class of coups by points, with its ways among the ordered deals of six cards from so many
    decks.
    """
    for ways, player, banker in _weighted(decks, 4).values():
        yield Case(_shown(player, banker, "mixed"), ways)


def coups_by_points_and_suits(decks: int) -> Iterator[Case]:
    """Every class of coups by points and by suits, with its ways among the ordered deals of six cards."""
    one_suit, one_color, every = (_weighted(decks, suits) for suits in (1, 2, 4))
    for totals, (ways, player, banker) in every.items():
        suit_ways = 4 * one_suit[totals][0] if totals in one_suit else 0
        color_ways = 2 * one_color[totals][0] if totals in one_color else 0
        patterns = {"one_suit": suit_ways, "one_color": color_ways - suit_ways, "mixed": ways - color_ways}
        yield from (Case(_shown(player, banker, pattern), ways) for pattern, ways in patterns.items() if ways)


def initial_pairs(decks: int) -> Iterator[Case]:
    """Every two cards the Player may be dealt first, unordered, with their ways; the Banker's natural ends
    the coup.
    """
    natural = [CARDS["9D"], CARDS["KH"]]
    for first, second in combinations(CARDS.values(), 2):
        yield Case(Coups(Coup.of([first, second], natural)), decks * decks)
    if decks > 1:
        yield from (Case(Coups(Coup.of([each, each], natural)), comb(decks, 2)) for each in CARDS.values())


COUPS_BY_POINTS = Sample("coups by points", Placement(1), coups_by_points, points_key)
COUPS_BY_POINTS_AND_SUITS = Sample("coups by points and suits", Placement(1), coups_by_points_and_suits, suits_key)
INITIAL_PAIRS = Sample("first two cards of a hand", Placement(1, "player"), initial_pairs, initial_key)


def _shown(player: Points, banker: Points, pattern: str) -> Coups:
    """A coup of these points in the pattern's suits: what a class of coups looks like."""
    suits = _SHOWN[pattern]
    cards = [_card(value, suit) for value, suit in zip(player + banker, suits, strict=False)]
    return Coups(Coup.of(cards[: len(player)], cards[len(player) :]))


def _card(value: int, suit: str) -> Card:
    return CARDS[f"{'A' if value == 1 else value or 'K'}{suit}"]


@lru_cache(maxsize=32)
def _weighted(decks: int, suits: int) -> Mapping[Totals, tuple[int, Points, Points]]:
    """Ways of each class of coups dealt from so many suits only, with the points of one such coup in deal
    order.

    The cards after the coup, up to six, may be any of the whole shoe.
    """
    counts = [decks * suits * (len(TEN_VALUES) if value == 0 else 1) for value in _VALUES]
    found: dict[Totals, tuple[int, Points, Points]] = {}
    for ways, player, banker in _coups(counts):
        rest = 52 * decks - len(player) - len(banker)
        full = ways * (rest * (rest - 1) if len(player) + len(banker) == 4 else rest if rest == 52 * decks - 5 else 1)
        totals = sum(player) % 10, len(player), sum(banker) % 10, len(banker)
        known = found.get(totals)
        found[totals] = (known[0] + full, *known[1:]) if known else (full, player, banker)
    return MappingProxyType(found)


def _coups(counts: list[int]) -> Iterator[tuple[int, Points, Points]]:
    """Every coup by the values of its cards (initial pairs unordered), with the ways its cards can be
    taken.
    """
    for player_ways, player in _pairs(counts):
        for banker_ways, banker in _pairs(counts):
            yield from _thirds(counts, player_ways * banker_ways, player, banker)
            _put_back(counts, banker)
        _put_back(counts, player)


def _thirds(counts: list[int], ways: int, player: Points, banker: Points) -> Iterator[tuple[int, Points, Points]]:
    player_two, banker_two = sum(player) % 10, sum(banker) % 10
    natural = max(player_two, banker_two) >= NATURAL
    for taken, third in _draws(counts, not natural and player_draws(player_two)):
        value = third[0] if third else None
        for last, fourth in _draws(counts, not natural and banker_draws(banker_two, value)):
            yield ways * taken * last, player + third, banker + fourth


def _pairs(counts: list[int]) -> Iterator[tuple[int, Points]]:
    """Every unordered pair of values with its ordered ways; its cards are out of the shoe until put back."""
    for low, high in combinations_with_replacement(_VALUES, 2):
        ways = counts[low] * (counts[high] - (low == high)) * (1 if low == high else 2)
        counts[low] -= 1
        counts[high] -= 1
        if ways > 0:
            yield ways, (low, high)
        else:
            _put_back(counts, (low, high))


def _draws(counts: list[int], draws: bool) -> Iterator[tuple[int, Points]]:
    """Every third card by its value with its ways, out of the shoe meanwhile; or that there is none."""
    if not draws:
        yield 1, ()
        return
    for value in _VALUES:
        ways = counts[value]
        if ways > 0:
            counts[value] -= 1
            yield ways, (value,)
            counts[value] += 1


def _put_back(counts: list[int], values: Points) -> None:
    for value in values:
        counts[value] += 1
