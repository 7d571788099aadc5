"""The month of planted faults as a test of its own: what is planted shows where it should."""

import pytest

from tests.precision.__main__ import NAMING, Tally, judge
from tests.precision.faults import FAULTS, LATE, plant
from tests.precision.judging import of_papers, of_play, table_facts
from tests.precision.month import Month


def test_every_fault_has_a_report_that_names_it() -> None:
    """Each of several months' faults is planted somewhere and named by one of its reports."""
    tally = Tally()
    for seed in (1, 2, 3):
        judge(seed, tally)
    assert set(tally.planted) == set(NAMING)
    assert len(NAMING) == len(FAULTS) + 1
    assert LATE in NAMING
    assert sum(tally.named.values()) * 10 >= sum(tally.planted.values()) * 9


def test_an_honest_month_has_no_alarm_of_papers() -> None:
    """Where nothing is planted, exceptions and discrepancies name nothing; a large error of a dealer is told."""
    month = Month(4)
    assert not of_papers(month)
    assert {each.reason for each in of_play(table_facts(month, Month(5)))} <= {"out of tolerance"}


@pytest.mark.parametrize("seed", [1, 2])
def test_a_seed_makes_one_month(seed: int) -> None:
    """The same seed gives the same papers and the same faults."""
    first, second = Month(seed), Month(seed)
    assert first.sheets == second.sheets
    assert plant(first) == plant(second)
    assert first.sheets == second.sheets
