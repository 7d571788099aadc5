"""Recorded results are read into histories that can have been dealt."""

from types import SimpleNamespace

import pytest

from services.games.baccarat.coup import Coups
from services.games.results import GAMES, read_history
from services.kernel.errors import CardUnknown, IllegalCoup, IllegalRoll, IllegalSpin, ResultMissing
from tests.builders import coup, recorded, terms
from tests.games.histories import rolls_of


def test_a_recorded_coup_is_read() -> None:
    """The history of a round of Baccarat is its one coup."""
    found = read_history("baccarat", [recorded("2H 3C 4D", "KH 5D 4S")], 8)
    assert found == Coups(coup("2H 3C 4D", "KH 5D 4S"))


def test_the_games_are_these() -> None:
    """Each game has its chapter; cards have a least number of decks, Roulette has wheels, Craps has several rolls."""
    assert [name for name, game in GAMES.items() if game.several_results] == ["craps"]
    assert [name for name, game in GAMES.items() if game.later_stakes] == ["craps", "blackjack"]
    assert {name: (game.chapter, game.fewest_decks, len(game.wheels)) for name, game in GAMES.items()} == {
        "baccarat": ("631a", 6, 0),
        "minibaccarat": ("627a", 6, 0),
        "midibaccarat": ("629a", 6, 0),
        "roulette": ("617a", None, 3),
        "craps": ("623a", None, 0),
        "blackjack": ("633a", 1, 0),
    }


@pytest.mark.parametrize("game", ["baccarat", "minibaccarat", "midibaccarat"])
def test_one_coup_ends_a_round_of_cards(game: str) -> None:
    """A coup ends its round, draws nothing that has to be filed, and takes no wager once it was dealt."""
    found = read_history(game, [recorded("KH 7D", "9C KC")], 8)
    assert GAMES[game].over(found)
    GAMES[game].check(found, terms())
    assert (GAMES[game].in_time("no_more_bets", 0, found), GAMES[game].in_time("no_more_bets", 1, found)) == (
        True,
        False,
    )


def test_a_hand_of_craps_goes_on_to_the_seven_out() -> None:
    """A hand is read roll by roll and is over with the 7 that ends it; a come-out 7 does not."""
    hand = read_history("craps", rolls_of([(3, 4), (2, 2)]), 0)
    assert not GAMES["craps"].over(hand)
    assert GAMES["craps"].over(read_history("craps", rolls_of([(3, 4), (2, 2), (6, 1)]), 0))
    with pytest.raises(IllegalRoll):
        read_history("craps", rolls_of([(2, 2), (6, 1), (1, 1)]), 0)


def test_a_spin_is_read_with_the_one_before() -> None:
    """A spin knows the last valid spin of its wheel, and is held against the wheel of its table."""
    spin = SimpleNamespace(pocket="00", bonus_pockets=[], drawn_payout=0, lucky_numbers=[])
    found = read_history("roulette", [spin], 0, SimpleNamespace(pocket="17"))
    assert (found.previous.pocket, found.last.pocket, GAMES["roulette"].over(found)) == ("17", "00", True)
    GAMES["roulette"].check(found, terms(game="roulette", wheel="double_zero"))
    with pytest.raises(IllegalSpin, match="given 00"):
        GAMES["roulette"].check(found, terms(game="roulette", wheel="single_zero"))


@pytest.mark.parametrize("count", [0, 2])
def test_a_round_has_one_coup(count: int) -> None:
    """No coup, or two, is no result of a round."""
    with pytest.raises(ResultMissing, match=f"expected one coup in a round of Baccarat, given {count}"):
        read_history("baccarat", [recorded("KH 7D", "9C KC")] * count, 8)


def test_an_unknown_game_has_no_results() -> None:
    """A game that is not dealt here is refused with what was given."""
    with pytest.raises(ResultMissing, match=r"expected a game of baccarat, .*blackjack, given 'faro'"):
        read_history("faro", [], 8)


def test_a_card_that_does_not_exist_is_refused() -> None:
    """An unknown card is no fact of any table."""
    with pytest.raises(CardUnknown, match="given '1X'"):
        read_history("baccarat", [recorded("KH 1X", "9C KC")], 8)


def test_a_coup_holds_no_more_copies_than_the_decks() -> None:
    """More copies of a card than the decks hold cannot have been dealt in one round."""
    result = [recorded("KH KH", "9C KH")]
    assert read_history("baccarat", result, 3)
    with pytest.raises(IllegalCoup, match="2 decks hold KH 2 times: it was recorded 3 times"):
        read_history("baccarat", result, 2)
