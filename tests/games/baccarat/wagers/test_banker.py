"""The wager on the Banker's hand."""

import pytest

from tests.builders import line_of


@pytest.mark.parametrize(
    ("player", "banker", "line"),
    [
        ("KC 7D", "9C KH", "banker_wins"),
        ("7C KH", "KC 7D", "tie"),
        ("9C KH", "KC 7D", None),
    ],
)
def test_banker_hits_its_line(player: str, banker: str, line: str | None) -> None:
    """The Banker's higher hand wins, a tie pushes, the Player's higher hand loses."""
    assert line_of("baccarat.banker", player, banker) == line
