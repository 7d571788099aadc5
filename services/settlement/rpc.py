"""The servicer: protobuf in, operation, protobuf out."""

from collections.abc import AsyncIterator
from typing import Any

from casino.settlement.v1 import settlement_service_pb2 as pb
from services.runtime.principals import current_principal
from services.runtime.requests import Write
from services.runtime.server import Service
from services.settlement import operations, verification, wire

SUBMISSIONS, SETTLEMENTS = "submissions", "settlements"

Context = Any
"""The call's context; the gate in front of every call names the principal and turns refusals to statuses."""


class Servicer:
    """casino.settlement.v1.SettlementService; what each method refuses stands in the proto."""

    def __init__(self, service: Service, office: operations.Office) -> None:
        self._service, self._office = service, office

    async def ProposeSubmission(
        self, request: pb.ProposeSubmissionRequest, context: Context
    ) -> pb.ProposeSubmissionResponse:
        """Keeps a submission that the regulation allows."""
        write = Write(request.property_id, request)
        feed = self._service.feed(SUBMISSIONS, request.property_id)
        proposal = wire.read_proposal(request)
        return await operations.propose(self._office, feed, write, proposal, current_principal())

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

    def _service_properties(self) -> list[str]:
        return sorted({feed.property_id for feed in self._service.feeds() if feed.name == SETTLEMENTS})
