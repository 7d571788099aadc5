"""The daily win report: physical win beside game win, wagers beside their theory, meters, exceptions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from services.kernel.house_edge import DEFAULT_BAND, EdgeBand
from services.reporting import classes, vigorish, wager_lines
from services.reporting.document import Document, TableSetting
from services.reporting.sums import (
    ContributionKey,
    ExceptionKey,
    JackpotState,
    LevelKey,
    LinkVersion,
    MovementKey,
    Reading,
    RoundsKey,
    WagerSum,
)
from services.reporting.table import CENTS, COUNT, MICROS, TEXT, Cell, Column, Row, Table
from services.reporting.table_lines import TableLine, class_table, win_table

TITLE = "Daily win"
SIGNATURES = ("Table games shift manager", "Income control auditor", "Controller")

PROGRESSIVE_COLUMNS = (
    Column("link", "Link", TEXT),
    Column("level", "Level", TEXT),
    Column("contributions", "Contributions", MICROS),
    Column("reserve", "Reserve", MICROS),
    Column("awards", "Awards", CENTS),
    Column("hits", "Hits", COUNT),
    Column("reading", "Reading", MICROS),
)
MOVEMENT_COLUMNS = (
    Column("link", "Link", TEXT),
    Column("level", "Level", TEXT),
    Column("cause", "Cause", TEXT),
    Column("amount", "Amount", MICROS),
)
CONTRIBUTED = ("contribution", "reserve")
"""Causes of what a corrected round takes back or adds: contributions are told without it."""
EXCEPTION_COLUMNS = (
    Column("source", "Source", TEXT),
    Column("reason", "Reason", TEXT),
    Column("count", "Count", COUNT),
)


@dataclass(frozen=True)
class DayFacts:
    """What the report is made of: everything the projections and documents say of one gaming day.

    `paid`: by progressive jackpot slip on this day, by table in cents, whenever it was won. `kinds`: of tables.
    """

    property_id: str
    gaming_day: date
    documents: Sequence[Document]
    tables: Mapping[str, TableSetting]
    wagers: Sequence[WagerSum]
    rounds: Mapping[RoundsKey, int]
    links: Sequence[LinkVersion]
    contributions: Mapping[ContributionKey, tuple[int, int]]
    movements: Mapping[MovementKey, int]
    readings: Mapping[LevelKey, Reading]
    jackpots: Sequence[JackpotState]
    exceptions: Mapping[ExceptionKey, int]
    paid: Mapping[str, int] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    band: EdgeBand = DEFAULT_BAND


def daily_win(facts: DayFacts) -> tuple[Table, ...]:
    """The tables of the report. A table without documents, settled rounds or payments that day has no line."""
    base, side, external = wager_lines.lines(facts.wagers, facts.contributions)
    lines = table_lines(facts)
    return (
        win_table(facts.property_id, lines, facts.wagers),
        class_table(lines),
        _vigorish(facts, lines),
        wager_lines.table("wagers", "Wagers of the game", base, facts.band),
        wager_lines.table("side_wagers", "Side wagers", side, facts.band),
        wager_lines.table("external", "Wagers not proven", external, facts.band),
        _progressives(facts),
        _movements(facts),
        _exceptions(facts),
    )


def table_lines(facts: DayFacts) -> list[TableLine]:
    """One line for each table with documents, settled rounds or payments, by table."""
    names = {document.table_id for document in facts.documents} | set(facts.paid)
    names |= {sums.key.table_id for sums in facts.wagers} | {key.table_id for key in facts.rounds}
    return [_table_line(facts, name) for name in sorted(names)]


def _table_line(facts: DayFacts, name: str) -> TableLine:
    setting = facts.tables.get(name)
    sums = [each for each in facts.wagers if each.key.table_id == name]
    rounds = sum(count for key, count in facts.rounds.items() if key.table_id == name)
    papers = classes.papers(each for each in facts.documents if each.table_id == name)
    kind = classes.kind_of(facts.kinds.get(name, ""), papers)
    played = bool(rounds) or any(any(each[1:]) for each in sums)
    return TableLine(
        table_id=name,
        pit=setting.pit if setting else "",
        game=setting.game if setting else "",
        kind=kind,
        papers=papers,
        rounds=rounds,
        wagers=sum(each.wagers for each in sums),
        handle=sum(each.handle_cents for each in sums),
        payout=sum(each.payout_cents for each in sums),
        from_inventory=sum(each.inventory_cents for each in sums),
        played=played,
        lines=classes.class_lines(kind, papers, facts.paid.get(name, 0), played=played),
    )


def _vigorish(facts: DayFacts, lines: Sequence[TableLine]) -> Table:
    won = {line.table_id: line.win for line in lines}
    found = vigorish.forms(facts.documents)
    return vigorish.table(vigorish.Adjusted(facts.gaming_day, name, forms, won[name]) for name, forms in found.items())


def _progressives(facts: DayFacts) -> Table:
    order = {(link.link_id, level): place for link in facts.links for place, level in enumerate(link.levels)}
    names = {(key.link_id, key.level) for key in facts.readings}
    names |= {(key.link_id, key.level) for key in facts.contributions}
    rows = [_meter_row(facts, *name) for name in sorted(names, key=lambda name: (name[0], order.get(name, 0)))]
    notes = (
        "Contributions, reserve and reading are exact to the micro-dollar; the reading is the day's last.",
        "Awards are the amounts frozen at the day's hits, void ones left out.",
    )
    totals: Row = ("", "", *(sum(int(row[n] or 0) for row in rows) for n in range(2, 7)))
    return Table("progressives", "Progressives", PROGRESSIVE_COLUMNS, tuple(rows), totals, notes)


def _meter_row(facts: DayFacts, link_id: str, level: str) -> Row:
    moved = [amounts for key, amounts in facts.contributions.items() if (key.link_id, key.level) == (link_id, level)]
    hits = [
        jackpot
        for jackpot in facts.jackpots
        if (jackpot.link_id, jackpot.level) == (link_id, level) and jackpot.state != "voided"
    ]
    reading: Cell = next(
        (each.reading_micros for key, each in facts.readings.items() if (key.link_id, key.level) == (link_id, level)),
        None,
    )
    return (
        link_id,
        level,
        sum(amount for amount, _ in moved),
        sum(reserve for _, reserve in moved),
        sum(jackpot.amount_cents for jackpot in hits),
        len({jackpot.hit_id or jackpot.jackpot_id for jackpot in hits}),
        reading,
    )


def _movements(facts: DayFacts) -> Table:
    rows = tuple(
        (key.link_id, key.level, key.cause, amount)
        for key, amount in sorted(facts.movements.items())
        if key.cause not in CONTRIBUTED
    )
    notes = ("What moved the meters besides contributions; seeds and excess put up by the house among them.",)
    return Table("meter_movements", "Meter movements", MOVEMENT_COLUMNS, rows, None, notes if rows else ())


def _exceptions(facts: DayFacts) -> Table:
    counts: dict[tuple[str, str], int] = {}
    for key, count in facts.exceptions.items():
        name = (key.source, key.reason)
        counts[name] = counts.get(name, 0) + count
    rows = tuple((*name, counts[name]) for name in sorted(counts))
    return Table("exceptions", "Exceptions", EXCEPTION_COLUMNS, rows, ("", "", sum(counts.values())))
