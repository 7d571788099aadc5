"""What a section says of a wager, as data, and the one function that names the line it hits.

A new side wager is one module under `services/games/<game>/wagers` that exports `WAGERS`, and one test.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from services.games.paytables import Paytable

if TYPE_CHECKING:
    from services.games.terms import Terms

AUTOMATED = "fully_automated"
KINDS = ("live", "hybrid", AUTOMATED)
"""The kinds of table a Rules Submission may name."""

LOCKS = ("no_more_bets", "first_card", "first_roll", "come_out", "any_roll", "in_play")
"""The moments after which a wager is late. Three are those of a shooter's hand: before its first roll, before a
come-out roll, before any roll. `in_play`: a stake added while the hands are played, when the rules allow it."""

Line = str


class Pending(Enum):
    """The result so far does not settle the wager yet."""

    PENDING = "pending"


PENDING = Pending.PENDING


class Placement(NamedTuple):
    """Where a wager lies: the seat, the area on it where a wager has several (`player`, `banker`), and after
    which roll of a shooter's hand it was placed (0: before the first).
    """

    seat: int
    on: str = ""
    roll: int = 0


class PlacedWager(NamedTuple):
    """A wager as the floor placed it: stake in whole cents, the paytable it carries, when it was placed if
    said, and after which roll of a shooter's hand (0: before the first).
    """

    wager_no: int
    seat: int
    code: str
    paytable: str
    stake_cents: int
    on: str = ""
    placed_at: datetime | None = None
    roll: int = 0


class Meter(NamedTuple):
    """A progressive meter as the section sets it.

    Seed in whole cents, exact or the least allowed; rates in hundredths of a percent of each stake. An increment rate
    of None is the Rules Submission's to state.
    """

    level: str
    seed_cents: int
    minimum_seed: bool
    increment_rate: int | None
    reserve_rate: int = 0


class Mystery(NamedTuple):
    """A meter that a hidden trigger awards (ruling J6), which the Rules Submission chooses by its name.

    Offered at one denomination (0: at any); the trigger lies from the minimum up to, not including, the maximum,
    all in cents; the rate is in hundredths of a percent of each qualifying stake. `section` where it is not the
    wager's own.
    """

    name: str
    denomination_cents: int
    minimum_cents: int
    maximum_cents: int
    increment_rate: int
    section: str = ""


Setting = int | str | None
"""What an analysis is made for: the decks of a card game, the wheel of Roulette, None for Craps."""


class Case(NamedTuple):
    """One class of equally treated results: a representative and the exact number of ways it is dealt."""

    history: Any
    ways: int


@dataclass(frozen=True)
class Sample:
    """A view of the result space that is enough for a wager's `classify`.

    `cases(setting)` gives representatives with weights, seen from `placement`; the setting is the number of decks
    of a card game, the wheel of Roulette, None for Craps. `key(history, placement)` names the class of any result:
    results with one key hit one line, which a property test holds for every wager.
    """

    title: str
    placement: Placement
    cases: Callable[[Any], Iterable[Case]]
    key: Callable[[Any, Placement], Hashable]


class Alternative(NamedTuple):
    """Other circumstances for which a wager's figures are counted too: another view, other options."""

    sample: Sample
    options: Mapping[str, str] = MappingProxyType({})


class Bonus(NamedTuple):
    """Cents that a line pays beside its own price on a stake of at least `least_stake_cents`, by what the table files
    in an option, then by line.
    """

    option: str
    least_stake_cents: int
    pays: Mapping[str, Mapping[Line, int]]

    def under(self, options: Mapping[str, str]) -> Mapping[Line, int]:
        """What is paid by line under these options."""
        return self.pays.get(options.get(self.option, ""), {})


Classify = Callable[[Any, Placement, "Terms"], Line | Pending | None]
"""The paytable line a wager hits, PENDING, or None for a loss."""


Distribution = Callable[[str, Any], Mapping[Line | None, Fraction]]
"""Of a paytable's name and a setting: the exact probability of each line and, under None, of a loss.

For a wager over several rolls, of which no sample of single results says enough.
"""


DrawLaw = Callable[[Mapping[str, str], Any], Mapping[Line, Fraction] | None]
"""Of the options chosen and a setting: how likely each drawn line is once its event has happened; None where no weights
were filed."""


class Contradiction(NamedTuple):
    """What a table's terms say against a section, beyond what its fields declare."""

    field: str
    expected: str
    given: str


Check = Callable[["Terms"], Contradiction | None]
"""Holds the terms of a table that offers the wager against its section."""

Parser = Callable[[str], object]
"""Reads the value of an option; raises ValueError saying what was expected."""


@dataclass(frozen=True, eq=False)
class Wager:
    """Everything the regulation says of one wager.

    `needs`: codes any one of which the same seat must hold. `placements`: the areas it may lie on. Money in
    cents; `maximum_cents` None is no maximum; stakes are whole multiples of `increment_cents`. `base_share`: the least
    and the most part of the stakes on `needs` at the seat that the wager's stakes on one area may be. `lock`: the
    moment after which it is late, one of LOCKS. `family`: wagers of one printed table, which a casino offers on one
    paytable. `options`: by name, allowed values, the first being the default, or a parser; those of `required_options`
    must be chosen. `expires` is the last gaming day in force.

    The analysis takes one of `sample` and `distribution`; `kept_for`: the deck counts it is kept for where a paytable
    names none, if not the usual ones. `drawn`: an event by name with the lines among which the
    table's random number generator draws when it occurs, so that no price of them follows from the rules;
    `draw_law` says how likely each is under the weights a table filed. `wheel_placements`: the areas by wheel, where
    they differ.
    `assumes` names the written strategy an analysis stands on, `assumed` the options it counts with; `depends_on` says
    `play` or `stated` where no figure follows. `settles` says when: `result`, or `stated` where the floor states the
    payout (ruling K13). `unreached`: lines that no result hits, each with the reason. `checks` hold the
    terms of a table against what no other field says. `alternatives`: by what they assume instead.
    """

    code: str
    section: str
    title: str
    game: str
    classify: Classify
    paytables: Mapping[str, Paytable]
    sample: Sample | None = None
    needs: tuple[str, ...] = ()
    placements: tuple[str, ...] = ("",)
    meters: tuple[Meter, ...] = ()
    minimum_cents: int = 0
    maximum_cents: int | None = None
    denominations: tuple[int, ...] = ()
    lock: str = "no_more_bets"
    table_kinds: tuple[str, ...] = KINDS
    family: str = ""
    options: Mapping[str, tuple[str, ...] | Parser] = field(default_factory=dict)
    settles: str = "result"
    effective: date | None = None
    expires: date | None = None
    required_options: tuple[str, ...] = ()
    mysteries: tuple[Mystery, ...] = ()
    distribution: Distribution | None = None
    drawn: Mapping[str, tuple[Line, ...]] = field(default_factory=dict)
    assumes: str | None = None
    depends_on: str | None = None
    unreached: Mapping[Line, str] = field(default_factory=dict)
    assumed: Mapping[str, str] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    wheel_placements: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    draw_law: DrawLaw | None = None
    base_share: tuple[Fraction, Fraction] | None = None
    increment_cents: int = 1
    kept_for: tuple[int, ...] = ()
    bonus: Bonus | None = None
    alternatives: Mapping[str, Alternative] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.sample is None) == (self.distribution is None) and self.depends_on is None:
            raise ValueError(f"expected {self.code} with one of sample and distribution, given both or neither")

    def areas(self, wheel: str) -> tuple[str, ...]:
        """The areas the wager may lie on at a table with this wheel."""
        return self.wheel_placements.get(wheel, self.placements)

    def meters_of(self, paytable: str) -> tuple[Meter, ...]:
        """The meters under one of its paytables: those the paytable names, else the wager's."""
        found = self.paytables.get(paytable)
        return found.meters if found is not None and found.meters else self.meters

    def in_force(self, gaming_day: date) -> bool:
        """Whether the section was in force on that gaming day."""
        after = self.effective is None or gaming_day >= self.effective
        return after and (self.expires is None or gaming_day <= self.expires)

    def period(self) -> str:
        """The gaming days in force, for a reader: `5 August 2023 to 4 August 2026` as ISO dates."""
        return f"{self.effective or 'any day'} to {self.expires or 'further notice'}"
