"""A table's papers as a casino writes them: signed, by denomination, counted twice. The day of BJ-104."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from casino.reporting.v1 import documents_pb2 as paper
from casino.reporting.v1 import reporting_service_pb2 as messages
from services.kernel.money import cents
from services.reporting.document import SIGNATORIES
from tests.reporting.builders import DAY
from tests.reporting.conftest import House
from tests.reporting.upstream import PROPERTY

HUNDRED = 10_000
AT = datetime(2026, 3, 2, 17, tzinfo=UTC)


def signed(kind: str) -> list[paper.Signature]:
    """Everybody's signature that the kind takes."""
    return [paper.Signature(role=role, name=f"a {role}") for role in SIGNATORIES[kind]]


def pieces(amount: int) -> list[paper.Denomination]:
    """An amount in hundreds and what is left in cents."""
    parts = ((HUNDRED, amount // HUNDRED * HUNDRED), (1, amount % HUNDRED))
    return [paper.Denomination(value_cents=value, amount_cents=part) for value, part in parts if part]


def written(kind: str, document_id: str, dollars: str = "0.00", **given: Any) -> paper.Document:
    """A signed paper of BAC-01 on the test's day, slips by denomination."""
    occurred = Timestamp()
    occurred.FromDatetime(AT)
    amount = cents(dollars)
    parts: dict[str, Any] = {
        "document_id": document_id,
        "property_id": PROPERTY,
        "kind": f"DOCUMENT_KIND_{kind.upper()}",
        "gaming_day": DAY.isoformat(),
        "table_id": "BAC-01",
        "amount_cents": amount,
        "denominations": pieces(amount) if kind in ("opener", "fill", "credit", "closer") else [],
        "signatures": signed(kind),
        "occurred_at": occurred,
    }
    return paper.Document(**{**parts, **given})


def counted(by: str, currency: str, checks: str = "0.00", coupons: str = "0.00") -> paper.IndependentCount:
    """What one person found in the box."""
    return paper.IndependentCount(
        counted_by=by, currency_cents=cents(currency), counter_checks_cents=cents(checks), coupons_cents=cents(coupons)
    )


def box(document_id: str, currency: str, checks: str, **given: Any) -> paper.Document:
    """A box counted twice with the same result."""
    parts: dict[str, Any] = {
        "currency_cents": cents(currency),
        "counter_checks_cents": cents(checks),
        "amount_cents": cents(currency) + cents(checks),
        "box_serial": "B-7",
        "first_count": counted("Ann", currency, checks),
        "second_count": counted("Ben", currency, checks),
    }
    return written("count", document_id, **{**parts, **given})


def notice(document_id: str, *about: str, **given: Any) -> paper.Document:
    """An error notification."""
    parts: dict[str, Any] = {"about": about, "reason": "looked into"}
    return written("error_notification", document_id, **{**parts, **given})


def whole_day() -> list[paper.Document]:
    """The papers of a day with a win of 15,650.00."""
    return [
        written("opener", "O-1", "50,000.00"),
        written("fill", "F-1", "20,000.00"),
        written("credit", "C-1", "5,000.00"),
        written("counter_check", "M-1", "10,000.00"),
        written("drop", "D-1", box_serial="B-7"),
        box("N-1", "38,250.00", "10,000.00"),
        written("closer", "X-1", "32,400.00"),
    ]


async def post(house: House, document: paper.Document, by: str = "pit clerk") -> messages.PostDocumentResponse:
    """Posts a document."""
    request = messages.PostDocumentRequest(request_id=f"post {document.document_id}", document=document)
    return await house.stub.PostDocument(request, metadata=(("principal", by),))


async def complete(house: House, to: int = 2) -> None:
    """Settlement and progressives have told that they know no more than the property and its table."""
    await house.upstream.settlements.commit(rounds=to)
    await house.upstream.progressives.commit(rounds=to)
    await house.report(complete_to=to)


async def post_all(house: House, documents: Sequence[paper.Document]) -> None:
    """Posts documents in order."""
    for document in documents:
        await post(house, document)


async def advance(
    house: House, to: str, by: str, day: str = DAY.isoformat(), request_id: str = ""
) -> messages.AdvanceDayResponse:
    """A day to its next state."""
    request = messages.AdvanceDayRequest(
        request_id=request_id or f"{to} {day} {by}",
        property_id=PROPERTY,
        gaming_day=day,
        to=paper.DayState.Value(f"DAY_STATE_{to.upper()}"),
    )
    return await house.stub.AdvanceDay(request, metadata=(("principal", by),))


async def file_day(house: House, day: str = DAY.isoformat()) -> messages.AdvanceDayResponse:
    """A day all the way to filed, by three people."""
    await advance(house, "counted", "a counter", day)
    await advance(house, "audited", "an auditor", day)
    return await advance(house, "filed", "a controller", day)


async def status(house: House, day: str = DAY.isoformat(), *, compare: bool = False) -> messages.DayStatus:
    """How a day stands."""
    request = messages.ListDaysRequest(property_id=PROPERTY, from_day=day, to_day=day, compare=compare)
    (found,) = (await house.stub.ListDays(request, metadata=(("principal", "a reader"),))).days
    return found


def blockers(day: messages.DayStatus) -> list[tuple[str, str, str]]:
    """What stands in the way: of which state, why, about what."""
    return [
        (paper.DayState.Name(each.blocks).removeprefix("DAY_STATE_").lower(), each.reason, each.subject)
        for each in day.blockers
    ]
