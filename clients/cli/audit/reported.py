"""The daily win of each gaming day as it is told, before the feeds are read to where it stands."""

from collections.abc import Sequence

from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.cli.audit.day_facts import Reported
from clients.cli.audit.findings import Findings
from clients.cli.audit.outline import Outline
from clients.cli.reports import complete_report
from clients.sdk.client import Casino
from clients.sdk.refusals import RefusedByServer
from services.kernel.errors import Busy

REPORT = "daily-win"


async def gather_reports(
    casino: Casino, outline: Outline, days: Sequence[str] | None, findings: Findings
) -> list[Reported]:
    """The report and the documents of these days, or of all that there are; what is refused is a difference.

    The outline reaches as far afterwards as any settlement or entry of the journal that they count stands on.
    """
    await outline.read_on(casino)
    found = []
    for day in sorted(outline.days) if days is None else days:
        try:
            found.append(await reported(casino, outline.property_id, day))
        except (RefusedByServer, Busy) as refusal:
            findings.differs(f"daily win of {day}: expected a report, given {refusal}")
    await outline.read_on(casino)
    return found


async def reported(casino: Casino, property_id: str, day: str) -> Reported:
    """The report of one day, complete, and its documents. Raises RefusedByServer, Busy."""
    report = await complete_report(casino, REPORT, property_id, day)
    request = reporting.ListDocumentsRequest(property_id=property_id, gaming_day=day)
    return Reported(report, (await casino.call(casino.reporting.ListDocuments, request)).documents)
