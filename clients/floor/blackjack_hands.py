"""One round of Blackjack from a shoe: the seats' hands in order, then the dealer's, as the floor records them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from casino.floor.v1 import events_pb2 as floor
from clients.floor.blackjack_player import ENDING, HandInPlay, Strategist, allowed_for, one_card
from services.games.blackjack.cards import TWENTY_ONE, dealer_draws, is_blackjack
from services.games.blackjack.house import COMMUNITY, OWN_CARDS, HouseRules
from services.games.blackjack.round import Action, Switch
from services.kernel.cards import Card

POSITIONS = 3
Hands = Mapping[int, list[HandInPlay]]
"""The hands of each seat."""


@dataclass
class Sitting:
    """Who plays a round: the player of each seat, those with a switch hand, those dealt a card more to two sevens.

    `completes`: the dealer draws to the end though no hand waits for it. `at_once`: both hands of a split get their
    second card before either is played, which is no Pennsylvania procedure (633a.11(b)).
    """

    players: Mapping[int, Strategist]
    switching: frozenset[int] = frozenset()
    sevens: frozenset[int] = frozenset()
    completes: bool = False
    at_once: bool = False


class Deal:
    """Deals one round by the house rules from the next cards of a shoe."""

    def __init__(self, shoe: Iterator[Card], rules: HouseRules, sitting: Sitting) -> None:
        self._shoe, self._rules, self._sitting = shoe, rules, sitting
        self.dealer: list[Card] = []
        self.community: list[Card] = []
        self.positions: dict[int, int] = {}
        self.switches: dict[int, tuple[Switch, list[Card]]] = {}
        self.hands: dict[int, list[HandInPlay]] = {}

    def played(self) -> floor.BlackjackResult:
        """The round, played to its end."""
        if self._rules.dealing == OWN_CARDS:
            self._own_cards()
        else:
            self._shared_cards()
        return self._recorded()

    def _own_cards(self) -> None:
        seats = list(self._sitting.players)
        first = {seat: [next(self._shoe)] for seat in seats}
        self.dealer.append(next(self._shoe))
        for seat in seats:
            first[seat].append(next(self._shoe))
        self.dealer.append(next(self._shoe))
        for seat in seats:
            self.hands[seat] = [HandInPlay(0, self._switched(seat, first[seat]))]
        for seat in seats:
            self._play(seat, lambda: next(self._shoe))
        self._draw_to_end()

    def _switched(self, seat: int, upcards: list[Card]) -> list[Card]:
        if seat not in self._sitting.switching:
            return upcards
        switch_hand = [next(self._shoe), next(self._shoe)]
        if self._sitting.players[seat].switches(upcards):
            self.switches[seat] = Switch.SWITCHED, upcards
            return switch_hand
        self.switches[seat] = Switch.KEPT, []
        return upcards

    def _shared_cards(self) -> None:
        """Every terminal cuts the one sequence of community cards by its own decisions (633c.5(q), (y) to (bb))."""
        hole = self._rules.dealing == COMMUNITY
        count = POSITIONS if hole else 1
        first = [[next(self._shoe)] for _ in range(count)]
        self.dealer.append(next(self._shoe))
        for cards in first:
            cards.append(next(self._shoe))
        if hole:
            self.dealer.append(next(self._shoe))
        for place, seat in enumerate(self._sitting.players):
            self.positions[seat] = place % count + 1
            self.hands[seat] = [HandInPlay(0, list(first[place % count]))]
            taken = self._community()
            self._play(seat, lambda taken=taken: next(taken))  # type: ignore[misc]  # the default binds this seat's cut
            if not hole and any(not _lost(hand) for hand in self.hands[seat]):
                self._draw([self.dealer[0], next(taken)], lambda taken=taken: next(taken))  # type: ignore[misc]  # same
        if hole:
            self._draw_to_end()

    def _community(self) -> Iterator[Card]:
        number = 0
        while True:
            if number == len(self.community):
                self.community.append(next(self._shoe))
            yield self.community[number]
            number += 1

    def _play(self, seat: int, draw: Callable[[], Card]) -> None:
        hands, player = self.hands[seat], self._sitting.players[seat]
        if self.dealer[0].rank == "A":
            hands[0].actions += player.before(hands[0], self.dealer[0])
        if not (self._rules.peeks and is_blackjack(self.dealer)) and Action.EVEN_MONEY not in hands[0].actions:
            self._play_hand(hands, 0, player, draw)

    def _play_hand(self, hands: list[HandInPlay], number: int, player: Strategist, draw: Callable[[], Card]) -> None:
        hand, children = hands[number], list[HandInPlay]()
        if len(hand.cards) == 1:
            hand.cards.append(draw())
        while hand.total < TWENTY_ONE:
            allowed = allowed_for(hand, len(hands), self._rules)
            if one_card(hand, self._rules):
                if not (allowed.split and self._rules.resplit_aces):
                    break
                action = Action.SPLIT
            else:
                action = player.decides(hand, self.dealer[0], allowed)
            hand.actions.append(action)
            if action is Action.SPLIT:
                child = HandInPlay(len(hands), [hand.cards.pop()], number)
                hands.append(child)
                children.append(child)
            if action not in (Action.STAND, Action.SURRENDER):
                hand.cards.append(draw())
            if action is Action.SPLIT and self._sitting.at_once:
                child.cards.append(draw())
            if action in ENDING:
                break
        for child in reversed(children):
            self._play_hand(hands, child.number, player, draw)

    def _draw_to_end(self) -> None:
        waits = any(hand.waits for hands in self.hands.values() for hand in hands)
        if waits or self._sitting.completes:
            self._draw(self.dealer, lambda: next(self._shoe))

    def _draw(self, cards: list[Card], draw: Callable[[], Card]) -> None:
        while dealer_draws(cards, hits_soft_17=self._rules.hits_soft_17):
            cards.append(draw())

    def _recorded(self) -> floor.BlackjackResult:
        return floor.BlackjackResult(
            hands=[self._hand(seat, hand) for seat, hands in self.hands.items() for hand in hands],
            dealer=texts(self.dealer),
            community=texts(self.community),
        )

    def _hand(self, seat: int, hand: HandInPlay) -> floor.BlackjackHand:
        recorded = floor.BlackjackHand(
            seat=seat, hand_no=hand.number, cards=texts(hand.cards), split_from=hand.split_from or 0
        )
        recorded.actions.extend(floor.BlackjackAction.ValueType(action) for action in hand.actions)
        if hand.number:
            return recorded
        recorded.position = self.positions.get(seat, 0)
        switch, discarded = self.switches.get(seat, (Switch.NONE, []))
        recorded.switch_hand = floor.BlackjackSwitch.ValueType(switch)
        recorded.discarded.extend(texts(discarded))
        if seat in self._sitting.sevens and is_blackjack(self.dealer) and [c.rank for c in hand.cards] == ["7", "7"]:
            recorded.extra_card = str(next(self._shoe))
        return recorded


def texts(cards: Sequence[Card]) -> list[str]:
    """The cards as the floor writes them."""
    return [str(card) for card in cards]


def _lost(hand: HandInPlay) -> bool:
    return hand.total > TWENTY_ONE or Action.SURRENDER in hand.actions
