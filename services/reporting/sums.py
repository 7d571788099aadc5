"""What a batch of a feed adds to the projections: sums by key, no wager kept."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple, TypeVar

from services.reporting.document import TableSetting
from services.reporting.meters.sums import MetersChange, OpenedDay

WIN, LOSE, PUSH, VOID, PENDING = "win", "lose", "push", "void", "pending"


class PropertySetting(NamedTuple):
    """A property from a gaming day on: IANA time zone, local cut-over and shift starts as HH:MM.

    `house_edge_from` and `house_edge_to` are its house-edge band, hundredths of a percent.
    """

    effective_from: date
    title: str
    time_zone: str
    cut_over: str
    shift_starts: list[str]
    house_edge_from: int
    house_edge_to: int


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


@dataclass
class RoundsChange:
    """What reporting takes from the rounds feed."""

    properties: list[PropertySetting] = field(default_factory=list)
    tables: list[TableSetting] = field(default_factory=list)
    days: list[OpenedDay] = field(default_factory=list)
    exceptions: dict[ExceptionKey, int] = field(default_factory=dict)


@dataclass
class SettlementsChange:
    """What reporting takes from the settlements feed."""

    lines: dict[Heading, dict[tuple[str, str], list[int]]] = field(default_factory=dict)
    rounds: dict[RoundsKey, int] = field(default_factory=dict)
    seats: dict[SeatKey, list[int]] = field(default_factory=dict)
    exceptions: dict[ExceptionKey, int] = field(default_factory=dict)

    @property
    def wagers(self) -> dict[WagerKey, list[int]]:
        """The sums by their whole keys; counted by heading first, which the wagers of a round share."""
        return {(*heading, *name): line for heading, lines in self.lines.items() for name, line in lines.items()}

    def add_round(
        self, heading: Heading, roll: int, wagers: SettledWagers, sign: int = 1, *, void: bool = False
    ) -> None:
        """Adds a settlement, or takes a superseded one out again with the sign -1.

        A round of several rolls counts at its first; one that a later settlement voids, not at all. Wagers that are
        void from the first, taken down or without a spin to compare with, leave the round a round.
        """
        if roll <= 1 and not void:
            add(self.rounds, RoundsKey(*heading[:3]), sign)
        lines = self.lines.setdefault(heading, {})
        for code, paytable, stake, outcome, payout, inventory, breakage in zip(*wagers, strict=True):
            name = code, paytable
            line = lines.get(name)
            if line is None:
                line = lines[name] = [0, 0, 0, 0, 0, 0, 0]
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
            if outcome not in (VOID, PENDING):
                line = self.seats.setdefault(SeatKey(day, table_id, submission_id, code, paytable), [0, 0])
                line[1] += sign * stake**2
                found |= {(code, paytable, seat), ("", "", seat)}
        for code, paytable, _ in found:
            self.seats.setdefault(SeatKey(day, table_id, submission_id, code, paytable), [0, 0])[0] += sign


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
    exceptions: dict[ExceptionKey, int] = field(default_factory=dict)
    meters: MetersChange = field(default_factory=MetersChange)

    def add_contribution(self, key: ContributionKey, amount: int, reserve: int, day: date, after: Reading) -> None:
        """One wager's contribution to one level, in micro-dollars, and the meter after it, on the day under way."""
        line = self.contributions.setdefault(key, [0, 0, 0])
        line[0] += 1
        line[1] += amount
        line[2] += reserve
        self.readings[LevelKey(day, key.link_id, key.level)] = after

    def add_movement(self, key: MovementKey, amount: int, day: date, after: Reading) -> None:
        """A movement by any other cause, signed, and the meter after it, on the day under way."""
        add(self.movements, key, amount)
        self.readings[LevelKey(day, key.link_id, key.level)] = after


KeyType = TypeVar("KeyType", bound=Hashable)


def add(sums: dict[KeyType, int], key: KeyType, amount: int = 1) -> None:
    """Adds to the sum under a key."""
    sums[key] = sums.get(key, 0) + amount
