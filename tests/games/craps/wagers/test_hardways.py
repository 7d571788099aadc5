"""Hardways."""

from fractions import Fraction

import pytest

from services.games.catalogue import wager
from services.games.craps.chains import NO_TERMS
from services.games.wagers import PENDING, Placement
from tests.games.craps.dice import hand, house_edge, settled


@pytest.mark.parametrize(
    ("dice", "on", "line"),
    [
        ("4-5 3-3", "", "wins"),
        ("4-5 2-4", "", None),
        ("4-5 3-4", "", None),
        ("4-5 5-5 2-2", "", PENDING),
        ("4-5 4-5 3-3", "", PENDING),
        ("4-5 4-5 3-4", "", PENDING),
        ("4-5 4-5 3-4", "working", None),
        ("4-5 4-5 3-3", "working", "wins"),
    ],
)
def test_the_pair_comes_before_a_seven_and_the_easy_way(dice: str, on: str, line: object) -> None:
    """A hardway is off on come-out rolls unless it was called on."""
    assert wager("craps.hard_6").classify(hand(dice), Placement(1, on, 1), NO_TERMS) == line


@pytest.mark.parametrize(
    ("number", "pair", "payout", "edge"),
    [
        (4, "2-2", 4800, (1, 9)),
        (6, "3-3", 6000, (1, 11)),
        (8, "4-4", 6000, (1, 11)),
        (10, "5-5", 4800, (1, 9)),
    ],
)
def test_a_hardway_pays_its_number(number: int, pair: str, payout: int, edge: tuple[int, int]) -> None:
    """7 to 1 on 4 and 10, 9 to 1 on 6 and 8, with the known edges."""
    assert settled(f"craps.hard_{number}", "standard", hand(f"4-5 {pair}"), roll=1).payout_cents == payout
    assert house_edge(f"craps.hard_{number}", "standard") == Fraction(*edge)
