"""What each recorded wager owes the meters: contributions when betting closes, changed ones when its round is."""

from collections import Counter, defaultdict, deque
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from casino.floor.v1 import events_pb2
from casino.progressives.v1 import entries_pb2 as progressives
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.findings import Findings
from clients.cli.audit.fold import Fold, Meter, Moved, Trial
from clients.cli.audit.history import BETTING, CORRECTIONS, Body, Recorded, name_of, recorded_as, round_of
from services.games.catalogue import catalogue
from services.games.terms import MYSTERY
from services.kernel.money import RATE_UNIT

CORRECTED = (
    progressives.METER_CAUSE_CONTRIBUTION,
    progressives.METER_CAUSE_RESERVE,
    progressives.METER_CAUSE_OVERFLOW,
)
"""Causes by which a corrected round moves a meter."""
MOVING = (*BETTING, "result", *CORRECTIONS)
"""Kinds of entries of the rounds feed that the journal may owe something."""
UNDECIDED = (progressives.DECISION_STATE_OPEN, progressives.DECISION_STATE_PROPOSED)


Pins = dict[tuple[str, str], str]
"""By wager and paytable the link that a round's wagers contribute to; empty where none was live."""


class Due(NamedTuple):
    """A wager that owes a contribution: the round it is of, and the link that is live there."""

    round: rounds_pb2.Round
    wager: events_pb2.Wager
    link: progressives.Link

    def told(self) -> tuple[object, ...]:
        """What the contribution has to say of it."""
        read, wager, link = self.round, self.wager, self.link
        placed = wager.seat, wager.code, wager.paytable, wager.stake_cents
        return (name_of(read.key), read.shift, read.submission_id, *placed, link.link_id, link.version)


@dataclass
class Owed:
    """What a wager has contributed, at first and by now, micro-dollars by level in the link's order.

    `asked` is by level what people were asked to adjust for it.
    """

    position: int
    made: progressives.Contribution
    first: tuple[int, ...]
    first_reserves: tuple[int, ...]
    amounts: list[int]
    reserves: list[int]
    asked: Counter[str] = field(default_factory=Counter)


class Change(NamedTuple):
    """A movement that a corrected round has to make."""

    position: int
    round: str
    wager_no: int
    moved: Moved


@dataclass
class Duties:
    """What the rounds feed owes the journal, as far as it was taken.

    `corrected`: the rounds that will be corrected, by name without roll. Of the others nothing is kept once they are
    over and the journal has come as far.
    """

    fold: Fold
    corrected: Container[str]
    due: dict[tuple[int, int], Due] = field(default_factory=dict)
    changes: deque[Change] = field(default_factory=deque)
    asked: dict[tuple[int, str], str] = field(default_factory=dict)
    owed: defaultdict[str, dict[tuple[int, str], Owed]] = field(default_factory=lambda: defaultdict(dict))
    decisions: dict[str, progressives.Decision] = field(default_factory=dict)
    bet: set[str] = field(default_factory=set)
    pins: dict[str, Pins] = field(default_factory=dict)
    unlinked: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    last: tuple[int, int, int] = (0, 0, 0)
    _over: list[str] = field(default_factory=list)

    def take(self, entry: Body, settled: Sequence[Body]) -> None:
        """An entry of the rounds feed with its settlements, on the links and meters as they stand."""
        for name in self._over:
            # The journal has told what there was of them.
            self.owed.pop(name, None)
        self._over.clear()
        if entry.kind not in MOVING:
            return
        event = recorded_as(entry)
        name = round_of(event.key)
        awarded = _awarded(settled)
        if event.kind in CORRECTIONS:
            self._correct(event, name, awarded)
        elif event.kind in BETTING and name not in self.bet and event.round is not None:
            self.pins[name] = self._owe(event, event.round, list(event.round.wagers), {})
            if name in self.corrected:
                self.bet.add(name)
        if event.round is None or _over(settled):
            self.pins.pop(name, None)
            if name not in self.corrected:
                self._over.append(name)

    def _owe(self, event: Recorded, read: rounds_pb2.Round, wagers: list[events_pb2.Wager], pinned: Pins) -> Pins:
        """New wagers contribute to the link that the round is pinned to, else to the one that is live there."""
        pins = dict(pinned)
        for wager in wagers:
            if not _moves_meters(wager.code):
                continue
            name = wager.code, wager.paytable
            live = self.fold.live.get((event.key.table_id, *name))
            link = self.fold.links.get(pins[name]) if name in pins else live
            if link is not None and not self.fold.over(link.link_id):
                self.due[event.position, wager.wager_no] = Due(read, wager, link)
                pins[name] = link.link_id
            elif pins.get(name) != "":
                # None was live, or the one that the round is pinned to is over.
                if (of := round_of(event.key)) in self.corrected:
                    self.unlinked[of].add(wager.wager_no)
                pins[name] = ""
        return pins

    def _correct(self, event: Recorded, name: str, awarded: dict[str, int] | None) -> None:
        """Each wager is to have contributed what its stake owes now; new ones contribute."""
        owed = self.owed[name]
        wagers = {wager.wager_no: wager for wager in event.round.wagers} if event.round else {}
        trial = Trial(self.fold)
        for (wager_no, _), each in sorted(owed.items()):
            wager = wagers.get(wager_no)
            stays = wager is not None and (wager.code, wager.paytable) == (each.made.code, each.made.paytable)
            self._change(trial, event, name, each, wager.stake_cents if wager is not None and stays else 0)
        self._contest(event, name, {} if event.round is None else awarded)
        self.bet.discard(name)
        if event.round is not None:
            known = {(number, each.made.code) for (number, _), each in owed.items()}
            new = [each for each in wagers.values() if (each.wager_no, each.code) not in known]
            pins = self.pins.get(name, {}) | {
                (each.made.code, each.made.paytable): link for (_, link), each in owed.items()
            }
            pins = self._unlinked(name, wagers) | pins
            self.pins[name] = self._owe(event, event.round, new, pins)
            self.bet.add(name)

    def _unlinked(self, name: str, wagers: dict[int, events_pb2.Wager]) -> Pins:
        """Where no link was live when betting closed, none is later: for the codes of the wagers that found none.

        Of a wager that is gone nobody knows the code: it is every one that has contributed nothing.
        """
        missed = self.unlinked[name]
        codes = {wagers[number].code for number in missed if number in wagers}
        if missed - wagers.keys():
            made = {each.made.code for each in self.owed[name].values()}
            codes |= {each.code for each in wagers.values() if _moves_meters(each.code)} - made
        return {(each.code, each.paytable): "" for each in wagers.values() if each.code in codes}

    def _change(self, trial: Trial, event: Recorded, name: str, owed: Owed, stake: int) -> None:
        made, placed = owed.made, max(1, owed.made.stake_cents)
        for place, terms in enumerate(self.fold.links[made.link_id].meters):
            more = owed.first[place] * stake // placed - owed.amounts[place]
            kept = owed.first_reserves[place] * stake // placed - owed.reserves[place]
            if not more and not kept and terms.level not in owed.asked:
                continue
            meter, tried = (made.link_id, terms.level), Trial(self.fold)
            tried.stands.update(trial.stands)
            _bring(tried, meter, more, kept)
            asked = more + kept - owed.asked[terms.level] if terms.level in owed.asked else more + kept
            if terms.level not in owed.asked and self._holds(meter, owed, tried):
                trial.stands = tried.stands
                self.changes += [Change(event.position, name, made.wager_no, each) for each in tried.moves]
            elif asked:
                subject = f"{meter[0]} {meter[1]} by {asked} for wager {made.wager_no} of {name}"
                self.asked[event.position, subject] = "an adjustment"

    def _holds(self, meter: Meter, owed: Owed, tried: Trial) -> bool:
        """Whether the meter was not hit since the wager contributed, and holds what is taken back at every step."""
        return not self.fold.over(meter[0]) and self.fold.last_hit.get(meter, 0) < owed.position and tried.lowest >= 0

    def _contest(self, event: Recorded, name: str, shares: dict[str, int] | None) -> None:
        """A jackpot that the corrected round does not win any more, or with another share, is asked about."""
        if shares is None:
            return
        waiting = {
            each.jackpot.jackpot_id
            for each in self.decisions.values()
            if each.state in UNDECIDED and each.HasField("jackpot") and each.HasField("key")
        }
        wagers = {each.wager_no: each for each in event.round.wagers} if event.round else {}
        own = self.fold.of_round.get(name, ())
        known = {key: each for key, each in self.fold.jackpots.items() if key in own} if own else {}
        # Who shared the whole of a meter with one that is gone is owed another share.
        gone = {each.hit_id for key, each in known.items() if _whole(each) and shares.get(key, 0) < RATE_UNIT}
        for jackpot_id, jackpot in known.items():
            contested = _contested(jackpot, shares.get(jackpot_id), wagers.get(jackpot.wager_no))
            if jackpot_id not in waiting and (contested or (_whole(jackpot) and jackpot.hit_id in gone)):
                self.asked[event.position, jackpot_id] = "a decision"

    def contribution(self, findings: Findings, entry: Body, through: int) -> None:
        """A contribution is of a wager that owes it, in the order of seats within its round."""
        made: progressives.Contribution = entry.body
        what = f"contribution {entry.position} of wager {made.wager_no} in {name_of(made.key)}"
        owed = self.due.pop((made.rounds_position, made.wager_no), None)
        if owed is not None:
            placed = made.seat, made.code, made.paytable, made.stake_cents
            given = name_of(made.key), made.shift, made.submission_id, *placed, made.link_id, made.link_version
            findings.expect(given, owed.told(), what)
        elif made.rounds_position <= through:
            findings.differs(f"{what}: expected none")
        turn = made.rounds_position, made.seat, made.wager_no
        if turn < self.last:
            findings.differs(f"{what}: expected after {self.last} in the order of seats, given {turn}")
        self.last = turn

    def keep(self, entry: Body, amounts: list[int], reserves: list[int]) -> None:
        """What a wager has contributed, for when its round is corrected."""
        made: progressives.Contribution = entry.body
        kept = Owed(entry.position, made, tuple(amounts), tuple(reserves), amounts, reserves)
        self.owed[round_of(made.key)][made.wager_no, made.link_id] = kept

    def submission_of(self, jackpot: progressives.Jackpot) -> str:
        """The submission that the round of a jackpot is stamped with; empty where its wager contributed nothing."""
        owed = self.owed.get(round_of(jackpot.key), {}).get((jackpot.wager_no, jackpot.link_id))
        return owed.made.submission_id if owed else ""

    def change(self, findings: Findings, moved: progressives.MeterMovement, what: str) -> None:
        """A movement of a corrected round is the next one that is due."""
        meter, name = (moved.link_id, moved.level), round_of(moved.key)
        given = Change(moved.rounds_position, name, moved.wager_no, Moved(meter, moved.cause, moved.amount_micros))
        due = self.changes.popleft() if self.changes else None
        findings.expect(given, due, f"{what}, of a corrected round")
        owed = self.owed[name].get((moved.wager_no, moved.link_id))
        link = self.fold.links.get(moved.link_id)
        if owed is None or link is None:
            return
        for place, terms in enumerate(link.meters):
            if terms.level == moved.level and moved.cause == progressives.METER_CAUSE_CONTRIBUTION:
                owed.amounts[place] += moved.amount_micros
            if terms.level == moved.level and moved.cause == progressives.METER_CAUSE_RESERVE:
                owed.reserves[place] += moved.amount_micros

    def decision(self, findings: Findings, entry: Body, through: int) -> None:
        """What the platform asks for is what a correction or a jackpot calls for."""
        told: progressives.Decision = entry.body
        self.decisions[told.decision_id] = told
        if told.state != progressives.DECISION_STATE_OPEN or told.proposed_by:
            return  # one that was turned down is open again
        subject = told.jackpot.jackpot_id
        if told.HasField("adjustment"):
            asked, name = told.adjustment, round_of(told.key)
            if owed := self.owed[name].get((told.wager_no, asked.link_id)):
                owed.asked[asked.level] += asked.amount_micros
            subject = f"{asked.link_id} {asked.level} by {asked.amount_micros} for wager {told.wager_no} of {name}"
        if self.asked.pop((told.rounds_position, subject), None) is None and told.rounds_position <= through:
            findings.differs(f"decision {told.decision_id} about {subject}: expected none to be asked for")

    def finish(self, findings: Findings) -> None:
        """Everything that was due has come."""
        for (position, wager_no), owed in self.due.items():
            findings.differs(f"wager {wager_no} of {owed.wager.code} at rounds position {position} has none")
        for change in self.changes:
            findings.differs(f"{change.round} at rounds position {change.position}: expected {change}, given none")
        for (position, subject), kind in self.asked.items():
            findings.differs(f"{subject} at rounds position {position}: expected {kind} to be asked for, given none")


def _whole(jackpot: progressives.Jackpot) -> bool:
    standing = bool(jackpot.hit_id) and jackpot.state != progressives.JACKPOT_STATE_VOIDED
    return standing and jackpot.level != MYSTERY and jackpot.percent >= RATE_UNIT


def _contested(jackpot: progressives.Jackpot, share: int | None, wager: events_pb2.Wager | None) -> bool:
    """Whether the round wins a jackpot otherwise now: not at all, another share of it, or by another wager."""
    mystery = jackpot.level == MYSTERY
    if jackpot.state == progressives.JACKPOT_STATE_VOIDED:
        return not mystery and share is not None
    if wager is None or (not mystery and share != jackpot.percent):
        return True
    won_by = jackpot.seat, jackpot.code, jackpot.paytable, jackpot.stake_cents or wager.stake_cents
    return won_by != (wager.seat, wager.code, wager.paytable, wager.stake_cents)


@cache
def _moves_meters(code: str) -> bool:
    rule = catalogue().get(code)
    return bool(rule and (rule.meters or rule.mysteries))


def _bring(trial: Trial, meter: Meter, more: int, kept: int) -> None:
    """What comes back leaves the overflow first; what is added above the limit goes there, on a mystery meter all."""
    limit, stood, hidden = trial.fold.limit(meter), trial.stand(meter), bool(trial.fold.terms(meter).mystery)
    trial.add(meter, progressives.METER_CAUSE_OVERFLOW, min(stood.overflow, max(0, -more)))
    trial.add(meter, progressives.METER_CAUSE_CONTRIBUTION, more)
    if more > 0 and (hidden or limit):
        trial.keep_off(meter, stood.reading if hidden else limit)
    trial.add(meter, progressives.METER_CAUSE_RESERVE, kept)


def _awarded(settled: Sequence[Body]) -> dict[str, int] | None:
    """By jackpot the share of a meter that the settlement of a round names; None where it was not settled."""
    for _, kind, body in settled[-1:]:
        if kind == "settled":
            return {each.jackpot_id: each.percent for each in body.awards if each.kind == "meter"}
    return None


def _over(settled: Sequence[Body]) -> bool:
    """Whether a round is settled and nothing of the meters is pending of it."""
    for _, kind, body in settled[-1:]:
        if kind == "settled":
            pending = settlement.OUTCOME_PENDING
            if pending not in body.outcome:
                return True
            placed = zip(body.code, body.outcome, strict=False)
            return not any(outcome == pending and _moves_meters(code) for code, outcome in placed)
    return False
