"""The daily win report recomputed from the feeds and the documents: plain sums, no sharing with the service."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from casino.progressives.v1 import entries_pb2 as progressives
from casino.reporting.v1 import documents_pb2
from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.settlement.v1 import entries_pb2 as settlement
from clients.cli.audit.findings import Findings
from clients.cli.audit.revenue import TableDay, class_tables, vigorish_tables, win_tables
from clients.cli.audit.table_sums import TableSum
from clients.cli.audit.wager_sums import WagerSums
from clients.cli.render import as_object

Row = dict[str, Any]
Tables = dict[str, tuple[list[Row], Row | None]]
"""Rows and totals of each table of the report."""

CAUSE = "METER_CAUSE_"
Level = tuple[str, str]
"""Link and level."""


@dataclass
class Facts:
    """What the feeds, up to the positions a report stands on, and the documents say of one gaming day."""

    day: str
    property_id: str
    documents: list[documents_pb2.Document]
    tables: defaultdict[str, TableSum] = field(default_factory=lambda: defaultdict(TableSum))
    sums: WagerSums = field(default_factory=WagerSums)
    places: dict[str, tuple[str, str]] = field(default_factory=dict)
    contributed: Counter[Level] = field(default_factory=Counter)
    reserved: Counter[Level] = field(default_factory=Counter)
    links: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    readings: dict[Level, int] = field(default_factory=dict)
    jackpots: dict[str, progressives.Jackpot] = field(default_factory=dict)
    moved: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    exceptions: Counter[tuple[str, str]] = field(default_factory=Counter)
    paid: Mapping[str, int] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)

    def settle(self, told: settlement.SettledRound) -> None:
        """A settled round in its latest state. ValueError where its lists differ in length."""
        self.tables[told.key.table_id].add(told)
        self.sums.settle(told)

    def table_days(self) -> list[TableDay]:
        """Every table with documents, rounds or payments, by name."""
        names = {each.table_id for each in self.documents} | self.tables.keys() | self.paid.keys()
        return [
            TableDay(
                name,
                [each for each in self.documents if each.table_id == name],
                self.tables.get(name, TableSum()),
                self.kinds.get(name, ""),
                self.paid.get(name, 0),
            )
            for name in sorted(names)
        ]


def compare(findings: Findings, facts: Facts, report: reporting.Report) -> None:
    """Compares every cell of the report with what the facts at its positions give."""
    told, right = as_object(report)["tables"], recompute(facts)
    for name in told.keys() - right.keys():
        findings.differs(f"{facts.day} {name}: the report has a table that nothing here recomputes")
    for name, (rows, totals) in right.items():
        what = f"{facts.day} {name}"
        table = told.get(name)
        if table is None:
            findings.differs(f"{what}: the report has no such table")
            continue
        _compare_rows(findings, what, [*table["rows"], table["totals"]], [*rows, totals])


def _compare_rows(findings: Findings, what: str, told: list[Row | None], right: list[Row | None]) -> None:
    if len(told) != len(right):
        findings.differs(f"{what}: expected {len(right)} rows with totals, given {len(told)}")
        return
    for place, (given, expected) in enumerate(zip(told, right, strict=True), 1):
        for column in sorted({*(given or ()), *(expected or ())}):
            found, value = (given or {}).get(column), (expected or {}).get(column)
            findings.expect(_cell(found), _cell(value), f"{what} row {place} {column}")


def _cell(value: object) -> object:
    """An empty text and no value at all are the same cell."""
    return None if value == "" else value


def recompute(facts: Facts) -> Tables:
    """The tables of the report that are recomputed, cell by cell."""
    base, side, external = facts.sums.rows()
    days = facts.table_days()
    exceptions: list[Row] = [
        {"source": source, "reason": reason, "count": count}
        for (source, reason), count in sorted(facts.exceptions.items())
    ]
    total: Row = {"source": None, "reason": None, "count": facts.exceptions.total()}
    return {
        "win": win_tables(facts.property_id, days, facts.places),
        "classes": class_tables(days),
        "vigorish": vigorish_tables(facts.day, days),
        "wagers": base,
        "side_wagers": side,
        "external": external,
        "progressives": _progressives(facts),
        "meter_movements": (_movements(facts), None),
        "exceptions": (exceptions, total),
    }


def _progressives(facts: Facts) -> tuple[list[Row], Row]:
    order = {(link, level): place for (link, _), levels in facts.links.items() for place, level in enumerate(levels)}
    meters = sorted(facts.readings, key=lambda meter: (meter[0], order.get(meter, 0)))
    rows = [_meter_row(facts, *meter) for meter in meters]
    columns = ("contributions", "reserve", "awards", "hits", "reading")
    totals = {column: sum(row[column] for row in rows) for column in columns}
    return rows, {"link": None, "level": None, **totals}


def _movements(facts: Facts) -> list[Row]:
    """What moved each meter besides contributions, by cause."""
    moved = {(*meter, cause.removeprefix(CAUSE).lower()): amount for (*meter, cause), amount in facts.moved.items()}
    columns = ("link", "level", "cause", "amount")
    return [dict(zip(columns, (*name, moved[name]), strict=True)) for name in sorted(moved)]


def _meter_row(facts: Facts, link: str, level: str) -> Row:
    hits = [
        each
        for each in facts.jackpots.values()
        if (each.link_id, each.level) == (link, level) and each.state != progressives.JACKPOT_STATE_VOIDED
    ]
    return {
        "link": link,
        "level": level,
        "contributions": facts.contributed[link, level],
        "reserve": facts.reserved[link, level],
        "awards": sum(each.amount_cents for each in hits),
        "hits": len({each.hit_id or each.jackpot_id for each in hits}),
        "reading": facts.readings[link, level],
    }
