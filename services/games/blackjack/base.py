"""How a hand of Blackjack ends against the dealer's (58 Pa. Code 633a.7, 633a.11, 633c.5(t)): what all wagers on hands
share.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from services.games.blackjack.cards import TWENTY_ONE, dealer_draws
from services.games.blackjack.house import (
    ALL_BETS,
    BASE_WAGERS,
    OPTIONS,
    ORIGINAL_AND_SPLIT,
    HouseRules,
    house_rules,
)
from services.games.blackjack.round import Action, Hand, Seat

if TYPE_CHECKING:
    from services.games.terms import Terms

__all__ = ["BASE_WAGERS", "OPTIONS", "collected", "dealer_finished", "hand_line", "outcome", "undecided"]

BLACKJACK, WIN, PUSH, SURRENDER = "blackjack", "win", "push", "surrender"


def outcome(seat: Seat, number: int) -> str | None:
    """How a hand ends by its cards: `blackjack`, `win`, `push`, `surrender`, or None for a loss.

    A dealer's Blackjack takes any hand but a Blackjack, a surrendered one too.
    """
    hand = seat.hands[number]
    if hand.blackjack:
        return PUSH if seat.dealer_blackjack else BLACKJACK
    if seat.dealer_blackjack or hand.bust:
        return None
    if Action.SURRENDER in hand.actions:
        return SURRENDER
    dealer = seat.dealer_total
    if dealer > TWENTY_ONE or hand.total > dealer:
        return WIN
    return PUSH if hand.total == dealer else None


def hand_line(seat: Seat) -> str | None:
    """The line of the Blackjack wager, on the seat's first hand: its outcome, or `even_money` where that was taken."""
    return "even_money" if Action.EVEN_MONEY in seat.hands[0].actions else outcome(seat, 0)


def undecided(hands: Sequence[Hand]) -> bool:
    """Whether any of the hands waits for the dealer's: not bust, not surrendered, no Blackjack."""
    return any(not (each.bust or each.blackjack or Action.SURRENDER in each.actions) for each in hands)


def dealer_finished(seat: Seat, terms: "Terms") -> bool:
    """Whether the dealer drew to the end: he may stop where every hand was decided without him."""
    return seat.dealer_blackjack or not dealer_draws(seat.dealer, hits_soft_17=house_rules(terms).hits_soft_17)


def collected(rules: HouseRules, *, split: bool) -> bool:
    """Whether a dealer's Blackjack found after play takes the stake of a split, or that of a double."""
    return rules.dealer_blackjack == ALL_BETS or (split and rules.dealer_blackjack == ORIGINAL_AND_SPLIT)
