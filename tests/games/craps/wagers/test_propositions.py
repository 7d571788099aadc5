"""Wagers on the next roll."""

from fractions import Fraction

import pytest

from services.games.wagers import PENDING
from tests.games.craps.dice import house_edge, line_of, settled, thrown

CODES = {
    "craps.any_seven": ((7,), (1, 6)),
    "craps.any_craps": ((2, 3, 12), (1, 9)),
    "craps.two": ((2,), (5, 36)),
    "craps.three": ((3,), (1, 9)),
    "craps.eleven": ((11,), (1, 9)),
    "craps.twelve": ((12,), (5, 36)),
    "craps.horn": ((2, 3, 11, 12), (1, 8)),
}


@pytest.mark.parametrize("code", CODES)
def test_the_next_roll_settles(code: str) -> None:
    """The named totals win, all others lose, with the known edge."""
    totals, edge = CODES[code]
    assert tuple(total for total in range(2, 13) if line_of(code, f"{total}")) == totals
    assert line_of(code, "4", roll=1) is PENDING
    assert house_edge(code, "standard") == Fraction(*edge)


@pytest.mark.parametrize(
    ("code", "total", "payout"),
    [
        ("craps.any_seven", "7", 2000),
        ("craps.any_craps", "3", 3200),
        ("craps.two", "2", 12_400),
        ("craps.three", "3", 6400),
        ("craps.eleven", "11", 6400),
        ("craps.twelve", "12", 12_400),
        ("craps.horn", "2", 3100),
        ("craps.horn", "12", 3100),
        ("craps.horn", "3", 1600),
        ("craps.horn", "11", 1600),
    ],
)
def test_a_proposition_pays(code: str, total: str, payout: int) -> None:
    """$4 pay this with the stake: on a horn, what four single dollars would leave after three lost."""
    assert settled(code, "standard", thrown(total), 400).payout_cents == payout
