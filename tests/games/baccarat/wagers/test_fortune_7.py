"""Fortune 7."""

import pytest

from tests.builders import line_of


@pytest.mark.parametrize(
    ("player", "banker", "line"),
    [
        ("KC 6D", "2C 3D 2H", "banker_three_card_seven"),
        ("KC 6D", "KC 7D", None),
        ("KC 7D", "2C 3D 2H", None),
        ("KC 6D", "2C 3D 3H", None),
    ],
)
def test_fortune_7_hits_its_line(player: str, banker: str, line: str | None) -> None:
    """The Banker wins with a three-card 7: two cards, a tie or another total lose."""
    assert line_of("baccarat.fortune_7", player, banker) == line
