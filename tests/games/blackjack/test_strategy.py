"""The written basic strategy."""

import pytest

from services.games.blackjack.round import Action
from services.games.blackjack.strategy import PAIRS, Allowed, played
from tests.builders import cards

ALL, NOTHING = Allowed(split=True), Allowed(double=False, surrender=False)


@pytest.mark.parametrize(
    ("shown", "upcard", "with_all", "with_nothing"),
    [
        ("5H 3D", "6H", Action.HIT, Action.HIT),
        ("5H 4D", "6H", Action.DOUBLE, Action.HIT),
        ("KH 2D", "4H", Action.STAND, Action.STAND),
        ("KH 2D", "3H", Action.HIT, Action.HIT),
        ("KH 6D", "10H", Action.SURRENDER, Action.HIT),
        ("KH 7D", "AH", Action.STAND, Action.STAND),
        ("AH 7D", "3H", Action.DOUBLE, Action.STAND),
        ("AH 7D", "KH", Action.HIT, Action.HIT),
        ("AH 6D", "3H", Action.DOUBLE, Action.HIT),
        ("AH 8D", "6H", Action.STAND, Action.STAND),
        ("AH AD", "6H", Action.SPLIT, Action.HIT),
        ("8H 8D", "AH", Action.SPLIT, Action.HIT),
        ("KH QD", "6H", Action.STAND, Action.STAND),
        ("5H 5D", "6H", Action.DOUBLE, Action.HIT),
        ("2H 2D", "8H", Action.HIT, Action.HIT),
        ("5H 6D AC", "6H", Action.STAND, Action.STAND),
    ],
)
def test_the_strategy_says(shown: str, upcard: str, with_all: Action, with_nothing: Action) -> None:
    """By total and upcard; where a double, surrender or split is not allowed, what it does instead."""
    up = cards(upcard)[0]
    assert played(cards(shown), up, ALL) is with_all
    assert played(cards(shown), up, NOTHING) is with_nothing


def test_pairs_of_tens_and_fives_are_kept() -> None:
    """They have no row."""
    assert not {5, 10} & set(PAIRS)
