"""The views of the spins of a wheel."""

from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.catalogue import catalogue
from services.games.roulette.layout import WHEELS
from services.games.roulette.samples import BONUS_ROUNDS, repeats_paying
from services.games.roulette.spin import Spin, Spins
from services.games.wagers import Placement
from tests.games.roulette.builders import spins, table

RULES = [rule for rule in catalogue().values() if rule.game == "roulette"]
SETTINGS = [(rule, wheel) for rule in RULES for wheel in next(iter(rule.paytables.values())).wheels or tuple(WHEELS)]


@pytest.mark.parametrize(("wheel", "pockets"), [("single_zero", 37), ("double_zero", 38)])
def test_bonus_rounds_are_counted_with_the_spin_before_them(wheel: str, pockets: int) -> None:
    """All cases together are the pockets times the sets of three different ones: 320,568 on a double zero wheel."""
    total = sum(case.ways for case in BONUS_ROUNDS.cases(wheel))
    assert total == pockets * comb(pockets, 3)
    assert pockets == 37 or total == 320_568


def test_a_repeat_is_one_pocket_of_the_wheel() -> None:
    """Whatever is drawn, the number comes again in one of 37 or 38 pockets."""
    for wheel, pockets in WHEELS.items():
        cases = list(repeats_paying((1000, 500)).cases(wheel))
        again = sum(case.ways for case in cases if case.history.repeats)
        assert again * len(pockets) == sum(case.ways for case in cases)


def test_a_wheel_without_a_spin_before_is_a_class_of_its_own() -> None:
    """No case stands for the first spin of a wheel, which is void."""
    sample = repeats_paying((1000,))
    known = {sample.key(case.history, sample.placement) for case in sample.cases("single_zero")}
    assert sample.key(Spins(None, Spin("8")), Placement(1)) not in known


@pytest.mark.parametrize(("rule", "wheel"), SETTINGS, ids=lambda each: getattr(each, "code", each))
def test_a_view_is_enough_for_its_wager(rule: Any, wheel: str) -> None:
    """Of any spin, a wager on any area names the same line as of the case that stands for it."""
    sample, terms = rule.sample, table(rule.code, wheel=wheel)
    known = {sample.key(case.history, sample.placement): case.history for case in sample.cases(wheel)}

    @given(history=spins(wheel), on=st.sampled_from(rule.areas(wheel)))
    def holds(history: Spins, on: str) -> None:
        shown = known[sample.key(history, Placement(1, on))]
        expected = rule.classify(shown, sample.placement, terms)
        assert rule.classify(history, Placement(1, on), terms) == expected

    holds()
