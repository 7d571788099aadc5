"""Wagers on 1 to 6 pockets of the wheel, inside the layout (58 Pa. Code 617a.3, 617a.4).

The text of both sections lies outside what this software was written from: areas and odds follow common practice
(ruling R5). 617a.4 states the least odds; no other are offered here. Straight wagers at a Lightning Roulette table
are `roulette.lightning_straight`.
"""

from collections.abc import Mapping

from services.games.paytables import Paytable, to_one
from services.games.roulette.covered import wins
from services.games.roulette.layout import CORNER, FIVE_NUMBER, SIX_LINE, SPLIT, STRAIGHT, STREET, union
from services.games.roulette.samples import spins_on
from services.games.wagers import Wager


def _wager(name: str, title: str, areas: Mapping[str, tuple[str, ...]], odds: int) -> Wager:
    every, wheels = union(areas), tuple(wheel for wheel in areas if areas[wheel])
    return Wager(
        code=f"roulette.{name}",
        section="617a.4",
        title=title,
        game="roulette",
        classify=wins,
        paytables={"standard": Paytable({"wins": to_one(odds)}, wheels=wheels)},
        sample=spins_on(every[0]),
        placements=every,
        wheel_placements=areas,
    )


WAGERS = (
    _wager("straight", "Straight", STRAIGHT, 35),
    _wager("split", "Split", SPLIT, 17),
    _wager("street", "Street", STREET, 11),
    _wager("corner", "Corner", CORNER, 8),
    _wager("five_number", "Five number", FIVE_NUMBER, 6),
    _wager("six_line", "Six line", SIX_LINE, 5),
)
