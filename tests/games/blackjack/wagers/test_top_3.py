"""Top 3."""

import pytest

from services.games.catalogue import catalogue
from tests.games.blackjack.initial import line_at, settled_at


@pytest.mark.parametrize(
    ("player", "upcard", "line", "a", "b"),
    [
        ("8C 8C", "8C", "three_of_a_kind_suited", 271, 1_001),
        ("2C 3C", "AC", "straight_flush", 181, 101),
        ("QC AC", "KC", "straight_flush", 181, 101),
        ("10D 9D", "JD", "straight_flush", 181, 101),
        ("8C 8C", "8D", "three_of_a_kind", 91, 71),
        ("KC AC", "2C", None, 0, 0),
        ("2C 3C", "4D", None, 0, 0),
        ("2C 3C", "9C", None, 0, 0),
        ("8C 8D", "9C", None, 0, 0),
    ],
)
def test_top_3_pays_its_lines(player: str, upcard: str, line: str | None, a: int, b: int) -> None:
    """An ace is high or low in a sequence, never in the middle; the odds are to one."""
    assert line_at("blackjack.top_3", player, f"{upcard} KH") == line
    for paytable, times in (("A", a), ("B", b)):
        assert settled_at("blackjack.top_3", paytable, player, f"{upcard} KH").payout_cents == 500 * times


def test_top_3_needs_a_three_card_poker_wager() -> None:
    """Only a player who has placed the one may place the other (633c.7(c))."""
    assert catalogue()["blackjack.top_3"].needs == ("external.three_card_poker",)
