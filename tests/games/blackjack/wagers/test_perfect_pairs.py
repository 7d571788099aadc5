"""Perfect Pairs of Blackjack."""

import pytest

from tests.games.blackjack.initial import line_at, settled_at


@pytest.mark.parametrize(
    ("player", "line", "a", "b"),
    [
        ("8C 8C", "perfect_pair", 26, 31),
        ("8C 8S", "colored_pair", 13, 11),
        ("8H 8D", "colored_pair", 13, 11),
        ("8C 8D", "mixed_pair", 7, 6),
        ("KC 10C", None, 0, 0),
        ("8C 9C", None, 0, 0),
    ],
)
def test_perfect_pairs_pays_pairs_of_one_rank(player: str, line: str | None, a: int, b: int) -> None:
    """By suit and color of the two cards; the odds are to one."""
    assert line_at("blackjack.perfect_pairs", player, "8C 9D") == line
    for paytable, times in (("A", a), ("B", b)):
        assert settled_at("blackjack.perfect_pairs", paytable, player, "8C 9D").payout_cents == 500 * times
