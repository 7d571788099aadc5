"""What the one writer of a property keeps in memory: settings, days, stamps, sources, open rounds, shoes.

Everything here is a function of the facts in the database and is loaded from them again after any failed commit.
"""

from datetime import date
from typing import NamedTuple

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from services.kernel.ids import RoundKey
from services.rounds.calendar import Days, PropertySetting, Tables
from services.rounds.folding import Sent, Slot
from services.rounds.rows import HeldRow
from services.rounds.shoes import Shoe, ShoeKey
from services.rounds.sources import SourcePosition
from services.rounds.stamps import Stamps


class KnownEvent(NamedTuple):
    """An event of a round that is in the feed; `slot` is its place within the round: kind, roll, item number."""

    slot: Slot
    digest: bytes
    entry: bytes
    position: int


class KnownHold(NamedTuple):
    """A fact outside the feed: the answer it got, and what two people have decided of it since."""

    answer: int
    reason: str
    message: str
    wager_no: int
    content: bytes
    decision: int = 0
    # Source, epoch and sequence that brought it.
    origin: tuple[str, int, int] = ("", 0, 0)


class OpenRound:
    """A round known in pieces: as it goes on after the last piece, the digests of all pieces by slot, what the pieces
    brought of wagers as the floor sent them, held ones too, and the highest wager number used.
    """

    def __init__(self) -> None:
        self.stage: int = 0
        self.message = entries.Round()
        self.digests: dict[Slot, bytes] = {}
        self.sent: dict[Slot, Sent] = {}

    @property
    def highest(self) -> int:
        """The highest wager number used, 0 before the first."""
        return max(self.numbers, default=0)

    @property
    def numbers(self) -> set[int]:
        """The numbers of the wagers that the floor has sent."""
        return {number for brought in self.sent.values() for number in brought.wagers}

    def advance(self, slot: Slot, digest: bytes, sent: Sent, goes_on: entries.Round) -> None:
        """Takes the next piece in: what it brought of wagers, and the round as it goes on."""
        self.stage, self.message = slot[0], goes_on
        self.digests[slot] = digest
        if sent.wagers or sent.stakes:
            self.sent[slot] = sent


DAYS_OF_SHOES = 2
"""Of the days opened last; an older shoe is read again where one of its rounds comes late."""


class Book:
    """The memory of one property's writer."""

    def __init__(
        self,
        property_id: str,
        settings: list[PropertySetting],
        tables: Tables,
        stamps: Stamps,
        sources: dict[str, SourcePosition | None],
        spins: dict[str, floor.Result],
    ) -> None:
        self.property_id = property_id
        self.settings = settings
        self.days = Days(settings)
        self.tables = tables
        self.stamps = stamps
        # Registered sources; None before the first stream.
        self.sources = sources
        # Sources whose events are looked up before they are written.
        self.doubtful: set[str] = set(sources)
        self.open_rounds: dict[RoundKey, OpenRound] = {}
        self.shoes: dict[ShoeKey, Shoe] = {}
        # The last valid spin of each wheel, by table.
        self.spins = spins
        # Where those stand in the feed.
        self.spun: dict[str, int] = {}
        # The contents of whole events that are kept outside the feed: each sent again has its first answer.
        self.kept: set[bytes] = set()
        # Tables whose offer is not the one in force, by day.
        self.disagreeing: set[tuple[str, date]] = set()
        # Quarantined events of days that are not open: the day's opening gives their notices.
        self.unnoticed: dict[date, list[HeldRow]] = {}

    def add_setting(self, setting: PropertySetting) -> None:
        """Takes later settings of the property in."""
        self.settings.append(setting)
        self.days = Days(self.settings)

    def forget_shoes(self) -> None:
        """Drops the shoes of days that are past."""
        recent = sorted(self.stamps.days)[-DAYS_OF_SHOES:]
        self.shoes = {key: shoe for key, shoe in self.shoes.items() if not recent or key[0] >= recent[0]}
