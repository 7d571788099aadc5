"""Wager on the Banker's hand (58 Pa. Code 631a.8(a), 631a.12): even money less a commission; a tie pushes.

The commission is 5 % of the winnings, or 4 % if the Rules Submission says so, rounded half up to the cent
or, as an option of the Rules Submission, to the quarter dollar (ruling M3).
"""

from services.games.baccarat.coup import Coups, Side
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.paytables import PUSH, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager

_LINES = {Side.BANKER: "banker_wins", Side.TIE: "tie", Side.PLAYER: None}


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`banker_wins`, `tie`, or None."""
    return _LINES[history.last.winner]


WAGERS = (
    Wager(
        code="baccarat.banker",
        section="631a.12",
        title="Banker",
        game="baccarat",
        classify=classify,
        paytables={
            "5%": Paytable({"banker_wins": to_one(1), "tie": PUSH}, commission=500),
            "4%": Paytable({"banker_wins": to_one(1), "tie": PUSH}, commission=400),
        },
        sample=COUPS_BY_POINTS,
        options={"commission_rounding": ("cent", "nearest_quarter")},
    ),
)
