"""Golden 8 (58 Pa. Code 631c.3(f)(2)): the Player wins with a three-card 8."""

from services.games.baccarat.coup import Coups, Side
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`player_three_card_eight`, or None."""
    coup = history.last
    if coup.winner is Side.PLAYER and coup.player.total == 8 and len(coup.player) == 3:
        return "player_three_card_eight"
    return None


WAGERS = (
    Wager(
        code="baccarat.golden_8",
        section="631c.3",
        title="Golden 8",
        game="baccarat",
        classify=classify,
        paytables={name: Paytable({"player_three_card_eight": to_one(25)}) for name in "AB"},
        sample=COUPS_BY_POINTS,
        needs=("baccarat.player", "baccarat.banker", "baccarat.tie"),
        family="5 Treasures",
    ),
)
