"""The wager on the Player's hand."""

import pytest

from tests.builders import line_of


@pytest.mark.parametrize(
    ("player", "banker", "line"),
    [
        ("9C KH", "KC 7D", "player_wins"),
        ("7C KH", "KC 7D", "tie"),
        ("KC 7D", "9C KH", None),
    ],
)
def test_player_hits_its_line(player: str, banker: str, line: str | None) -> None:
    """The Player's higher hand wins, a tie pushes, the Banker's higher hand loses."""
    assert line_of("baccarat.player", player, banker) == line
