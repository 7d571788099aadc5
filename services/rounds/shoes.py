"""The shoe watch: a card seen more often than the decks allow is an exception on the table's record."""

from collections import Counter
from collections.abc import Iterable
from datetime import date

from casino.floor.v1 import events_pb2 as floor

ShoeKey = tuple[date, str, int]
"""A shoe of a table on a gaming day: the beginning of its rounds' keys."""


def cards_of(result: floor.Result) -> list[str]:
    """Every card that a result took from the shoe, each once; none of a game without cards."""
    game = result.WhichOneof("game")
    if game == "blackjack":
        return _cards_of_blackjack(result.blackjack)
    if game not in ("baccarat", "minibaccarat", "midibaccarat"):
        return []
    dealt = getattr(result, game)
    return [*dealt.player[:], *dealt.banker[:]]


def _cards_of_blackjack(dealt: floor.BlackjackResult) -> list[str]:
    """A split moves a card from one hand to another, so that the final hands show each once. The terminals of a hybrid
    table share the two cards of a position, and all of them the community cards.
    """
    first = [hand for hand in dealt.hands if hand.hand_no == 0]
    if any(hand.position for hand in first):
        positions = {hand.position: _first_two(hand, dealt) for hand in first}
        cards = [card for two in positions.values() for card in two]
    else:
        cards = [card for hand in dealt.hands for card in hand.cards]
    given = [card for hand in first for card in (*hand.discarded, hand.extra_card) if card]
    return [*dealt.dealer, *dealt.community, *cards, *given]


def _first_two(hand: floor.BlackjackHand, dealt: floor.BlackjackResult) -> list[str]:
    """The two cards dealt to a position: after a split the second is the first of the hand that took it."""
    split = [each for each in dealt.hands if each.seat == hand.seat and each.hand_no and each.split_from == 0]
    return [hand.cards[0], split[0].cards[0] if split else hand.cards[1]]


class Shoe:
    """The cards seen of one shoe. It is named once, at the first card too many."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._named = False

    def see(self, cards: Iterable[str], decks: int) -> tuple[str, int] | None:
        """The first card, with its count, that now shows more often than `decks` have it; None if the shoe is sound."""
        excess, seen = None, self._seen
        for card in cards:
            count = seen[card] = seen.get(card, 0) + 1
            if count > decks and not self._named:
                self._named, excess = True, (card, count)
        return excess

    def unsee(self, cards: Iterable[str], decks: int) -> None:
        """Takes cards back that were told wrong; a shoe that is sound then is named again at its next card too many."""
        self._seen.subtract(cards)
        self._named = any(count > decks for count in self._seen.values())
