"""The view of the dealer's poker hands."""

from fractions import Fraction
from math import comb, perm

import pytest
from hypothesis import given

from services.games.blackjack.dealer_pokers import DEALER_POKERS, DEALER_POKERS_HITTING, Dealt, key
from services.games.blackjack.poker import Five
from services.games.blackjack.round import Table
from services.games.wagers import Case, Placement, Sample
from tests.games.blackjack.drawn import drawn_to_the_end, low_shoes

SEAT = Placement(1)
SIX = {DEALER_POKERS.key(case.history, SEAT): case for case in DEALER_POKERS.cases(6)}


def dealt(case: Case) -> Dealt:
    """What AxMan looks at in a case."""
    found = key(case.history, SEAT)
    assert isinstance(found, Dealt)
    return found


@pytest.mark.parametrize(("view", "decks", "cards"), [(DEALER_POKERS, 1, 10), (DEALER_POKERS, 6, 12)])
def test_all_deals_are_counted(view: Sample, decks: int, cards: int) -> None:
    """The ways are all ordered deals of the player's two cards and of the dealer's longest hand, each case once."""
    cases = list(view.cases(decks))
    assert sum(case.ways for case in cases) == perm(52 * decks, cards + 2)
    assert len({view.key(case.history, SEAT) for case in cases}) == len(cases)
    assert all(case.ways > 0 for case in cases)


@pytest.mark.parametrize("kings", [0, 1, 2])
def test_kings_of_the_player_are_as_likely_as_ever(kings: int) -> None:
    """The dealer's draws take nothing from the player's first two cards."""
    ways = sum(case.ways for case in SIX.values() if dealt(case).kings == kings)
    total = sum(case.ways for case in SIX.values())
    assert Fraction(ways, total) == Fraction(comb(6, kings) * comb(306, 2 - kings), comb(312, 2))


@pytest.mark.parametrize(
    ("five", "chance"),
    [
        (Five((14, 14), 0, flush=False), Fraction(0)),
        (Five((11, 11), 0, flush=False), Fraction(24 * 23, 312 * 311)),
        (Five((13,), 1, flush=False), Fraction(2 * 6 * 18, 312 * 311)),
        (Five((), 2, flush=False), Fraction(6 * 5, 312 * 311)),
        (Five((14,), 1, flush=False), Fraction(2 * 24 * 6, 312 * 311)),
        (Five((8, 8, 8), 0, flush=False), Fraction(perm(24, 3), perm(312, 3))),
        # In any of twelve orders the first three are below 17.
        (Five((9, 4, 2, 2), 0, flush=False), Fraction(12 * perm(24, 2) * 24 * 24, perm(312, 4))),
    ],
)
def test_a_hand_has_its_chance(five: Five, chance: Fraction) -> None:
    """Short hands are as likely as their cards are in any order."""
    ways = sum(SIX[key].ways for key in (Dealt(five, kings) for kings in range(3)) if key in SIX)
    assert Fraction(ways, sum(case.ways for case in SIX.values())) == chance


@given(drawn_to_the_end())
def test_any_hand_drawn_has_its_case(table: Table) -> None:
    """Whatever a shoe gives is one of the cases."""
    assert key(table, SEAT) in SIX


@given(low_shoes())
def test_long_and_suited_hands_have_their_case(table: Table) -> None:
    """Six cards and more, kings of diamonds and hands of one suit too."""
    assert key(table, SEAT) in SIX


def test_a_dealer_who_hits_soft_17_is_a_view_of_its_own() -> None:
    """An ace and a six are not the end of that dealer's hand."""
    ace_six = Dealt(Five((14, 6), 0, flush=False), 0)
    assert ace_six in SIX
    assert ace_six not in {key(case.history, SEAT) for case in DEALER_POKERS_HITTING.cases(6)}
