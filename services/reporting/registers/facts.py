"""What each register is made of, read in one snapshot."""

from collections.abc import Sequence
from datetime import date

from services.reporting.day import RESTATED
from services.reporting.days import store as days
from services.reporting.document import Document, standing
from services.reporting.documents import store as papers
from services.reporting.periods import Asked
from services.reporting.registers import store
from services.reporting.registers.adjustments import AdjustmentFacts
from services.reporting.registers.jackpots import JackpotFacts
from services.reporting.registers.parameters import ParameterFacts
from services.reporting.registers.slips import SlipFacts
from services.reporting.registers.steps import steps
from services.reporting.reports import store as sums
from services.reporting.reports.wire import filed_revenue
from services.reporting.serials import Gap, gaps, unexplained
from services.reporting.suspicions import store as suspicions
from services.runtime.store import Connection

NOTICE = "error_notification"


async def jackpot_facts(connection: Connection, asked: Asked) -> JackpotFacts:
    """Jackpots hit up to the period's end."""
    jackpots = await store.jackpots(connection, asked.property_id, asked.last)
    events = await store.events(connection, asked.property_id, date.max)
    found = steps(jackpots, events, await store.calendars(connection, asked.property_id))
    names = sorted({each.jackpot_id for each in jackpots})
    return JackpotFacts(
        asked,
        found,
        await store.decisions(connection, asked.property_id, date.max),
        await store.slip_numbers(connection, asked.property_id, names),
    )


async def slip_facts(connection: Connection, asked: Asked, kinds: Sequence[str]) -> SlipFacts:
    """Documents of the period of some kinds, error notifications, and the numbers missing before them."""
    span = (asked.property_id, asked.first, asked.last)
    found = await papers.documents_between(connection, *span, (*kinds, NOTICE))
    notices = [each for each in standing(found) if each.kind == NOTICE]
    missing = gaps(await suspicions.after_gaps(connection, *span))
    return SlipFacts(asked, found, [(gap, _explaining(gap, notices)) for gap in missing])


def _explaining(gap: Gap, notices: list[Document]) -> list[str]:
    """The error notifications that name a gap, in whole or in part."""
    return [each.document_id for each in notices if unexplained(gap, each.about) != [gap]]


async def adjustment_facts(connection: Connection, asked: Asked) -> AdjustmentFacts:
    """What was corrected, decided and restated in the period."""
    span = (asked.property_id, asked.first, asked.last)
    changes = list((await days.changes(connection, *span)).values())
    restated = {each.gaming_day for each in changes if each.state == RESTATED}
    versions = await store.filed_versions(connection, asked.property_id, "gross-revenue", *span[1:]) if restated else []
    return AdjustmentFacts(
        asked,
        await papers.documents_corrected(connection, *span),
        await store.decisions(connection, asked.property_id, asked.last),
        await store.jackpots(connection, asked.property_id, asked.last),
        await store.events(connection, asked.property_id, asked.last),
        changes,
        {(day, version): filed_revenue(content) for day, version, content in versions if day in restated},
    )


async def parameter_facts(connection: Connection, asked: Asked) -> ParameterFacts:
    """Links, submissions and settings, each with what was before it."""
    return ParameterFacts(
        asked,
        await store.links(connection, asked.property_id, asked.last),
        await store.submissions(connection, asked.property_id, asked.last),
        await sums.terms(connection, asked.property_id),
        await store.property_settings(connection, asked.property_id),
        await sums.table_settings(connection, asked.property_id),
    )
