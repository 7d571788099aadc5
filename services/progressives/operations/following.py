"""What is done with the feeds that this service follows.

Rounds are folded while what came before them is still being written: folding keeps the processor busy, writing waits
for Postgres.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from services.progressives import fold, store, wire
from services.progressives.book import Book
from services.progressives.entries import entry
from services.progressives.operations.ledger import ACTOR, Ledger, write
from services.progressives.play import Correction, DayOpened, Event, Part, Play, PropertySet
from services.progressives.state import State
from services.runtime.feeds import NewEntry
from services.runtime.store import Connection, Move

STRETCH = 3
"""Events folded at a stretch: about as long as Postgres takes for a statement."""


async def apply_submissions(ledger: Ledger, rows: Sequence[tuple[int, str, bytes]], move: Move) -> None:
    """Keeps approved submissions and moves the cursor of their feed."""
    async with ledger.writing() as commit:
        await write(ledger, commit, ledger.book(), ACTOR, ledger.clock(), move)
        await store.add_submissions(commit.connection, ledger.property_id, rows)
    await ledger.receive([wire.read_submission(position, content) for position, _, content in rows], move.new)


async def apply_rounds(ledger: Ledger, events: Sequence[Event], move: Move) -> None:
    """Folds events of the rounds feed into meters and jackpots and moves the cursor.

    What needs a submission that has not come yet waits for it. Raises Busy if it does not come.
    """
    writing = await RoundsIntake(ledger).take(events, move)
    await writing


@dataclass
class Folded:
    """Events on their way to disk: the state they were folded onto and the book they made of it; None where not yet."""

    events: Sequence[Event]
    move: Move
    onto: State | None = None
    book: Book | None = None
    entries: list[NewEntry] = field(default_factory=list)


class RoundsIntake:
    """Takes batches of the rounds feed one after another: each is folded while the one before is being written.

    What was folded ahead is folded again where the property no longer stands where it was folded onto: somebody acted
    meanwhile, or memory was read again.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._before: tuple[asyncio.Task[None], Folded] | None = None

    def begin(self) -> None:
        """Batches come from the stored cursor on: what became of those before is over."""
        self._before = None

    async def take(self, events: Sequence[Event], move: Move) -> asyncio.Task[None]:
        """Folds a batch and begins to write it; what is answered ends once it is on disk, or tells why it is not.

        Raises Busy where a submission does not come, and whatever kept the batch before from being written.
        """
        before, self._before = self._before, None
        await self._ledger.received(_named(events), _filed(events))
        folded = Folded(events, move)
        await self._fold(folded, before)
        if before is not None:
            await before[0]
        writing = asyncio.create_task(_write(self._ledger, folded))
        self._before = writing, folded
        return writing

    async def _fold(self, folded: Folded, before: tuple[asyncio.Task[None], Folded] | None) -> None:
        """Folds ahead, unless what was written of a round has to be read first, or nobody knows where things stand."""
        if any(isinstance(each, Correction) for each in folded.events):
            return
        if before is None or before[0].done():
            onto, book = self._ledger.state, self._ledger.book_now()
        elif before[1].book is not None:
            onto, book = before[1].book.state, self._ledger.book_after(before[1].book)
        else:
            return
        if book is not None:
            for number, _ in enumerate(fold.one_by_one(book, folded.events), 1):
                if number % STRETCH == 0:
                    self._enter(folded, book)
                    await asyncio.sleep(0)  # the batch before goes on
            self._enter(folded, book)
            folded.onto, folded.book = onto, book

    def _enter(self, folded: Folded, book: Book) -> None:
        """Makes the entries of what was written since the last time."""
        new = book.written[len(folded.entries) :]
        folded.entries += [entry(each, self._ledger.property_id) for each in new]


async def _write(ledger: Ledger, folded: Folded) -> None:
    async with ledger.writing() as commit:
        book, entries = folded.book, folded.entries
        if book is None or folded.onto is not ledger.state or book.position != ledger.feed.position:
            book, entries = await _fold_now(ledger, commit.connection, folded.events), []
        await write(ledger, commit, book, ACTOR, ledger.clock(), folded.move, entries)
        await _keep(commit.connection, ledger.property_id, folded.events)


async def _fold_now(ledger: Ledger, connection: Connection, events: Sequence[Event]) -> Book:
    keys = sorted({each.round_key for each in events if isinstance(each, Correction)})
    recorded = await store.recorded_rounds(connection, ledger.property_id, keys) if keys else {}
    book = ledger.book(recorded)
    fold.apply(book, events)
    return book


async def _keep(connection: Connection, property_id: str, events: Sequence[Event]) -> None:
    days = [each for each in events if isinstance(each, DayOpened)]
    if days:
        rows = [(each.gaming_day, each.position, each.submissions_position) for each in days]
        await store.add_days(connection, property_id, rows)
    if settings := [each for each in events if isinstance(each, PropertySet)]:
        await store.add_settings(connection, property_id, settings)


def _named(events: Sequence[Event]) -> set[str]:
    """The submissions without which these events cannot be read."""
    found = set()
    for event in events:
        play = event if isinstance(event, Play) else event.play if isinstance(event, Correction) else None
        if play is not None and (play.part is not Part.BETTING_CLOSED or _mysterious(play)):
            found.add(play.submission_id)
    return found


def _mysterious(play: Play) -> bool:
    """Whether a hidden trigger may be met when betting closes."""
    return any(wire.has_mystery(wager.code) for wager in play.wagers)


def _filed(events: Sequence[Event]) -> int:
    """The position of the submissions feed by which the last opening of a day stands; 0 without one."""
    return max([each.submissions_position for each in events if isinstance(each, DayOpened)], default=0)
