"""TriLux Deluxe (58 Pa. Code 633c.11): the player's initial two cards and the dealer's upcard are a flush, a straight,
a three-of-a-kind or a straight flush.

The ace is high or low, never in the middle (ruling K8). The wager is at most twice the Blackjack wager (subsection
(c)), and its paytable goes with the decks (subsection (i)).

A player whose wager wins may cap the Blackjack wager with all or a part of the winnings: `blackjack.trilux_press`, a
stake added in the round. It lies on the hand it goes with, since each hand of a split needs one (subsection (g)), and
is paid even money where that hand wins, a Blackjack too (subsection (f)). Ruling K15: it is part of the Blackjack
wager, so a tie returns it and a surrender gives half of it up; nothing can be capped on a dealer Blackjack or without a
win, and such a press is returned.
"""

from fractions import Fraction

from services.games.blackjack.base import BASE_WAGERS, outcome
from services.games.blackjack.first_cards import THREE_CARDS, ThreeCards, three_cards
from services.games.blackjack.round import Table
from services.games.paytables import PUSH, VOID, PartReturned, Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import Line, Placement, Wager

_LINES = ("straight_flush", "three_of_a_kind", "straight", "flush")
_PRINTED = {
    "TLX-1": ((1,), (20, 15, 9, 6)),
    "TLX-2": ((2,), (20, 15, 9, 5)),
    "TLX-3": ((4, 6, 8), (25, 15, 8, 5)),
}
"""633c.11(h) and (i): decks; N to 1, in the order of the lines."""


def line_of(found: ThreeCards) -> Line | None:
    """The line of 633c.11(h), highest first, or None."""
    fits = (found.sequence and found.one_suit, found.one_rank, found.sequence, found.one_suit)
    return next((line for line, hit in zip(_LINES, fits, strict=True) if hit), None)


def classify(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """The line of the three cards, or None."""
    return line_of(three_cards(history.seat(placement.seat)))


def press(history: Table, placement: Placement, terms: Terms) -> Line | None:
    """`win`, `push` or `surrender` as the hand ends, `returned` where nothing could be capped, None for a loss."""
    seat = history.seat(placement.seat)
    number = int(placement.on)
    if seat.dealer_blackjack or number >= len(seat.hands) or line_of(three_cards(seat)) is None:
        return "returned"
    found = outcome(seat, number)
    return "win" if found == "blackjack" else found


WAGERS = (
    Wager(
        code="blackjack.trilux",
        section="633c.11",
        title="TriLux Deluxe",
        game="blackjack",
        classify=classify,
        paytables={
            name: Paytable(dict(zip(_LINES, map(to_one, odds), strict=True)), decks=decks)
            for name, (decks, odds) in _PRINTED.items()
        },
        sample=THREE_CARDS,
        needs=BASE_WAGERS,
        base_share=(Fraction(0), Fraction(2)),
    ),
    Wager(
        code="blackjack.trilux_press",
        section="633c.11",
        title="TriLux Deluxe Press",
        game="blackjack",
        classify=press,
        paytables={
            "standard": Paytable({"win": to_one(1), "push": PUSH, "surrender": PartReturned(1, 2), "returned": VOID})
        },
        needs=("blackjack.trilux",),
        # No more than the winnings of the highest line can be capped with.
        base_share=(Fraction(0), Fraction(25)),
        placements=("0", "1", "2", "3"),
        lock="in_play",
        depends_on="play",
    ),
)
