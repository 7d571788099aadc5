"""Inside wagers."""

import pytest

from services.games.catalogue import catalogue
from tests.games.roulette.builders import line_of, settled, spin


@pytest.mark.parametrize(
    ("name", "on", "wins", "loses", "odds"),
    [
        ("straight", "17", "17", "18", 35),
        ("straight", "0", "0", "00", 35),
        ("split", "17-20", "20", "19", 17),
        ("split", "0-00", "00", "1", 17),
        ("street", "16-17-18", "18", "19", 11),
        ("corner", "17-18-20-21", "21", "19", 8),
        ("five_number", "0-00-1-2-3", "3", "4", 6),
        ("six_line", "13-14-15-16-17-18", "13", "12", 5),
    ],
)
def test_an_inside_wager_wins_in_the_pockets_it_covers(name: str, on: str, wins: str, loses: str, odds: int) -> None:
    """The ball in a pocket of its area pays the wager's odds and returns the stake; any other pocket loses."""
    code = f"roulette.{name}"
    assert line_of(code, spin(loses), on) is None
    found = settled(code, spin(wins), on=on, stake_cents=500)
    assert (found.outcome, found.line, found.payout_cents) == ("win", "wins", 500 * (odds + 1))


def test_the_five_number_wager_needs_a_double_zero_wheel() -> None:
    """Every other inside wager is on each wheel, with the areas of its layout."""
    wheels = {rule.code: rule.paytables["standard"].wheels for rule in catalogue().values() if rule.section == "617a.4"}
    assert wheels.pop("roulette.five_number") == ("double_zero",)
    assert all(len(each) in (0, 3) for each in wheels.values())
    straight = catalogue()["roulette.straight"]
    assert set(straight.areas("double_zero")) - set(straight.areas("single_zero")) == {"00"}
