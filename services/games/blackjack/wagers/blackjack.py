"""Blackjack wager (58 Pa. Code 633a.6(d), 633a.13): the seat's first hand against the dealer's.

House rules are options of this wager, which every table files: see services/games/blackjack/house.py.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from services.games.blackjack.base import hand_line
from services.games.blackjack.house import BLACKJACK, DECK_COUNTS, OPTIONS, hybrid_table
from services.games.blackjack.outcomes import main_law
from services.games.blackjack.round import Table
from services.games.blackjack.strategy import NAME
from services.games.paytables import PUSH, Cell, PartReturned, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager


def classify(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """`blackjack`, `even_money`, `win`, `push`, `surrender`, or None."""
    return hand_line(history.seat(placement.seat))


def distribution(paytable: str, decks: Any) -> Mapping[Line | None, Fraction]:
    """The base stake's lines under the written strategy; what a double adds is a wager of its own."""
    return main_law(decks)


_REST: dict[str, Cell] = {"even_money": to_one(1), "win": to_one(1), "push": PUSH, "surrender": PartReturned(1, 2)}

WAGERS = (
    Wager(
        code=BLACKJACK,
        section="633a.13",
        title="Blackjack",
        game="blackjack",
        classify=classify,
        paytables={
            "3 to 2": Paytable({"blackjack": to_one(3, 2), **_REST}),
            "6 to 5": Paytable({"blackjack": to_one(6, 5), **_REST}),
        },
        options=OPTIONS,
        distribution=distribution,
        assumes=f"{NAME}; a double is a wager of its own",
        kept_for=DECK_COUNTS,
        unreached={"even_money": "the strategy never takes it"},
        checks=(hybrid_table,),
    ),
)
