"""The settlement service's process."""

import grpc

from casino.rounds.v1 import rounds_service_pb2_grpc
from casino.settlement.v1 import settlement_service_pb2
from services.kernel.clock import Clock, system_clock
from services.runtime.properties import serve_properties
from services.runtime.server import Service, channel, main
from services.runtime.settings import Settings
from services.settlement.follower import follower
from services.settlement.operations import Office, Settler
from services.settlement.rpc import SETTLEMENTS, SUBMISSIONS, Servicer

DESCRIPTOR = settlement_service_pb2.DESCRIPTOR.services_by_name["SettlementService"]
PARTITIONED = ("settled_round", "wager", "award")


async def start(settings: Settings, clock: Clock = system_clock) -> Service:
    """The started service; it serves each property as soon as `rounds` tells of it."""
    service = Service("settlement", settings, clock)
    await service.open()
    office = Office(service.pool, clock, service.metrics)
    connected = channel(settings.service("rounds").address)
    rounds = rounds_service_pb2_grpc.RoundsServiceStub(connected)
    await service.start(DESCRIPTOR, Servicer(service, office, rounds))
    service.spawn(_follow(service, office, connected, rounds))
    return service


async def _follow(
    service: Service,
    office: Office,
    connected: grpc.aio.Channel,
    rounds: "rounds_service_pb2_grpc.RoundsServiceAsyncStub",
) -> None:
    """Follows rounds as long as the service runs, and closes the channel to it at the end."""
    async with connected:

        async def begin(property_id: str) -> None:
            await service.make_feed(SUBMISSIONS, property_id)
            feed = await service.make_feed(SETTLEMENTS, property_id, PARTITIONED)
            service.spawn(follower(service, rounds, office, Settler(office, feed)).run())

        await serve_properties(service, rounds, begin)


if __name__ == "__main__":
    main(start)
