"""The dealer of the Baccarat games: coups from shuffled shoes."""

from collections.abc import Sequence
from datetime import date, datetime

from casino.floor.v1 import events_pb2 as floor
from clients.floor.dealer import Dealer
from clients.floor.house import House, Table
from clients.floor.shoe import Shoe
from services.games.baccarat.coup import Coup


class CardDealer(Dealer):
    """Deals Baccarat, Minibaccarat or Midibaccarat; a shoe is changed when its cut card has come out."""

    def __init__(self, house: House, table: Table, day: date, seed: int, *, staged: bool) -> None:
        super().__init__(house, table, day, seed, staged=staged)
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
        self._shoe, self._round_no = Shoe(number, self.table.terms.decks, self.random), 0

    def _result(self, wagers: Sequence[floor.Wager]) -> floor.Result:
        result = floor.Result()
        getattr(result, self.table.terms.game).CopyFrom(recorded(self._shoe.deal()))
        return result


def recorded(coup: Coup) -> floor.BaccaratResult:
    """The coup as the floor records it."""
    return floor.BaccaratResult(
        player=[str(card) for card in coup.player.cards],
        banker=[str(card) for card in coup.banker.cards],
    )
