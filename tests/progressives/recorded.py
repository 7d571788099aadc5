"""The feeds that this service follows, on a free port: what a test records is served as its author would."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime
from typing import Any

import grpc

from casino.floor.v1 import events_pb2
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.rounds.v1 import rounds_service_pb2, rounds_service_pb2_grpc
from casino.settlement.v1 import entries_pb2 as settlement_pb2
from casino.settlement.v1 import settlement_service_pb2, settlement_service_pb2_grpc
from services.games.wagers import PlacedWager
from services.runtime.chains import GENESIS
from services.runtime.feeds import Feed, NewEntry, kind_of, progress_frame
from tests.builders import terms

PROPERTY, TABLE, OTHER, DAY = "HAR", "BAC-01", "BAC-02", date(2026, 3, 2)
SOURCE = "gateway"
"""The principal whose calls bring rounds."""
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
CODE = "baccarat.heavenly_9_progressive"
PLAIN = ("7H 9C", "2D 3S 2C")
WHOLE = ("2C 3C 4C", "KC 4C 5C")
"""Two three-card nines of one suit: the whole meter."""


def named(found: rounds_pb2.RoundKey) -> tuple[object, ...]:
    """A round's name without its roll."""
    return found.gaming_day, found.table_id, found.shoe, found.round_no


def key_of(entry: rounds_pb2.Entry) -> rounds_pb2.RoundKey | None:
    """The key of the round that an entry is of."""
    body = entry.WhichOneof("body")
    if body == "release":
        return entry.release.round.key
    if body in ("betting_closed", "result", "whole_round", "void", "amend"):
        found: rounds_pb2.RoundKey = getattr(entry, body).key
        return found
    return None


class Author:
    """One recorded feed."""

    def __init__(self, name: str) -> None:
        self._feed = Feed(name, PROPERTY, f"{name}_entry", "test")
        self._feed.hash = GENESIS
        self._frames: list[tuple[int, bytes]] = []
        self.recorded: list[tuple[int, Any]] = []
        self._moved = asyncio.Condition()

    @property
    def position(self) -> int:
        """The position of the last entry."""
        return self._feed.position

    @property
    def hash(self) -> bytes:
        """The hash of the last entry."""
        return self._feed.hash

    async def record(self, *entries: Any) -> int:
        """Commits entries together; returns the position of the last."""
        new = [
            NewEntry(kind_of(entry, entry.WhichOneof("body") or ""), DAY, entry.SerializeToString())
            for entry in entries
        ]
        prepared = self._feed.prepare(new, "author", NOW)
        self._frames.append((prepared.new, prepared.frame))
        self.recorded += list(enumerate(entries, prepared.old + 1))
        self._feed.publish(prepared)
        async with self._moved:
            self._moved.notify_all()
        return prepared.new

    async def frames(self, after: int, answer: Any) -> AsyncIterator[Any]:
        """Everything after a cursor, for ever."""
        while True:
            for last, frame in [each for each in self._frames if each[0] > after]:
                yield answer.FromString(frame)
                after = last
            yield answer.FromString(progress_frame(self._feed.position, self._feed.hash, {}))
            async with self._moved:
                await self._moved.wait_for(lambda: self._feed.position > after)  # noqa: B023 - awaited at once


class Rounds(rounds_service_pb2_grpc.RoundsServiceServicer):
    """The rounds of one property."""

    def __init__(self, author: Author) -> None:
        self._author = author

    async def ListProperties(self, request: Any, context: Any) -> rounds_service_pb2.ListPropertiesResponse:  # noqa: N802 - named by the proto
        settings = rounds_pb2.PropertySettings(property_id=PROPERTY)
        return rounds_service_pb2.ListPropertiesResponse(properties=[settings])

    async def GetRound(self, request: Any, context: Any) -> rounds_service_pb2.GetRoundResponse:  # noqa: N802 - named by the proto
        events = [
            rounds_service_pb2.RoundEvent(position=position, entry=entry)
            for position, entry in self._author.recorded
            if (found := key_of(entry)) is not None and named(found) == named(request.key)
        ]
        if not events:
            await context.abort(grpc.StatusCode.NOT_FOUND, "no such round")
        return rounds_service_pb2.GetRoundResponse(events=events)

    async def WatchRounds(self, request: Any, context: Any) -> AsyncIterator[Any]:  # noqa: N802 - named by the proto
        async for frame in self._author.frames(request.after_position, rounds_service_pb2.WatchRoundsResponse):
            yield frame


class Submissions(settlement_service_pb2_grpc.SettlementServiceServicer):
    """The approved submissions of one property."""

    def __init__(self, author: Author) -> None:
        self._author = author

    async def WatchSubmissions(self, request: Any, context: Any) -> AsyncIterator[Any]:  # noqa: N802 - named by the proto
        answer = settlement_service_pb2.WatchSubmissionsResponse
        async for frame in self._author.frames(request.after_position, answer):
            yield frame


class Upstream:
    """Both feeds behind one port."""

    def __init__(self) -> None:
        self.rounds, self.submissions = Author("rounds"), Author("submissions")
        self._server = grpc.aio.server()
        self.port = 0

    async def start(self) -> None:
        """Serves."""
        rounds: Any = Rounds
        submissions: Any = Submissions
        rounds_service_pb2_grpc.add_RoundsServiceServicer_to_server(rounds(self.rounds), self._server)
        settlement_service_pb2_grpc.add_SettlementServiceServicer_to_server(submissions(self.submissions), self._server)
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        await self._server.start()

    async def stop(self) -> None:
        """Ends every stream."""
        await self._server.stop(0)


def submission(
    name: str = "RS-1", *, since: date = DAY, mystery: str = "", paid_from: str = "slip", most: int = 0
) -> settlement_pb2.SubmissionsEntry:
    """An approved submission that offers every wager of Baccarat at two tables.

    `mystery` and what it is paid from, and the posted maximum payout in cents, are those of the progressive wager.
    """
    offers = [
        settlement_pb2.Offer(code=offer.code, paytable=offer.paytable, minimum_cents=offer.minimum_cents)
        for offer in terms().offers.values()
    ]
    for offer in offers:
        if offer.code == CODE:
            offer.maximum_payout_cents = most
            offer.options.update({"mystery": mystery, "mystery_paid_from": paid_from} if mystery else {})
    tables = [
        settlement_pb2.TableTerms(table_id=table_id, game="baccarat", kind="live", decks=8, seats=7, offers=offers)
        for table_id in (TABLE, OTHER)
    ]
    approved = settlement_pb2.Submission(
        submission_id=name, property_id=PROPERTY, tables=tables, effective_from=since.isoformat()
    )
    return settlement_pb2.SubmissionsEntry(approved=approved)


def day_opened(day: date = DAY, submissions: int = 1) -> rounds_pb2.Entry:
    """The opening of a gaming day, under the submissions up to a position of their feed."""
    opened = rounds_pb2.DayOpened(gaming_day=day.isoformat(), submissions_position=submissions)
    return rounds_pb2.Entry(day_opened=opened)


def key(number: int, table_id: str = TABLE) -> rounds_pb2.RoundKey:
    """The key of a round of the day's first shoe."""
    return rounds_pb2.RoundKey(gaming_day=DAY.isoformat(), table_id=table_id, shoe=1, round_no=number)


def told(
    number: int,
    *wagers: PlacedWager,
    cards: tuple[str, str] | None = PLAIN,
    name: str = "RS-1",
    table: str = TABLE,
) -> rounds_pb2.Round:
    """A round as its author tells it; without cards it has no result."""
    history = []
    if cards is not None:
        result = events_pb2.BaccaratResult(player=cards[0].split(), banker=cards[1].split())
        history = [events_pb2.Result(baccarat=result)]
    return rounds_pb2.Round(
        key=key(number, table),
        shift=1,
        submission_id=name,
        wagers=[
            events_pb2.Wager(
                wager_no=each.wager_no,
                seat=each.seat,
                code=each.code,
                paytable=each.paytable,
                stake_cents=each.stake_cents,
            )
            for each in wagers
        ],
        history=history,
        origin=rounds_pb2.Origin(source_id="gateway", principal=SOURCE),
    )


def part(
    body: str,
    number: int,
    *wagers: PlacedWager,
    cards: tuple[str, str] = PLAIN,
    name: str = "RS-1",
    table: str = TABLE,
) -> rounds_pb2.Entry:
    """An entry that carries a part of a round."""
    dealt = None if body == "betting_closed" else cards
    entry = rounds_pb2.Entry()
    getattr(entry, body).CopyFrom(told(number, *wagers, cards=dealt, name=name, table=table))
    return entry


def void(number: int, table: str = TABLE) -> rounds_pb2.Entry:
    """A round made void."""
    correction = rounds_pb2.RoundCorrection(key=key(number, table), item_no=1, reason="misdeal", actor="ann")
    return rounds_pb2.Entry(void=correction)


def amend(number: int, *wagers: PlacedWager, cards: tuple[str, str] = PLAIN, table: str = TABLE) -> rounds_pb2.Entry:
    """A round told again."""
    round_ = told(number, *wagers, cards=cards, table=table)
    correction = rounds_pb2.RoundCorrection(key=round_.key, item_no=1, reason="misread", actor="ann", round=round_)
    return rounds_pb2.Entry(amend=correction)


def release(number: int, *wagers: PlacedWager, cards: tuple[str, str] = PLAIN, table: str = TABLE) -> rounds_pb2.Entry:
    """A round with a held wager that two people let in."""
    round_ = told(number, *wagers, cards=cards, table=table)
    let_in = rounds_pb2.Release(hold_id="hold-1", proposed_by="ann", approved_by="bob", round=round_)
    return rounds_pb2.Entry(release=let_in)
