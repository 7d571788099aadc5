"""When a wager's section is in force."""

from dataclasses import replace
from datetime import date

import pytest

from services.games.catalogue import wager

TIE = wager("baccarat.tie")


@pytest.mark.parametrize(
    ("effective", "expires", "day", "expected"),
    [
        (None, None, date(2026, 3, 2), True),
        (date(2026, 3, 2), None, date(2026, 3, 2), True),
        (date(2026, 3, 3), None, date(2026, 3, 2), False),
        (None, date(2026, 3, 2), date(2026, 3, 2), True),
        (None, date(2026, 3, 1), date(2026, 3, 2), False),
    ],
)
def test_a_section_is_in_force_from_its_first_to_its_last_day(
    effective: date | None, expires: date | None, day: date, expected: bool
) -> None:
    """Both the first and the last gaming day named are in force."""
    assert replace(TIE, effective=effective, expires=expires).in_force(day) is expected


def test_the_days_in_force_are_said_in_words() -> None:
    """A section without dates is in force from any day to further notice."""
    assert TIE.period() == "any day to further notice"
    assert replace(TIE, expires=date(2026, 8, 4)).period() == "any day to 2026-08-04"
