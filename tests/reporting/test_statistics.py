"""Standard errors, scores and limits, without a float."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.wagers import KINDS
from services.kernel.money import cents
from services.reporting.statistics import (
    LIMITS,
    flag,
    flag_score,
    limits,
    mean_and_error,
    root,
    score,
    standard_error,
)


@given(st.fractions(0, 10**12))
def test_a_root_is_exact_to_the_twelfth_digit(value: Fraction) -> None:
    """It is rounded down: its square is not above the value, that of the next digit is."""
    found = root(value)
    assert found**2 <= value < (found + Fraction(1, 10**12)) ** 2


def test_the_error_of_equal_stakes_is_that_of_their_number() -> None:
    """A hundred wagers of $5 with a variance of 4 per unit: the hold's error is 2 / 10."""
    assert standard_error(Fraction(4), 100 * 500**2, 100 * 500) == Fraction(2, 10)


def test_unequal_stakes_make_the_error_larger() -> None:
    """The same handle and number of wagers, one of them large, say less."""
    even = standard_error(Fraction(4), 2 * 500**2, 1000)
    uneven = standard_error(Fraction(4), 900**2 + 100**2, 1000)
    assert even is not None
    assert uneven is not None
    assert uneven > even


def test_without_handle_or_spread_there_is_no_score() -> None:
    """Nothing is divided by nothing."""
    assert standard_error(Fraction(4), 0, 0) is None
    assert score(Fraction(1, 2), Fraction(1, 4), Fraction(0)) is None
    assert score(Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)) == 2
    assert mean_and_error([Fraction(1, 5)], 30) is None


@pytest.mark.parametrize(("jurisdiction", "flagged"), [("KS", True), ("OH", False), ("NV", False)])
def test_a_month_is_flagged_by_the_points_of_its_jurisdiction(jurisdiction: str, flagged: bool) -> None:
    """A hold of 24.1 % on a base of 20.4 % is flagged at three points, not at four or five."""
    off = Fraction(241 - 204, 1000)
    assert bool(flag(off, None, limits(jurisdiction))) == flagged


def test_a_hold_outside_the_interval_is_flagged() -> None:
    """Beyond 1.96 standard errors, on either side; within them not."""
    found = limits("MD")
    error = Fraction(1, 100)
    assert flag(Fraction(-197, 10_000), error, found) == "over 1.96 standard errors"
    assert flag(Fraction(196, 10_000), error, found) == ""
    assert flag_score(Fraction(-2), found) == "over 1.96 standard errors"
    assert flag_score(Fraction(1), found) == ""


def test_mean_and_error_of_daily_holds() -> None:
    """The sample's spread over the root of the days."""
    found = mean_and_error([Fraction(1, 10), Fraction(3, 10)], 2)
    assert found == (Fraction(1, 5), root(Fraction(1, 100)))


def test_every_jurisdiction_has_all_limits() -> None:
    """A jurisdiction is one block of the data: each is read, with a tolerance for every kind of table."""
    for name in json.loads(LIMITS.read_text(encoding="utf-8"))["jurisdictions"]:
        assert set(limits(name).tolerances) == set(KINDS)


def test_a_tolerance_is_the_larger_of_both_parts() -> None:
    """Cents, or a share of the drop."""
    live = limits().tolerances["live"]
    assert (live.of(None), live.of(cents("1,000,000"))) == (cents("100"), cents("5,000"))
