"""Serial numbers and what is missing between them."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from services.reporting.serials import Gap, Numbered, Serial, gaps, read, unexplained
from tests.reporting.builders import DAY


def gap(first: int, last: int, series: str = "F-") -> Gap:
    """Missing fills."""
    return Gap(Serial(series, first), Serial(series, last), f"{series}{last + 1}", DAY)


def test_a_series_is_what_stands_before_the_number() -> None:
    """The number is the last digits; zeros before it are kept; a name without a number has no series."""
    assert read("F-100") == Serial("F-", 100)
    assert read("2026-03-02/BAC-01/fill/3") == Serial("2026-03-02/BAC-01/fill/", 3)
    assert read("F-0099") == Serial("F-", 99, 4)
    assert str(Serial("F-", 7, 4)) == "F-0007"
    assert read("opener") is None
    assert read("1" * 17) == Serial("11", int("1" * 15))


def test_numbers_between_two_documents_are_missing() -> None:
    """Before each document whose number does not follow the one before; the first of a series begins it."""
    found = gaps(
        [
            Numbered("F-3", DAY, None),
            Numbered("F-4", DAY, 3),
            Numbered("F-6", DAY, 4),
            Numbered("F-010", date(2026, 3, 3), 6),
            Numbered("opener", DAY, None),
        ]
    )
    assert [(str(each), each.before, each.gaming_day.day) for each in found] == [
        ("F-5", "F-6", 2),
        ("F-007..F-009", "F-010", 3),
    ]


def test_names_explain_numbers_and_ranges_of_their_series() -> None:
    """A name of another series explains nothing, whatever its number."""
    assert unexplained(gap(2, 9), []) == [gap(2, 9)]
    assert unexplained(gap(2, 9), ["F-2..F-9"]) == []
    assert [str(each) for each in unexplained(gap(2, 9), ["F-4", "F-6..F-7", "C-8", "C-2..C-9", "F-3..C-9"])] == [
        "F-2..F-3",
        "F-5",
        "F-8..F-9",
    ]


@given(st.integers(1, 30), st.integers(0, 20), st.lists(st.integers(1, 60), max_size=20))
def test_what_is_left_is_what_no_name_covers(first: int, more: int, named: list[int]) -> None:
    """The parts left of a gap are exactly its numbers without the named ones."""
    left = unexplained(gap(first, first + more), [f"F-{number}" for number in named])
    numbers = {number for each in left for number in range(each.first.number, each.last.number + 1)}
    assert numbers == set(range(first, first + more + 1)) - set(named)
