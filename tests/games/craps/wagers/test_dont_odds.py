"""Don't Pass odds and Don't Come odds."""

import pytest

from services.games.wagers import PENDING
from tests.games.craps.dice import house_edge, line_of, settled, thrown


@pytest.mark.parametrize(
    ("totals", "roll", "line"),
    [
        ("4 7", 1, "four_or_ten"),
        ("9 2 7", 1, "five_or_nine"),
        ("8 7", 1, "six_or_eight"),
        ("8 8", 1, None),
        ("8 5", 1, PENDING),
        ("7 10 7", 0, "four_or_ten"),
    ],
)
def test_dont_pass_odds_lie_against_the_point(totals: str, roll: int, line: object) -> None:
    """The seven-out wins, the point made loses; a come-out 7 is nothing to odds that wait for a point."""
    assert line_of("craps.dont_pass_odds", totals, roll=roll) == line


@pytest.mark.parametrize(
    ("totals", "on", "line"),
    [
        ("4 6 5", "6", PENDING),
        ("4 6 6", "6", None),
        ("4 6 7", "6", "six_or_eight"),
        ("4 9 4 7", "9", "five_or_nine"),
        ("4 10 4 10", "10", None),
    ],
)
def test_dont_come_odds_lie_against_their_number(totals: str, on: str, line: object) -> None:
    """A 7 before the number wins, on a come-out roll too."""
    assert line_of("craps.dont_come_odds", totals, on, 2) == line


@pytest.mark.parametrize(("point", "payout"), [("4", 900), ("5", 1000), ("6", 1100)])
def test_laid_odds_pay_what_the_seven_is_worth(point: str, payout: int) -> None:
    """1 to 2, 2 to 3 and 5 to 6, and the stake."""
    assert settled("craps.dont_pass_odds", "standard", thrown(f"{point} 7"), roll=1).payout_cents == payout


def test_what_thirds_leave_is_breakage() -> None:
    """$1.00 laid against a 5 wins 66 cents and two thirds of one, which the house keeps, to the micro-dollar below."""
    found = settled("craps.dont_pass_odds", "standard", thrown("5 7"), 100, roll=1)
    assert (found.payout_cents, found.breakage_micros) == (166, 6_666)


@pytest.mark.parametrize("code", ["craps.dont_pass_odds", "craps.dont_come_odds"])
def test_laid_odds_leave_the_house_nothing(code: str) -> None:
    """True odds have no edge."""
    assert house_edge(code, "standard") == 0
