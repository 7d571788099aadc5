"""Lucky Nines (58 Pa. Code 631c.4): nines among the first two cards of both hands, at fully automated tables only.

The highest line alone pays (ruling B1). The number of nines decides first; *same suit* means all of them, not two
of three, and four nines are one line whatever their suits.
"""

from services.games.baccarat.base import base_wagers
from services.games.baccarat.coup import Coups
from services.games.baccarat.first_cards import NINES
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager

_LINES = (
    "four_nines",
    "three_nines_same_suit",
    "three_nines",
    "two_nines_same_suit",
    "two_nines",
    "one_nine_of_diamonds",
    "one_nine",
)
_PRINTED = {
    "A": (500, 250, 20, 8, 5, 2, 1),
    "B": (500, 250, 30, 12, 5, 2, 1),
    "C": (1_000, 500, 35, 16, 5, 2, 1),
    "D": (2_000, 500, 15, 10, 4, 2, 1),
}
"""631c.4(e): each column's odds to one, in the order of the lines."""


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """The line of 631c.4(e), or None."""
    coup = history.last
    suits = [each.suit for each in coup.player.initial + coup.banker.initial if each.rank == "9"]
    if len(suits) in (0, 4):
        return "four_nines" if suits else None
    if len(suits) == 1:
        return "one_nine_of_diamonds" if suits == ["D"] else "one_nine"
    number = "three_nines" if len(suits) == 3 else "two_nines"
    return f"{number}_same_suit" if len(set(suits)) == 1 else number


WAGERS = (
    Wager(
        code="baccarat.lucky_nines",
        section="631c.4",
        title="Lucky Nines",
        game="baccarat",
        classify=classify,
        paytables={
            name: Paytable({line: to_one(odds) for line, odds in zip(_LINES, column, strict=True)})
            for name, column in _PRINTED.items()
        },
        sample=NINES,
        needs=base_wagers("baccarat"),
        table_kinds=("fully_automated",),
    ),
)
