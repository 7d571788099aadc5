"""The wager on a tie."""

import pytest

from tests.builders import line_of


@pytest.mark.parametrize(
    ("player", "banker", "line"),
    [
        ("7C KH", "KC 7D", "tie"),
        ("KC 7D", "9C KH", None),
    ],
)
def test_tie_hits_its_line(player: str, banker: str, line: str | None) -> None:
    """Equal hands win, whatever they count."""
    assert line_of("baccarat.tie", player, banker) == line
