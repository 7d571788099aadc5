"""Place wagers."""

from fractions import Fraction

import pytest

from services.games.wagers import PENDING
from tests.games.craps.dice import house_edge, line_of, settled, thrown


@pytest.mark.parametrize(
    ("totals", "on", "roll", "line"),
    [
        ("4 6", "", 1, "wins"),
        ("4 7", "", 1, None),
        ("4 5 11", "", 1, PENDING),
        ("6 6 6", "", 0, "wins"),
        ("6 6 7", "", 1, "wins"),
        ("4 4 7", "", 1, PENDING),
        ("4 4 6", "", 1, PENDING),
        ("4 4 6 6", "", 1, "wins"),
        ("4 4 7", "working", 1, None),
        ("4 4 6", "working", 1, "wins"),
        ("6", "working", 0, "wins"),
    ],
)
def test_the_number_before_a_seven_wins(totals: str, on: str, roll: int, line: object) -> None:
    """A place wager is off on come-out rolls unless it was called on."""
    assert line_of("craps.place_6", totals, on, roll) == line


@pytest.mark.parametrize(
    ("number", "payout", "edge"),
    [
        (4, 1680, (1, 15)),
        (5, 1440, (1, 25)),
        (6, 1300, (1, 66)),
        (8, 1300, (1, 66)),
        (9, 1440, (1, 25)),
        (10, 1680, (1, 15)),
    ],
)
def test_a_place_wager_pays_its_number(number: int, payout: int, edge: tuple[int, int]) -> None:
    """9 to 5, 7 to 5 and 7 to 6, with the known edges."""
    history = thrown(f"{9 if number != 9 else 4} {number}")
    assert settled(f"craps.place_{number}", "standard", history, roll=1).payout_cents == payout
    assert house_edge(f"craps.place_{number}", "standard") == Fraction(*edge)


def test_sixths_leave_breakage() -> None:
    """$1.00 on 8 wins 116 cents and two thirds of one."""
    found = settled("craps.place_8", "standard", thrown("4 8"), 100, roll=1)
    assert (found.payout_cents, found.breakage_micros) == (216, 6_666)
