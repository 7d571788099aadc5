"""Filed reports: bytes that never change, and other versions beside them."""

import hashlib
from typing import Any

import asyncpg
import pytest

from casino.reporting.v1 import documents_pb2 as paper
from casino.reporting.v1 import reporting_service_pb2 as messages
from services.reporting import operations
from services.reporting.filing import FILED_REPORTS, names
from tests.databases import Database
from tests.reporting.builders import DAY
from tests.reporting.conftest import House
from tests.reporting.papers import complete, file_day, notice, post, post_all, status, whole_day, written
from tests.reporting.test_days import refused
from tests.reporting.test_documents import verified
from tests.reporting.test_projections import table
from tests.reporting.upstream import PROPERTY

READER = (("principal", "a reader"),)


@pytest.fixture
async def filed(house: House) -> House:
    """A house with the day of BJ-104 filed."""
    await complete(house)
    await post_all(house, whole_day())
    await file_day(house)
    return house


def asked(version: int, name: str = "daily-win") -> messages.GetReportRequest:
    """The day's report in a version."""
    return messages.GetReportRequest(name=name, property_id=PROPERTY, gaming_day=DAY.isoformat(), version=version)


async def report(house: House, version: int) -> messages.Report:
    """The daily win in a version."""
    return (await house.stub.GetReport(asked(version), metadata=READER)).report


async def streamed(house: House, version: int) -> bytes:
    """The bytes of the daily win, put together from their pieces."""
    request = messages.StreamReportRequest(report=asked(version))
    return b"".join([piece.chunk async for piece in house.stub.StreamReport(request, metadata=READER)])


async def restate(house: House, by: str, reason: str = "a late slip") -> messages.RestateDayResponse:
    """Proposes another version."""
    request = messages.RestateDayRequest(
        request_id=f"restate {by}", property_id=PROPERTY, gaming_day=DAY.isoformat(), reason=reason
    )
    return await house.stub.RestateDay(request, metadata=(("principal", by),))


async def approve(house: House, by: str) -> messages.ApproveRestatementResponse:
    """Files what was proposed."""
    request = messages.ApproveRestatementRequest(
        request_id=f"approve {by}", property_id=PROPERTY, gaming_day=DAY.isoformat()
    )
    return await house.stub.ApproveRestatement(request, metadata=(("principal", by),))


def win(found: messages.Report) -> int:
    """The property's win of a report."""
    amount: int = table(found, "win")[1]["win"]
    return amount


async def test_a_filed_report_is_a_fact_with_its_hash_and_positions(filed: House) -> None:
    """Each report that there is of those to be filed: bytes, SHA-256, size, what it stands on, who filed it."""
    (daily, *others) = (await status(filed)).reports
    assert [daily.name, *(each.name for each in others)] == list(names(operations.REPORTS))
    content = await streamed(filed, version=1)
    assert (hashlib.sha256(content).digest(), len(content)) == (daily.sha256, daily.size)
    assert (daily.filed_by, daily.approved_by) == ("a controller", "an auditor")
    assert {each.feed: each.position for each in daily.positions}["documents"] == 9
    as_filed = await report(filed, version=1)
    assert (as_filed.version, win(as_filed)) == (1, 1_565_000)
    assert list(as_filed.positions) == list(daily.positions)
    assert messages.Report.FromString(content) == as_filed


async def test_a_version_that_was_not_filed_is_unknown(filed: House) -> None:
    """Neither a later version, nor a report that is not filed, nor a filed one of a whole month."""
    for request in (asked(2), asked(1, "progressive-liability")):
        code, sentence = await refused(filed.stub.GetReport(request, metadata=READER))
        assert code == "NOT_FOUND"
        assert "expected a report filed for a gaming day of 'SAMPLE'" in sentence
    month = asked(1)
    month.period = "month"
    code, sentence = await refused(filed.stub.GetReport(month, metadata=READER))
    assert (code, "2026-03-01 to 2026-03-31, version 1" in sentence) == ("NOT_FOUND", True)


async def test_a_late_document_leaves_the_filed_version(filed: House) -> None:
    """The filed bytes stay, the figures of now follow, and the day is shown as differing from what was filed."""
    before = await streamed(filed, version=1)
    assert list((await status(filed, compare=True)).differs) == []
    await post(filed, written("fill", "F-2", "1,000.00"))
    assert await streamed(filed, version=1) == before
    assert (win(await report(filed, 0)), win(await report(filed, 1))) == (1_465_000, 1_565_000)
    assert "daily-win" in (await status(filed, compare=True)).differs
    assert (await status(filed)).state == paper.DAY_STATE_FILED


async def test_a_restatement_takes_two_people_and_a_reason(filed: House) -> None:
    """One proposes, another approves; then version 2 stands beside version 1, with the reason."""
    await post(filed, written("fill", "F-2", "1,000.00"))
    code, sentence = await refused(restate(filed, "Nil", reason=" "))
    assert (code, sentence) == ("INVALID_ARGUMENT", "expected a reason for the restatement, given none")
    proposed = (await restate(filed, "Ann")).day
    assert (proposed.state, proposed.version) == (paper.DAY_STATE_RESTATEMENT_PROPOSED, 1)
    code, sentence = await refused(approve(filed, "Ann"))
    assert (code, "expected another person to approve than Ann" in sentence) == ("PERMISSION_DENIED", True)
    assert {each.version for each in (await status(filed)).reports} == {1}
    approved = await approve(filed, "Ben")
    assert (approved.day.version, approved.day.reason, approved.day.changed_by) == (2, "a late slip", "Ben")
    assert {(each.filed_by, each.approved_by) for each in approved.reports} == {("Ann", "Ben")}
    assert [win(await report(filed, version)) for version in (1, 2)] == [1_565_000, 1_465_000]
    found = await status(filed, compare=True)
    assert (found.state, found.version, list(found.differs)) == (paper.DAY_STATE_RESTATED, 2, [])


async def test_figures_that_are_as_filed_are_not_restated(filed: House) -> None:
    """A restatement says something else, and only of a day that is filed."""
    code, sentence = await refused(restate(filed, "Ann"))
    assert code == "FAILED_PRECONDITION"
    assert sentence == "expected figures of 2026-03-02 other than in version 1; given the same"
    assert "expected a day that is restatement_proposed" in (await refused(approve(filed, "Ben")))[1]


async def test_a_restatement_is_held_to_what_filing_is(filed: House) -> None:
    """What is open keeps it back and is named."""
    await post(filed, written("fill", "F-3", "1,000.00"))
    await restate(filed, "Ann")
    assert "SERIALS_MISSING: F-2" in (await refused(approve(filed, "Ben")))[1]
    await post(filed, notice("E-1", "F-2"))
    await approve(filed, "Ben")


async def test_a_corrected_document_is_replaced_in_what_is_restated(filed: House) -> None:
    """The original stays listed, the sums have the correction alone."""
    await post(filed, written("fill", "F-2", "10,000.00", corrects="F-1", reason="misread"), by="cage manager")
    await restate(filed, "Ann")
    await approve(filed, "Ben")
    assert win(await report(filed, 2)) == 2_565_000
    request = messages.ListDocumentsRequest(property_id=PROPERTY, gaming_day=DAY.isoformat())
    listed = (await filed.stub.ListDocuments(request, metadata=READER)).documents
    assert {"F-1", "F-2"} <= {each.document_id for each in listed}


async def test_states_and_filed_reports_are_verified(filed: House, database: Database) -> None:
    """Rows are what the entries say and bytes give the hash; a changed row or byte is named."""
    reports = len(names(operations.REPORTS))
    found = await verified(filed)
    assert found["reporting: states of gaming days compared with their entries"] == (3, 0)
    assert found["reporting: filed reports compared with their entries and hashes"] == (reports, 0)
    connection = await asyncpg.connect(database.owner_url)
    try:
        with pytest.raises(asyncpg.RestrictViolationError):
            await connection.execute("update reporting.filed_report set filed_by = 'nobody'")
        await connection.execute("alter table reporting.filed_report disable trigger all")
        await connection.execute("alter table reporting.day_state disable trigger all")
        await connection.execute("alter table reporting.filed_report drop constraint filed_report_check")
        await connection.execute("update reporting.filed_report set bytes = bytes || '\\x00' where name = 'daily-win'")
        await connection.execute("update reporting.day_state set changed_by = 'nobody' where state = 'counted'")
    finally:
        await connection.close()
    found = await verified(filed)
    assert found["reporting: documents entries rehashed"][1] == 0
    assert found["reporting: states of gaming days compared with their entries"] == (3, 1)
    assert found["reporting: filed reports compared with their entries and hashes"][1] == 2


async def test_a_period_is_a_week_a_month_or_two_days(house: House) -> None:
    """Periods are read strictly; a report that has none says so and names the days."""
    cases: list[tuple[dict[str, Any], str]] = [
        ({"gaming_day": "2026-03-04", "period": "week"}, "expected one gaming day; given 2026-03-02 to 2026-03-08"),
        ({"gaming_day": "2024-02-10", "period": "month"}, "expected one gaming day; given 2024-02-01 to 2024-02-29"),
        ({"from_day": "2026-03-04", "to_day": "2026-03-05"}, "given 2026-03-04 to 2026-03-05"),
        ({"from_day": "2026-03-05", "to_day": "2026-03-04"}, "expected a first day no later than the last"),
        ({"gaming_day": "2026-03-04", "to_day": "2026-03-05"}, "expected from_day and to_day, or a gaming_day"),
        ({"gaming_day": "2026-03-04", "period": "year"}, "expected a period: week, month, or none for the day"),
        ({}, "expected a gaming day as YYYY-MM-DD, given ''"),
    ]
    for given, said in cases:
        request = messages.GetReportRequest(name="daily-win", property_id=PROPERTY, **given)
        code, sentence = await refused(house.stub.GetReport(request, metadata=READER))
        assert code == "INVALID_ARGUMENT"
        assert said in sentence


async def test_what_is_filed_is_named_in_one_place() -> None:
    """Reports to be filed that there are not yet are left out."""
    assert names(("daily-win", "other")) == ("daily-win",)
    assert names(FILED_REPORTS) == FILED_REPORTS
