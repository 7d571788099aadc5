"""Wager on the Player's hand (58 Pa. Code 631a.8(a), 631a.12): it wins if the Player's hand is higher, a
tie pushes.
"""

from services.games.baccarat.coup import Coups, Side
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.paytables import PUSH, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager

_LINES = {Side.PLAYER: "player_wins", Side.TIE: "tie", Side.BANKER: None}


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`player_wins`, `tie`, or None."""
    return _LINES[history.last.winner]


WAGERS = (
    Wager(
        code="baccarat.player",
        section="631a.12",
        title="Player",
        game="baccarat",
        classify=classify,
        paytables={"standard": Paytable({"player_wins": to_one(1), "tie": PUSH})},
        sample=COUPS_BY_POINTS,
    ),
)
