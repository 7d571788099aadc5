"""Pass and Come."""

from fractions import Fraction

import pytest

from services.games.wagers import PENDING
from tests.games.craps.dice import house_edge, line_of, settled, thrown

CODES = ("craps.pass", "craps.come")


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("roll", [0, 1])
@pytest.mark.parametrize(
    ("totals", "line"),
    [
        ("7", "wins"),
        ("11", "wins"),
        ("2", None),
        ("3", None),
        ("12", None),
        ("6", PENDING),
        ("6 5 12", PENDING),
        ("6 5 6", "wins"),
        ("6 5 7", None),
        ("", PENDING),
    ],
)
def test_the_first_roll_or_the_number_settles(code: str, roll: int, totals: str, line: object) -> None:
    """7 and 11 win and 2, 3 and 12 lose at once; another total must come again before a 7."""
    before = "9 " if roll else ""
    assert line_of(code, before + totals, roll=roll) == line


def test_a_come_wager_outlives_the_point() -> None:
    """The table's point made leaves a Come wager up; a come-out 7 then loses it."""
    assert line_of("craps.come", "4 6 4", roll=1) is PENDING
    assert line_of("craps.come", "4 6 4 7", roll=1) is None
    assert line_of("craps.come", "4 6 4 5 6 7", roll=1) == "wins"


def test_a_settled_wager_stays_settled() -> None:
    """Later rolls change nothing."""
    assert line_of("craps.pass", "11 2 4 7") == "wins"


def test_even_money_is_paid() -> None:
    """A win pays the stake once and returns it."""
    assert settled("craps.pass", "standard", thrown("11")).payout_cents == 1200


@pytest.mark.parametrize("code", CODES)
def test_the_house_edge_is_7_in_495(code: str) -> None:
    """The known edge of both, 1.4141 %."""
    assert house_edge(code, "standard") == Fraction(7, 495)
