"""Patrons: where they sit, what they like to wager, and the chips they have."""

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from services.games.catalogue import wager
from services.games.terms import Terms

UNITS = (500, 1_000, 2_500, 5_000, 10_000, 25_000)
BASES = ("baccarat.player",) * 4 + ("baccarat.banker",) * 4 + ("baccarat.tie",)
UNITS_BOUGHT = 40
FEWEST, MOST = 2, 7
STAYS_ROUNDS = 50


class Choice(NamedTuple):
    """One wager as a patron makes it, stake in whole cents."""

    code: str
    stake_cents: int
    on: str


@dataclass
class Patron:
    """A patron at a seat: `unit` and `chips` in whole cents, `favours` the side wagers he may make."""

    seat: int
    reference: str
    unit: int
    favours: tuple[str, ...]
    has_credit: bool
    chips: int = 0

    def choose(self, terms: Terms, random: Random) -> list[Choice]:
        """The wagers of the next round, one base wager first; none in one round of ten."""
        if not random.randrange(10):
            return []
        base = random.choice(BASES)
        stake = self.unit if base == "baccarat.tie" else self.unit * random.randint(1, 3)
        sides = [_side(code, self.unit, terms, random) for code in self.favours if random.randrange(3)]
        return [Choice(base, _within(terms, base, stake), ""), *sides]

    def shortage(self, choices: list[Choice]) -> int:
        """What he has to buy, in cents, before he can make these wagers; 0 when he has the chips."""
        stakes = sum(choice.stake_cents for choice in choices)
        return 0 if stakes <= self.chips else max(stakes, UNITS_BOUGHT * self.unit)


class Company:
    """Who sits at one table: patrons come, and go after a while."""

    def __init__(self, table_id: str, terms: Terms, random: Random) -> None:
        self._table_id, self._terms, self._random = table_id, terms, random
        self._came = 0
        self.patrons: list[Patron] = []

    def change(self) -> None:
        """Let some leave and others sit down, before a round."""
        self.patrons = [patron for patron in self.patrons if self._random.randrange(STAYS_ROUNDS)]
        while len(self.patrons) < FEWEST or (len(self.patrons) < MOST and not self._random.randrange(8)):
            self.patrons.append(self._arrival())
        self.patrons.sort(key=lambda patron: patron.seat)

    def _arrival(self) -> Patron:
        random, self._came = self._random, self._came + 1
        taken = {patron.seat for patron in self.patrons}
        sides = [code for code in self._terms.offers if code not in BASES]
        return Patron(
            seat=random.choice([seat for seat in range(1, self._terms.seats + 1) if seat not in taken]),
            reference=f"{self._table_id}-{self._came}" if random.randrange(2) else "",
            unit=random.choice(UNITS),
            favours=tuple(random.sample(sides, random.randrange(4))),
            has_credit=not random.randrange(4),
        )


def _side(code: str, unit: int, terms: Terms, random: Random) -> Choice:
    return Choice(code, _within(terms, code, unit // 5), random.choice(wager(code).placements))


def _within(terms: Terms, code: str, stake: int) -> int:
    offer = terms.offers[code]
    return max(offer.minimum_cents, min(stake, offer.maximum_cents or stake))
