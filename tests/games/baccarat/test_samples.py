"""The views of the result space, on a single deck."""

from collections.abc import Callable, Iterable
from math import comb, perm

import pytest

from services.games.baccarat.samples import (
    COUPS_BY_POINTS,
    COUPS_BY_POINTS_AND_SUITS,
    INITIAL_PAIRS,
    coups_by_points,
    coups_by_points_and_suits,
    initial_pairs,
)
from services.games.wagers import Case, Sample


@pytest.mark.parametrize("cases", [coups_by_points, coups_by_points_and_suits])
@pytest.mark.parametrize("decks", [1, 2])
def test_coups_are_counted_among_ordered_deals_of_six_cards(cases: Callable[[int], Iterable[Case]], decks: int) -> None:
    """The ways of all classes together are the ordered deals of six cards."""
    assert sum(case.ways for case in cases(decks)) == perm(52 * decks, 6)


@pytest.mark.parametrize("decks", [1, 6])
def test_first_two_cards_are_counted_as_pairs(decks: int) -> None:
    """The ways of all first two cards are the unordered pairs of cards."""
    assert sum(case.ways for case in initial_pairs(decks)) == comb(52 * decks, 2)


@pytest.mark.parametrize("sample", [COUPS_BY_POINTS, COUPS_BY_POINTS_AND_SUITS, INITIAL_PAIRS])
def test_each_case_stands_for_its_own_class(sample: Sample) -> None:
    """No class has two representatives, and every class has ways to be dealt."""
    cases = list(sample.cases(1))
    assert len({sample.key(case.history, sample.placement) for case in cases}) == len(cases)
    assert all(case.ways > 0 for case in cases)
