"""Wager on a tie (58 Pa. Code 631a.8(a), 631a.12; 627a.12; 629a.12): 8 to 1, or 9 to 1 if the Rules Submission says
so (ruling B8). Commission-free games pay 8 to 1 (631c.5(j), 627c.2(j), 629c.2(j)), which the Banker's wager sees to.
"""

from services.games.baccarat.coup import Coups, Side
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager

_SECTIONS = {"baccarat": "631a.12", "minibaccarat": "627a.12", "midibaccarat": "629a.12"}


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`tie`, or None."""
    return "tie" if history.last.winner is Side.TIE else None


WAGERS = tuple(
    Wager(
        code=f"{game}.tie",
        section=section,
        title="Tie",
        game=game,
        classify=classify,
        paytables={"8": Paytable({"tie": to_one(8)}), "9": Paytable({"tie": to_one(9)})},
        sample=COUPS_BY_POINTS,
    )
    for game, section in _SECTIONS.items()
)
