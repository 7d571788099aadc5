"""The progressives service's process."""

from casino.progressives.v1 import progressives_service_pb2
from casino.rounds.v1 import rounds_service_pb2_grpc
from casino.settlement.v1 import settlement_service_pb2_grpc
from services.kernel.clock import Clock, system_clock
from services.progressives.follower import follow_rounds, follow_submissions
from services.progressives.operations import FEED, PARTITIONED, Ledger
from services.progressives.rpc import Servicer
from services.runtime.properties import serve_properties
from services.runtime.server import Service, channel, main
from services.runtime.settings import Settings

DESCRIPTOR = progressives_service_pb2.DESCRIPTOR.services_by_name["ProgressivesService"]


async def start(settings: Settings, clock: Clock = system_clock) -> Service:
    """The started service; it serves each property as soon as `rounds` tells of it."""
    service = Service("progressives", settings, clock)
    await service.open()
    ledgers: dict[str, Ledger] = {}
    await service.start(DESCRIPTOR, Servicer(service, ledgers))
    service.spawn(_follow(service, ledgers))
    return service


async def _follow(service: Service, ledgers: dict[str, Ledger]) -> None:
    settings = service.settings
    async with (
        channel(settings.service("rounds").address) as to_rounds,
        channel(settings.service("settlement").address) as to_settlement,
    ):
        rounds = rounds_service_pb2_grpc.RoundsServiceStub(to_rounds)
        settlement = settlement_service_pb2_grpc.SettlementServiceStub(to_settlement)

        async def begin(property_id: str) -> None:
            feed = await service.make_feed(FEED, property_id, PARTITIONED)
            ledger = Ledger(property_id, feed, service.pool, service.clock)
            await ledger.refresh()
            ledgers[property_id] = ledger
            service.spawn(follow_submissions(service, ledger, settlement).run())
            service.spawn(follow_rounds(service, ledger, rounds).run())

        await serve_properties(service, rounds, begin)


if __name__ == "__main__":
    main(start)
