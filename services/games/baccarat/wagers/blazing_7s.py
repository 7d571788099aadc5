"""Blazing 7's (58 Pa. Code 631c.3(f)(4)): both hands have 7 with the same number of cards.

A two-card 7 against a three-card 7 loses (ruling B2); paytable A prints N/A for two-card sevens.
"""

from services.games.baccarat.coup import Coups
from services.games.baccarat.samples import COUPS_BY_POINTS
from services.games.paytables import NOT_PAID, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`three_card_sevens`, `two_card_sevens`, or None."""
    player, banker = history.last.player, history.last.banker
    if player.total != 7 or banker.total != 7 or len(player) != len(banker):
        return None
    return "three_card_sevens" if len(player) == 3 else "two_card_sevens"


WAGERS = (
    Wager(
        code="baccarat.blazing_7s",
        section="631c.3",
        title="Blazing 7's",
        game="baccarat",
        classify=classify,
        paytables={
            "A": Paytable({"three_card_sevens": to_one(400), "two_card_sevens": NOT_PAID}),
            "B": Paytable({"three_card_sevens": to_one(200), "two_card_sevens": to_one(50)}),
        },
        sample=COUPS_BY_POINTS,
        needs=("baccarat.player", "baccarat.banker", "baccarat.tie"),
        family="5 Treasures",
    ),
)
