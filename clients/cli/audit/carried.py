"""Wagers carried from one piece of a round to the next: none is lost, none comes twice, none comes from nowhere."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from casino.floor.v1 import events_pb2 as events
from casino.rounds.v1 import entries_pb2 as rounds
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import Body, name_of, round_of

PIECES = ("betting_closed", "stakes_added", "result")
CORRECTIONS = ("amend", "release")
CARRYING = PIECES + CORRECTIONS


@dataclass
class Working:
    """A round's wagers that no result has decided, by number, the numbers of those taken down since the last, and the
    last roll.
    """

    wagers: dict[int, events.Wager] = field(default_factory=dict)
    taken_down: set[int] = field(default_factory=set)
    roll: int = 0

    def add(self, stake: events.AddedStake) -> None:
        """A stake that was added, or a wager that was taken down."""
        if stake.kind == events.STAKE_KIND_TAKEN_DOWN:
            self.taken_down.add(stake.belongs_to)
        else:
            self.wagers[stake.wager.wager_no] = stake.wager

    def after(self, decided: set[int], roll: int) -> "Working":
        """What works on after a result that decided these."""
        return Working({number: wager for number, wager in self.wagers.items() if number not in decided}, roll=roll)

    def corrected(self, told: rounds.Round, decided: set[int]) -> "Working":
        """What works on after the round was told again or wagers were let in: later stakes stay."""
        placed = {wager.wager_no: wager for wager in told.wagers if wager.wager_no not in told.taken_down}
        if not told.history:
            return Working(placed, self.taken_down)
        if told.key.roll < self.roll or told.key.roll == 0:
            return self if told.key.roll else Working()
        again = Working(placed).after(decided, told.key.roll)
        if told.key.roll == self.roll:
            later = {number: each for number, each in self.wagers.items() if each.roll >= len(told.history)}
            again.wagers.update(later)
            again.taken_down = self.taken_down & again.wagers.keys()
        return again


class Carried:
    """The pieces of rounds as they come: each result carries the wagers that work."""

    def __init__(self) -> None:
        self.findings = Findings("audit: wagers carried to the results that decide them")
        self._working: dict[str, Working] = {}

    def take(self, entry: Body, decided: set[int]) -> None:
        """An entry of the rounds feed, and the numbers of the wagers that its settlement decides."""
        position, entered, given = entry
        if entered not in CARRYING:
            return
        kind, body = _as_piece(entered, given)
        name = round_of((body.round if kind == "stakes_added" else body).key)
        now = self._working.setdefault(name, Working())
        if kind in CORRECTIONS:
            self._working[name] = now.corrected(body, decided)
        elif kind == "betting_closed":
            now.wagers = {wager.wager_no: wager for wager in body.wagers}
        elif kind == "stakes_added":
            for stake in body.stakes:
                now.add(stake)
        else:
            self._result(position, body, now)
            self._working[name] = now.after(decided, body.key.roll)
            if not self._working[name].wagers and not body.key.roll:
                del self._working[name]

    def _result(self, position: int, body: rounds.Round, now: Working) -> None:
        findings, what = self.findings, f"round {name_of(body.key)} at {position}"
        findings.expect(_numbers(body.wagers), sorted(now.wagers), f"{what}: wagers")
        findings.expect(sorted(body.taken_down), sorted(now.taken_down), f"{what}: wagers taken down")
        for wager in body.wagers:
            if now.wagers.get(wager.wager_no, wager) != wager:
                findings.differs(f"{what}: wager {wager.wager_no} is not the one that was placed")


def _as_piece(kind: str, body: Any) -> tuple[str, Any]:
    """The round of a correction, or what was released as the piece that it is."""
    if kind == "release" and body.event in PIECES:
        return body.event, body.round
    return kind, body.round if kind in CORRECTIONS else body


def _numbers(wagers: Iterable[events.Wager]) -> list[int]:
    return sorted(wager.wager_no for wager in wagers)
