"""Heavenly 9 progressive."""

import pytest

from services.games.catalogue import catalogue
from tests.builders import line_of, settled


@pytest.mark.parametrize(
    ("player", "banker", "line"),
    [
        ("2C 3C 4C", "KC 4C 5C", "tie_same_suit"),
        ("2C 3S 4C", "KC 4C 5C", "tie_same_color"),
        ("2H 3D 4D", "KH 4H 5H", "tie_same_color"),
        ("2C 3C 4C", "KC 4C 5D", "tie"),
        ("2C 3C 4H", "KC 7C", "player_three_card_nine"),
        ("2C 3C 4C", "KC 7C", "player_three_card_nine"),
        ("KC 6D", "2C 3D 4H", "banker_three_card_nine"),
        ("KC 9D", "KH 9H", None),
        ("KC 6D", "2C 3D 3H", None),
    ],
)
def test_heavenly_9_progressive_hits_its_line(player: str, banker: str, line: str | None) -> None:
    """The highest line alone is hit; a nine of two cards is no line."""
    assert line_of("baccarat.heavenly_9_progressive", player, banker) == line


def test_the_stake_does_not_come_back() -> None:
    """Odds for one are all a wager receives."""
    assert settled("baccarat.heavenly_9_progressive", "standard", "KC 6D", "2C 3D 4H").payout_cents == 4_500


def test_must_hit_by_mystery_has_twelve_configurations() -> None:
    """Each of A to D for a least wager of $1, $2 and $5, with its minimum, maximum and rate as printed."""
    found = {each.name: each[1:5] for each in catalogue()["baccarat.heavenly_9_progressive"].mysteries}
    assert found == {
        "A-$1": (100, 10_000, 20_000, 200),
        "A-$2": (200, 10_000, 20_000, 150),
        "A-$5": (500, 10_000, 25_000, 100),
        "B-$1": (100, 10_000, 50_000, 500),
        "B-$2": (200, 10_000, 50_000, 350),
        "B-$5": (500, 10_000, 50_000, 200),
        "C-$1": (100, 25_000, 50_000, 200),
        "C-$2": (200, 25_000, 50_000, 150),
        "C-$5": (500, 25_000, 50_000, 50),
        "D-$1": (100, 25_000, 100_000, 500),
        "D-$2": (200, 25_000, 100_000, 300),
        "D-$5": (500, 25_000, 100_000, 200),
    }
