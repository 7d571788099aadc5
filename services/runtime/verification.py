"""A service reads its own rows again: chains rehashed, heads compared, seals handed over."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import date
from typing import TypeVar

import grpc
from google.protobuf.message import DecodeError
from google.protobuf.timestamp_pb2 import Timestamp

from casino.feeds.v1 import feeds_pb2
from services.kernel.errors import Refusal
from services.runtime import store
from services.runtime.chains import GENESIS, link
from services.runtime.feeds import PAGE, Feed
from services.runtime.store import Connection, EntryRow

FIRST_DIFFERENCES = 10
PATIENCE_SECONDS = 20.0
"""For which another service that is on its way up is waited for, where what it recorded is checked."""
RETRY_SECONDS = 0.2
BEFORE_ALL = -(1 << 63), date.min
"""A position and a gaming day that no row comes before."""

T = TypeVar("T")

Columns = Callable[[EntryRow], tuple[int, date]]
"""Kind and gaming day as the entry's own bytes give them."""

Verifications = feeds_pb2.Verification | Sequence[feeds_pb2.Verification]
"""What one check says, or several that read the same rows."""


class Findings:
    """Counts what was checked and keeps the first differences."""

    def __init__(self, check: str) -> None:
        self.check, self.checked, self.different = check, 0, 0
        self.differences: list[str] = []

    def expect(self, same: bool, difference: str) -> None:
        """One thing checked; `difference` is kept if it is not the same."""
        self.checked += 1
        if not same:
            self.differs(difference)

    def differs(self, difference: str) -> None:
        """A difference found outside a counted check."""
        self.different += 1
        if len(self.differences) < FIRST_DIFFERENCES:
            self.differences.append(difference)

    def message(self) -> feeds_pb2.Verification:
        """As sent to the verifier."""
        return feeds_pb2.Verification(
            check=self.check, checked=self.checked, different=self.different, differences=self.differences
        )


async def patiently(attempt: Callable[[], Awaitable[T]], stands: Callable[[], object] = lambda: None) -> T:
    """What `attempt` gives, tried again while another service is away: that proves nothing against its rows.

    Raises AioRpcError for anything but UNAVAILABLE, and for that once `stands` has told the same for too long.
    """
    clock = asyncio.get_running_loop().time
    stood, until = stands(), clock() + PATIENCE_SECONDS
    while True:
        try:
            return await attempt()
        except grpc.aio.AioRpcError as problem:
            if stands() != stood:
                stood, until = stands(), clock() + PATIENCE_SECONDS
            if problem.code() is not grpc.StatusCode.UNAVAILABLE or clock() > until:
                raise
        await asyncio.sleep(RETRY_SECONDS)


async def guarded(check: str, work: Callable[[], Awaitable[Verifications]]) -> list[feeds_pb2.Verification]:
    """What a check says; rows that it cannot make anything of are a difference, and the checks after it still run.

    `check` names what is read. What keeps rows from being read at all, such as a lost connection, is raised.
    """
    try:
        found = await work()
    except (DecodeError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, Refusal) as problem:
        findings = Findings(check)
        findings.differs(f"{check}: a row that no service writes: {type(problem).__name__}: {problem}")
        return [findings.message()]
    return [found] if isinstance(found, feeds_pb2.Verification) else list(found)


async def entry_pages(connection: Connection, feed: Feed, kinds: Sequence[int] = ()) -> AsyncIterator[list[EntryRow]]:
    """All entries of a feed, a page at a time; if `kinds` are named those alone, and those that begin a commit."""
    last = BEFORE_ALL
    while rows := await store.entries_beyond(connection, feed.table, feed.property_id, last, PAGE, kinds):
        yield rows
        last = rows[-1].position, rows[-1].gaming_day


async def verify_feed(pool: store.Pool, service: str, feed: Feed, columns: Columns) -> feeds_pb2.Verification:
    """Rehashes a feed from its first entry, compares columns with bytes and the end with the head."""
    findings = Findings(f"{service}: {feed.name} entries rehashed")
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        seals = await store.seals(connection, feed.property_id, feed.name)
        wanted, seen = {seal.position for seal in seals}, {0: GENESIS}
        position, hash_ = 0, GENESIS
        async for rows in entry_pages(connection, feed):
            for row in rows:
                folded = _next_hash(row, hash_)
                _check(findings, feed, row, position, folded, columns)
                position, hash_ = row.position, folded
                if position in wanted:
                    seen[position] = hash_
        head = await store.load_head(connection, feed.property_id, feed.name)
    if head != (position, hash_):
        findings.differs(f"{feed.name}: the head says {head[0]}, the entries end at {position} or with another hash")
    message = findings.message()
    message.seals.extend(seal_message(feed.property_id, seal) for seal in seals)
    message.sealed_hashes.extend(seen.get(seal.position, b"") for seal in seals)
    return message


def _next_hash(row: EntryRow, hash_: bytes) -> bytes:
    return link(link(hash_, row.commit) if row.commit else hash_, row.entry)


def _check(findings: Findings, feed: Feed, row: EntryRow, position: int, folded: bytes, columns: Columns) -> None:
    findings.checked += 1
    said = _read(columns, row)
    if row.hash == folded and row.position == position + 1 and (row.kind, row.gaming_day) == said:
        return
    name = f"{feed.name} position {row.position}"
    if row.hash != folded:
        findings.differs(f"{name}: the entry does not give the hash that stands beside it")
    if row.position != position + 1:
        findings.differs(f"{name}: expected position {position + 1}")
    if (row.kind, row.gaming_day) != said:
        findings.differs(f"{name}: kind or gaming day is not what the entry's bytes say")


def _read(columns: Columns, row: EntryRow) -> tuple[int, date] | None:
    """Kind and gaming day by the bytes; None for bytes that are no entry."""
    try:
        return columns(row)
    except (DecodeError, ValueError, LookupError, AttributeError, Refusal):
        return None


def seal_message(property_id: str, seal: store.SealRow) -> feeds_pb2.Seal:
    """A seal as sent to the verifier."""
    stamp = Timestamp()
    stamp.FromDatetime(seal.sealed_at)
    return feeds_pb2.Seal(
        property_id=property_id,
        feed=seal.feed,
        position=seal.position,
        hash=seal.hash,
        sealed_at=stamp,
        signature=seal.signature,
    )
