"""Opened days and settings held against the rounds feed: what is no entry's, and what is not looked for."""

from datetime import date

import pytest

from services.progressives.pins.verification import compare_kept
from services.progressives.play import DayOpened, PropertySet

SET, LATER_SET = PropertySet(1, 30, "UTC"), PropertySet(4, 60, "UTC")
OPENED, NEXT = DayOpened(2, date(2026, 3, 2), 1), DayOpened(3, date(2026, 3, 3), 1)
TOLD = {each.position: each for each in (SET, OPENED, NEXT, LATER_SET)}


def differences(*kept: DayOpened | PropertySet) -> list[str]:
    """What is said of these rows where the feed tells all four."""
    return list(compare_kept(kept, TOLD).differences)


@pytest.mark.parametrize("kept", [(SET, OPENED, NEXT, LATER_SET), (NEXT, LATER_SET), (LATER_SET,), ()])
def test_rows_that_the_feed_tells_are_right_wherever_they_begin(kept: tuple[DayOpened | PropertySet, ...]) -> None:
    """Software that kept none may have followed the feed up to any position, or all of it."""
    assert differences(*kept) == []


@pytest.mark.parametrize(
    ("forged", "named"),
    [
        (DayOpened(1, date(2026, 3, 20), 0), "opened_day row 2026-03-20"),
        (NEXT._replace(submissions_position=0), "opened_day row 2026-03-03"),
        (PropertySet(1 << 60, 1440, "UTC"), "property_set row 1152921504606846976"),
        (LATER_SET._replace(claim_minutes=1440), "property_set row 4"),
    ],
)
def test_a_row_that_the_feed_does_not_tell_is_named(forged: DayOpened | PropertySet, named: str) -> None:
    """A day that nobody opened, one with other submissions, a setting beyond the feed, and one of other minutes."""
    kept = {**TOLD, forged.position: forged} if type(TOLD.get(forged.position)) is type(forged) else {**TOLD, 0: forged}
    (found,) = differences(*kept.values())
    assert found == f"{named} is not what the rounds feed tells at position {forged.position}"


def test_a_row_that_is_missing_among_others_is_named() -> None:
    """Once rows are kept, each is."""
    assert differences(SET, OPENED, LATER_SET) == [
        "opened_day row 2026-03-03 is missing: the rounds feed tells it at position 3"
    ]
