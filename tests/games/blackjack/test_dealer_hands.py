"""Every hand of the dealer, drawn from a finite shoe."""

from fractions import Fraction
from functools import cache
from math import perm

import pytest

from services.games.blackjack.dealer_hands import dealer_hands, longest, sequences, stands

BLACKJACK_VALUES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)


@pytest.mark.parametrize("decks", [1, 4, 6, 8])
@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_every_hand_is_counted_once(decks: int, *, hits_soft_17: bool) -> None:
    """The chances of all hands sum to exactly 1."""
    hands = dealer_hands(decks, hits_soft_17=hits_soft_17)
    assert sum(Fraction(sequences(hand, decks), perm(52 * decks, hand.cards)) for hand in hands) == 1
    assert len({hand.counts for hand in hands}) == len(hands)
    assert {hand.total for hand in hands} == set(range(17, 27))


def test_a_blackjack_is_one_of_the_hands() -> None:
    """Ace and ten in either order: 2 x 24 x 96 of 312 x 311 at six decks."""
    (blackjack,) = (hand for hand in dealer_hands(6) if hand.counts == (1, *[0] * 8, 1))
    assert (blackjack.orders, blackjack.total, sequences(blackjack, 6)) == (2, 21, 2 * 24 * 96)
    assert not blackjack.bust


def test_a_soft_17_is_hit_where_the_table_says_so() -> None:
    """Ace and six: 17 or drawn on; ace, ace, five too; a hard 17 always stands."""
    ace_six = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0)
    hard = (0, 0, 0, 0, 0, 0, 1, 0, 0, 1)
    assert ace_six in {hand.counts for hand in dealer_hands(6)}
    assert ace_six not in {hand.counts for hand in dealer_hands(6, hits_soft_17=True)}
    assert stands(ace_six, hits_soft_17=False)
    assert not stands(ace_six, hits_soft_17=True)
    assert stands(hard, hits_soft_17=True)


@pytest.mark.parametrize(("decks", "hits_soft_17", "cards"), [(1, False, 10), (6, False, 12), (6, True, 13)])
def test_the_longest_hand(decks: int, cards: int, *, hits_soft_17: bool) -> None:
    """One deck runs out of aces sooner."""
    assert longest(decks, hits_soft_17=hits_soft_17) == cards


@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_busts_are_those_that_drawing_card_by_card_finds(*, hits_soft_17: bool) -> None:
    """Playing the dealer's hand out card by card gives the same chance of every number of cards with a bust."""

    @cache
    def busts(shoe: tuple[int, ...], hard: int, ace: bool, cards: int) -> dict[int, Fraction]:
        soft = ace and hard <= 11
        total = hard + 10 * soft
        if cards >= 2 and (total > 17 or (total == 17 and not (soft and hits_soft_17))):
            return {cards: Fraction(1)} if total > 21 else {}
        found: dict[int, Fraction] = {}
        for no, left in enumerate(shoe):
            if left:
                rest = (*shoe[:no], left - 1, *shoe[no + 1 :])
                for number, chance in busts(rest, hard + no + 1, ace or no == 0, cards + 1).items():
                    found[number] = found.get(number, Fraction(0)) + Fraction(left, sum(shoe)) * chance
        return found

    counted: dict[int, Fraction] = {}
    for hand in dealer_hands(1, hits_soft_17=hits_soft_17):
        if hand.bust:
            chance = Fraction(sequences(hand, 1), perm(52, hand.cards))
            counted[hand.cards] = counted.get(hand.cards, Fraction(0)) + chance
    assert counted == busts((*[4] * 9, 16), 0, False, 0)
