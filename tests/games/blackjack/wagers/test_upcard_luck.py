"""Upcard Luck."""

from fractions import Fraction

import pytest

from services.games.catalogue import catalogue
from tests.games.blackjack.initial import line_at, settled_at

CODE = "blackjack.upcard_luck"


@pytest.mark.parametrize(
    ("player", "line", "odds"),
    [
        ("AS JS", "ace_and_jack_of_spades", 80),
        ("JS AS", "ace_and_jack_of_spades", 80),
        ("AS JC", "blackjack", 8),
        ("AS QS", "blackjack", 8),
        ("2C 7D", "nine_to_eleven", 4),
        ("5C 5D", "nine_to_eleven", 4),
        ("5C 6D", "nine_to_eleven", 4),
        ("AC 7D", "eighteen_to_twenty", 3),
        ("AC 8D", "eighteen_to_twenty", 3),
        ("AC 9D", "eighteen_to_twenty", 3),
        ("9C 9D", "eighteen_to_twenty", 3),
        ("KC 10D", "eighteen_to_twenty", 3),
        ("AC AD", None, -1),
        ("AC 6D", None, -1),
        ("4C 4D", None, -1),
        ("KC 2D", None, -1),
        ("KC 7D", None, -1),
    ],
)
def test_upcard_luck_pays_totals_against_a_low_upcard(player: str, line: str | None, odds: int) -> None:
    """A soft hand counts its ace 11; two aces lose; the odds are to one."""
    for upcard in ("2C", "7D"):
        assert line_at(CODE, player, f"{upcard} KH") == line
    assert settled_at(CODE, "standard", player, "5H KH").payout_cents == 500 * (odds + 1)


@pytest.mark.parametrize("upcard", ["AC", "8C", "9C", "10C", "KC"])
def test_any_other_upcard_loses(upcard: str) -> None:
    """Whatever the player has."""
    assert line_at(CODE, "AS JS", f"{upcard} 5H") is None


def test_upcard_luck_is_at_most_the_blackjack_wager() -> None:
    """And goes with four, six or eight decks (633c.15(b), (d))."""
    assert catalogue()[CODE].base_share == (Fraction(0), Fraction(1))
    assert catalogue()[CODE].paytables["standard"].decks == (4, 6, 8)
