"""Buzzer Beater (58 Pa. Code 633c.5(m), (u), (v)(3)): a hand of 19 or more that the dealer's equals or beats.

Final hands count (ruling K11); of a split pair the first. As the text stands it returns more than it takes: 21 against
21 wins without listed odds and is paid as the other equal hands.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from services.games.blackjack.house import BLACKJACK as BASE
from services.games.blackjack.house import COMMUNITY, house_rules
from services.games.blackjack.outcomes import buzzer_law, buzzer_line
from services.games.blackjack.played import BLACKJACK, BUST
from services.games.blackjack.round import Table
from services.games.blackjack.strategy import NAME
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Contradiction, Line, Placement, Wager


def classify(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """The line of the two final hands, or None."""
    seat = history.seat(placement.seat)
    hand = seat.hands[0]
    player = BLACKJACK if hand.blackjack else min(hand.total, BUST)
    return buzzer_line(player, BLACKJACK if seat.dealer_blackjack else min(seat.dealer_total, BUST))


def distribution(paytable: str, decks: Any) -> Mapping[Line | None, Fraction]:
    """The lines under the written strategy."""
    return buzzer_law(decks)


def with_hole_card(terms: Terms) -> Contradiction | None:
    """The version without a hole card does not take it over (633c.5(w))."""
    dealing = house_rules(terms).dealing
    return None if dealing == COMMUNITY else Contradiction(f"dealing of {BASE}", COMMUNITY, dealing)


WAGERS = (
    Wager(
        code="blackjack.buzzer_beater",
        section="633c.5",
        title="Buzzer Beater",
        game="blackjack",
        classify=classify,
        paytables={
            "standard": Paytable(
                {
                    "blackjack_on_both": to_one(5),
                    "21_against_21": to_one(5),
                    "20_against_20": to_one(5),
                    "20_against_21": to_one(30),
                    "19_against_19": to_one(5),
                    "19_against_20": to_one(10),
                    "19_against_21": to_one(10),
                },
                decks=(6, 8),
            )
        },
        needs=(BASE,),
        table_kinds=("hybrid",),
        distribution=distribution,
        assumes=NAME,
        checks=(with_hole_card,),
    ),
)
