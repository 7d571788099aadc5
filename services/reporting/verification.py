"""The service reads its own facts again: documents, days and filed reports against the entries of their feed."""

from datetime import date
from typing import Any

from casino.feeds.v1 import feeds_pb2
from casino.reporting.v1 import documents_pb2
from services.reporting import wire
from services.reporting.days import store as days
from services.reporting.days import wire as days_wire
from services.reporting.documents import store as papers
from services.reporting.documents import wire as papers_wire
from services.reporting.filing import Filed, digest
from services.runtime.feeds import Feed
from services.runtime.store import Connection, EntryRow, Pool
from services.runtime.verification import Findings, entry_pages


def columns(row: EntryRow) -> tuple[int, date]:
    """Kind and gaming day as the entry's bytes give them; 0 for a kind that this version does not know."""
    entry = documents_pb2.DocumentsEntry.FromString(row.entry)
    kinds = {"posted": wire.POSTED, "day": wire.DAY, "filed": wire.FILED}
    name = entry.WhichOneof("body") or "posted"
    return kinds[name] if entry.HasField(name) else 0, wire.day(getattr(entry, name).gaming_day)


async def verify_facts(pool: Pool, feed: Feed) -> list[feeds_pb2.Verification]:
    """Every row against its entry, and the bytes of filed reports against the hash that was entered."""
    checks = {
        "posted": Findings("reporting: documents compared with their entries"),
        "day": Findings("reporting: states of gaming days compared with their entries"),
        "filed": Findings("reporting: filed reports compared with their entries and hashes"),
    }
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        rows = await _rows(connection, feed.property_id)
        async for page in entry_pages(connection, feed):
            for row in page:
                entry = documents_pb2.DocumentsEntry.FromString(row.entry)
                name = str(entry.WhichOneof("body") or "posted")
                kept = rows[name].pop(row.position, None)
                checks[name].expect(
                    kept == _told(entry, name), f"documents position {row.position}: {_difference(kept)}"
                )
                if name == "filed" and isinstance(kept, Filed):
                    await _check_bytes(connection, checks[name], row.position, kept)
    for name, left in rows.items():
        for position in left:
            checks[name].differs(f"documents position {position}: a row without an entry")
    return [findings.message() for findings in checks.values()]


async def _rows(connection: Connection, property_id: str) -> dict[str, dict[int, Any]]:
    return {
        "posted": dict(await papers.documents(connection, property_id)),
        "day": dict(await days.changes(connection, property_id, date.min, date.max)),
        "filed": dict(await days.filed_reports(connection, property_id, date.min, date.max)),
    }


def _told(entry: documents_pb2.DocumentsEntry, name: str) -> object:
    if name == "day":
        return days_wire.change_of(entry.day)
    return days_wire.filed_of(entry.filed) if name == "filed" else papers_wire.document_of(entry.posted)


async def _check_bytes(connection: Connection, findings: Findings, position: int, filed: Filed) -> None:
    content = await days.filed_content(connection, filed.property_id, filed.gaming_day, filed.name, filed.version)
    if content is None or digest(content) != filed.sha256:
        findings.differs(
            f"documents position {position}: the bytes of {filed.name} of {filed.gaming_day}, version"
            f" {filed.version}, do not give the hash that was entered"
        )


def _difference(row: object) -> str:
    return "the row is missing" if row is None else "the row is not what the entry's bytes say"
