"""Blazing 7's."""

import pytest

from tests.builders import line_of


@pytest.mark.parametrize(
    ("player", "banker", "line"),
    [
        ("2C 3D 2H", "KC 3D 4S", "three_card_sevens"),
        ("KC 7D", "KH 7H", "two_card_sevens"),
        ("KC 7D", "2C 3D 2H", None),
        ("2C 3D 2H", "KC 7D", None),
        ("KC 7D", "KH 6H", None),
        ("KC 6D", "KH 7H", None),
    ],
)
def test_blazing_7s_hits_its_line(player: str, banker: str, line: str | None) -> None:
    """Both hands have 7 with the same number of cards; a mixed pair of sevens loses."""
    assert line_of("baccarat.blazing_7s", player, banker) == line
