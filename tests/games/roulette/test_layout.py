"""The wheels and the areas of their layouts."""

import pytest

from services.games.roulette.layout import (
    BLACK,
    CORNER,
    COVERED,
    FIVE_NUMBER,
    NUMBERS,
    RED,
    SIX_LINE,
    SPLIT,
    STRAIGHT,
    STREET,
    WHEELS,
    color,
)

COUNTS = {"straight": (37, 38), "split": (60, 62), "street": (14, 15), "corner": (23, 22), "six line": (11, 11)}
LAYOUTS = {"straight": STRAIGHT, "split": SPLIT, "street": STREET, "corner": CORNER, "six line": SIX_LINE}


def test_wheels_have_their_pockets() -> None:
    """A single zero wheel has 37 pockets, a double zero wheel 38; used as a single zero wheel its 00 does not count."""
    assert {wheel: len(pockets) for wheel, pockets in WHEELS.items()} == {
        "single_zero": 37,
        "double_zero": 38,
        "double_zero_as_single": 37,
    }
    assert set(WHEELS["double_zero"]) - set(WHEELS["double_zero_as_single"]) == {"00"}


def test_half_of_the_numbers_are_red() -> None:
    """18 numbers are red, 18 black, and zeros green; 7 and 27 are red, 17 is black."""
    assert (len(RED), len(BLACK), RED & BLACK) == (18, 18, frozenset())
    assert [color(each) for each in ("7", "17", "27", "0", "00")] == ["red", "black", "red", "green", "green"]


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_each_layout_has_its_areas(name: str) -> None:
    """The inside areas of a layout are as many as can be placed on it, each once."""
    single, double = COUNTS[name]
    areas = LAYOUTS[name]
    assert (len(areas["single_zero"]), len(areas["double_zero"])) == (single, double)
    assert areas["double_zero_as_single"] == areas["single_zero"]
    assert all(len(set(each)) == len(each) for each in areas.values())


@pytest.mark.parametrize("wheel", sorted(WHEELS))
def test_a_layout_has_no_pocket_that_its_wheel_has_not(wheel: str) -> None:
    """Every area of a layout covers pockets of its wheel alone."""
    for areas in (*LAYOUTS.values(), FIVE_NUMBER):
        for area in areas[wheel]:
            assert COVERED[area] <= set(WHEELS[wheel])


def test_areas_lie_side_by_side() -> None:
    """3 and 4 are no split, a corner has four touching numbers, and only a double zero layout has five numbers."""
    splits, corners = SPLIT["double_zero"], CORNER["single_zero"]
    assert "17-20" in splits
    assert "17-18" in splits
    assert "3-4" not in splits
    assert "17-18-20-21" in corners
    assert "18-19-21-22" not in corners
    assert "13-14-15-16-17-18" in SIX_LINE["single_zero"]
    assert {wheel for wheel, areas in FIVE_NUMBER.items() if areas} == {"double_zero"}


def test_outside_areas_cover_every_number_once_of_each_kind() -> None:
    """Columns, dozens, colors, odd and even, low and high each divide 1 to 36 among themselves."""
    for kind in (
        ("1st column", "2nd column", "3rd column"),
        ("1st dozen", "2nd dozen", "3rd dozen"),
        ("red", "black"),
        ("odd", "even"),
        ("low", "high"),
    ):
        assert sorted(number for area in kind for number in COVERED[area]) == sorted(NUMBERS)
    assert {"1", "4", "34"} <= COVERED["1st column"]
    assert {"13", "24"} <= COVERED["2nd dozen"]
