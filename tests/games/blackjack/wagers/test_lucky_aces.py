"""Lucky Aces."""

import pytest

from services.games.catalogue import catalogue
from tests.games.blackjack.initial import line_at, settled_at


@pytest.mark.parametrize(
    ("player", "dealer", "line", "odds"),
    [
        ("AC AD", "AH AS", "four_aces", (500, 500, 1_000, 2_000)),
        ("AC AC", "AC AC", "four_aces", (500, 500, 1_000, 2_000)),
        ("AC AC", "AC 5D", "three_aces_same_suit", (250, 250, 500, 500)),
        ("AC AC", "AD 5D", "three_aces", (20, 30, 35, 15)),
        ("AC 9D", "5D AC", "two_aces_same_suit", (8, 12, 16, 10)),
        ("AC 9D", "5D AD", "two_aces", (5, 5, 5, 4)),
        ("5C 9D", "5D AD", "one_ace_of_diamonds", (2, 2, 2, 2)),
        ("5C AH", "5D 6D", "one_ace", (1, 1, 1, 1)),
    ],
)
def test_lucky_aces_pays_its_lines(player: str, dealer: str, line: str, odds: tuple[int, ...]) -> None:
    """The number of aces decides, then whether all of them are of one suit; the odds are to one."""
    assert line_at("blackjack.lucky_aces", player, dealer) == line
    for paytable, number in zip("ABCD", odds, strict=True):
        settled = settled_at("blackjack.lucky_aces", paytable, player, dealer)
        assert settled.payout_cents == 500 * (number + 1)


def test_no_ace_loses() -> None:
    """Of four cards without an ace."""
    assert line_at("blackjack.lucky_aces", "KC QD", "5D 6D") is None


def test_lucky_aces_is_offered_on_fully_automated_tables_alone() -> None:
    """633c.8(a)."""
    assert catalogue()["blackjack.lucky_aces"].table_kinds == ("fully_automated",)
