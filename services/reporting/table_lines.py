"""The day's tables: what papers and meters say beside what was settled, by table, pit, game, property and class."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from services.kernel.money import dollars
from services.reporting import classes, win
from services.reporting.classes import CLASSES, ELECTRONIC, ClassLine, Papers
from services.reporting.sums import WagerSum
from services.reporting.table import CENTS, COUNT, PERCENT, TEXT, Column, Row, Table
from services.reporting.win import Inventory, whole

WIN_COLUMNS = (
    Column("scope", "Scope", TEXT),
    Column("name", "Name", TEXT),
    Column("opener", "Opener", CENTS),
    Column("fills", "Fills", CENTS),
    Column("credits", "Credits", CENTS),
    Column("drop", "Drop", CENTS),
    Column("closer", "Closer", CENTS),
    Column("metered_wagers", "Metered wagers", CENTS),
    Column("metered_payouts", "Metered payouts", CENTS),
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
    (
        "Win = closer + credits + drop - opener - fills (58 Pa. Code 601a.9); of a fully automated table and of a"
        " hybrid table's terminals, metered wagers - metered payouts (605a.5); before progressives."
    ),
    "Drop = currency and counter checks counted in the box; hold = win / (drop + metered wagers).",
    "Game win = stakes - payouts by the table, from its inventory or at its terminals; difference = win - game win.",
    "What is paid by progressive jackpot slip is a line of its own, on the day on which it is paid.",
)
CLASS_COLUMNS = (
    Column("class", "Class", TEXT),
    Column("tables", "Tables", COUNT),
    Column("drop", "Drop", CENTS),
    Column("metered_wagers", "Metered wagers", CENTS),
    Column("metered_payouts", "Metered payouts", CENTS),
    Column("win", "Win", CENTS),
    Column("hold", "Hold %", PERCENT),
    Column("progressive_paid", "Progressive paid", CENTS),
    Column("win_after_progressive", "Win after progressive", CENTS),
)
NO_SLIPS = Inventory(0, 0, 0, 0, 0)
"""The slips of a table that has none and misses none."""


@dataclass(frozen=True)
class TableLine:
    """One table's day: documents, and what its rounds add up to in cents; `lines`: its classes of win."""

    table_id: str
    pit: str
    game: str
    kind: str
    papers: Papers
    rounds: int
    wagers: int
    handle: int
    payout: int
    from_inventory: int
    played: bool
    lines: tuple[ClassLine, ...]

    @property
    def idle(self) -> bool:
        """Whether it was closed and not played: a jackpot of an earlier day was paid, or some other form posted."""
        return self.papers.closed and not self.played

    @property
    def slips(self) -> Inventory:
        """The inventory of its felt."""
        felt = any(each.revenue_class not in ELECTRONIC for each in self.lines)
        return self.papers.inventory if felt and not self.idle else NO_SLIPS

    @property
    def electronic(self) -> bool:
        """Whether its meters are part of its win."""
        return any(each.revenue_class in ELECTRONIC for each in self.lines) and not self.idle

    @property
    def metered_wagers(self) -> int | None:
        """What was wagered at its terminals; None: they were not read."""
        return self.papers.metered_wagers if self.electronic else 0

    @property
    def metered_payouts(self) -> int | None:
        """What its terminals paid; None: they were not read."""
        return self.papers.metered_payouts if self.electronic else 0

    @property
    def win(self) -> int | None:
        """The win of all its classes before progressives."""
        return whole([each.before for each in self.lines])

    @property
    def notes(self) -> list[str]:
        """What a reader must know of its documents."""
        if self.idle:
            return []
        said = win.notes(self.table_id, self.papers.inventory) if self.slips is not NO_SLIPS else []
        return said + classes.notes(self.table_id, self.kind, self.papers)


def win_table(property_id: str, lines: Sequence[TableLine], wagers: Iterable[WagerSum]) -> Table:
    """Tables, pits, games, and the property in the totals."""
    rows = [_row("table", line.table_id, [line]) for line in lines]
    rows += _grouped("pit", lines, lambda line: line.pit)
    rows += _grouped("game", lines, lambda line: line.game)
    notes = [note for line in lines for note in line.notes]
    notes += _pending(wagers)
    return Table("win", "Win", WIN_COLUMNS, tuple(rows), _row("property", property_id, lines), (*WIN_NOTES, *notes))


def _grouped(scope: str, lines: Iterable[TableLine], name_of: Callable[[TableLine], str]) -> list[Row]:
    groups: dict[str, list[TableLine]] = {}
    for line in lines:
        groups.setdefault(name_of(line), []).append(line)
    return [_row(scope, name, groups[name]) for name in sorted(groups)]


def _row(scope: str, name: str, lines: Sequence[TableLine]) -> Row:
    slips = win.together([line.slips for line in lines])
    won, base = whole([line.win for line in lines]), whole([each.base for line in lines for each in line.lines])
    paid = sum(each.paid for line in lines for each in line.lines)
    handle = sum(line.handle for line in lines)
    game_win = handle - sum(line.from_inventory for line in lines)
    return (
        scope,
        name,
        slips.opener,
        slips.fills,
        slips.credits,
        slips.drop,
        slips.closer,
        whole([line.metered_wagers for line in lines]),
        whole([line.metered_payouts for line in lines]),
        won,
        win.hold(won, base),
        game_win,
        _less(won, game_win),
        sum(line.rounds for line in lines),
        sum(line.wagers for line in lines),
        handle,
        sum(line.payout for line in lines),
        paid,
        _less(won, paid),
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


def class_table(lines: Sequence[TableLine]) -> Table:
    """The classes of revenue, each with its drop or its meters, and all of them."""
    parts = [(line, each) for line in lines for each in line.lines]
    rows = [
        (name, *_class_cells([part for part in parts if part[1].revenue_class == name]))
        for name in CLASSES
        if any(each.revenue_class == name for _, each in parts)
    ]
    # A hybrid table is a table of two classes.
    totals = ("total", len(lines), *_class_cells(parts)[1:])
    return Table("classes", "Classes of revenue", CLASS_COLUMNS, tuple(rows), totals)


def _class_cells(parts: Sequence[tuple[TableLine, ClassLine]]) -> Row:
    electronic = [line for line, each in parts if each.revenue_class in ELECTRONIC]
    lines = [each for _, each in parts]
    won, paid = whole([each.before for each in lines]), sum(each.paid for each in lines)
    return (
        len(lines),
        whole([each.base for each in lines if each.revenue_class not in ELECTRONIC]),
        whole([line.metered_wagers for line in electronic]),
        whole([line.metered_payouts for line in electronic]),
        won,
        win.hold(won, whole([each.base for each in lines])),
        paid,
        _less(won, paid),
    )
