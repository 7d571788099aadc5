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


def test_a_wager_is_analysed_in_one_way() -> None:
    """A wager has a sample or a distribution, unless its figures depend on play."""
    with pytest.raises(ValueError, match=r"expected baccarat\.tie with one of sample and distribution"):
        replace(TIE, sample=None)
    assert replace(TIE, sample=None, depends_on="play").sample is None


def test_a_paytable_may_have_meters_of_its_own() -> None:
    """The seeds of Royal 9 differ by denomination; an unknown paytable has those of the wager."""
    royal = wager("minibaccarat.royal_9")
    assert [meter.seed_cents for meter in royal.meters_of("$1")] == [1_000_000, 9_000, 9_000]
    assert royal.meters_of("$2") == royal.meters == royal.meters_of("$5")
    assert wager("baccarat.heavenly_9_progressive").meters_of("standard")[0].seed_cents == 1_000_000


def test_the_areas_of_a_wager_are_those_of_the_wheel() -> None:
    """00 is an area of a double zero layout alone."""
    straight = wager("roulette.straight")
    assert ("00" in straight.areas("double_zero"), "00" in straight.areas("single_zero")) == (True, False)
    assert TIE.areas("") == TIE.placements
