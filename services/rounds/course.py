"""The course of a round: what its next piece makes of it.

A round opens, betting closes, results follow; a shooter's hand has many, with stakes added and taken down between
them. A wager works until a result settles it, and is carried by every entry until then.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from services.games.admission import admit
from services.games.catalogue import catalogue
from services.games.results import GAMES, read_history
from services.games.settlement import STATED, settle_round
from services.games.stated import stated_payouts
from services.games.terms import Terms
from services.kernel import errors
from services.kernel.ids import RoundKey
from services.rounds import instants, wire
from services.rounds.book import OpenRound
from services.rounds.folding import is_later, sent_by
from services.rounds.wire import FloorEvent

HeldWagers = list[tuple[floor.Wager | floor.AddedStake, errors.Refusal]]

NEXT = {
    wire.BETTING_CLOSED: (wire.ROUND_OPENED,),
    wire.RESULT: (wire.BETTING_CLOSED, wire.RESULT, wire.STAKES_ADDED),
    wire.STAKES_ADDED: (wire.BETTING_CLOSED, wire.RESULT, wire.STAKES_ADDED),
}


class Place(NamedTuple):
    """Where and under which terms a round is played; `previous` is the wheel's last spin."""

    shift: int
    pit: str
    submission_id: str
    terms: Terms
    previous: floor.Result | None


class Step(NamedTuple):
    """What an event makes of its round: the entry's message, what is held of it, and the round as it goes on (None
    once it is over).
    """

    message: entries.Round
    held: HeldWagers
    stakes: list[floor.AddedStake]
    goes_on: entries.Round | None


def step(event: FloorEvent, key: RoundKey, before: OpenRound | None, place: Place) -> Step:
    """The next step of a round. OutOfState, ResultMissing, and what reading a result refuses."""
    body, message = event.body, _base(event, key, before)
    held: HeldWagers = []
    if isinstance(body, (floor.RoundOpened, floor.WholeRound)):
        _open(message, body, key, place)
    message.key.roll = event.roll
    if isinstance(body, floor.StakesAdded):
        return _add_stakes(message, body, key, before, place.terms)
    history = None
    if isinstance(body, (floor.ResultDealt, floor.WholeRound)):
        history = add_results(message, body, key, place)
    if isinstance(body, (floor.BettingClosed, floor.WholeRound)):
        held = _close_betting(message, body, place.terms, key.gaming_day)
    if history is not None:
        _check_stated(message, body, before)
        check_settles(message, history, key, place.terms)
    if event.kind == wire.WHOLE_ROUND:
        return Step(message, held, [], None)
    return Step(message, held, [], carried_on(event.kind, message, place.terms))


def _base(event: FloorEvent, key: RoundKey, before: OpenRound | None) -> entries.Round:
    """What the pieces before have recorded. OutOfState if this is not the next one."""
    message = entries.Round()
    if event.kind not in NEXT:
        return message
    if before is None or before.stage not in NEXT[event.kind]:
        first = " or ".join(wire.ROUND_KINDS[kind] for kind in NEXT[event.kind])
        raise errors.OutOfState(f"Expected {first} of round {key} before {wire.ROUND_KINDS[event.kind]}.")
    message.CopyFrom(before.message)
    return message


def opened_round(body: floor.RoundOpened | floor.WholeRound, key: RoundKey, place: Place) -> entries.Round:
    """A round as its opening tells it."""
    message = entries.Round()
    _open(message, body, key, place)
    return message


def _open(message: entries.Round, body: floor.RoundOpened | floor.WholeRound, key: RoundKey, place: Place) -> None:
    wire.put_key(message.key, key)
    message.shift, message.pit, message.submission_id = place.shift, place.pit, place.submission_id
    message.dealer = body.dealer
    message.opened_at.CopyFrom(body.opened_at)


def add_results(message: entries.Round, body: floor.ResultDealt | floor.WholeRound, key: RoundKey, place: Place) -> Any:
    """Adds results that can follow those recorded, and gives the history that they make.

    ResultMissing, OutOfState, and the game's own refusals.
    """
    terms = place.terms
    results = [*body.earlier_results, body.result] if isinstance(body, floor.WholeRound) else [body.result]
    for result in results:
        game = result.WhichOneof("game")
        if game != terms.game:
            raise errors.ResultMissing(f"Expected a result of {terms.game} for round {key}, got {game or 'none'}.")
    if GAMES[terms.game].wheels and place.previous is not None:
        message.previous.CopyFrom(place.previous)
    message.history.extend(results)
    history = history_of(message, terms)
    GAMES[terms.game].check(history, terms)
    if isinstance(body, floor.ResultDealt):
        _check_roll(body.roll, len(message.history) if GAMES[terms.game].several_results else 0, key)
    elif len(results) > 1 and GAMES[terms.game].over(_history(results[:-1], message, terms)):
        raise errors.OutOfState(f"Expected round {key} to end with its last result, it was over before.")
    return history


def _check_roll(given: int, expected: int, key: RoundKey) -> None:
    """A game of one result counts no rolls; a shooter's hand counts them from 1."""
    if given != expected:
        raise errors.OutOfState(f"Expected roll {expected} of round {key} next, got roll {given}.")


def _check_stated(message: entries.Round, body: wire.TableBody | wire.RoundBody, before: OpenRound | None) -> None:
    """Holds stated payouts against all wagers of the round, held ones too. StatedPayoutImpossible."""
    given = [(each.wager_no, each.payout_cents) for each in wire.stated_in(message.history)]
    if given:
        numbers = before.numbers if before else set(sent_by(body).wagers)
        stated_payouts(given, {wager.wager_no: wager.code for wager in message.wagers}, numbers)


def check_settles(message: entries.Round, history: Any, key: RoundKey, terms: Terms) -> None:
    """The one result of a game with later stakes settles every wager but those whose payout the floor owes.

    What a player decides is in it, and whom it was dealt to: ResultMissing where a wager's seat has no hand, or where
    the dealer's hand ends before the wager does.
    """
    game = GAMES[terms.game]
    if not game.later_stakes or game.several_results:
        return
    settled = settle_round(history, wire.placed_wagers(message.wagers), terms, wire.stated(message.history))
    for wager, each in zip(message.wagers, settled, strict=True):
        if each.outcome == "pending" and catalogue()[wager.code].settles != STATED:
            raise errors.ResultMissing(
                f"Expected a result that settles wager {wager.wager_no} of round {key}, {wager.code};"
                " got one that ends before."
            )


def history_of(message: entries.Round, terms: Terms) -> Any:
    """The history that the engine reads, from all that the round's message carries."""
    return _history(message.history, message, terms)


def _history(results: Sequence[floor.Result], message: entries.Round, terms: Terms) -> Any:
    previous = getattr(message.previous, terms.game) if message.HasField("previous") else None
    return read_history(terms.game, [getattr(each, terms.game) for each in results], terms.decks, previous)


def locks(
    message: entries.Round, body: floor.BettingClosed | floor.WholeRound
) -> tuple[datetime | None, datetime | None]:
    """Puts the lock times into the message, and gives them: no more bets, first card."""
    no_more_bets_at = first_card_at = None
    if body.HasField("no_more_bets_at"):
        message.no_more_bets_at.CopyFrom(body.no_more_bets_at)
        no_more_bets_at = instants.instant(body.no_more_bets_at, "no_more_bets_at")
    if body.HasField("first_card_at"):
        message.first_card_at.CopyFrom(body.first_card_at)
        first_card_at = instants.instant(body.first_card_at, "first_card_at")
    return no_more_bets_at, first_card_at


def _close_betting(
    message: entries.Round, body: floor.BettingClosed | floor.WholeRound, terms: Terms, day: date
) -> HeldWagers:
    """Puts the lock times and the accepted wagers into the message; returns the held ones."""
    placed = wire.placed_wagers(body.wagers)
    no_more_bets_at, first_card_at = locks(message, body)
    later = any(wager.roll for wager in placed)
    history = history_of(message, terms) if later and message.history else None
    _, held = admit(placed, terms, day, no_more_bets_at, first_card_at, history)
    if not held:
        message.wagers.extend(body.wagers)
        return []
    refusals = {wager.wager_no: refusal for wager, refusal in held}
    message.wagers.extend(wager for wager in body.wagers if wager.wager_no not in refusals)
    return [(wager, refusals[wager.wager_no]) for wager in body.wagers if wager.wager_no in refusals]


def _add_stakes(
    message: entries.Round, body: floor.StakesAdded, key: RoundKey, before: OpenRound | None, terms: Terms
) -> Step:
    """Adds wagers that work from the next result on, and takes wagers down."""
    assert before is not None
    game = GAMES[terms.game]
    if not game.later_stakes:
        raise errors.OutOfState(f"The game of {key.table_id} takes no stake after betting closed.")
    added = [stake for stake in body.stakes if stake.kind != floor.STAKE_KIND_TAKEN_DOWN]
    _check_added(added, before, len(message.history), key)
    taken = [stake for stake in body.stakes if stake.kind == floor.STAKE_KIND_TAKEN_DOWN]
    if taken and not game.several_results:
        raise errors.OutOfState(f"In the game of {key.table_id} no wager is taken down, got {taken[0].belongs_to}.")
    _take_down(message, taken, key)
    placed = wire.placed_wagers([*message.wagers, *(stake.wager for stake in added)])
    history = history_of(message, terms) if message.history else None
    _, held = admit(placed, terms, key.gaming_day, None, None, history)
    new = {stake.wager.wager_no for stake in added}
    refusals = {wager.wager_no: refusal for wager, refusal in held if wager.wager_no in new}
    if not game.several_results:
        refusals = {**_late(added, key), **refusals}
    message.wagers.extend(stake.wager for stake in added if stake.wager.wager_no not in refusals)
    accepted = [stake for stake in body.stakes if stake.wager.wager_no not in refusals]
    refused: HeldWagers = [
        (stake, refusals[stake.wager.wager_no]) for stake in added if stake.wager.wager_no in refusals
    ]
    return Step(message, refused, accepted, message)


def _late(added: Sequence[floor.AddedStake], key: RoundKey) -> dict[int, errors.Refusal]:
    """Of stakes added before the one result: those that are no later stakes of the game."""
    return {
        stake.wager.wager_no: errors.WagerLate(
            f"Expected a later stake of the game in round {key}, got {stake.wager.code} after betting closed."
        )
        for stake in added
        if not is_later(stake.wager.code)
    }


def _check_added(added: Sequence[floor.AddedStake], before: OpenRound, rolls: int, key: RoundKey) -> None:
    for stake in added:
        if stake.kind == floor.STAKE_KIND_UNSPECIFIED:
            raise errors.KeyImpossible(f"Expected the kind of each stake added to round {key}, got none.")
        if stake.wager.roll != rolls:
            raise errors.OutOfState(
                f"Expected stakes placed after roll {rolls} of round {key}, got one after roll {stake.wager.roll}."
            )
        if stake.wager.wager_no <= before.highest:
            raise errors.WagerNoRepeated(
                f"Expected wager numbers above {before.highest} for stakes added to round {key},"
                f" got {stake.wager.wager_no}."
            )


def _take_down(message: entries.Round, taken: Sequence[floor.AddedStake], key: RoundKey) -> None:
    working = {wager.wager_no for wager in message.wagers} - set(message.taken_down)
    for stake in taken:
        if stake.belongs_to not in working:
            raise errors.OutOfState(f"Expected a wager that works in round {key}, got {stake.belongs_to}.")
        message.taken_down.append(stake.belongs_to)


def carried_on(kind: int, message: entries.Round, terms: Terms) -> entries.Round | None:
    """The round as it goes on after an entry: without what a result has settled; None once it is over."""
    if kind != wire.RESULT:
        return message
    history = history_of(message, terms)
    if GAMES[terms.game].over(history):
        return None
    taken = set(message.taken_down)
    working = [wager for wager in message.wagers if wager.wager_no not in taken]
    settled = settle_round(history, wire.placed_wagers(working), terms)
    pending = {each.wager_no for each in settled if each.outcome == "pending"}
    rest = entries.Round()
    rest.CopyFrom(message)
    del rest.wagers[:], rest.taken_down[:]
    rest.wagers.extend(wager for wager in working if wager.wager_no in pending)
    return rest
