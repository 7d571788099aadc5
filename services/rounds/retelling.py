"""A shooter's hand told again roll by roll: what each roll carries once results or wagers were corrected."""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from services.games.admission import admit
from services.games.results import GAMES
from services.games.terms import Terms
from services.kernel import errors
from services.kernel.ids import RoundKey
from services.rounds import course, wire
from services.rounds.course import HeldWagers, Place, carried_on, history_of
from services.rounds.standing import Standing


class Told(NamedTuple):
    """A round as one entry tells it again; roll 0 where it has one result."""

    roll: int
    message: entries.Round


def own_digest(message: entries.Round | entries.RoundCorrection) -> bytes:
    """SHA-256 of what rounds itself enters, which no source has sent."""
    return sha256(message.SerializeToString(deterministic=True)).digest()


def hand(key: RoundKey, standing: Standing, body: floor.WholeRound, place: Place) -> tuple[list[Told], HeldWagers]:
    """The rolls of a hand that an amendment up to one of them changes, and the wagers held now.

    Rolls and stakes recorded after that one stay. OutOfState where they cannot: the hand is over before.
    """
    roll = 1 + len(body.earlier_results)
    base = course.opened_round(body, key, place)
    course.add_results(base, body, key, place)
    newest = standing.results.get(standing.rolls)
    if newest is not None:
        base.history.extend(newest.history[roll:])
    history = history_of(base, place.terms)
    placed = [*body.wagers, *(each for each in standing.wagers().values() if each.roll >= roll)]
    placed.sort(key=lambda wager: wager.wager_no)
    if GAMES[place.terms.game].over(history) and any(wager.roll >= len(base.history) for wager in placed):
        raise errors.OutOfState(f"Expected stakes of round {key} before its last roll, {len(base.history)}.")
    _, held = admit(wire.placed_wagers(placed), place.terms, key.gaming_day, *course.locks(base, body), history)
    refusals = {wager.wager_no: refusal for wager, refusal in held}
    base.wagers.extend(wager for wager in placed if wager.wager_no not in refusals)
    told = list(_rolls(base, standing.taken_down(), place.terms))
    changed = [each for each in told if each.roll == roll or not _same(each.message, standing.results.get(each.roll))]
    return changed, [(wager, refusals[wager.wager_no]) for wager in placed if wager.wager_no in refusals]


def _rolls(base: entries.Round, taken: dict[int, int], terms: Terms) -> Iterable[Told]:
    """Each roll of a hand with the wagers that work on it; `base` has all results and all wagers."""
    working: list[floor.Wager] = []
    for roll in range(1, len(base.history) + 1):
        message = entries.Round()
        message.CopyFrom(base)
        del message.history[roll:], message.wagers[:]
        message.key.roll = roll
        working += [wager for wager in base.wagers if wager.roll == roll - 1]
        working.sort(key=lambda wager: wager.wager_no)
        message.wagers.extend(working)
        message.taken_down.extend(each.wager_no for each in working if taken.get(each.wager_no) == roll - 1)
        yield Told(roll, message)
        rest = carried_on(wire.RESULT, message, terms)
        working = list(rest.wagers) if rest is not None else []


def _same(message: entries.Round, recorded: entries.Round | None) -> bool:
    """Whether a roll is told as it is recorded, whoever told it and when."""
    if recorded is None:
        return False
    two = [entries.Round(), entries.Round()]
    for copy, given in zip(two, (message, recorded), strict=True):
        copy.CopyFrom(given)
        copy.ClearField("origin")
        copy.ClearField("occurred_at")
    return two[0] == two[1]
