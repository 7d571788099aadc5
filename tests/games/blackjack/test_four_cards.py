"""The four cards of player and dealer as one hand."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from services.games.blackjack.four_cards import FOUR_CARDS, FourCards, four_cards
from services.games.blackjack.round import shown
from services.games.wagers import Placement
from services.kernel.cards import CARDS
from tests.games.blackjack.initial import dealt


def found_at(player: str, dealer: str) -> set[str]:
    """The names of all that the four cards are."""
    found: FourCards = four_cards(dealt(player, dealer).seat(1))
    return {name for name, fits in found._asdict().items() if fits}


@pytest.mark.parametrize(
    ("player", "dealer", "kinds"),
    [
        ("QD JD", "AD KD", {"royal", "flush", "same_color"}),
        ("QD JC", "AD KD", {"straight"}),
        ("AD QD", "KD JD", set()),
        ("QD JD", "KC AC", {"straight"}),
        ("AS AH", "AD KD", {"three_of_a_kind", "pair"}),
        ("KS KH", "AD KD", {"three_of_a_kind", "pair"}),
        ("KD AD", "AD KD", {"two_pair", "two_pair_identical", "pair", "pair_identical", "flush", "same_color"}),
        ("KC AS", "AD KD", {"two_pair", "pair"}),
        ("2D 9H", "AD KD", {"same_color"}),
        ("5C 5C", "AD KD", {"pair", "pair_identical"}),
        ("AD 5C", "AD KD", {"pair", "pair_identical"}),
        ("AC 5C", "AD KD", {"pair"}),
        ("6C 5C", "AD KD", set()),
        ("6C 5C", "AD 9D", set()),
        ("6C 5C", "8D 9D", set()),
    ],
)
def test_four_cards_are_what_they_are(player: str, dealer: str, kinds: set[str]) -> None:
    """All that the four cards are beside a dealer Blackjack; without one, nothing but whether an ace is up."""
    assert found_at(player, dealer) - {"dealer_blackjack", "ace_up"} == kinds
    assert ("ace_up" in found_at(player, dealer)) == dealer.startswith("A")


@pytest.mark.parametrize("decks", [1, 2, 5, 8])
def test_every_deal_of_four_cards_is_counted_once(decks: int) -> None:
    """The ways of all classes are those of upcard, hole card and two unordered cards, each class once."""
    cases, cards = list(FOUR_CARDS.cases(decks)), 52 * decks
    assert sum(case.ways for case in cases) == cards * (cards - 1) * comb(cards - 2, 2)
    assert len({FOUR_CARDS.key(case.history, Placement(1)) for case in cases}) == len(cases)
    assert all(case.ways > 0 for case in cases)


@pytest.mark.enumeration
def test_deals_of_one_deck_beside_a_blackjack_are_those_counted_one_by_one() -> None:
    """With any ace and any ten-value card for the dealer, the ways of each class are the player's pairs in it."""
    counted: Counter[object] = Counter()
    for ace in (each for each in CARDS.values() if each.rank == "A"):
        for ten in (each for each in CARDS.values() if each.rank in ("10", "J", "Q", "K")):
            for player in combinations([each for each in CARDS.values() if each not in (ace, ten)], 2):
                for dealer in ((ace, ten), (ten, ace)):
                    counted[FOUR_CARDS.key(shown(player, dealer), Placement(1))] += 1
    whole = {FOUR_CARDS.key(case.history, Placement(1)): case.ways for case in FOUR_CARDS.cases(1)}
    assert counted == {key: ways for key, ways in whole.items() if key in counted}
    assert len(whole) == len(counted) + 2


def test_published_counts_of_five_decks_are_reproduced() -> None:
    """The published ordered deals of a royal flush, a straight and a three-of-a-kind, which look at ranks alone."""
    cases = [(four_cards(case.history.seat(1)), 2 * case.ways) for case in FOUR_CARDS.cases(5)]
    assert sum(ways for found, ways in cases if found.royal == "D") == 7_500
    assert sum(ways for found, ways in cases if found.royal) == 4 * 7_500
    assert sum(ways for found, ways in cases if found.straight) == 1_890_000
    assert sum(ways for found, ways in cases if found.three_of_a_kind) == 2_188_800
