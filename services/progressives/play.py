"""What the rounds feed tells this service: openings of days, and the rounds with a wager that has a meter."""

from datetime import date, datetime
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
    """A gaming day begins, with the submissions up to a position of their feed: links go live here."""

    position: int
    gaming_day: date
    submissions_position: int = 0


class PropertySet(NamedTuple):
    """What holds for the property from here on: how many minutes a jackpot may stay unclaimed, and its time zone."""

    position: int
    claim_minutes: int
    time_zone: str


class Play(NamedTuple):
    """A part of a round: its wagers that have a meter, and each result so far with the game it is of.

    `previous` is alike the last result before the round, where the game needs it. Of a round of several rolls a result
    carries the wagers that work on its roll; `taken_down` are the numbers of those that went back before it.
    `source` is the principal whose call brought it.
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
    occurred_at: datetime | None = None
    source: str = ""

    @property
    def working(self) -> list[PlacedWager]:
        """The wagers that the result settles, if it does."""
        if not self.taken_down:
            return self.wagers
        return [wager for wager in self.wagers if wager.wager_no not in self.taken_down]


class Change(Enum):
    """How a recorded round was changed."""

    VOID = "void"
    AMEND = "amend"
    RELEASE = "release"


class Correction(NamedTuple):
    """A void, an amendment or a release of a recorded round; `play` is the round as it stands then, None once void."""

    position: int
    key: RoundKey
    change: Change
    play: Play | None

    @property
    def round_key(self) -> RoundKey:
        """The round without its roll."""
        return self.key._replace(roll=0)


Event = DayOpened | PropertySet | Play | Correction
