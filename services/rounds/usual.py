"""The usual whole round: nothing of it is refused or held, so that its entry repeats the event's own bytes.

What is not usual is left to `course`, which decides it and names what is wrong: here is no refusal but the result's.
"""

from collections.abc import Sequence
from datetime import date

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from services.games.admission import TIMED, admit
from services.games.catalogue import catalogue
from services.games.results import GAMES, read_history
from services.games.terms import Terms
from services.kernel.errors import BaseWagerMissing
from services.kernel.ids import RoundKey
from services.kernel.money import LARGEST_STAKE_CENTS
from services.rounds import instants, wire
from services.rounds.book import Book
from services.rounds.frames import Cut, Head, Tail
from services.rounds.stamps import Fit, Stamp
from services.runtime.feeds import NewEntry, field

MOST_FITS = 20_000
"""Wagers kept of one offer: the same are placed all day, each chip and each area again and again."""
PREVIOUS = entries.Round.DESCRIPTOR.fields_by_name["previous"].number


def entry(book: Book, event: wire.FloorEvent, key: RoundKey, shift: int, tail: Tail, sequence: int) -> NewEntry | None:
    """The entry of a usual whole round; None of another. Raises what reading the result refuses."""
    body, pieces = event.body, event.cut
    if pieces is None or not isinstance(body, floor.WholeRound):
        return None
    day, table_id, shoe, round_no, _ = key
    stamp = book.stamps.on(table_id, day)
    if not _locks_possible(body) or not _let_in(pieces, body.wagers, stamp, day):
        return None
    previous = book.spins.get(table_id) if GAMES[stamp.terms.game].wheels else None
    if not _dealt(body.result, stamp.terms, previous):
        return None
    head = stamp.heads.get(shift) or _make_head(book, stamp, key, shift)
    spun = field(PREVIOUS, previous.SerializeToString()) if previous is not None else b""
    message = b"".join((head.of(shoe, round_no), pieces.framed(), spun, tail.of(sequence, event.occurred_at)))
    return NewEntry(wire.WHOLE_ROUND, day, field(wire.WHOLE_ROUND, message))


def _make_head(book: Book, stamp: Stamp, key: RoundKey, shift: int) -> Head:
    pit = book.tables.on(key.table_id, key.gaming_day).pit
    message = entries.Round(shift=shift, pit=pit, submission_id=stamp.submission_id)
    message.key.gaming_day, message.key.table_id = key.gaming_day.isoformat(), key.table_id
    head = stamp.heads[shift] = Head(message, message.key)
    return head


def _locks_possible(body: floor.WholeRound) -> bool:
    """Whether the lock times, where they are told, are times that can be."""
    return (not body.HasField("no_more_bets_at") or instants.is_possible(body.no_more_bets_at)) and (
        not body.HasField("first_card_at") or instants.is_possible(body.first_card_at)
    )


def _dealt(result: floor.Result, terms: Terms, previous: floor.Result | None) -> bool:
    """Whether it is a result of the table's game, after which nothing is left to ask. The game's own refusals."""
    name, game = terms.game, GAMES[terms.game]
    if game.later_stakes or result.WhichOneof("game") != name or result.stated_payouts:
        return False
    history = read_history(name, [getattr(result, name)], terms.decks, getattr(previous, name, None))
    game.check(history, terms)
    return True


def _let_in(pieces: Cut, wagers: Sequence[floor.Wager], stamp: Stamp, day: date) -> bool:
    """Whether the terms let every wager in, by its bytes, and each has a base at its seat where it needs one."""
    fits = stamp.fits
    try:
        found = [fits[piece] for piece in pieces.wagers]
    except KeyError:
        if not _learn(pieces.wagers, wagers, stamp, day):
            return False
        found = [fits[piece] for piece in pieces.wagers]
    there = {place for place, _ in found}
    baseless = [bases for _, bases in found if bases and bases.isdisjoint(there)]
    return not baseless


def _learn(pieces: Sequence[bytes], wagers: Sequence[floor.Wager], stamp: Stamp, day: date) -> bool:
    """Keeps what the terms say of each wager; False at the first that they may not let in."""
    if len(stamp.fits) > MOST_FITS:
        stamp.fits.clear()
    for piece, wager in zip(pieces, wagers, strict=True):
        if piece not in stamp.fits:
            fit = _fit(wager, stamp.terms, day)
            if fit is None:
                return False
            stamp.fits[piece] = fit
    return True


def _fit(wager: floor.Wager, terms: Terms, day: date) -> Fit | None:
    """What the terms say of a wager that they let in whenever it was placed in time; None of any other."""
    rule = catalogue().get(wager.code)
    if rule is None or rule.effective or rule.expires or rule.lock not in TIMED or rule.base_share:
        return None
    if wager.HasField("placed_at") or wager.roll or not 0 < wager.stake_cents <= LARGEST_STAKE_CENTS:
        return None
    _, held = admit(wire.placed_wagers([wager]), terms, day, None, None)
    # A base is asked for last: a wager that lacks nothing else fits.
    if held and not isinstance(held[0][1], BaseWagerMissing):
        return None
    return Fit(f"{wager.seat} {wager.code}", frozenset(f"{wager.seat} {code}" for code in rule.needs))
