"""The croupier: spins of one Roulette wheel, with what a side wager has the table draw besides."""

from collections.abc import Sequence
from datetime import date

from casino.floor.v1 import events_pb2 as floor
from clients.floor.dealer import Dealer
from clients.floor.generator import Generator
from clients.floor.house import House, Table
from services.games.roulette.layout import WHEELS

B2B, BLAZING_7S, LIGHTNING = "roulette.b2b", "roulette.blazing_7s", "roulette.lightning_straight"
SEVENS = ("7", "17", "27")
BONUS_BALLS = 3


class Croupier(Dealer):
    """Deals Roulette. The wheel remembers its last spin, which B2B looks at (617c.1(d))."""

    def __init__(self, house: House, table: Table, day: date, seed: int, *, staged: bool) -> None:
        super().__init__(house, table, day, seed, staged=staged)
        self._pockets = WHEELS[table.terms.wheel]
        self._generator = Generator(table.terms, self.random)
        self._last: floor.RouletteResult | None = None

    def _previous(self) -> object:
        return self._last

    def _finish(self, result: floor.Result) -> None:
        self._last = result.roulette

    def _result(self, wagers: Sequence[floor.Wager]) -> floor.Result:
        spin = floor.RouletteResult(pocket=self.random.choice(self._pockets), lucky_numbers=self._lucky_numbers())
        codes = {wager.code for wager in wagers}
        if B2B in codes and self._last is not None and self._last.pocket == spin.pocket:
            spin.drawn_payout = self._generator.payout(B2B)
        if BLAZING_7S in codes and spin.pocket in SEVENS:
            # Balls that meet are relaunched until they lie in three different pockets (617c.2(h), ruling R2).
            spin.bonus_pockets.extend(self.random.sample(self._pockets, BONUS_BALLS))
        return floor.Result(roulette=spin)

    def _lucky_numbers(self) -> list[floor.LuckyNumber]:
        """The Lucky Numbers that a Lightning table lights after all wagers are placed (617c.3(d))."""
        if LIGHTNING not in self.table.terms.offers:
            return []
        lit = self.random.sample(self._pockets, self._generator.count(LIGHTNING))
        return [floor.LuckyNumber(pocket=pocket, pays_to_one=self._generator.payout(LIGHTNING)) for pocket in lit]
