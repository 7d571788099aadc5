"""Amounts in words and in whole units."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.kernel.errors import AmountUnreadable
from services.kernel.money import cents, decimal_text, display_cents, dollars, half_up, percent_text


@pytest.mark.parametrize(
    ("amount", "text"), [(123_456, "1,234.56"), (-5, "-0.05"), (0, "0.00"), (-100_000_000, "-1,000,000.00")]
)
def test_dollars_are_written_with_two_digits_and_commas(amount: int, text: str) -> None:
    """Cents are shown to a reader as dollars with thousands separated."""
    assert dollars(amount) == text


@pytest.mark.parametrize(
    ("text", "amount"), [("100", 10_000), ("100.5", 10_050), ("1,234.56", 123_456), ("-0.05", -5), ("0", 0)]
)
def test_dollars_are_read_as_a_person_writes_them(text: str, amount: int) -> None:
    """Dollars may have no, one or two digits after the point and commas between thousands."""
    assert cents(text) == amount


@pytest.mark.parametrize("text", ["", "1.005", "1,23", "$5", " 5", "5.", ".5", "1e3", "--1", "٣", "1_000"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    """A fraction of a cent or anything unreadable is refused with what was given, never rounded."""
    with pytest.raises(AmountUnreadable, match="given"):
        cents(text)


@given(st.integers(-(10**15), 10**15))
def test_written_dollars_read_back(amount: int) -> None:
    """Every amount reads back as it was written."""
    assert cents(dollars(amount)) == amount


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6))
def test_half_up_is_the_nearest_whole_number(numerator: int, denominator: int) -> None:
    """Rounding is to the nearest whole number, and a half goes away from zero."""
    off = half_up(numerator, denominator) - Fraction(numerator, denominator)
    assert abs(off) < Fraction(1, 2) or (abs(off) == Fraction(1, 2) and (off > 0) == (numerator > 0))


def test_a_sign_shows_whole_cents() -> None:
    """A meter is shown rounded down to the cent."""
    assert (display_cents(19_999), display_cents(20_000)) == (1, 2)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (Fraction(1, 3), 4, "0.3333"),
        (Fraction(-1, 8), 2, "-0.13"),
        (Fraction(-1, 1000), 2, "0.00"),
        (Fraction(2, 1), 1, "2.0"),
    ],
)
def test_a_fraction_is_written_exactly_to_its_digits(value: Fraction, digits: int, text: str) -> None:
    """An exact fraction is written with the digits asked for, rounded half up, and zero has no sign."""
    assert decimal_text(value, digits) == text


def test_a_fraction_is_written_as_a_percentage() -> None:
    """A percentage is the fraction times a hundred."""
    assert percent_text(Fraction(1, 8), 2) == "12.50%"
