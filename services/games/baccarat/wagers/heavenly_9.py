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
    nines = sum(hand.total == 9 and len(hand) == 3 for hand in (coup.player, coup.banker))
    return (None, "one_three_card_nine", "both_three_card_nine")[nines]


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
