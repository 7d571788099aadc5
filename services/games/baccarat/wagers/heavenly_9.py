"""Heavenly 9 (58 Pa. Code 631c.3(f)(3)): the Player or the Banker has a three-card 9, whoever wins; both
pay more.

Both replaces one, it does not add to it (ruling B1).
"""

from services.games.baccarat.coup import Coups
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`both_three_card_nine`, `one_three_card_nine`, or None."""
    coup = history.last
    player = coup.player.total == 9 and len(coup.player) == 3
    banker = coup.banker.total == 9 and len(coup.banker) == 3
    if player and banker:
        return "both_three_card_nine"
    return "one_three_card_nine" if player or banker else None


WAGERS = (
    Wager(
        code="baccarat.heavenly_9",
        section="631c.3",
        title="Heavenly 9",
        game="baccarat",
        classify=classify,
        paytables={
            name: Paytable({"both_three_card_nine": to_one(75), "one_three_card_nine": to_one(10)}) for name in "AB"
        },
        sample=COUPS_BY_POINTS,
        needs=("baccarat.player", "baccarat.banker", "baccarat.tie"),
        family="5 Treasures",
    ),
)
