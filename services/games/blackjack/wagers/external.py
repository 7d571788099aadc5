"""Wagers that 633c requires or lets go with others and whose own text, in 633a.6(e), is not known (ruling K13).

The stake and the payout are the floor's to state; they are counted, and shown apart as not proven. Three Card Poker is
the base of Top 3 (633c.7); Royal Match 21, Bet the Set and King's Bounty are played at a hybrid table (633c.5(x)); Hit
and Run and Straight Jack may carry the Must-Hit-By Mystery bonus (633c.14).
"""

from services.games.blackjack.base import BASE_WAGERS
from services.games.blackjack.must_hit_by import MUST_HIT_BY
from services.games.blackjack.round import Table
from services.games.paytables import STATED, Paytable
from services.games.terms import Terms
from services.games.wagers import PENDING, Mystery, Pending, Placement, Wager


def classify(history: Table, placement: Placement, terms: Terms) -> Pending:
    """Nothing that the cards say settles such a wager."""
    return PENDING


def _wager(name: str, title: str, mysteries: tuple[Mystery, ...] = ()) -> Wager:
    return Wager(
        code=f"external.{name}",
        section="633a.6",
        title=title,
        game="blackjack",
        classify=classify,
        paytables={"stated": Paytable({"stated": STATED})},
        needs=BASE_WAGERS,
        settles="stated",
        depends_on="stated",
        mysteries=mysteries,
    )


WAGERS = (
    _wager("royal_match", "Royal Match 21"),
    _wager("bet_the_set", "Bet the Set"),
    _wager("kings_bounty", "King's Bounty"),
    _wager("three_card_poker", "Three Card Poker"),
    _wager("hit_and_run", "Hit and Run progressive", MUST_HIT_BY),
    _wager("straight_jack", "Straight Jack progressive", MUST_HIT_BY),
)
