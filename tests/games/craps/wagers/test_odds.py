"""Pass odds and Come odds."""

import pytest

from services.games.wagers import PENDING
from tests.games.craps.dice import house_edge, line_of, settled, thrown


@pytest.mark.parametrize(
    ("totals", "roll", "line"),
    [
        ("4 4", 1, "four_or_ten"),
        ("10 11 10", 1, "four_or_ten"),
        ("5 5", 1, "five_or_nine"),
        ("9 9", 1, "five_or_nine"),
        ("6 6", 1, "six_or_eight"),
        ("8 8", 1, "six_or_eight"),
        ("8 5 12", 1, PENDING),
        ("8 7", 1, None),
        ("8", 1, PENDING),
        ("7 6 6", 0, "six_or_eight"),
        ("4 4 6", 2, PENDING),
    ],
)
def test_pass_odds_lie_on_the_point(totals: str, roll: int, line: object) -> None:
    """The point made wins, the seven-out loses; before a point is on, odds wait for it."""
    assert line_of("craps.pass_odds", totals, roll=roll) == line


@pytest.mark.parametrize(
    ("totals", "on", "line"),
    [
        ("4 6 5", "6", PENDING),
        ("4 6 6", "6", "six_or_eight"),
        ("4 6 7", "6", None),
        ("4 5 5", "5 working", "five_or_nine"),
        ("4 6 4 7", "6", "returned"),
        ("4 6 4 6", "6", "returned"),
        ("4 6 4 7", "6 working", None),
        ("4 6 4 6", "6 working", "six_or_eight"),
        ("4 10 4 9 10", "10", "four_or_ten"),
    ],
)
def test_come_odds_lie_on_their_number(totals: str, on: str, line: object) -> None:
    """The number before a 7 wins; on a come-out roll both return odds that were not called on."""
    assert line_of("craps.come_odds", totals, on, 2) == line


@pytest.mark.parametrize(("point", "payout"), [("4", 1800), ("5", 1500), ("6", 1320)])
def test_odds_pay_what_the_number_is_worth(point: str, payout: int) -> None:
    """2 to 1, 3 to 2 and 6 to 5, and the stake."""
    assert settled("craps.pass_odds", "standard", thrown(f"{point} {point}"), roll=1).payout_cents == payout


def test_returned_odds_push() -> None:
    """Odds that were off come back whole."""
    found = settled("craps.come_odds", "standard", thrown("4 6 4 7"), on="6", roll=2)
    assert (found.outcome, found.payout_cents) == ("push", 600)


@pytest.mark.parametrize("code", ["craps.pass_odds", "craps.come_odds"])
def test_odds_leave_the_house_nothing(code: str) -> None:
    """True odds have no edge."""
    assert house_edge(code, "standard") == 0
