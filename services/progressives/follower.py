"""The feeds that come in: rounds, which moves the meters, and submissions, by which results are read."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import partial
from typing import Any

import grpc

from casino.rounds.v1 import rounds_service_pb2, rounds_service_pb2_grpc
from casino.settlement.v1 import settlement_service_pb2, settlement_service_pb2_grpc
from services.kernel import errors
from services.progressives import operations, wire
from services.progressives.entries import key_message
from services.progressives.evaluation import Evidence
from services.progressives.jackpot import Jackpot
from services.progressives.operations import ROUNDS, SUBMISSIONS, Ledger
from services.runtime.followers import Batch, Follower
from services.runtime.server import Service, as_service

ASKING_SECONDS = 5


def follow_rounds(service: Service, ledger: Ledger, rounds: rounds_service_pb2_grpc.RoundsServiceAsyncStub) -> Follower:
    """The follower of the property's rounds."""
    intake = operations.RoundsIntake(ledger)

    def open_stream(after: int) -> Any:
        intake.begin()
        request = rounds_service_pb2.WatchRoundsRequest(property_id=ledger.property_id, after_position=after)
        return rounds.WatchRounds(request, metadata=as_service(service.name))

    async def apply(batch: Batch) -> Awaitable[None] | None:
        if batch.move.new == batch.move.old:
            return None
        return await intake.take(wire.read_rounds(batch.entries), batch.move)

    return Follower(
        ROUNDS,
        ledger.property_id,
        open_stream,
        partial(ledger.cursor, ROUNDS),
        apply,
        service.log,
        service.metrics,
        service.seal_at_cut_over,
    )


def follow_submissions(
    service: Service, ledger: Ledger, settlement: settlement_service_pb2_grpc.SettlementServiceAsyncStub
) -> Follower:
    """The follower of the property's approved submissions."""

    def open_stream(after: int) -> Any:
        request = settlement_service_pb2.WatchSubmissionsRequest(property_id=ledger.property_id, after_position=after)
        return settlement.WatchSubmissions(request, metadata=as_service(service.name))

    async def apply(batch: Batch) -> None:
        if batch.move.new != batch.move.old:
            await operations.apply_submissions(ledger, wire.read_submissions(batch.entries), batch.move)

    return Follower(
        SUBMISSIONS,
        ledger.property_id,
        open_stream,
        partial(ledger.cursor, SUBMISSIONS),
        apply,
        service.log,
        service.metrics,
    )


async def recorded_round(
    service: Service, property_id: str, rounds: rounds_service_pb2_grpc.RoundsServiceAsyncStub, jackpot: Jackpot
) -> Evidence | None:
    """What `rounds` has recorded of the round of a jackpot; None where it has no result. Busy if it cannot be asked."""
    key = key_message(jackpot.key._replace(roll=0))
    request = rounds_service_pb2.GetRoundRequest(property_id=property_id, key=key)
    try:
        answer = await rounds.GetRound(request, metadata=as_service(service.name), timeout=ASKING_SECONDS)
    except grpc.aio.AioRpcError as problem:
        if problem.code() is grpc.StatusCode.NOT_FOUND:
            return None
        raise errors.Busy(f"rounds did not tell of round {jackpot.key}: {problem.details()}; ask again.") from problem
    return wire.read_evidence(answer.events, wire.metered())
