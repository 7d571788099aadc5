"""Wagers carried from one piece of a round to the next: none is lost, none comes twice, none comes from nowhere."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from casino.floor.v1 import events_pb2 as events
from casino.rounds.v1 import entries_pb2 as rounds
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import History, name_of

PIECES = ("betting_closed", "stakes_added", "result")


@dataclass
class Working:
    """A round's wagers that no result has decided, by number, and the numbers of those taken down since the last."""

    wagers: dict[int, events.Wager] = field(default_factory=dict)
    taken_down: set[int] = field(default_factory=set)

    def add(self, stake: events.AddedStake) -> None:
        """A stake that was added, or a wager that was taken down."""
        if stake.kind == events.STAKE_KIND_TAKEN_DOWN:
            self.taken_down.add(stake.belongs_to)
        else:
            self.wagers[stake.wager.wager_no] = stake.wager

    def after(self, decided: set[int]) -> "Working":
        """What works on after a result that decided these."""
        return Working({number: wager for number, wager in self.wagers.items() if number not in decided})


def check_carried(history: History, through: int, decided: Mapping[int, set[int]]) -> Findings:
    """Each result up to a rounds position carries the wagers that work; `decided` by the position of the result."""
    findings = Findings("audit: wagers carried to the results that decide them")
    working: dict[str, Working] = {}
    for position, kind, body in history.bodies("rounds", *PIECES, through=through):
        name = _round_of((body.round if kind == "stakes_added" else body).key)
        now = working.setdefault(name, Working())
        if kind == "betting_closed":
            now.wagers = {wager.wager_no: wager for wager in body.wagers}
        elif kind == "stakes_added":
            for stake in body.stakes:
                now.add(stake)
        else:
            what = f"round {name_of(body.key)} at {position}"
            findings.expect(_numbers(body.wagers), sorted(now.wagers), f"{what}: wagers")
            findings.expect(sorted(body.taken_down), sorted(now.taken_down), f"{what}: wagers taken down")
            for wager in body.wagers:
                if now.wagers.get(wager.wager_no, wager) != wager:
                    findings.differs(f"{what}: wager {wager.wager_no} is not the one that was placed")
            working[name] = now.after(decided.get(position, set()))
            if not working[name].wagers:
                del working[name]
    return findings


def _numbers(wagers: Iterable[events.Wager]) -> list[int]:
    return sorted(wager.wager_no for wager in wagers)


def _round_of(key: rounds.RoundKey) -> str:
    return f"{key.gaming_day}/{key.table_id}/{key.shoe}/{key.round_no}"
