"""The views of the cards dealt first."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from math import comb

import pytest

from services.games.blackjack.first_cards import (
    ACES,
    BLACKJACKS,
    INITIAL_PAIRS,
    SEVENS,
    SEVENS_AND_UPCARD,
    THREE_CARDS,
    UPCARD_MATCHES,
    UPCARD_TOTALS,
)
from services.games.blackjack.round import shown
from services.games.wagers import Placement, Sample
from services.kernel.cards import CARDS, Card

SAMPLES = {
    INITIAL_PAIRS: lambda cards: comb(cards, 2),
    UPCARD_MATCHES: lambda cards: cards * comb(cards - 1, 2),
    THREE_CARDS: lambda cards: comb(cards, 3),
    ACES: lambda cards: comb(cards, 4),
    SEVENS: lambda cards: comb(cards, 2) * (cards - 2),
    SEVENS_AND_UPCARD: lambda cards: comb(cards, 2) * (cards - 2),
    BLACKJACKS: lambda cards: comb(cards, 2) * comb(cards - 2, 2),
    UPCARD_TOTALS: lambda cards: cards * comb(cards - 1, 2),
}
"""Each view with the number of deals it counts, of so many cards."""


@pytest.mark.parametrize("decks", [1, 2, 8])
@pytest.mark.parametrize(("sample", "total"), SAMPLES.items(), ids=lambda each: getattr(each, "title", ""))
def test_every_deal_of_the_first_cards_is_counted_once(sample: Sample, total: Callable[[int], int], decks: int) -> None:
    """The ways of all classes together are the deals of the cards looked at."""
    assert sum(case.ways for case in sample.cases(decks)) == total(52 * decks)


@pytest.mark.parametrize("decks", [1, 6])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.title)
def test_each_case_stands_for_its_own_class(sample: Sample, decks: int) -> None:
    """No class has two representatives, and every class can be dealt."""
    cases = list(sample.cases(decks))
    assert len({sample.key(case.history, sample.placement) for case in cases}) == len(cases)
    assert all(case.ways > 0 for case in cases)


TWO_DECKS = [card for card in CARDS.values() if card.rank in ("A", "7", "2")] * 2
ONE_DECK = [card for card in CARDS.values() if card.rank in ("A", "7", "8", "9", "K")]


@pytest.mark.enumeration
@pytest.mark.parametrize("sample", [UPCARD_MATCHES, THREE_CARDS, SEVENS, SEVENS_AND_UPCARD, UPCARD_TOTALS])
@pytest.mark.parametrize(("pack", "decks"), [(TWO_DECKS, 2), (list(CARDS.values()), 1)], ids=["part", "whole"])
def test_three_cards_dealt_one_by_one_fall_into_the_classes(sample: Sample, pack: list[Card], decks: int) -> None:
    """Each deal of two cards and a third has a class of the view; of a whole deck the ways are those counted."""
    whole = {sample.key(case.history, sample.placement): case.ways for case in sample.cases(decks)}
    counted: Counter[object] = Counter()
    for player in combinations(range(len(pack)), 2):
        for third in set(range(len(pack))) - set(player):
            two, one = [pack[each] for each in player], pack[third]
            dealer = [CARDS["9D"], CARDS["KH"]] if sample is SEVENS else [one, CARDS["KH"]]
            counted[sample.key(shown(two, dealer, one if sample is SEVENS else None), Placement(1))] += 1
    assert set(counted) <= set(whole)
    if decks == 1:
        # Three unordered cards are each counted with any of them as the third.
        assert counted == {key: ways * (3 if sample is THREE_CARDS else 1) for key, ways in whole.items()}


@pytest.mark.parametrize("sample", [ACES, BLACKJACKS])
def test_four_cards_dealt_one_by_one_fall_into_the_classes(sample: Sample) -> None:
    """Each deal of two cards for the player and two for the dealer has a class of the view."""
    whole = {sample.key(case.history, sample.placement) for case in sample.cases(2)}
    for player in combinations(ONE_DECK, 2):
        for dealer in combinations([card for card in ONE_DECK if card not in player], 2):
            assert sample.key(shown(player, dealer), Placement(1)) in whole


def test_a_third_seven_needs_to_be_taken() -> None:
    """A player with two sevens who takes no card has two."""
    history = shown([CARDS["7C"], CARDS["7D"]], [CARDS["7H"], CARDS["KH"]])
    assert SEVENS.key(history, Placement(1)) == ("C", "D")
    assert SEVENS_AND_UPCARD.key(history, Placement(1)) == ("C", "D", "H")
