"""One property: its feed, what stands in memory, and the transaction in which everything of it is written."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, TypeVar

from services.kernel import errors
from services.kernel.clock import Clock
from services.kernel.ids import RoundKey
from services.progressives import store, wire
from services.progressives.book import Book, Recorded
from services.progressives.entries import entry
from services.progressives.evaluation import Evidence
from services.progressives.jackpot import Jackpot
from services.progressives.mystery import Random, Trigger, sealed, unsealed
from services.progressives.offers import Submission
from services.progressives.state import State
from services.runtime.feeds import Feed, HeadMoved, NewEntry, Prepared
from services.runtime.requests import Write
from services.runtime.steps import reached
from services.runtime.store import Connection, Move, Pool, load_cursor, load_head
from services.runtime.vault import Vault, VaultBroken

FEED = "progressives"
PARTITIONED = ("contribution", "movement")
ROUNDS, SUBMISSIONS = "rounds", "submissions"
ACTOR = "service:progressives"
LONGEST_WAIT_SECONDS = 5

Answer = TypeVar("Answer")


FindRound = Callable[[Jackpot], Awaitable[Evidence | None]]


class Commit:
    """A transaction under way; what is set here takes effect in memory once it is committed."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.prepared: Prepared | None = None
        self.state: State | None = None


class Ledger:
    """One property: its feed, and in memory what the database says of links, meters, open rounds and jackpots."""

    def __init__(
        self,
        property_id: str,
        feed: Feed,
        pool: Pool,
        clock: Clock,
        vault: Vault,
        random: Random,
        find_round: FindRound,
    ) -> None:
        """`find_round` asks `rounds` for the recorded round of a jackpot."""
        self.property_id, self.feed, self.clock, self.pool = property_id, feed, clock, pool
        self.vault, self.find_round = vault, find_round
        self.state = State()
        self.submissions: dict[str, Submission] = {}
        # How far the submissions feed has been received.
        self.filed_through = 0
        self._random = random
        self._stale = True
        # The load of the feed's head that memory belongs to: the feed is loaded again where another process wrote.
        self._loads = 0
        self._received = asyncio.Condition()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Commit]:
        """The feed's lock and one transaction; after commit the feed is published and the state replaced.

        After a refusal memory stands as before; after any other trouble it is read again before the next use,
        because the commit may have happened. Raises Busy where another process wrote first.
        """
        async with self.feed.lock, self.pool.acquire() as connection:
            await self._refresh(connection)
            self._stale = True
            commit = Commit(connection)
            try:
                async with connection.transaction():
                    yield commit
                    await reached("progressives.before_commit")
                await reached("progressives.after_commit")
            except HeadMoved as moved:
                raise errors.Busy(f"{moved}: another process wrote; send the same again.") from moved
            except errors.Refusal:
                self._stale = False
                raise
            if commit.state:
                self.state = commit.state
            if commit.prepared:
                self.feed.publish(commit.prepared)
                await reached("progressives.published")
            self._stale = False

    async def check_current(self, connection: Connection) -> None:
        """Raises HeadMoved where another process has written since: nothing is refused for what stood before that."""
        position, _ = await load_head(connection, self.property_id, self.feed.name)
        if position != self.feed.position:
            raise HeadMoved(f"{self.property_id}/{self.feed.name} is no longer at {self.feed.position}")

    def book(self, recorded: Mapping[RoundKey, Recorded] | None = None) -> Book:
        """A book that begins where the property stands; only inside `writing`."""
        return Book(self.property_id, self.state, self.feed.position, self.submissions, self._random, recorded)

    def book_now(self) -> Book | None:
        """A book that begins where the property stands; None while somebody writes, or where memory may be wrong."""
        return None if self._stale or self._loads != self.feed.loads else self.book()

    def book_after(self, other: Book) -> Book:
        """A book that begins where the property will stand once another one is written."""
        return Book(self.property_id, other.state, other.head, self.submissions, self._random)

    async def cursor(self, feed: str) -> tuple[int, bytes]:
        """Position and hash up to which a feed has been applied; memory is what the database says there."""
        async with self.feed.lock, self.pool.acquire() as connection:
            await self._refresh(connection)
            return await load_cursor(connection, self.property_id, feed)

    async def refresh(self) -> None:
        """Reads into memory what the database says, if memory may be wrong."""
        async with self.feed.lock, self.pool.acquire() as connection:
            await self._refresh(connection)

    async def _refresh(self, connection: Connection) -> None:
        if not self._stale and self._loads == self.feed.loads:
            return
        async with connection.transaction(isolation="repeatable_read"):
            await self.feed.load(connection)
            state = await store.standing(connection, self.property_id)
            hidden = await store.sealed_triggers(connection, self.property_id)
            contents = await store.submissions(connection, self.property_id)
            self.filed_through, _ = await load_cursor(connection, self.property_id, SUBMISSIONS)
        for (link_id, level), (number, content, committed) in hidden.items():
            trigger = self.unseal(link_id, level, number, content)
            if trigger.commitment != committed:
                raise VaultBroken(
                    f"trigger {number} of {link_id} {level}: expected the one committed to, found another"
                )
            state.triggers[link_id, level] = trigger
        self.state = state
        found = [wire.read_submission(position, content) for position, content in contents]
        self.submissions = {each.submission_id: each for each in found}
        self._loads, self._stale = self.feed.loads, False

    def unseal(self, link_id: str, level: str, number: int, content: bytes) -> Trigger:
        """A hidden trigger from how it is kept. Raises VaultBroken."""
        return unsealed(self.vault.open(content, _context(self.property_id, link_id, level, number)))

    def seal(self, drawn: Iterable[Trigger]) -> dict[tuple[str, str, int], bytes]:
        """Hidden triggers as they are kept."""
        return {each[1:4]: self.vault.seal(sealed(each), _context(*each[:4])) for each in drawn}

    async def received(self, submission_ids: set[str], through: int) -> None:
        """Returns once these submissions are there, and the feed up to a position. Raises Busy if not for long."""
        try:
            async with asyncio.timeout(LONGEST_WAIT_SECONDS), self._received:
                await self._received.wait_for(
                    lambda: submission_ids <= self.submissions.keys() and self.filed_through >= through
                )
        except TimeoutError as problem:
            missing = ", ".join(sorted(submission_ids - self.submissions.keys())) or f"up to position {through}"
            raise errors.Busy(f"rounds name submission {missing}, which has not come yet") from problem

    async def receive(self, submissions: Iterable[Submission], through: int) -> None:
        """Makes submissions known that have been stored."""
        async with self._received:
            self.submissions.update((each.submission_id, each) for each in submissions)
            self.filed_through = through
            self._received.notify_all()


def _context(property_id: str, link_id: str, level: str, number: int) -> str:
    return f"trigger|{property_id}|{link_id}|{level}|{number}"


async def write(
    ledger: Ledger,
    commit: Commit,
    book: Book,
    actor: str,
    at: datetime,
    move: Move,
    entries: Sequence[NewEntry] = (),
) -> None:
    """Meters and cursor first, then entries, then the typed rows with the positions that the entries got, then pins.

    `entries` are those of what the book has written, where they are made already.
    """
    connection, property_id, feed = commit.connection, ledger.property_id, ledger.feed
    entries = entries or [entry(each, property_id) for each in book.written]
    commit.prepared = feed.prepare(entries, actor, at, {move.feed: move.new})
    meters = store.meters_beside({name: book.state.meters[name] for name in book.moved})
    entering = asyncio.ensure_future(feed.write(connection, commit.prepared, [move], meters))
    try:
        await asyncio.sleep(0)  # the rows are packed while Postgres raises the heads
        rows = store.rows_of(property_id, enumerate(book.written, feed.position + 1), ledger.seal(book.drawn))
    finally:
        await entering
    await reached("progressives.entries_written")
    await store.add_rows(connection, rows)
    await reached("progressives.rows_written")
    await _keep_pins(connection, ledger, book)
    await reached("progressives.heads_written")
    commit.state = book.state


async def _keep_pins(connection: Connection, ledger: Ledger, book: Book) -> None:
    """Pins that came and went."""
    before, after = ledger.state.pins, book.state.pins
    changed = [key for key in book.pinned if before.get(key) != after.get(key)]
    if gone := [key for key in changed if key in before]:
        await store.drop_pins(connection, ledger.property_id, gone)
    if come := {key: after[key] for key in changed if key in after}:
        await store.add_pins(connection, ledger.property_id, come, book.state.links)


Work = Callable[[Book, Connection, datetime, int], Awaitable[Answer]]
"""What a call does to a book, at an instant and a position of the rounds feed; its answer."""


async def act(ledger: Ledger, request: Write, answer: type[Any], by: str, work: Work[Any]) -> Any:
    """One person's change, once: at the position of the rounds feed up to which meters stand."""
    async with ledger.writing() as commit:
        known = await request.stored(commit.connection, answer)
        if known is not None:
            return known
        await ledger.check_current(commit.connection)
        position, hash_ = await load_cursor(commit.connection, ledger.property_id, ROUNDS)
        now, book = ledger.clock(), ledger.book()
        result = await work(book, commit.connection, now, position)
        # The cursor goes nowhere: naming it makes sure that nobody moves it meanwhile.
        await write(ledger, commit, book, by, now, Move(ROUNDS, position, position, hash_))
        await request.keep(commit.connection, result, now)
    return result
