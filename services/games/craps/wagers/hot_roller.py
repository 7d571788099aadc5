"""Hot Roller (58 Pa. Code 623c.1): how many of 4, 5, 6, 8, 9 and 10 are thrown in every combination before a 7.

The combinations are two each of 4, 5, 9 and 10 and three each of 6 and 8, the order of the dice aside. The first 7
settles the wager, on a come-out roll too (ruling C1).
"""

from collections.abc import Hashable, Iterable

from services.games.craps.chains import Chain
from services.games.craps.hand import POINTS, ROLLS, SEVEN, Hand, Roll
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Line, Pending, Placement, Wager

LINES: dict[int, Line] = {
    6: "six_combinations",
    5: "five_combinations",
    4: "four_combinations",
    3: "three_combinations",
    2: "two_combinations",
}
"""The line by the numbers of which every combination was thrown."""

COMBINATIONS = {number: frozenset(tuple(sorted(roll)) for roll in ROLLS if roll.total == number) for number in POINTS}


def classify(history: Hand, placement: Placement, terms: Terms) -> Line | Pending | None:
    """The line at the first 7, PENDING until then, or None for fewer than two numbers."""
    try:
        seven = history.totals.index(SEVEN, placement.roll)
    except ValueError:
        return PENDING
    thrown = _combinations(history.rolls[placement.roll : seven])
    return LINES.get(sum(needed <= thrown for needed in COMBINATIONS.values()))


def key(history: Hand, placement: Placement) -> Hashable:
    """What is thrown of each number: its pair or not, and how many of its other combinations.

    Numbers of equal combinations (4 and 10, 5 and 9, 6 and 8) are as one.
    """
    thrown = _combinations(history.rolls[placement.roll :])
    return tuple(tuple(sorted((_done(low, thrown), _done(14 - low, thrown)))) for low in (4, 5, 6))


def _done(number: int, thrown: frozenset[tuple[int, ...]]) -> tuple[int, int]:
    done = COMBINATIONS[number] & thrown
    pairs = sum(first == second for first, second in done)
    return pairs, len(done) - pairs


def _combinations(rolls: Iterable[Roll]) -> frozenset[tuple[int, ...]]:
    return frozenset([(first, second) if first <= second else (second, first) for first, second in rolls])


def _paytable(six: int) -> Paytable:
    return Paytable(
        {
            "six_combinations": to_one(six),
            "five_combinations": to_one(50),
            "four_combinations": to_one(20),
            "three_combinations": to_one(10),
            "two_combinations": to_one(5),
        }
    )


WAGERS = (
    Wager(
        code="craps.hot_roller",
        section="623c.1",
        title="Hot Roller",
        game="craps",
        classify=classify,
        paytables={"A": _paytable(200), "B": _paytable(300)},
        lock="first_roll",
        distribution=Chain(classify, key),
    ),
)
