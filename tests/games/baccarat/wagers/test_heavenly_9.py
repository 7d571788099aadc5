"""Heavenly 9."""

import pytest

from tests.builders import line_of


@pytest.mark.parametrize(
    ("player", "banker", "line"),
    [
        ("2C 3D 4H", "KC 4D 5S", "both_three_card_nine"),
        ("2C 3D 4H", "KC 7D", "one_three_card_nine"),
        ("KC 6D", "2C 3D 4H", "one_three_card_nine"),
        ("KC 9D", "KH 9H", None),
        ("KC 6D", "2C 3D 3H", None),
    ],
)
def test_heavenly_9_hits_its_line(player: str, banker: str, line: str | None) -> None:
    """A three-card 9 on either side wins, on both it pays more; a two-card 9 loses."""
    assert line_of("baccarat.heavenly_9", player, banker) == line
