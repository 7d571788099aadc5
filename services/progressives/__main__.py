"""The progressives service's process."""

from functools import partial

from casino.progressives.v1 import progressives_service_pb2
from casino.rounds.v1 import rounds_service_pb2_grpc
from casino.settlement.v1 import settlement_service_pb2_grpc
from services.kernel.clock import Clock, system_clock
from services.progressives.follower import follow_rounds, follow_submissions, recorded_round
from services.progressives.mystery import SYSTEM, Seeded
from services.progressives.operations import FEED, PARTITIONED, Ledger, Watch, look_for_ever
from services.progressives.rpc import Servicer
from services.runtime.properties import Properties
from services.runtime.server import Service, main
from services.runtime.settings import Settings
from services.runtime.vault import Vault

DESCRIPTOR = progressives_service_pb2.DESCRIPTOR.services_by_name["ProgressivesService"]


async def start(settings: Settings, clock: Clock = system_clock) -> Service:
    """The started service; it serves each property as soon as it knows of it."""
    service = Service("progressives", settings, clock)
    await service.open()
    rounds = rounds_service_pb2_grpc.RoundsServiceStub(service.connect("rounds"))
    settlement = settlement_service_pb2_grpc.SettlementServiceStub(service.connect("settlement"))
    vault = Vault(settings.home, service.name)
    random = SYSTEM if settings.trigger_seed is None else Seeded(settings.trigger_seed)
    ledgers: dict[str, Ledger] = {}
    watches: dict[str, Watch] = {}

    async def begin(property_id: str) -> None:
        feed = await service.make_feed(FEED, property_id, PARTITIONED)
        find = partial(recorded_round, service, property_id, rounds)
        ledger = Ledger(property_id, feed, service.pool, service.clock, vault, random, find)
        await ledger.refresh()
        watches[property_id] = watch = Watch(ledger)
        await watch.begin()
        ledgers[property_id] = ledger
        service.spawn(follow_submissions(service, ledger, settlement).run())
        service.spawn(follow_rounds(service, ledger, rounds).run())
        service.spawn(look_for_ever(watch, service.log))

    properties = Properties(service, begin)
    await service.start(DESCRIPTOR, Servicer(service, ledgers, watches), properties.begin_own)
    service.spawn(properties.follow(rounds))
    return service


if __name__ == "__main__":
    main(start)
