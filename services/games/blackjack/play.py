"""Replays a round by its table's rules and refuses it at the first step that could not have been dealt or played
(58 Pa. Code 633a.7 to 633a.11, 633c.4, 633c.5).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from services.games.blackjack.base import undecided
from services.games.blackjack.cards import TWENTY_ONE, VALUES, dealer_draws, is_blackjack, total_of
from services.games.blackjack.house import (
    COMMUNITY,
    NO_HOLE_CARD,
    OWN_CARDS,
    PREMIUM,
    SWITCH_HANDS,
    HouseRules,
    house_rules,
)
from services.games.blackjack.round import Action, Hand, Seat, Switch, Table
from services.kernel.cards import Card
from services.kernel.errors import IllegalPlay

if TYPE_CHECKING:
    from services.games.terms import Terms

POSITIONS = 3
CLOSING = (Action.STAND, Action.DOUBLE, Action.SURRENDER, Action.EVEN_MONEY)
BEFORE_PLAY = (Action.INSURANCE, Action.EVEN_MONEY)


def check_play(table: Table, terms: "Terms") -> None:
    """Holds a recorded round against the house rules. Raises IllegalPlay naming the first illegal step."""
    rules = house_rules(terms)
    _check_dealing(table, rules)
    used = 0
    for seat in table.seats.values():
        _check_dealt(seat, rules)
        drawn = _Replay(seat, rules).drawn
        if rules.dealing != OWN_CARDS:
            used = max(used, _check_community(seat, drawn, table, rules))
    if len(table.community) > used:
        raise IllegalPlay(f"expected {used} community cards used by a hand, given {len(table.community)}")
    _check_dealer(table, rules)


def _check_dealing(table: Table, rules: HouseRules) -> None:
    """The kind of table shows in what was recorded: positions and community cards, and whether there is a hole card."""
    found = OWN_CARDS
    if table.positions:
        found = COMMUNITY if table.hole_card else NO_HOLE_CARD
    if found != rules.dealing or (found == OWN_CARDS and (table.community or not table.hole_card)):
        shape = f"{found} with {len(table.community)} community cards and {len(table.dealer)} of the dealer's"
        raise IllegalPlay(f"expected a round dealt with {rules.dealing}, given {shape}")
    most = POSITIONS if found == COMMUNITY else 1
    chosen: dict[int, tuple[Card, Card]] = {}
    for seat in table.seats.values():
        if found != OWN_CARDS and not 1 <= seat.position <= most:
            raise IllegalPlay(f"seat {seat.number}: expected a position from 1 to {most}, given {seat.position}")
        if found != OWN_CARDS and chosen.setdefault(seat.position, seat.first_two) != seat.first_two:
            given = " ".join(map(str, seat.first_two))
            raise IllegalPlay(f"seat {seat.number}: expected the two cards of position {seat.position}, given {given}")


def _check_dealt(seat: Seat, rules: HouseRules) -> None:
    """What belongs to a variation or a side wager, and to no other table."""
    where = f"seat {seat.number}"
    allowed = {SWITCH_HANDS: (Switch.KEPT, Switch.SWITCHED), PREMIUM: tuple(Switch)}.get(rules.code, (Switch.NONE,))
    if seat.switch not in allowed:
        expected = " or ".join(each.name.lower() for each in allowed)
        raise IllegalPlay(f"{where}: expected a switch hand {expected}, given {seat.switch.name.lower()}")
    if len(seat.discarded) != (2 if seat.switched else 0):
        expected = "two upcards discarded" if seat.switched else "no card discarded"
        raise IllegalPlay(f"{where}: expected {expected}, given {len(seat.discarded)}")
    sevens = [each.rank for each in seat.first_two] == ["7", "7"]
    if seat.extra_card and not (seat.dealer_blackjack and sevens):
        raise IllegalPlay(f"{where}: expected no card after the round but to two sevens on a dealer Blackjack")


@dataclass
class _Replay:
    """One seat's play, hand after hand from the left: a hand is finished before the next gets cards (633a.11(b))."""

    seat: Seat
    rules: HouseRules
    drawn: list[Card] = field(default_factory=list)
    hands: int = 1

    def __post_init__(self) -> None:
        if self.rules.peeks and self.seat.dealer_blackjack:
            self._unplayed()
        else:
            self._play(self.seat.hands[0])

    def _unplayed(self) -> None:
        """A dealer's Blackjack that was looked for ends the round before anybody plays."""
        hand = self.seat.hands[0]
        for step, action in enumerate(hand.actions, start=1):
            if action not in BEFORE_PLAY:
                raise self.illegal(hand, step, "no play after the dealer's Blackjack", action.word)
        if len(self.seat.hands) > 1:
            raise self.illegal(hand, 1, "no play after the dealer's Blackjack", "another hand")
        _Steps(self, hand).run()

    def _play(self, hand: Hand) -> None:
        if hand.number:
            self.drawn.append(_second(self.seat, hand, 0))
        _Steps(self, hand).run()
        # A hand that comes of a split lies at the right of the one it was split from: the latest is played first.
        for child in reversed(self.seat.children(hand.number)):
            self._play(child)

    def illegal(self, hand: Hand, step: int, expected: str, given: str) -> IllegalPlay:
        where = f"seat {self.seat.number}, hand {hand.number}, step {step}"
        return IllegalPlay(f"{where}: expected {expected}, given {given}")


@dataclass
class _Steps:
    """The steps of one hand."""

    replay: _Replay
    hand: Hand
    closed: str = ""
    splits: int = 0
    taken: int = 2
    step: int = 0

    def run(self) -> None:
        for action in self.hand.actions:
            self.step += 1
            self._step(action)
        self.step += 1
        if self.splits != len(self.replay.seat.children(self.hand.number)):
            given = f"{len(self.replay.seat.children(self.hand.number))} hands split from it"
            raise self.illegal(f"{self.splits} hands split from it", given)
        if self.taken != len(self.hand.cards):
            raise self.illegal(f"{self.taken} cards", str(len(self.hand.cards)))
        self._check_end()

    def _cards(self) -> tuple[Card, ...]:
        return (self.hand.cards[0], _second(self.replay.seat, self.hand, self.splits), *self.hand.cards[2 : self.taken])

    def _step(self, action: Action) -> None:
        if action in BEFORE_PLAY:
            self._before_play(action)
            return
        if self.closed:
            raise self.illegal(f"nothing after {self.closed}", action.word)
        total = total_of(self._cards())[0]
        if action is Action.STAND:
            if total > TWENTY_ONE:
                raise self.illegal(f"nothing on {total}", action.word)
        elif total >= TWENTY_ONE:
            raise self.illegal(f"no card on {total}", action.word)
        else:
            self._act(action, total)
        self.closed = action.word if action in CLOSING else ""

    def _act(self, action: Action, total: int) -> None:
        if action is Action.SPLIT:
            self._split()
        elif action is Action.SURRENDER:
            self._surrender()
        elif action is Action.DOUBLE:
            self._double()
        elif self._one_card():
            raise self.illegal("one card on a split ace", action.word)
        if action in (Action.HIT, Action.DOUBLE):
            self.taken += 1
            if self.taken > len(self.hand.cards):
                raise self.illegal(f"a card to {total}", f"{action.word} without one")
            self.replay.drawn.append(self.hand.cards[self.taken - 1])

    def _before_play(self, action: Action) -> None:
        earlier = self.hand.actions[: self.step - 1]
        if self.hand.number or self.replay.seat.upcard.rank != "A" or earlier:
            raise self.illegal(f"{action.word} as the first step against an ace", action.word)
        if action is Action.EVEN_MONEY:
            if not self.hand.blackjack:
                raise self.illegal("even money for a Blackjack", f"{action.word} on {self.hand.total}")
            self.closed = action.word

    def _one_card(self) -> bool:
        """Whether this is a split ace that takes one card."""
        split = self.splits or self.hand.number
        return bool(split) and self.hand.cards[0].rank == "A" and not self.replay.rules.draw_to_split_aces

    def _split(self) -> None:
        rules = self.replay.rules
        first, second = self._cards()[:2]
        if self.taken > 2 or VALUES[first.rank] != VALUES[second.rank]:
            raise self.illegal("a split of two cards of one value", " ".join(map(str, self._cards())))
        if self.replay.hands >= rules.most_hands:
            raise self.illegal(f"at most {rules.most_hands} hands", "another split")
        if (self.splits or self.hand.number) and first.rank == "A" and not rules.resplit_aces:
            raise self.illegal("aces split once", "another split")
        children = self.replay.seat.children(self.hand.number)
        if self.splits >= len(children) or children[self.splits].number != self.replay.hands:
            raise self.illegal(f"hand {self.replay.hands} to come of the split", "no such hand")
        self.splits += 1
        self.replay.hands += 1
        self.replay.drawn.append(_second(self.replay.seat, self.hand, self.splits))

    def _surrender(self) -> None:
        if not self.replay.rules.surrender:
            raise self.illegal("a table's option", "surrender, which this table does not offer")
        if self.taken > 2 or self.splits or self.hand.number:
            raise self.illegal("surrender of the first two cards", "surrender later")

    def _double(self) -> None:
        split = self.splits or self.hand.number
        if self.taken > 2:
            raise self.illegal("double on two cards", f"double on {self.taken}")
        if self._one_card() or (split and not self.replay.rules.double_after_split):
            raise self.illegal(
                "no double after a split" if not self._one_card() else "one card on a split ace", "double"
            )

    def _check_end(self) -> None:
        """A hand ends with 21, a bust, a decision, or one card on a split ace; a countdown decides for the silent."""
        over = self.closed or self.hand.total >= TWENTY_ONE or self._one_card()
        unplayed = self.replay.rules.peeks and self.replay.seat.dealer_blackjack
        if not over and not unplayed and self.replay.rules.dealing == OWN_CARDS:
            raise self.illegal("hit, stand, double, split or surrender", f"nothing on {self.hand.total}")

    def illegal(self, expected: str, given: str) -> IllegalPlay:
        return self.replay.illegal(self.hand, self.step, expected, given)


def _second(seat: Seat, hand: Hand, splits: int) -> Card:
    """The second card of a hand after so many splits: the next split's, while one follows."""
    children = seat.children(hand.number)
    return children[splits].cards[0] if splits < len(children) else hand.cards[1]


def _check_community(seat: Seat, drawn: Sequence[Card], table: Table, rules: HouseRules) -> int:
    """Each hand takes the community cards in the order dealt (633c.5(q), (aa)); returns how many the seat used."""
    if tuple(drawn) != table.community[: len(drawn)]:
        expected, given = (" ".join(map(str, each)) for each in (table.community[: len(drawn)], drawn))
        raise IllegalPlay(f"seat {seat.number}: expected the community cards {expected}, given {given}")
    return len(drawn) + (len(seat.dealer) - 1 if rules.dealing == NO_HOLE_CARD else 0)


def _check_dealer(table: Table, rules: HouseRules) -> None:
    hands = [hand for seat in table.seats.values() for hand in seat.hands]
    if rules.dealing == NO_HOLE_CARD:
        for seat in table.seats.values():
            # A Blackjack too waits for the dealer's second card (633c.5(aa)(1)).
            needed = 2 if any(not hand.bust and Action.SURRENDER not in hand.actions for hand in seat.hands) else 1
            _check_drawn(seat.dealer, rules, f"against seat {seat.number} ", needed, open_hands=undecided(seat.hands))
    else:
        _check_drawn(table.dealer, rules, "", 2, open_hands=undecided(hands))


def _check_drawn(cards: Sequence[Card], rules: HouseRules, against: str, needed: int, *, open_hands: bool) -> None:
    """The dealer draws while the rules have him draw; he may stop before where every hand is decided."""
    for before, drawn in _draws(cards):
        if not dealer_draws(before, hits_soft_17=rules.hits_soft_17):
            total = "Blackjack" if is_blackjack(before) else str(total_of(before)[0])
            raise IllegalPlay(f"dealer, {against}card {len(before) + 1}: expected to stand on {total}, given {drawn}")
    if len(cards) < needed or (open_hands and dealer_draws(cards, hits_soft_17=rules.hits_soft_17)):
        held = total_of(cards)[0]
        raise IllegalPlay(f"dealer, {against}card {len(cards) + 1}: expected a card on {held}, given none")


def _draws(cards: Sequence[Card]) -> Iterator[tuple[Sequence[Card], Card]]:
    yield from ((cards[:number], cards[number]) for number in range(2, len(cards)))
