"""The service's calls: protobuf in, an operation, protobuf out."""

from collections.abc import AsyncIterator

from casino.feeds.v1 import feeds_pb2
from casino.reporting.v1 import reporting_service_pb2 as messages
from services.kernel.errors import PropertyUnknown
from services.reporting import operations, store, wire
from services.reporting.document import Document
from services.runtime.feeds import Feed
from services.runtime.principals import current_principal
from services.runtime.requests import Write
from services.runtime.server import Service
from services.runtime.verification import Findings, entry_pages, verify_feed


class ReportingServicer:
    """Table documents and reports."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def PostDocument(
        self, request: messages.PostDocumentRequest, context: object
    ) -> messages.PostDocumentResponse:
        """See casino.reporting.v1.ReportingService."""
        now = self._service.clock()
        document = wire.document(request.document, current_principal(), now)
        write = Write(document.property_id, request)
        feed = self._service.feed("documents", document.property_id)
        return await operations.post_document(self._service.pool, feed, write, document, now)

    async def ListDocuments(
        self, request: messages.ListDocumentsRequest, context: object
    ) -> messages.ListDocumentsResponse:
        """See casino.reporting.v1.ReportingService."""
        day = wire.asked_day(request.gaming_day) if request.gaming_day else None
        found = await operations.list_documents(self._service.pool, request.property_id, day, request.table_id)
        return messages.ListDocumentsResponse(
            documents=[wire.document_message(document) for document in found.values()]
        )

    async def GetReport(self, request: messages.GetReportRequest, context: object) -> messages.GetReportResponse:
        """See casino.reporting.v1.ReportingService."""
        made = await operations.report(
            self._service.pool,
            request.name,
            request.property_id,
            wire.asked_day(request.gaming_day),
            current_principal(),
            self._service.clock(),
        )
        return messages.GetReportResponse(report=wire.report_message(made))

    async def GetStatus(self, request: messages.GetStatusRequest, context: object) -> messages.GetStatusResponse:
        """See casino.reporting.v1.ReportingService."""
        return messages.GetStatusResponse(status=await self._service.status())

    async def Verify(self, request: messages.VerifyRequest, context: object) -> AsyncIterator[messages.VerifyResponse]:
        """The documents feed rehashed, the documents compared with it, the projections' rows counted.

        Projections are sums of the other feeds: whoever verifies folds those again.
        """
        feeds = [feed for feed in self._service.feeds() if request.property_id in ("", feed.property_id)]
        if request.property_id and not feeds:
            raise PropertyUnknown(f"expected a property of this platform, given {request.property_id!r}")
        for feed in feeds:
            yield messages.VerifyResponse(
                verification=await verify_feed(self._service.pool, "reporting", feed, wire.document_columns)
            )
            yield messages.VerifyResponse(verification=await self._documents(feed))

    async def _documents(self, feed: Feed) -> feeds_pb2.Verification:
        findings = Findings("reporting: documents compared with their entries")
        async with (
            self._service.pool.acquire() as connection,
            connection.transaction(isolation="repeatable_read"),
        ):
            rows = await store.documents(connection, feed.property_id)
            async for page in entry_pages(connection, feed):
                for entry in page:
                    row = rows.pop(entry.position, None)
                    findings.expect(
                        row == wire.document_of(entry.entry),
                        f"documents position {entry.position}: {_difference(row)}",
                    )
        for position, row in rows.items():
            findings.differs(f"documents position {position}: {row.document_id} is a row without an entry")
        return findings.message()


def _difference(row: Document | None) -> str:
    return "the row is missing" if row is None else f"{row.document_id} is not what the entry's bytes say"
