"""A settlement: what every wager of one round pays by the paytable it carries, and what supersedes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from services.games.results import GAMES, read_history
from services.games.settlement import NOTHING_STATED, Award, Settled, settle_round
from services.games.terms import Terms
from services.games.wagers import PlacedWager
from services.kernel.ids import RoundKey, jackpot_id

WIN, LOSE, PUSH, VOID, PENDING = range(1, 6)
"""Outcomes, numbered as on the wire."""
OUTCOMES = {"win": WIN, "lose": LOSE, "push": PUSH, "void": VOID, "pending": PENDING}
ODDS = "odds"
"""The kind of award that a payout tells well enough."""


class Play(NamedTuple):
    """A round as recorded: what settles it, and where in the rounds feed it stands.

    `results` are the recorded results so far, each with the name of its game, the newest last; `previous` is alike
    the last result before the round, where the game needs it. A key with a roll is settled roll by roll: the wagers
    are those that work on this one. `taken_down` are the numbers of wagers that went back to their owners before it.
    `stated` are payouts in cents by wager number, of wagers that the rules do not price (ruling K13). `corrects` says
    that an earlier settlement of the round may be superseded.
    """

    position: int
    key: RoundKey
    shift: int
    pit: str
    dealer: str
    submission_id: str
    results: Sequence[tuple[str, Any]]
    wagers: Sequence[PlacedWager]
    corrects: bool = False
    previous: tuple[str, Any] | None = None
    taken_down: frozenset[int] = frozenset()
    stated: Mapping[int, int] = NOTHING_STATED


class Voiding(NamedTuple):
    """A round that is void: every stake goes back."""

    position: int
    key: RoundKey


class WagerAward(NamedTuple):
    """An award of a kind other than odds, with the wager it belongs to.

    Money in cents, share in hundredths of a percent. `jackpot_id` is empty but for a share of a meter.
    """

    wager_no: int
    kind: str
    paid_from: str
    cents: int
    level: str
    percent: int
    jackpot_id: str


@dataclass(slots=True)
class Settlement:
    """One settlement of a round. Its wagers are parallel sequences of equal length; money in cents, breakage in
    micro-dollars. `revision` 0 is the first one; each later one supersedes the one before. `void`: the round was made
    void.
    """

    key: RoundKey
    shift: int
    pit: str
    dealer: str
    submission_id: str
    game: str
    decks: int
    rounds_position: int
    revision: int
    wager_no: Sequence[int] = ()
    seat: Sequence[int] = ()
    code: Sequence[str] = ()
    paytable: Sequence[str] = ()
    stake_cents: Sequence[int] = ()
    outcome: Sequence[int] = ()
    line: Sequence[str] = ()
    payout_cents: Sequence[int] = ()
    inventory_cents: Sequence[int] = ()
    breakage_micros: Sequence[int] = ()
    awards: Sequence[WagerAward] = ()
    wheel: str = ""
    void: bool = False


class Unsettled(NamedTuple):
    """A round that a named refusal keeps from settling; its day stays open."""

    key: RoundKey
    rounds_position: int
    reason: str
    message: str


def settle(play: Play, terms: Terms, revision: int) -> Settlement:
    """The settlement of a recorded round, or of one roll of it, by its table's terms.

    Raises what `read_history`, the game's `check` and `settle_round` refuse.
    """
    wagers, settled = _decided(play, terms)
    found = Settlement(
        play.key,
        play.shift,
        play.pit,
        play.dealer,
        play.submission_id,
        terms.game,
        terms.decks,
        play.position,
        revision,
        wheel=terms.wheel,
    )
    if wagers:
        # Turned into columns at once: a statement for every wager and column costs more than the rules of play.
        found.wager_no, found.seat, found.code, found.paytable, found.stake_cents, *_ = zip(*wagers, strict=True)
        _price(found, settled)
    return found


def _decided(play: Play, terms: Terms) -> tuple[Sequence[PlacedWager], Sequence[Settled]]:
    """The wagers that this result decides, each with its settlement: of a roll without those that stay up.

    One that is pending although the round is over is told as such: no later roll would tell of it.
    """
    history = _history(play, terms)
    if not play.key.roll and not play.taken_down:
        return play.wagers, settle_round(history, play.wagers, terms, play.stated)
    working = [wager for wager in play.wagers if wager.wager_no not in play.taken_down]
    settled = {each.wager_no: each for each in settle_round(history, working, terms, play.stated)}
    settled.update({wager.wager_no: _returned(wager) for wager in play.wagers if wager.wager_no in play.taken_down})
    if play.key.roll and not GAMES[terms.game].over(history):
        settled = {number: each for number, each in settled.items() if each.outcome != "pending"}
    wagers = [wager for wager in play.wagers if wager.wager_no in settled]
    return wagers, [settled[wager.wager_no] for wager in wagers]


def _history(play: Play, terms: Terms) -> Any:
    game, previous = terms.game, play.previous
    results = [result for name, result in play.results if name == game]
    before = previous[1] if previous and previous[0] == game else None
    history = read_history(game, results, terms.decks, previous=before)
    GAMES[game].check(history, terms)
    return history


def _returned(wager: PlacedWager) -> Settled:
    return Settled(wager.wager_no, "void", "", wager.stake_cents, 0, ())


def _price(found: Settlement, settled: Sequence[Settled]) -> None:
    numbers, outcomes, found.line, payouts, found.breakage_micros, awards = zip(*settled, strict=True)
    found.outcome = tuple([OUTCOMES[outcome] for outcome in outcomes])
    found.payout_cents = found.inventory_cents = payouts
    told = [(number, award) for number, own in zip(numbers, awards, strict=True) for award in own if award.kind != ODDS]
    if told:
        found.awards = tuple([_award(found.key, number, award) for number, award in told])
        found.inventory_cents = tuple([each.payout_cents - _by_slip(each) for each in settled])


def _by_slip(each: Settled) -> int:
    return sum(award.cents for award in each.awards if award.paid_from == "slip")


def _award(key: RoundKey, wager_no: int, award: Award) -> WagerAward:
    jackpot = jackpot_id(key, wager_no, award.level) if award.kind == "meter" else ""
    return WagerAward(wager_no, award.kind, award.paid_from, award.cents, award.level, award.percent, jackpot)


def voided(before: Settlement, rounds_position: int) -> Settlement:
    """What supersedes the settlement of a round that is void: every stake returned from the inventory."""
    count = len(before.wager_no)
    return replace(
        before,
        rounds_position=rounds_position,
        revision=before.revision + 1,
        outcome=(VOID,) * count,
        line=("",) * count,
        payout_cents=before.stake_cents,
        inventory_cents=before.stake_cents,
        breakage_micros=(0,) * count,
        awards=(),
        void=True,
    )
