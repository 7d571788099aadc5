"""Lucky Six."""

import pytest

from tests.games.baccarat.tables import line_at, settled_at
from tests.games.baccarat.test_base import GAMES


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("player", "banker", "line", "payout"),
    [
        ("2C 3D 10H", "KC 6D", "two_card_six", 6_500),
        ("KC 2D 2H", "2C 2D 2H", "three_card_six", 10_500),
        ("KC 7D", "KH 6S", None, 0),
        ("KC 6D", "KH 6S", None, 0),
        ("KC 6D", "KH 7S", None, 0),
    ],
)
def test_lucky_six_hits_its_line(game: str, player: str, banker: str, line: str | None, payout: int) -> None:
    """The Banker wins with 6, three cards paying more; a lower or tied 6 and any other total lose."""
    assert line_at(f"{game}.lucky_six", player, banker) == line
    assert settled_at(f"{game}.lucky_six", "standard", player, banker, 500).payout_cents == payout
