"""The rounds service: `python -m services.rounds`."""

from casino.rounds.v1 import rounds_service_pb2
from casino.settlement.v1 import settlement_service_pb2_grpc
from services.kernel.clock import Clock, system_clock
from services.rounds import follower, store
from services.rounds.rpc import RoundsServicer
from services.rounds.writer import Writer
from services.runtime.server import Service, main
from services.runtime.settings import Settings

DESCRIPTOR = rounds_service_pb2.DESCRIPTOR.services_by_name["RoundsService"]


async def start(settings: Settings, clock: Clock = system_clock) -> Service:
    """Starts the service: a writer for every property, a follower of its submissions, the gRPC server."""
    service = Service("rounds", settings, clock)
    await service.open()
    settlement = settlement_service_pb2_grpc.SettlementServiceStub(service.connect("settlement"))
    writers: dict[str, Writer] = {}

    async def make_writer(property_id: str) -> Writer:
        feed = await service.make_feed("rounds", property_id, ("round_event", "table_event"))
        if property_id not in writers:
            writers[property_id] = writer = Writer(service, feed)
            service.spawn(writer.run())
            service.spawn(follower.follow_submissions(service, writer, settlement).run())
            service.spawn(follower.open_days(service, writer))
        return writers[property_id]

    async def begin_own() -> None:
        async with service.pool.acquire() as connection:
            names = await store.property_ids(connection)
        for name in names:
            await make_writer(name)

    await service.start(DESCRIPTOR, RoundsServicer(service, writers, make_writer), begin_own)
    return service


if __name__ == "__main__":
    main(start)
