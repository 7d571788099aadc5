"""What people decided of meters and jackpots: two of them each time, and carried out to the micro-dollar."""

from collections import deque
from dataclasses import dataclass, field

from casino.progressives.v1 import entries_pb2 as progressives
from clients.cli.audit.findings import Findings
from clients.cli.audit.fold import Fold, Meter, Moved, Trial
from services.kernel.money import MICROS_PER_CENT, RATE_UNIT

SUBJECTS = ("adjustment", "transfer", "retirement", "jackpot")
VOIDED = progressives.JACKPOT_STATE_VOIDED


@dataclass
class Decided:
    """Decisions in their latest state, and the movements that are due of each that was approved."""

    fold: Fold
    latest: dict[str, progressives.Decision] = field(default_factory=dict)
    due: dict[str, deque[Moved]] = field(default_factory=dict)

    def take(self, findings: Findings, told: progressives.Decision) -> None:
        """A state of a decision: approved as proposed, by another person."""
        former, what = self.latest.get(told.decision_id), f"decision {told.decision_id}"
        if told.state == progressives.DECISION_STATE_APPROVED:
            people = bool(told.proposed_by and told.decided_by) and told.proposed_by != told.decided_by
            findings.expect(people, True, f"{what}: two people")
            expected = (progressives.DECISION_STATE_PROPOSED, former and (former.proposal, _subject(former)))
            given = (former and former.state, (told.proposal, _subject(told)))
            findings.expect(given, expected, f"{what}: as proposed")
            if not told.HasField("retirement"):
                self.due[told.decision_id] = deque(self._moves(told))
        elif told.state == progressives.DECISION_STATE_DONE:
            before = former.state if former else progressives.DECISION_STATE_UNSPECIFIED
            findings.expect(before, progressives.DECISION_STATE_APPROVED, f"{what}: approved before it is done")
            link = self.fold.links.get(told.retirement.link_id)
            findings.expect(link and link.state, progressives.LINK_STATE_RETIRED, f"{what}: the link that it ends")
            self._end(findings, told)
        self.latest[told.decision_id] = told

    def approved(self, decision_id: str) -> progressives.Decision | None:
        """The decision, if it was approved."""
        told = self.latest.get(decision_id)
        over = (progressives.DECISION_STATE_APPROVED, progressives.DECISION_STATE_DONE)
        return told if told is not None and told.state in over else None

    def move(self, findings: Findings, moved: progressives.MeterMovement, what: str) -> None:
        """A movement that names a decision is the next one that the decision calls for."""
        told = self.approved(moved.decision_id)
        if told is None:
            findings.differs(f"{what}: expected an approved decision, given {moved.decision_id}")
            return
        if told.HasField("retirement") and moved.decision_id not in self.due:
            self.due[moved.decision_id] = deque(self._moves(told))
        due = self.due.get(moved.decision_id)
        given = Moved((moved.link_id, moved.level), moved.cause, moved.amount_micros)
        findings.expect(given, due.popleft() if due else None, f"{what}, of decision {moved.decision_id}")
        if told.HasField("jackpot"):
            named, hit = told.jackpot.jackpot_id, self.fold.jackpots.get(told.jackpot.jackpot_id)
            findings.expect((moved.jackpot_id, moved.hit_id), (named, hit and hit.hit_id), f"{what}, its jackpot")

    def _end(self, findings: Findings, told: progressives.Decision) -> None:
        """Everything that a decision calls for has been done."""
        due = self.due.pop(told.decision_id, None)
        if due is None and told.HasField("retirement"):
            due = deque(self._moves(told))
        for moved in due or ():
            findings.differs(f"decision {told.decision_id}: expected {moved}, given none")

    def finish(self, findings: Findings) -> None:
        """No approved decision is left undone; a retirement may wait for its day."""
        for decision_id in list(self.due):
            told = self.latest[decision_id]
            if told.HasField("retirement"):
                findings.differs(f"decision {decision_id}: expected the retirement to be done, given movements alone")
            self._end(findings, told)

    def _moves(self, told: progressives.Decision) -> list[Moved]:
        trial, name = Trial(self.fold), _subject(told)[0]
        if name == "adjustment":
            moved = told.adjustment
            trial.add((moved.link_id, moved.level), progressives.METER_CAUSE_ADJUSTMENT, moved.amount_micros)
        elif name == "transfer":
            sent = told.transfer
            source, target = (sent.from_link_id, sent.from_level), (sent.to_link_id, sent.to_level)
            trial.add(source, progressives.METER_CAUSE_TRANSFER_OUT, -sent.amount_micros)
            trial.add(target, progressives.METER_CAUSE_TRANSFER_IN, sent.amount_micros)
        elif name == "retirement":
            for heir in told.retirement.heirs:
                _bequeath(trial, (told.retirement.link_id, heir.level), (heir.to_link_id, heir.to_level))
        else:
            self._decide_jackpot(trial, told.jackpot)
        return trial.moves

    def _decide_jackpot(self, trial: Trial, told: progressives.JackpotDecision) -> None:
        jackpot = self.fold.jackpots.get(told.jackpot_id)
        if jackpot is None or not jackpot.link_id:
            return  # one that was never priced moves no meter
        if jackpot.state != progressives.JACKPOT_STATE_PAID and self.fold.over(jackpot.link_id):
            return  # an open or voided one of a link that is over is the house's
        meter = jackpot.link_id, jackpot.level
        if told.action == progressives.JACKPOT_ACTION_VOID and jackpot.state != VOIDED:
            self._restore(trial, meter, jackpot)
        elif told.action == progressives.JACKPOT_ACTION_SET_AMOUNT:
            self._set_amount(trial, meter, jackpot, told.amount_cents)

    def _set_amount(self, trial: Trial, meter: Meter, jackpot: progressives.Jackpot, cents: int) -> None:
        """The meter pays the other amount; a voided whole that is due again resets it where that was undone."""
        voided, put_up = jackpot.state == VOIDED, self.fold.put_up[jackpot.hit_id]
        before, terms = self.fold.stand(meter), self.fold.terms(meter)
        more = (cents - (0 if voided else jackpot.amount_cents)) * MICROS_PER_CENT
        if terms.mystery:
            trial.add(meter, progressives.METER_CAUSE_OVERFLOW, min(before.overflow, max(0, more)))
        trial.add(meter, progressives.METER_CAUSE_AWARD, -more)
        if voided and jackpot.percent >= RATE_UNIT:
            given = put_up[progressives.METER_CAUSE_SEED_RESERVE] + put_up[progressives.METER_CAUSE_SEED_HOUSE]
            lacking = max(0, terms.seed_cents * MICROS_PER_CENT - given)
            trial.add(meter, progressives.METER_CAUSE_SEED_RESERVE, min(lacking, before.reserve))
            trial.add(meter, progressives.METER_CAUSE_SEED_HOUSE, lacking - min(lacking, before.reserve))
        trial.keep_off(meter, before.reading if terms.mystery else self.fold.limit(meter))

    def _restore(self, trial: Trial, meter: Meter, jackpot: progressives.Jackpot) -> None:
        """A voided award goes back (ruling J10): to the house first; with the last one its reset is undone."""
        put_up, amount = self.fold.put_up[jackpot.hit_id], jackpot.amount_cents * MICROS_PER_CENT
        stood, hidden = self.fold.stand(meter).reading, bool(self.fold.terms(meter).mystery)
        trial.add(meter, progressives.METER_CAUSE_AWARD, amount)
        excess = put_up[progressives.METER_CAUSE_HOUSE_EXCESS]
        trial.add(meter, progressives.METER_CAUSE_HOUSE_EXCESS, -min(amount, excess))
        if self._last_of_hit(jackpot):
            for cause in (progressives.METER_CAUSE_SEED_RESERVE, progressives.METER_CAUSE_SEED_HOUSE):
                trial.add(meter, cause, -min(put_up[cause], trial.stand(meter).reading))
            over = min(put_up[progressives.METER_CAUSE_OVERFLOW], trial.stand(meter).reading)
            trial.add(meter, progressives.METER_CAUSE_OVERFLOW, -max(0, over))
        # People move no meter towards its hidden trigger.
        trial.keep_off(meter, stood if hidden else self.fold.limit(meter))

    def _last_of_hit(self, jackpot: progressives.Jackpot) -> bool:
        others = [each for each in self.fold.jackpots.values() if each.hit_id == jackpot.hit_id]
        return all(each.state == VOIDED for each in others if each.jackpot_id != jackpot.jackpot_id)


def _bequeath(trial: Trial, source: Meter, heir: Meter) -> None:
    """Everything on a meter goes to its heir: overflow and reserve come onto the reading first."""
    trial.add(source, progressives.METER_CAUSE_OVERFLOW, trial.stand(source).overflow)
    trial.add(source, progressives.METER_CAUSE_SEED_RESERVE, trial.stand(source).reserve)
    everything = trial.stand(source).reading
    trial.add(source, progressives.METER_CAUSE_TRANSFER_OUT, -everything)
    trial.add(heir, progressives.METER_CAUSE_TRANSFER_IN, everything)
    trial.keep_off(heir, trial.fold.limit(heir))


def _subject(told: progressives.Decision) -> tuple[str, object]:
    name = told.WhichOneof("subject") or ""
    return name, getattr(told, name) if name else None
