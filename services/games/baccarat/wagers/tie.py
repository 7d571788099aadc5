"""Wager on a tie (58 Pa. Code 631a.8(a), 631a.12): 8 to 1, or 9 to 1 if the Rules Submission says so
(ruling B8).
"""

from services.games.baccarat.coup import Coups, Side
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`tie`, or None."""
    return "tie" if history.last.winner is Side.TIE else None


WAGERS = (
    Wager(
        code="baccarat.tie",
        section="631a.12",
        title="Tie",
        game="baccarat",
        classify=classify,
        paytables={"8": Paytable({"tie": to_one(8)}), "9": Paytable({"tie": to_one(9)})},
        sample=COUPS_BY_POINTS,
    ),
)
