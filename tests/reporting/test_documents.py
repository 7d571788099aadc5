"""Table documents over the contract, on Postgres."""

from typing import Any

import asyncpg
import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from casino.reporting.v1 import documents_pb2, reporting_service_pb2
from services.runtime.chains import GENESIS
from tests.databases import Database
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
    assert await verified(house) == {
        "reporting: documents entries rehashed": (1, 0),
        "reporting: documents compared with their entries": (1, 0),
    }


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
