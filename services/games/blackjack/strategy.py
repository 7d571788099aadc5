"""One written basic strategy: by the player's total and the dealer's upcard, for four decks or more and a dealer who
stands on all 17s. Figures that depend on play name it; the simulator's players follow it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from services.games.blackjack.cards import VALUES, total_of
from services.games.blackjack.round import Action
from services.kernel.cards import Card

NAME = "basic strategy by total, no splits, Pennsylvania's house rules"
"""What an analysis assumes; its table is in docs/rulings.md."""

UPCARDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
"""What the dealer's upcard counts; the columns of the tables below."""

HARD = {
    # upcard: 23456789TA
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    11: "DDDDDDDDDH",
    12: "HHSSSHHHHH",
    13: "SSSSSHHHHH",
    14: "SSSSSHHHHH",
    15: "SSSSSHHHRH",
    16: "SSSSSHHRRR",
}
SOFT = {
    13: "HHHDDHHHHH",
    14: "HHHDDHHHHH",
    15: "HHDDDHHHHH",
    16: "HHDDDHHHHH",
    17: "HDDDDHHHHH",
    18: "SDDDDSSHHH",
}
PAIRS = {
    2: "PPPPPP....",
    3: "PPPPPP....",
    4: "...PP.....",
    6: "PPPPP.....",
    7: "PPPPPP....",
    8: "PPPPPPPPPP",
    9: "PPPPP.PP..",
    11: "PPPPPPPPPP",
}
"""Hit, Stand, Double, Surrender (R), sPlit. Totals below those named are hit, above them stood on. Where a double or a
surrender is not allowed a hand is hit, but a soft 18 stood on."""


class Allowed(NamedTuple):
    """What the rules let a player do with a hand now, besides hitting and standing."""

    double: bool = True
    surrender: bool = True
    split: bool = False


def advice(total: int, upcard: int, *, soft: bool, allowed: Allowed) -> Action:
    """What the strategy does with a total of less than 21; `upcard` as it counts, an ace 11."""
    table, lowest = (SOFT, 12) if soft else (HARD, 8)
    if total not in table:
        return Action.HIT if total <= lowest else Action.STAND
    letter = table[total][upcard - 2]
    if letter == "D":
        if allowed.double:
            return Action.DOUBLE
        return Action.STAND if soft and total == 18 else Action.HIT
    if letter == "R":
        return Action.SURRENDER if allowed.surrender else Action.HIT
    return Action.HIT if letter == "H" else Action.STAND


def played(cards: Sequence[Card], upcard: Card, allowed: Allowed) -> Action:
    """What the strategy does with a hand of less than 21, a split first."""
    counts = VALUES[upcard.rank]
    first, second = VALUES[cards[0].rank], VALUES[cards[1].rank]
    if allowed.split and len(cards) == 2 and first == second and PAIRS.get(first, "." * 10)[counts - 2] == "P":
        return Action.SPLIT
    total, soft = total_of(cards)
    return advice(total, counts, soft=soft, allowed=allowed)
