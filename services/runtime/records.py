"""The chain of records: facts that no feed tells in full, entered by the database as they are inserted.

h = SHA-256(previous hash, "<table>|<row as JSON>"), 32 zero bytes before the first; the service seals the last hash.
"""

import json
from collections.abc import Mapping

from casino.feeds.v1 import feeds_pb2
from services.runtime import store
from services.runtime.chains import GENESIS, link
from services.runtime.feeds import PAGE
from services.runtime.seals import RECORDS
from services.runtime.server import Service
from services.runtime.store import Connection
from services.runtime.verification import FIRST_DIFFERENCES, Findings, seal_message

SHARED = {"request": "true"}
LONGEST = 60

Recorded = Mapping[str, str]
"""Tables whose rows are entered, each with the condition that limits them."""


async def verify_records(service: Service, property_id: str, recorded: Recorded) -> list[feeds_pb2.Verification]:
    """Rehashes the records, hands over their seals, and compares every recorded row with its record, both ways.

    Looks beside in every table for rows of properties that the service does not know.
    """
    async with service.pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        chain = await _rehashed(connection, service.name, property_id)
        rows = Findings(f"{service.name}: recorded rows compared with their records")
        for fact, only in {**SHARED, **recorded}.items():
            await _compare(connection, property_id, fact, only, rows)
        owners = await _owners(connection, service)
    return [chain, rows.message(), owners]


async def _rehashed(connection: Connection, service: str, property_id: str) -> feeds_pb2.Verification:
    findings = Findings(f"{service}: records rehashed")
    seals = await store.seals(connection, property_id, RECORDS)
    wanted, seen = {seal.position for seal in seals}, {0: GENESIS}
    position, hash_ = 0, GENESIS
    while rows := await store.records_after(connection, property_id, position, PAGE):
        for row in rows:
            folded = link(hash_, f"{row.fact}|{row.content}".encode())
            name = f"record at position {row.position}"
            findings.expect(
                row.hash == folded, f"{name}, of {row.fact}: it does not give the hash that stands beside it"
            )
            if row.position != position + 1:
                findings.differs(f"{name}: expected position {position + 1}")
            position, hash_ = row.position, folded
            if position in wanted:
                seen[position] = hash_
    message = findings.message()
    message.seals.extend(seal_message(property_id, seal) for seal in seals)
    message.sealed_hashes.extend(seen.get(seal.position, b"") for seal in seals)
    return message


async def _compare(connection: Connection, property_id: str, fact: str, only: str, findings: Findings) -> None:
    key = await store.key_of(connection, fact)
    different, first = await store.unlike_records(connection, property_id, fact, only, FIRST_DIFFERENCES)
    findings.checked += await store.count_rows(connection, property_id, fact, only)
    for entered, stands in first:
        findings.differs(_difference(fact, key, entered, stands))
    findings.different += different - len(first)


def _difference(fact: str, key: list[str], entered: str | None, stands: str | None) -> str:
    before, now = json.loads(entered or "{}"), json.loads(stands or "{}")
    known = {**before, **now}
    row = f"{fact} row {'/'.join(str(known.get(name))[:LONGEST] for name in key if name != 'property_id')}"
    if stands is None:
        return f"{row} is missing: a record tells of it"
    if entered is None:
        return f"{row} is extra: no record tells of it"
    changed = [
        f"{name} is {str(now.get(name))[:LONGEST]}, entered as {str(value)[:LONGEST]}"
        for name, value in before.items()
        if now.get(name) != value
    ]
    return f"{row} is changed: {'; '.join(changed)}"


async def _owners(connection: Connection, service: Service) -> feeds_pb2.Verification:
    findings = Findings(f"{service.name}: tables without rows of unknown properties")
    known = sorted({feed.property_id for feed in service.feeds()})
    for table in await store.property_tables(connection):
        foreign = await store.foreign_properties(connection, table, known)
        findings.expect(not foreign, f"{table}: rows of {', '.join(foreign)}, which is no property here")
    return findings.message()
