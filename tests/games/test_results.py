"""Recorded results are read into histories that can have been dealt."""

import pytest

from services.games.baccarat.coup import Coups
from services.games.results import GAMES, read_history
from services.kernel.errors import CardUnknown, IllegalCoup, ResultMissing
from tests.builders import coup, recorded


def test_a_recorded_coup_is_read() -> None:
    """The history of a round of Baccarat is its one coup."""
    found = read_history("baccarat", [recorded("2H 3C 4D", "KH 5D 4S")], 8)
    assert found == Coups(coup("2H 3C 4D", "KH 5D 4S"))
    assert list(GAMES) == ["baccarat"]


@pytest.mark.parametrize("count", [0, 2])
def test_a_round_has_one_coup(count: int) -> None:
    """No coup, or two, is no result of a round."""
    with pytest.raises(ResultMissing, match=f"expected one coup in a round of Baccarat, given {count}"):
        read_history("baccarat", [recorded("KH 7D", "9C KC")] * count, 8)


def test_an_unknown_game_has_no_results() -> None:
    """A game that is not dealt here is refused with what was given."""
    with pytest.raises(ResultMissing, match="expected a game of baccarat, given 'faro'"):
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
