"""Lucky Aces (58 Pa. Code 633c.8), on fully automated tables: an ace among the player's and the dealer's two cards.

The number of aces decides first, then their suits: "same suit" is all of them in one suit; one line pays, the highest.
"""

from services.games.blackjack.base import BASE_WAGERS
from services.games.blackjack.first_cards import ACES, aces
from services.games.blackjack.round import Table
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import AUTOMATED, Line, Placement, Wager

_LINES = (
    "four_aces",
    "three_aces_same_suit",
    "three_aces",
    "two_aces_same_suit",
    "two_aces",
    "one_ace_of_diamonds",
    "one_ace",
)
_PRINTED = {
    "A": (500, 250, 20, 8, 5, 2, 1),
    "B": (500, 250, 30, 12, 5, 2, 1),
    "C": (1_000, 500, 35, 16, 5, 2, 1),
    "D": (2_000, 500, 15, 10, 4, 2, 1),
}
"""633c.8(e): N to 1, in the order of the lines."""


def classify(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """The line of 633c.8(e) by the aces among the four cards, or None."""
    suits = aces(history.seat(placement.seat))
    if len(suits) == 1:
        return "one_ace_of_diamonds" if suits == ("D",) else "one_ace"
    one_suit = len(set(suits)) == 1
    lines = {2: ("two_aces", "two_aces_same_suit"), 3: ("three_aces", "three_aces_same_suit")}
    return "four_aces" if len(suits) == 4 else lines[len(suits)][one_suit] if suits else None


WAGERS = (
    Wager(
        code="blackjack.lucky_aces",
        section="633c.8",
        title="Lucky Aces",
        game="blackjack",
        classify=classify,
        paytables={
            name: Paytable(dict(zip(_LINES, map(to_one, column), strict=True))) for name, column in _PRINTED.items()
        },
        sample=ACES,
        needs=BASE_WAGERS,
        table_kinds=(AUTOMATED,),
    ),
)
