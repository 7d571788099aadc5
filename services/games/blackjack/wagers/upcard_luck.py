"""Upcard Luck (58 Pa. Code 633c.15): the dealer shows a 2 to 7 and the player's two cards count 9 to 11, 18 to 20 or
are a Blackjack.

Soft totals are those with the ace as 11: ace-eight is 19 and ace-nine 20; two aces count 12 and lose (ruling K10). The
wager is at most the player's Blackjack wager (subsection (d)).
"""

from fractions import Fraction

from services.games.blackjack.base import BASE_WAGERS
from services.games.blackjack.first_cards import ACE_AND_JACK, UPCARD_TOTALS, low_total
from services.games.blackjack.round import Table
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager


def classify(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """The line of 633c.15(g), or None."""
    seat = history.seat(placement.seat)
    total = low_total(seat)
    if total == 21:
        return "ace_and_jack_of_spades" if frozenset(seat.first_two) == ACE_AND_JACK else "blackjack"
    if 9 <= total <= 11:
        return "nine_to_eleven"
    return "eighteen_to_twenty" if 18 <= total <= 20 else None


WAGERS = (
    Wager(
        code="blackjack.upcard_luck",
        section="633c.15",
        title="Upcard Luck",
        game="blackjack",
        classify=classify,
        paytables={
            "standard": Paytable(
                {
                    "ace_and_jack_of_spades": to_one(80),
                    "blackjack": to_one(8),
                    "nine_to_eleven": to_one(4),
                    "eighteen_to_twenty": to_one(3),
                },
                decks=(4, 6, 8),
            )
        },
        sample=UPCARD_TOTALS,
        needs=BASE_WAGERS,
        base_share=(Fraction(0), Fraction(1)),
    ),
)
