"""Field."""

from fractions import Fraction

import pytest

from services.games.wagers import PENDING
from tests.games.craps.dice import house_edge, line_of, settled, thrown


def test_the_next_roll_settles_the_field() -> None:
    """2 and 12 are lines of their own, 3, 4, 9, 10 and 11 one; 5 to 8 lose."""
    even = dict.fromkeys((3, 4, 9, 10, 11), "three_four_nine_ten_eleven")
    expected = {2: "two", 12: "twelve"} | even | dict.fromkeys((5, 6, 7, 8))
    assert {total: line_of("craps.field", f"{total}") for total in range(2, 13)} == expected


def test_a_field_wager_looks_at_the_roll_after_it() -> None:
    """Rolls before it was placed and after it was settled mean nothing."""
    assert line_of("craps.field", "5 2 6", roll=1) == "two"
    assert line_of("craps.field", "5 2", roll=2) is PENDING


@pytest.mark.parametrize(("paytable", "payout", "edge"), [("double 12", 1800, (1, 18)), ("triple 12", 2400, (1, 36))])
def test_a_twelve_pays_double_or_triple(paytable: str, payout: int, edge: tuple[int, int]) -> None:
    """The house's edge is 5.5556 % or 2.7778 %."""
    assert settled("craps.field", paytable, thrown("12")).payout_cents == payout
    assert house_edge("craps.field", paytable) == Fraction(*edge)
