"""Majestic Match (58 Pa. Code 631c.7): the first two cards of the Player's or the Banker's hand have one suit.

It stands alone, on either hand or both, without a Baccarat wager (631c.7(b)).
"""

from services.games.baccarat.coup import Coups
from services.games.baccarat.samples import INITIAL_PAIRS, hand_of
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`royal_match` (a king and a queen of one suit), `suited_match`, or None."""
    first, second = hand_of(history.last, placement).initial
    if first.suit != second.suit:
        return None
    return "royal_match" if {first.rank, second.rank} == {"K", "Q"} else "suited_match"


WAGERS = (
    Wager(
        code="baccarat.majestic_match",
        section="631c.7",
        title="Majestic Match",
        game="baccarat",
        classify=classify,
        paytables={"standard": Paytable({"royal_match": to_one(25), "suited_match": to_one(5, 2)})},
        sample=INITIAL_PAIRS,
        placements=("player", "banker"),
    ),
)
