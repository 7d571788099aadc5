"""The reporting service: table documents, projections of the other services' feeds, reports."""

from functools import partial

from casino.progressives.v1.progressives_service_pb2_grpc import ProgressivesServiceStub
from casino.reporting.v1 import reporting_service_pb2
from casino.rounds.v1.rounds_service_pb2_grpc import RoundsServiceStub
from casino.settlement.v1.settlement_service_pb2_grpc import SettlementServiceStub
from services.kernel.clock import Clock, system_clock
from services.reporting.follower import NAME, Following
from services.reporting.rebuilding.operations import rebuild
from services.reporting.rebuilding.verification import verify_projections
from services.reporting.rpc import Check, Rebuild, ReportingServicer
from services.runtime.properties import Properties
from services.runtime.server import Service, main
from services.runtime.settings import Settings

DESCRIPTOR = reporting_service_pb2.DESCRIPTOR.services_by_name["ReportingService"]


async def start(settings: Settings, clock: Clock = system_clock) -> Service:
    """The started service; it serves each property as soon as it knows of it."""
    service = Service(NAME, settings, clock)
    await service.open()
    rounds = RoundsServiceStub(service.connect("rounds"))
    settlement = SettlementServiceStub(service.connect("settlement"))
    progressives = ProgressivesServiceStub(service.connect("progressives"))
    projections: dict[str, Check] = {}
    rebuilds: dict[str, Rebuild] = {}

    async def begin(property_id: str) -> None:
        await service.make_feed("documents", property_id)
        following = Following(service, property_id, rounds, settlement, progressives)
        projections[property_id] = partial(verify_projections, service, following)
        rebuilds[property_id] = partial(rebuild, service, following)
        for follower in following.followers():
            service.spawn(follower.run())

    properties = Properties(service, begin)
    await service.start(DESCRIPTOR, ReportingServicer(service, projections, rebuilds), properties.begin_own)
    service.spawn(properties.follow(rounds))
    return service


if __name__ == "__main__":
    main(start)
