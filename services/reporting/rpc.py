"""The service's calls: protobuf in, an operation, protobuf out."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial

from casino.reporting.v1 import reporting_service_pb2 as messages
from services.kernel.errors import Busy, PropertyUnknown
from services.reporting import operations, wire
from services.reporting.days import estimates
from services.reporting.days import operations as days
from services.reporting.days import wire as days_wire
from services.reporting.documents import operations as papers
from services.reporting.documents import wire as papers_wire
from services.reporting.rebuilding import request as rebuilding
from services.reporting.rebuilding import wire as rebuilding_wire
from services.reporting.verification import columns, verify_facts
from services.runtime.principals import current_principal
from services.runtime.records import verify_records
from services.runtime.requests import Write
from services.runtime.server import Service
from services.runtime.verification import Verifications, guarded, verify_feed

CHUNK_BYTES = 256 << 10


Check = Callable[[], Awaitable[Verifications]]
Rebuild = Callable[[rebuilding.Request], AsyncIterator[rebuilding_wire.Progress | rebuilding_wire.Rebuilt]]


class ReportingServicer:
    """Table documents, gaming days and reports."""

    def __init__(self, service: Service, projections: Mapping[str, Check], rebuilds: Mapping[str, Rebuild]) -> None:
        """`projections`: how those of each property are made anew and compared, `rebuilds`: how they are replaced; both
        may be completed later.
        """
        self._service, self._projections, self._rebuilds = service, projections, rebuilds

    async def PostDocument(
        self, request: messages.PostDocumentRequest, context: object
    ) -> messages.PostDocumentResponse:
        """See casino.reporting.v1.ReportingService."""
        now = self._service.clock()
        document = papers_wire.document(request.document, current_principal(), now)
        write = Write(document.property_id, request)
        feed = self._service.feed("documents", document.property_id)
        return await papers.post_document(self._service.pool, feed, write, document, now)

    async def ListDocuments(
        self, request: messages.ListDocumentsRequest, context: object
    ) -> messages.ListDocumentsResponse:
        """See casino.reporting.v1.ReportingService."""
        day = wire.asked_day(request.gaming_day) if request.gaming_day else None
        found = await papers.list_documents(self._service.pool, request.property_id, day, request.table_id)
        return messages.ListDocumentsResponse(
            documents=[papers_wire.document_message(document) for document in found.values()]
        )

    async def ListMissingSerials(
        self, request: messages.ListMissingSerialsRequest, context: object
    ) -> messages.ListMissingSerialsResponse:
        """See casino.reporting.v1.ReportingService."""
        days_asked = wire.asked_range(request.from_day, request.to_day)
        found = await papers.missing_serials(self._service.pool, request.property_id, *days_asked)
        return messages.ListMissingSerialsResponse(
            missing=[papers_wire.missing_message(gap, explained_by) for gap, explained_by in found]
        )

    async def AdvanceDay(self, request: messages.AdvanceDayRequest, context: object) -> messages.AdvanceDayResponse:
        """See casino.reporting.v1.ReportingService."""
        return await days.advance_day(self._about_day(request), days_wire.asked_state(request.to))

    async def RestateDay(self, request: messages.RestateDayRequest, context: object) -> messages.RestateDayResponse:
        """See casino.reporting.v1.ReportingService."""
        return await days.restate_day(self._about_day(request), request.reason)

    async def ApproveRestatement(
        self, request: messages.ApproveRestatementRequest, context: object
    ) -> messages.ApproveRestatementResponse:
        """See casino.reporting.v1.ReportingService."""
        return await days.approve_restatement(self._about_day(request))

    def _about_day(
        self,
        request: messages.AdvanceDayRequest | messages.RestateDayRequest | messages.ApproveRestatementRequest,
    ) -> days.Request:
        write = Write(request.property_id, request)
        feed = self._service.feed("documents", request.property_id)
        day = wire.asked_day(request.gaming_day)
        return days.Request(self._service.pool, feed, write, day, current_principal(), self._service.clock())

    async def ListDays(self, request: messages.ListDaysRequest, context: object) -> messages.ListDaysResponse:
        """See casino.reporting.v1.ReportingService."""
        first, last = (wire.asked_day(text) if text else None for text in (request.from_day, request.to_day))
        found = await days.list_days(
            self._service.pool, request.property_id, first, last, self._service.clock(), compare=request.compare
        )
        return messages.ListDaysResponse(days=found)

    async def GetReport(self, request: messages.GetReportRequest, context: object) -> messages.GetReportResponse:
        """See casino.reporting.v1.ReportingService."""
        return messages.GetReportResponse(report=messages.Report.FromString(await self._report(request)))

    async def StreamReport(
        self, request: messages.StreamReportRequest, context: object
    ) -> AsyncIterator[messages.StreamReportResponse]:
        """See casino.reporting.v1.ReportingService."""
        content = await self._report(request.report)
        for start in range(0, len(content), CHUNK_BYTES):
            yield messages.StreamReportResponse(chunk=content[start : start + CHUNK_BYTES])

    async def _report(self, request: messages.GetReportRequest) -> bytes:
        """The bytes of a report: as filed, or as it is now."""
        first, last = wire.asked_period(request)
        pool, property_id = self._service.pool, request.property_id
        if request.version:
            return await days.filed_content(pool, request.name, property_id, first, last, request.version)
        made = await operations.report(
            pool, request.name, property_id, last, current_principal(), self._service.clock(), first
        )
        return days_wire.report_content(made, version=0)

    async def EstimateTax(self, request: messages.EstimateTaxRequest, context: object) -> messages.EstimateTaxResponse:
        """See casino.reporting.v1.ReportingService."""
        differences = days_wire.asked_differences(request)
        title, found = await estimates.estimate_tax(
            self._service.pool, request.property_id, differences, self._service.clock()
        )
        return days_wire.estimates_answer(title, found)

    async def RebuildProjections(
        self, request: messages.RebuildProjectionsRequest, context: object
    ) -> AsyncIterator[messages.RebuildProjectionsResponse]:
        """See casino.reporting.v1.ReportingService."""
        if request.property_id not in self._rebuilds:
            raise Busy(f"reporting does not follow {request.property_id!r} yet; ask again shortly.")
        write = Write(request.property_id, request)
        asked = rebuilding.Request(write, request.reason, current_principal(), self._service.clock())
        async for told in self._rebuilds[request.property_id](asked):
            yield rebuilding_wire.told(told)

    async def GetStatus(self, request: messages.GetStatusRequest, context: object) -> messages.GetStatusResponse:
        """See casino.reporting.v1.ReportingService."""
        return messages.GetStatusResponse(status=await self._service.status())

    async def Verify(self, request: messages.VerifyRequest, context: object) -> AsyncIterator[messages.VerifyResponse]:
        """The documents feed rehashed; documents, states of days and filed reports compared with it.

        Projections are made anew from the other feeds and compared. Raises PropertyUnknown, Busy.
        """
        feeds = [feed for feed in self._service.feeds() if request.property_id in ("", feed.property_id)]
        if request.property_id and not feeds:
            raise PropertyUnknown(f"expected a property of this platform, given {request.property_id!r}")
        for feed in feeds:
            service, name = self._service, feed.property_id
            if name not in self._projections:
                raise Busy(f"reporting does not follow {name!r} yet; ask again shortly.")
            checks: dict[str, Check] = {
                "documents_entry": partial(verify_feed, service.pool, service.name, feed, columns),
                "document, day_state, filed_report": partial(verify_facts, service.pool, feed),
                "projections": self._projections[name],
                "record": partial(verify_records, service, name, {}),
            }
            for table, check in checks.items():
                for verification in await guarded(f"reporting: {table}", check):
                    yield messages.VerifyResponse(verification=verification)
