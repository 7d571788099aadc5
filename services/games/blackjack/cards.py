"""What cards count at Blackjack (58 Pa. Code 633a.3(e), 633c.5(h)): 2 to 10 their number, faces 10, an ace 11 or 1."""

from collections.abc import Sequence

from services.kernel.cards import RANKS, Card

VALUES = {rank: 11 if rank == "A" else min(number, 10) for number, rank in enumerate(RANKS, start=1)}
"""What a card counts, by its rank; an ace counts 1 where 11 would bring the hand over 21."""

TEN_VALUES = tuple(rank for rank in RANKS if VALUES[rank] == 10)
TWENTY_ONE = 21
STANDS = 17
"""The dealer draws up to here."""


def total_of(cards: Sequence[Card]) -> tuple[int, bool]:
    """What the cards count together, and whether an ace among them counts 11 (a soft total)."""
    total, aces = 0, 0
    for each in cards:
        total += VALUES[each.rank]
        aces += each.rank == "A"
    while total > TWENTY_ONE and aces:
        total -= 10
        aces -= 1
    return total, aces > 0


def is_blackjack(cards: Sequence[Card]) -> bool:
    """Whether these are two cards, an ace and one that counts 10 (633a.1)."""
    return len(cards) == 2 and VALUES[cards[0].rank] + VALUES[cards[1].rank] == TWENTY_ONE


def dealer_draws(cards: Sequence[Card], *, hits_soft_17: bool) -> bool:
    """Whether the dealer draws a card to these."""
    total, soft = total_of(cards)
    return total < STANDS or (hits_soft_17 and soft and total == STANDS)
