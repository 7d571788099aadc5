"""Fortune 7 (58 Pa. Code 631c.3(f)(1)): the Banker wins with a three-card 7."""

from services.games.baccarat.coup import Coups, Side
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`banker_three_card_seven`, or None."""
    coup = history.last
    if coup.winner is Side.BANKER and coup.banker.total == 7 and len(coup.banker) == 3:
        return "banker_three_card_seven"
    return None


WAGERS = (
    Wager(
        code="baccarat.fortune_7",
        section="631c.3",
        title="Fortune 7",
        game="baccarat",
        classify=classify,
        paytables={name: Paytable({"banker_three_card_seven": to_one(40)}) for name in "AB"},
        sample=COUPS_BY_POINTS,
        needs=("baccarat.player", "baccarat.banker", "baccarat.tie"),
        family="5 Treasures",
    ),
)
