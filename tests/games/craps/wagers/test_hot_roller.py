"""Hot Roller."""

from fractions import Fraction
from itertools import zip_longest

import pytest

from services.games.catalogue import wager
from services.games.craps.chains import NO_TERMS
from services.games.craps.wagers.hot_roller import LINES
from services.games.wagers import PENDING, Placement
from tests.games.craps.dice import hand, settled

FOUR, FIVE, SIX = "1-3 2-2", "4-1 3-2", "1-5 2-4 3-3"
EIGHT, NINE, TEN = "2-6 5-3 4-4", "3-6 5-4", "6-4 5-5"
ALL = f"{FOUR} {FIVE} {SIX} {EIGHT} {NINE} {TEN}"


@pytest.mark.parametrize(
    ("dice", "line"),
    [
        ("3-4", None),
        (f"{FOUR} 3-4", None),
        (f"{FOUR} 4-1 3-4", None),
        (f"{FOUR} {FIVE} 3-4", "two_combinations"),
        (f"{FOUR} {FIVE} {NINE} 3-4", "three_combinations"),
        (f"{FOUR} {FIVE} {NINE} {SIX} 3-4", "four_combinations"),
        (f"{FOUR} {FIVE} {NINE} {SIX} {EIGHT} 3-4", "five_combinations"),
        (f"{ALL} 3-4", "six_combinations"),
        (ALL, PENDING),
        ("", PENDING),
        ("1-4 2-3 1-4 6-3 5-4 3-6 3-4", "two_combinations"),
    ],
)
def test_the_seven_settles_by_the_numbers_made_whole(dice: str, line: object) -> None:
    """A number counts once every combination of it was thrown, whichever die shows what."""
    assert wager("craps.hot_roller").classify(hand(dice), Placement(1), NO_TERMS) == line


def test_a_come_out_seven_settles() -> None:
    """After a point made, a 7 on the come-out roll settles what was thrown (ruling C1)."""
    history = hand("1-3 2-2 4-1 3-2 4-1 6-1")
    assert (history.over, history.points[-1]) == (True, 0)
    assert wager("craps.hot_roller").classify(hand("1-3 2-2 6-1 6-3 4-5"), Placement(1), NO_TERMS) is None


@pytest.mark.parametrize(("paytable", "payout"), [("A", 120_600), ("B", 180_600)])
def test_six_numbers_pay_by_the_paytable(paytable: str, payout: int) -> None:
    """200 to 1 or 300 to 1, and the stake."""
    assert settled("craps.hot_roller", paytable, hand(f"{ALL} 3-4")).payout_cents == payout


def test_the_law_is_that_of_independent_arrivals() -> None:
    """Counted another way: with rolls at exponential times, the numbers fill up independently until the first 7.

    With x = e^-t, a combination of w ways in 36 is there at time t with probability 1 - x^w; the 7 comes by 6 x^5 dx.
    """
    pair, mixed = [1, -1], [1, 0, -1]
    whole = [times(pair, mixed), times(mixed, mixed), times(pair, times(mixed, mixed))] * 2
    by_numbers = [[1]]
    for made in whole:
        missed = [(power == 0) - share for power, share in enumerate(made)]
        kept = [times(each, missed) for each in by_numbers] + [[0]]
        more = [[0]] + [times(each, made) for each in by_numbers]
        by_numbers = [plus(first, second) for first, second in zip(kept, more, strict=True)]
    chances = [sum(Fraction(6 * share, 6 + power) for power, share in enumerate(each)) for each in by_numbers]
    rule = wager("craps.hot_roller")
    assert rule.distribution is not None
    expected = {LINES.get(numbers): chance for numbers, chance in enumerate(chances) if numbers > 1}
    assert rule.distribution("A", None) == {**expected, None: chances[0] + chances[1]}


def times(first: list[int], second: list[int]) -> list[int]:
    """The product of two polynomials, by rising powers."""
    found = [0] * (len(first) + len(second) - 1)
    for power, share in enumerate(first):
        for other, factor in enumerate(second):
            found[power + other] += share * factor
    return found


def plus(first: list[int], second: list[int]) -> list[int]:
    """The sum of two polynomials."""
    return [sum(shares) for shares in zip_longest(first, second, fillvalue=0)]
