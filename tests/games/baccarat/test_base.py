"""What the three games share, and what makes a table commission-free."""

from datetime import date

import pytest

from services.games.baccarat.base import base_wagers
from services.games.catalogue import catalogue
from services.games.procedures import procedures
from services.games.results import read_history
from services.games.terms import check_terms
from services.kernel.errors import TermsContradictRules
from tests.builders import coup, recorded
from tests.games.baccarat.tables import table

DAY = date(2026, 3, 2)
GAMES = {"baccarat": "631c.5", "minibaccarat": "627c.2", "midibaccarat": "629c.2"}


@pytest.mark.parametrize("game", GAMES)
def test_the_three_games_read_one_coup(game: str) -> None:
    """Minibaccarat and Midibaccarat are dealt and recorded as Baccarat is."""
    assert read_history(game, [recorded("KC 7D", "9C KH")], 8).last == coup("KC 7D", "9C KH")


@pytest.mark.parametrize("game", GAMES)
def test_the_three_games_settle_hands_by_the_same_rules(game: str) -> None:
    """A wager on a hand or a tie is one function with one set of paytables in all three games."""
    for code in base_wagers(game):
        same = catalogue()[f"baccarat.{code.partition('.')[2]}"]
        assert catalogue()[code].classify is same.classify
        assert catalogue()[code].paytables.keys() == same.paytables.keys()
        assert catalogue()[code].game == game


@pytest.mark.parametrize("name", ["lucky_six", "player_pair", "banker_pair"])
@pytest.mark.parametrize(("game", "section"), [*GAMES.items()])
def test_wagers_of_commission_free_play_need_a_commission_free_banker(game: str, section: str, name: str) -> None:
    """They are named for the layout of the commission-free game alone."""
    code, banker, player = f"{game}.{name}", f"{game}.banker", f"{game}.player"
    check_terms(table({code: "standard", banker: "commission-free"}), DAY)
    with pytest.raises(TermsContradictRules, match=rf"{section}: .*expected commission-free, given 5%"):
        check_terms(table({code: "standard", banker: "5%"}), DAY)
    with pytest.raises(TermsContradictRules, match=rf"{section}: .*expected commission-free, given not offered"):
        check_terms(table({code: "standard", player: "standard"}), DAY)


def test_the_alternative_reveal_is_recorded() -> None:
    """A section that changes no wager stands among the procedures."""
    assert "629c.4" in {procedure.section for procedure in procedures()}
