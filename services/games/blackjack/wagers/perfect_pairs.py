"""Perfect Pairs (58 Pa. Code 633c.1): the player's initial two cards have one rank; a ten and a king are no pair."""

from services.games.blackjack.base import BASE_WAGERS
from services.games.blackjack.first_cards import INITIAL_PAIRS
from services.games.blackjack.round import Table
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager


def classify(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """`perfect_pair` (one suit), `colored_pair` (one color, two suits), `mixed_pair`, or None (subsection (f))."""
    first, second = history.seat(placement.seat).first_two
    if first.rank != second.rank:
        return None
    if first.suit == second.suit:
        return "perfect_pair"
    return "colored_pair" if first.color == second.color else "mixed_pair"


WAGERS = (
    Wager(
        code="blackjack.perfect_pairs",
        section="633c.1",
        title="Perfect Pairs",
        game="blackjack",
        classify=classify,
        paytables={
            "A": Paytable({"perfect_pair": to_one(25), "colored_pair": to_one(12), "mixed_pair": to_one(6)}),
            "B": Paytable({"perfect_pair": to_one(30), "colored_pair": to_one(10), "mixed_pair": to_one(5)}),
        },
        sample=INITIAL_PAIRS,
        needs=BASE_WAGERS,
    ),
)
