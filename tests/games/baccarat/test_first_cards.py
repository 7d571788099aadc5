"""The views of the cards dealt first."""

from collections.abc import Callable
from itertools import combinations
from math import comb

import pytest

from services.games.baccarat.coup import Coup, Coups
from services.games.baccarat.first_cards import BANKER_PAIRS, NINES, PLAYER_PAIRS, ROYAL_9S, royal_9_of
from services.games.wagers import Sample
from services.kernel.cards import CARDS
from tests.builders import cards

SAMPLES = [PLAYER_PAIRS, BANKER_PAIRS, NINES, ROYAL_9S]


@pytest.mark.parametrize("decks", [1, 2, 8])
@pytest.mark.parametrize(
    ("sample", "total"),
    [
        (PLAYER_PAIRS, lambda cards: comb(cards, 2)),
        (BANKER_PAIRS, lambda cards: comb(cards, 2)),
        (NINES, lambda cards: comb(cards, 4)),
        (ROYAL_9S, lambda cards: comb(cards, 2) * comb(cards - 2, 2)),
    ],
)
def test_first_cards_are_counted_unordered(sample: Sample, total: Callable[[int], int], decks: int) -> None:
    """The ways of all classes together are the unordered choices of the cards looked at."""
    assert sum(case.ways for case in sample.cases(decks)) == total(52 * decks)


@pytest.mark.parametrize("sample", SAMPLES)
def test_each_case_stands_for_its_own_class(sample: Sample) -> None:
    """No class has two representatives, and every class has ways to be dealt."""
    for decks in (1, 6):
        cases = list(sample.cases(decks))
        assert len({sample.key(case.history, sample.placement) for case in cases}) == len(cases)
        assert all(case.ways > 0 for case in cases)


def test_nines_of_one_deck_are_those_counted_one_by_one() -> None:
    """The ways of a class are the choices of four cards that belong to it."""
    counted: dict[object, int] = {}
    for four in combinations([each for each in CARDS.values() if each.rank in ("8", "9", "10")], 4):
        key = NINES.key(Coups(Coup.of(four[:2], four[2:])), NINES.placement)
        counted[key] = counted.get(key, 0) + 1
    whole = {NINES.key(case.history, NINES.placement): case.ways for case in NINES.cases(1)}
    for key, ways in counted.items():
        nines = len(key) if isinstance(key, tuple) else 0
        assert whole[key] == ways // comb(8, 4 - nines) * comb(48, 4 - nines)


def test_royal_9s_of_one_deck_are_those_counted_one_by_one() -> None:
    """The ways of a class are the choices of two cards for each hand that belong to it."""
    whole = {ROYAL_9S.key(case.history, ROYAL_9S.placement): case.ways for case in ROYAL_9S.cases(1)}
    counted = dict.fromkeys(whole, 0)
    for player in combinations(CARDS.values(), 2):
        left = [each for each in CARDS.values() if each not in player]
        banker_9s = [royal_9_of(pair) for pair in combinations(left, 2)]
        for found in banker_9s:
            counted[royal_9_of(player), found] += 1
    assert counted == whole


@pytest.mark.parametrize(
    ("hand", "royal"),
    [("KS 9H", "KS 9H"), ("9H JS", "JS 9H"), ("QC 9C 2D", "QC 9C"), ("10S 9H", None), ("9S 9H", None), ("KS QH", None)],
)
def test_a_royal_9_is_a_face_card_and_a_nine(hand: str, royal: str | None) -> None:
    """The two cards dealt first, in whatever order; a ten is no face card."""
    assert royal_9_of(cards(hand)) == (tuple(cards(royal)) if royal else None)
