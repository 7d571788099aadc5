"""Statistics of tables: drop, win and hold by table, game, pit, shift, day, month, dealer, and against a base level."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction

from services.kernel.money import dollars
from services.reporting import wager_lines
from services.reporting.periods import TableDay, TableFacts, WagerFacts
from services.reporting.reports.amounts import HOLD_NOTE, MISSING_NOTE, Held, percent
from services.reporting.reports.side_wagers import expected
from services.reporting.statistics import Limits, flag, mean_and_error
from services.reporting.sums import WagerSum
from services.reporting.table import BAR, CENTS, COUNT, LINE, PERCENT, TEXT, Cell, Column, Plot, Row, Table

TITLE = "Table statistics"
FIGURES = (
    Column("tables", "Tables", COUNT),
    Column("drop", "Drop", CENTS),
    Column("win", "Win", CENTS),
    Column("hold", "Hold %", PERCENT),
    Column("rounds", "Rounds", COUNT),
    Column("handle", "Handle", CENTS),
    Column("game_win", "Game win", CENTS),
)
BASE_COLUMNS = (
    Column("table", "Table", TEXT),
    Column("game", "Game", TEXT),
    Column("days", "Days", COUNT),
    Column("drop", "Drop", CENTS),
    Column("win", "Win", CENTS),
    Column("hold", "Hold %", PERCENT),
    Column("theoretical_win", "Theoretical win", CENTS),
    Column("base_period", "Base period", TEXT),
    Column("base_hold", "Base hold %", PERCENT),
    Column("points_off", "Points off", PERCENT),
    Column("standard_error", "Standard error %", PERCENT),
    Column("flag", "Flag", TEXT),
)
DEALER_COLUMNS = (
    Column("dealer", "Dealer", TEXT),
    Column("wagers", "Wagers", COUNT),
    Column("handle", "Handle", CENTS),
    Column("win", "Game win", CENTS),
    Column("hold", "Hold of handle %", PERCENT),
    Column("theoretical_win", "Theoretical win", CENTS),
)
Grouping = Callable[[TableDay], str]
MONTH = "%Y-%m"


def statistics(facts: TableFacts, wagers: WagerFacts, limits: Limits) -> tuple[Table, ...]:
    """Groupings, the comparison with the base level, dealers. Facts reach back to the beginning of the year before."""
    own = facts.own
    year = [each for each in facts.days if each.gaming_day.year == facts.asked.last.year]
    return (
        _base(facts, wagers, limits),
        _grouped("tables", "Tables", "table", own, lambda each: each.table_id, (HOLD_NOTE, MISSING_NOTE)),
        _grouped("games", "Games", "game", own, lambda each: each.game, (), Plot(BAR, "game", ("win",))),
        _grouped("pits", "Pits", "pit", own, lambda each: each.pit),
        _grouped("shifts", "Shifts", "shift", _shifts(facts), lambda each: str(each.shift), _shift_notes(facts)),
        _grouped("days", "Days", "gaming_day", own, lambda each: str(each.gaming_day), (), _trend("gaming_day")),
        _grouped("months", "Months", "month", year, lambda each: each.gaming_day.strftime(MONTH), (), _trend("month")),
        _grouped("year_to_date", "Year to date", "table", year, lambda each: each.table_id),
        _dealers(wagers),
    )


def _trend(x: str) -> Plot:
    return Plot(LINE, x, ("hold",))


def _grouped(
    name: str,
    title: str,
    by: str,
    days: Sequence[TableDay],
    key_of: Grouping,
    notes: tuple[str, ...] = (),
    plot: Plot | None = None,
) -> Table:
    groups: dict[str, list[TableDay]] = {}
    for each in days:
        groups.setdefault(key_of(each), []).append(each)
    columns = (Column(by, by.replace("_", " ").capitalize(), TEXT), *FIGURES)
    rows = tuple((key, *_figures(found)) for key, found in sorted(groups.items()))
    return Table(name, title, columns, rows, ("total", *_figures(days)), notes, plot)


def _figures(days: Sequence[TableDay]) -> Row:
    held = Held((each.base, each.before) for each in days)
    return (
        len({each.table_id for each in days}),
        *held.cells,
        sum(each.play.rounds for each in days),
        sum(each.play.handle for each in days),
        sum(each.game_win for each in days),
    )


def _shifts(facts: TableFacts) -> list[TableDay]:
    return [each for each in facts.shifts if each.shift]


def _shift_notes(facts: TableFacts) -> tuple[str, ...]:
    whole = any(not each.shift and each.papers.felt for each in facts.shifts)
    said = "A shift's win takes its own opener, count and closer."
    return (said, "Documents of a whole day stand in no shift.") if whole else (said,)


def _base(facts: TableFacts, wagers: WagerFacts, limits: Limits) -> Table:
    """Each table's hold against its base level: the year before, or the month before where that has no day."""
    theory = _theory(wagers)
    tables: dict[str, list[TableDay]] = {}
    former: dict[str, list[TableDay]] = {}
    for each in facts.days:
        if each.gaming_day >= facts.asked.first:
            tables.setdefault(each.table_id, []).append(each)
        else:
            former.setdefault(each.table_id, []).append(each)
    rows = tuple(
        _base_row(facts.asked.first, found, former.get(table, []), theory.get(table), limits)
        for table, found in sorted(tables.items())
    )
    notes = (
        (
            "Base level: the hold of the year before; without one, of the month before. Standard error: of the base's"
            " daily holds, over the period's days."
        ),
        f"Flagged beyond {limits.said}, from a drop of {dollars(limits.minimum_drop)} on ({limits.title}).",
    )
    return Table("base_level", "Hold against the base level", BASE_COLUMNS, rows, None, notes)


def _base_row(
    first: date, days: Sequence[TableDay], former: Sequence[TableDay], theory: int | None, limits: Limits
) -> Row:
    held = Held((each.base, each.before) for each in days)
    said, base = _base_days(first, former)
    level = Held((each.base, each.before) for each in base)
    error, off, flagged = None, None, ""
    if held.win is not None and held.base and level.win is not None and level.base:
        off = Fraction(held.win, held.base) - Fraction(level.win, level.base)
        spread = mean_and_error(list(_daily(base)), len(days))
        error = spread[1] if spread else None
        flagged = flag(off, error, limits) if held.base >= limits.minimum_drop else ""
    return (
        days[0].table_id,
        days[-1].game,
        len(days),
        *held.cells,
        theory,
        said,
        level.cells[2],
        percent(off),
        percent(error),
        flagged,
    )


def _base_days(first: date, former: Sequence[TableDay]) -> tuple[str, list[TableDay]]:
    year = [each for each in former if each.gaming_day.year == first.year - 1]
    if year:
        return str(first.year - 1), year
    last = first.replace(day=1) - timedelta(days=1)
    month = [each for each in former if (each.gaming_day.year, each.gaming_day.month) == (last.year, last.month)]
    return (last.strftime(MONTH), month) if month else ("", [])


def _daily(days: Iterable[TableDay]) -> Iterable[Fraction]:
    for each in days:
        if each.before is not None and each.base:
            yield Fraction(each.before, each.base)


def _theory(facts: WagerFacts) -> dict[str, int | None]:
    """The theoretical win by table; None where the rules give none for one of its wagers."""
    groups = _by(facts.wagers, lambda each: each.key.table_id)
    return {name: expected_of(found, facts, name) for name, found in groups.items()}


def _by(sums: Iterable[WagerSum], key_of: Callable[[WagerSum], str]) -> Mapping[str, list[WagerSum]]:
    groups: dict[str, list[WagerSum]] = {}
    for each in sums:
        groups.setdefault(key_of(each), []).append(each)
    return groups


def expected_of(sums: Sequence[WagerSum], facts: WagerFacts, table_id: str = "") -> int | None:
    """The theoretical win of sums of wagers in cents, contributions of their table among them."""
    made = {key: each for key, each in facts.contributions.items() if key.table_id == table_id}
    base, side, external = wager_lines.lines(sums, made)
    found = [expected(line) for line in (*base, *side, *external) if line.handle]
    known = [each for each in found if each is not None]
    return sum(known) if len(known) == len(found) else None


def _dealers(facts: WagerFacts) -> Table:
    groups = _by(facts.dealers, lambda each: each.key.dealer)
    rows = tuple(_dealer_row(name, found, facts) for name, found in sorted(groups.items()) if name)
    notes = (
        (
            "Where the floor names the dealer. Game win = stakes - what the table paid; theoretical win is empty where"
            " the rules give none for one of the wagers."
        ),
    )
    return Table("dealers", "Dealers", DEALER_COLUMNS, rows, None, notes)


def _dealer_row(name: str, found: Sequence[WagerSum], facts: WagerFacts) -> Row:
    handle = sum(each.handle_cents for each in found)
    won = handle - sum(each.inventory_cents for each in found)
    hold: Cell = percent(Fraction(won, handle)) if handle else None
    return name, sum(each.wagers for each in found), handle, won, hold, expected_of(found, facts)
