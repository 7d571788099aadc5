"""Wagers on 12 or 18 pockets of the wheel, outside the layout's numbers (58 Pa. Code 617a.3, 617a.4).

0 and 00 lose each of them whole. Areas and odds follow common practice (ruling R5).
"""

from services.games.paytables import Paytable, to_one
from services.games.roulette.covered import wins
from services.games.roulette.samples import spins_on
from services.games.wagers import Wager


def _wager(name: str, title: str, areas: tuple[str, ...], odds: int) -> Wager:
    return Wager(
        code=f"roulette.{name}",
        section="617a.4",
        title=title,
        game="roulette",
        classify=wins,
        paytables={"standard": Paytable({"wins": to_one(odds)})},
        sample=spins_on(areas[0]),
        placements=areas,
    )


WAGERS = (
    _wager("column", "Column", ("1st column", "2nd column", "3rd column"), 2),
    _wager("dozen", "Dozen", ("1st dozen", "2nd dozen", "3rd dozen"), 2),
    _wager("red_black", "Red or black", ("red", "black"), 1),
    _wager("odd_even", "Odd or even", ("odd", "even"), 1),
    _wager("low_high", "Low or high", ("low", "high"), 1),
)
