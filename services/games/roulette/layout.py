"""The wheels of Roulette and the areas of their layouts (58 Pa. Code 617a.1, 617a.3).

An inside area is written as its pockets with hyphens between, zeros first: `17`, `17-20`, `0-00-1-2-3`. An outside
area has its name: `red`, `2nd column`. Which areas a layout has follows common practice (ruling R5).
"""

from collections.abc import Iterable, Mapping
from itertools import chain
from types import MappingProxyType

NUMBERS = tuple(map(str, range(1, 37)))
POCKETS = ("0", "00", *NUMBERS)
"""Every pocket there is on any wheel."""

SINGLE_ZERO = "single_zero"
DOUBLE_ZERO = "double_zero"
DOUBLE_ZERO_AS_SINGLE = "double_zero_as_single"

WHEELS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        SINGLE_ZERO: ("0", *NUMBERS),
        DOUBLE_ZERO: POCKETS,
        # Of a double zero wheel used as a single zero wheel the pocket 00 is no spin (ruling R4).
        DOUBLE_ZERO_AS_SINGLE: ("0", *NUMBERS),
    }
)
"""The pockets of each wheel in which a ball that counts may rest (617a.1(c)-(e))."""

RED = frozenset(("1", "3", "5", "7", "9", "12", "14", "16", "18", "19", "21", "23", "25", "27", "30", "32", "34", "36"))
BLACK = frozenset(NUMBERS) - RED


def color(pocket: str) -> str:
    """`red`, `black` or, of the zeros, `green`."""
    return "red" if pocket in RED else "black" if pocket in BLACK else "green"


def _areas(groups: Iterable[tuple[int, ...]]) -> tuple[str, ...]:
    return tuple("-".join(map(str, group)) for group in groups)


_ROWS = range(1, 37, 3)
_SPLITS = _areas(
    sorted(
        [
            *((number, number + 1) for number in range(1, 37) if number % 3),
            *((number, number + 3) for number in range(1, 34)),
        ]
    )
)
_STREETS = _areas((row, row + 1, row + 2) for row in _ROWS)
_CORNERS = _areas((first, first + 1, first + 3, first + 4) for row in _ROWS[:-1] for first in (row, row + 1))
_SIX_LINES = _areas(tuple(range(row, row + 6)) for row in _ROWS[:-1])


def _by_wheel(
    both: tuple[str, ...], single: tuple[str, ...] = (), double: tuple[str, ...] = ()
) -> Mapping[str, tuple[str, ...]]:
    """The areas of each wheel's layout: those that both layouts have, then those around the zeros of each."""
    return MappingProxyType(
        {SINGLE_ZERO: both + single, DOUBLE_ZERO: both + double, DOUBLE_ZERO_AS_SINGLE: both + single}
    )


STRAIGHT = _by_wheel(NUMBERS, ("0",), ("0", "00"))
SPLIT = _by_wheel(_SPLITS, ("0-1", "0-2", "0-3"), ("0-00", "0-1", "0-2", "00-2", "00-3"))
STREET = _by_wheel(_STREETS, ("0-1-2", "0-2-3"), ("0-1-2", "0-00-2", "00-2-3"))
CORNER = _by_wheel(_CORNERS, ("0-1-2-3",))
FIVE_NUMBER = _by_wheel((), double=("0-00-1-2-3",))
SIX_LINE = _by_wheel(_SIX_LINES)

OUTSIDE: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "1st column": frozenset(NUMBERS[0::3]),
        "2nd column": frozenset(NUMBERS[1::3]),
        "3rd column": frozenset(NUMBERS[2::3]),
        "1st dozen": frozenset(NUMBERS[:12]),
        "2nd dozen": frozenset(NUMBERS[12:24]),
        "3rd dozen": frozenset(NUMBERS[24:]),
        "red": RED,
        "black": BLACK,
        "odd": frozenset(NUMBERS[0::2]),
        "even": frozenset(NUMBERS[1::2]),
        "low": frozenset(NUMBERS[:18]),
        "high": frozenset(NUMBERS[18:]),
    }
)
"""The outside areas: no zero is in any of them."""


def _inside() -> dict[str, frozenset[str]]:
    layouts = (STRAIGHT, SPLIT, STREET, CORNER, FIVE_NUMBER, SIX_LINE)
    names = chain.from_iterable(chain.from_iterable(layout.values()) for layout in layouts)
    return {name: frozenset(name.split("-")) for name in names}


COVERED: Mapping[str, frozenset[str]] = MappingProxyType({**_inside(), **OUTSIDE})
"""The pockets that each area covers, on whichever layout it is."""


def union(areas: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The areas of all layouts, each once."""
    return tuple(dict.fromkeys(chain.from_iterable(areas.values())))
