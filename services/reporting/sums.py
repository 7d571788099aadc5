"""What a batch of a feed adds to the projections: sums by key, no wager kept."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple, TypeVar

from services.reporting.document import TableSetting

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
"""A SumKey as a plain tuple: made once a wager, so not worth a name."""

Heading = tuple[date, int, str, str, str, int, str]
"""The first parts of a SumKey, which the wagers of a round share."""


@dataclass
class RoundsChange:
    """What reporting takes from the rounds feed."""

    properties: list[PropertySetting] = field(default_factory=list)
    tables: list[TableSetting] = field(default_factory=list)
    exceptions: dict[ExceptionKey, int] = field(default_factory=dict)


@dataclass
class SettlementsChange:
    """What reporting takes from the settlements feed."""

    wagers: dict[WagerKey, list[int]] = field(default_factory=dict)
    rounds: dict[RoundsKey, int] = field(default_factory=dict)
    exceptions: dict[ExceptionKey, int] = field(default_factory=dict)

    def add_round(self, heading: Heading, roll: int, wagers: SettledWagers, sign: int = 1, revision: int = 0) -> None:
        """Adds a settlement, or takes a superseded one out again with the sign -1.

        A round of several rolls counts at its first; one that a later settlement voids, not at all. Wagers that are
        void from the first, taken down or without a spin to compare with, leave the round a round.
        """
        voided = revision > 0 and wagers.outcomes and all(outcome == VOID for outcome in wagers.outcomes)
        if roll <= 1 and not voided:
            add(self.rounds, RoundsKey(*heading[:3]), sign)
        sums = self.wagers
        for code, paytable, stake, outcome, payout, inventory, breakage in zip(*wagers, strict=True):
            key = (*heading, code, paytable)
            line = sums.get(key)
            if line is None:
                line = sums[key] = [0, 0, 0, 0, 0, 0, 0]
            if outcome == PENDING:
                line[5] += sign
                line[6] += sign * stake
            elif outcome != VOID:
                line[0] += sign
                line[1] += sign * stake
                line[2] += sign * payout
                line[3] += sign * inventory
                line[4] += sign * breakage


@dataclass
class ProgressivesChange:
    """What reporting takes from the progressives feed. `contributions`: wagers, meter and reserve micros."""

    links: dict[tuple[str, int], LinkVersion] = field(default_factory=dict)
    contributions: dict[ContributionKey, list[int]] = field(default_factory=dict)
    movements: dict[MovementKey, int] = field(default_factory=dict)
    readings: dict[LevelKey, Reading] = field(default_factory=dict)
    jackpots: dict[str, JackpotState] = field(default_factory=dict)
    exceptions: dict[ExceptionKey, int] = field(default_factory=dict)

    def add_contribution(self, key: ContributionKey, amount: int, reserve: int, after: Reading) -> None:
        """One wager's contribution to one level, in micro-dollars, and the meter after it."""
        line = self.contributions.setdefault(key, [0, 0, 0])
        line[0] += 1
        line[1] += amount
        line[2] += reserve
        self.readings[LevelKey(key.gaming_day, key.link_id, key.level)] = after

    def add_movement(self, key: MovementKey, amount: int, after: Reading) -> None:
        """A movement by any other cause, signed, and the meter after it."""
        add(self.movements, key, amount)
        self.readings[LevelKey(*key[:3])] = after


KeyType = TypeVar("KeyType", bound=Hashable)


def add(sums: dict[KeyType, int], key: KeyType, amount: int = 1) -> None:
    """Adds to the sum under a key."""
    sums[key] = sums.get(key, 0) + amount
