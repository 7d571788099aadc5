"""A round of Blackjack as it was recorded (58 Pa. Code 633a.7, 633c.5): each seat's hands, and the dealer's cards.

What a side wager asks is asked of a seat. On a hybrid table without a hole card every terminal cuts the one sequence
of cards differently (633c.5(y) to (bb)), so that each seat has a dealer's hand of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from services.games.blackjack.cards import TWENTY_ONE, dealer_draws, is_blackjack, total_of
from services.kernel.cards import CARDS, Card, card
from services.kernel.errors import IllegalPlay, ResultMissing


class Action(IntEnum):
    """What a player did with a hand, numbered as in the contract."""

    HIT = 1
    STAND = 2
    DOUBLE = 3
    SPLIT = 4
    SURRENDER = 5
    INSURANCE = 6
    EVEN_MONEY = 7

    @property
    def word(self) -> str:
        """The action for a reader."""
        return self.name.lower().replace("_", " ")


class Switch(IntEnum):
    """What became of the two switch cards, numbered as in the contract (633c.4)."""

    NONE = 0
    KEPT = 1
    SWITCHED = 2


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a seat in its final cards, deal order; `split_from` is the hand whose second card it took, if any."""

    number: int
    cards: tuple[Card, ...]
    actions: tuple[Action, ...] = ()
    split_from: int | None = None
    split: bool = False
    total: int = field(init=False, repr=False, compare=False)
    soft: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        total, soft = total_of(self.cards)
        object.__setattr__(self, "total", total)
        object.__setattr__(self, "soft", soft)

    @property
    def bust(self) -> bool:
        """Whether the hand counts more than 21."""
        return self.total > TWENTY_ONE

    @property
    def blackjack(self) -> bool:
        """Whether this is the two cards dealt first, an ace and a ten: never a hand that was split."""
        return not self.split and is_blackjack(self.cards)


@dataclass(frozen=True, slots=True)
class Seat:
    """What was dealt to one seat, and the dealer's hand that it plays against.

    `position` is the one that a terminal of a hybrid table chose, 0 elsewhere; `discarded` the two upcards that a
    player gave away for the switch hand; `extra_card` the one dealt to a pair of sevens on a dealer Blackjack
    (633c.9(d)(4)).
    """

    number: int
    hands: tuple[Hand, ...]
    dealer: tuple[Card, ...]
    position: int = 0
    switch: Switch = Switch.NONE
    discarded: tuple[Card, ...] = ()
    extra_card: Card | None = None

    @property
    def first_two(self) -> tuple[Card, Card]:
        """The two cards that the seat plays, as dealt, whatever was split later (ruling K14)."""
        first = self.hands[0]
        children = self.children(0)
        return first.cards[0], children[0].cards[0] if children else first.cards[1]

    @property
    def next_card(self) -> Card | None:
        """The card the player received next after the two, or None (ruling K7)."""
        children, cards = self.children(0), self.hands[0].cards
        if len(children) > 1:
            return children[1].cards[0]
        if children:
            return cards[1]
        return cards[2] if len(cards) > 2 else self.extra_card

    @property
    def upcard(self) -> Card:
        """The dealer's first card."""
        return self.dealer[0]

    @property
    def hole(self) -> Card:
        """The dealer's second card."""
        return self.dealer[1]

    @property
    def dealer_blackjack(self) -> bool:
        """Whether the dealer's first two cards are an ace and a ten."""
        return is_blackjack(self.dealer[:2])

    @property
    def dealer_total(self) -> int:
        """What the dealer's cards count; more than 21 is a bust."""
        return total_of(self.dealer)[0]

    @property
    def dealer_bust(self) -> bool:
        """Whether the dealer's cards count more than 21."""
        return self.dealer_total > TWENTY_ONE

    @property
    def blackjack(self) -> bool:
        """Whether the two cards are a Blackjack that was not split."""
        return self.hands[0].blackjack

    @property
    def switched(self) -> bool:
        """Whether the player plays the switch hand."""
        return self.switch is Switch.SWITCHED

    def hand(self, number: int) -> Hand | None:
        """The hand of that number, or None."""
        return self.hands[number] if 0 <= number < len(self.hands) else None

    def children(self, number: int) -> list[Hand]:
        """The hands split from that one, in the order of the splits."""
        return [each for each in self.hands if each.split_from == number]


class Table(NamedTuple):
    """A round: the seats that played by number, the dealer's cards and, on a hybrid table, the community cards.

    `dealer` is the upcard alone where the dealer takes no hole card.
    """

    seats: Mapping[int, Seat]
    dealer: tuple[Card, ...]
    community: tuple[Card, ...] = ()

    def seat(self, number: int) -> Seat:
        """What was dealt to a seat. Raises ResultMissing where the round has no hand of it."""
        found = self.seats.get(number)
        if found is None:
            seats = ", ".join(map(str, self.seats))
            raise ResultMissing(f"expected a hand of seat {number}, given those of seats {seats}")
        return found

    @property
    def positions(self) -> bool:
        """Whether this is a hybrid table, whose terminals choose a position."""
        return any(seat.position for seat in self.seats.values())

    @property
    def hole_card(self) -> bool:
        """Whether the dealer takes a hole card."""
        return len(self.dealer) > 1


def shown(first_two: Sequence[Card], dealer: Sequence[Card], next_card: Card | None = None, seat: int = 1) -> Table:
    """A round in which one seat plays these cards, for an analysis; nothing is checked."""
    drawn = () if next_card is None else (next_card,)
    hand = Hand(0, (*first_two, *drawn), (Action.HIT,) * len(drawn))
    return Table({seat: Seat(seat, (hand,), tuple(dealer))}, tuple(dealer))


def read_round(messages: Sequence[Any], decks: int, previous: Any = None) -> Table:
    """The history of one recorded result: an object with `hands`, `dealer` and `community`; a hand has `seat`,
    `hand_no`, `cards`, `actions`, `split_from`, `position`, `switch_hand`, `discarded` and `extra_card`.

    Raises ResultMissing, CardUnknown, IllegalPlay; the last also for more copies of a card than `decks` hold.
    """
    if len(messages) != 1:
        raise ResultMissing(f"expected one result in a round of Blackjack, given {len(messages)}")
    message = messages[0]
    dealer, community = _cards(message.dealer), _cards(message.community)
    by_seat: dict[int, list[Any]] = {}
    for hand in message.hands:
        by_seat.setdefault(hand.seat, []).append(hand)
    if not by_seat or not dealer:
        raise IllegalPlay(
            f"expected a dealer's hand and a player's, given {len(dealer)} cards and {len(by_seat)} seats"
        )
    seats = {number: _seat(number, by_seat[number], dealer, community) for number in sorted(by_seat)}
    table = Table(MappingProxyType(seats), dealer, community)
    _check_copies(table, decks)
    return table


def _seat(number: int, messages: Sequence[Any], dealer: tuple[Card, ...], community: tuple[Card, ...]) -> Seat:
    given = sorted(messages, key=lambda each: int(each.hand_no))
    if [each.hand_no for each in given] != list(range(len(given))):
        numbers = ", ".join(str(each.hand_no) for each in given)
        raise IllegalPlay(f"expected hands of seat {number} numbered from 0, given {numbers}")
    split = len(given) > 1
    hands = tuple([_hand(number, each, split=split) for each in given])
    first = given[0]
    if len(dealer) == 1:
        dealer += _rest(hands, dealer, community)
    extra = _cards([first.extra_card])[0] if first.extra_card else None
    if first.switch_hand not in set(Switch):
        raise IllegalPlay(f"expected a switch hand of 0 to {max(Switch)} at seat {number}, given {first.switch_hand}")
    return Seat(number, hands, dealer, first.position, Switch(first.switch_hand), _cards(first.discarded), extra)


def _hand(seat: int, message: Any, *, split: bool) -> Hand:
    number, cards = int(message.hand_no), _cards(message.cards)
    if len(cards) < 2:
        raise IllegalPlay(f"expected two cards or more in hand {number} of seat {seat}, given {len(cards)}")
    parent = int(message.split_from) if number else None
    if parent is not None and not 0 <= parent < number:
        raise IllegalPlay(f"expected hand {number} of seat {seat} split from one before it, given {parent}")
    try:
        actions = tuple([Action(each) for each in message.actions])
    except ValueError:
        raise IllegalPlay(f"expected actions of 1 to {len(Action)}, given {list(message.actions)}") from None
    return Hand(number, cards, actions, parent, split)


def _rest(hands: Sequence[Hand], upcard: tuple[Card, ...], community: tuple[Card, ...]) -> tuple[Card, ...]:
    """What the dealer draws of the community cards where he takes no hole card: after the player's (633c.5(bb)).

    He stands on every 17.
    """
    taken = sum(len(hand.cards) for hand in hands) - 2
    end = taken + 1
    while end < len(community) and dealer_draws(upcard + community[taken:end], hits_soft_17=False):
        end += 1
    return community[taken:end]


def _cards(texts: Sequence[str]) -> tuple[Card, ...]:
    try:
        return tuple([CARDS[text] for text in texts])
    except KeyError:
        return tuple([card(text) for text in texts])


def _check_copies(table: Table, decks: int) -> None:
    seats = table.seats.values()
    dealt = [*table.dealer, *table.community]
    if table.positions:
        # Terminals at one position share its two cards, and all of them the community's.
        for first_two in {seat.position: seat.first_two for seat in seats}.values():
            dealt += first_two
    else:
        dealt += [each for seat in seats for hand in seat.hands for each in hand.cards]
    for seat in seats:
        dealt += seat.discarded
        dealt += [seat.extra_card] if seat.extra_card else []
    if len(dealt) <= decks:
        return
    for each in set(dealt):
        if (found := dealt.count(each)) > decks:
            raise IllegalPlay(f"{decks} decks hold {each} {decks} times: it was recorded {found} times")
