"""Rounds of Blackjack as they can be dealt and played at a table, by any choice the rules leave."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any

from services.games.blackjack.cards import TWENTY_ONE, VALUES, dealer_draws, is_blackjack, total_of
from services.games.blackjack.house import (
    COMMUNITY,
    OWN_CARDS,
    PREMIUM,
    SWITCH_HANDS,
    HouseRules,
    house_rules,
)
from services.games.blackjack.round import Action, Switch
from services.games.terms import Terms
from services.kernel.cards import CARDS, Card

PACKS = ("", "A 10 J Q K", "7 8 A", "2 3 4 5", "9 10 8 7")
"""What the cards that come first are chosen from, so that Blackjacks, pairs and long hands are not rare."""

SEATS = 7
SWITCHES = {SWITCH_HANDS: (Switch.KEPT, Switch.SWITCHED), PREMIUM: tuple(Switch)}


@dataclass
class Played:
    """One hand while it is played."""

    number: int
    cards: list[Card]
    split_from: int = 0
    actions: list[Action] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether the hand is decided without the dealer's cards."""
        return self.total > TWENTY_ONE or Action.SURRENDER in self.actions

    @property
    def total(self) -> int:
        """What the hand counts."""
        return total_of(self.cards)[0]


class Dealing:
    """One round, dealt from a shuffled shoe by a player who chooses at random among what is allowed."""

    def __init__(self, random: Random, terms: Terms, *, finished: bool) -> None:
        self.random, self.rules, self.finished = random, house_rules(terms), finished
        self.shoe = list(_shuffled(random, terms.decks))

    def message(self) -> Any:
        """The result as the floor sends it."""
        return self._own_cards() if self.rules.dealing == OWN_CARDS else self._community()

    def _next(self) -> Card:
        return self.shoe.pop()

    def _own_cards(self) -> Any:
        dealer = [self._next(), self._next()]
        seats = {seat: self._seat([self._next(), self._next()], dealer, self.shoe) for seat in range(1, SEATS + 1)}
        self._dealer(dealer, [hand for hands in seats.values() for hand in hands])
        return self._result(seats, dealer, [])

    def _community(self) -> Any:
        """Every terminal plays the same community cards, cut as it decides."""
        hole = self.rules.dealing == COMMUNITY
        dealer = [self._next() for _ in range(1 + hole)]
        positions = [[self._next(), self._next()] for _ in range(3 if hole else 1)]
        chosen = {seat: self.random.randrange(len(positions)) for seat in range(1, SEATS + 1)}
        cards, used, seats = list(reversed(self.shoe)), 0, {}
        for seat, position in chosen.items():
            rest = list(reversed(cards))
            seats[seat] = self._seat(list(positions[position]), dealer, rest)
            if not hole and any(not hand.over for hand in seats[seat]):
                own = [dealer[0], rest.pop()]
                self._draw(own, rest)
            used = max(used, len(cards) - len(rest))
        self.shoe = self.shoe[: len(self.shoe) - used]
        if hole:
            self._dealer(dealer, [hand for hands in seats.values() for hand in hands])
        return self._result(seats, dealer, cards[:used], {seat: each + 1 for seat, each in chosen.items()})

    def _dealer(self, dealer: list[Card], hands: Sequence[Played]) -> None:
        open_hands = any(not hand.over and not _natural(hand) for hand in hands)
        if open_hands or self.finished:
            self._draw(dealer, self.shoe)

    def _draw(self, dealer: list[Card], shoe: list[Card]) -> None:
        while dealer_draws(dealer, hits_soft_17=self.rules.hits_soft_17):
            dealer.append(shoe.pop())

    def _seat(self, cards: list[Card], dealer: list[Card], shoe: list[Card]) -> list[Played]:
        """A seat's hands, played to the end with cards of this shoe."""
        hands = [Played(0, cards)]
        if dealer[0].rank == "A" and self.random.random() < 0.5:
            hands[0].actions.append(Action.INSURANCE)
        if dealer[0].rank == "A" and is_blackjack(cards) and self.random.random() < 0.5:
            hands[0].actions = [Action.EVEN_MONEY]
        elif not (self.rules.peeks and is_blackjack(dealer)):
            self._play(hands, 0, shoe)
        return hands

    def _play(self, hands: list[Played], number: int, shoe: list[Card]) -> None:
        hand, children = hands[number], list[int]()
        while hand.total < TWENTY_ONE:
            allowed = list(_allowed(hand, hands, self.rules))
            if not allowed:
                break
            action = self.random.choice(allowed)
            hand.actions.append(action)
            if action is Action.SPLIT:
                children.append(len(hands))
                hands.append(Played(len(hands), [hand.cards.pop()], number))
                hand.cards.append(shoe.pop())
            if action in (Action.HIT, Action.DOUBLE):
                hand.cards.append(shoe.pop())
            if action in (Action.STAND, Action.DOUBLE, Action.SURRENDER):
                break
        for child in reversed(children):
            hands[child].cards.append(shoe.pop())
            self._play(hands, child, shoe)

    def _result(
        self,
        seats: dict[int, list[Played]],
        dealer: list[Card],
        community: list[Card],
        positions: dict[int, int] | None = None,
    ) -> Any:
        hands = []
        for seat, played in seats.items():
            given = [self._hand(seat, hand, (positions or {}).get(seat, 0)) for hand in played]
            self._extras(given[0], played[0], dealer)
            hands += given
        return SimpleNamespace(hands=hands, dealer=list(map(str, dealer)), community=list(map(str, community)))

    def _hand(self, seat: int, hand: Played, position: int) -> Any:
        return SimpleNamespace(
            seat=seat,
            hand_no=hand.number,
            cards=list(map(str, hand.cards)),
            actions=list(map(int, hand.actions)),
            split_from=hand.split_from,
            position=0 if hand.number else position,
            switch_hand=0,
            discarded=[],
            extra_card="",
        )

    def _extras(self, given: Any, first: Played, dealer: list[Card]) -> None:
        if self.rules.code in SWITCHES:
            given.switch_hand = int(self.random.choice(SWITCHES[self.rules.code]))
        if given.switch_hand == Switch.SWITCHED:
            given.discarded = [str(self._next()), str(self._next())]
        if len(dealer) > 1 and is_blackjack(dealer[:2]) and [each.rank for each in first.cards] == ["7", "7"]:
            given.extra_card = str(self._next())


def _natural(hand: Played) -> bool:
    return is_blackjack(hand.cards) and Action.SPLIT not in hand.actions and not hand.number


def _allowed(hand: Played, hands: Sequence[Played], rules: HouseRules) -> Iterator[Action]:
    """What may be done with a hand of less than 21."""
    split = bool(hand.number) or Action.SPLIT in hand.actions
    ace = hand.cards[0].rank == "A"
    one_card = split and ace and not rules.draw_to_split_aces
    if not one_card:
        yield from (Action.HIT, Action.STAND)
    if len(hand.cards) > 2:
        return
    if not one_card and (rules.double_after_split or not split):
        yield Action.DOUBLE
    if rules.surrender and not split:
        yield Action.SURRENDER
    first, second = hand.cards
    pair = VALUES[first.rank] == VALUES[second.rank]
    if pair and len(hands) < rules.most_hands and (rules.resplit_aces or not (split and ace)):
        yield from (Action.SPLIT, Action.SPLIT)


def _shuffled(random: Random, decks: int) -> Iterator[Card]:
    cards = list(CARDS.values()) * decks
    random.shuffle(cards)
    ranks = random.choice(PACKS).split()
    yield from (card for card in cards if card.rank not in ranks)
    yield from (card for card in cards if card.rank in ranks)


def dealt_round(random: Random, terms: Terms, *, finished: bool = True) -> Any:
    """A result of one round at that table, as the floor sends it; every seat plays. `finished`: the dealer draws to the
    end even where no hand waits for him.
    """
    return Dealing(random, terms, finished=finished).message()
