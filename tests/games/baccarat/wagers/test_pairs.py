"""Player Pair and Banker Pair."""

import pytest

from tests.games.baccarat.tables import line_at, settled_at
from tests.games.baccarat.test_base import GAMES


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("player", "banker", "of_player", "of_banker"),
    [
        ("4C 4C", "KC 9D", "pair", None),
        ("KC 9D", "4H 4D", None, "pair"),
        ("4C 4S", "9C 9D", "pair", "pair"),
        ("10C KC", "9C KD", None, None),
        ("KC 2D 2S", "KC 6D", None, None),
    ],
)
def test_pairs_hit_their_line(
    game: str, player: str, banker: str, of_player: str | None, of_banker: str | None
) -> None:
    """The first two cards of the wager's own hand have one rank."""
    assert line_at(f"{game}.player_pair", player, banker) == of_player
    assert line_at(f"{game}.banker_pair", player, banker) == of_banker


@pytest.mark.parametrize("game", GAMES)
def test_a_pair_pays_eleven_to_one(game: str) -> None:
    """Either pair pays 11 to 1 and the stake stays."""
    assert settled_at(f"{game}.player_pair", "standard", "4C 4C", "KC 9D", 500).payout_cents == 6_000
    assert settled_at(f"{game}.banker_pair", "standard", "KC 9D", "4C 4C", 500).payout_cents == 6_000
