"""What a part of a round does to a book: contributions when betting closes, hits when the result is in."""

from collections.abc import Sequence

from services.games.catalogue import catalogue
from services.games.settlement import STATED, Settled
from services.games.wagers import PlacedWager
from services.kernel import errors
from services.kernel.ids import RoundKey, jackpot_id
from services.progressives.book import Book
from services.progressives.hits import Winner
from services.progressives.link import MYSTERY, Link, LinkState
from services.progressives.play import Correction, Part, Play
from services.progressives.state import MeterName, Pins

Live = dict[tuple[str, str, str], Link]
"""Every live link under table, wager code and paytable."""
NONE_LIVE = "\0"
"""Stands for no link where a round is not pinned yet; no link has this name."""


def take(book: Book, play: Play, live: Live) -> None:
    """Applies one part of a round."""
    name = play.key._replace(roll=0) if play.key.roll else play.key
    # A key is not hashed where no round is open.
    pins = book.state.pins.get(name) if book.state.pins else None
    if pins is None and play.part is not Part.RESULT:
        pins = contributions(book, play, play.wagers, live)
    if play.part is Part.BETTING_CLOSED or not _result(book, play, pins or {}):
        pin(book, name, pins)
    else:
        pin(book, name, None)


def pin(book: Book, name: RoundKey, pins: Pins | None) -> None:
    """Keeps the pins of a round that is open, forgets those of one that is done."""
    if (pins is None and not book.state.pins) or book.state.pins.get(name) == pins:
        return
    book.pinned.add(name)
    if pins is None:
        del book.state.pins[name]
    else:
        book.state.pins[name] = pins


def contributions(
    book: Book, play: Play, wagers: Sequence[PlacedWager], live: Live, pinned: Pins | None = None
) -> Pins:
    """Contributions in seat order (ruling J6), and the links that the round is pinned to from here on.

    What the round was `pinned` to before stays: a link suspended since, and none where none was live.
    """
    pins: Pins = dict(pinned or {})
    for placed in sorted(wagers, key=_seat_order) if len(wagers) > 1 else wagers:
        name = placed.code, placed.paytable
        link = _link(book, pins[name]) if name in pins else live.get((play.key.table_id, *name))
        if link is not None:
            pins[name] = link.link_id
            book.contribute(play, placed, link)
        elif over := pins.get(name, NONE_LIVE):
            pins[name] = ""
            if _owes(book, play, placed):
                book.trouble(_no_link(play, placed, over), play, placed.wager_no)
    return pins


def _owes(book: Book, play: Play, placed: PlacedWager) -> bool:
    """Whether a wager should be on a link: its section gives it meters, or its table has chosen a mystery."""
    if catalogue()[placed.code].meters:
        return True
    filed = book.filed.get(play.submission_id)
    terms = filed.tables.get(play.key.table_id) if filed else None
    return bool(terms and terms.option(placed.code, MYSTERY))


def _link(book: Book, link_id: str) -> Link | None:
    """The link that a round is pinned to; none where there was none, or where it is over."""
    link = book.state.links.get(link_id)
    return None if link is None or link.state is LinkState.RETIRED else link


def _seat_order(placed: PlacedWager) -> tuple[int, int]:
    return placed.seat, placed.wager_no


def _result(book: Book, play: Play, pins: Pins) -> bool:
    """Prices the meter awards of a result; True once every wager of the round is settled."""
    try:
        settled = book.settled(play)
    except errors.Refusal as refusal:
        book.trouble(refusal, play, 0)
        return False
    if any(each.awards for each in settled):
        for (link_id, level), winners in winners_of(play, pins, settled).items():
            if link_id:
                book.hit(play, book.state.links[link_id], level, winners)
            else:
                book.unpriced(play, level, winners)
    return done(play, settled)


def done(play: Play, settled: Sequence[Settled]) -> bool:
    """Whether every wager that a meter may pay is settled; those whose payout the floor states are none of them."""
    pending = {each.wager_no for each in settled if each.outcome == "pending"}
    return not any(placed.wager_no in pending and not _stated(placed) for placed in play.working) if pending else True


def _stated(placed: PlacedWager) -> bool:
    return catalogue()[placed.code].settles == STATED


def winners_of(play: Play, pins: Pins, settled: Sequence[Settled]) -> dict[MeterName, list[Winner]]:
    """The round's meter awards by link and level; no link where none was live."""
    found: dict[MeterName, list[Winner]] = {}
    for placed, each in zip(play.working, settled, strict=True):
        seen: dict[str, int] = {}
        for award in each.awards:
            if award.kind != "meter":
                continue
            ordinal = seen[award.level] = seen.get(award.level, -1) + 1
            link_id = pins.get((placed.code, placed.paytable), "")
            winner = Winner(*placed[:4], award.percent, award.paid_from, ordinal, placed.stake_cents)
            found.setdefault((link_id, award.level), []).append(winner)
    return found


def _no_link(play: Play, placed: PlacedWager, over: str) -> errors.Refusal:
    stands = "there is none" if over == NONE_LIVE else f"link {over}, to which the round is pinned, is retired"
    return errors.NoLiveLink(
        f"expected a live link of {placed.code}, paytable {placed.paytable}, at {play.key.table_id},"
        f" {stands}: its wagers of this round move no meter"
    )


def name_of(event: Play | Correction, level: str, winner: Winner) -> str:
    """The id of the jackpot of a winner of this round."""
    return jackpot_id(event.key, winner.wager_no, level, winner.ordinal)
