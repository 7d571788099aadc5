"""Signs tell what they show, and the floor is watched: alerts are raised, seen by people, and cleared."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from services.kernel import errors
from services.kernel.money import display_cents
from services.progressives import alert as alerts
from services.progressives import answers, signs, store
from services.progressives.alert import Alert, AlertKind
from services.progressives.book import Book
from services.progressives.entries import alert_message
from services.progressives.jackpot import Jackpot
from services.progressives.operations.ledger import ACTOR, ROUNDS, Commit, Ledger, act, write
from services.progressives.signs import Difference, Entered, Frames, Heard, Shown, Sign
from services.progressives.state import MeterName, Standing, State
from services.runtime.feeds import read_commit
from services.runtime.logs import Log
from services.runtime.principals import as_refusal
from services.runtime.requests import Write
from services.runtime.store import Connection, Move, load_cursor

TICK_SECONDS = 1
"""How often the floor is looked at."""


class Watch:
    """The watch over one property's signs and jackpots: what was shown to signs last, and when each spoke."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.frames = Frames()
        self.heard: dict[Sign, Heard] = {}
        self.registered: set[Sign] = set()
        # When the jackpots that wait were entered, looked up once each.
        self.entered: dict[Jackpot, Entered] = {}

    async def begin(self) -> None:
        """Remembers the signs that have ever spoken; each has as long as at its last word to speak again."""
        async with self.ledger.pool.acquire() as connection:
            found = await store.known_signs(connection, self.ledger.property_id)
        self.registered = {Sign(*each) for each in found}
        self.heard = dict.fromkeys(self.registered, self._now())

    def hear(self, sign: Sign) -> None:
        """A sign has spoken."""
        self.heard[sign] = self._now()

    def show(self, meters: Mapping[MeterName, Standing]) -> None:
        """These values are about to be shown to a sign."""
        self.frames.add(meters, self.ledger.clock())

    def _now(self) -> Heard:
        return Heard(self.ledger.clock(), self.ledger.feed.position)


async def echo_meters(watch: Watch, sign: Sign, shown: Sequence[Shown]) -> answers.EchoMetersResponse:
    """A sign has said what it shows: what is wrong is raised, what is right again cleared, its silence is over.

    A sign that shows what it should, as it did before, costs no transaction. What could not be entered the next
    echo enters. Raises InvalidRequest, LinkUnknown, LinkOutOfState.
    """
    ledger = watch.ledger
    signs.check_echo(ledger.state, sign, shown)
    judged = [(each, await _judge(watch, sign, each)) for each in shown]
    watch.hear(sign)
    if sign not in watch.registered or _changes(ledger.state, sign, judged):
        await _enter_echo(ledger, sign, judged)
        watch.registered.add(sign)
    standing = [alert_message(each) for each in signs.standing_of(ledger.state, sign)]
    return answers.EchoMetersResponse(alerts=standing, silent_after_seconds=signs.SILENT_SECONDS)


Judged = Sequence[tuple[Shown, Difference | None]]


async def _judge(watch: Watch, sign: Sign, shown: Shown) -> Difference | None:
    """Holds what a sign shows of a level against the meter as it stands, what was shown lately, and the journal."""
    ledger, name = watch.ledger, (sign.link_id, shown.level)
    standing = ledger.state.meters[name]
    now_cents = display_cents(standing.meter.reading)
    if shown.revision == standing.revision:
        return signs.difference(shown, now_cents, now_cents, stale=False)
    late = ledger.clock() - timedelta(seconds=signs.STALE_SECONDS)
    if (frame := watch.frames.at(name, shown.revision)) and (frame.at >= late or frame.cents != shown.display_cents):
        return signs.difference(shown, now_cents, frame.cents, stale=False)
    link = ledger.state.links[sign.link_id]
    ordinal = [terms.level for terms in link.meters].index(shown.level) + 1
    of_level = ledger.property_id, *name, ordinal
    async with ledger.pool.acquire() as connection:
        reading = await store.reading_at(connection, *of_level, shown.revision)
        left = await store.leaves(connection, *of_level, shown.revision, shown.display_cents)
        stale = left is not None and await _committed(connection, ledger.property_id, left) < late
    then_cents = None if reading is None else display_cents(reading)
    return signs.difference(shown, now_cents, then_cents, stale and now_cents != shown.display_cents)


async def _committed(connection: Connection, property_id: str, position: int) -> datetime:
    """When an entry of the feed was committed."""
    return read_commit(await store.commit_at(connection, property_id, position)).at


def _differing(state: State, sign: Sign) -> dict[str, Alert]:
    """The standing alerts that a sign shows a level wrongly, by level."""
    return {each.level: each for each in signs.standing_of(state, sign) if each.kind is AlertKind.SIGN_DIFFERS}


def _silences(state: State, sign: Sign) -> list[Alert]:
    return [each for each in signs.standing_of(state, sign) if each.kind is AlertKind.SIGN_SILENT]


def _changes(state: State, sign: Sign, judged: Judged) -> bool:
    """Whether an echo raises or clears anything."""
    standing = _differing(state, sign)
    return bool(_silences(state, sign)) or any((found is None) == (each.level in standing) for each, found in judged)


async def _enter_echo(ledger: Ledger, sign: Sign, judged: Judged) -> None:
    async with ledger.writing() as commit:
        now, book, connection = ledger.clock(), ledger.book(), commit.connection
        standing = _differing(book.state, sign)
        over = [standing[each.level] for each, found in judged if found is None and each.level in standing]
        for alert in [*_silences(book.state, sign), *over]:
            await _clear(connection, book, alert, now)
        for each, found in judged:
            if found is not None and each.level not in standing:
                since = ledger.feed.position if found.since is None else found.since
                played = await _played(connection, ledger, sign.link_id, since)
                signs.put(book, signs.differs(book, sign, each, found, played, ACTOR, now))
        await store.add_sign(connection, ledger.property_id, *sign, now)
        await _write(ledger, commit, book, now)


async def _played(connection: Connection, ledger: Ledger, link_id: str, since: int) -> int:
    return await store.rounds_played(connection, ledger.property_id, link_id, since, ledger.feed.position)


async def _clear(connection: Connection, book: Book, alert: Alert, now: datetime) -> None:
    """Enters that the cause of an alert is over; of a sign's with the rounds played meanwhile."""
    played = 0
    if alert.sign_id:
        raised = await store.raised_at(connection, book.property_id, alert.alert_id)
        played = await store.rounds_played(connection, book.property_id, alert.link_id, raised, book.position)
    signs.put(book, alerts.clear(alert, ACTOR, now, book.state.gaming_day, played))


async def _write(ledger: Ledger, commit: Commit, book: Book, now: datetime) -> None:
    """Enters what a book has; the cursor of rounds goes nowhere, naming it keeps others from moving it meanwhile."""
    position, hash_ = await load_cursor(commit.connection, ledger.property_id, ROUNDS)
    await write(ledger, commit, book, ACTOR, now, Move(ROUNDS, position, position, hash_))


async def look(watch: Watch) -> None:
    """Raises an alert of each sign fallen silent and each jackpot unclaimed too long; clears those that are over.

    Opens a transaction only where there is something to enter.
    """
    ledger = watch.ledger
    await ledger.refresh()
    if any(each not in watch.entered for each in signs.waiting(ledger.state)):
        async with ledger.pool.acquire() as connection:
            await _look_up(watch, connection, ledger.state)
    if not _due(watch, ledger.property_id, ledger.state, ledger.clock()):
        return
    async with ledger.writing() as commit:
        now, book = ledger.clock(), ledger.book()
        # What the book begins with may have been read anew.
        await _look_up(watch, commit.connection, book.state)
        for each in _due(watch, ledger.property_id, book.state, now):
            await _enter(watch, commit.connection, book, each, now)
        if book.written:
            await _write(ledger, commit, book, now)


async def _look_up(watch: Watch, connection: Connection, state: State) -> None:
    """Since when jackpots wait, asked once for each state; what waits no more is forgotten."""
    property_id, waiting = watch.ledger.property_id, signs.waiting(state)
    watch.entered = {each: watch.entered[each] for each in waiting if each in watch.entered}
    missing = [each for each in waiting if each not in watch.entered]
    places = await store.entered(connection, property_id, [each.jackpot_id for each in missing]) if missing else {}
    for each in missing:
        position = places[each.jackpot_id]
        watch.entered[each] = Entered(position, await _committed(connection, property_id, position))


Due = Sign | Jackpot | Alert
"""What is to be entered: a silence, an overdue claim, an alert that is over."""


def _due(watch: Watch, property_id: str, state: State, now: datetime) -> list[Due]:
    late = [
        each
        for each in signs.overdue(state, watch.entered, now)
        if signs.unclaimed_id(property_id, each, watch.entered[each]) not in state.alerts
    ]
    return [*_over(watch, property_id, state), *signs.fallen_silent(state, watch.heard, now), *late]


def _over(watch: Watch, property_id: str, state: State) -> list[Alert]:
    """The standing alerts of jackpots that wait no more as they did, and of signs whose link is retired."""
    waiting = {
        signs.unclaimed_id(property_id, each, watch.entered[each])
        for each in signs.waiting(state)
        if each in watch.entered
    }
    return [
        each
        for each in state.alerts.values()
        if (each.alert_id not in waiting if each.kind is AlertKind.UNCLAIMED else not signs.shows(state, each.link_id))
    ]


async def _enter(watch: Watch, connection: Connection, book: Book, due: Due, now: datetime) -> None:
    if isinstance(due, Alert):
        await _clear(connection, book, due, now)
    elif isinstance(due, Jackpot):
        minutes, day = book.state.claim_minutes, book.state.gaming_day
        signs.put(book, signs.unclaimed(book.property_id, due, watch.entered[due], minutes, ACTOR, now, day))
    else:
        heard = watch.heard[due]
        played = await _played(connection, watch.ledger, due.link_id, heard.position)
        signs.put(book, signs.silent(book, due, heard, played, ACTOR, now))


async def look_for_ever(watch: Watch, log: Log) -> None:
    """The watch of the floor; what it could not enter now it finds again at the next look."""
    while True:
        await asyncio.sleep(TICK_SECONDS)
        try:
            await look(watch)
        except Exception as problem:
            unknown = problem if as_refusal(problem) is None else None
            log.warning("alerts not entered now; will try again", problem=str(problem), exc_info=unknown)


async def acknowledge_alert(ledger: Ledger, request: Write, alert_id: str, by: str) -> answers.AcknowledgeAlertResponse:
    """A person has seen a raised alert. Raises AlertUnknown, AlreadyDecided."""

    async def work(book: Book, connection: Connection, at: datetime, position: int) -> Any:
        alert = book.state.alerts.get(alert_id)
        if alert is None:
            known = {each.alert_id: each for each in await store.alerts(connection, ledger.property_id)}
            if alert_id not in known:
                raise errors.AlertUnknown(f"expected an alert of {ledger.property_id}, given {alert_id!r}")
            alert = known[alert_id]
        made = alerts.acknowledge(alert, by, at, book.state.gaming_day)
        signs.put(book, made)
        return answers.AcknowledgeAlertResponse(alert=alert_message(made))

    found: answers.AcknowledgeAlertResponse = await act(ledger, request, answers.AcknowledgeAlertResponse, by, work)
    return found


async def alerts_of(ledger: Ledger) -> list[Alert]:
    """The latest state of every alert, in the order of these states."""
    async with ledger.pool.acquire() as connection:
        return await store.alerts(connection, ledger.property_id)
