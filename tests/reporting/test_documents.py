"""Table documents over the contract, on Postgres."""

from typing import Any

import asyncpg
import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from casino.reporting.v1 import documents_pb2, reporting_service_pb2
from services.runtime.chains import GENESIS
from tests.databases import Database
from tests.reporting import papers
from tests.reporting.builders import DAY, NOON
from tests.reporting.conftest import AS_CLERK, House
from tests.reporting.upstream import PROPERTY

FILL = documents_pb2.DOCUMENT_KIND_FILL


def paper(document_id: str = "F-100", **given: Any) -> documents_pb2.Document:
    """A fill of 2,000.00 at BAC-01."""
    occurred = Timestamp()
    occurred.FromDatetime(NOON)
    parts: dict[str, Any] = {
        "document_id": document_id,
        "property_id": PROPERTY,
        "kind": FILL,
        "gaming_day": DAY.isoformat(),
        "shift": 1,
        "table_id": "BAC-01",
        "amount_cents": 200_000,
        "occurred_at": occurred,
    }
    return documents_pb2.Document(**{**parts, **given})


async def post(
    house: House, document: documents_pb2.Document, request_id: str = "R-1"
) -> reporting_service_pb2.PostDocumentResponse:
    """Posts a document as the pit clerk."""
    request = reporting_service_pb2.PostDocumentRequest(request_id=request_id, document=document)
    return await house.stub.PostDocument(request, metadata=AS_CLERK)


async def refused(house: House, document: documents_pb2.Document, request_id: str) -> tuple[object, str]:
    """Code and sentence of a refusal."""
    with pytest.raises(grpc.aio.AioRpcError) as found:
        await post(house, document, request_id)
    return found.value.code(), str(found.value.details())


async def verified(house: House) -> dict[str, tuple[int, int]]:
    """What the service finds of itself: checked and different by check."""
    request = reporting_service_pb2.VerifyRequest(property_id=PROPERTY)
    return {
        answer.verification.check: (answer.verification.checked, answer.verification.different)
        async for answer in house.stub.Verify(request, metadata=AS_CLERK)
    }


async def test_a_document_is_kept_with_its_poster(house: House) -> None:
    """The answer and the list give the document back, with who posted it and when."""
    answer = await post(house, paper())
    assert (answer.position, answer.document.posted_by) == (1, "pit clerk")
    listed = await house.stub.ListDocuments(
        reporting_service_pb2.ListDocumentsRequest(property_id=PROPERTY, gaming_day="2026-03-02", table_id="BAC-01"),
        metadata=AS_CLERK,
    )
    assert list(listed.documents) == [answer.document]
    assert answer.document.posted_at.seconds > 0


async def test_the_same_document_again_gets_the_same_answer(house: House) -> None:
    """Under its request_id or under a new one: one serial number, one document, one answer."""
    first = await post(house, paper(), "R-1")
    assert await post(house, paper(), "R-1") == first
    assert await post(house, paper(), "R-2") == first
    found, documents = (
        await verified(house),
        {
            "reporting: documents entries rehashed": (1, 0),
            "reporting: documents compared with their entries": (1, 0),
            "reporting: states of gaming days compared with their entries": (0, 0),
            "reporting: filed reports compared with their entries and hashes": (0, 0),
        },
    )
    assert {name: found[name] for name in documents} == documents
    assert {different for _, different in found.values()} == {0}


async def test_another_document_under_the_serial_number_is_refused(house: House) -> None:
    """A serial number stands on one document for ever; a correction has one of its own."""
    await post(house, paper(), "R-1")
    code, sentence = await refused(house, paper(amount_cents=200_001), "R-2")
    assert code is grpc.StatusCode.ALREADY_EXISTS
    assert "expected the fill of BAC-01 on 2026-03-02 that pit clerk posted" in sentence


async def test_a_document_that_cannot_be_is_refused_by_name(house: House) -> None:
    """Table, day, shift, kind and amount are checked; the sentence says what was expected and given."""
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"table_id": "BAC-99"}, "INVALID_ARGUMENT", "expected a table of SAMPLE on 2026-03-02: BAC-01; given BAC-99"),
        ({"gaming_day": "2 March"}, "INVALID_ARGUMENT", "expected a gaming day as YYYY-MM-DD, given '2 March'"),
        ({"gaming_day": "2025-12-31"}, "NOT_FOUND", "expected a property in force on 2025-12-31"),
        ({"shift": 4}, "INVALID_ARGUMENT", "a shift from 1 to 3"),
        ({"kind": 0}, "INVALID_ARGUMENT", "expected a kind"),
        ({"amount_cents": -1}, "INVALID_ARGUMENT", "expected amounts from 0.00"),
        ({"occurred_at": Timestamp(seconds=-(10**14))}, "INVALID_ARGUMENT", "expected a time of our era"),
        ({"property_id": "ELSEWHERE"}, "UNAVAILABLE", "knows no property 'ELSEWHERE' yet"),
        ({"property_id": ""}, "INVALID_ARGUMENT", "needs a request_id of the caller's choice and a property_id"),
    ]
    for given, code, said in cases:
        found, sentence = await refused(house, paper(**given), "R-1")
        assert found is grpc.StatusCode[code]
        assert said in sentence


async def test_a_head_that_another_writer_raised_is_read_again(house: House) -> None:
    """A service that believes in an older head, as after a lost answer to its commit, loads it and goes on."""
    await post(house, paper("F-1"), "R-1")
    feed = house.service.feed("documents", PROPERTY)
    feed.position, feed.hash = 0, GENESIS
    assert (await post(house, paper("F-2"), "R-2")).position == 2
    assert (await verified(house))["reporting: documents entries rehashed"] == (2, 0)


async def test_a_document_is_a_fact_that_nobody_changes(house: House, database: Database) -> None:
    """Row and entry of a document can be neither changed nor removed, by the owner either."""
    await post(house, paper())
    connection = await asyncpg.connect(database.owner_url)
    try:
        for statement in ("update reporting.document set shift = 2", "delete from reporting.documents_entry"):
            with pytest.raises(asyncpg.RestrictViolationError):
                await connection.execute(statement)
    finally:
        await connection.close()


async def test_a_changed_row_is_found_by_verify(house: House, database: Database) -> None:
    """A row that no longer says what its entry's bytes say is named, though the chain is whole."""
    await post(house, paper())
    connection = await asyncpg.connect(database.owner_url)
    try:
        await connection.execute("alter table reporting.document disable trigger all")
        await connection.execute("update reporting.document set amount_cents = 1")
    finally:
        await connection.close()
    found = await verified(house)
    assert found["reporting: documents entries rehashed"] == (1, 0)
    assert found["reporting: documents compared with their entries"] == (1, 1)


async def test_every_part_of_a_document_is_kept(house: House) -> None:
    """Counts, denominations, signatures with their times, names and amounts come back as they were posted."""
    at = Timestamp(seconds=1_772_470_800)
    told = papers.box(
        "N-1",
        "500.00",
        "100.00",
        signatures=[documents_pb2.Signature(role="count_supervisor", name="Cy", at=at)],
        denominations=papers.pieces(50_000),
        coupons_cents=700,
        promotional_cents=300,
    )
    for count in (told.first_count, told.second_count):
        count.denominations.extend(papers.pieces(50_000))
        count.coupons_cents, count.promotional_cents = 700, 300
    for document in (
        told,
        papers.notice("E-1", "F-1", "F-3..F-9"),
        papers.written("jackpot_slip", "J-1", "1.00", jackpot_id="J-9"),
        papers.written("meter_reading", "R-1", wagers_cents=500, payouts_cents=200),
    ):
        posted = (await papers.post(house, document)).document
        posted.ClearField("posted_by")
        posted.ClearField("posted_at")
        assert posted == document
    assert (await verified(house))["reporting: documents compared with their entries"] == (4, 0)


async def test_a_correction_names_a_document_that_stands(house: House) -> None:
    """By another person, once; a chain goes on from its last document."""
    await post(house, paper("F-1"), "R-1")
    unknown = papers.post(house, paper("F-2", corrects="F-9", reason="misread"), by="another")
    with pytest.raises(grpc.aio.AioRpcError, match="expected to correct a posted document; given F-9"):
        await unknown
    code, sentence = await refused(house, paper("F-2", corrects="F-1", reason="misread"), "R-2")
    assert (code, "by another person" in sentence) == (grpc.StatusCode.PERMISSION_DENIED, True)
    await papers.post(house, paper("F-2", corrects="F-1", reason="misread", amount_cents=1), by="another")
    code, sentence = await refused(house, paper("F-3", corrects="F-1", reason="misread"), "R-3")
    assert (code, "expected to correct F-2, which stands" in sentence) == (grpc.StatusCode.INVALID_ARGUMENT, True)
    await post(house, paper("F-3", corrects="F-2", reason="misread", amount_cents=2), "R-4")
    table = next(each for each in (await house.report()).tables if each.name == "win")
    fills = [column.name for column in table.columns].index("fills")
    assert table.totals.cells[fills].number == 2
