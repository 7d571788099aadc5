"""What a section says of a wager, as data, and the one function that names the line it hits.

A new side wager is one module under `services/games/<game>/wagers` that exports `WAGERS`, and one test.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from services.games.paytables import Paytable

if TYPE_CHECKING:
    from services.games.terms import Terms

KINDS = ("live", "hybrid", "fully_automated")
"""The kinds of table a Rules Submission may name."""

Line = str


class Pending(Enum):
    """The result so far does not settle the wager yet."""

    PENDING = "pending"


PENDING = Pending.PENDING


class Placement(NamedTuple):
    """Where a wager lies: the seat, and the area on it where a wager has several (`player`, `banker`)."""

    seat: int
    on: str = ""


class PlacedWager(NamedTuple):
    """A wager as the floor placed it: stake in whole cents, the paytable it carries, when it was placed if
    said.
    """

    wager_no: int
    seat: int
    code: str
    paytable: str
    stake_cents: int
    on: str = ""
    placed_at: datetime | None = None


class Meter(NamedTuple):
    """A progressive meter as the section sets it.

    Seed in whole cents, exact or the least allowed; rates in hundredths of a percent of each stake.
    """

    level: str
    seed_cents: int
    minimum_seed: bool
    increment_rate: int
    reserve_rate: int = 0


class Case(NamedTuple):
    """One class of equally treated results: a representative and the exact number of ways it is dealt."""

    history: Any
    ways: int


@dataclass(frozen=True)
class Sample:
    """A view of the result space that is enough for a wager's `classify`.

    `cases(decks)` gives representatives with weights, seen from `placement`; `key(history, placement)`
    names the class of any result: results with one key hit one line, which a property test holds for every
    wager.
    """

    title: str
    placement: Placement
    cases: Callable[[int], Iterable[Case]]
    key: Callable[[Any, Placement], Hashable]


Classify = Callable[[Any, Placement, "Terms"], Line | Pending | None]
"""The paytable line a wager hits, PENDING, or None for a loss."""


@dataclass(frozen=True, eq=False)
class Wager:
    """Everything the regulation says of one wager.

    `needs`: codes any one of which the same seat must hold. `placements`: the areas it may lie on. Money in
    cents; `maximum_cents` None is no maximum. `lock`: the moment after which it is late, `no_more_bets` or
    `first_card`. `family`: wagers of one printed table, which a casino offers on one paytable. `options`:
    allowed values by name, the first being the default. `expires` is the last gaming day in force.
    """

    code: str
    section: str
    title: str
    game: str
    classify: Classify
    paytables: Mapping[str, Paytable]
    sample: Sample
    needs: tuple[str, ...] = ()
    placements: tuple[str, ...] = ("",)
    meters: tuple[Meter, ...] = ()
    minimum_cents: int = 0
    maximum_cents: int | None = None
    denominations: tuple[int, ...] = ()
    lock: str = "no_more_bets"
    table_kinds: tuple[str, ...] = KINDS
    family: str = ""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    settles: str = "result"
    effective: date | None = None
    expires: date | None = None

    def in_force(self, gaming_day: date) -> bool:
        """Whether the section was in force on that gaming day."""
        after = self.effective is None or gaming_day >= self.effective
        return after and (self.expires is None or gaming_day <= self.expires)

    def period(self) -> str:
        """The gaming days in force, for a reader: `5 August 2023 to 4 August 2026` as ISO dates."""
        return f"{self.effective or 'any day'} to {self.expires or 'further notice'}"
