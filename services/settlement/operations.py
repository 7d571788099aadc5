"""What this service does: one function a use-case, one transaction each."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from services.games.terms import Terms
from services.kernel import errors
from services.kernel.clock import Clock
from services.kernel.house_edge import EdgeBand
from services.kernel.ids import RoundKey
from services.runtime.feeds import Feed, HeadMoved, NewEntry
from services.runtime.followers import Followed
from services.runtime.metrics import Metrics
from services.runtime.requests import Write, once
from services.runtime.server import SOFTWARE_VERSION
from services.runtime.steps import reached
from services.runtime.store import Connection, Move, Pool
from services.settlement import store, submissions, wire
from services.settlement.settlements import Play, Settlement, Unsettled, Voiding, settle, voided
from services.settlement.submissions import Proposal, Submission

ACTOR = "service:settlement"
ROUNDS_PER_TURN = 200
"""Rounds settled before other work of the process gets a turn."""


class Office(NamedTuple):
    """What the operations work with."""

    pool: Pool
    clock: Clock
    metrics: Metrics


async def propose(
    office: Office, feed: Feed, write: Write, proposal: Proposal, by: str, band: Callable[[], Awaitable[EdgeBand]]
) -> wire.Proposed:
    """Keeps a proposed submission under the property's next number; `feed` is its submissions feed.

    `band` asks for the property's house-edge band; a repeat gets its first answer without asking.
    Raises TermsContradictRules, RequestIdTaken, and what `band` raises.
    """
    async with office.pool.acquire() as connection:
        known = await write.stored(connection, wire.Proposed)
    if known is not None:
        return known
    # Before the lock and in a thread: a figure that is not stored is counted over the whole sample space.
    warnings = await asyncio.to_thread(submissions.warnings, proposal, await band())
    now = office.clock()
    async with feed.lock, office.pool.acquire() as connection, connection.transaction():

        async def work() -> wire.Proposed:
            number = await store.next_number(connection, feed.property_id)
            submission = submissions.proposed(proposal, number, by, now)
            await store.add_submission(connection, number, submission)
            return wire.proposed_answer(submission, warnings)

        return await once(connection, write, wire.Proposed, now, work)


async def approve(office: Office, feed: Feed, write: Write, name: str, by: str) -> wire.Approved:
    """Approves a submission and enters it in the feed.

    Raises Unknown, AlreadyDecided, SamePrincipal, RequestIdTaken; Busy where another process wrote the feed.
    """
    async with feed.lock:
        try:
            return await _approve(office, feed, write, name, by)
        except errors.Refusal:
            raise
        except HeadMoved as moved:
            await _reload(office, feed)
            raise errors.Busy(f"{feed.name} was written elsewhere; approve {name} again.") from moved
        except Exception:
            # The commit may have happened although its answer was lost.
            await _reload(office, feed)
            raise


async def _approve(office: Office, feed: Feed, write: Write, name: str, by: str) -> wire.Approved:
    now = office.clock()
    async with office.pool.acquire() as connection:
        async with connection.transaction():
            known = await write.stored(connection, wire.Approved)
            if known is not None:
                return known
            submission = submissions.approved(await _submission(connection, feed, name), by, now)
            prepared = feed.prepare([wire.submission_entry(submission)], by, now)
            await feed.write(connection, prepared)
            await store.add_approval(connection, feed.property_id, name, prepared.new, by, now)
            answer = wire.approved_answer(submission, prepared.new)
            await write.keep(connection, answer, now)
        feed.publish(prepared)
    office.metrics.entries.labels(feed.property_id, feed.name).inc()
    return answer


async def _submission(connection: Connection, feed: Feed, name: str) -> Submission:
    found = await store.submissions(connection, feed.property_id, [name])
    if not found:
        raise errors.Unknown(f"expected a submission of property {feed.property_id}, given {name!r}")
    return found[0]


async def reload(office: Office, feed: Feed) -> None:
    """Reads the feed's head again, after a write whose end is not known."""
    async with feed.lock:
        await _reload(office, feed)


async def _reload(office: Office, feed: Feed) -> None:
    async with office.pool.acquire() as connection:
        await feed.load(connection)


async def get_submission(office: Office, feed: Feed, name: str) -> Submission:
    """A submission as it stands. Raises Unknown."""
    async with office.pool.acquire() as connection:
        return await _submission(connection, feed, name)


async def list_submissions(office: Office, property_id: str) -> list[Submission]:
    """Every submission of a property in the order proposed."""
    async with office.pool.acquire() as connection:
        return await store.submissions(connection, property_id)


async def get_settlements(office: Office, property_id: str, key: RoundKey) -> list[bytes]:
    """The entries of every settlement of a round, the newest last. Raises Unknown where there is none."""
    async with office.pool.acquire() as connection:
        found = await store.settlement_entries(connection, property_id, key)
    if not found:
        raise errors.Unknown(f"expected a settled round of property {property_id}, given {key}")
    return found


class Settler:
    """Settles the rounds of one property in the order of the rounds feed: a batch while the one before is written."""

    def __init__(self, office: Office, feed: Feed) -> None:
        """`feed` is the property's settlements feed."""
        self.feed = feed
        self._office = office
        self._submissions: dict[str, Submission] = {}
        # The batch before: what writes it, and where the feed stands after it.
        self._before: tuple[asyncio.Task[None], int] | None = None

    def begin(self) -> None:
        """Batches come from the stored cursor on: what became of those before is over."""
        self._before = None

    async def take(self, followed: Sequence[Followed], move: Move) -> asyncio.Task[None]:
        """Settles what a batch of the rounds feed gives, and begins to write it together with the cursor's move.

        What is answered ends once it is on disk, or tells why it is not. Raises Busy where a round names a submission
        that is not approved here (yet): the batch waits for it; and whatever kept the batch before from being written.
        """
        before, self._before = self._before, None
        correcting = [entry for entry in followed if entry.kind in wire.CORRECTING]
        if before and correcting:
            # The settlements that they supersede are read from the database.
            await before[0]
        first = before[1] if before else self.feed.position
        entries, rows = await _settled(await self._bench(correcting), followed, self.feed.property_id, first)
        if before:
            await before[0]
        writing = asyncio.create_task(self._write(first, entries, rows, move))
        self._before = writing, first + len(entries)
        return writing

    async def _write(self, first: int, entries: Sequence[NewEntry], rows: store.Rows, move: Move) -> None:
        """One transaction. HeadMoved where the feed is no longer where the batch was settled onto."""
        feed, office = self.feed, self._office
        async with feed.lock, office.pool.acquire() as connection:
            if feed.position != first:
                raise HeadMoved(f"{feed.property_id}/{feed.name} is no longer at {first}")
            with office.metrics.commit_seconds.labels(feed.name).time():
                prepared = feed.prepare(entries, ACTOR, office.clock(), upstream={move.feed: move.new})
                async with connection.transaction():
                    await feed.write(connection, prepared, cursors=[move])
                    await rows.copy(connection)
                    await reached("settlement.before_commit")
            await reached("settlement.after_commit")
            feed.publish(prepared)
        office.metrics.entries.labels(feed.property_id, feed.name).inc(len(entries))

    async def _bench(self, correcting: Sequence[Followed]) -> "_Bench":
        corrected = {each.key for each in wire.read_rounds(correcting)}
        before: dict[RoundKey, Settlement] = {}
        if corrected:
            async with self._office.pool.acquire() as connection:
                latest = await store.latest(connection, self.feed.property_id, list(corrected))
            before = {key: wire.read_settlement(newest.entry) for key, newest in latest.items()}
        return _Bench(self._office.pool, self.feed.property_id, self._submissions, before, corrected)


class _Bench:
    """What settling a batch needs: submissions, and the newest settlement of each round it corrects."""

    def __init__(
        self,
        pool: Pool,
        property_id: str,
        known: dict[str, Submission],
        before: dict[RoundKey, Settlement],
        corrected: set[RoundKey],
    ) -> None:
        """`known`: the approved submissions met so far, to which others are added."""
        self._pool, self._property_id, self._known = pool, property_id, known
        self._before, self._corrected = before, corrected
        self._terms: dict[tuple[str, str], Terms] = {}

    def knows(self, name: str) -> bool:
        """Whether a submission is known."""
        return name in self._known

    async def know(self, name: str) -> None:
        """Sees to it that a submission is known. Raises Busy where it is not approved here (yet)."""
        async with self._pool.acquire() as connection:
            for found in await store.submissions(connection, self._property_id, [name]):
                if found.approved_by:
                    self._known[name] = found
        if not self.knows(name):
            raise errors.Busy(f"expected approved submissions, {name} is none here yet")

    def settled(self, each: Play | Voiding) -> Settlement | Unsettled | None:
        """The next settlement of a round; None for the void of one that never settled: nothing was paid."""
        # A key is not hashed where nothing is corrected.
        before = self._before.get(each.key) if self._corrected else None
        if isinstance(each, Voiding):
            found = voided(before, each.position) if before else None
        else:
            try:
                found = settle(each, self._terms_of(each), before.revision + 1 if before else 0)
            except errors.Refusal as refusal:
                return Unsettled(each.key, each.position, refusal.reason, refusal.message)
        if found and self._corrected and each.key in self._corrected:
            self._before[each.key] = found
        return found

    def _terms_of(self, play: Play) -> Terms:
        name = (play.submission_id, play.key.table_id)
        terms = self._terms.get(name)
        if terms is None:
            terms = submissions.terms_of(self._known[play.submission_id], play.key.table_id)
            self._terms[name] = terms
        return terms


async def _settled(
    bench: _Bench, followed: Sequence[Followed], property_id: str, position: int
) -> tuple[list[NewEntry], store.Rows]:
    """The entries of a batch in order, and the rows of its settlements; the feed stands at `position` before them."""
    entries: list[NewEntry] = []
    rows = store.Rows(property_id)
    for place, each in enumerate(wire.read_rounds(followed)):
        if place % ROUNDS_PER_TURN == ROUNDS_PER_TURN - 1:
            await asyncio.sleep(0)
        if isinstance(each, Play) and not bench.knows(each.submission_id):
            await bench.know(each.submission_id)
        found = bench.settled(each)
        if isinstance(found, Settlement):
            entries.append(wire.settlement_entry(found, SOFTWARE_VERSION))
            rows.add(position + len(entries), found)
        elif found is not None:
            entries.append(wire.exception_entry(found))
    return entries, rows
