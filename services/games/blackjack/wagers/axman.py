"""AxMan (58 Pa. Code 633c.12): the dealer's hand, a bust card included, makes a pair of jacks or a better poker hand.

The dealer completes the hand while the wager stands (ruling K9). A king of diamonds among the player's first two cards
doubles the odds, two of them make them five times as high; so each hand has three lines.
"""

from services.games.blackjack.base import BASE_WAGERS, dealer_finished
from services.games.blackjack.dealer_hands import HITS_SOFT_17, STANDS_ON_SOFT_17
from services.games.blackjack.dealer_pokers import DEALER_POKERS, DEALER_POKERS_HITTING, kings_of
from services.games.blackjack.poker import LINES, five_of, line_of
from services.games.blackjack.round import Table
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Alternative, Line, Pending, Placement, Wager

_ODDS = dict(zip(LINES, (1_000, 500, 200, 100, 50, 30, 20, 12, 5), strict=True))
"""633c.12(k), odds to one."""

_TIMES = {0: (1, ""), 1: (2, "_2x"), 2: (5, "_5x")}
"""By the kings of diamonds of the player: what the odds are multiplied by, and how the line is named for it (j)."""


def classify(history: Table, placement: Placement, terms: Terms) -> Line | Pending | None:
    """The line of 633c.12(k), PENDING where the dealer's hand is not complete, or None below a pair of jacks."""
    seat = history.seat(placement.seat)
    if not dealer_finished(seat, terms):
        return PENDING
    line = line_of(five_of(seat.dealer))
    return line and line + _TIMES[kings_of(seat.first_two)][1]


WAGERS = (
    Wager(
        code="blackjack.axman",
        section="633c.12",
        title="AxMan",
        game="blackjack",
        classify=classify,
        paytables={
            "standard": Paytable(
                {
                    line + ending: to_one(odds * times)
                    for line, odds in _ODDS.items()
                    for times, ending in _TIMES.values()
                },
                decks=(6, 8),
            )
        },
        sample=DEALER_POKERS,
        needs=BASE_WAGERS,
        assumes=STANDS_ON_SOFT_17,
        alternatives={HITS_SOFT_17: Alternative(DEALER_POKERS_HITTING)},
    ),
)
