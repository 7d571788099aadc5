"""The facts of gaming days, gathered as the feeds pass: each as far as the positions that its report stands on."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from casino.progressives.v1 import entries_pb2 as progressives
from casino.reporting.v1 import documents_pb2
from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.daily_win import Facts, Level, compare
from clients.cli.audit.findings import Findings
from clients.cli.audit.history import Body, History, name_of, round_of
from clients.cli.audit.passage import Quiet, pass_through
from clients.cli.audit.revenue import Payments

CONTRIBUTED = (progressives.METER_CAUSE_CONTRIBUTION, progressives.METER_CAUSE_RESERVE)
"""Causes of what a corrected round takes back or adds: contributions are told without it."""
SOURCES = {"rounds": "rounds", "settlements": "settlement", "progressives": "progressives"}
"""What the report calls the source of an exception in each feed."""
ASKED = (progressives.DECISION_STATE_OPEN, progressives.DECISION_STATE_PROPOSED)


class Reported(NamedTuple):
    """The report of a day as it is told, and the day's documents."""

    report: reporting.Report
    documents: Sequence[documents_pb2.Document]


@dataclass
class _Day:
    """The facts of one day so far, and how far the feeds are its own.

    `held`: settlements of rounds that will be corrected, the latest of each.
    """

    told: Reported
    facts: Facts
    reach: dict[str, int]
    payments: Payments = field(default_factory=Payments)
    held: dict[str, settlement.SettledRound] = field(default_factory=dict)

    @classmethod
    def of(cls, property_id: str, told: Reported) -> "_Day":
        corrected = {each.corrects for each in told.documents}
        documents = [each for each in told.documents if each.document_id not in corrected]
        reach = {each.feed: each.position for each in told.report.positions}
        return cls(told, Facts(told.report.gaming_day, property_id, documents), reach)

    def reaches(self, feed: str, position: int) -> bool:
        return position <= self.reach.get(feed, 0)


class Days(Quiet):
    """The days whose reports are told, gathered from the feeds as they pass.

    `submissions`: every entry of an approved one. `corrected`: the rounds that will be corrected, by name without roll.
    """

    def __init__(
        self, property_id: str, reports: Iterable[Reported], submissions: Sequence[Body], corrected: Container[str]
    ) -> None:
        self._days = {each.report.gaming_day: _Day.of(property_id, each) for each in reports}
        self._submissions, self._corrected = submissions, corrected
        # The days that the progressives feed has not passed yet, the first that it passes first.
        self._open = sorted(self._days.values(), key=lambda each: each.reach.get("progressives", 0))
        self._tables: list[Body] = []
        self._opened: list[tuple[int, str]] = []
        self._links: dict[tuple[str, int], list[str]] = {}
        self._readings: dict[Level, dict[str, int]] = {}
        self._questions: dict[tuple[str, str], tuple[str, str]] = {}
        self._made: dict[tuple[str, int, str], progressives.Contribution] = {}

    def round(self, entry: Body, settled: Sequence[Body]) -> None:
        """An entry of the rounds feed with the settlements that stand on it."""
        kind, body = entry.kind, entry.body
        if kind == "table_set":
            self._tables.append(entry)
        elif kind == "day_opened":
            self._opened.append((entry.position, body.gaming_day))
        elif kind == "property_set":
            for day in self._days.values():
                if day.reaches("rounds", entry.position):
                    day.payments.setting(body)
        elif kind == "exception":
            self._except("rounds", entry)
        elif kind == "exception_resolved":
            own = self._days.get(body.key.gaming_day)
            if own and own.reaches("rounds", entry.position):
                own.facts.exceptions["rounds", body.reason] -= 1
        for each in settled:
            self.stray(each)

    def stray(self, entry: Body) -> None:
        """A settlement."""
        position, kind, body = entry
        if kind == "exception":
            self._except("settlements", entry)
        elif kind == "settled":
            day = self._days.get(body.key.gaming_day)
            if day is None or not day.reaches("settlements", position):
                return
            if round_of(body.key) in self._corrected:
                day.held[name_of(body.key)] = body
            else:
                day.facts.settle(body)

    def _except(self, feed: str, entry: Body) -> None:
        """An exception of its day; one that names no round is one of every day."""
        own = entry.body.key.gaming_day
        for day in self._days.values() if not own else filter(None, [self._days.get(own)]):
            if day.reaches(feed, entry.position):
                day.facts.exceptions[SOURCES[feed], entry.body.reason] += 1

    def journal(self, entry: Body) -> None:
        """An entry of the progressives feed."""
        position, kind, body = entry
        while self._open and not self._open[0].reaches("progressives", position):
            self._end(self._open.pop(0))
        if kind == "contribution":
            self._contribute(position, body)
        elif kind == "movement":
            self._move(position, body)
        elif kind == "link":
            self._links[body.link_id, body.version] = [each.level for each in body.meters]
        elif kind == "jackpot":
            for day in self._open:
                day.payments.jackpot(body)
            if own := self._of(position, body.key.gaming_day):
                own.facts.jackpots[body.jackpot_id] = body
        elif kind in ("decision", "alert"):
            self._ask(kind, body)
        elif kind == "exception":
            self._except("progressives", entry)

    def _of(self, position: int, name: str) -> _Day | None:
        """The day, if it reaches as far in the progressives feed."""
        day = self._days.get(name)
        return day if day and day.reaches("progressives", position) else None

    def _contribute(self, position: int, made: progressives.Contribution) -> None:
        own, link = made.key.gaming_day, made.link_id
        levels, amounts, reserves = self._links[link, made.link_version], made.amount_micros, made.reserve_amount_micros
        now = self._under_way(made.rounds_position, own)
        for level, reading in zip(levels, made.reading_micros, strict=True):
            self._readings.setdefault((link, level), {})[now] = reading
        if day := self._of(position, own):
            if round_of(made.key) in self._corrected:
                self._made[_placing(made)] = made
            for place, level in enumerate(levels):
                day.facts.contributed[link, level] += amounts[place]
                day.facts.reserved[link, level] += reserves[place] if reserves else 0
            day.facts.sums.contribute(made, sum(amounts) + sum(reserves))

    def _move(self, position: int, moved: progressives.MeterMovement) -> None:
        meter, own = (moved.link_id, moved.level), moved.gaming_day or moved.key.gaming_day
        now = self._under_way(moved.rounds_position, own)
        self._readings.setdefault(meter, {})[now] = moved.reading_after_micros
        day = self._of(position, own)
        if day is None:
            return
        if moved.cause not in CONTRIBUTED:
            day.facts.moved[(*meter, progressives.MeterCause.Name(moved.cause))] += moved.amount_micros
            return
        reserve = moved.cause == progressives.METER_CAUSE_RESERVE
        (day.facts.reserved if reserve else day.facts.contributed)[meter] += moved.amount_micros
        day.facts.sums.contribute(self._made[_placing(moved)], moved.amount_micros)

    def _under_way(self, position: int, own: str) -> str:
        """The gaming day under way at a position of the rounds feed; `own` where none had been opened."""
        place = bisect_right(self._opened, position, key=lambda each: each[0])
        return self._opened[place - 1][1] if place else own

    def _ask(self, kind: str, body: Any) -> None:
        """A decision that nobody has taken or an alert that nobody has seen, of its day; or not any more."""
        if kind == "decision":
            asked, name = body.state in ASKED, body.decision_id
            reason = f"{body.WhichOneof('subject').upper()}_UNDECIDED"
        else:
            asked, name = body.state == progressives.ALERT_STATE_RAISED, body.alert_id
            reason = progressives.AlertKind.Name(body.kind).removeprefix("ALERT_KIND_")
            reason = "JACKPOT_UNCLAIMED" if reason == "UNCLAIMED" else reason
        if asked:
            self._questions[kind, name] = body.gaming_day, reason
        else:
            self._questions.pop((kind, name), None)

    def _end(self, day: _Day) -> None:
        """What the progressives feed says of a day at the position that its report stands on."""
        facts = day.facts
        facts.links = dict(self._links)
        for meter, by_day in self._readings.items():
            if last := max((each for each in by_day if each <= facts.day), default=""):
                facts.readings[meter] = by_day[last]
        asked = Counter(("progressives", reason) for own, reason in self._questions.values() if own == facts.day)
        facts.exceptions.update(asked)

    def check(self, cells: Callable[[str], Findings]) -> list[Findings]:
        """Compares every cell of every report, once all entries are in; `cells` are the findings of a day."""
        while self._open:
            self._end(self._open.pop(0))
        for day in self._days.values():
            facts = day.facts
            for each in day.held.values():
                facts.settle(each)
            # Sums are compared above zero: what was resolved is no exception any more.
            facts.exceptions = +facts.exceptions
            facts.places, facts.kinds = _places(self._tables, day), _kinds(self._submissions, day)
            facts.paid = day.payments.on(facts.day)
            compare(cells(facts.day), facts, day.told.report)
        return []


def check_report(
    findings: Findings, history: History, report: reporting.Report, documents: Sequence[documents_pb2.Document]
) -> None:
    """Every cell of a report, by a history that is kept."""
    submissions = list(history.bodies("submissions", "approved"))
    days = Days(history.property_id, [Reported(report, documents)], submissions, history.corrected())
    pass_through(history, days)
    days.check(lambda _: findings)


def _places(tables: Iterable[Body], day: _Day) -> dict[str, tuple[str, str]]:
    """Pit and game of each table on the day."""
    found: dict[str, tuple[str, str, str]] = {}
    for position, _, body in tables:
        known = found.get(body.table_id)
        late = not day.reaches("rounds", position) or body.effective_from > day.facts.day
        if not late and (known is None or known[0] <= body.effective_from):
            found[body.table_id] = body.effective_from, body.pit, body.game
    return {table: (pit, game) for table, (_, pit, game) in found.items()}


def _kinds(submissions: Iterable[Body], day: _Day) -> dict[str, str]:
    """The kind of each table by the submission in force: of several from one day the last one approved."""
    found: dict[str, tuple[str, str]] = {}
    for position, _, body in submissions:
        for table in body.tables if day.reaches("submissions", position) else ():
            if found.get(table.table_id, ("", ""))[0] <= body.effective_from <= day.facts.day:
                found[table.table_id] = body.effective_from, table.kind
    return {table_id: kind for table_id, (_, kind) in found.items()}


def _placing(body: Any) -> tuple[str, int, str]:
    """Which wager contributed to which link, whatever roll brought it."""
    return round_of(body.key), body.wager_no, body.link_id
