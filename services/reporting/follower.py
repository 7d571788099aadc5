"""Four feeds in: what each batch adds to the projections, applied together with the cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from casino.progressives.v1 import entries_pb2 as progressives_pb2
from casino.progressives.v1 import progressives_service_pb2, progressives_service_pb2_grpc
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.rounds.v1 import rounds_service_pb2, rounds_service_pb2_grpc
from casino.settlement.v1 import entries_pb2 as settlements_pb2
from casino.settlement.v1 import settlement_service_pb2, settlement_service_pb2_grpc
from services.reporting import operations, store, wire
from services.reporting.contributions import Contributions
from services.reporting.meters import feed as meters
from services.reporting.meters.sums import Days, OpenedDay
from services.reporting.registers import feed as registers
from services.reporting.sums import (
    ExceptionKey,
    MovementKey,
    ProgressivesChange,
    Reading,
    RoundsChange,
    SettlementsChange,
    add,
)
from services.runtime import store as runtime_store
from services.runtime.followers import Apply, Batch, Follower, OpenStream
from services.runtime.server import Service, as_service

NAME = "reporting"
RPC_SECONDS = 10.0


class SupersededMissing(Exception):
    """Settlement does not give the settlement that another one supersedes."""


class Following:
    """The four feeds of one property."""

    def __init__(
        self,
        service: Service,
        property_id: str,
        rounds: rounds_service_pb2_grpc.RoundsServiceAsyncStub,
        settlement: settlement_service_pb2_grpc.SettlementServiceAsyncStub,
        progressives: progressives_service_pb2_grpc.ProgressivesServiceAsyncStub,
    ) -> None:
        self._service, self._property_id, self._pool = service, property_id, service.pool
        self._rounds, self._settlement, self._progressives = rounds, settlement, progressives
        self._levels: dict[tuple[str, int], list[str]] = {}

        # Each opens a stream that whoever leaves it before its end cancels: the call stays open otherwise.
        self.opens: dict[str, Callable[[int], Any]] = {
            "submissions": self._open_submissions,
            "rounds": self._open_rounds,
            "settlements": self._open_settlements,
            "progressives": self._open_progressives,
        }
        self.applies: dict[str, Apply] = {
            "submissions": self._apply_submissions,
            "rounds": self._apply_rounds,
            "settlements": self._apply_settlements,
            "progressives": self._apply_progressives,
        }

    @property
    def property_id(self) -> str:
        """The property whose feeds these are."""
        return self._property_id

    @property
    def feeds(self) -> tuple[str, ...]:
        """The feeds in the order in which one may stand on the other."""
        return tuple(self.opens)

    def apart(self, pool: Any) -> Following:
        """The same feeds applied elsewhere: to what the connections of `pool` see."""
        other = Following(self._service, self._property_id, self._rounds, self._settlement, self._progressives)
        other._pool = pool
        return other

    def followers(self) -> list[Follower]:
        """One follower a feed, not yet running."""
        return [self._follower(feed, self.opens[feed], self.applies[feed]) for feed in self.feeds]

    async def author_reach(self, feed: str, after: int) -> int:
        """How far the author of a feed has come in the rounds feed, its own or the one it follows; 0 where in none.

        It tells so once it has told the entries beyond `after`.
        """
        stream = self.opens[feed](after)
        try:
            async for frame in stream:
                if frame.HasField("progress"):
                    told = frame.progress
                    return int(told.head_position) if feed == "rounds" else (_rounds_position(told) or 0)
            return 0
        finally:
            stream.cancel()

    def _follower(self, feed: str, open_stream: OpenStream, apply: Apply) -> Follower:
        async def cursor() -> tuple[int, bytes]:
            async with self._service.pool.acquire() as connection:
                if feed == "progressives":
                    links = await store.links(connection, self._property_id)
                    self._levels = {link[:2]: link.levels for link in links}
                return await runtime_store.load_cursor(connection, self._property_id, feed)

        service = self._service
        told = service.seal_at_cut_over if feed == "rounds" else None
        return Follower(feed, self._property_id, open_stream, cursor, apply, service.log, service.metrics, told)

    def _open_submissions(self, after: int) -> Any:
        request = settlement_service_pb2.WatchSubmissionsRequest(property_id=self._property_id, after_position=after)
        return self._settlement.WatchSubmissions(request, metadata=as_service(NAME))

    def _open_rounds(self, after: int) -> Any:
        request = rounds_service_pb2.WatchRoundsRequest(property_id=self._property_id, after_position=after)
        return self._rounds.WatchRounds(request, metadata=as_service(NAME))

    def _open_settlements(self, after: int) -> Any:
        request = settlement_service_pb2.WatchSettlementsRequest(property_id=self._property_id, after_position=after)
        return self._settlement.WatchSettlements(request, metadata=as_service(NAME))

    def _open_progressives(self, after: int) -> Any:
        request = progressives_service_pb2.WatchEntriesRequest(property_id=self._property_id, after_position=after)
        return self._progressives.WatchEntries(request, metadata=as_service(NAME))

    async def _apply_submissions(self, batch: Batch) -> None:
        terms = [each for position, _, data in batch.entries for each in wire.table_terms(position, data)]
        approved = [registers.submission(position, data) for position, _, data in batch.entries]
        await operations.apply_submissions(self._pool, self._property_id, terms, approved, batch.move)

    async def _apply_rounds(self, batch: Batch) -> None:
        change = rounds_change(batch)
        await operations.apply_rounds(self._pool, self._property_id, change, batch.move)

    async def _apply_settlements(self, batch: Batch) -> None:
        change = SettlementsChange()
        for _, kind, data in batch.entries:
            if kind == wire.SETTLED:
                settled = settlements_pb2.Entry.FromString(data).settled
                _settled(change, settled)
                if settled.revision:
                    _settled(change, await self._superseded(settled), sign=-1)
            elif kind == wire.SETTLEMENT_EXCEPTION:
                exception = settlements_pb2.Entry.FromString(data).exception
                add(change.exceptions, _exception_key("settlement", exception))
        reached = reach(batch)
        await operations.apply_settlements(self._pool, self._property_id, change, batch.move, reached)

    async def _superseded(self, settled: settlements_pb2.SettledRound) -> settlements_pb2.SettledRound:
        """The settlement before this one: a fact that settlement keeps, so it is the same whenever it is asked."""
        request = settlement_service_pb2.GetSettlementRequest(property_id=self._property_id, key=settled.key)
        answer = await self._settlement.GetSettlement(request, metadata=as_service(NAME), timeout=RPC_SECONDS)
        for former in answer.settlements:
            if former.revision == settled.revision - 1:
                return former
        raise SupersededMissing(f"expected revision {settled.revision - 1} of {settled.key}, got none")

    async def _apply_progressives(self, batch: Batch) -> None:
        entries = [(position, kind, progressives_pb2.Entry.FromString(data)) for position, kind, data in batch.entries]
        days = await operations.days(self._pool, self._property_id, stands_on(entries))
        change = progressives_change(entries, self._levels, days)
        change.records = registers.records(entries, days)
        reached = reach(batch)
        await operations.apply_progressives(self._pool, self._property_id, change, batch.move, reached)


def _settled(change: SettlementsChange, settled: settlements_pb2.SettledRound, sign: int = 1) -> None:
    wagers, heading = wire.settled_wagers(settled), wire.heading(settled)
    change.add(heading, settled.key.roll, settled.seat[:], wagers, sign, void=settled.void)


def _rounds_position(progress: Any) -> int | None:
    return next((each.position for each in progress.upstream if each.feed == "rounds"), None)


def reach(batch: Batch) -> int | None:
    """The rounds position to which a feed is complete after this batch; None if its author told none here."""
    if batch.upstream is None or batch.move.new < batch.head:
        return None
    return batch.upstream.get("rounds")


def rounds_change(batch: Batch) -> RoundsChange:
    """Settings, openings of days and exceptions; rounds themselves come as settlements."""
    change = RoundsChange()
    for position, kind, data in batch.entries:
        if kind not in wire.READ_OF_ROUNDS:
            continue
        if kind == wire.PROPERTY_SET:
            said = wire.property_setting(rounds_pb2.Entry.FromString(data).property_set)
            change.properties.append(said._replace(**_entered(batch, position)))
        elif kind == wire.TABLE_SET:
            table = wire.table_setting(rounds_pb2.Entry.FromString(data).table_set)
            change.tables.append(table._replace(**_entered(batch, position)))
        elif kind == wire.DAY_OPENED:
            opened = rounds_pb2.Entry.FromString(data).day_opened
            change.days.append(OpenedDay(position, wire.day(opened.gaming_day)))
        elif kind == wire.ROUNDS_EXCEPTION:
            exception = rounds_pb2.Entry.FromString(data).exception
            add(change.exceptions, _exception_key("rounds", exception))
        elif kind == wire.ROUNDS_RESOLVED:
            resolved = rounds_pb2.Entry.FromString(data).exception_resolved
            add(change.exceptions, _exception_key("rounds", resolved), -1)
    return change


def _entered(batch: Batch, position: int) -> dict[str, Any]:
    """Who set what an entry says, and when."""
    commit = batch.commit_of(position)
    return {"set_by": commit.actor, "set_at": wire.instant(commit.committed_at), "position": position}


Entries = list[tuple[int, int, progressives_pb2.Entry]]
"""Position, kind and content of entries of the progressives feed."""


def stands_on(entries: Entries) -> int:
    """The position of the rounds feed that the last of the entries stands on; 0 where none tells one."""
    for _, _, entry in reversed(entries):
        body = getattr(entry, entry.WhichOneof("body") or "link")
        if position := getattr(body, "rounds_position", 0):
            return int(position)
    return 0


def progressives_change(entries: Entries, levels: dict[tuple[str, int], list[str]], days: Days) -> ProgressivesChange:
    """What a batch moves; `levels` of each link's version, completed by the links in the batch."""
    change, contributions = ProgressivesChange(), Contributions()
    for position, kind, entry in entries:
        if kind == wire.CONTRIBUTION:
            contributions.add(position, entry.contribution, days)
        elif kind == wire.MOVEMENT:
            _movement(change, position, entry.movement, days)
        elif kind == wire.LINK:
            link = wire.link_version(entry.link)
            change.links[link[:2]] = link
            levels[link[:2]] = link.levels
            meters.add_link(change.meters, position, entry.link, days)
        elif kind == wire.JACKPOT:
            jackpot = wire.jackpot_state(entry.jackpot)
            change.jackpots[jackpot.jackpot_id] = jackpot
            change.steps.append(wire.jackpot_step(position, entry.jackpot, jackpot))
        elif kind == wire.DECISION:
            meters.add_decision(change.meters, entry.decision)
        elif kind == wire.ALERT:
            meters.add_alert(change.meters, entry.alert)
        elif kind == wire.PROGRESSIVES_EXCEPTION:
            add(change.exceptions, _exception_key("progressives", entry.exception))
    contributions.give(change, levels)
    return change


def _movement(change: ProgressivesChange, position: int, moved: progressives_pb2.MeterMovement, days: Days) -> None:
    own = wire.day(moved.gaming_day or moved.key.gaming_day)
    day = days.under_way(moved.rounds_position, own)
    key = MovementKey(own, moved.link_id, moved.level, wire.CAUSES[moved.cause])
    after = Reading(position, moved.reading_after_micros, moved.reserve_after_micros)
    change.add_movement(key, moved.amount_micros, day, after)
    meters.add_movement(change.meters, moved, day)


Exceptional = (
    rounds_pb2.ExceptionNotice
    | rounds_pb2.ExceptionResolved
    | settlements_pb2.SettlementException
    | progressives_pb2.ProgressivesException
)


def _exception_key(source: str, exception: Exceptional) -> ExceptionKey:
    """One that names no round stands on every day."""
    text = exception.key.gaming_day
    day = wire.day(text) if text else store.EVERY_DAY
    return ExceptionKey(day, exception.key.table_id, source, exception.reason)
