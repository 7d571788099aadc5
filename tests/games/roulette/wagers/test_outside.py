"""Outside wagers."""

import pytest

from tests.games.roulette.builders import line_of, settled, spin


@pytest.mark.parametrize(
    ("name", "on", "wins", "loses", "odds"),
    [
        ("column", "2nd column", "17", "18", 2),
        ("dozen", "3rd dozen", "25", "24", 2),
        ("red_black", "red", "7", "17", 1),
        ("red_black", "black", "17", "27", 1),
        ("odd_even", "odd", "17", "18", 1),
        ("odd_even", "even", "18", "17", 1),
        ("low_high", "low", "18", "19", 1),
        ("low_high", "high", "19", "18", 1),
    ],
)
def test_an_outside_wager_wins_in_the_pockets_it_covers(name: str, on: str, wins: str, loses: str, odds: int) -> None:
    """The ball in a pocket of its area pays the wager's odds; any other pocket loses, a zero always."""
    code = f"roulette.{name}"
    assert {line_of(code, spin(pocket), on) for pocket in (loses, "0", "00")} == {None}
    found = settled(code, spin(wins), on=on, stake_cents=500)
    assert (found.outcome, found.line, found.payout_cents) == ("win", "wins", 500 * (odds + 1))
