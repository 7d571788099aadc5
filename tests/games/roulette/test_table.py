"""A Roulette table under its terms."""

from datetime import date

import pytest

from services.games.admission import admit
from services.games.procedures import procedures
from services.games.results import GAMES, read_history
from services.games.terms import check_terms
from services.games.wagers import PlacedWager
from services.kernel.errors import BaseWagerMissing, PlacementUnknown, TermsContradictRules
from tests.games.roulette.builders import recorded, spin, table

DAY = date(2026, 3, 2)


def test_a_round_of_roulette_is_one_spin() -> None:
    """The game's history is the recorded spin after the one before, and nothing follows it."""
    history = read_history("roulette", [recorded("17")], 0, recorded("8"))
    assert history == spin("17", before="8")
    assert GAMES["roulette"].over(history)


@pytest.mark.parametrize(("wheel", "held"), [("single_zero", ["0-00"]), ("double_zero", ["0-3"])])
def test_a_wager_lies_on_an_area_of_its_layout(wheel: str, held: list[str]) -> None:
    """A split that the wheel's layout does not have is held; the others are not."""
    placed = [
        PlacedWager(number, 1, "roulette.split", "standard", 500, on)
        for number, on in enumerate(["17-20", "0-00", "0-3", "0-1"], start=1)
    ]
    accepted, refused = admit(placed, table("roulette.split", wheel=wheel), DAY, None, None)
    assert [each.on for each, _ in refused] == held
    assert len(accepted) == 3
    assert all(isinstance(refusal, PlacementUnknown) for _, refusal in refused)


@pytest.mark.parametrize("code", ["roulette.b2b", "roulette.blazing_7s"])
def test_a_side_wager_needs_a_roulette_wager(code: str) -> None:
    """Any Roulette wager at the seat will do, of whatever kind; without one the side wager is held."""
    terms = table("roulette.red_black", code)
    check_terms(terms, DAY)
    side = PlacedWager(1, 3, code, terms.offers[code].paytable, 500)
    base = PlacedWager(2, 3, "roulette.red_black", "standard", 500, "red")
    assert admit([side, base], terms, DAY, None, None) == ([side, base], [])
    ((_, refusal),) = admit([side, base._replace(seat=4)], terms, DAY, None, None)[1]
    assert isinstance(refusal, BaseWagerMissing)


def test_the_payouts_of_a_draw_are_filed() -> None:
    """A table that draws payouts lists them, and weighs those it lists or none."""
    for options in ({"weights": "1000:1"}, {"payouts": "1000,300"}, {"payouts": "1000,500", "weights": "1000:1"}):
        with pytest.raises(TermsContradictRules, match=r"617c\.1: option (payouts|weights) of roulette\.b2b: expected"):
            check_terms(table("roulette.straight", "roulette.b2b", **options), DAY)


def test_the_relaunch_of_balls_is_a_recorded_procedure() -> None:
    """The relaunch settles nothing, so it is a procedure of its section."""
    assert [each.title for each in procedures() if each.section == "617c.2"] == ["Blazing 7's relaunch"]
