"""Blazing 7's."""

import pytest

from services.games.wagers import PENDING
from tests.games.roulette.builders import line_of, settled, spin

CODE = "roulette.blazing_7s"


@pytest.mark.parametrize(
    ("pocket", "bonus", "line"),
    [
        ("7", "27 7 17", "all_three"),
        ("17", "27 0 17", "two_of_three"),
        ("27", "27 0 00", "one_of_three"),
        ("7", "7 1 3", "one_of_three"),
        ("7", "1 3 5", "one_color"),
        ("7", "2 4 6", "one_color"),
        ("7", "1 3 4", "other"),
        ("7", "0 00 2", "other"),
    ],
)
def test_blazing_7s_hits_its_line(pocket: str, bonus: str, line: str) -> None:
    """The highest line alone pays: three red balls with 7 among them are one of three (ruling R2)."""
    assert line_of(CODE, spin(pocket, bonus)) == line


def test_other_numbers_lose() -> None:
    """Without 7, 17 or 27 there is no bonus round."""
    assert line_of(CODE, spin("8")) is None


def test_a_winning_number_waits_for_its_bonus_round() -> None:
    """7, 17 or 27 without a recorded bonus round is not settled yet."""
    assert line_of(CODE, spin("27")) is PENDING


@pytest.mark.parametrize(
    ("paytable", "odds"),
    [
        ("1", (1000, 100, 17, 7, 7)),
        ("2", (299, 100, 17, 7, 7)),
        ("3", (1000, 100, 17, 11, 6)),
        ("4", (299, 100, 17, 11, 6)),
    ],
)
def test_the_four_paytables_pay_their_odds(paytable: str, odds: tuple[int, ...]) -> None:
    """One color pays as *other* where the paytable has no line for it."""
    rounds = ["7 17 27", "7 17 1", "7 1 2", "1 3 5", "1 2 3"]
    found = [settled(CODE, spin("7", bonus), paytable=paytable, stake_cents=100).payout_cents for bonus in rounds]
    assert found == [100 * (each + 1) for each in odds]
