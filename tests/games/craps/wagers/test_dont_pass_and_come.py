"""Don't Pass and Don't Come."""

from fractions import Fraction

import pytest

from services.games.wagers import PENDING
from tests.games.craps.dice import house_edge, line_of, settled, thrown

CODES = ("craps.dont_pass", "craps.dont_come")


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("roll", [0, 1])
@pytest.mark.parametrize(
    ("totals", "line"),
    [
        ("7", None),
        ("11", None),
        ("2", "wins"),
        ("3", "wins"),
        ("12", "bar_twelve"),
        ("6", PENDING),
        ("6 12", PENDING),
        ("6 5 6", None),
        ("6 5 7", "wins"),
        ("", PENDING),
    ],
)
def test_the_first_roll_or_a_seven_settles(code: str, roll: int, totals: str, line: object) -> None:
    """2 and 3 win, 7 and 11 lose, 12 is barred; then a 7 must come before the number."""
    before = "9 " if roll else ""
    assert line_of(code, before + totals, roll=roll) == line


def test_a_barred_twelve_returns_the_stake() -> None:
    """The twelve pushes."""
    found = settled("craps.dont_pass", "standard", thrown("12"))
    assert (found.outcome, found.payout_cents) == ("push", 600)


@pytest.mark.parametrize("code", CODES)
def test_the_house_edge_is_3_in_220(code: str) -> None:
    """The known edge of both, 1.3636 %, pushes counted as handle."""
    assert house_edge(code, "standard") == Fraction(3, 220)
