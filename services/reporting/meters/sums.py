"""What a batch of the progressives feed adds to the projections of meters; signed micro-dollars."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

MeterName = tuple[str, str]
"""Link and level."""

WAGER, CORRECTION, HIT, DECISION, SEED = "wager", "correction", "hit", "decision", "seed"
"""What makes a movement: a wager's contribution, a corrected round, a hit, people's decision, a new meter's seed."""


class OpenedDay(NamedTuple):
    """A gaming day, and the position of the rounds feed that opened it."""

    rounds_position: int
    gaming_day: date


class Days:
    """The gaming day under way at each position of the rounds feed."""

    def __init__(self, opened: Sequence[OpenedDay] = ()) -> None:
        self._positions = [each.rounds_position for each in opened]
        self._days = [each.gaming_day for each in opened]

    def under_way(self, rounds_position: int, own: date) -> date:
        """The day opened last at or before a position; a movement's `own` day where none had been."""
        place = bisect_right(self._positions, rounds_position)
        return self._days[place - 1] if place else own


class MeterKey(NamedTuple):
    """Where a movement is summed; `gaming_day` is the one under way."""

    gaming_day: date
    link_id: str
    level: str
    cause: str
    made_by: str


class CorrectionKey(NamedTuple):
    """Whose contributions a correction changes; `gaming_day` is the round's."""

    gaming_day: date
    table_id: str
    link_id: str
    level: str


class LinkState(NamedTuple):
    """A state of a link that is or was in force; rates in hundredths of a percent of the stake."""

    position: int
    gaming_day: date
    link_id: str
    version: int
    state: str
    code: str
    paytable: str
    levels: Sequence[str]
    increment_rates: Sequence[int]
    reserve_rates: Sequence[int]
    table_ids: Sequence[str]
    changed_by: str


class Question(NamedTuple):
    """A decision or an alert in its latest state."""

    name: str
    gaming_day: date
    table_id: str
    reason: str
    open: bool


@dataclass
class MetersChange:
    """Sums: times, amount, and what of the amount lies below zero; corrections: reading and reserve."""

    sums: dict[MeterKey, list[int]] = field(default_factory=dict)
    corrections: dict[CorrectionKey, list[int]] = field(default_factory=dict)
    links: list[LinkState] = field(default_factory=list)
    questions: dict[str, Question] = field(default_factory=dict)

    def add(self, key: MeterKey, amount: int, times: int = 1) -> None:
        """A movement, or so many of one sign together."""
        line = self.sums.setdefault(key, [0, 0, 0])
        line[0] += times
        line[1] += amount
        line[2] += min(0, amount)

    def correct(self, key: CorrectionKey, amount: int, reserve: int) -> None:
        """What a corrected round takes back of its contributions, or adds to them."""
        line = self.corrections.setdefault(key, [0, 0])
        line[0] += amount
        line[1] += reserve
