"""The fold over the rounds feed: every meter and every jackpot as a function of what was recorded before."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from services.games.results import read_history
from services.games.settlement import Settled, settle_round
from services.games.terms import Terms
from services.games.wagers import PlacedWager
from services.kernel import errors
from services.kernel.ids import RoundKey, hit_id, jackpot_id
from services.progressives import hits, meter
from services.progressives.hits import Winner
from services.progressives.jackpot import Jackpot, JackpotState
from services.progressives.journal import Contribution, Movement, Trouble, Written
from services.progressives.link import Link, LinkState, go_live, goes_live
from services.progressives.meter import Cause, Meter, Step
from services.progressives.play import Correction, DayOpened, Event, Part, Play

MeterName = tuple[str, str]
"""Link and level."""
Pins = dict[tuple[str, str], str]
"""Under wager code and paytable the link that betting closed pinned the round to; empty where none was live."""
Submissions = Mapping[str, Mapping[str, Terms]]
"""The terms of each table under each submission."""


class Standing(NamedTuple):
    """A meter, the position of the progressives feed that last moved it, and how many jackpots are pending."""

    meter: Meter
    revision: int
    pending: int


@dataclass
class State:
    """All that stands at one property. Pins lie under the round's key without roll."""

    links: dict[str, Link] = field(default_factory=dict)
    meters: dict[MeterName, Standing] = field(default_factory=dict)
    pins: dict[RoundKey, Pins] = field(default_factory=dict)

    def copy(self) -> "State":
        """A state to change while this one stands; what lies inside is replaced, never changed."""
        return State(dict(self.links), dict(self.meters), dict(self.pins))

    def live(self) -> dict[tuple[str, str, str], Link]:
        """Every live link under table, wager code and paytable."""
        return {
            (table_id, link.code, link.paytable): link
            for link in self.links.values()
            if link.state is LinkState.LIVE
            for table_id in link.table_ids
        }


class Origin(NamedTuple):
    """What moves a meter: a position of the rounds feed, its gaming day, the round and the hit if any."""

    position: int
    gaming_day: date
    key: RoundKey | None = None
    hit_id: str = ""


class Book:
    """Applies events to a copy of the state and keeps what is to be written, in order.

    `position` is the head of the progressives feed: the n-th thing written gets position + n.
    """

    def __init__(self, state: State, position: int, submissions: Submissions) -> None:
        self.state, self.position = state.copy(), position
        self.written: list[Written] = []
        self.moved: set[MeterName] = set()
        self.pinned: set[RoundKey] = set()
        self._submissions = submissions
        self._live = self.state.live()

    def apply(self, events: Iterable[Event]) -> None:
        """Applies events that are in the order of the rounds feed."""
        for event in events:
            if isinstance(event, Play):
                self._play(event)
            elif isinstance(event, DayOpened):
                self._open_day(event)
            else:
                self._leave_to_people(event)

    def _open_day(self, day: DayOpened) -> None:
        for link in sorted(self.state.links.values(), key=lambda link: link.link_id):
            if goes_live(link, day.gaming_day):
                self._bring_to_life(go_live(link, day.position), Origin(day.position, day.gaming_day))
        self._live = self.state.live()

    def _bring_to_life(self, link: Link, origin: Origin) -> None:
        self.state.links[link.link_id] = link
        self.written.append(link)
        for terms in link.meters:
            self.state.meters[link.link_id, terms.level] = Standing(Meter(), 0, 0)
            self._move(link, terms.level, meter.seed(Meter(), terms.seed_micros), origin)

    def _play(self, play: Play) -> None:
        name = play.key._replace(roll=0) if play.key.roll else play.key
        pins = self.state.pins.get(name)
        if pins is None and play.part is not Part.RESULT:
            pins = self._contributions(play)
        if play.part is Part.BETTING_CLOSED or not self._result(play, pins or {}):
            self._pin(name, pins)
        else:
            self._pin(name, None)

    def _pin(self, name: RoundKey, pins: Pins | None) -> None:
        """Keeps the pins of a round that is open, forgets those of one that is done."""
        if self.state.pins.get(name) == pins:
            return
        self.pinned.add(name)
        if pins is None:
            del self.state.pins[name]
        else:
            self.state.pins[name] = pins

    def _contributions(self, play: Play) -> Pins:
        pins: Pins = {}
        for placed in play.wagers:
            name = placed.code, placed.paytable
            link = self._live.get((play.key.table_id, *name))
            if link is not None:
                pins[name] = link.link_id
                self._contribute(play, placed, link)
            elif name not in pins:
                pins[name] = ""
                self._trouble(_no_link(play, placed), play, placed.wager_no)
        return pins

    def _contribute(self, play: Play, placed: PlacedWager, link: Link) -> None:
        wager_no, seat, code, paytable, stake = placed[:5]
        meters, position = self.state.meters, self.position + len(self.written) + 1
        amounts, readings, kept, reserves = [], [], [], []
        for level, _, increment_rate, reserve_rate, _ in link.meters:
            name = link.link_id, level
            before, _, pending = meters[name]
            # Cents times hundredths of a percent are whole micro-dollars (ruling M4).
            amount, reserve_amount = stake * increment_rate, stake * reserve_rate
            after = meter.contribute(before, amount, reserve_amount)
            meters[name] = Standing(after, position, pending)
            self.moved.add(name)
            amounts.append(amount)
            readings.append(after.reading)
            kept.append(reserve_amount)
            reserves.append(after.reserve)
        moved = amounts, readings, kept, reserves
        placing = play.key, play.shift, wager_no, seat, code, paytable, play.submission_id, stake
        self.written.append(Contribution(*placing, link.link_id, link.version, *moved, play.position))

    def _result(self, play: Play, pins: Pins) -> bool:
        """Prices the meter awards of a result; True once every wager of the round is settled."""
        try:
            settled = self._settled(play)
        except errors.Refusal as refusal:
            self._trouble(refusal, play, 0)
            return False
        if any(each.awards for each in settled):
            self._awards(play, pins, settled)
        return not any(each.outcome == "pending" for each in settled)

    def _awards(self, play: Play, pins: Pins, settled: list[Settled]) -> None:
        for (link_id, level), winners in _winners(play, pins, settled).items():
            if link_id:
                self._hit(play, self.state.links[link_id], level, winners)
            else:
                self._unpriced(play, level, winners)

    def _settled(self, play: Play) -> list[Settled]:
        terms = self._submissions[play.submission_id].get(play.key.table_id)
        if terms is None:
            raise errors.NoSubmission(
                f"expected submission {play.submission_id} to name table {play.key.table_id}, it does not"
            )
        results = [message for game, message in play.results if game == terms.game]
        before = play.previous[1] if play.previous and play.previous[0] == terms.game else None
        history = read_history(terms.game, results, terms.decks, previous=before)
        return settle_round(history, play.working, terms)

    def _hit(self, play: Play, link: Link, level: str, winners: list[Winner]) -> None:
        """Freezes the amounts on the reading as it stands, pays them from the meter and resets it."""
        name = (link.link_id, level)
        before = self.state.meters[name].meter
        hit = hits.hit(before.reading, winners)
        origin = Origin(play.position, play.key.gaming_day, play.key, hit_id(*name, play.position))
        self._move(link, level, meter.award(before, hit.cents), origin, hit.winners)
        if hit.whole:
            seed = next(terms.seed_micros for terms in link.meters if terms.level == level)
            self._move(link, level, meter.reset(self.state.meters[name].meter, seed), origin)
        for winner, cents in zip(hit.winners, hit.cents, strict=True):
            self.written.append(_jackpot(play, link, level, winner, cents, before.reading))
        standing = self.state.meters[name]
        self.state.meters[name] = standing._replace(pending=standing.pending + len(hit.winners))

    def _unpriced(self, play: Play, level: str, winners: list[Winner]) -> None:
        for winner in winners:
            jackpot = _jackpot(play, None, level, winner, 0, 0)
            self.written.append(jackpot)
            refusal = errors.JackpotUnpriced(
                f"expected a live link of {winner.code} at {play.key.table_id} when betting closed,"
                f" there was none: the amount of {jackpot.jackpot_id} is for two people to decide"
            )
            self._trouble(refusal, play, winner.wager_no)

    def _move(self, link: Link, level: str, steps: list[Step], origin: Origin, winners: Iterable[Winner] = ()) -> None:
        """Writes movements down; each award names the next of the winners."""
        name, paid = (link.link_id, level), iter(winners)
        for step in steps:
            wager_no, jackpot = 0, ""
            if step.cause is Cause.AWARD and origin.key:
                winner = next(paid)
                wager_no = winner.wager_no
                jackpot = jackpot_id(origin.key, wager_no, level, winner.ordinal)
            self.written.append(_movement(link, level, step, origin, wager_no, jackpot))
            revision = self.position + len(self.written)
            self.state.meters[name] = Standing(step.after, revision, self.state.meters[name].pending)
        if steps:
            self.moved.add(name)

    def _leave_to_people(self, correction: Correction) -> None:
        refusal = errors.CorrectionNotAccepted(
            "expected no correction of a recorded round, given one: what it moved on meters stands as it is"
        )
        self._trouble(refusal, correction, 0)

    def _trouble(self, refusal: errors.Refusal, event: Play | Correction, wager_no: int) -> None:
        self.written.append(Trouble(refusal.reason, refusal.message, event.key, wager_no, event.position))


def _no_link(play: Play, placed: PlacedWager) -> errors.Refusal:
    return errors.NoLiveLink(
        f"expected a live link of {placed.code}, paytable {placed.paytable}, at {play.key.table_id},"
        " there is none: its wagers of this round move no meter"
    )


def _winners(play: Play, pins: Pins, settled: list[Settled]) -> dict[MeterName, list[Winner]]:
    """The round's meter awards by link and level; no link where none was live."""
    found: dict[MeterName, list[Winner]] = {}
    for placed, each in zip(play.working, settled, strict=True):
        seen: dict[str, int] = {}
        for award in each.awards:
            if award.kind != "meter":
                continue
            ordinal = seen[award.level] = seen.get(award.level, -1) + 1
            link_id = pins.get((placed.code, placed.paytable), "")
            winner = Winner(*placed[:4], award.percent, award.paid_from, ordinal)
            found.setdefault((link_id, award.level), []).append(winner)
    return found


def _jackpot(play: Play, link: Link | None, level: str, winner: Winner, cents: int, reading: int) -> Jackpot:
    return Jackpot(
        jackpot_id=jackpot_id(play.key, winner.wager_no, level, winner.ordinal),
        hit_id=hit_id(link.link_id, level, play.position) if link else "",
        link_id=link.link_id if link else "",
        link_version=link.version if link else 0,
        level=level,
        key=play.key,
        shift=play.shift,
        wager_no=winner.wager_no,
        seat=winner.seat,
        code=winner.code,
        paytable=winner.paytable,
        amount_cents=cents,
        percent=winner.percent,
        reading=reading,
        state=JackpotState.HIT if link else JackpotState.UNPRICED,
        rounds_position=play.position,
        paid_from=winner.paid_from,
    )


def _movement(link: Link, level: str, step: Step, origin: Origin, wager_no: int, jackpot: str) -> Movement:
    return Movement(
        link_id=link.link_id,
        link_version=link.version,
        level=level,
        cause=step.cause,
        amount=step.amount,
        reading_before=step.before.reading,
        reading_after=step.after.reading,
        reserve_before=step.before.reserve,
        reserve_after=step.after.reserve,
        key=origin.key,
        wager_no=wager_no,
        hit_id=origin.hit_id,
        jackpot_id=jackpot,
        gaming_day=origin.gaming_day,
        rounds_position=origin.position,
    )
