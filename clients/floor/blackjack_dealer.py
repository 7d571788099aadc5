"""The dealer of Blackjack: rounds from shuffled shoes, with the stakes that players add while they play."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import TypeAlias

from casino.floor.v1 import events_pb2 as floor
from clients.floor.blackjack_hands import Deal, Sitting
from clients.floor.blackjack_player import Whimsical
from clients.floor.dealer import Dealer, Made, Round, placed
from clients.floor.house import House, Table
from clients.floor.patrons import Choice
from clients.floor.shoe import Shoe
from services.games.blackjack.base import BASE_WAGERS
from services.games.blackjack.house import PREMIUM, SWITCH_HANDS, house_rules
from services.games.blackjack.round import Action
from services.games.blackjack.round import Table as Played
from services.games.catalogue import wager
from services.games.results import read_history
from services.games.settlement import settle_round

COMPLETED = ("blackjack.axman", "blackjack.buster")
"""While one of these stands the dealer draws to the end (ruling K9)."""

BEHIND_CUT, OF_MANY_DECKS = {1: (40, 40), 2: (60, 80)}, (80, 120)
"""How many cards are kept for the last round of a shoe, fewest and most; a single deck is shuffled for each."""

SEVENS = ("blackjack.blazing_7s",)
DOUBLE, SPLIT, INSURANCE, PRESS = (
    "blackjack.double",
    "blackjack.split",
    "blackjack.insurance",
    "blackjack.trilux_press",
)
TRILUX = "blackjack.trilux"
STATED_PAYS = (0, 1, 3)
"""Times its stake that a wager pays whose price the floor states: nothing, a push, 2 to 1."""

Kind: TypeAlias = "floor.StakeKind.ValueType"
Added: TypeAlias = tuple["Kind", Made]
"""A stake added in play and its kind."""


class BlackjackDealer(Dealer):
    """Deals Blackjack; a shoe is changed when its cut card has come out."""

    def __init__(self, house: House, table: Table, day: date, seed: int, *, staged: bool) -> None:
        super().__init__(house, table, day, seed, staged=staged)
        self._rules = house_rules(table.terms)
        self._shoe: Shoe

    def _begin(self, at: datetime) -> None:
        self._change_shoe(1, at)

    def _next(self, at: datetime) -> tuple[int, int]:
        if self._shoe.finished:
            self._change_shoe(self._shoe.number + 1, at)
        self._round_no += 1
        return self._shoe.number, self._round_no

    def _change_shoe(self, number: int, at: datetime) -> None:
        changed = floor.ShoeChanged(table_id=self.table.table_id, shoe=number)
        self._send(at, floor.Event(shoe_changed=changed))
        decks = self.table.terms.decks
        self._shoe, self._round_no = Shoe(number, decks, self.random, BEHIND_CUT.get(decks, OF_MANY_DECKS)), 0

    def _round(self, moment: Round) -> None:
        self._company.change()
        made = self._opening(moment)
        opening = [each.wager for each in made]
        result = self._dealt(made)
        history = read_history("blackjack", [result.blackjack], self.table.terms.decks)
        added = list(self._added(made, history, moment))
        made += [each for _, each in added]
        result.stated_payouts.extend(self._stated(made))
        self._pay(made, self._settled([result], made))
        self.done.rounds += 1
        self.done.tray.level(moment.at(4))
        if self.staged:
            self._send_stages(moment, opening, added, result)
        else:
            self._send_whole(moment, [each.wager for each in made], result)

    def _dealt(self, made: Sequence[Made]) -> floor.Result:
        """What is dealt and played with these wagers on the felt; a round without wagers has one seat that plays."""
        codes = {each.wager.code for each in made}
        seats = sorted({each.wager.seat for each in made if each.wager.code in BASE_WAGERS}) or [1]
        antes = {each.wager.seat for each in made if each.wager.code == f"{PREMIUM}_ante"}
        sitting = Sitting(
            {seat: Whimsical(self.random) for seat in seats},
            frozenset(seats if self._rules.code == SWITCH_HANDS else antes),
            frozenset(each.wager.seat for each in made if each.wager.code in SEVENS),
            completes=not codes.isdisjoint(COMPLETED),
        )
        deal = Deal(self._shoe.draw(), self._rules, sitting)
        return floor.Result(blackjack=deal.played())

    def _added(self, made: Sequence[Made], history: Played, moment: Round) -> Iterator[Added]:
        """Stakes that players add, in the order of their hands, each with its kind."""
        bases = {each.wager.seat: each for each in made if each.wager.code in BASE_WAGERS}
        number = len(made)
        for base in bases.values():
            for kind, choice in self._choices_of(base, made, history):
                if choice.code in self.table.terms.offers and self._allowed(choice):
                    number += 1
                    self._collect(base.patron, [choice], moment.at(3))
                    yield kind, Made(base.patron, self.wager(number, base.patron, choice))

    def _allowed(self, choice: Choice) -> bool:
        offer = self.table.terms.offers[choice.code]
        return offer.minimum_cents <= choice.stake_cents <= (offer.maximum_cents or choice.stake_cents)

    def _choices_of(self, base: Made, made: Sequence[Made], history: Played) -> Iterator[tuple[Kind, Choice]]:
        stake, seat = base.wager.stake_cents, history.seat(base.wager.seat)
        for hand in seat.hands:
            on = str(hand.number)
            if Action.INSURANCE in hand.actions:
                yield floor.STAKE_KIND_INSURANCE, Choice(INSURANCE, stake // 2, "")
            if hand.number:
                yield floor.STAKE_KIND_SPLIT, Choice(SPLIT, stake, on)
            if Action.DOUBLE in hand.actions:
                yield floor.STAKE_KIND_DOUBLE, Choice(DOUBLE, stake, on)
        won = self._trilux_winnings(seat.number, made, history)
        if won and not seat.dealer_blackjack and not self.random.randrange(2):
            yield floor.STAKE_KIND_PRESS, Choice(PRESS, won, "0")

    def _trilux_winnings(self, seat: int, made: Sequence[Made], history: Played) -> int:
        """What a TriLux Deluxe wager of the seat won, which may be pressed (633c.11(e))."""
        wagers = [placed(each.wager) for each in made if (each.wager.seat, each.wager.code) == (seat, TRILUX)]
        found = settle_round(history, wagers, self.table.terms)
        return sum(
            each.payout_cents - wager.stake_cents for each, wager in zip(found, wagers, strict=True) if each.line
        )

    def _send_stages(
        self, moment: Round, opening: list[floor.Wager], added: Sequence[Added], result: floor.Result
    ) -> None:
        """The round in its pieces: each stake that was added in an event of its own or with others, then the result."""
        self._send_opening(moment, opening)
        bases = {wager.seat: wager.wager_no for wager in opening if wager.code in BASE_WAGERS}
        rest, item_no = list(added), 0
        while rest:
            count, item_no = self.random.randint(1, len(rest)), item_no + 1
            stakes = [
                floor.AddedStake(kind=kind, belongs_to=bases[each.wager.seat], wager=each.wager)
                for kind, each in rest[:count]
            ]
            event = floor.StakesAdded(table_id=self.table.table_id, item_no=item_no, stakes=stakes)
            self._send_piece(moment, 3, floor.Event(stakes_added=event))
            rest = rest[count:]
        dealt = floor.ResultDealt(table_id=self.table.table_id, result=result)
        self._send_piece(moment, 4, floor.Event(result=dealt))

    def _stated(self, made: Sequence[Made]) -> Iterator[floor.StatedPayout]:
        """What the floor says it paid on wagers whose price it states (ruling K13)."""
        for each in made:
            if wager(each.wager.code).settles == "stated":
                paid = each.wager.stake_cents * self.random.choice(STATED_PAYS)
                yield floor.StatedPayout(wager_no=each.wager.wager_no, payout_cents=paid)
