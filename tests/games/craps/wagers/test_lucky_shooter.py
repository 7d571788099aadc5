"""Lucky Shooter."""

import pytest

from services.games.wagers import PENDING
from tests.games.craps.dice import house_edge, line_of, settled, thrown


@pytest.mark.parametrize(
    ("totals", "line"),
    [
        ("", PENDING),
        ("2", None),
        ("3", None),
        ("12", None),
        ("7 11 7", PENDING),
        ("11 2", None),
        ("9", PENDING),
        ("9 7", None),
        ("9 10 9", None),
        ("6 9 6", None),
        ("9 10 4 11", "two_of_five"),
        ("9 10 4 6 10", "three_of_five"),
        ("9 10 4 6 8 12", "four_of_five"),
        ("9 10 4 6 8 5", PENDING),
        ("9 10 4 6 8 5 9", "five_of_five_and_point"),
        ("9 10 4 6 8 5 10", "five_of_five"),
        ("9 10 4 6 8 5 7", "five_of_five"),
        ("7 9 10 4 6 8 5 9 7", "five_of_five_and_point"),
    ],
)
def test_the_first_roll_that_is_no_missing_point_settles(totals: str, line: object) -> None:
    """The examples of 623c.2(d)(3), and every other way out of a sequence."""
    assert line_of("craps.lucky_shooter", totals) == line


def test_a_come_out_seven_or_eleven_pays_nothing_yet() -> None:
    """1 for 1 nets nothing and the wager stays up (ruling C2)."""
    found = settled("craps.lucky_shooter", "A", thrown("11"))
    assert (found.outcome, found.payout_cents, found.awards) == ("pending", 0, ())


def test_the_seven_out_leaves_no_wager_open() -> None:
    """One placed on a point, which its lock keeps out, would lose with the hand."""
    assert line_of("craps.lucky_shooter", "4 7", roll=1) is None
    assert line_of("craps.lucky_shooter", "4 7", roll=2) is None


@pytest.mark.parametrize(("paytable", "outcome", "payout"), [("A", "lose", 0), ("B", "win", 1200)])
def test_two_of_five_pay_on_some_paytables_alone(paytable: str, outcome: str, payout: int) -> None:
    """Paytables A and C print N/A; the odds are for one, so the stake is gone."""
    found = settled("craps.lucky_shooter", paytable, thrown("9 10 4 11"))
    assert (found.outcome, found.payout_cents) == (outcome, payout)


@pytest.mark.parametrize(("paytable", "edge"), [("A", 1696), ("B", 1611), ("C", 1053), ("D", 1084)])
def test_the_house_edge_is_that_of_the_reading(paytable: str, edge: int) -> None:
    """In hundredths of a percent, as counted independently for ruling C2's reading."""
    assert round(house_edge("craps.lucky_shooter", paytable) * 10_000) == edge
