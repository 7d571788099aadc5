"""The wager on the Banker's hand."""

import pytest

from services.games.terms import check_terms
from services.kernel.errors import TermsContradictRules
from tests.games.baccarat.tables import line_at, settled_at, table
from tests.games.baccarat.test_base import DAY, GAMES


@pytest.mark.parametrize(
    ("player", "banker", "line"),
    [
        ("KC 7D", "9C KH", "banker_wins"),
        ("2C 3D 10H", "KC 6D", "banker_wins_on_six"),
        ("KC 2D 2H", "2C 2D 2H", "banker_wins_on_six"),
        ("7C KH", "KC 7D", "tie"),
        ("KC 6D", "KH 6S", "tie"),
        ("9C KH", "KC 7D", None),
    ],
)
def test_banker_hits_its_line(player: str, banker: str, line: str | None) -> None:
    """The Banker's higher hand wins, with 6 on a line of its own, a tie pushes, the Player's higher hand loses."""
    assert line_at("baccarat.banker", player, banker) == line


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("paytable", "payout"), [("5%", 1_950), ("4%", 1_960), ("commission-free", 1_500)])
def test_a_win_on_six_is_half_paid_without_commission_alone(game: str, paytable: str, payout: int) -> None:
    """Commission-free, a Banker's winning 6 pays 1 to 2; with commission it is a win like any other."""
    assert settled_at(f"{game}.banker", paytable, "2C 3D 10H", "KC 6D", 1_000).payout_cents == payout


@pytest.mark.parametrize("game", GAMES)
def test_without_commission_other_wins_pay_one_to_one(game: str) -> None:
    """Commission-free, nothing is taken from the winnings; half a cent of a half-paid 6 stays as breakage."""
    assert settled_at(f"{game}.banker", "commission-free", "KC 7D", "9C KH", 1_001).payout_cents == 2_002
    found = settled_at(f"{game}.banker", "commission-free", "2C 3D 10H", "KC 6D", 1_001)
    assert (found.payout_cents, found.breakage_micros) == (1_501, 5_000)


@pytest.mark.parametrize(("game", "section"), [*GAMES.items()])
def test_ties_pay_eight_beside_a_commission_free_banker(game: str, section: str) -> None:
    """A commission-free table pays ties 8 to 1; a table with commission chooses."""
    for banker, tie in (("commission-free", "8"), ("5%", "9"), ("4%", "8")):
        check_terms(table({f"{game}.banker": banker, f"{game}.tie": tie}), DAY)
    check_terms(table({f"{game}.banker": "commission-free"}), DAY)
    check_terms(table({f"{game}.tie": "9"}), DAY)
    with pytest.raises(TermsContradictRules, match=rf"\({section}\(j\)\): expected 8, given 9"):
        check_terms(table({f"{game}.banker": "commission-free", f"{game}.tie": "9"}), DAY)
