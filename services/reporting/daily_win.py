"""The daily win report: physical win beside game win, wagers beside their theory, meters, exceptions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from services.kernel.house_edge import DEFAULT_BAND, EdgeBand
from services.kernel.money import dollars
from services.reporting import wager_lines, win
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
from services.reporting.table import CENTS, COUNT, MICROS, PERCENT, TEXT, Cell, Column, Row, Table
from services.reporting.win import Inventory

TITLE = "Daily win"

WIN_COLUMNS = (
    Column("scope", "Scope", TEXT),
    Column("name", "Name", TEXT),
    Column("opener", "Opener", CENTS),
    Column("fills", "Fills", CENTS),
    Column("credits", "Credits", CENTS),
    Column("drop", "Drop", CENTS),
    Column("closer", "Closer", CENTS),
    Column("win", "Win", CENTS),
    Column("hold", "Hold %", PERCENT),
    Column("game_win", "Game win", CENTS),
    Column("difference", "Difference", CENTS),
    Column("rounds", "Rounds", COUNT),
    Column("wagers", "Wagers", COUNT),
    Column("handle", "Handle", CENTS),
    Column("payout", "Payout", CENTS),
    Column("progressive_paid", "Progressive paid", CENTS),
    Column("win_after_progressive", "Win after progressive", CENTS),
)
WIN_NOTES = (
    "Win = closer + credits + drop - opener - fills (58 Pa. Code 601a.9), before progressives.",
    "Drop = currency and counter checks counted in the box; hold = win / drop.",
    "Game win = stakes - payouts by the table, from its inventory or at its terminals; difference = win - game win.",
    "What is paid by progressive jackpot slip is a line of its own, when it is paid.",
)
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
    """What the report is made of: everything the projections and documents say of one gaming day."""

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
    band: EdgeBand = DEFAULT_BAND


@dataclass(frozen=True)
class TableLine:
    """One table's day: documents, and what its rounds add up to in cents."""

    table_id: str
    pit: str
    game: str
    inventory: Inventory
    rounds: int
    wagers: int
    handle: int
    payout: int
    from_inventory: int
    progressive_paid: int


def daily_win(facts: DayFacts) -> tuple[Table, ...]:
    """The tables of the report. A table without documents or settled rounds that day has no line."""
    base, side, external = wager_lines.lines(facts.wagers, facts.contributions)
    return (
        _win(facts),
        wager_lines.table("wagers", "Wagers of the game", base, facts.band),
        wager_lines.table("side_wagers", "Side wagers", side, facts.band),
        wager_lines.table("external", "Wagers not proven", external, facts.band),
        _progressives(facts),
        _movements(facts),
        _exceptions(facts),
    )


def _win(facts: DayFacts) -> Table:
    lines = table_lines(facts)
    rows = [_row("table", line.table_id, [line]) for line in lines]
    rows += _grouped("pit", lines, lambda line: line.pit)
    rows += _grouped("game", lines, lambda line: line.game)
    notes = [note for line in lines for note in win.notes(line.table_id, line.inventory)]
    notes += _pending(facts.wagers)
    totals = _row("property", facts.property_id, lines)
    return Table("win", "Win", WIN_COLUMNS, tuple(rows), totals, (*WIN_NOTES, *notes))


def table_lines(facts: DayFacts) -> list[TableLine]:
    """One line for each table with documents or settled rounds, by table."""
    names = {document.table_id for document in facts.documents}
    names |= {sums.key.table_id for sums in facts.wagers} | {key.table_id for key in facts.rounds}
    return [_table_line(facts, name) for name in sorted(names)]


def _table_line(facts: DayFacts, name: str) -> TableLine:
    setting = facts.tables.get(name)
    sums = [each for each in facts.wagers if each.key.table_id == name]
    return TableLine(
        table_id=name,
        pit=setting.pit if setting else "",
        game=setting.game if setting else "",
        inventory=win.inventory(each for each in facts.documents if each.table_id == name),
        rounds=sum(count for key, count in facts.rounds.items() if key.table_id == name),
        wagers=sum(each.wagers for each in sums),
        handle=sum(each.handle_cents for each in sums),
        payout=sum(each.payout_cents for each in sums),
        from_inventory=sum(each.inventory_cents for each in sums),
        progressive_paid=sum(
            each.amount_cents for each in facts.jackpots if each.table_id == name and _paid_by_slip(each)
        ),
    )


def _paid_by_slip(jackpot: JackpotState) -> bool:
    return jackpot.state == "paid" and jackpot.paid_from == "slip"


def _grouped(scope: str, lines: Iterable[TableLine], name_of: Callable[[TableLine], str]) -> list[Row]:
    groups: dict[str, list[TableLine]] = {}
    for line in lines:
        groups.setdefault(name_of(line), []).append(line)
    return [_row(scope, name, groups[name]) for name in sorted(groups)]


def _row(scope: str, name: str, lines: Sequence[TableLine]) -> Row:
    documents = win.together([line.inventory for line in lines])
    physical, paid = documents.win, sum(line.progressive_paid for line in lines)
    handle = sum(line.handle for line in lines)
    game_win = handle - sum(line.from_inventory for line in lines)
    return (
        scope,
        name,
        documents.opener,
        documents.fills,
        documents.credits,
        documents.drop,
        documents.closer,
        physical,
        win.hold(physical, documents.drop),
        game_win,
        _less(physical, game_win),
        sum(line.rounds for line in lines),
        sum(line.wagers for line in lines),
        handle,
        sum(line.payout for line in lines),
        paid,
        _less(physical, paid),
    )


def _less(amount: int | None, other: int) -> int | None:
    return None if amount is None else amount - other


def _pending(wagers: Iterable[WagerSum]) -> list[str]:
    waiting: dict[str, tuple[int, int]] = {}
    for each in wagers:
        if each.pending:
            count, cents = waiting.get(each.key.table_id, (0, 0))
            waiting[each.key.table_id] = (count + each.pending, cents + each.pending_cents)
    return [
        f"{table}: wagers pending {count}, stakes {dollars(cents)}, in no sum."
        for table, (count, cents) in sorted(waiting.items())
    ]


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
