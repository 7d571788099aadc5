"""Lay wagers."""

from fractions import Fraction

import pytest

from services.games.wagers import PENDING
from tests.games.craps.dice import house_edge, line_of, settled, thrown


@pytest.mark.parametrize(
    ("totals", "line"), [("4 7", "wins"), ("4 10", None), ("4 4 7", "wins"), ("4 4 10", None), ("4 5 11", PENDING)]
)
def test_a_seven_before_the_number_wins(totals: str, line: object) -> None:
    """A lay wager works on come-out rolls too."""
    assert line_of("craps.lay_10", totals, roll=1) == line


@pytest.mark.parametrize(("number", "payout"), [(4, 5900), (5, 6533), (6, 7166), (8, 7166), (9, 6533), (10, 5900)])
def test_a_commission_on_the_winnings_is_taken(number: int, payout: int) -> None:
    """$40 win $20, $26.66 or $33.33 less 5 % rounded half up to the cent, and come back."""
    history = thrown(f"{9 if number != 9 else 4} 7")
    assert settled(f"craps.lay_{number}", "5%", history, 4000, roll=1).payout_cents == payout


@pytest.mark.parametrize(("number", "edge"), [(4, 60), (5, 50), (6, 44), (8, 44), (9, 50), (10, 60)])
def test_the_commission_is_the_house_edge(number: int, edge: int) -> None:
    """1.6667 %, 2 % and 2.2727 %: the odds before it are true."""
    assert house_edge(f"craps.lay_{number}", "5%") == Fraction(1, edge)
