"""A seeded gaming day of a whole property: all tables' events in the order in which they happened."""

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from casino.floor.v1 import events_pb2 as floor
from casino.reporting.v1 import documents_pb2 as paper
from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.rounds.v1 import rounds_service_pb2 as rounds
from clients.floor.blackjack_dealer import BlackjackDealer
from clients.floor.card_dealer import CardDealer
from clients.floor.croupier import Croupier
from clients.floor.dealer import Dealer, TableDay
from clients.floor.house import House
from clients.floor.stickman import Stickman
from clients.sdk.client import Casino
from clients.sdk.stream import Answered, RoundsStream
from services.games.terms import digest

GATEWAY = "gateway"
DEALERS: Mapping[str, type[Dealer]] = {
    "baccarat": CardDealer,
    "minibaccarat": CardDealer,
    "midibaccarat": CardDealer,
    "roulette": Croupier,
    "craps": Stickman,
    "blackjack": BlackjackDealer,
}


@dataclass(frozen=True)
class Day:
    """One gaming day of a house as its floor saw it."""

    house: House
    gaming_day: date
    tables: tuple[TableDay, ...]

    def events(self) -> Iterator[floor.Event]:
        """The events of all tables by the moment they happened; those of one table keep their order."""
        streams = [table.events for table in self.tables]
        yield from heapq.merge(*streams, key=lambda event: event.occurred_at.ToNanoseconds())

    def documents(self) -> list[paper.Document]:
        """The documents of all tables."""
        return [document for table in self.tables for document in table.documents]

    def offers(self) -> list[rounds.OfferDigest]:
        """What the floor believes each table offers."""
        return [
            rounds.OfferDigest(
                table_id=table.table_id, gaming_day=self.gaming_day.isoformat(), digest=digest(table.terms)
            )
            for table in self.house.tables
        ]


def play(house: House, gaming_day: date, rounds: int, seed: int) -> Day:
    """Deal `rounds` rounds over the tables of a house; the same seed gives the same day.

    Tables with an odd number send whole rounds, the others send each round in pieces.
    """
    fewest, more = divmod(rounds, len(house.tables))
    played = [
        DEALERS[table.terms.game](house, table, gaming_day, seed, staged=bool(place % 2)).play(fewest + (place < more))
        for place, table in enumerate(house.tables)
    ]
    return Day(house, gaming_day, tuple(played))


async def register(casino: Casino, day: Day, source_id: str = GATEWAY) -> None:
    """Make the gateway known; a second time changes nothing. Raises RefusedByServer."""
    registration = rounds.RegisterSourceRequest(
        request_id=f"{day.house.property_id.lower()}-source-{source_id}",
        property_id=day.house.property_id,
        source_id=source_id,
        description="all tables through one gateway",
    )
    await casino.call(casino.rounds.RegisterSource, registration)


async def send(casino: Casino, day: Day, source_id: str = GATEWAY) -> list[Answered]:
    """Stream the day's events through one gateway and return when all are on disk, with what was answered.

    Raises RefusedByServer.
    """
    await register(casino, day, source_id)
    async with RoundsStream(casino, day.house.property_id, source_id, day.offers()) as stream:
        for event in day.events():
            await stream.send(event)
        await stream.drain()
        return stream.answered()


async def post(casino: Casino, day: Day) -> None:
    """Post the day's documents, each under its own serial number. Raises RefusedByServer."""
    for document in day.documents():
        request_id = f"{document.property_id}/{document.document_id}"
        request = reporting.PostDocumentRequest(request_id=request_id, document=document)
        await casino.call(casino.reporting.PostDocument, request)
