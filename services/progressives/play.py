"""What the rounds feed tells this service: openings of days, and the rounds with a wager that has a meter."""

from datetime import date
from enum import Enum
from typing import Any, NamedTuple

from services.games.wagers import PlacedWager
from services.kernel.ids import RoundKey


class Part(Enum):
    """Which part of a round an entry carries."""

    BETTING_CLOSED = "betting closed"
    RESULT = "result"
    WHOLE = "whole round"


class DayOpened(NamedTuple):
    """A gaming day begins: links go live here."""

    position: int
    gaming_day: date


class Play(NamedTuple):
    """A part of a round: its wagers that have a meter, and each result so far with the game it is of.

    `previous` is alike the last result before the round, where the game needs it. Of a round of several rolls a result
    carries the wagers that work on its roll; `taken_down` are the numbers of those that went back before it.
    """

    position: int
    part: Part
    key: RoundKey
    shift: int
    submission_id: str
    wagers: list[PlacedWager]
    results: list[tuple[str, Any]]
    previous: tuple[str, Any] | None = None
    taken_down: frozenset[int] = frozenset()

    @property
    def working(self) -> list[PlacedWager]:
        """The wagers that the result settles, if it does."""
        return [wager for wager in self.wagers if wager.wager_no not in self.taken_down]


class Correction(NamedTuple):
    """A void, an amendment or a release of a recorded round."""

    position: int
    key: RoundKey


Event = DayOpened | Play | Correction
