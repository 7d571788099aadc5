"""Three feeds in: what each batch adds to the projections, applied together with the cursor."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from casino.progressives.v1 import entries_pb2 as progressives_pb2
from casino.progressives.v1 import progressives_service_pb2, progressives_service_pb2_grpc
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.rounds.v1 import rounds_service_pb2, rounds_service_pb2_grpc
from casino.settlement.v1 import entries_pb2 as settlements_pb2
from casino.settlement.v1 import settlement_service_pb2, settlement_service_pb2_grpc
from services.reporting import operations, store, wire
from services.reporting.sums import (
    ContributionKey,
    ExceptionKey,
    MovementKey,
    ProgressivesChange,
    Reading,
    RoundsChange,
    SettlementsChange,
    add,
)
from services.runtime import store as runtime_store
from services.runtime.followers import Apply, Batch, Followed, Follower, OpenStream
from services.runtime.server import Service, as_service

NAME = "reporting"
RPC_SECONDS = 10.0


class SupersededMissing(Exception):
    """Settlement does not give the settlement that another one supersedes."""


class Following:
    """The three feeds of one property."""

    def __init__(
        self,
        service: Service,
        property_id: str,
        rounds: rounds_service_pb2_grpc.RoundsServiceAsyncStub,
        settlement: settlement_service_pb2_grpc.SettlementServiceAsyncStub,
        progressives: progressives_service_pb2_grpc.ProgressivesServiceAsyncStub,
    ) -> None:
        self._service, self._property_id = service, property_id
        self._rounds, self._settlement, self._progressives = rounds, settlement, progressives
        self._levels: dict[tuple[str, int], list[str]] = {}

    def followers(self) -> list[Follower]:
        """One follower a feed, not yet running."""
        return [
            self._follower("rounds", self._open_rounds, self._apply_rounds),
            self._follower("settlements", self._open_settlements, self._apply_settlements),
            self._follower("progressives", self._open_progressives, self._apply_progressives),
        ]

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

    def _open_rounds(self, after: int) -> AsyncIterator[rounds_service_pb2.WatchRoundsResponse]:
        request = rounds_service_pb2.WatchRoundsRequest(property_id=self._property_id, after_position=after)
        return aiter(self._rounds.WatchRounds(request, metadata=as_service(NAME)))

    def _open_settlements(self, after: int) -> AsyncIterator[settlement_service_pb2.WatchSettlementsResponse]:
        request = settlement_service_pb2.WatchSettlementsRequest(property_id=self._property_id, after_position=after)
        return aiter(self._settlement.WatchSettlements(request, metadata=as_service(NAME)))

    def _open_progressives(self, after: int) -> AsyncIterator[progressives_service_pb2.WatchEntriesResponse]:
        request = progressives_service_pb2.WatchEntriesRequest(property_id=self._property_id, after_position=after)
        return aiter(self._progressives.WatchEntries(request, metadata=as_service(NAME)))

    async def _apply_rounds(self, batch: Batch) -> None:
        change = rounds_change(batch.entries)
        await operations.apply_rounds(self._service.pool, self._property_id, change, batch.move)

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
        await operations.apply_settlements(self._service.pool, self._property_id, change, batch.move, reached)

    async def _superseded(self, settled: settlements_pb2.SettledRound) -> settlements_pb2.SettledRound:
        """The settlement before this one: a fact that settlement keeps, so it is the same whenever it is asked."""
        request = settlement_service_pb2.GetSettlementRequest(property_id=self._property_id, key=settled.key)
        answer = await self._settlement.GetSettlement(request, metadata=as_service(NAME), timeout=RPC_SECONDS)
        for former in answer.settlements:
            if former.revision == settled.revision - 1:
                return former
        raise SupersededMissing(f"expected revision {settled.revision - 1} of {settled.key}, got none")

    async def _apply_progressives(self, batch: Batch) -> None:
        change = progressives_change(batch.entries, self._levels)
        reached = reach(batch)
        await operations.apply_progressives(self._service.pool, self._property_id, change, batch.move, reached)


def _settled(change: SettlementsChange, settled: settlements_pb2.SettledRound, sign: int = 1) -> None:
    wagers = wire.settled_wagers(settled)
    change.add_round(wire.heading(settled), settled.key.roll, wagers, sign, settled.revision)


def reach(batch: Batch) -> int | None:
    """The rounds position to which a feed is complete after this batch; None if its author told none here."""
    if batch.upstream is None or batch.move.new < batch.head:
        return None
    return batch.upstream.get("rounds")


def rounds_change(entries: Iterable[Followed]) -> RoundsChange:
    """Settings and exceptions; rounds themselves come as settlements."""
    change = RoundsChange()
    for _, kind, data in entries:
        if kind == wire.PROPERTY_SET:
            change.properties.append(wire.property_setting(rounds_pb2.Entry.FromString(data).property_set))
        elif kind == wire.TABLE_SET:
            change.tables.append(wire.table_setting(rounds_pb2.Entry.FromString(data).table_set))
        elif kind == wire.ROUNDS_EXCEPTION:
            exception = rounds_pb2.Entry.FromString(data).exception
            add(change.exceptions, _exception_key("rounds", exception))
    return change


def progressives_change(entries: Iterable[Followed], levels: dict[tuple[str, int], list[str]]) -> ProgressivesChange:
    """What a batch moves; `levels` of each link's version, completed by the links in the batch."""
    change = ProgressivesChange()
    for position, kind, data in entries:
        entry = progressives_pb2.Entry.FromString(data)
        if kind == wire.CONTRIBUTION:
            _contribution(change, position, entry.contribution, levels)
        elif kind == wire.MOVEMENT:
            _movement(change, position, entry.movement)
        elif kind == wire.LINK:
            link = wire.link_version(entry.link)
            change.links[link[:2]] = link
            levels[link[:2]] = link.levels
        elif kind == wire.JACKPOT:
            jackpot = wire.jackpot_state(entry.jackpot)
            change.jackpots[jackpot.jackpot_id] = jackpot
        elif kind == wire.PROGRESSIVES_EXCEPTION:
            add(change.exceptions, _exception_key("progressives", entry.exception))
    return change


def _contribution(
    change: ProgressivesChange,
    position: int,
    made: progressives_pb2.Contribution,
    levels: dict[tuple[str, int], list[str]],
) -> None:
    link, day = made.link_id, wire.day(made.key.gaming_day)
    names = levels[link, made.link_version]
    amounts = zip(
        names,
        made.amount_micros,
        made.reading_micros,
        made.reserve_amount_micros or [0] * len(names),
        made.reserve_micros or [0] * len(names),
        strict=True,
    )
    for level, amount, reading, reserved, reserve in amounts:
        key = ContributionKey(day, made.key.table_id, made.submission_id, made.code, made.paytable, link, level)
        change.add_contribution(key, amount, reserved, Reading(position, reading, reserve))


def _movement(change: ProgressivesChange, position: int, moved: progressives_pb2.MeterMovement) -> None:
    day = wire.day(moved.gaming_day or moved.key.gaming_day)
    key = MovementKey(day, moved.link_id, moved.level, wire.CAUSES[moved.cause])
    after = Reading(position, moved.reading_after_micros, moved.reserve_after_micros)
    change.add_movement(key, moved.amount_micros, after)


Exceptional = rounds_pb2.ExceptionNotice | settlements_pb2.SettlementException | progressives_pb2.ProgressivesException


def _exception_key(source: str, exception: Exceptional) -> ExceptionKey:
    """One that names no round stands on every day."""
    text = exception.key.gaming_day
    day = wire.day(text) if text else store.EVERY_DAY
    return ExceptionKey(day, exception.key.table_id, source, exception.reason)
