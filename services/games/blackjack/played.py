"""How a round played by the written basic strategy ends, exactly, from a finite shoe.

A joint outcome has a probability that depends only on how many cards of each value it takes, so orders of dealing are
counted once for every deck count: the player's final hands by upcard, the dealer's final hands by upcard. The dealer
looks at his hole card; where he takes original bets alone, the original bet ends alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import perm
from typing import NamedTuple

from services.games.blackjack.cards import STANDS, TEN_VALUES, TWENTY_ONE
from services.games.blackjack.round import Action
from services.games.blackjack.strategy import UPCARDS, Allowed, advice

BUST = 22
"""Every total above 21."""

BLACKJACK = 23
"""The total of a Blackjack, above all others."""

Taken = tuple[int, ...]
"""How many cards of each value, in the order of UPCARDS."""


class Outcome(NamedTuple):
    """How a hand ended: what the player did last, the player's total and the dealer's."""

    last: Action
    player: int
    dealer: int


class Hands(NamedTuple):
    """Final hands that take the same cards, and in how many orders they come about."""

    last: Action
    total: int
    taken: Taken


class Dealt(NamedTuple):
    """Final hands of the dealer: the total, how many cards of which values are drawn to it, in how many orders."""

    total: int
    cards: int
    taken: tuple[tuple[int, int], ...]
    orders: int


MOST_OF_ONE_VALUE = 18
"""More than any hand takes of one value: seventeen aces count 17."""


def law_of_play(decks: int, *, hits_soft_17: bool = False, surrender: bool = True) -> Mapping[Outcome, Fraction]:
    """The probability of each outcome."""
    return _law_of_play(decks, hits_soft_17, surrender)


@cache
def _law_of_play(decks: int, hits_soft_17: bool, surrender: bool) -> Mapping[Outcome, Fraction]:
    shoe = [4 * decks] * len(UPCARDS)
    shoe[UPCARDS.index(10)] *= len(TEN_VALUES)
    law: dict[Outcome, Fraction] = {}
    for column, upcard in enumerate(UPCARDS):
        rest = [number - (place == column) for place, number in enumerate(shoe)]
        chance = Fraction(shoe[column], sum(shoe))
        for outcome, share in _against(upcard, rest, hits_soft_17, surrender):
            law[outcome] = law.get(outcome, Fraction(0)) + chance * share
    return law


def _against(upcard: int, shoe: list[int], hits_soft_17: bool, surrender: bool) -> Iterator[tuple[Outcome, Fraction]]:
    """Outcomes against an upcard, with the shoe's cards less that one.

    Ways are counted among the orders of one number of cards, enough for any hands; what is not dealt comes in any
    order.
    """
    players, dealers = _player_hands(upcard, surrender), _dealer_hands(upcard, hits_soft_17)
    cards, drawn = sum(shoe), max(each.cards for each in dealers)
    enough = min(max(sum(hands.taken) for hands in players) + drawn, cards)
    ways: dict[Outcome, int] = {}
    for hands, orders in players.items():
        own, number = orders * _orders(shoe, hands.taken), sum(hands.taken)
        if own:
            rest = [there - each for there, each in zip(shoe, hands.taken, strict=True)]
            later = _dealer_ways(hands, rest, dealers, min(drawn, cards - number))
            for total, found in later.items():
                scale = perm(cards - number - min(drawn, cards - number), enough - number - min(drawn, cards - number))
                outcome = Outcome(hands.last, hands.total, total)
                ways[outcome] = ways.get(outcome, 0) + own * found * scale
    every = perm(cards, enough)
    yield from ((outcome, Fraction(number, every)) for outcome, number in ways.items())
    yield from _against_blackjack(upcard, shoe)


def _against_blackjack(upcard: int, shoe: list[int]) -> Iterator[tuple[Outcome, Fraction]]:
    """Outcomes against an ace or a ten that hides a Blackjack: the player's two cards stand."""
    if upcard < 10:
        return
    hole, cards = UPCARDS.index(TWENTY_ONE - upcard), sum(shoe)
    for (total, taken), orders in _two_cards().items():
        ways = orders * _orders(shoe, taken) * max(shoe[hole] - taken[hole], 0)
        yield Outcome(Action.STAND, total, BLACKJACK), Fraction(ways, perm(cards, 3))


def _orders(shoe: list[int], taken: Taken) -> int:
    """In how many orders those cards can be taken from the shoe, values in a given order."""
    ways = 1
    for there, each in zip(shoe, taken, strict=True):
        ways *= perm(there, each)
    return ways


def _dealer_ways(hands: Hands, shoe: list[int], dealers: Sequence[Dealt], drawn: int) -> dict[int, int]:
    """The dealer's totals without a Blackjack, in ways among the orders of so many cards.

    Against a hand that is decided they are all called a bust.
    """
    ways: dict[int, int] = {}
    cards, decided = sum(shoe), hands.total == BUST or hands.last is Action.SURRENDER
    perms = [[perm(there, each) for each in range(MOST_OF_ONE_VALUE)] for there in shoe]
    scales = [perm(cards - number, drawn - number) for number in range(drawn + 1)]
    for total, number, taken, orders in dealers:
        if number <= drawn:
            found = orders * scales[number]
            for place, each in taken:
                found *= perms[place][each]
            total = BUST if decided else total
            ways[total] = ways.get(total, 0) + found
    return ways


@cache
def _player_hands(upcard: int, surrender: bool) -> Mapping[Hands, int]:
    """The player's final hands against an upcard that hides no Blackjack."""
    found: dict[Hands, int] = {}
    for (total, taken), orders in _two_cards().items():
        if total == BLACKJACK:
            found[Hands(Action.STAND, total, taken)] = orders
        else:
            _play_on(found, taken, orders, upcard, Allowed(double=True, surrender=surrender))
    return found


def _play_on(found: dict[Hands, int], taken: Taken, orders: int, upcard: int, allowed: Allowed) -> None:
    total, soft = _total(taken)
    if total >= TWENTY_ONE:
        _add(found, Hands(Action.STAND if total == TWENTY_ONE else Action.HIT, min(total, BUST), taken), orders)
        return
    action = advice(total, upcard, soft=soft, allowed=allowed)
    if action is Action.HIT:
        for place in range(len(UPCARDS)):
            _play_on(found, _with(taken, place), orders, upcard, Allowed(double=False, surrender=False))
    elif action is Action.DOUBLE:
        for place in range(len(UPCARDS)):
            drawn = _with(taken, place)
            _add(found, Hands(action, min(_total(drawn)[0], BUST), drawn), orders)
    else:
        _add(found, Hands(action, total, taken), orders)


@cache
def _two_cards() -> Mapping[tuple[int, Taken], int]:
    """The player's first two cards: total, cards, and in how many orders."""
    found: dict[tuple[int, Taken], int] = {}
    none = (0,) * len(UPCARDS)
    for first in range(len(UPCARDS)):
        for second in range(len(UPCARDS)):
            taken = _with(_with(none, first), second)
            total = _total(taken)[0]
            key = BLACKJACK if total == TWENTY_ONE else total, taken
            found[key] = found.get(key, 0) + 1
    return found


@cache
def _dealer_hands(upcard: int, hits_soft_17: bool) -> Sequence[Dealt]:
    """What the dealer takes besides the upcard, without a Blackjack."""
    found: dict[Hands, int] = {}
    start = _with((0,) * len(UPCARDS), UPCARDS.index(upcard))
    _draw_on(found, start, (0,) * len(UPCARDS), hits_soft_17)
    return [
        Dealt(total, sum(taken), tuple((place, each) for place, each in enumerate(taken) if each), orders)
        for (_, total, taken), orders in found.items()
    ]


def _draw_on(found: dict[Hands, int], held: Taken, taken: Taken, hits_soft_17: bool) -> None:
    for place in range(len(UPCARDS)):
        cards, drawn = _with(held, place), _with(taken, place)
        total, soft = _total(cards)
        if sum(cards) == 2 and total == TWENTY_ONE:
            continue
        if total < STANDS or (hits_soft_17 and soft and total == STANDS):
            _draw_on(found, cards, drawn, hits_soft_17)
        else:
            _add(found, Hands(Action.STAND, min(total, BUST), drawn), 1)


def _add(found: dict[Hands, int], hands: Hands, orders: int) -> None:
    found[hands] = found.get(hands, 0) + orders


def _with(taken: Taken, place: int) -> Taken:
    return (*taken[:place], taken[place] + 1, *taken[place + 1 :])


@cache
def _total(taken: Taken) -> tuple[int, bool]:
    """What cards of those values count, and whether softly."""
    total = sum(value * number for value, number in zip(UPCARDS, taken, strict=True))
    aces = taken[UPCARDS.index(11)]
    while total > TWENTY_ONE and aces:
        total -= 10
        aces -= 1
    return total, aces > 0
