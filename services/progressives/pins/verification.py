"""Which rounds are open, by the rounds feed, to which link each is pinned, by the journal, and what else the feed told.

A round of several results, or one that was corrected, is only held against the journal: whether its wagers are all
settled takes the rules.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import grpc

from casino.feeds.v1 import feeds_pb2
from casino.rounds.v1 import rounds_service_pb2, rounds_service_pb2_grpc
from services.kernel.ids import RoundKey
from services.progressives import wire
from services.progressives.pins import store
from services.progressives.play import Correction, DayOpened, Event, Part, Play, PropertySet
from services.runtime.feeds import Feed
from services.runtime.followers import Followed
from services.runtime.server import Service, as_service, channel
from services.runtime.store import load_head
from services.runtime.verification import Findings, patiently


@dataclass
class Open:
    """Rounds whose betting is closed with the wagers that have a meter; `unsure` may be open or done.

    `told`: opened days and settings by position. `position`: how far the rounds feed was read.
    """

    certain: dict[RoundKey, set[tuple[str, str]]] = field(default_factory=dict)
    unsure: set[RoundKey] = field(default_factory=set)
    told: dict[int, store.Kept] = field(default_factory=dict)
    position: int = 0

    def take(self, event: Event) -> None:
        """The next event of the rounds feed."""
        if isinstance(event, DayOpened | PropertySet):
            self.told[event.position] = event
        elif isinstance(event, Correction):
            self.certain.pop(event.round_key, None)
            self.unsure.add(event.round_key)
        elif isinstance(event, Play):
            key = event.key._replace(roll=0)
            if event.part is Part.BETTING_CLOSED and key not in self.unsure:
                self.certain[key] = {(wager.code, wager.paytable) for wager in event.wagers}
            elif event.key.roll:
                self.certain.pop(key, None)
                self.unsure.add(key)
            else:
                self.certain.pop(key, None)


async def verify_pins(service: Service, feed: Feed) -> list[feeds_pb2.Verification]:
    """Every open round has its pins, every pin an open round, and the link of each is that of its contribution.

    With them opened days and settings, which the same reading of the feed tells.
    """
    findings = Findings("progressives: pins of open rounds against the feed and the journal")
    async with service.pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        through = await store.rounds_cursor(connection, feed.property_id)
        pins = await store.pins(connection, feed.property_id)
        kept = await store.kept(connection, feed.property_id)
        head, _ = await load_head(connection, feed.property_id, feed.name)
    opened = Open()
    try:
        # A connection ends at its age: what comes after is read by another.
        reading = partial(_read, service, feed.property_id, through, opened)
        await patiently(reading, lambda: opened.position)
    except grpc.aio.AioRpcError as problem:
        findings.differs(f"the rounds feed cannot be read again: {problem.details()}")
        return [findings.message()]
    keys = opened.certain.keys() | pins.keys()
    async with service.pool.acquire() as connection:
        # The journal has gone on meanwhile.
        told = await store.contributed(connection, feed.property_id, keys, head)
    for key in sorted(keys):
        names = opened.certain.get(key, set())
        if key not in opened.certain and key not in opened.unsure:
            findings.differs(f"pin rows of round {key} are extra: the round is not open")
        for name in sorted(names | pins.get(key, {}).keys()):
            given, wanted = pins.get(key, {}).get(name), told.get(key, {}).get(name, ("", 0))
            text = f"pin row of round {key}, {'/'.join(name)}: expected {wanted}, given {given}"
            findings.expect(given == wanted and (not names or name in names), text)
    return [findings.message(), compare_kept(kept, opened.told)]


def compare_kept(kept: Sequence[store.Kept], told: Mapping[int, store.Kept]) -> feeds_pb2.Verification:
    """Every row is what the rounds feed tells at its position, and none is missing since the first.

    What the feed told before is not looked for: software that kept no such rows may have followed it.
    """
    findings = Findings("progressives: opened days and settings against the rounds feed")
    for row in kept:
        same = told.get(row.position) == row
        findings.expect(same, f"{_name(row)} is not what the rounds feed tells at position {row.position}")
    places = {row.position for row in kept}
    for position in sorted(told.keys() - places):
        if position > min(places, default=position):
            findings.differs(f"{_name(told[position])} is missing: the rounds feed tells it at position {position}")
    return findings.message()


def _name(row: store.Kept) -> str:
    return f"opened_day row {row.gaming_day}" if isinstance(row, DayOpened) else f"property_set row {row.position}"


async def _read(service: Service, property_id: str, through: int, found: Open) -> None:
    """Goes on reading the rounds feed where `found` stands."""
    async with channel(service.settings.service("rounds").address) as to_rounds:
        rounds = rounds_service_pb2_grpc.RoundsServiceStub(to_rounds)
        request = rounds_service_pb2.WatchRoundsRequest(property_id=property_id, after_position=found.position)
        call: Any = rounds.WatchRounds(request, metadata=as_service(service.name))
        async for entries in _batches(call):
            for event in wire.read_rounds(entry for entry in entries if entry.position <= through):
                found.take(event)
            found.position = entries[-1].position
            if found.position >= through:
                break
        call.cancel()


async def _batches(call: Any) -> AsyncIterator[list[Followed]]:
    """The entries of a feed, a frame at a time, until it has told all."""
    async for frame in call:
        if frame.HasField("progress"):
            return
        told = zip(frame.batch.kinds, frame.batch.entries, strict=True)
        yield [Followed(position, kind, data) for position, (kind, data) in enumerate(told, frame.batch.first_position)]
