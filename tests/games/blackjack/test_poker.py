"""The dealer's hand as a poker hand."""

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.blackjack.poker import HEIGHTS, LINES, WILD, five_of, line_of
from services.kernel.cards import CARDS, Card
from tests.builders import cards


@pytest.mark.parametrize(
    ("dealer", "line"),
    [
        ("2S 3S 4S 5S 6S", "straight_flush"),
        ("2D 3D 4D 5D KD", "straight_flush"),
        ("AD 2D 3D 4D KD", "straight_flush"),
        ("AS 2S 3S 4S 5S 10H", None),
        ("2S 2H 2D 2C 2S KH", "four_of_a_kind"),
        ("2S 2H 2D 2C 2S", "five_of_a_kind"),
        ("2S 2S 2S 2S 2S", "five_of_a_kind"),
        ("3D 3D 3D 3D KD", "five_of_a_kind"),
        ("2S 2S 4S 7S QS", "flush"),
        ("2D 2D 4D 7D KD", "flush"),
        ("2S 3H 4S 5H 6S", "straight"),
        ("AS 2H 3S 4H 5S", "straight"),
        ("10S JH QS KH AS", "straight"),
        ("JS QH KS AH 2S", None),
        ("2S 3H 5S 6H KD", "straight"),
        ("2S 3H 4S 7H KD", None),
        ("3S 3H 3D 3C", "four_of_a_kind"),
        ("3S 3H 3D 7C 3H", "four_of_a_kind"),
        ("3S 3H 3D 2C KD", "four_of_a_kind"),
        ("3S 3H 4D 4C 4H", "full_house"),
        ("3S 3H 2D 2C KD", "full_house"),
        ("7S 7H 7D", "three_of_a_kind"),
        ("3S 3H KD 9C", "three_of_a_kind"),
        ("3S 4H 9C 3D 3C", "three_of_a_kind"),
        ("3S 3H 4C 4D", "two_pair"),
        ("3S 3H 4C 4D 8H", "two_pair"),
        ("JS JH", "jacks_or_better_pair"),
        ("AS AH 9C", "jacks_or_better_pair"),
        ("AS 3H 4C AD 8H", "jacks_or_better_pair"),
        ("10S 10H", None),
        ("KD 10H", None),
        ("KD 3H 9C", None),
        ("KD JS", "jacks_or_better_pair"),
        ("KD KS", "jacks_or_better_pair"),
        ("AS KD", "jacks_or_better_pair"),
        ("KD KD", "jacks_or_better_pair"),
        ("9S 8S", None),
        ("2S 4S 6S", None),
    ],
)
def test_a_hand_is_its_best_paying_one(dealer: str, line: str | None) -> None:
    """The king of diamonds takes the rank that pays best; straight and flush need five cards."""
    assert line_of(five_of(cards(dealer))) == line


@pytest.mark.parametrize(
    ("dealer", "line"),
    [
        ("2S 2H 3S 3H 4S 4H 5C", "two_pair"),
        ("2S 2H 2D AS 3H 4C", None),
        ("2S 2H AS 3S 4S 7S", "flush"),
        ("2H 2S AS 3S 4S 7S", "flush"),
        ("AS AH AD AC KS KD", "five_of_a_kind"),
        ("AS AS AS AS KH KS", "flush"),
        ("2S AS 3H 4C 2H 5D", "straight"),
    ],
)
def test_of_six_cards_the_five_highest_count(dealer: str, line: str | None) -> None:
    """Ace high; of the rank that is cut, a king of diamonds first, then the suit of the higher cards."""
    assert line_of(five_of(cards(dealer))) == line


def naive(found: tuple[Card, ...]) -> str | None:
    """The best line of at most five cards, every king of diamonds tried as every rank."""
    choices = [HEIGHTS.values() if each is WILD else (HEIGHTS[each.rank],) for each in found]
    lines = {_naive_line(heights, found) for heights in product(*choices)}
    return next((line for line in LINES if line in lines), None)


def _naive_line(heights: tuple[int, ...], found: tuple[Card, ...]) -> str | None:
    numbers = sorted((heights.count(each) for each in set(heights)), reverse=True)
    if len(found) == 5:
        flush = len({each.suit for each in found}) == 1
        ordered = sorted(heights)
        run = len(numbers) == 5 and (ordered[4] - ordered[0] == 4 or ordered == [2, 3, 4, 5, 14])
        for line, fits in (
            ("straight_flush", flush and run),
            ("five_of_a_kind", numbers == [5]),
            ("flush", flush),
            ("straight", run),
            ("full_house", numbers == [3, 2]),
        ):
            if fits:
                return line
    for line, fits in (
        ("four_of_a_kind", numbers[0] == 4),
        ("three_of_a_kind", numbers[0] == 3),
        ("two_pair", numbers[:2] == [2, 2]),
        ("jacks_or_better_pair", any(heights.count(each) == 2 for each in heights if each >= HEIGHTS["J"])),
    ):
        if fits:
            return line
    return None


SMALL_WORLD = [*cards("AS AD 2S 2D 3S 3D 4S 5S 6D JS QD KS"), WILD]


def held(found: list[Card]) -> bool:
    """Whether a dealer can hold these: he stands on two kings, so that five of them never make a hand."""
    return found.count(WILD) < 5


@given(st.lists(st.sampled_from(SMALL_WORLD), min_size=2, max_size=5).filter(held))
def test_any_hand_is_what_trying_every_rank_finds(found: list[Card]) -> None:
    """The king of diamonds tried as each rank gives no better line, and no worse one."""
    assert line_of(five_of(found)) == naive(tuple(found))


def test_the_order_of_the_cards_does_not_matter() -> None:
    """All orders of six cards make one hand."""
    found = {line_of(five_of(order)) for order in permutations(cards("2H 2S AS 3S 4S 7S"))}
    assert found == {"flush"}
    assert CARDS["KD"] is WILD
