"""The reports of a month over its facts, read for what they point at: a report's alarm at a table and day."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from services.games.analysis import theoretical
from services.games.wagers import AUTOMATED
from services.reporting.classes import papers
from services.reporting.day import DayRecord
from services.reporting.discrepancy import discrepancies
from services.reporting.document import Document, TableSetting, standing
from services.reporting.periods import Asked, PaperFacts, TableDay, TableFacts, WagerFacts, table_day
from services.reporting.reports.inventory_discrepancies import inventory_discrepancies
from services.reporting.reports.meter_comparison import meter_comparison
from services.reporting.reports.open_exceptions import open_exceptions
from services.reporting.reports.reconciliation import reconciliation
from services.reporting.reports.side_wagers import side_wagers
from services.reporting.reports.store import Play
from services.reporting.reports.table_statistics import statistics
from services.reporting.serials import Gap, Numbered, Serial, gaps, read
from services.reporting.statistics import limits
from services.reporting.sums import SeatKey, SumKey, TableTerms, WagerSum
from services.reporting.table import Cell, Table
from tests.precision.month import DOLLAR, PROPERTY, Month, Sheet

ROUNDS = 60
SIDE_CODE, SIDE_PAYTABLE, SIDE_ODDS, DECKS = "baccarat.fortune_7", "A", 40, 8


class Alarm(NamedTuple):
    """What a report points at: its name and reason, the table and the gaming day; None for the whole month."""

    report: str
    reason: str
    table_id: str
    day: date | None


def asked(month: Month, first: date | None = None) -> Asked:
    """The month, or the time from another day on, of the property."""
    return Asked(PROPERTY, "Month", first or month.days[0], month.days[-1], datetime(2026, 8, 1, tzinfo=UTC))


def table_facts(month: Month, before: Month) -> TableFacts:
    """Every table-day of the month, those of the month before it among them."""
    shift = month.days[0] - timedelta(days=len(before.days)) - before.days[0]
    earlier = [_table_day(month, sheet, sheet.day + shift) for sheet in before.sheets.values()]
    return TableFacts(asked(month), [*earlier, *(_table_day(month, each, each.day) for each in month.sheets.values())])


def _table_day(month: Month, sheet: Sheet, day: date) -> TableDay:
    kind = month.kind(sheet.table_id)
    setting = TableSetting(sheet.table_id, day, "P1", "baccarat")
    terms = TableTerms(1, sheet.table_id, "RS-1", day, kind, [])
    play = Play(ROUNDS, sheet.side_wagers, sheet.handle, sheet.payout, sheet.payout)
    return table_day((day, 0, sheet.table_id), setting, terms, papers(standing(sheet.papers)), play, 0)


def of_papers(month: Month) -> set[Alarm]:
    """What exceptions and discrepancies name, each by the table of the paper, box or table that it is about."""
    posted = [each for sheet in month.sheets.values() for each in sheet.papers]
    facts = _paper_facts(month, posted)
    owners = {each.document_id: each.table_id for each in posted} | dict(zip(month.tables, month.tables, strict=True))
    owners |= {each.box_serial: each.table_id for each in posted if each.box_serial}
    owners |= {f"{table}/counter_checks": table for table in month.tables}
    found = set()
    for row in _rows(open_exceptions(facts), "open"):
        reason, subject = str(row["reason"]), str(row["subject"])
        found.add(Alarm("exceptions", reason, owners.get(subject, subject), _day(row["gaming_day"])))
    for row in _rows(inventory_discrepancies(facts, limits()), "openers"):
        reason = f"opener {row['notice'] or 'differs'}"
        found.add(Alarm("inventory-discrepancies", reason, str(row["table"]), _day(row["gaming_day"])))
    return found


def _paper_facts(month: Month, posted: Sequence[Document]) -> PaperFacts:
    missing: dict[date, list[Gap]] = {}
    for gap in gaps(_numbered(posted)):
        missing.setdefault(gap.gaming_day, []).append(gap)
    records, before, closers = [], {}, dict[str, Document]()
    for day in month.days:
        own = [each for table in month.tables for each in month.sheets[day, table].papers]
        before[day] = dict(closers)
        records.append(_record(month, day, own, closers, missing.get(day, [])))
        closers |= {each.table_id: each for each in standing(own) if each.kind == "closer"}
    return PaperFacts(asked(month), records, before)


def _numbered(posted: Sequence[Document]) -> list[Numbered]:
    """Each document with the number before its own in its series."""
    known = [(serial, each) for each in posted if (serial := read(each.document_id))]
    known.sort(key=lambda pair: pair[0])
    found: list[Numbered] = []
    last: Serial | None = None
    for serial, each in known:
        previous = last.number if last and last.series == serial.series else None
        found.append(Numbered(each.document_id, each.gaming_day, previous))
        last = serial
    return found


def _record(
    month: Month, day: date, own: Sequence[Document], closers: Mapping[str, Document], missing: Sequence[Gap]
) -> DayRecord:
    return DayRecord(
        gaming_day=day,
        documents=own,
        played=month.tables,
        pending={},
        gaps=missing,
        discrepancies=discrepancies(own, closers, {}),
        exceptions={},
        questions={},
        complete=0,
        needed=0,
        ends_at=None,
        now=asked(month).now,
    )


def of_play(facts: TableFacts) -> set[Alarm]:
    """What the reconciliation and the comparison of meters name."""
    found = set()
    for row in _rows(reconciliation(facts, limits()), "two_wins"):
        if row["status"] != "in tolerance":
            found.add(Alarm("reconciliation", str(row["status"]), str(row["table"]), _day(row["gaming_day"])))
    for row in _rows(meter_comparison(facts), "meters"):
        if row["status"]:
            found.add(Alarm("meter-comparison", str(row["status"]), str(row["table"]), _day(row["gaming_day"])))
    return found


def of_statistics(month: Month, facts: TableFacts, wagers: WagerFacts) -> set[Alarm]:
    """The tables whose hold of the month is flagged against the month before."""
    nothing = WagerFacts(asked(month), [], {}, {})
    rows = _rows(statistics(facts, nothing, limits()), "base_level")
    found = {Alarm("statistics", "hold", str(row["table"]), None) for row in rows if row["flag"]}
    flagged = [row for row in _rows(side_wagers(wagers, limits()), "side_wagers") if row["flag"]]
    return found | {Alarm("side-wagers", "hold", str(row["wager"]), None) for row in flagged}


def honest_side_wagers(month: Month) -> WagerFacts:
    """Fortune 7 as the cards decide it, one wager after another, over the month's tables together."""
    edge = theoretical(SIDE_CODE, SIDE_PAYTABLE, DECKS).house_edge
    assert edge is not None
    chance = (1 - edge) / (SIDE_ODDS + 1)
    count = sum(sheet.side_wagers for sheet in month.sheets.values() if month.kind(sheet.table_id) != AUTOMATED) // 10
    hits = sum(month.random.randrange(chance.denominator) < chance.numerator for _ in range(count))
    stake = 10 * DOLLAR
    paid = hits * (SIDE_ODDS + 1) * stake
    key = SumKey(month.days[0], 0, "T-40", "", "RS-1", DECKS, "", SIDE_CODE, SIDE_PAYTABLE)
    seats = {SeatKey(month.days[0], "T-40", "RS-1", SIDE_CODE, SIDE_PAYTABLE): (count, count * stake**2)}
    return WagerFacts(asked(month), [WagerSum(key, count, count * stake, paid, paid, 0, 0, 0)], {}, seats)


def other_than_filed(filed: Iterable[tuple[Cell, ...]], now: Iterable[tuple[Cell, ...]]) -> set[Alarm]:
    """The table-days whose row of the reconciliation is not the one that was filed."""
    before = set(filed)
    return {Alarm("filed report", "differs", str(row[1]), _day(row[0])) for row in now if row not in before}


def two_wins(facts: TableFacts) -> tuple[tuple[Cell, ...], ...]:
    """The rows of the reconciliation: gaming day, table and the rest."""
    return next(table.rows for table in reconciliation(facts, limits()) if table.name == "two_wins")


def _rows(tables: Iterable[Table], name: str) -> list[dict[str, Cell]]:
    table = next(each for each in tables if each.name == name)
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def _day(cell: Cell) -> date:
    return date.fromisoformat(str(cell))
