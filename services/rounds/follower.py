"""What rounds follows: the approved submissions of each of its properties; and the clock, for the cut-over."""

import asyncio
from datetime import datetime
from typing import Any

from casino.settlement.v1 import settlement_service_pb2, settlement_service_pb2_grpc
from services.rounds import operations
from services.rounds.writer import Writer
from services.runtime.followers import Batch, Follower
from services.runtime.principals import as_refusal
from services.runtime.server import Service, as_service
from services.runtime.store import load_cursor

LONGEST_SLEEP_SECONDS = 30.0


def follow_submissions(
    service: Service, writer: Writer, settlement: "settlement_service_pb2_grpc.SettlementServiceAsyncStub"
) -> Follower:
    """The follower of a property's submissions feed."""
    property_id = writer.feed.property_id

    async def cursor() -> tuple[int, bytes]:
        async with service.pool.acquire() as connection:
            return await load_cursor(connection, property_id, "submissions")

    async def apply(batch: Batch) -> None:
        await operations.receive_submissions(service, writer, batch)

    def watch(after: int) -> Any:
        request = settlement_service_pb2.WatchSubmissionsRequest(property_id=property_id, after_position=after)
        return settlement.WatchSubmissions(request, metadata=as_service(service.name))

    return Follower("submissions", property_id, watch, cursor, apply, service.log, service.metrics)


async def open_days(service: Service, writer: Writer) -> None:
    """Opens each gaming day at its cut-over. The day that is under way at the start waits for its first event."""
    until: datetime | None = None
    while True:
        try:
            if until is None or service.clock() >= until:
                if until is not None:
                    await operations.open_day(service, writer, service.clock())
                until = await _end_of_day(service, writer)
        except Exception as problem:
            if refusal := as_refusal(problem):
                service.log.warning("day not opened now; will try again", reason=refusal.reason, message=str(problem))
            else:
                service.log.error("day cannot be opened; will try again", exc_info=problem)
            await asyncio.sleep(1)
        else:
            wait = (until - service.clock()).total_seconds()
            await asyncio.sleep(max(0.0, min(wait, LONGEST_SLEEP_SECONDS)))


async def _end_of_day(service: Service, writer: Writer) -> datetime:
    """When the gaming day under way ends, by the settings of today; waits until there are any."""
    while True:
        async with writer.feed.lock:
            await writer.load()
            settled = bool(writer.book.settings)
        if settled:
            now = service.clock()
            calendar = writer.book.days.calendar_at(now)
            return calendar.end_of(calendar.day_of(now))
        await asyncio.sleep(1)
