"""What is done with table documents, one transaction a use-case."""

import asyncio
from collections.abc import Sequence
from datetime import date, datetime

from services.kernel import errors
from services.reporting import store
from services.reporting.document import Document, standing
from services.reporting.documents import store as papers
from services.reporting.documents import wire
from services.reporting.operations import property_in_force
from services.reporting.serials import Gap, gaps, unexplained
from services.runtime.feeds import Feed, HeadMoved
from services.runtime.requests import Write, once
from services.runtime.store import Connection, Pool

TABLE_PATIENCE_SECONDS, TABLE_LOOK_SECONDS = 2.0, 0.05
ATTEMPTS = 3


async def post_document(pool: Pool, feed: Feed, write: Write, document: Document, now: datetime) -> wire.PostedAnswer:
    """Enters a document. The same content under its serial number again gets the first answer.

    Raises PropertyUnknown, DocumentImpossible (the table, a part of it, what it corrects), DocumentUnknown,
    SamePrincipal (a correction by who posted what it corrects), DocumentTaken, RequestIdTaken, Busy.
    """
    await _check(pool, document)
    for _ in range(ATTEMPTS):
        async with feed.lock:
            try:
                return await _post(pool, feed, write, document, now)
            except HeadMoved:
                async with pool.acquire() as connection:
                    await feed.load(connection)
    raise errors.Busy(f"{document.document_id}: other writers were first {ATTEMPTS} times; send it again.")


async def _post(pool: Pool, feed: Feed, write: Write, document: Document, now: datetime) -> wire.PostedAnswer:
    prepared = feed.prepare([wire.document_entry(document)], document.posted_by, now)
    entered = False

    async def enter() -> wire.PostedAnswer:
        nonlocal entered
        known = await papers.document(connection, document.property_id, document.document_id)
        if known is not None:
            return _first_answer(document, *known)
        await feed.write(connection, prepared)
        await _check_correction(connection, document)
        await papers.add_document(connection, prepared.new, document)
        entered = True
        return wire.posted_answer(document, prepared.new)

    async with pool.acquire() as connection, connection.transaction():
        answer = await once(connection, write, wire.PostedAnswer, now, enter)
    if entered:
        feed.publish(prepared)
    return answer


def _first_answer(document: Document, position: int, known: Document) -> wire.PostedAnswer:
    if not known.says_the_same(document):
        raise errors.DocumentTaken(
            f"{known.document_id}: expected the {known.kind} of {known.table_id} on {known.gaming_day} that"
            f" {known.posted_by} posted, given other content; a correction has a serial number of its own."
        )
    return wire.posted_answer(known, position)


async def _check_correction(connection: Connection, document: Document) -> None:
    """Within the transaction that holds the feed's head: nobody else corrects the same document meanwhile."""
    if not document.corrects:
        return
    known = await papers.document(connection, document.property_id, document.corrects)
    if known is None:
        raise errors.DocumentUnknown(
            f"{document.document_id}: expected to correct a posted document; given {document.corrects}"
        )
    document.check_correction(known[1], await papers.corrected_by(connection, document.property_id, document.corrects))


async def _check(pool: Pool, document: Document) -> None:
    async with pool.acquire() as connection:
        setting = await property_in_force(connection, document.property_id, document.gaming_day)
    document.check(len(setting.shift_starts))
    await _check_table(pool, document)


async def _check_table(pool: Pool, document: Document) -> None:
    """A table that was set a moment ago may still be on its way here, so it is looked for a little longer."""
    for _ in range(int(TABLE_PATIENCE_SECONDS / TABLE_LOOK_SECONDS)):
        async with pool.acquire() as connection:
            tables = await store.tables_on(connection, document.property_id, document.gaming_day)
        if document.table_id in tables:
            return
        await asyncio.sleep(TABLE_LOOK_SECONDS)
    raise errors.DocumentImpossible(
        f"{document.document_id}: expected a table of {document.property_id} on {document.gaming_day}:"
        f" {', '.join(tables) or 'there is none'}; given {document.table_id or 'none'}"
    )


async def list_documents(pool: Pool, property_id: str, day: date | None, table_id: str) -> dict[int, Document]:
    """Documents by position, of a day (None: every day) and a table (empty: every table); corrected ones too."""
    async with pool.acquire() as connection:
        return await papers.documents(connection, property_id, day, table_id)


async def missing_serials(pool: Pool, property_id: str, first: date, last: date) -> list[tuple[Gap, list[str]]]:
    """What is missing before the documents of gaming days, each gap with the error notifications that name it whole
    or in part.
    """
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        found = gaps(await papers.numbered(connection, property_id, first, last))
        notices = [
            each
            for each in standing(await papers.documents_between(connection, property_id, first, last))
            if each.kind == "error_notification"
        ]
    return [part for gap in found for part in _parts(gap, notices)]


def _parts(gap: Gap, notices: Sequence[Document]) -> list[tuple[Gap, list[str]]]:
    """The gap with who explains it; parts that nobody explains each for itself."""
    own = [each for each in notices if each.gaming_day == gap.gaming_day]
    explaining = [each for each in own if unexplained(gap, each.about) != [gap]]
    left = unexplained(gap, [name for each in explaining for name in each.about])
    explained = [(gap, [each.document_id for each in explaining])] if left != [gap] else []
    return [*explained, *((part, []) for part in left)]
