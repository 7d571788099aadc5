"""The reporting service: table documents, projections of the other services' feeds, reports."""

from functools import partial

from casino.progressives.v1.progressives_service_pb2_grpc import ProgressivesServiceStub
from casino.reporting.v1 import reporting_service_pb2
from casino.rounds.v1.rounds_service_pb2_grpc import RoundsServiceStub
from casino.settlement.v1.settlement_service_pb2_grpc import SettlementServiceStub
from services.kernel.clock import Clock, system_clock
from services.reporting import store
from services.reporting.follower import NAME, Following
from services.reporting.rebuilding.operations import rebuild
from services.reporting.rebuilding.verification import verify_projections
from services.reporting.rpc import Check, Rebuild, ReportingServicer
from services.runtime.properties import serve_properties
from services.runtime.server import Service, channel, main
from services.runtime.settings import Settings


async def start(settings: Settings, clock: Clock = system_clock) -> Service:
    """Starts the service: `port` is where it listens."""
    service = Service(NAME, settings, clock)
    await service.open()
    async with service.pool.acquire() as connection:
        for property_id in await store.properties(connection):
            await service.make_feed("documents", property_id)
    projections: dict[str, Check] = {}
    rebuilds: dict[str, Rebuild] = {}
    servicer = ReportingServicer(service, projections, rebuilds)
    await service.start(reporting_service_pb2.DESCRIPTOR.services_by_name["ReportingService"], servicer)
    service.spawn(_follow(service, projections, rebuilds))
    return service


async def _follow(service: Service, projections: dict[str, Check], rebuilds: dict[str, Rebuild]) -> None:
    """Follows every property that `rounds` names, until cancelled."""
    addresses = [service.settings.service(name).address for name in ("rounds", "settlement", "progressives")]
    async with (
        channel(addresses[0]) as first,
        channel(addresses[1]) as second,
        channel(addresses[2]) as third,
    ):
        rounds = RoundsServiceStub(first)
        settlement, progressives = SettlementServiceStub(second), ProgressivesServiceStub(third)

        async def begin(property_id: str) -> None:
            await service.make_feed("documents", property_id)
            following = Following(service, property_id, rounds, settlement, progressives)
            projections[property_id] = partial(verify_projections, service, following)
            rebuilds[property_id] = partial(rebuild, service, following)
            for follower in following.followers():
                service.spawn(follower.run())

        await serve_properties(service, rounds, begin)


if __name__ == "__main__":
    main(start)
