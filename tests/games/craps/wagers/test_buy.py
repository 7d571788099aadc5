"""Buy wagers."""

from fractions import Fraction

import pytest

from services.games.wagers import PENDING
from tests.games.craps.dice import house_edge, line_of, settled, thrown


def test_the_number_before_a_seven_wins() -> None:
    """A buy wager is off on come-out rolls unless it was called on."""
    lines = [line_of("craps.buy_10", totals, roll=1) for totals in ("4 10", "4 7", "4 4 7")]
    assert lines == ["wins", None, PENDING]
    assert line_of("craps.buy_10", "4 4 7", "working", 1) is None


@pytest.mark.parametrize(("number", "payout"), [(4, 5900), (5, 4900), (6, 4300), (8, 4300), (9, 4900), (10, 5900)])
def test_a_commission_on_the_stake_is_taken_from_a_win(number: int, payout: int) -> None:
    """$20 pay $40, $30 or $24 less $1, and come back."""
    history = thrown(f"{9 if number != 9 else 4} {number}")
    assert settled(f"craps.buy_{number}", "5%", history, 2000, roll=1).payout_cents == payout


@pytest.mark.parametrize(("number", "edge"), [(4, 60), (5, 50), (6, 44), (8, 44), (9, 50), (10, 60)])
def test_the_commission_is_the_house_edge(number: int, edge: int) -> None:
    """1.6667 %, 2 % and 2.2727 %: the odds before it are true."""
    assert house_edge(f"craps.buy_{number}", "5%") == Fraction(1, edge)
