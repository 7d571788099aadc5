"""Hidden triggers: each is the one that was committed to, and was met by the contribution that exceeded it first."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from casino.progressives.v1 import entries_pb2 as progressives
from clients.cli.audit.findings import Findings
from clients.cli.audit.fold import Fold, Meter
from clients.cli.audit.history import Body, name_of
from services.games.terms import MYSTERY, MYSTERY_PAID_FROM, Terms
from services.kernel.money import MICROS_PER_CENT, RATE_UNIT


class Reached(NamedTuple):
    """A contribution and what the meter read after it, micro-dollars."""

    made: progressives.Contribution
    reading: int


@dataclass
class Triggers:
    """The commitments that stand, and what each hidden trigger has been tried with since."""

    property_id: str
    fold: Fold
    terms: Mapping[tuple[str, str], Terms]
    standing: dict[Meter, progressives.Trigger] = field(default_factory=dict)
    highest: dict[Meter, int] = field(default_factory=dict)
    last: dict[Meter, Reached] = field(default_factory=dict)
    won: set[str] = field(default_factory=set)

    def contribution(self, made: progressives.Contribution, meter: Meter, reading: int) -> None:
        """A contribution that may meet the trigger of a meter."""
        if meter in self.last:
            self.highest[meter] = max(self.highest.get(meter, 0), self.last[meter].reading)
        self.last[meter] = Reached(made, reading)

    def take(self, findings: Findings, entry: Body) -> None:
        """A commitment, or a trigger opened."""
        told: progressives.Trigger = entry.body
        meter, what = (told.link_id, told.level), f"trigger {told.number} of {told.link_id} {told.level}"
        former = self.standing.get(meter)
        if told.state == progressives.TRIGGER_STATE_OPENED:
            known = (former.number, former.commitment) if former else None
            findings.expect((told.number, told.commitment), known, f"{what}, opened, against what was committed to")
            self._check_opened(findings, told, meter, what)
        else:
            opened = former is None or former.state == progressives.TRIGGER_STATE_OPENED
            findings.expect((told.number, opened), ((former.number if former else 0) + 1, True), f"{what}, committed")
            self.highest.pop(meter, None)
            self.last.pop(meter, None)
        self.standing[meter] = told

    def _check_opened(self, findings: Findings, told: progressives.Trigger, meter: Meter, what: str) -> None:
        name = f"{self.property_id}|{told.link_id}|{told.level}|{told.number}"
        text = f"casino mystery v1|{name}|{told.trigger_cents}|{told.salt.hex()}"
        findings.expect(hashlib.sha256(text.encode()).digest(), told.commitment, f"{what}: its commitment")
        terms, cents = self.fold.terms(meter), told.trigger_cents
        within = terms.seed_cents <= cents < terms.limit_cents
        findings.expect(within, True, f"{what}: {cents} cents from {terms.seed_cents} to under {terms.limit_cents}")
        trigger, last = cents * MICROS_PER_CENT, self.last.get(meter)
        before = max(self.highest.get(meter, 0), 0 if told.jackpot_id or not last else last.reading)
        if before > trigger:
            findings.differs(f"{what}: expected no earlier contribution to exceed {trigger}, given {before}")
        if told.jackpot_id:
            self.won.add(told.jackpot_id)
            self._check_winner(findings, told, last, what)

    def _check_winner(self, findings: Findings, told: progressives.Trigger, last: Reached | None, what: str) -> None:
        """Whoever's contribution exceeded it wins the whole meter."""
        jackpot = self.fold.jackpots.get(told.jackpot_id)
        if last is None or jackpot is None:
            findings.differs(f"{what}: expected a contribution and its jackpot, given {told.jackpot_id}")
            return
        exceeded = last.reading > told.trigger_cents * MICROS_PER_CENT
        findings.expect(exceeded, True, f"{what}: exceeded by {last.reading}")
        made = last.made
        terms = self.terms.get((made.submission_id, made.key.table_id))
        paid_from = (terms.option(made.code, MYSTERY_PAID_FROM) if terms else None) or "slip"
        given = name_of(jackpot.key), jackpot.wager_no, jackpot.seat, jackpot.percent, jackpot.paid_from
        expected = name_of(made.key), made.wager_no, made.seat, RATE_UNIT, paid_from
        findings.expect(given, expected, f"{what}: the winner")

    def finish(self, findings: Findings) -> None:
        """Every mystery jackpot opened a trigger, and every mystery meter that runs has a hidden one."""
        for link in self.fold.links.values():
            for terms in link.meters if link.state != progressives.LINK_STATE_RETIRED else ():
                told = self.standing.get((link.link_id, terms.level))
                if terms.mystery and (told is None or told.state != progressives.TRIGGER_STATE_COMMITTED):
                    findings.differs(f"{link.link_id} {terms.level}: expected a commitment to stand, given none")
        for name, jackpot in self.fold.first.items():
            if jackpot.level == MYSTERY and jackpot.link_id and name not in self.won:
                findings.differs(f"jackpot {name} of a mystery meter: expected a trigger to be opened, given none")
