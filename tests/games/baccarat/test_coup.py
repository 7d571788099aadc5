"""The third-card rules of 631a.11."""

from contextlib import suppress
from itertools import product
from types import SimpleNamespace

import pytest
from hypothesis import given

from services.games.baccarat.coup import (
    POINTS,
    Coup,
    Hand,
    Side,
    banker_draws,
    deal,
    player_draws,
    read_coups,
    total_of,
)
from services.kernel.cards import CARDS, Card
from services.kernel.errors import CardUnknown, IllegalCoup
from tests.builders import cards, coup, dealt_coups

TABLE = """
    - 0 1 2 3 4 5 6 7 8 9
  0 D D D D D D D D D D D
  1 D D D D D D D D D D D
  2 D D D D D D D D D D D
  3 D D D D D D D D D S D
  4 D S S D D D D D D S S
  5 D S S S S D D D D S S
  6 S S S S S S S D D S S
  7 S S S S S S S S S S S
"""


def test_the_banker_draws_by_the_printed_table() -> None:
    """The Banker draws or stays as Table 1 prints it, and on 5 or less where the Player stays."""
    head, *rows = [line.split() for line in TABLE.strip().splitlines()]
    for total, *decisions in rows:
        for third, decision in zip(head, decisions, strict=True):
            value = None if third == "-" else int(third)
            assert banker_draws(int(total), value) is (decision == "D"), (total, third)


def test_the_banker_never_draws_on_a_natural() -> None:
    """On 8 or 9 there is nothing to draw, whatever the Player drew."""
    assert not any(banker_draws(total, value) for total in (8, 9) for value in (None, 0, 5))


def test_the_player_draws_on_less_than_six() -> None:
    """The Player draws on 0 to 5 and stays on 6 and 7."""
    assert [total for total in range(8) if player_draws(total)] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("player", "banker", "winner"),
    [("KC 7D", "9C KH", Side.BANKER), ("9C KH", "KC 7D", Side.PLAYER), ("7C KD", "KC 7D", Side.TIE)],
)
def test_the_higher_hand_wins(player: str, banker: str, winner: Side) -> None:
    """The hand nearer to 9 wins the coup, equal hands tie."""
    assert coup(player, banker).winner is winner


@pytest.mark.parametrize(
    ("player", "banker", "words"),
    [
        ("KC", "9C KH", "Player has two or three cards: 1 were recorded"),
        ("KC 9D", "9C KH 2C 3C", "Banker has two or three cards: 4 were recorded"),
        ("KC 6D 8D", "KH 7C", "Player stands on 6: a third card 8D was recorded"),
        ("KC 5D", "KH 7C", "Player draws on 5: no third card was recorded"),
        ("KC 6D", "KH 5C", "Banker draws on 5: no third card was recorded"),
        ("KC 6D", "KH 6C 2C", "Banker stands on 6: a third card 2C was recorded"),
        ("KC 5D 8C", "KH 3C 2C", "Banker stands on 3: a third card 2C was recorded"),
        ("KC 5D 7C", "KH 6C", "Banker draws on 6: no third card was recorded"),
        ("KC 8D", "KH 5C 2D", "No card follows a natural, Banker has 5: a third card 2D was recorded"),
        ("KC 2D 3D", "KH 9C", "No card follows a natural, Player has 2: a third card 3D was recorded"),
    ],
)
def test_a_coup_against_the_rules_is_refused(player: str, banker: str, words: str) -> None:
    """What cannot have been dealt is refused, naming the rule and what was recorded."""
    with pytest.raises(IllegalCoup) as refusal:
        coup(player, banker)
    assert refusal.value.message == words


def test_a_coup_is_dealt_in_turn() -> None:
    """The first and third card go to the Player, the second and fourth to the Banker, then thirds."""
    shoe = iter(cards("2C 3C 3D 2D 4H KS AC"))
    assert deal(shoe) == Coup.dealt(cards("2C 3D 4H"), cards("3C 2D KS"))
    assert [str(each) for each in shoe] == ["AC"]


def test_only_the_banker_may_draw() -> None:
    """Where the Player stays, the Banker draws alone."""
    assert deal(iter(cards("6C 3C KD 2D 4H"))) == coup("6C KD", "3C 2D 4H")


def test_no_card_follows_a_natural_when_dealing() -> None:
    """A natural on either side ends the deal."""
    assert deal(iter(cards("2C 9C 3D KD 4H"))) == coup("2C 3D", "9C KD")


@given(dealt_coups())
def test_what_the_rules_deal_is_legal(found: Coup) -> None:
    """Every coup that the rules deal is one that they accept."""
    assert Coup.dealt(found.player.cards, found.banker.cards) == found


def test_no_other_coup_is_legal() -> None:
    """Of every two totals on two cards and every third card or none on either side, those that the rules deal pass."""
    tens = {each: next(card for card in CARDS.values() if POINTS[card.rank] == each) for each in range(10)}
    two = [[tens[0], tens[total]] for total in range(10)]
    thirds: list[list[Card]] = [[], *([each] for each in tens.values())]
    for player, banker, third, last in product(two, two, thirds, thirds):
        shoe = iter([player[0], banker[0], player[1], banker[1], *third, *last])
        with suppress(StopIteration):
            found = deal(shoe)
            if not list(shoe) and found == Coup.of(player + third, banker + last):
                assert Coup.dealt(player + third, banker + last) == found
                continue
        with pytest.raises(IllegalCoup):
            Coup.dealt(player + third, banker + last)


def test_a_recorded_hand_of_another_size_is_refused() -> None:
    """One card or four are no hand; a card that there is not is named before that."""
    for player, refusal in (("KC", IllegalCoup), ("KC 2D 3D 4D", IllegalCoup), ("1C", CardUnknown)):
        with pytest.raises(refusal):
            read_coups([SimpleNamespace(player=player.split(), banker=["9C", "KH"])], 8)


def test_a_hand_knows_its_cards() -> None:
    """A hand has a total, a number of cards, its first two, whether they pair, whether it is a natural."""
    hand = Hand.of(cards("4C 4D 9H"))
    assert (hand.total, len(hand), hand.pair, hand.natural) == (7, 3, True, False)
    assert hand.initial == tuple(cards("4C 4D"))
    assert (Hand.of(cards("10C KC")).pair, Hand.of(cards("3C 5C")).natural) == (False, True)


def test_ten_and_faces_count_nothing() -> None:
    """An ace counts one, a ten and a face nothing, and tens of the sum fall away."""
    assert [total_of(cards(text)) for text in ("AC", "10C JC QC KC", "9C 9D", "AC 2C 3C 4C 5C")] == [
        1,
        0,
        8,
        5,
    ]
