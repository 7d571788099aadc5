"""The use-cases, one transaction each. Everything of one property goes through its Ledger."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import date, datetime
from typing import TypeVar

from services.games.terms import Terms
from services.kernel import errors
from services.kernel.clock import Clock
from services.progressives import store, wire
from services.progressives.book import Book, State
from services.progressives.jackpot import Jackpot
from services.progressives.journal import Contribution, Movement, Written
from services.progressives.link import Draft, Link, approve, propose
from services.progressives.play import Event, Part, Play
from services.runtime.feeds import Feed, HeadMoved, Prepared
from services.runtime.requests import Write
from services.runtime.store import Connection, Move, Pool, load_cursor

FEED = "progressives"
PARTITIONED = ("contribution", "movement")
ROUNDS, SUBMISSIONS = "rounds", "submissions"
ACTOR = "service:progressives"
LONGEST_WAIT_SECONDS = 5

T = TypeVar("T")


class Commit:
    """A transaction under way; what is set here takes effect in memory once it is committed."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.prepared: Prepared | None = None
        self.state: State | None = None


class Ledger:
    """One property: its feed, and in memory what the database says of links, meters and pins."""

    def __init__(self, property_id: str, feed: Feed, pool: Pool, clock: Clock) -> None:
        self.property_id, self.feed, self.clock = property_id, feed, clock
        self.state = State()
        self.submissions: dict[str, dict[str, Terms]] = {}
        self._pool = pool
        self._stale = True
        self._received = asyncio.Condition()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Commit]:
        """The feed's lock and one transaction; after commit the feed is published and the state replaced.

        After a refusal memory stands as before; after any other trouble it is read again before the next use,
        because the commit may have happened. Raises Busy where another process wrote first.
        """
        async with self.feed.lock, self._pool.acquire() as connection:
            await self._refresh(connection)
            self._stale = True
            commit = Commit(connection)
            try:
                async with connection.transaction():
                    yield commit
            except HeadMoved as moved:
                raise errors.Busy(f"{moved}: another process wrote; send the same again.") from moved
            except errors.Refusal:
                self._stale = False
                raise
            if commit.state:
                self.state = commit.state
            if commit.prepared:
                self.feed.publish(commit.prepared)
            self._stale = False

    async def cursor(self, feed: str) -> tuple[int, bytes]:
        """Position and hash up to which a feed has been applied; memory is what the database says there."""
        async with self.feed.lock, self._pool.acquire() as connection:
            await self._refresh(connection)
            return await load_cursor(connection, self.property_id, feed)

    async def refresh(self) -> None:
        """Reads into memory what the database says, if memory may be wrong."""
        async with self.feed.lock, self._pool.acquire() as connection:
            await self._refresh(connection)

    async def _refresh(self, connection: Connection) -> None:
        if not self._stale:
            return
        async with connection.transaction(isolation="repeatable_read"):
            await self.feed.load(connection)
            self.state = State(
                await store.links(connection, self.property_id),
                await store.meters(connection, self.property_id),
                await store.pins(connection, self.property_id),
            )
            contents = await store.submissions(connection, self.property_id)
        self.submissions = dict(wire.read_terms(content) for content in contents)
        self._stale = False

    async def received(self, submission_ids: set[str]) -> None:
        """Returns once these submissions are there. Raises Busy if they do not come for long."""
        try:
            async with asyncio.timeout(LONGEST_WAIT_SECONDS), self._received:
                await self._received.wait_for(lambda: submission_ids <= self.submissions.keys())
        except TimeoutError as problem:
            missing = ", ".join(sorted(submission_ids - self.submissions.keys()))
            raise errors.Busy(f"rounds name submission {missing}, which has not come yet") from problem

    async def receive(self, terms: Iterable[tuple[str, dict[str, Terms]]]) -> None:
        """Makes submissions known that have been stored."""
        async with self._received:
            self.submissions.update(terms)
            self._received.notify_all()

    async def jackpots(self, gaming_day: date | None) -> list[Jackpot]:
        """The latest state of every jackpot, of one gaming day or of all."""
        async with self._pool.acquire() as connection:
            return await store.jackpots(connection, self.property_id, gaming_day)


async def apply_submissions(ledger: Ledger, rows: Sequence[tuple[int, str, bytes]], move: Move) -> None:
    """Keeps approved submissions and moves the cursor of their feed."""
    async with ledger.writing() as commit:
        await _write(ledger, commit, [], ACTOR, ledger.clock(), move)
        await store.add_submissions(commit.connection, ledger.property_id, rows)
    await ledger.receive(wire.read_terms(content) for _, _, content in rows)


async def apply_rounds(ledger: Ledger, events: Sequence[Event], move: Move) -> None:
    """Folds events of the rounds feed into meters and jackpots and moves the cursor.

    A result whose submission has not come yet waits for it. Raises Busy if it does not come.
    """
    named = {each.submission_id for each in events if isinstance(each, Play) and _settles(each)}
    await ledger.received(named)
    async with ledger.writing() as commit:
        book = Book(ledger.state, ledger.feed.position, ledger.submissions)
        book.apply(events)
        await _write(ledger, commit, book.written, ACTOR, ledger.clock(), move)
        await _keep(commit.connection, ledger, book)
        commit.state = book.state


def _settles(play: Play) -> bool:
    return play.part is not Part.BETTING_CLOSED


async def _write(
    ledger: Ledger, commit: Commit, written: Sequence[Written], actor: str, at: datetime, move: Move
) -> None:
    """Entries and cursor first, then the typed rows with the positions that the entries got."""
    connection, property_id, feed = commit.connection, ledger.property_id, ledger.feed
    entries = [wire.entry(each, property_id) for each in written]
    commit.prepared = feed.prepare(entries, actor, at, {move.feed: move.new})
    await feed.write(connection, commit.prepared, [move])
    placed = list(enumerate(written, feed.position + 1))
    if contributions := [(at, each) for at, each in placed if isinstance(each, Contribution)]:
        await store.add_contributions(connection, property_id, contributions)
    if movements := [(at, each) for at, each in placed if isinstance(each, Movement)]:
        await store.add_movements(connection, property_id, movements)
    if jackpots := [(at, each) for at, each in placed if isinstance(each, Jackpot)]:
        await store.add_jackpots(connection, property_id, jackpots)
    if links := [(at, each) for at, each in placed if isinstance(each, Link)]:
        await store.add_links(connection, property_id, links)


async def _keep(connection: Connection, ledger: Ledger, book: Book) -> None:
    """The heads: meters that moved, pins that came and went."""
    before, after = ledger.state.pins, book.state.pins
    if book.moved:
        moved = {name: book.state.meters[name] for name in book.moved}
        await store.set_meters(connection, ledger.property_id, moved)
    if gone := [key for key in book.pinned if key in before and key not in after]:
        await store.drop_pins(connection, ledger.property_id, gone)
    if come := {key: after[key] for key in book.pinned if key in after and key not in before}:
        await store.add_pins(connection, ledger.property_id, come, book.state.links)


async def propose_link(ledger: Ledger, write: Write, draft: Draft, by: str) -> wire.Proposed:
    """Enters a proposed link. Raises LinkContradictsRules, LinkTaken."""

    def decide(links: dict[str, Link], at: datetime, position: int) -> Link:
        return propose(draft, links.get(draft.link_id), links.values(), by, at, position)

    return await _decide(ledger, write, wire.Proposed, by, decide)


async def approve_link(ledger: Ledger, write: Write, link_id: str, version: int, by: str) -> wire.Approved:
    """Enters the approval. Raises LinkUnknown, AlreadyDecided, SamePrincipal, LinkContradictsRules."""

    def decide(links: dict[str, Link], at: datetime, position: int) -> Link:
        if link_id not in links:
            raise errors.LinkUnknown(f"expected a link of {ledger.property_id}, given {link_id!r}")
        return approve(links[link_id], version, links.values(), by, at, position)

    return await _decide(ledger, write, wire.Approved, by, decide)


Answer = TypeVar("Answer", wire.Proposed, wire.Approved)
Decide = Callable[[dict[str, Link], datetime, int], Link]


async def _decide(ledger: Ledger, write: Write, answer: type[Answer], by: str, decide: Decide) -> Answer:
    """One decision on a link, once: at the position of the rounds feed up to which meters stand."""
    async with ledger.writing() as commit:
        known = await write.stored(commit.connection, answer)
        if known is not None:
            return known
        position, hash_ = await load_cursor(commit.connection, ledger.property_id, ROUNDS)
        now, state = ledger.clock(), ledger.state.copy()
        link = decide(state.links, now, position)
        state.links[link.link_id] = link
        # The cursor goes nowhere: naming it makes sure that nobody moves it meanwhile.
        await _write(ledger, commit, [link], by, now, Move(ROUNDS, position, position, hash_))
        result = answer(link=wire.link_message(link, ledger.property_id))
        await write.keep(commit.connection, result, now)
        commit.state = state
    return result
