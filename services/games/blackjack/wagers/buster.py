"""Buster Blackjack (58 Pa. Code 633c.13): the dealer's hand passes 21, paid by the number of its cards.

The dealer completes the hand while the wager stands, though no player's hand is left (ruling K9). A table may file one
of two bonus payouts, B1 and B2, in the option `bonus`: a player whose first two cards are a Blackjack receives it,
beside the odds of a wager of at least $5, when the dealer busts with seven cards or with eight or more (633c.13(i)).

The section prints paytables A to F three times, for one, six and eight decks; they pay alike. Four decks have one of
their own.
"""

from services.games.blackjack.base import BASE_WAGERS, dealer_finished
from services.games.blackjack.dealer_busts import DEALER_BUSTS, DEALER_BUSTS_HITTING, MOST_CARDS
from services.games.blackjack.dealer_hands import HITS_SOFT_17, STANDS_ON_SOFT_17
from services.games.blackjack.round import Table
from services.games.paytables import Paytable, to_one
from services.games.terms import Terms
from services.games.wagers import PENDING, Alternative, Bonus, Line, Pending, Placement, Wager

BONUS = "bonus"
NO_BONUS = "none"
_LINES = {
    8: "eight_or_more_cards",
    7: "seven_cards",
    6: "six_cards",
    5: "five_cards",
    4: "four_cards",
    3: "three_cards",
}
"""The line by the number of cards with which the dealer busts."""

_WITH_BLACKJACK = {8: "eight_or_more_cards_with_blackjack", 7: "seven_cards_with_blackjack"}
"""The lines to which the bonus belongs: a player's Blackjack besides. Their odds are those of the line without."""

_PRINTED = {
    "A": (250, 50, 15, 4, 2, 2),
    "B": (200, 50, 15, 4, 2, 2),
    "C": (250, 50, 12, 4, 2, 2),
    "D": (200, 50, 12, 4, 2, 2),
    "E": (250, 50, 12, 3, 2, 2),
    "F": (250, 50, 20, 8, 2, 1),
}
"""633c.13(h) for one, six and eight decks: odds to one for eight or more, seven, six, five, four and three cards."""

_FOUR_DECKS = (250, 50, 15, 4, 2, 2)
_BONUSES = {"B1": (800_000, 100_000), "B2": (500_000, 100_000)}
"""633c.13(i): cents for eight or more and for seven cards."""


def classify(history: Table, placement: Placement, terms: Terms) -> Line | Pending | None:
    """The line of 633c.13(h), PENDING where the dealer's hand is not complete, or None where it did not bust."""
    seat = history.seat(placement.seat)
    if not seat.dealer_bust:
        return None if dealer_finished(seat, terms) else PENDING
    cards = min(len(seat.dealer), MOST_CARDS)
    return _WITH_BLACKJACK[cards] if seat.blackjack and cards in _WITH_BLACKJACK else _LINES[cards]


def _paytable(odds: tuple[int, ...], decks: tuple[int, ...]) -> Paytable:
    by_cards = dict(zip(_LINES, map(to_one, odds), strict=True))
    lines = {}
    for cards, line in _LINES.items():
        if cards in _WITH_BLACKJACK:
            lines[_WITH_BLACKJACK[cards]] = by_cards[cards]
        lines[line] = by_cards[cards]
    return Paytable(lines, decks=decks)


WAGERS = (
    Wager(
        code="blackjack.buster",
        section="633c.13",
        title="Buster Blackjack",
        game="blackjack",
        classify=classify,
        paytables={
            **{name: _paytable(odds, (1, 6, 8)) for name, odds in _PRINTED.items()},
            "four decks": _paytable(_FOUR_DECKS, (4,)),
        },
        sample=DEALER_BUSTS,
        needs=BASE_WAGERS,
        options={BONUS: (NO_BONUS, *_BONUSES)},
        bonus=Bonus(
            BONUS,
            500,
            {name: dict(zip(_WITH_BLACKJACK.values(), cents, strict=True)) for name, cents in _BONUSES.items()},
        ),
        assumes=STANDS_ON_SOFT_17,
        alternatives={
            HITS_SOFT_17: Alternative(DEALER_BUSTS_HITTING),
            **{
                f"{STANDS_ON_SOFT_17}, bonus {name} for a stake of $5": Alternative(DEALER_BUSTS, {BONUS: name})
                for name in _BONUSES
            },
        },
    ),
)
