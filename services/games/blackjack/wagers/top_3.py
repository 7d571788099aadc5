"""Top 3 (58 Pa. Code 633c.7): the player's two cards and the dealer's upcard are a three-of-a-kind or straight flush.

It needs a Three Card Poker wager of the same player (subsection (c)). The ace is high or low, never in the middle
(ruling K8).
"""

from services.games.blackjack.first_cards import THREE_CARDS, three_cards
from services.games.blackjack.round import Table
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager


def classify(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """`three_of_a_kind_suited`, `straight_flush`, `three_of_a_kind`, or None."""
    found = three_cards(history.seat(placement.seat))
    if found.one_rank:
        return "three_of_a_kind_suited" if found.one_suit else "three_of_a_kind"
    return "straight_flush" if found.sequence and found.one_suit else None


WAGERS = (
    Wager(
        code="blackjack.top_3",
        section="633c.7",
        title="Top 3",
        game="blackjack",
        classify=classify,
        paytables={
            "A": Paytable(
                {"three_of_a_kind_suited": to_one(270), "straight_flush": to_one(180), "three_of_a_kind": to_one(90)}
            ),
            "B": Paytable(
                {"three_of_a_kind_suited": to_one(1_000), "straight_flush": to_one(100), "three_of_a_kind": to_one(70)}
            ),
        },
        sample=THREE_CARDS,
        needs=("external.three_card_poker",),
    ),
)
