"""The servicer: protobuf in, operation, protobuf out."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from casino.progressives.v1 import progressives_service_pb2 as pb
from services.kernel import errors
from services.progressives import operations, wire
from services.progressives.operations import FEED, Ledger
from services.progressives.verification import verify_journal
from services.runtime.principals import current_principal
from services.runtime.requests import Write
from services.runtime.server import Service
from services.runtime.verification import verify_feed

Context = Any
"""The call's context; the gate in front of every call names the principal and turns refusals to statuses."""
FRAMES_A_SECOND = 4
"""A sign gets at most so many; what moves between two is told in one."""


class Servicer:
    """casino.progressives.v1.ProgressivesService; what each method refuses stands in the proto."""

    def __init__(self, service: Service, ledgers: dict[str, Ledger]) -> None:
        self._service, self._ledgers = service, ledgers

    async def ProposeLink(self, request: pb.ProposeLinkRequest, context: Context) -> pb.ProposeLinkResponse:
        """Enters a proposed link."""
        write, ledger = Write(request.property_id, request), self._ledger(request.property_id)
        return await operations.propose_link(ledger, write, wire.read_draft(request), current_principal())

    async def ApproveLink(self, request: pb.ApproveLinkRequest, context: Context) -> pb.ApproveLinkResponse:
        """Enters another person's approval."""
        write, ledger = Write(request.property_id, request), self._ledger(request.property_id)
        return await operations.approve_link(ledger, write, request.link_id, request.version, current_principal())

    async def ListLinks(self, request: pb.ListLinksRequest, context: Context) -> pb.ListLinksResponse:
        """Every link by its id, with its meters as they stand."""
        state, property_id = self._ledger(request.property_id).state, request.property_id
        return pb.ListLinksResponse(
            links=[
                pb.LinkWithMeters(
                    link=wire.link_message(link, property_id),
                    meters=[
                        wire.meter_reading((link_id, terms.level), state.meters[link_id, terms.level])
                        for terms in link.meters
                        if (link_id, terms.level) in state.meters
                    ],
                )
                for link_id, link in sorted(state.links.items())
            ]
        )

    async def ListJackpots(self, request: pb.ListJackpotsRequest, context: Context) -> pb.ListJackpotsResponse:
        """The latest state of every jackpot, of one gaming day or of all."""
        day = wire.read_day(request.gaming_day) if request.gaming_day else None
        found = await self._ledger(request.property_id).jackpots(day)
        return pb.ListJackpotsResponse(jackpots=[wire.jackpot_message(jackpot) for jackpot in found])

    async def WatchEntries(self, request: pb.WatchEntriesRequest, context: Context) -> AsyncIterator[bytes]:
        """The feed from a cursor on, as framed when it was committed."""
        async for frame in self._service.watch(FEED, request.property_id, request.after_position):
            yield frame

    async def WatchMeters(
        self, request: pb.WatchMetersRequest, context: Context
    ) -> AsyncIterator[pb.WatchMetersResponse]:
        """All meters at once, then those that moved, a few times a second."""
        ledger, shown = self._ledger(request.property_id), -1
        if request.link_id and request.link_id not in ledger.state.links:
            raise errors.LinkUnknown(f"expected a link of {request.property_id}, given {request.link_id!r}")
        while True:
            position, standings = ledger.feed.position, ledger.state.meters
            moved = [
                wire.meter_reading(name, standing)
                for name, standing in sorted(standings.items())
                if standing.revision > shown and request.link_id in ("", name[0])
            ]
            if moved or shown < 0:
                yield pb.WatchMetersResponse(meters=moved)
            shown = position
            await asyncio.sleep(1 / FRAMES_A_SECOND)
            await ledger.feed.wait_beyond(shown)

    async def GetStatus(self, request: pb.GetStatusRequest, context: Context) -> pb.GetStatusResponse:
        """Heads and cursors."""
        return pb.GetStatusResponse(status=await self._service.status())

    async def Verify(self, request: pb.VerifyRequest, context: Context) -> AsyncIterator[pb.VerifyResponse]:
        """Reads every row again. A meter is the fold of its whole journal, so one day is verified with all."""
        for feed in self._service.feeds():
            if request.property_id not in ("", feed.property_id):
                continue
            message = await verify_feed(self._service.pool, self._service.name, feed, wire.columns)
            yield pb.VerifyResponse(verification=message)
            for message in await verify_journal(self._service.pool, feed):
                yield pb.VerifyResponse(verification=message)

    def _ledger(self, property_id: str) -> Ledger:
        ledger = self._ledgers.get(property_id)
        if ledger is None:
            raise errors.Busy(f"progressives knows no property {property_id!r} yet; ask again shortly.")
        return ledger
