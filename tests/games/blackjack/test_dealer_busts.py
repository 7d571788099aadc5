"""The view of the dealer's busts."""

from fractions import Fraction
from math import perm

import pytest
from hypothesis import given

from services.games.blackjack.dealer_busts import DEALER_BUSTS, DEALER_BUSTS_HITTING, Busted, cases, key
from services.games.blackjack.round import Table
from services.games.wagers import Placement
from tests.games.blackjack.drawn import drawn, drawn_to_the_end, low_shoes


@pytest.mark.parametrize("decks", [1, 4, 6, 8])
@pytest.mark.parametrize("view", [DEALER_BUSTS, DEALER_BUSTS_HITTING])
def test_all_deals_are_counted(decks: int, view: object) -> None:
    """The ways are all ordered deals of the player's two cards and of the dealer's longest hand."""
    hits = view is DEALER_BUSTS_HITTING
    found = list(cases(decks, hits_soft_17=hits))
    cards = {1: 10, 4: 12 + hits, 6: 12 + hits, 8: 12 + hits}[decks]
    assert sum(case.ways for case in found) == perm(52 * decks, cards + 2)
    assert all(case.ways > 0 for case in found)
    assert len({key(case.history, Placement(1)) for case in found}) == len(found) == 14


@pytest.mark.parametrize("decks", [1, 6])
def test_a_blackjack_of_the_player_is_as_likely_as_ever(decks: int) -> None:
    """The dealer's draws take nothing from the player's first two cards."""
    found = {key(case.history, Placement(1)): case.ways for case in cases(decks, hits_soft_17=False)}
    blackjacks = sum(ways for busted, ways in found.items() if isinstance(busted, Busted) and busted.blackjack)
    cards = 52 * decks
    assert Fraction(blackjacks, sum(found.values())) == Fraction(2 * 4 * decks * 16 * decks, cards * (cards - 1))


@given(drawn_to_the_end())
def test_any_hand_drawn_has_its_case(table: Table) -> None:
    """Whatever a shoe gives is one of the cases."""
    assert key(table, Placement(1)) in {key(case.history, Placement(1)) for case in cases(6, hits_soft_17=False)}


@given(low_shoes())
def test_long_hands_have_their_case(table: Table) -> None:
    """Nine cards and more are a bust with eight."""
    assert key(table, Placement(1)) in {key(case.history, Placement(1)) for case in cases(6, hits_soft_17=False)}


def test_a_bust_is_known_by_its_cards() -> None:
    """Three to seven by number, eight for eight or more, 0 for a hand that stands."""
    assert key(drawn("10S 6S 10H"), Placement(1)) == Busted(3, blackjack=False)
    assert key(drawn("2S 2H 2C 2D 3S AS AC 3H 10H", "AS KS"), Placement(1)) == Busted(8, blackjack=True)
    assert key(drawn("10S 7S"), Placement(1)) == Busted(0, blackjack=False)
