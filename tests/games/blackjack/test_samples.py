"""Views of the dealer's two cards."""

from services.games.blackjack.samples import ACE_AND_HOLE
from services.games.wagers import Placement
from tests.builders import cards
from tests.games.blackjack.initial import dealt


def test_a_hole_card_under_an_ace_comes_from_the_rest_of_the_shoe() -> None:
    """Of six decks, 96 of 311 cards make a Blackjack."""
    cases = list(ACE_AND_HOLE.cases(6))
    assert sum(case.ways for case in cases) == 311
    assert sum(case.ways for case in cases if case.history.seat(1).dealer_blackjack) == 96
    assert ACE_AND_HOLE.key(dealt("9H 8H", "AH KD"), Placement(1)) == (True, True)
    assert cards("AS")[0] is cases[0].history.seat(1).upcard
