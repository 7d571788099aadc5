"""Physical win and hold."""

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from services.kernel.money import cents
from services.reporting import win
from tests.reporting.builders import NOON, box, slip

BJ_104 = [
    slip("opener", "BJ-104", "50,000.00"),
    slip("fill", "BJ-104", "20,000.00"),
    slip("credit", "BJ-104", "5,000.00"),
    slip("counter_check", "BJ-104", "10,000.00"),
    box("BJ-104", "38,250.00", "10,000.00"),
    slip("closer", "BJ-104", "32,400.00"),
]


def test_the_win_of_a_table_comes_out_to_the_cent() -> None:
    """Win = closer + credits + drop - opener - fills (58 Pa. Code 601a.9), hold = win / drop."""
    found = win.inventory(BJ_104)
    assert (found.drop, found.win) == (cents("48,250.00"), cents("15,650.00"))
    assert win.hold(found.win, found.drop, 3) == "32.435"
    assert win.hold(found.win, found.drop) == "32.44"
    assert win.notes("BJ-104", found) == []


def test_the_hold_after_a_progressive_paid_by_slip_is_of_the_same_drop() -> None:
    """What is paid off the inventory lowers the win in a line of its own and never the drop (ruling V2)."""
    after = cents("15,650.00") - cents("1,234.56")
    assert (after, win.hold(after, cents("48,250.00"), 3)) == (cents("14,415.44"), "29.877")


def test_a_missing_document_leaves_no_win_and_is_named() -> None:
    """Without opener, count or closer there is no win; a fill or credit that is not there was not made."""
    for kind in ("opener", "count", "closer"):
        found = win.inventory([each for each in BJ_104 if each.kind != kind])
        assert (found.win, found.missing) == (None, (kind,))
        assert f"BJ-104: {kind} missing." in win.notes("BJ-104", found)
    found = win.inventory([each for each in BJ_104 if each.kind not in ("fill", "credit")])
    assert found.win == cents("32,400.00") + cents("48,250.00") - cents("50,000.00")


def test_a_day_goes_from_the_first_opener_to_the_last_closer() -> None:
    """A table that changes shifts with slips of the same inventory has the win of the whole day."""
    evening = NOON + timedelta(hours=8)
    found = win.inventory(
        [
            slip("closer", "BJ-104", "900.00", occurred_at=evening),
            slip("opener", "BJ-104", "700.00", occurred_at=NOON),
            slip("closer", "BJ-104", "700.00", occurred_at=NOON),
            slip("opener", "BJ-104", "500.00", occurred_at=NOON - timedelta(hours=6)),
            box("BJ-104", "10.00"),
            box("BJ-104", "5.50"),
        ]
    )
    assert (found.opener, found.closer, found.drop) == (50_000, 90_000, 1_550)
    assert found.several == ("openers", "closers")
    assert win.notes("BJ-104", found)[0].startswith("BJ-104: several openers")


def test_checks_issued_and_counted_that_differ_are_named() -> None:
    """A counter check that was issued and not counted in the box is a note."""
    found = win.inventory([*BJ_104, slip("counter_check", "BJ-104", "2,500.00")])
    assert win.notes("BJ-104", found) == ["BJ-104: counter checks issued 12,500.00, counted 10,000.00."]


def test_a_sum_is_missing_where_one_of_its_tables_is() -> None:
    """A pit's win is never the win of those tables alone whose papers are there."""
    whole = win.inventory(BJ_104)
    both = win.together([whole, replace(whole, closer=None)])
    assert (both.win, both.closer, both.opener, both.missing) == (None, None, 10_000_000, ("closer",))


def test_there_is_no_hold_without_a_drop() -> None:
    """A drop of nothing, or none counted, leaves the hold undefined; it is not zero."""
    assert (win.hold(100, 0), win.hold(None, 100), win.hold(100, None)) == (None, None, None)
    assert win.hold(-1, 3) == "-33.33"


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**9))
def test_a_hold_is_rounded_half_up_to_two_digits(won: int, drop: int) -> None:
    """The text is within half of its last digit of the exact quotient."""
    text = win.hold(won, drop)
    assert text is not None
    assert abs(Fraction(text) - Fraction(won * 100, drop)) <= Fraction(1, 200)
