"""The fold over the rounds feed: every meter and every jackpot as a function of what was recorded before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from services.games.results import read_history
from services.games.settlement import Settled, settle_round
from services.games.terms import MYSTERY_PAID_FROM, Terms
from services.games.wagers import PlacedWager
from services.kernel import errors
from services.kernel.ids import RoundKey, decision_id, hit_id, jackpot_id
from services.kernel.money import LARGEST_METER_CENTS, MICROS_PER_CENT, RATE_UNIT
from services.progressives import hits, meter
from services.progressives.decision import (
    ChangeReason,
    Decision,
    DecisionState,
    JackpotAction,
    JackpotDecision,
    Subject,
)
from services.progressives.hits import Winner
from services.progressives.jackpot import OPEN, Jackpot, JackpotState, PaidThrough
from services.progressives.journal import Commitment, Contribution, Movement, Trouble, Written
from services.progressives.link import MYSTERY, Link, MeterTerms
from services.progressives.meter import Cause, Step
from services.progressives.mystery import Random, Trigger, draw
from services.progressives.play import Correction, Play
from services.progressives.state import Filed, MeterName, Standing, State


class Origin(NamedTuple):
    """What moves a meter: a position of the rounds feed, its gaming day, and the round, hit or decision if any."""

    position: int
    gaming_day: date
    key: RoundKey | None = None
    wager_no: int = 0
    hit_id: str = ""
    decision_id: str = ""


@dataclass
class Recorded:
    """What has been written of one round: contributions with their positions, what was taken back or added later,
    the latest state of each of its jackpots, and under its id each decision as it was asked for. `unlinked` are the
    numbers of the wagers that found no live link.
    """

    contributions: list[tuple[int, Contribution]] = field(default_factory=list)
    movements: list[Movement] = field(default_factory=list)
    jackpots: dict[str, Jackpot] = field(default_factory=dict)
    asked: dict[str, Decision] = field(default_factory=dict)
    unlinked: set[int] = field(default_factory=set)


NO_LINK = errors.NoLiveLink().reason
LARGEST = LARGEST_METER_CENTS * MICROS_PER_CENT


class Book:
    """A copy of the state under change, and what is to be written, in order.

    `position` is the head of the progressives feed: the n-th thing written gets position + n. `recorded` is what the
    database has of the rounds that are corrected.
    """

    def __init__(
        self,
        property_id: str,
        state: State,
        position: int,
        filed: Filed,
        random: Random,
        recorded: Mapping[RoundKey, Recorded] | None = None,
    ) -> None:
        self.property_id, self.state, self.position, self.filed = property_id, state.copy(), position, filed
        self.written: list[Written] = []
        self.moved: set[MeterName] = set()
        self.pinned: set[RoundKey] = set()
        # Hidden triggers, in the order of their commitments.
        self.drawn: list[Trigger] = []
        self._random, self._recorded = random, recorded or {}

    @property
    def head(self) -> int:
        """The position of what was written last."""
        return self.position + len(self.written)

    def recorded(self, key: RoundKey) -> Recorded:
        """What has been written of a round without roll, up to now."""
        known = self._recorded.get(key, Recorded())
        found = Recorded(
            *(list(known.contributions), list(known.movements), dict(known.jackpots), dict(known.asked)),
            set(known.unlinked),
        )
        for position, each in enumerate(self.written, self.position + 1):
            if isinstance(each, Contribution) and each.key._replace(roll=0) == key:
                found.contributions.append((position, each))
            elif isinstance(each, Movement) and each.key and each.key._replace(roll=0) == key:
                found.movements.append(each)
            elif isinstance(each, Jackpot) and each.key._replace(roll=0) == key:
                found.jackpots[each.jackpot_id] = each
            elif isinstance(each, Decision) and each.key and each.key._replace(roll=0) == key:
                found.asked.setdefault(each.decision_id, each)
            elif isinstance(each, Trouble) and each.key._replace(roll=0) == key:
                found.unlinked |= {each.wager_no} if each.reason == NO_LINK else set()
        return found

    def terms(self, submission_id: str, table_id: str) -> Terms:
        """The terms of a table under a submission. NoSubmission where it does not name the table."""
        terms = self.filed[submission_id].tables.get(table_id)
        if terms is None:
            raise errors.NoSubmission(f"expected submission {submission_id} to name table {table_id}, it does not")
        return terms

    def move(
        self, link: Link, level: str, steps: Sequence[Step], origin: Origin, winners: Sequence[Winner] = ()
    ) -> None:
        """Writes movements down; each award names the next of the winners."""
        name, paid = (link.link_id, level), iter(winners)
        for step in steps:
            wager_no, jackpot = origin.wager_no, ""
            if step.cause is Cause.AWARD and winners and origin.key:
                winner = next(paid)
                wager_no = winner.wager_no
                jackpot = jackpot_id(origin.key, wager_no, level, winner.ordinal)
            self.written.append(_movement(link, level, step, origin, wager_no, jackpot))
            self.state.meters[name] = self.state.meters[name]._replace(meter=step.after, revision=self.head)
        if steps:
            self.moved.add(name)

    def move_back(self, link: Link, jackpot: Jackpot, steps: Sequence[Step], origin: Origin) -> None:
        """Writes down the movements that change a jackpot's award later; each of them names it."""
        for step in steps:
            self.move(link, jackpot.level, [step], origin)
            last = self.written[-1]
            assert isinstance(last, Movement)
            self.written[-1] = last._replace(jackpot_id=jackpot.jackpot_id)

    def stand(self, name: MeterName, **changes: Any) -> None:
        """Changes what is counted of a meter."""
        self.state.meters[name] = self.state.meters[name]._replace(**changes)
        self.moved.add(name)

    def contribute(self, play: Play, placed: PlacedWager, link: Link) -> None:
        """One wager's contribution to every level of its link; the one that meets a hidden trigger wins it."""
        wager_no, seat, code, paytable, stake = placed[:5]
        amounts, readings, kept, reserves, overs = [], [], [], [], []
        position = self.head + 1
        for level, _, increment_rate, reserve_rate, limit, _ in link.meters:
            name = link.link_id, level
            before, _, pending, count, wagers, handle, device, attendant, last = self.state.meters[name]
            # Cents times hundredths of a percent are whole micro-dollars (ruling M4).
            amount, reserve_amount = stake * increment_rate, stake * reserve_rate
            top = limit * MICROS_PER_CENT if limit else LARGEST
            over = meter.over(before, amount, top) if before.reading + amount > top else 0
            after = meter.contribute(before, amount, reserve_amount, over)
            self.state.meters[name] = Standing(
                after, position, pending, count, wagers + 1, handle + stake, device, attendant, last
            )
            self.moved.add(name)
            amounts.append(amount)
            readings.append(after.reading)
            kept.append(reserve_amount)
            reserves.append(after.reserve)
            overs.append(over)
        moved = amounts, readings, kept, reserves
        placing = play.key, play.shift, wager_no, seat, code, paytable, play.submission_id, stake
        overflows = overs if any(overs) else []
        self.written.append(Contribution(*placing, link.link_id, link.version, *moved, play.position, overflows))
        for terms in link.meters:
            if terms.mystery:
                self._try_trigger(play, placed, link, terms)

    def _try_trigger(self, play: Play, placed: PlacedWager, link: Link, terms: MeterTerms) -> None:
        """A contribution that lifts the meter in excess of its trigger wins the whole of it (ruling J6)."""
        name = link.link_id, terms.level
        trigger = self.state.triggers[name]
        if self.state.meters[name].meter.reading <= trigger.cents * MICROS_PER_CENT:
            return
        offered = self.terms(play.submission_id, play.key.table_id)
        paid_from = offered.option(placed.code, MYSTERY_PAID_FROM) or "slip"
        winner = Winner(*placed[:4], RATE_UNIT, paid_from, stake_cents=placed.stake_cents)
        self.hit(play, link, terms.level, [winner])
        won = jackpot_id(play.key, placed.wager_no, terms.level)
        self.open_trigger(link, terms, won, Origin(play.position, play.key.gaming_day))

    def open_trigger(self, link: Link, terms: MeterTerms, jackpot: str, origin: Origin) -> None:
        """Opens the trigger that was met, and commits to the next; only opens it where the link is over."""
        name = link.link_id, terms.level
        met = self.state.triggers.pop(name)
        told = met.number, True, met.commitment, met.cents, met.salt, jackpot
        self.written.append(
            Commitment(link.link_id, link.version, terms.level, *told, origin.gaming_day, origin.position)
        )
        if jackpot:
            self.draw_trigger(link, terms, met.number + 1, origin)

    def draw_trigger(self, link: Link, terms: MeterTerms, number: int, origin: Origin) -> None:
        """Draws a hidden trigger and commits to it."""
        name = link.link_id, terms.level
        drawn = draw(self.property_id, *name, number, terms.seed_cents, terms.limit_cents, self._random)
        self.state.triggers[name] = drawn
        self.drawn.append(drawn)
        told = number, False, drawn.commitment, 0, b"", ""
        self.written.append(
            Commitment(link.link_id, link.version, terms.level, *told, origin.gaming_day, origin.position)
        )

    def settled(self, play: Play) -> list[Settled]:
        """What the engine says of the wagers that the result settles."""
        terms = self.terms(play.submission_id, play.key.table_id)
        results = [message for game, message in play.results if game == terms.game]
        before = play.previous[1] if play.previous and play.previous[0] == terms.game else None
        history = read_history(terms.game, results, terms.decks, previous=before)
        return settle_round(history, play.working, terms)

    def hit(self, play: Play, link: Link, level: str, winners: list[Winner]) -> None:
        """Freezes the amounts on the reading as it stands, pays them from the meter and resets it."""
        name = (link.link_id, level)
        before = self.state.meters[name].meter
        hit = hits.hit(before.reading, winners)
        by = winners[0].wager_no if level == MYSTERY else 0
        origin = Origin(play.position, play.key.gaming_day, play.key, 0, hit_id(*name, play.position, by))
        self.move(link, level, meter.award(before, hit.cents), origin, hit.winners)
        if hit.whole:
            terms = next(each for each in link.meters if each.level == level)
            after = self.state.meters[name].meter
            self.move(link, level, meter.reset(after, terms.seed_micros, terms.top_micros), origin)
        standing = self.state.meters[name]
        self.stand(name, hits=standing.hits + 1, last_hit=self.head)
        for winner, cents in zip(hit.winners, hit.cents, strict=True):
            self._win(play, link, level, winner, cents, before.reading, origin.hit_id)

    def _win(self, play: Play, link: Link, level: str, winner: Winner, cents: int, reading: int, hit: str) -> None:
        jackpot = _jackpot(play, link, level, winner, cents, reading, hit)
        if most := self._posted_maximum(play, link, level, winner.code, cents):
            jackpot = jackpot._replace(state=JackpotState.HELD)
            self.put_jackpot(jackpot)
            text = f"expected an award of at most {most} cents, given {cents}: two people decide"
            asked = JackpotDecision(jackpot.jackpot_id, JackpotAction.NONE, cents)
            self.ask(asked, play, winner.wager_no, text, link.link_id)
        else:
            self.put_jackpot(jackpot)

    def _posted_maximum(self, play: Play, link: Link, level: str, code: str, cents: int) -> int:
        """The posted maximum that the award lies above: of the Rules Submission or of the link; 0 where none is."""
        offer = self.terms(play.submission_id, play.key.table_id).offers.get(code)
        limit = next(each.limit_cents for each in link.meters if each.level == level)
        posted = [most for most in (offer and offer.maximum_payout_cents, limit) if most]
        return min((most for most in posted if cents > most), default=0)

    def unpriced(self, play: Play, level: str, winners: list[Winner]) -> None:
        """Opens jackpots whose amount two people decide: no live link was there when betting closed."""
        for winner in winners:
            jackpot = _jackpot(play, None, level, winner, 0, 0, "")
            self.put_jackpot(jackpot)
            text = (
                f"expected a live link of {winner.code} at {play.key.table_id} when betting closed, there was none:"
                f" the amount of {jackpot.jackpot_id} is for two people to decide"
            )
            self.ask(JackpotDecision(jackpot.jackpot_id, JackpotAction.NONE, 0), play, winner.wager_no, text)

    def put_jackpot(self, jackpot: Jackpot) -> None:
        """Writes a jackpot's state down and counts it: pending, and paid by whom."""
        former = self.state.jackpots.get(jackpot.jackpot_id)
        self.written.append(jackpot)
        if jackpot.state in OPEN:
            self.state.jackpots[jackpot.jackpot_id] = jackpot
        elif former is not None:
            del self.state.jackpots[jackpot.jackpot_id]
        name = jackpot.link_id, jackpot.level
        standing = self.state.meters.get(name)
        if standing is None:
            return
        more = jackpot.pending - (former is not None and former.pending)
        if more:
            self.stand(name, pending=standing.pending + more)
        if jackpot.state is JackpotState.PAID:
            device = jackpot.paid_through is PaidThrough.DEVICE
            total = "paid_by_device_cents" if device else "paid_by_attendant_cents"
            self.stand(name, **{total: getattr(standing, total) + jackpot.amount_cents})

    def ask(self, subject: Subject, event: Play | Correction, wager_no: int, why: str, link_id: str = "") -> None:
        """Opens a decision that two people have to take; `link_id` of the jackpot that it is about, if it has one."""
        name = decision_id(self.property_id, type(subject).__name__, *subject, event.key, wager_no, event.position)
        reason = ChangeReason.JACKPOT if isinstance(subject, JackpotDecision) else ChangeReason.CORRECTED_ROUND
        made = Decision(
            *(name, DecisionState.OPEN, subject, reason, "", why, "", None, "", None),
            *(event.key, wager_no, event.key.gaming_day, event.position),
        )
        self.put_decision(made, link_id)

    def put_decision(self, decision: Decision, link_id: str = "") -> None:
        """Writes a decision's state down, a new one with the link of its jackpot; one that is over is forgotten."""
        self.written.append(decision)
        if decision.state in (DecisionState.REJECTED, DecisionState.DONE) or (
            decision.state is DecisionState.APPROVED and not decision.waits
        ):
            self.state.decisions.pop(decision.decision_id, None)
            self.state.about.pop(decision.decision_id, None)
        else:
            self.state.decisions[decision.decision_id] = decision
            if link_id:
                self.state.about[decision.decision_id] = link_id

    def trouble(self, refusal: errors.Refusal, event: Play | Correction, wager_no: int) -> None:
        """Writes an exception down."""
        self.written.append(Trouble(refusal.reason, refusal.message, event.key, wager_no, event.position))


def _jackpot(play: Play, link: Link | None, level: str, winner: Winner, cents: int, reading: int, hit: str) -> Jackpot:
    return Jackpot(
        jackpot_id=jackpot_id(play.key, winner.wager_no, level, winner.ordinal),
        hit_id=hit,
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
        stake_cents=winner.stake_cents,
        occurred_at=play.occurred_at,
        source=play.source,
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
        decision_id=origin.decision_id,
    )
