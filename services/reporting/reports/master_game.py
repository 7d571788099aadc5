"""The master game report: every table's documents, drop, win and hold, of the month and year so far too."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from services.games.wagers import AUTOMATED
from services.reporting import classes, vigorish, win
from services.reporting.classes import ELECTRONIC, ClassLine
from services.reporting.periods import TableDay, TableFacts
from services.reporting.reports import restatements
from services.reporting.reports.amounts import HOLD_NOTE, MISSING_NOTE, Held, totals
from services.reporting.reports.restatements import Restatement
from services.reporting.table import BAR, CENTS, LINE, PERCENT, TEXT, Column, Plot, Row, Table
from services.reporting.win import hold

TITLE = "Master game report"
SIGNATURES = ("Count room supervisor", "Income control auditor", "Controller")
AUDITED_STATES = ("audited", "filed", "restatement_proposed", "restated")

TO_DATE = tuple(
    Column(f"{span}_{name}", f"{title} {said}", kind)
    for span, title in (("mtd", "MTD"), ("ytd", "YTD"))
    for name, said, kind in (("drop", "drop", CENTS), ("win", "win", CENTS), ("hold", "hold %", PERCENT))
)
COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("pit", "Pit", TEXT),
    Column("game", "Game", TEXT),
    Column("table", "Table", TEXT),
    Column("class", "Class", TEXT),
    Column("opener", "Opener", CENTS),
    Column("fills", "Fills", CENTS),
    Column("credits", "Credits", CENTS),
    Column("closer", "Closer", CENTS),
    Column("currency", "Currency", CENTS),
    Column("counter_checks", "Counter checks", CENTS),
    Column("coupons", "Coupons", CENTS),
    Column("promotional", "Promotional", CENTS),
    Column("metered_wagers", "Metered wagers", CENTS),
    Column("metered_payouts", "Metered payouts", CENTS),
    Column("drop", "Drop", CENTS),
    Column("win_before_progressive", "Win before progressive", CENTS),
    Column("progressive_paid", "Progressive paid", CENTS),
    Column("win", "Win", CENTS),
    Column("hold", "Hold %", PERCENT),
    *TO_DATE,
)
SUMMED = range(5, 19)
GAME_COLUMNS = (
    Column("game", "Game", TEXT),
    Column("class", "Class", TEXT),
    Column("drop", "Drop", CENTS),
    Column("win", "Win", CENTS),
    Column("hold", "Hold %", PERCENT),
    *TO_DATE,
)
DAY_COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("drop", "Drop", CENTS),
    Column("win", "Win", CENTS),
    Column("hold", "Hold %", PERCENT),
)
SHIFT_COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("shift", "Shift", TEXT),
    Column("table", "Table", TEXT),
    Column("fills", "Fills", CENTS),
    Column("credits", "Credits", CENTS),
    Column("currency", "Currency", CENTS),
    Column("counter_checks", "Counter checks", CENTS),
    Column("drop", "Drop", CENTS),
    Column("estimated_drop", "Estimated drop", CENTS),
)
NOTES = (
    (
        "Win = closer + credits + currency + counter checks - opener - fills (58 Pa. Code 601a.9); of a fully automated"
        " table and of a hybrid table's terminals, metered wagers - metered payouts (605a.5)."
    ),
    "Coupons and promotional amounts are counted apart and are no part of drop or win.",
    (
        "Win = win before progressive - what was paid by progressive jackpot slip on the day, whenever it was won; MTD"
        " and YTD win are before progressive."
    ),
    HOLD_NOTE,
    "MTD and YTD in the totals are of all tables, those without a line here among them.",
    MISSING_NOTE,
)

Place = tuple[str, str]


def status(facts: TableFacts) -> str:
    """Whether every day of the period was audited, or the report is a preliminary one."""
    states = facts.states or {}
    seen = {each.gaming_day for each in facts.own} or {facts.asked.last}
    return "audited" if all(states.get(day) in AUDITED_STATES for day in seen) else "preliminary"


Forms = Mapping[tuple[date, str], vigorish.Forms]
"""Vigorish owed and recovered, by gaming day and table."""


def master_game(
    facts: TableFacts, forms: Forms | None = None, restated: Sequence[Restatement] = ()
) -> tuple[Table, ...]:
    """Tables, games, days (with the trend of the hold) and shifts; vigorish, and what was restated of days before."""
    earlier = restatements.table(restated, facts.asked.last)
    return _tables(facts), _games(facts), _days(facts), _shifts(facts), _vigorish(facts, forms or {}), earlier


def _vigorish(facts: TableFacts, forms: Forms) -> Table:
    won = {(each.gaming_day, each.table_id): each.before for each in facts.own}
    return vigorish.table(vigorish.Adjusted(*key, found, won.get(key)) for key, found in sorted(forms.items()))


class ToDate:
    """What adds up from the beginning of the month and of the year."""

    def __init__(self) -> None:
        self._sums: dict[Place, tuple[date, Held, Held]] = {}

    def add(self, place: Place, day: date, line: ClassLine) -> None:
        """Adds a day's line; a new month or year begins anew."""
        at, month, year = self._sums.get(place, (day, Held(), Held()))
        if (at.year, at.month) != (day.year, day.month):
            month = Held()
        if at.year != day.year:
            year = Held()
        month.add(line.base, line.before)
        year.add(line.base, line.before)
        self._sums[place] = day, month, year

    def cells(self, place: Place, day: date) -> Row:
        """Base, win and hold of the month and of the year so far, as of a day."""
        at, month, year = self._sums.get(place, (day, Held(), Held()))
        if (at.year, at.month) != (day.year, day.month):
            month = Held()
        return (*month.cells, *(year if at.year == day.year else Held()).cells)


def _tables(facts: TableFacts) -> Table:
    rows: list[Row] = []
    notes: list[str] = []
    to_date = ToDate()
    for each in facts.days:
        for line in each.lines:
            place = (each.table_id, line.revenue_class)
            to_date.add(place, each.gaming_day, line)
            if each.gaming_day >= facts.asked.first:
                rows.append((*_row(each, line), *to_date.cells(place, each.gaming_day)))
        if each.gaming_day >= facts.asked.first:
            notes += _notes(each)
    total = totals(rows, SUMMED, len(COLUMNS))
    base = win.whole([line.base for each in facts.own for line in each.lines])
    before = total[SUMMED.start + 11]
    held = hold(before if isinstance(before, int) else None, base)
    places = {(each.game, line.revenue_class) for each in facts.days for line in each.lines}
    total = (*total[: SUMMED.stop], held, *_to_date(facts, places))
    return Table("tables", "Tables", COLUMNS, tuple(rows), total, (*NOTES, *notes))


def _notes(each: TableDay) -> list[str]:
    """An electronic table without any slip misses none, nor does one that was closed."""
    if not each.open and each.before is not None:
        return []
    said = classes.notes(each.table_id, each.kind, each.papers)
    if any(line.revenue_class not in ELECTRONIC for line in each.lines):
        said += win.notes(each.table_id, each.papers.inventory)
    return [f"{each.gaming_day} {sentence}" for sentence in said]


def _row(each: TableDay, line: ClassLine) -> Row:
    papers, found = each.papers, each.papers.inventory
    if not each.open and line.before is not None:
        return _line(each, line, (0,) * 11)
    slips: Row = (
        found.opener,
        found.fills,
        found.credits,
        found.closer,
        papers.currency,
        found.checks,
        papers.coupons,
        papers.promotional,
        0,
        0,
        found.drop,
    )
    if line.revenue_class in ELECTRONIC:
        slips = (0, 0, 0, 0, 0, 0, 0, 0, papers.metered_wagers, papers.metered_payouts, 0)
    return _line(each, line, slips)


def _line(each: TableDay, line: ClassLine, slips: Row) -> Row:
    return (
        each.gaming_day.isoformat(),
        each.pit,
        each.game,
        each.table_id,
        line.revenue_class,
        *slips,
        line.before,
        line.paid,
        line.win,
        hold(line.before, line.base),
    )


def _games(facts: TableFacts) -> Table:
    last = facts.asked.last
    places = sorted({(each.game, line.revenue_class) for each in facts.days for line in each.lines})
    rows = tuple(
        (*place, *_held(facts, [place], facts.asked.first).cells, *_to_date(facts, [place])) for place in places
    )
    total = ("total", None, *_held(facts, places, facts.asked.first).cells, *_to_date(facts, places))
    notes = (f"MTD and YTD are as of {last}, with tables that were not open in the period.",)
    return Table("games", "Win by game", GAME_COLUMNS, rows, total, notes, Plot(BAR, "game", ("win",)))


def _to_date(facts: TableFacts, places: Iterable[Place]) -> Row:
    last = facts.asked.last
    chosen = list(places)
    month, year = (_held(facts, chosen, since) for since in (last.replace(day=1), last.replace(month=1, day=1)))
    return (*month.cells, *year.cells)


def _held(facts: TableFacts, places: Iterable[Place], since: date) -> Held:
    chosen = set(places)
    return Held(
        (line.base, line.before)
        for each in facts.days
        if each.gaming_day >= since
        for line in each.lines
        if (each.game, line.revenue_class) in chosen
    )


def _days(facts: TableFacts) -> Table:
    held: dict[date, Held] = {}
    for each in facts.own:
        for line in each.lines:
            held.setdefault(each.gaming_day, Held()).add(line.base, line.before)
    rows = tuple((day.isoformat(), *found.cells) for day, found in sorted(held.items()))
    whole = Held((found.base, found.win) for found in held.values())
    return Table(
        "days", "Hold by day", DAY_COLUMNS, rows, ("total", *whole.cells), (), Plot(LINE, "gaming_day", ("hold",))
    )


def _shifts(facts: TableFacts) -> Table:
    """Documents that name their shift; a hybrid table's terminals have none."""
    rows = tuple(_shift_row(each) for each in facts.shifts if each.shift and each.kind != AUTOMATED and _any(each))
    notes = ("Documents of a whole day stand in no shift. The estimated drop is in no win.",)
    return Table("shifts", "Shifts", SHIFT_COLUMNS, rows, None, notes if rows else ())


def _any(each: TableDay) -> bool:
    return each.papers.felt or each.papers.estimate is not None


def _shift_row(each: TableDay) -> Row:
    papers, found = each.papers, each.papers.inventory
    return (
        each.gaming_day.isoformat(),
        str(each.shift),
        each.table_id,
        found.fills,
        found.credits,
        papers.currency,
        found.checks,
        found.drop,
        papers.estimate,
    )
