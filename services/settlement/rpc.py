"""The servicer: protobuf in, operation, protobuf out."""

from collections.abc import AsyncIterator
from datetime import date
from functools import partial
from typing import Any

import grpc

from casino.rounds.v1 import rounds_service_pb2, rounds_service_pb2_grpc
from casino.settlement.v1 import settlement_service_pb2 as pb
from services.kernel import errors
from services.kernel.house_edge import EdgeBand
from services.runtime.principals import current_principal
from services.runtime.records import verify_records
from services.runtime.requests import Write
from services.runtime.server import Service, as_service
from services.runtime.verification import guarded
from services.settlement import operations, verification, wire

SUBMISSIONS, SETTLEMENTS = "submissions", "settlements"
ROUNDS_SECONDS = 5
"""How long a proposal waits for what `rounds` tells of its property."""

Context = Any
"""The call's context; the gate in front of every call names the principal and turns refusals to statuses."""


class Servicer:
    """casino.settlement.v1.SettlementService; what each method refuses stands in the proto."""

    def __init__(
        self,
        service: Service,
        office: operations.Office,
        rounds: "rounds_service_pb2_grpc.RoundsServiceAsyncStub",
    ) -> None:
        self._service, self._office, self._rounds = service, office, rounds

    async def ProposeSubmission(
        self, request: pb.ProposeSubmissionRequest, context: Context
    ) -> pb.ProposeSubmissionResponse:
        """Keeps a submission that the regulation allows."""
        write = Write(request.property_id, request)
        feed = self._service.feed(SUBMISSIONS, request.property_id)
        proposal = wire.read_proposal(request)
        band = partial(self._band, proposal.property_id, proposal.effective_from)
        return await operations.propose(self._office, feed, write, proposal, current_principal(), band)

    async def _band(self, property_id: str, day: date) -> EdgeBand:
        """The property's house-edge band on a day. Raises Busy where rounds does not answer."""
        request = rounds_service_pb2.ListPropertiesRequest()
        try:
            told = await self._rounds.ListProperties(
                request, metadata=as_service(self._service.name), timeout=ROUNDS_SECONDS
            )
        except grpc.aio.AioRpcError as problem:
            raise errors.Busy(
                f"expected rounds to tell the house-edge band of property {property_id}, it does not answer"
                f" ({problem.code().name}); nothing was kept, propose again"
            ) from problem
        return wire.read_band_on(day, [each for each in told.properties if each.property_id == property_id])

    async def ApproveSubmission(
        self, request: pb.ApproveSubmissionRequest, context: Context
    ) -> pb.ApproveSubmissionResponse:
        """Approves a submission and enters it in the submissions feed."""
        write = Write(request.property_id, request)
        feed = self._service.feed(SUBMISSIONS, request.property_id)
        return await operations.approve(self._office, feed, write, request.submission_id, current_principal())

    async def GetSubmission(self, request: pb.GetSubmissionRequest, context: Context) -> pb.GetSubmissionResponse:
        """One submission as it stands."""
        feed = self._service.feed(SUBMISSIONS, request.property_id)
        found = await operations.get_submission(self._office, feed, request.submission_id)
        return pb.GetSubmissionResponse(submission=wire.submission_message(found))

    async def ListSubmissions(self, request: pb.ListSubmissionsRequest, context: Context) -> pb.ListSubmissionsResponse:
        """Every submission of a property in the order proposed."""
        found = await operations.list_submissions(self._office, request.property_id)
        return pb.ListSubmissionsResponse(submissions=[wire.submission_message(each) for each in found])

    async def WatchSubmissions(self, request: pb.WatchSubmissionsRequest, context: Context) -> AsyncIterator[bytes]:
        """The submissions feed from a cursor on, as frames."""
        async for frame in self._service.watch(SUBMISSIONS, request.property_id, request.after_position):
            yield frame

    async def WatchSettlements(self, request: pb.WatchSettlementsRequest, context: Context) -> AsyncIterator[bytes]:
        """The settlements feed from a cursor on, as frames."""
        async for frame in self._service.watch(SETTLEMENTS, request.property_id, request.after_position):
            yield frame

    async def GetSettlement(self, request: pb.GetSettlementRequest, context: Context) -> pb.GetSettlementResponse:
        """Every settlement of a round, the newest last."""
        key = wire.read_key(request.key)
        entries = await operations.get_settlements(self._office, request.property_id, key)
        return pb.GetSettlementResponse(settlements=[wire.read_settled(entry) for entry in entries])

    async def GetStatus(self, request: pb.GetStatusRequest, context: Context) -> pb.GetStatusResponse:
        """Heads and cursors."""
        return pb.GetStatusResponse(status=await self._service.status())

    async def Verify(self, request: pb.VerifyRequest, context: Context) -> AsyncIterator[pb.VerifyResponse]:
        """Every check of one property or, where none is named, of all."""
        day = wire.read_day(request.gaming_day) if request.gaming_day else None
        names = [request.property_id] if request.property_id else self._service_properties()
        for name in names:
            feeds = (self._service.feed(SUBMISSIONS, name), self._service.feed(SETTLEMENTS, name))
            async for found in verification.verify(self._office.pool, *feeds, day):
                yield pb.VerifyResponse(verification=found)
            records = partial(verify_records, self._service, name, verification.RECORDED)
            for found in await guarded("settlement: record", records):
                yield pb.VerifyResponse(verification=found)

    def _service_properties(self) -> list[str]:
        return sorted({feed.property_id for feed in self._service.feeds() if feed.name == SETTLEMENTS})
