"""Bonus Craps."""

import pytest

from services.games.wagers import PENDING
from services.kernel.money import decimal_text
from tests.games.craps.dice import house_edge, line_of, settled, thrown

CODES = ("craps.all_small", "craps.all_tall", "craps.make_em_all")


@pytest.mark.parametrize(
    ("totals", "lines"),
    [
        ("", (PENDING, PENDING, PENDING)),
        ("7", (None, None, None)),
        ("2 3 4 5 6", ("complete", PENDING, PENDING)),
        ("2 3 4 5 6 7", ("complete", None, None)),
        ("12 11 10 9 8", (PENDING, "complete", PENDING)),
        ("12 11 10 9 8 8 8 2 3 4 5 6", ("complete", "complete", "complete")),
        ("4 5 6 3 4 12 7", (None, None, None)),
    ],
)
def test_each_wager_is_paid_when_its_set_is_complete(totals: str, lines: tuple[object, ...]) -> None:
    """A set once complete is paid whatever comes after; any 7 loses what is not (ruling C4)."""
    assert tuple(line_of(code, totals) for code in CODES) == lines


@pytest.mark.parametrize(("paytable", "small", "every"), [("1", 21_000, 105_600), ("2", 18_600, 90_600)])
def test_the_paytable_says_what_a_set_pays(paytable: str, small: int, every: int) -> None:
    """34 or 30 to 1 for a half, 175 or 150 to 1 for all."""
    history = thrown("12 11 10 9 8 2 3 4 5 6")
    assert [settled(code, paytable, history).payout_cents for code in CODES] == [small, small, every]


@pytest.mark.parametrize(("paytable", "half", "every"), [("1", "0.0776", "0.0746"), ("2", "0.1830", "0.2061")])
def test_house_edges_are_the_published_ones(paytable: str, half: str, every: str) -> None:
    """7.76 % and 7.46 %, or 18.30 % and 20.61 %."""
    assert [decimal_text(house_edge(code, paytable), 4) for code in CODES] == [half, half, every]
