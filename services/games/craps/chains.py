"""The exact law of a wager over several rolls: an absorbing chain, walked with the function that settles the wager.

A state stands for all hands that a wager's `key` holds equal; it is shown by one such hand, which gets each of the 36
rolls in turn. Where `classify` names a line or a loss the chain is absorbed; where it says PENDING the key of the
longer hand is the next state. The states are then eliminated, last found first, in exact fractions.
"""

from collections import deque
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any

from services.games.craps.hand import ROLLS, Hand
from services.games.terms import Terms
from services.games.wagers import Line, Pending, Placement

Law = Mapping[Line | None, Fraction]
"""The probability of each line and, under None, of a loss; they sum to 1."""

Row = dict[Any, Fraction]
"""Probabilities of the numbers of states, and of lines and a loss."""

NO_TERMS = Terms("", "craps", "live", 0, 1, MappingProxyType({}))
"""A table without offers: no law of Craps hangs on a table's terms."""

NO_ROLL = Hand(())
"""A hand before its come-out roll."""

FIRST = Placement(1)
"""A wager placed then."""

CLASS = "class"
"""What marks the name of a state, as against that of a line."""


@dataclass(frozen=True)
class Chain:
    """A wager's way through a hand: what settles it, what of a hand it hangs on, and where it was placed.

    `start` is the hand at the moment of placing, `placement.roll` its number of rolls. `key(hand, placement)` names
    the state; hands with one key must go on alike, which a property test holds for every wager. Called with a
    paytable's name and a setting, neither of which changes the law, it gives the law.
    """

    classify: Callable[[Hand, Placement, Terms], Line | Pending | None]
    key: Callable[[Hand, Placement], Hashable]
    start: Hand = NO_ROLL
    placement: Placement = FIRST

    def __call__(self, paytable: str = "", setting: object = None) -> Law:
        """The exact law. Raises ValueError where a hand can end and leave the wager pending."""
        return _law(self)

    def next(self, hand: Hand) -> Hashable:
        """What the hand leaves of the wager: its line, None for a loss, or a pair of CLASS and the state's key."""
        line = self.classify(hand, self.placement, NO_TERMS)
        if not isinstance(line, Pending):
            return line
        if hand.over:
            raise ValueError(f"expected a wager settled by the seven-out, given one pending after {hand.totals}")
        return CLASS, self.key(hand, self.placement)


@dataclass(frozen=True)
class Mixture:
    """Several chains, each with its weight: a wager that may start in several ways."""

    parts: tuple[tuple[int, Chain], ...]

    def __call__(self, paytable: str = "", setting: object = None) -> Law:
        """The exact law: that of the parts in proportion to their weights."""
        total, found = sum(weight for weight, _ in self.parts), dict[Line | None, Fraction]()
        for weight, chain in self.parts:
            for line, probability in chain().items():
                found[line] = found.get(line, Fraction(0)) + probability * Fraction(weight, total)
        return MappingProxyType(found)


@cache
def states(chain: Chain) -> Mapping[Hashable, Hand]:
    """Every state a chain can be in, by what `next` calls it, with the hand that stands for it; the start first."""
    found = {chain.next(chain.start): chain.start}
    waiting = deque(found)
    while waiting:
        hand = found[waiting.popleft()]
        for roll in ROLLS:
            longer = hand.then(roll)
            name = chain.next(longer)
            if isinstance(name, tuple) and name not in found:
                found[name] = longer
                waiting.append(name)
    return MappingProxyType(found)


@cache
def _law(chain: Chain) -> Law:
    found = states(chain)
    number = {name: index for index, name in enumerate(found)}
    solved: list[Row] = [{} for _ in found]
    for index, hand in reversed(list(enumerate(found.values()))):
        solved[index] = _eliminate(index, _row(chain, hand, number), solved)
    return MappingProxyType(solved[0])


def _row(chain: Chain, hand: Hand, number: Mapping[Hashable, int]) -> Row:
    """Where one roll leads from the hand, states by their number."""
    ways: dict[Any, int] = {}
    for roll in ROLLS:
        name = chain.next(hand.then(roll))
        where: Any = number[name] if isinstance(name, tuple) else name
        ways[where] = ways.get(where, 0) + 1
    return {where: Fraction(count, len(ROLLS)) for where, count in ways.items()}


def _eliminate(index: int, row: Row, solved: list[Row]) -> Row:
    """The row with its later states, already solved, put in, and its staying in place left out."""
    found = dict(row)
    while (last := max((where for where in found if isinstance(where, int)), default=index)) > index:
        probability = found.pop(last)
        for target, share in solved[last].items():
            found[target] = found.get(target, Fraction(0)) + probability * share
    leaving = 1 - found.pop(index, Fraction(0))
    return {target: share / leaving for target, share in found.items()}
