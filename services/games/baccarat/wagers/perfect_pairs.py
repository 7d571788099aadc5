"""Perfect Pairs (58 Pa. Code 631c.1, 627c.1, 629c.1): the first two cards of the Player's or the Banker's hand have
one rank.

It stands alone, on either hand or both (subsection (b) of each); a ten and a king are no pair.
"""

from services.games.baccarat.coup import Coups
from services.games.baccarat.samples import INITIAL_PAIRS, hand_of
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager

_SECTIONS = {"baccarat": "631c.1", "minibaccarat": "627c.1", "midibaccarat": "629c.1"}


def classify(history: Coups, placement: Placement, terms: Terms) -> Line | None:
    """`perfect_pair` (one suit), `colored_pair` (one color, two suits), `mixed_pair`, or None."""
    first, second = hand_of(history.last, placement).initial
    if first.rank != second.rank:
        return None
    if first.suit == second.suit:
        return "perfect_pair"
    return "colored_pair" if first.color == second.color else "mixed_pair"


WAGERS = tuple(
    Wager(
        code=f"{game}.perfect_pairs",
        section=section,
        title="Perfect Pairs",
        game=game,
        classify=classify,
        paytables={
            "A": Paytable({"perfect_pair": to_one(25), "colored_pair": to_one(12), "mixed_pair": to_one(6)}),
            "B": Paytable({"perfect_pair": to_one(30), "colored_pair": to_one(10), "mixed_pair": to_one(5)}),
            "C": Paytable({"perfect_pair": to_one(25), "colored_pair": to_one(15), "mixed_pair": to_one(5)}),
        },
        sample=INITIAL_PAIRS,
        placements=("player", "banker"),
    )
    for game, section in _SECTIONS.items()
)
