"""Hot Shooter jackpot."""

import pytest

from services.games.wagers import PENDING
from services.kernel.money import decimal_text
from tests.games.craps.dice import house_edge, line_of, settled, thrown


def of_length(rolls: int) -> str:
    """A finished hand of so many rolls, the first and the seven-out counted."""
    return " ".join(["4"] + ["5"] * (rolls - 2) + ["7"])


@pytest.mark.parametrize(
    ("fewest", "most", "line"),
    [
        (2, 7, None),
        (8, 15, "eight_to_fifteen"),
        (16, 23, "sixteen_to_twenty_three"),
        (24, 31, "twenty_four_to_thirty_one"),
        (32, 39, "thirty_two_to_thirty_nine"),
        (40, 44, "forty_to_forty_four"),
        (45, 49, "forty_five_to_forty_nine"),
        (50, 90, "fifty_or_more"),
    ],
)
def test_the_length_of_the_hand_is_the_line(fewest: int, most: int, line: str | None) -> None:
    """Every roll counts, from the first come-out through the seven-out (ruling C3)."""
    assert [line_of("craps.hot_shooter", of_length(rolls)) for rolls in (fewest, most)] == [line, line]


def test_the_seven_out_alone_settles() -> None:
    """A come-out 7 counts as a roll; however many there were, the wager waits for the seven-out."""
    assert line_of("craps.hot_shooter", "7 7 7 7 7 7 4 7") == "eight_to_fifteen"
    assert line_of("craps.hot_shooter", "7 " * 60) is PENDING


@pytest.mark.parametrize(("rolls", "payout"), [(15, 600), (16, 1800), (31, 3000), (39, 4200), (44, 7200), (50, 60_000)])
def test_a_long_hand_pays(rolls: int, payout: int) -> None:
    """A push, 2, 4, 6, 11 and 99 to 1, the stake included."""
    assert settled("craps.hot_shooter", "standard", thrown(of_length(rolls))).payout_cents == payout


def test_the_house_edge_is_that_of_the_bands() -> None:
    """With the bands of 623c.4, 9.0740 %."""
    assert decimal_text(house_edge("craps.hot_shooter", "standard"), 6) == "0.090740"
