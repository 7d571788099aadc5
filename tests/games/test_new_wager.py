"""A new side wager is one file: it settles, is analysed, reported and listed with no other edit."""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from clients.cli import theory
from services.games.admission import admit
from services.games.analysis import analyse, catalogue_page, theoretical, warnings
from services.games.catalogue import catalogue
from services.games.craps.hand import Hand
from services.games.settlement import settle_round
from services.games.terms import Offer, Terms, check_terms
from services.games.wagers import PlacedWager
from services.reporting import wager_lines
from services.reporting.sums import SumKey, WagerSum
from tests.builders import wager_file

DOUBLES = '''
"""Doubles: the next roll shows two equal dice."""

from services.games.craps.chains import Chain
from services.games.paytables import Paytable, to_one
from services.games.wagers import PENDING, Wager


def classify(history, placement, terms):
    if placement.roll >= len(history.rolls):
        return PENDING
    first, second = history.rolls[placement.roll]
    return "double" if first == second else None


WAGERS = (
    Wager(
        code="craps.doubles",
        section="623c.98",
        title="Doubles",
        game="craps",
        classify=classify,
        paytables={"A": Paytable({"double": to_one(4)}), "B": Paytable({"double": to_one(2)})},
        lock="any_roll",
        distribution=Chain(classify, lambda history, placement: history.points[-1]),
    ),
)
'''
DAY = date(2026, 3, 2)


@pytest.fixture
def doubles(tmp_path: Path) -> Iterator[None]:
    """The imaginary wager, in force."""
    theoretical.cache_clear()
    with wager_file(tmp_path, "doubles", DOUBLES, "craps"):
        yield
    theoretical.cache_clear()


def test_a_new_wager_settles(doubles: None) -> None:
    """It is filed, admitted, pends until its roll and pays."""
    terms = Terms("RS-1", "craps", "live", 0, 8, {"craps.doubles": Offer("craps.doubles", "A", 100)})
    check_terms(terms, DAY)
    placed = [PlacedWager(1, 1, "craps.doubles", "A", 500, roll=1)]
    assert admit(placed, terms, DAY, None, None) == (placed, [])
    outcomes = [settle_round(Hand.of(dice), placed, terms)[0] for dice in ([(2, 3)], [(2, 3), (4, 4)])]
    assert [(each.outcome, each.payout_cents) for each in outcomes] == [("pending", 0), ("win", 2_500)]


def test_a_new_wager_is_analysed_and_warned_of(doubles: None) -> None:
    """Its figures are counted from its one function, and an unusual house edge is said."""
    assert analyse("craps.doubles", "A", None)["house_edge"] == "0.166666666667"
    assert warnings("craps.doubles", "A", None) == []
    assert "given 50.0000%" in warnings("craps.doubles", "B", None)[0]


def test_a_new_wager_is_listed(doubles: None) -> None:
    """`casino wagers` and the page of all wagers have it."""
    listed = theory.described(catalogue()["craps.doubles"])
    assert (listed["code"], listed["section"], listed["lock"]) == ("craps.doubles", "623c.98", "any_roll")
    assert len(listed["warnings"]) == 1
    assert "| 623c.98 | Doubles |" in catalogue_page.page()


def test_a_new_wager_is_reported(doubles: None) -> None:
    """Its line of the day has the exact house edge beside what was held, among the side wagers."""
    key = SumKey(DAY, 1, "CRA-01", "", "RS-1", 0, "", "craps.doubles", "A")
    base, side, _ = wager_lines.lines([WagerSum(key, 3, 1_500, 2_500, 2_500, 0, 0, 0)], {})
    (line,) = side
    assert (base, line.handle, line.payout, line.theory) == ([], 1_500, 2_500, Fraction(1, 6))
    assert "16.6667" in map(str, wager_lines.table("side_wagers", "Side wagers", side).rows[0])
