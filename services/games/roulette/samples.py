"""The views of the spins of a wheel that the wagers of Roulette are analysed on.

A view walks every pocket of the wheel, each as likely as any other. Which payout a generator draws has no exact
chance in the rules, so a view gives each payout the same number of ways: the ways of the event they belong to are
exact, those of one drawn payout stand for nothing.
"""

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from math import comb

from services.games.roulette.layout import COVERED, WHEELS, color
from services.games.roulette.spin import BONUS_BALLS, SEVENS, LuckyNumber, Spin, Spins
from services.games.wagers import Case, Placement, Sample


def spins_on(area: str) -> Sample:
    """Every pocket, seen from one area: areas of one kind cover equally many pockets."""
    return Sample("pockets", Placement(1, area), _every_pocket, _covered_key)


def repeats_paying(payouts: Sequence[int]) -> Sample:
    """Every pocket after the same spin before, and every payout drawn where it repeats (617c.1)."""

    def cases(wheel: str) -> Iterator[Case]:
        pockets = WHEELS[wheel]
        before = Spin(pockets[0])
        yield from (Case(Spins(before, Spin(pockets[0], drawn_payout=payout)), 1) for payout in payouts)
        yield from (Case(Spins(before, Spin(pocket)), len(payouts)) for pocket in pockets[1:])

    return Sample("pockets after a pocket", Placement(1), cases, _repeat_key)


def lucky_paying(payouts: Sequence[int]) -> Sample:
    """Every pocket, a straight wager's own number being lit at each payout or not at all (617c.3)."""
    own, other = "17", "18"

    def cases(wheel: str) -> Iterator[Case]:
        for pocket in WHEELS[wheel]:
            for payout in payouts:
                yield Case(Spins(None, Spin(pocket, lucky_numbers=(LuckyNumber(own, payout),))), 1)
            yield Case(Spins(None, Spin(pocket, lucky_numbers=(LuckyNumber(other, payouts[0]),))), 1)

    return Sample("pockets and a lit number", Placement(1, own), cases, _lucky_key)


def _every_pocket(wheel: str) -> Iterator[Case]:
    yield from (Case(Spins(None, Spin(pocket)), 1) for pocket in WHEELS[wheel])


def _covered_key(history: Spins, placement: Placement) -> Hashable:
    return history.last.pocket in COVERED[placement.on]


def _repeat_key(history: Spins, placement: Placement) -> Hashable:
    """Whether there is a spin before, and what was drawn where its number came again."""
    return history.previous is None, history.last.drawn_payout if history.repeats else None


def _lucky_key(history: Spins, placement: Placement) -> Hashable:
    """Whether the number won and, if so, what it was lit at, or that others were lit or none was."""
    if history.last.pocket != placement.on:
        return None
    lit = history.last.lucky_numbers
    return bool(lit), next((each.pays_to_one for each in lit if each.pocket == placement.on), 0)


def _bonus_rounds(wheel: str) -> Iterator[Case]:
    """Every pocket, and every three different pockets of the bonus round where it is 7, 17 or 27 (617c.2, ruling R2).

    A pocket without a bonus round has the ways that one would have.
    """
    pockets = WHEELS[wheel]
    for pocket in pockets:
        if pocket not in SEVENS:
            yield Case(Spins(None, Spin(pocket)), comb(len(pockets), BONUS_BALLS))
            continue
        yield from (Case(Spins(None, Spin(pocket, balls)), 1) for balls in combinations(pockets, BONUS_BALLS))


def _bonus_key(history: Spins, placement: Placement) -> Hashable:
    """Whether a bonus round began and, if so, how many of its balls lie in 7, 17 and 27, and in how many colors."""
    spin = history.last
    if spin.pocket not in SEVENS:
        return None
    return sum(each in SEVENS for each in spin.bonus_pockets), len(set(map(color, spin.bonus_pockets)))


BONUS_ROUNDS = Sample("pockets and the three pockets of the bonus round", Placement(1), _bonus_rounds, _bonus_key)
