"""Dealers whose chips are settled by the auditor's naive prices, never by the engine that the services settle with."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as rounds
from clients.floor.blackjack_dealer import BlackjackDealer
from clients.floor.card_dealer import CardDealer
from clients.floor.croupier import Croupier
from clients.floor.dealer import Dealer, Made, Round
from clients.floor.patrons import Choice, Patron
from clients.floor.stickman import Stickman
from services.games.settlement import Settled
from tests.floor.auditor import is_side, payout
from tests.month.drawer import Drawer


@dataclass(frozen=True)
class Overpaying:
    """A dealer of a shift who pays each so many-th side wager as if it had won, `to_one` times its stake."""

    shift: int
    every: int = 40
    to_one: int = 10


class Priced(Dealer):
    """Before any dealer in the order of its bases: settles with the auditor's prices, keeps terminals apart."""

    drawer: Drawer
    habit: Overpaying | None = None
    king_9s: Sequence[tuple[str, str]] = ()
    _dealer = ""
    _sides = 0

    def _round(self, moment: Round) -> None:
        self._dealer = moment.dealer
        super()._round(moment)

    def _settled(self, results: Iterable[floor.Result], made: Sequence[Made]) -> list[Settled]:
        played = rounds.Round(history=list(results))
        if isinstance(before := self._previous(), floor.RouletteResult):
            played.previous.roulette.CopyFrom(before)
        return [self._priced(each.wager, played) for each in made]

    def _priced(self, wager: floor.Wager, played: rounds.Round) -> Settled:
        paid = payout(wager, played, self.king_9s)
        if paid is None:
            # At craps it stands until another roll; elsewhere it is returned.
            outcome = "pending" if wager.code.startswith("craps.") else "void"
            return Settled(wager.wager_no, outcome, "", 0, 0, ())
        return Settled(wager.wager_no, "win" if paid else "lose", "", paid, 0, ())

    def _pay(self, made: Sequence[Made], settled: Sequence[Settled]) -> None:
        super()._pay(made, settled)
        for each, found in zip(made, settled, strict=True):
            if found.outcome == "void":
                continue
            if each.wager.seat >= self.drawer.terminals:
                self.drawer.at_terminal(each.wager.stake_cents, found.payout_cents)
            elif self.habit and self._dealer.endswith(f"-{self.habit.shift}") and is_side(each.wager.code):
                self._sides += 1
                if self._sides % self.habit.every == 0:
                    self._overpay(each, self.habit)

    def _overpay(self, each: Made, habit: Overpaying) -> None:
        given = each.wager.stake_cents * habit.to_one
        self.drawer.cents -= given
        self.drawer.overpaid += given
        each.patron.chips += given

    def _collect(self, patron: Patron, choices: Sequence[Choice], at: datetime) -> None:
        if patron.seat >= self.drawer.terminals:
            return  # a terminal takes the stake from the patron's account
        super()._collect(patron, choices, at)


class PricedCards(Priced, CardDealer):
    """Baccarat games."""


class PricedCroupier(Priced, Croupier):
    """Roulette; the wheel's last spin of the day before counts for the first one of the day (617c.1(d))."""

    @property
    def last(self) -> floor.RouletteResult | None:
        """The last spin so far."""
        return self._last

    def spun(self, before: floor.RouletteResult | None) -> None:
        """Tell what was spun last before the day."""
        self._last = before


class PricedStickman(Priced, Stickman):
    """Craps."""


class PricedBlackjack(Priced, BlackjackDealer):
    """Blackjack."""


DEALERS: Mapping[str, type[Priced]] = {
    "baccarat": PricedCards,
    "minibaccarat": PricedCards,
    "midibaccarat": PricedCards,
    "roulette": PricedCroupier,
    "craps": PricedStickman,
    "blackjack": PricedBlackjack,
}
