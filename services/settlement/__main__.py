"""The settlement service's process."""

from casino.rounds.v1 import rounds_service_pb2_grpc
from casino.settlement.v1 import settlement_service_pb2
from services.kernel.clock import Clock, system_clock
from services.runtime.properties import Properties
from services.runtime.server import Service, main
from services.runtime.settings import Settings
from services.settlement.follower import follower
from services.settlement.operations import Office, Settler
from services.settlement.rpc import SETTLEMENTS, SUBMISSIONS, Servicer

DESCRIPTOR = settlement_service_pb2.DESCRIPTOR.services_by_name["SettlementService"]
PARTITIONED = ("settled_round", "wager", "award")


async def start(settings: Settings, clock: Clock = system_clock) -> Service:
    """The started service; it serves each property as soon as it knows of it."""
    service = Service("settlement", settings, clock)
    await service.open()
    office = Office(service.pool, clock, service.metrics)
    rounds = rounds_service_pb2_grpc.RoundsServiceStub(service.connect("rounds"))

    async def begin(property_id: str) -> None:
        await service.make_feed(SUBMISSIONS, property_id)
        feed = await service.make_feed(SETTLEMENTS, property_id, PARTITIONED)
        service.spawn(follower(service, rounds, office, Settler(office, feed)).run())

    properties = Properties(service, begin)
    await service.start(DESCRIPTOR, Servicer(service, office, rounds), properties.begin_own)
    service.spawn(properties.follow(rounds))
    return service


if __name__ == "__main__":
    main(start)
