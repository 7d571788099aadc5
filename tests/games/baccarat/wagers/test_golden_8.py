"""Golden 8."""

import pytest

from tests.builders import line_of


@pytest.mark.parametrize(
    ("player", "banker", "line"),
    [
        ("2C 3D 3H", "KC 7D", "player_three_card_eight"),
        ("3C 5D", "KC 7D", None),
        ("2C 3D 3H", "KC 4D 4S", None),
        ("2C 3D 4H", "KC 7D", None),
    ],
)
def test_golden_8_hits_its_line(player: str, banker: str, line: str | None) -> None:
    """The Player wins with a three-card 8: two cards, a tie or another total lose."""
    assert line_of("baccarat.golden_8", player, banker) == line
