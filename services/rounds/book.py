"""What the one writer of a property keeps in memory: settings, days, stamps, sources, open rounds, shoes.

Everything here is a function of the facts in the database and is loaded from them again after any failed commit.
"""

from datetime import date
from typing import NamedTuple

from casino.rounds.v1 import entries_pb2 as entries
from services.kernel.ids import RoundKey
from services.rounds.calendar import Days, PropertySetting, Tables
from services.rounds.shoes import Shoe, ShoeKey
from services.rounds.sources import SourcePosition
from services.rounds.stamps import Stamps


class KnownEvent(NamedTuple):
    """An event of a round that is in the feed."""

    kind: int
    digest: bytes
    entry: bytes


class KnownHold(NamedTuple):
    """A fact outside the feed: the answer it got."""

    answer: int
    reason: str
    message: str
    wager_no: int
    content: bytes


class OpenRound:
    """A round known in pieces: what the last piece recorded, and the digests of all of them."""

    def __init__(self) -> None:
        self.stage: int = 0
        self.message = entries.Round()
        self.digests: dict[int, bytes] = {}

    def advance(self, kind: int, message: entries.Round, digest: bytes) -> None:
        """Takes the next piece in."""
        self.stage, self.message = kind, message
        self.digests[kind] = digest


class Book:
    """The memory of one property's writer."""

    def __init__(
        self,
        property_id: str,
        settings: list[PropertySetting],
        tables: Tables,
        stamps: Stamps,
        sources: dict[str, SourcePosition | None],
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
        # Tables whose offer is not the one in force, by day.
        self.disagreeing: set[tuple[str, date]] = set()

    def add_setting(self, setting: PropertySetting) -> None:
        """Takes later settings of the property in."""
        self.settings.append(setting)
        self.days = Days(self.settings)
