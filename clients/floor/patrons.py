"""Patrons: where they sit, what they like to wager, and the chips they have."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from random import Random
from typing import NamedTuple

from services.games.catalogue import wager
from services.games.results import GAMES
from services.games.terms import Terms
from services.games.wagers import Wager

UNITS = (500, 1_000, 2_500, 5_000, 10_000, 25_000)
BASES = ("baccarat.player",) * 4 + ("baccarat.banker",) * 4 + ("baccarat.tie",)
UNITS_BOUGHT = 40
FEWEST, MOST = 2, 7
STAYS_ROUNDS = 50
MOST_TRIED = 3
AFTER_A_ROLL = (
    *("craps.come", "craps.dont_come"),
    *("craps.pass_odds", "craps.dont_pass_odds", "craps.come_odds", "craps.dont_come_odds"),
)
"""Wagers that the rules take before the first roll too, and that nobody places then."""


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
        sides = [_side(code, self.unit // 5, terms, random) for code in self.favours if random.randrange(3)]
        return [Choice(base, _within(terms, base, stake), ""), *sides]

    def shortage(self, choices: Sequence[Choice]) -> int:
        """What he has to buy, in cents, before he can make these wagers; 0 when he has the chips."""
        stakes = sum(choice.stake_cents for choice in choices)
        return 0 if stakes <= self.chips else max(stakes, UNITS_BOUGHT * self.unit)


@dataclass
class Curious(Patron):
    """A patron who takes the wagers of the layout as they come: `turn` is shared by all at the table."""

    turn: Iterator[str] = field(default_factory=lambda: iter(()))

    def choose(self, terms: Terms, random: Random) -> list[Choice]:
        """One to three wagers before the round, with the base wagers that they need."""
        wanted = islice(self.turn, random.randint(1, MOST_TRIED))
        codes = [code for each in wanted if _opens(wager(each)) for code in with_bases(each, terms, random)]
        return in_proportion([self.choice(code, terms, random) for code in dict.fromkeys(codes)], terms)

    def choice(self, code: str, terms: Terms, random: Random) -> Choice:
        """That wager, somewhere on the layout."""
        return _side(code, self.unit * random.randint(1, 3), terms, random)


class Company:
    """Who sits at one table: patrons come, and go after a while. The `curious` try all wagers in turn."""

    def __init__(self, table_id: str, terms: Terms, random: Random, *, curious: bool = False) -> None:
        self._table_id, self._terms, self._random, self._curious = table_id, terms, random, curious
        self._came = 0
        self.patrons: list[Patron] = []
        self.turn = cycle(terms.offers)

    def change(self) -> None:
        """Let some leave and others sit down, before a round."""
        self.patrons = [patron for patron in self.patrons if self._random.randrange(STAYS_ROUNDS)]
        most = min(MOST, self._terms.seats)
        while len(self.patrons) < FEWEST or (len(self.patrons) < most and not self._random.randrange(8)):
            self.patrons.append(self._arrival())
        self.patrons.sort(key=lambda patron: patron.seat)

    def _arrival(self) -> Patron:
        random, self._came = self._random, self._came + 1
        taken = {patron.seat for patron in self.patrons}
        sides = [code for code in self._terms.offers if code not in BASES]
        seat = random.choice([seat for seat in range(1, self._terms.seats + 1) if seat not in taken])
        reference = f"{self._table_id}-{self._came}" if random.randrange(2) else ""
        unit = random.choice(UNITS)
        if self._curious:
            return Curious(seat, reference, unit, (), not random.randrange(4), turn=self.turn)
        favours = tuple(random.sample(sides, random.randrange(4)))
        return Patron(seat, reference, unit, favours, has_credit=not random.randrange(4))


def with_bases(code: str, terms: Terms, random: Random, asked: tuple[str, ...] = ()) -> list[str]:
    """The wager after those that the same seat needs for it; two may need each other."""
    needs = [base for base in wager(code).needs if base in terms.offers]
    if not needs or any(base in asked for base in needs):
        return [code]
    return [*with_bases(random.choice(needs), terms, random, (*asked, code)), code]


def in_proportion(choices: Sequence[Choice], terms: Terms) -> list[Choice]:
    """The choices, each no more of the wager it belongs to than its section allows; one that is too small is left."""
    found: list[Choice] = []
    for choice in choices:
        rule = wager(choice.code)
        base = sum(other.stake_cents for other in choices if other.code in rule.needs)
        if rule.base_share:
            least, most = (int(base * part) for part in rule.base_share)
            choice = choice._replace(stake_cents=max(least, min(choice.stake_cents, most)))
        if choice.stake_cents >= terms.offers[choice.code].minimum_cents:
            found.append(choice)
    return found


def _opens(rule: Wager) -> bool:
    """Whether the wager is one to place before the first result of a round."""
    return rule.code not in AFTER_A_ROLL and rule.lock != "in_play" and GAMES[rule.game].in_time(rule.lock, 0, None)


def _side(code: str, stake: int, terms: Terms, random: Random) -> Choice:
    return Choice(code, _within(terms, code, stake), random.choice(wager(code).areas(terms.wheel)))


def _within(terms: Terms, code: str, stake: int) -> int:
    offer = terms.offers[code]
    return max(offer.minimum_cents, min(stake, offer.maximum_cents or stake))
