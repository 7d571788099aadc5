"""Between the contract's documents and this service's."""

from collections.abc import Iterable
from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from casino.reporting.v1 import documents_pb2, reporting_service_pb2
from services.kernel.errors import DocumentImpossible
from services.reporting.document import KINDS, Amounts, Denomination, Document, IndependentCount, Signature
from services.reporting.serials import Gap
from services.reporting.wire import POSTED, asked_day, instant, stamp, words
from services.runtime.feeds import NewEntry

KIND_NUMBERS = {
    word: number
    for number, word in words(documents_pb2.DocumentKind.DESCRIPTOR, "DOCUMENT_KIND_").items()
    if word in KINDS
}
KIND_NAMES = {number: word for word, number in KIND_NUMBERS.items()}
PostedAnswer = reporting_service_pb2.PostDocumentResponse


def document(message: documents_pb2.Document, posted_by: str, posted_at: datetime) -> Document:
    """A document as a caller sends it, posted by that principal now. Raises InvalidRequest, DocumentImpossible."""
    name = message.document_id
    return Document(
        document_id=name,
        property_id=message.property_id,
        kind=KIND_NAMES.get(message.kind, ""),
        gaming_day=asked_day(message.gaming_day),
        shift=message.shift,
        table_id=message.table_id,
        amount_cents=message.amount_cents,
        currency_cents=message.currency_cents,
        counter_checks_cents=message.counter_checks_cents,
        occurred_at=_moment(name, message.occurred_at) if message.HasField("occurred_at") else None,
        posted_by=posted_by,
        posted_at=posted_at,
        denominations=_denominations(message.denominations),
        first_count=_count(message.first_count) if message.HasField("first_count") else None,
        second_count=_count(message.second_count) if message.HasField("second_count") else None,
        coupons_cents=message.coupons_cents,
        promotional_cents=message.promotional_cents,
        box_serial=message.box_serial,
        signatures=tuple(_signature(name, each) for each in message.signatures),
        corrects=message.corrects,
        reason=message.reason,
        jackpot_id=message.jackpot_id,
        about=tuple(message.about),
        wagers_cents=message.wagers_cents,
        payouts_cents=message.payouts_cents,
    )


def _moment(document_id: str, told: Timestamp) -> datetime:
    try:
        return instant(told)
    except ValueError as problem:
        raise DocumentImpossible(f"{document_id}: expected a time of our era: {problem}") from problem


def _denominations(messages: Iterable[documents_pb2.Denomination]) -> tuple[Denomination, ...]:
    return tuple(Denomination(each.value_cents, each.amount_cents) for each in messages)


def _count(message: documents_pb2.IndependentCount) -> IndependentCount:
    amounts = Amounts(
        message.currency_cents, message.counter_checks_cents, message.coupons_cents, message.promotional_cents
    )
    return IndependentCount(message.counted_by, amounts, _denominations(message.denominations))


def _signature(document_id: str, message: documents_pb2.Signature) -> Signature:
    at = _moment(document_id, message.at) if message.HasField("at") else None
    return Signature(message.role, message.name, at)


def document_message(found: Document) -> documents_pb2.Document:
    """A document on the wire."""
    return documents_pb2.Document(
        document_id=found.document_id,
        property_id=found.property_id,
        kind=documents_pb2.DocumentKind.ValueType(KIND_NUMBERS[found.kind]),
        gaming_day=found.gaming_day.isoformat(),
        shift=found.shift,
        table_id=found.table_id,
        amount_cents=found.amount_cents,
        currency_cents=found.currency_cents,
        counter_checks_cents=found.counter_checks_cents,
        occurred_at=stamp(found.occurred_at) if found.occurred_at else None,
        posted_by=found.posted_by,
        posted_at=stamp(found.posted_at),
        denominations=_denomination_messages(found.denominations),
        first_count=_count_message(found.first_count) if found.first_count else None,
        second_count=_count_message(found.second_count) if found.second_count else None,
        coupons_cents=found.coupons_cents,
        promotional_cents=found.promotional_cents,
        box_serial=found.box_serial,
        signatures=[_signature_message(each) for each in found.signatures],
        corrects=found.corrects,
        reason=found.reason,
        jackpot_id=found.jackpot_id,
        about=found.about,
        wagers_cents=found.wagers_cents,
        payouts_cents=found.payouts_cents,
    )


def _denomination_messages(pairs: Iterable[Denomination]) -> list[documents_pb2.Denomination]:
    return [documents_pb2.Denomination(value_cents=value, amount_cents=amount) for value, amount in pairs]


def _count_message(count: IndependentCount) -> documents_pb2.IndependentCount:
    currency, checks, coupons, promotional = count.amounts
    return documents_pb2.IndependentCount(
        counted_by=count.counted_by,
        denominations=_denomination_messages(count.denominations),
        currency_cents=currency,
        counter_checks_cents=checks,
        coupons_cents=coupons,
        promotional_cents=promotional,
    )


def _signature_message(signature: Signature) -> documents_pb2.Signature:
    at = stamp(signature.at) if signature.at else None
    return documents_pb2.Signature(role=signature.role, name=signature.name, at=at)


def document_entry(found: Document) -> NewEntry:
    """A document as an entry of the documents feed."""
    entry = documents_pb2.DocumentsEntry(posted=document_message(found))
    return NewEntry(POSTED, found.gaming_day, entry.SerializeToString(deterministic=True))


def document_of(posted: documents_pb2.Document) -> Document:
    """The document in an entry of the documents feed."""
    return document(posted, posted.posted_by, instant(posted.posted_at))


def posted_answer(found: Document, position: int) -> PostedAnswer:
    """What the poster of a document is told."""
    return PostedAnswer(document=document_message(found), position=position)


def missing_message(gap: Gap, explained_by: Iterable[str]) -> reporting_service_pb2.MissingSerials:
    """Missing serial numbers on the wire."""
    return reporting_service_pb2.MissingSerials(
        first=str(gap.first),
        last=str(gap.last),
        before=gap.before,
        gaming_day=gap.gaming_day.isoformat(),
        explained_by=explained_by,
    )
