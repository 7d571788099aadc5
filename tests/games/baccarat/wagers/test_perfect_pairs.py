"""Perfect Pairs."""

import pytest

from tests.builders import line_of


@pytest.mark.parametrize(
    ("player", "banker", "on", "line"),
    [
        ("4C 4C", "KC 9D", "player", "perfect_pair"),
        ("4C 4S", "KC 9D", "player", "colored_pair"),
        ("4C 4D", "KC 9D", "player", "mixed_pair"),
        ("4C 5C", "KC KC", "player", None),
        ("KC 9D", "4H 4D", "banker", "colored_pair"),
        ("4C 4C", "KC 9D", "banker", None),
        ("10C KC", "KC 9D", "player", None),
        ("KC 2D 2S", "KC 6D", "player", None),
    ],
)
def test_perfect_pairs_hits_its_line(player: str, banker: str, on: str, line: str | None) -> None:
    """The first two cards of the hand it lies on have one rank; suit and color say how much."""
    assert line_of("baccarat.perfect_pairs", player, banker, on) == line
