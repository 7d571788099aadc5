"""What signs show, held against the meters, and how long jackpots wait: what is to be raised and what is over.

New York and Arkansas want what a sign shows to be within thirty seconds of the meter; the same holds here.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import NamedTuple

from services.kernel import errors
from services.kernel.ids import alert_id
from services.kernel.money import display_cents
from services.progressives.alert import Alert, AlertKind, AlertState
from services.progressives.book import Book
from services.progressives.jackpot import Jackpot, JackpotState
from services.progressives.link import LinkState
from services.progressives.mystery import Trigger
from services.progressives.state import MeterName, Standing, State

STALE_SECONDS = 30
"""A sign that shows what the meter had longer ago than this differs from it."""
SILENT_SECONDS = 60
"""A sign that has not told what it shows for longer than this is silent."""
FRAMES_KEPT = 256
"""How many of the last values of a meter are remembered as they were shown to signs."""
WAITING = (JackpotState.HIT, JackpotState.HELD, JackpotState.UNPRICED)
"""States of a jackpot in which nobody has claimed it."""


class Sign(NamedTuple):
    """A sign, as it names itself, and the link it shows."""

    sign_id: str
    link_id: str


class Shown(NamedTuple):
    """What a sign shows of a level: cents, and the revision it was told with them."""

    level: str
    display_cents: int
    revision: int


class Frame(NamedTuple):
    """What a meter displayed at a revision: cents, and when that was told to a sign first."""

    cents: int
    at: datetime


class Heard(NamedTuple):
    """When a sign spoke last, and the position of the progressives feed then."""

    at: datetime
    position: int


class Entered(NamedTuple):
    """Position and time of the entry that brought a jackpot to its state."""

    position: int
    at: datetime


class Difference(NamedTuple):
    """Why what a sign shows is wrong; the cents expected, and the revision since which it is, None where unknown."""

    message: str
    expected_cents: int
    since: int | None


class Told:
    """What one watcher of meters has been told: it gets what stands otherwise, of one link or (empty) of all."""

    def __init__(self, link_id: str) -> None:
        self._link_id = link_id
        self._told: dict[MeterName, tuple[Standing, Trigger | None]] = {}

    def news(self, state: State) -> list[MeterName]:
        """The meters that stand otherwise than told before, by name; from here on they are told."""
        standing = {
            name: (standing, state.triggers.get(name))
            for name, standing in sorted(state.meters.items())
            if self._link_id in ("", name[0])
        }
        found = [name for name, now in standing.items() if self._told.get(name) != now]
        self._told = standing
        return found


class Frames:
    """The last values that signs were shown, so that an echo of one of them needs no journal."""

    def __init__(self) -> None:
        self._frames: dict[MeterName, OrderedDict[int, Frame]] = {}

    def add(self, meters: Mapping[MeterName, Standing], at: datetime) -> None:
        """Remembers values with the time at which they stood; the first time of each counts."""
        for name, standing in meters.items():
            kept = self._frames.setdefault(name, OrderedDict())
            kept.setdefault(standing.revision, Frame(display_cents(standing.meter.reading), at))
            while len(kept) > FRAMES_KEPT:
                kept.popitem(last=False)

    def at(self, name: MeterName, revision: int) -> Frame | None:
        """What was shown at a revision, where it is remembered."""
        kept = self._frames.get(name)
        return kept.get(revision) if kept else None


def check_echo(state: State, sign: Sign, shown: Iterable[Shown]) -> None:
    """Whether a sign may say this. Raises InvalidRequest, LinkUnknown, LinkOutOfState."""
    if not sign.sign_id:
        raise errors.InvalidRequest("expected a sign_id, given none")
    link = state.links.get(sign.link_id)
    if link is None:
        raise errors.LinkUnknown(f"expected a link in force, given {sign.link_id!r}")
    if link.state is LinkState.RETIRED:
        raise errors.LinkOutOfState(f"expected a link in force, link {link.link_id} is {link.state}")
    levels, named = [terms.level for terms in link.meters], [each.level for each in shown]
    if not named or len(set(named)) < len(named) or not set(named) <= set(levels):
        given = ", ".join(named) or "none"
        raise errors.InvalidRequest(f"expected of link {link.link_id} levels {', '.join(levels)}, once; given {given}")


def difference(shown: Shown, now_cents: int, then_cents: int | None, stale: bool) -> Difference | None:
    """What is wrong with what a sign shows of a level; None where it is right.

    `now_cents` is what the meter displays, `then_cents` what it did at the revision that the sign names, None where
    it had none such; `stale` says that it has displayed something else for longer than STALE_SECONDS.
    """
    given = f"sign shows {shown.display_cents} cents of {shown.level}"
    if then_cents is None:
        text = f"{given} at revision {shown.revision}, which this meter never had; it displays {now_cents}"
        return Difference(text, now_cents, None)
    if then_cents != shown.display_cents:
        text = f"{given} at revision {shown.revision}, at which the meter displayed {then_cents}"
        return Difference(text, then_cents, shown.revision)
    if stale:
        text = f"{given} for longer than {STALE_SECONDS} seconds since the meter left it; it displays {now_cents}"
        return Difference(text, now_cents, shown.revision)
    return None


def put(book: Book, alert: Alert) -> None:
    """Writes an alert's state down; one that is cleared is forgotten."""
    book.written.append(alert)
    if alert.state is AlertState.CLEARED:
        book.state.alerts.pop(alert.alert_id, None)
    else:
        book.state.alerts[alert.alert_id] = alert


def standing_of(state: State, sign: Sign) -> list[Alert]:
    """The alerts of a sign that are not cleared."""
    return [each for each in state.alerts.values() if (each.sign_id, each.link_id) == sign]


def differs(book: Book, sign: Sign, shown: Shown, found: Difference, played: int, by: str, at: datetime) -> Alert:
    """The alert that a sign shows a level wrongly, at the position at which it is raised."""
    name = alert_id(book.property_id, AlertKind.SIGN_DIFFERS, *sign, shown.level, book.head)
    blank = _of_sign(book, sign, name, AlertKind.SIGN_DIFFERS, f"{sign.sign_id}: {found.message}", played, by, at)
    return blank._replace(level=shown.level, shown_cents=shown.display_cents, expected_cents=found.expected_cents)


def silent(book: Book, sign: Sign, heard: Heard, played: int, by: str, at: datetime) -> Alert:
    """The alert that a sign has fallen silent, at the position at which it is raised."""
    name = alert_id(book.property_id, AlertKind.SIGN_SILENT, *sign, book.head)
    text = (
        f"expected sign {sign.sign_id} of link {sign.link_id} to tell what it shows every {SILENT_SECONDS} seconds,"
        f" heard last at {heard.at.isoformat()}"
    )
    return _of_sign(book, sign, name, AlertKind.SIGN_SILENT, text, played, by, at)


def _of_sign(
    book: Book, sign: Sign, name: str, kind: AlertKind, text: str, played: int, by: str, at: datetime
) -> Alert:
    return Alert(
        *(name, kind, AlertState.RAISED, text, sign.link_id, "", "", None, 0, sign.sign_id, 0, 0),
        *(played, by, at, book.state.gaming_day),
    )


def fallen_silent(state: State, heard: Mapping[Sign, Heard], now: datetime) -> list[Sign]:
    """The signs of links not retired that have been silent too long, and have no alert of it."""
    alerted = {(each.sign_id, each.link_id) for each in state.alerts.values() if each.kind is AlertKind.SIGN_SILENT}
    latest = now - timedelta(seconds=SILENT_SECONDS)
    return [
        sign
        for sign, last in sorted(heard.items())
        if last.at < latest and sign not in alerted and shows(state, sign.link_id)
    ]


def shows(state: State, link_id: str) -> bool:
    """Whether signs are expected to show a link: until it is retired."""
    link = state.links.get(link_id)
    return link is not None and link.state is not LinkState.RETIRED


def unclaimed(
    property_id: str, jackpot: Jackpot, entered: Entered, minutes: int, by: str, at: datetime, day: date
) -> Alert:
    """The alert that a jackpot waits too long for its claim, or for the decision that it takes before one."""
    key, took = jackpot.key, "priced" if jackpot.state is JackpotState.UNPRICED else "claimed"
    text = (
        f"expected jackpot {jackpot.jackpot_id} to be {took} within {minutes} minutes, it is {jackpot.state}:"
        f" table {key.table_id}, seat {jackpot.seat}, round {key}, since {entered.at.isoformat()},"
        f" {jackpot.amount_cents} cents"
    )
    return Alert(
        alert_id=unclaimed_id(property_id, jackpot, entered),
        kind=AlertKind.UNCLAIMED,
        state=AlertState.RAISED,
        message=text,
        link_id=jackpot.link_id,
        level=jackpot.level,
        jackpot_id=jackpot.jackpot_id,
        key=key,
        seat=jackpot.seat,
        sign_id="",
        shown_cents=0,
        expected_cents=jackpot.amount_cents,
        rounds_played=0,
        actor=by,
        at=at,
        gaming_day=max(day, key.gaming_day),
    )


def unclaimed_id(property_id: str, jackpot: Jackpot, entered: Entered) -> str:
    """The id of the alert of a jackpot in a state: a decision that makes it claimable begins its time anew."""
    return alert_id(property_id, AlertKind.UNCLAIMED, jackpot.jackpot_id, entered.position)


def overdue(state: State, entered: Mapping[Jackpot, Entered], now: datetime) -> list[Jackpot]:
    """The unclaimed jackpots whose time is over."""
    latest = now - timedelta(minutes=state.claim_minutes)
    return [each for each in waiting(state) if each in entered and entered[each].at < latest]


def waiting(state: State) -> list[Jackpot]:
    """The jackpots that nobody has claimed."""
    return [each for each in state.jackpots.values() if each.state in WAITING]
