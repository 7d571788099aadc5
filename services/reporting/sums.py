"""What a batch of a feed adds to the projections: sums by key, no wager kept."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import partial
from operator import mul
from typing import NamedTuple, TypeVar

from services.reporting.document import TableSetting
from services.reporting.meters.sums import MetersChange, OpenedDay
from services.reporting.payments.payment import JackpotStep
from services.reporting.registers.record import Records

WIN, LOSE, PUSH, VOID, PENDING = "win", "lose", "push", "void", "pending"
COUNTED = frozenset((WIN, LOSE, PUSH))
"""The outcomes of wagers that count."""


class PropertySetting(NamedTuple):
    """A property from a gaming day on: IANA time zone, local cut-over and shift starts as HH:MM.

    `house_edge_from` and `house_edge_to` are its house-edge band, hundredths of a percent; `jurisdiction`: whose taxes
    and thresholds hold, empty for the default of the data; who set it at which position of the rounds feed.
    """

    effective_from: date
    title: str
    time_zone: str
    cut_over: str
    shift_starts: list[str]
    house_edge_from: int
    house_edge_to: int
    jurisdiction: str = ""
    set_by: str = ""
    set_at: datetime | None = None
    position: int = 0


class SumKey(NamedTuple):
    """Where a wager is summed; decks 0 where the game has no cards, the wheel empty where it has none."""

    gaming_day: date
    shift: int
    table_id: str
    dealer: str
    submission_id: str
    decks: int
    wheel: str
    code: str
    paytable: str


class WagerSum(NamedTuple):
    """Sums under one key: cents, and micro-dollars of breakage. Payout is with the stake.

    Void wagers count nowhere: their stakes went back. Pending ones are counted apart until they settle.
    """

    key: SumKey
    wagers: int
    handle_cents: int
    payout_cents: int
    inventory_cents: int
    breakage_micros: int
    pending: int
    pending_cents: int


class RoundsKey(NamedTuple):
    """Where a round is counted."""

    gaming_day: date
    shift: int
    table_id: str


class ContributionKey(NamedTuple):
    """Where a contribution is summed."""

    gaming_day: date
    table_id: str
    submission_id: str
    code: str
    paytable: str
    link_id: str
    level: str


class SeatKey(NamedTuple):
    """Where seats are counted; an empty code counts those that had any wager."""

    gaming_day: date
    table_id: str
    submission_id: str
    code: str
    paytable: str


class TableTerms(NamedTuple):
    """What an approved Rules Submission, at `position` of its feed, says of a table; `offers` are code and paytable."""

    position: int
    table_id: str
    submission_id: str
    effective_from: date
    kind: str
    offers: Sequence[tuple[str, str]]


class LevelKey(NamedTuple):
    """A meter on a day."""

    gaming_day: date
    link_id: str
    level: str


class MovementKey(NamedTuple):
    """Where a movement that is no contribution is summed."""

    gaming_day: date
    link_id: str
    level: str
    cause: str


class Reading(NamedTuple):
    """A meter after an entry at `position` of the progressives feed, in micro-dollars."""

    position: int
    reading_micros: int
    reserve_micros: int


class ExceptionKey(NamedTuple):
    """Where an exception is counted; `source` is the service that named it."""

    gaming_day: date
    table_id: str
    source: str
    reason: str


class LinkVersion(NamedTuple):
    """What a version of a link is for; `levels` in the order of its contributions' lists."""

    link_id: str
    version: int
    code: str
    paytable: str
    levels: list[str]


class JackpotState(NamedTuple):
    """A jackpot as of its latest entry; the amount is in cents."""

    jackpot_id: str
    gaming_day: date
    table_id: str
    link_id: str
    level: str
    hit_id: str
    amount_cents: int
    paid_from: str
    state: str


class SettledWagers(NamedTuple):
    """The wagers of one settled round as parallel sequences."""

    codes: Sequence[str]
    paytables: Sequence[str]
    stakes: Sequence[int]
    outcomes: Sequence[str]
    payouts: Sequence[int]
    inventories: Sequence[int]
    breakages: Sequence[int]


WagerKey = tuple[date, int, str, str, str, int, str, str, str]
"""A SumKey as a plain tuple."""

Heading = tuple[date, int, str, str, str, int, str]
"""The first parts of a SumKey, which the wagers of a round share."""

Name = tuple[str, str]
"""Code and paytable."""

Amounts = tuple[int, int, int, int]
"""Of a wager: stake, payout, what of it the table paid, breakage."""


@dataclass
class RoundsChange:
    """What reporting takes from the rounds feed."""

    properties: list[PropertySetting] = field(default_factory=list)
    tables: list[TableSetting] = field(default_factory=list)
    days: list[OpenedDay] = field(default_factory=list)
    exceptions: dict[ExceptionKey, int] = field(default_factory=dict)


class Tally:
    """What rounds of one heading add up to while each of their wagers counts: rounds, seats that had any wager, and by
    code and paytable the amounts of each wager as they come.
    """

    __slots__ = ("amounts", "rounds", "seated")

    def __init__(self) -> None:
        self.rounds, self.seated = 0, 0
        self.amounts: defaultdict[Name, list[Amounts]] = defaultdict(list)


class SettlementsChange:
    """What reporting takes from the settlements feed.

    Of a round whose every wager counts, amounts are kept as they come and summed once for the batch; what void and
    pending wagers add, and what a superseded settlement takes back, is summed as it comes.
    """

    def __init__(self) -> None:
        self.exceptions: dict[ExceptionKey, int] = {}
        self._tallies: defaultdict[Heading, Tally] = defaultdict(Tally)
        self._rounds: dict[RoundsKey, int] = {}
        self._lines: defaultdict[Heading, defaultdict[Name, list[int]]] = defaultdict(partial(defaultdict, _zeros))
        self._seats: defaultdict[SeatKey, list[int]] = defaultdict(_nothing)

    @property
    def rounds(self) -> dict[RoundsKey, int]:
        """How many rounds there were."""
        found = self._rounds.copy()
        for heading, tally in self._tallies.items():
            if tally.rounds:
                add(found, RoundsKey(*heading[:3]), tally.rounds)
        return found

    @property
    def wagers(self) -> dict[WagerKey, list[int]]:
        """The sums by their whole keys; counted by heading first, which the wagers of a round share."""
        found = {(*heading, *name): line[:] for heading, lines in self._lines.items() for name, line in lines.items()}
        for heading, tally in self._tallies.items():
            for name, amounts in tally.amounts.items():
                line = found.setdefault((*heading, *name), _zeros())
                for place, more in enumerate((len(amounts), *map(sum, zip(*amounts, strict=True)))):
                    line[place] += more
        return found

    @property
    def seats(self) -> dict[SeatKey, list[int]]:
        """How many seats had a wager, and its squared stakes."""
        found = defaultdict(_nothing, {key: line[:] for key, line in self._seats.items()})
        for (day, _, table_id, _, submission_id, _, _), tally in self._tallies.items():
            if tally.seated:
                found[SeatKey(day, table_id, submission_id, "", "")][0] += tally.seated
            for name, amounts in tally.amounts.items():
                line, stakes = found[SeatKey(day, table_id, submission_id, *name)], [each[0] for each in amounts]
                line[0] += len(stakes)
                line[1] += sum(map(mul, stakes, stakes))
        return found

    def add(
        self,
        heading: Heading,
        roll: int,
        seats: Sequence[int],
        wagers: SettledWagers,
        sign: int = 1,
        *,
        void: bool = False,
    ) -> None:
        """Adds a settlement with its seats, or takes a superseded one out again with the sign -1."""
        codes, paytables, stakes, outcomes, *others = wagers
        if sign < 0 or void or not COUNTED.issuperset(outcomes):
            self.add_round(heading, roll, wagers, sign, void=void)
            self.add_seats(heading, seats, wagers, sign)
            return
        tally = self._tallies[heading]
        tally.rounds += roll <= 1
        tally.seated += len(set(seats))
        amounts = zip(stakes, *others, strict=True)
        for name, each in zip(zip(codes, paytables, strict=True), amounts, strict=True):
            tally.amounts[name].append(each)
        if len(set(zip(codes, seats, strict=True))) < len(codes):
            self._seated_once(heading, zip(codes, paytables, seats, strict=True))

    def _seated_once(self, heading: Heading, taken: Iterable[tuple[str, str, int]]) -> None:
        """Takes out the second wager that a seat has under one name: the seat counts once."""
        day, _, table_id, _, submission_id, _, _ = heading
        for (code, paytable, _), count in Counter(taken).items():
            self._seats[SeatKey(day, table_id, submission_id, code, paytable)][0] -= count - 1

    def add_round(
        self, heading: Heading, roll: int, wagers: SettledWagers, sign: int = 1, *, void: bool = False
    ) -> None:
        """Adds a settlement, or takes a superseded one out again with the sign -1.

        A round of several rolls counts at its first; one that a later settlement voids, not at all. Wagers that are
        void from the first, taken down or without a spin to compare with, leave the round a round.
        """
        if roll <= 1 and not void:
            add(self._rounds, RoundsKey(*heading[:3]), sign)
        lines = self._lines[heading]
        for code, paytable, stake, outcome, payout, inventory, breakage in zip(*wagers, strict=True):
            line = lines[code, paytable]
            if outcome == PENDING:
                line[5] += sign
                line[6] += sign * stake
            elif outcome != VOID:
                line[0] += sign
                line[1] += sign * stake
                line[2] += sign * payout
                line[3] += sign * inventory
                line[4] += sign * breakage

    def add_seats(self, heading: Heading, seats: Sequence[int], wagers: SettledWagers, sign: int = 1) -> None:
        """Adds the seats of a settlement, each once for every wager it had that was neither void nor pending, and once
        for all of them; with their squared stakes. Takes them out again with the sign -1.
        """
        day, _, table_id, _, submission_id, _, _ = heading
        found: set[tuple[str, str, int]] = set()
        for seat, code, paytable, stake, outcome in zip(
            seats, wagers.codes, wagers.paytables, wagers.stakes, wagers.outcomes, strict=True
        ):
            if outcome in COUNTED:
                self._seats[SeatKey(day, table_id, submission_id, code, paytable)][1] += sign * stake**2
                found |= {(code, paytable, seat), ("", "", seat)}
        for code, paytable, _ in found:
            self._seats[SeatKey(day, table_id, submission_id, code, paytable)][0] += sign


def _zeros() -> list[int]:
    return [0, 0, 0, 0, 0, 0, 0]


def _nothing() -> list[int]:
    return [0, 0]


@dataclass
class ProgressivesChange:
    """What reporting takes from the progressives feed. `contributions`: wagers, meter and reserve micros.

    Contributions and movements lie under the gaming day of their rounds, readings under the day under way.
    """

    links: dict[tuple[str, int], LinkVersion] = field(default_factory=dict)
    contributions: dict[ContributionKey, list[int]] = field(default_factory=dict)
    movements: dict[MovementKey, int] = field(default_factory=dict)
    readings: dict[LevelKey, Reading] = field(default_factory=dict)
    jackpots: dict[str, JackpotState] = field(default_factory=dict)
    steps: list[JackpotStep] = field(default_factory=list)
    exceptions: dict[ExceptionKey, int] = field(default_factory=dict)
    meters: MetersChange = field(default_factory=MetersChange)
    records: Records = field(default_factory=Records)

    def add_contributions(self, key: ContributionKey, wagers: int, amount: int, reserve: int) -> None:
        """What wagers contributed to one level, in micro-dollars."""
        line = self.contributions.setdefault(key, [0, 0, 0])
        line[0] += wagers
        line[1] += amount
        line[2] += reserve

    def read(self, key: LevelKey, after: Reading) -> None:
        """The meter after an entry, on the day under way; a later entry's reading stands."""
        former = self.readings.get(key)
        if former is None or former.position < after.position:
            self.readings[key] = after

    def add_movement(self, key: MovementKey, amount: int, day: date, after: Reading) -> None:
        """A movement by any other cause, signed, and the meter after it, on the day under way."""
        add(self.movements, key, amount)
        self.read(LevelKey(day, key.link_id, key.level), after)


KeyType = TypeVar("KeyType", bound=Hashable)


def add(sums: dict[KeyType, int], key: KeyType, amount: int = 1) -> None:
    """Adds to the sum under a key."""
    sums[key] = sums.get(key, 0) + amount
