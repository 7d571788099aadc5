"""The 52 cards."""

import copy
import pickle

import pytest

from services.kernel.cards import CARDS, card
from services.kernel.errors import CardUnknown


def test_every_card_reads_back() -> None:
    """There are 52 cards, and each is read back as itself from how it is written."""
    assert len(CARDS) == 52
    assert all(card(str(each)) is each and repr(each) == text for text, each in CARDS.items())


def test_a_card_has_a_rank_a_suit_and_a_color() -> None:
    """Diamonds and hearts are red, clubs and spades black."""
    assert (card("10D").rank, card("10D").suit, card("10D").color) == ("10", "D", "red")
    assert {suit: card(f"A{suit}").color for suit in "CDHS"} == {
        "C": "black",
        "D": "red",
        "H": "red",
        "S": "black",
    }


@pytest.mark.parametrize("text", ["", "1C", "11C", "AX", "Ac", "TC", "A", "10"])
def test_what_is_no_card_is_refused(text: str) -> None:
    """A card that does not exist is refused, naming what was given."""
    with pytest.raises(CardUnknown, match=f"given '{text}'"):
        card(text)


def test_a_copied_card_is_the_same_card() -> None:
    """Cards are compared by identity, so a copy and a pickled card are the card itself."""
    ace = card("AS")
    assert copy.deepcopy(ace) is ace
    assert pickle.loads(pickle.dumps(ace)) is ace
