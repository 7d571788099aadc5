"""What is done with the feeds that this service follows."""

from collections.abc import Sequence

from services.progressives import fold, store, wire
from services.progressives.operations.ledger import ACTOR, Ledger, write
from services.progressives.play import Correction, DayOpened, Event, Part, Play, PropertySet
from services.runtime.store import Connection, Move


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
    await ledger.received(_named(events), max((_filed(each) for each in events), default=0))
    async with ledger.writing() as commit:
        keys = sorted({each.round_key for each in events if isinstance(each, Correction)})
        recorded = await store.recorded_rounds(commit.connection, ledger.property_id, keys) if keys else {}
        book = ledger.book(recorded)
        fold.apply(book, events)
        await write(ledger, commit, book, ACTOR, ledger.clock(), move)
        await _keep(commit.connection, ledger.property_id, events)


async def _keep(connection: Connection, property_id: str, events: Sequence[Event]) -> None:
    days = [each for each in events if isinstance(each, DayOpened)]
    if days:
        rows = [(each.gaming_day, each.position, each.submissions_position) for each in days]
        await store.add_days(connection, property_id, rows)
    if settings := [each for each in events if isinstance(each, PropertySet)]:
        await store.add_settings(connection, property_id, settings)


def _named(events: Sequence[Event]) -> set[str]:
    """The submissions without which these events cannot be read."""
    plays = [each for each in map(_play, events) if each is not None]
    return {each.submission_id for each in plays if each.part is not Part.BETTING_CLOSED or _mysterious(each)}


def _play(event: Event) -> Play | None:
    if isinstance(event, Play):
        return event
    return event.play if isinstance(event, Correction) else None


def _mysterious(play: Play) -> bool:
    """Whether a hidden trigger may be met when betting closes."""
    return any(wire.has_mystery(wager.code) for wager in play.wagers)


def _filed(event: Event) -> int:
    return event.submissions_position if isinstance(event, DayOpened) else 0
