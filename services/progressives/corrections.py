"""What the void, amendment or release of a recorded round does to the meters (rulings J11 and J12).

A contribution is taken back, or brought to what the amended stake owes, where the meter was not hit since; else people
decide an adjustment. A jackpot that the corrected round does not win any more is theirs to void or confirm; one that it
wins now is frozen on the reading at the correction. A mystery win is never computed again. One whose wager is gone, or
is another one now, is theirs too, and what shared a hit with a whole share that is gone.
"""

from collections.abc import Mapping
from typing import NamedTuple

from services.games.wagers import PlacedWager
from services.kernel import errors
from services.kernel.money import RATE_UNIT
from services.progressives import plays
from services.progressives.book import Book, Origin, Recorded
from services.progressives.decision import Adjustment, JackpotAction, JackpotDecision
from services.progressives.hits import Winner
from services.progressives.jackpot import Jackpot, JackpotState
from services.progressives.journal import Contribution
from services.progressives.link import MYSTERY, Link, LinkState, MeterTerms
from services.progressives.meter import Cause, Meter, Step, Steps
from services.progressives.play import Correction, Play
from services.progressives.plays import Live
from services.progressives.state import MeterName, Pins


class Owed(NamedTuple):
    """What a wager has contributed up to now, micro-dollars per level in the link's order, and where it first did.

    `asked` is what people were asked to decide of it, by level: of such a level they decide all that follows too.
    """

    position: int
    contribution: Contribution
    amounts: list[int]
    reserve_amounts: list[int]
    asked: dict[str, int]


def correct(book: Book, correction: Correction, live: Live) -> None:
    """Applies a correction of a recorded round."""
    recorded, key = book.recorded(correction.round_key), correction.round_key
    owed, play = _owed(book, recorded), correction.play
    placed = {wager.wager_no: wager for wager in play.wagers} if play else {}
    for (wager_no, _), each in sorted(owed.items()):
        _bring_to(book, correction, each, placed.get(wager_no))
    if play is None or not play.wagers:
        _contest(book, correction, recorded, {})
        plays.pin(book, key, None)
        return
    new = [wager for wager in play.wagers if _new(wager, owed)]
    pins = {**_unlinked(play, recorded, owed), **_pins(book, correction, owed)}
    pins = plays.contributions(book, play, new, live, pins)
    open_still = not play.results or _settle(book, correction, play, recorded, pins)
    plays.pin(book, key, pins if open_still else None)


def _new(wager: PlacedWager, owed: Mapping[tuple[int, str], Owed]) -> bool:
    """Whether the wager has not contributed under its code before."""
    return not any(
        number == wager.wager_no and each.contribution.code == wager.code for (number, _), each in owed.items()
    )


def _unlinked(play: Play, recorded: Recorded, owed: Mapping[tuple[int, str], Owed]) -> Pins:
    """The wagers that were played where no link was live move no meter now.

    That is what has the code of such a wager; where the wager is gone, every code that has contributed nothing.
    """
    placed = {wager.wager_no: wager.code for wager in play.wagers}
    codes = {placed[number] for number in recorded.unlinked if number in placed}
    if recorded.unlinked - placed.keys():
        codes |= set(placed.values()) - {each.contribution.code for each in owed.values()}
    return {(wager.code, wager.paytable): "" for wager in play.wagers if wager.code in codes}


def _pins(book: Book, correction: Correction, owed: Mapping[tuple[int, str], Owed]) -> Pins:
    """The links that the round was pinned to when it was first recorded."""
    pins = dict(book.state.pins.get(correction.round_key, {}))
    for each in owed.values():
        pins[each.contribution.code, each.contribution.paytable] = each.contribution.link_id
    return pins


def _owed(book: Book, recorded: Recorded) -> dict[tuple[int, str], Owed]:
    """Under wager and link what it has contributed, corrections before this one included."""
    found: dict[tuple[int, str], Owed] = {}
    for position, each in recorded.contributions:
        net = list(each.amounts), list(each.reserve_amounts)
        found[each.wager_no, each.link_id] = Owed(position, each, *net, {})
    for moved in recorded.movements:
        owed = found.get((moved.wager_no, moved.link_id))
        if owed is None or moved.cause not in (Cause.CONTRIBUTION, Cause.RESERVE):
            continue
        levels = [terms.level for terms in book.state.links[moved.link_id].meters]
        sums = owed.amounts if moved.cause is Cause.CONTRIBUTION else owed.reserve_amounts
        sums[levels.index(moved.level)] += moved.amount
    for decision in recorded.asked.values():
        subject = decision.subject
        if isinstance(subject, Adjustment) and (decision.wager_no, subject.link_id) in found:
            asked = found[decision.wager_no, subject.link_id].asked
            asked[subject.level] = asked.get(subject.level, 0) + subject.amount
    return found


def _bring_to(book: Book, correction: Correction, owed: Owed, placed: PlacedWager | None) -> None:
    """Brings what a wager has contributed to what its stake owes now; nothing where it is gone."""
    made = owed.contribution
    stays = placed is not None and (placed.code, placed.paytable) == (made.code, made.paytable)
    stake = placed.stake_cents if placed is not None and stays else 0
    link = book.state.links[made.link_id]
    for place, terms in enumerate(link.meters):
        # A contribution is the stake times its rate, so this divides without rest.
        more = made.amounts[place] * stake // made.stake_cents - owed.amounts[place]
        kept = made.reserve_amounts[place] * stake // made.stake_cents - owed.reserve_amounts[place]
        if more or kept or terms.level in owed.asked:
            _move(book, correction, owed, link, terms, (more, kept))


def _move(book: Book, correction: Correction, owed: Owed, link: Link, terms: MeterTerms, by: tuple[int, int]) -> None:
    level = terms.level
    standing, wager_no = book.state.meters[link.link_id, level], owed.contribution.wager_no
    steps = _steps(standing.meter, *by, terms)
    holds = all(min(step.after.reading, step.after.reserve) >= 0 for step in steps)
    stands = link.state is not LinkState.RETIRED and standing.last_hit < owed.position
    if stands and holds and level not in owed.asked:
        origin = Origin(correction.position, correction.key.gaming_day, correction.round_key, wager_no)
        book.move(link, level, steps, origin)
        return
    more = sum(by) - owed.asked.get(level, 0)
    if not more:
        return
    text = (
        f"expected no hit of {link.link_id} {level} since wager {wager_no} of round {correction.round_key} contributed,"
        " there was one, or the meter does not hold it any more: an adjustment is for two people to decide"
    )
    book.ask(Adjustment(link.link_id, level, more), correction, wager_no, text)


def _steps(meter: Meter, more: int, kept: int, terms: MeterTerms) -> list[Step]:
    """What comes back leaves the overflow first; what is added above the limit goes there, on a mystery meter all."""
    made = Steps(meter)
    made.add(Cause.OVERFLOW, min(-meter.overflow, max(0, -more)))
    made.add(Cause.CONTRIBUTION, more)
    if more > 0:
        hidden = bool(terms.mystery)
        made.keep_off(meter.reading if hidden else terms.top_micros, hidden=hidden)
    made.add(Cause.RESERVE, kept)
    return made.steps


def _settle(book: Book, correction: Correction, play: Play, recorded: Recorded, pins: Pins) -> bool:
    """Opens the jackpots that the round wins now; True while a wager is not settled."""
    try:
        settled = book.settled(play)
    except errors.Refusal as refusal:
        book.trouble(refusal, correction, 0)
        return True
    won = plays.winners_of(play, pins, settled)
    _contest(book, correction, recorded, won)
    for (link_id, level), winners in won.items():
        new = [winner for winner in winners if plays.name_of(play, level, winner) not in recorded.jackpots]
        if not new:
            continue
        if link_id and book.state.links[link_id].state is not LinkState.RETIRED:
            book.hit(play, book.state.links[link_id], level, new)
        else:
            book.unpriced(play, level, new)
    return not plays.done(play, settled)


def _contest(book: Book, correction: Correction, recorded: Recorded, won: Mapping[MeterName, list[Winner]]) -> None:
    """Asks about every jackpot that is not what the round wins now."""
    shares = {
        plays.name_of(correction, level, winner): winner.percent
        for (_, level), winners in won.items()
        for winner in winners
    }
    known = list(recorded.jackpots.values())
    contested = {each.jackpot_id for each in known if _contested(correction, each, shares.get(each.jackpot_id))}
    # Who shared the whole of a meter with one that is gone is owed another share.
    gone = {each.hit_id for each in known if _whole(each) and shares.get(each.jackpot_id, 0) < RATE_UNIT}
    for jackpot in known:
        owed = _whole(jackpot) and jackpot.hit_id in gone
        if not (owed or jackpot.jackpot_id in contested) or book.state.undecided(jackpot.jackpot_id, asked=True):
            continue
        text = (
            f"expected round {correction.round_key} to win jackpot {jackpot.jackpot_id} still, after its"
            f" {correction.change.value} it does not, or another share, or by another wager: two people decide"
        )
        subject = JackpotDecision(jackpot.jackpot_id, JackpotAction.NONE, jackpot.amount_cents)
        book.ask(subject, correction, jackpot.wager_no, text, jackpot.link_id)


def _whole(jackpot: Jackpot) -> bool:
    """Whether it has a share of the whole of a meter, and is not voided."""
    standing = bool(jackpot.hit_id) and jackpot.state is not JackpotState.VOIDED
    return standing and jackpot.level != MYSTERY and jackpot.percent >= RATE_UNIT


def _contested(correction: Correction, jackpot: Jackpot, share: int | None) -> bool:
    if jackpot.state is JackpotState.VOIDED:
        return jackpot.level != MYSTERY and share is not None
    if jackpot.level != MYSTERY and share != jackpot.percent:
        return True
    wagers = correction.play.wagers if correction.play else ()
    placed = next((each for each in wagers if each.wager_no == jackpot.wager_no), None)
    if placed is None:
        return True
    # Jackpots of before stakes were kept have none.
    stake = jackpot.stake_cents or placed.stake_cents
    won_by = jackpot.seat, jackpot.code, jackpot.paytable, stake
    return won_by != (placed.seat, placed.code, placed.paytable, placed.stake_cents)
