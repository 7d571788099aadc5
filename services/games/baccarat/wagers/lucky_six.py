"""Lucky Six (58 Pa. Code 631c.5(c)(3), (k); 627c.2; 629c.2): the Banker wins with 6, and three cards pay more.

A tie at 6 is not higher than the Player's hand and loses. It comes in addition to a wager on a hand or a tie, and
only at a commission-free table (ruling B11).
"""

from functools import partial

from services.games.baccarat.base import COMMISSION_FREE_SECTIONS, base_wagers, commission_free
from services.games.baccarat.coup import Coups, Side
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`two_card_six`, `three_card_six`, or None."""
    coup = history.last
    if coup.winner is not Side.BANKER or coup.banker.total != 6:
        return None
    return "two_card_six" if len(coup.banker) == 2 else "three_card_six"


WAGERS = tuple(
    Wager(
        code=f"{game}.lucky_six",
        section=section,
        title="Lucky Six",
        game=game,
        classify=classify,
        paytables={"standard": Paytable({"two_card_six": to_one(12), "three_card_six": to_one(20)})},
        sample=COUPS_BY_POINTS,
        needs=base_wagers(game),
        checks=(partial(commission_free, game),),
    )
    for game, section in COMMISSION_FREE_SECTIONS.items()
)
