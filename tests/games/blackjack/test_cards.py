"""What cards count."""

import pytest

from services.games.blackjack.cards import dealer_draws, is_blackjack, total_of
from tests.builders import cards


@pytest.mark.parametrize(
    ("shown", "total", "soft"),
    [
        ("KH 7D", 17, False),
        ("AH 6D", 17, True),
        ("AH 6D KS", 17, False),
        ("AH AD", 12, True),
        ("AH AD AC AS 8H", 12, False),
        ("KH QD 2S", 22, False),
        ("AH KD", 21, True),
    ],
)
def test_an_ace_counts_eleven_unless_that_passes_21(shown: str, total: int, soft: bool) -> None:
    """Faces count 10, an ace 11 or 1; a total with an ace as 11 is soft."""
    assert total_of(cards(shown)) == (total, soft)


def test_a_blackjack_is_an_ace_and_a_ten_in_two_cards() -> None:
    """Three cards of 21 are none."""
    assert is_blackjack(cards("AH KD"))
    assert is_blackjack(cards("10H AD"))
    assert not is_blackjack(cards("AH 5D 5C"))
    assert not is_blackjack(cards("KH QD"))


@pytest.mark.parametrize(
    ("shown", "stands_on_soft", "hits_soft"),
    [("KH 6D", True, True), ("KH 7D", False, False), ("AH 6D", False, True), ("AH 7D", False, False)],
)
def test_a_dealer_draws_to_17(shown: str, stands_on_soft: bool, hits_soft: bool) -> None:
    """He stands on every 17, or hits a soft one where the table says so."""
    assert dealer_draws(cards(shown), hits_soft_17=False) == stands_on_soft
    assert dealer_draws(cards(shown), hits_soft_17=True) == hits_soft
