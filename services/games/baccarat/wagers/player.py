"""Wager on the Player's hand (58 Pa. Code 631a.8(a), 631a.12; 627a.12; 629a.12): it wins if the Player's hand is
higher, a tie pushes. Commission-free games pay it alike (631c.5(h), 627c.2(h), 629c.2(h)).
"""

from services.games.baccarat.coup import Coups, Side
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.paytables import PUSH, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager

_SECTIONS = {"baccarat": "631a.12", "minibaccarat": "627a.12", "midibaccarat": "629a.12"}


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`player_wins`, `tie`, or None."""
    winner = history.last.winner
    if winner is Side.PLAYER:
        return "player_wins"
    return "tie" if winner is Side.TIE else None


WAGERS = tuple(
    Wager(
        code=f"{game}.player",
        section=section,
        title="Player",
        game=game,
        classify=classify,
        paytables={"standard": Paytable({"player_wins": to_one(1), "tie": PUSH})},
        sample=COUPS_BY_POINTS,
    )
    for game, section in _SECTIONS.items()
)
