"""What each event of the rounds feed does to a book."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from services.kernel import errors
from services.progressives import changes, meter, plays
from services.progressives.book import Book, Origin
from services.progressives.corrections import correct
from services.progressives.decision import Retirement
from services.progressives.link import Link, LinkState, check_offers, go_live, goes_live
from services.progressives.offers import terms_on
from services.progressives.play import DayOpened, Event, Play, PropertySet
from services.progressives.state import Standing


def apply(book: Book, events: Iterable[Event]) -> None:
    """Applies events that are in the order of the rounds feed."""
    for _ in one_by_one(book, events):
        continue


def one_by_one(book: Book, events: Iterable[Event]) -> Iterator[Event]:
    """Applies events in the order of the rounds feed, and gives each once it is applied."""
    live = book.state.live()
    for event in events:
        if isinstance(event, Play):
            plays.take(book, event, live)
        elif isinstance(event, DayOpened):
            open_day(book, event)
            live = book.state.live()
        elif isinstance(event, PropertySet):
            book.state.claim_minutes, book.state.time_zone = event.claim_minutes, event.time_zone
        else:
            correct(book, event, live)
        yield event


def open_day(book: Book, day: DayOpened) -> None:
    """A gaming day begins: links go live, change and retire."""
    state = book.state
    state.gaming_day = day.gaming_day
    for link_id, link in sorted(state.pending.items()):
        if goes_live(link, day.gaming_day) and not waits_for(book, link, day):
            del state.pending[link_id]
            _bring_to_life(book, go_live(link, day.position), Origin(day.position, day.gaming_day))
    for _, decision in sorted(state.decisions.items()):
        subject = decision.subject
        due = decision.waits and isinstance(subject, Retirement) and subject.effective_from <= day.gaming_day
        if due and isinstance(subject, Retirement) and not changes.retirement_waits_for(state, subject):
            changes.retire(book, decision, subject, Origin(day.position, day.gaming_day))


def waits_for(book: Book, link: Link, day: DayOpened) -> str:
    """What keeps an approved version from going live at an opening; empty where nothing does."""
    if link.link_id in book.state.links:
        if busy := book.state.busy(link.link_id):
            return busy
        for terms in link.meters:
            reading = book.state.meters[link.link_id, terms.level].meter.reading
            if terms.limit_micros and reading > terms.limit_micros:
                return f"meter {terms.level} stands above the limit"
    submissions = [each for each in book.filed.values() if each.position <= day.submissions_position]
    try:
        check_offers(link, terms_on(submissions, day.gaming_day))
    except errors.LinkContradictsRules as refusal:
        return refusal.message
    return ""


def _bring_to_life(book: Book, link: Link, origin: Origin) -> None:
    former = book.state.links.get(link.link_id)
    if former is not None and former.state is LinkState.SUSPENDED:
        # The version changes, the suspension stands until somebody resumes the link.
        suspended = (former.changed_by, former.changed_at, former.reason)
        link = replace(link, state=former.state, changed_by=suspended[0], changed_at=suspended[1], reason=suspended[2])
    known = former is not None
    book.state.links[link.link_id] = link
    book.written.append(link)
    for terms in link.meters if not known else ():
        book.state.meters[link.link_id, terms.level] = Standing()
        book.move(link, terms.level, meter.seed(meter.Meter(), terms.seed_micros), origin)
        book.stand((link.link_id, terms.level), last_hit=book.head)
        if terms.mystery:
            book.draw_trigger(link, terms, 1, origin)
