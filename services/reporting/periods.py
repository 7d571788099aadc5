"""What the reports on a period are made of, read in one snapshot: table-days, sums of wagers, papers day by day."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Generic, NamedTuple, TypeVar

from services.kernel.house_edge import DEFAULT_BAND, EdgeBand
from services.reporting import store
from services.reporting.classes import ClassLine, Papers, class_lines, kind_of
from services.reporting.day import DayRecord
from services.reporting.days import store as days
from services.reporting.discrepancy import discrepancies
from services.reporting.document import Document, TableSetting, standing
from services.reporting.documents import store as documents
from services.reporting.meters import store as meters
from services.reporting.reports import store as sums
from services.reporting.reports.store import PlaceKey, Play
from services.reporting.serials import gaps
from services.reporting.sums import ContributionKey, SeatKey, TableTerms, WagerSum
from services.reporting.win import Inventory, whole
from services.runtime.store import Connection


class Asked(NamedTuple):
    """A period of a property, both days included."""

    property_id: str
    title: str
    first: date
    last: date
    now: datetime
    band: EdgeBand = DEFAULT_BAND


@dataclass(frozen=True, slots=True)
class TableDay:
    """A table's gaming day, or a shift of it (`shift` above 0); `paid`: by progressive jackpot slip, in cents."""

    gaming_day: date
    shift: int
    table_id: str
    pit: str
    game: str
    kind: str
    papers: Papers
    play: Play
    paid: int
    lines: tuple[ClassLine, ...]

    @property
    def before(self) -> int | None:
        """The win of all its classes before what was paid off the inventory, in cents."""
        return self.lines[0].before if len(self.lines) == 1 else whole([line.before for line in self.lines])

    @property
    def base(self) -> int | None:
        """Drop and metered wagers, in cents."""
        return self.lines[0].base if len(self.lines) == 1 else whole([line.base for line in self.lines])

    @property
    def game_win(self) -> int:
        """Settled stakes less what the table paid, in cents."""
        return self.play.handle - self.play.from_inventory

    @property
    def open(self) -> bool:
        """Whether the table was in operation: it dealt, or was opened, or its meters were read."""
        return bool(self.play.rounds) or self.papers.felt or self.papers.metered is not None


@dataclass(frozen=True)
class TableFacts:
    """Table-days of a period and of what stands before it, by day and table; those of shifts in the period alone."""

    asked: Asked
    days: Sequence[TableDay]
    shifts: Sequence[TableDay] = ()
    states: Mapping[date, str] | None = None

    @property
    def own(self) -> list[TableDay]:
        """The table-days of the period itself."""
        return [each for each in self.days if self.asked.first <= each.gaming_day <= self.asked.last]


@dataclass(frozen=True)
class WagerFacts:
    """Sums of wagers over a period, by table and submission; `dealers`: by dealer too."""

    asked: Asked
    wagers: Sequence[WagerSum]
    contributions: Mapping[ContributionKey, tuple[int, int]]
    seats: Mapping[SeatKey, tuple[int, int]]
    terms: Sequence[TableTerms] = ()
    dealers: Sequence[WagerSum] = ()


@dataclass(frozen=True)
class PaperFacts:
    """The days of a period that have anything, as each is judged by; `closers`: what stood before, by day and table."""

    asked: Asked
    records: Sequence[DayRecord]
    closers: Mapping[date, Mapping[str, Document]]


Dated = TypeVar("Dated", TableSetting, TableTerms)
"""What is said of a table from a gaming day on."""


class InForce(Generic[Dated]):
    """What is said of tables, in the order in which it comes into force: of several from one day the last one given."""

    def __init__(self, rows: Iterable[Dated]) -> None:
        self._rows: dict[str, list[Dated]] = {}
        for row in rows:
            self._rows.setdefault(row.table_id, []).append(row)

    def on(self, table_id: str, day: date) -> Dated | None:
        """What holds for a table on a gaming day."""
        rows = self._rows.get(table_id, [])
        place = bisect_right(rows, day, key=lambda row: row.effective_from)
        return rows[place - 1] if place else None


async def table_facts(
    connection: Connection, asked: Asked, since: date, *, shifts: bool = False, shift_play: bool = False
) -> TableFacts:
    """Table-days from `since` to the end of the period; the documents of their shifts, and what was played in them, if
    wanted.
    """
    settings = InForce(await sums.table_settings(connection, asked.property_id))
    terms = InForce(await sums.terms(connection, asked.property_id))
    whole_days = await _table_days(connection, asked, since, settings, terms, by_shift=False)
    parts = []
    if shifts or shift_play:
        parts = await _table_days(connection, asked, asked.first, settings, terms, by_shift=True, played=shift_play)
    history = await days.changes(connection, asked.property_id, asked.first, asked.last)
    states = {each.gaming_day: each.state for each in history.values()}
    return TableFacts(asked, whole_days, parts, states)


async def _table_days(
    connection: Connection,
    asked: Asked,
    since: date,
    settings: InForce[TableSetting],
    terms: InForce[TableTerms],
    *,
    by_shift: bool,
    played: bool = True,
) -> list[TableDay]:
    span = (asked.property_id, since, asked.last)
    papers = await sums.papers(connection, *span, by_shift=by_shift)
    play = await sums.play(connection, *span, by_shift=by_shift) if played else {}
    paid = {} if by_shift else await sums.paid_by_slip(connection, *span)
    keys = sorted({*papers, *(key for key, each in play.items() if any(each)), *paid})
    return [
        table_day(
            key,
            settings.on(key[2], key[0]),
            terms.on(key[2], key[0]),
            papers.get(key, Papers(Inventory(None, 0, 0, None, None))),
            play.get(key, Play()),
            paid.get(key, 0),
        )
        for key in keys
    ]


def table_day(
    key: PlaceKey,
    setting: TableSetting | None,
    terms: TableTerms | None,
    papers: Papers,
    play: Play,
    paid: int,
) -> TableDay:
    """A table's day of what is known of it; without a submission its kind is what its documents show."""
    pit, game = (setting.pit, setting.game) if setting else ("", "")
    kind = kind_of(terms.kind if terms else "", papers)
    return TableDay(*key, pit, game, kind, papers, play, paid, class_lines(kind, papers, paid))


async def wager_facts(connection: Connection, asked: Asked, *, dealers: bool = False) -> WagerFacts:
    """Sums of the period's wagers."""
    span = (asked.property_id, asked.first, asked.last)
    return WagerFacts(
        asked,
        await sums.wagers(connection, *span, by_dealer=False),
        await sums.contributions(connection, *span),
        await sums.seats(connection, *span),
        await sums.terms(connection, asked.property_id),
        await sums.wagers(connection, *span, by_dealer=True) if dealers else (),
    )


async def paper_facts(connection: Connection, asked: Asked) -> PaperFacts:
    """Every day of the period that has documents, rounds or exceptions, as it is judged by."""
    span = (asked.property_id, asked.first, asked.last)
    posted: dict[date, list[Document]] = {}
    for each in await documents.documents_between(connection, *span):
        posted.setdefault(each.gaming_day, []).append(each)
    played = await sums.played(connection, *span)
    pending = await sums.pending(connection, *span)
    jackpots = await documents.jackpots_named(
        connection, asked.property_id, [each.jackpot_id for own in posted.values() for each in own if each.jackpot_id]
    )
    missing = gaps(await documents.numbered(connection, *span))
    closers = await documents.closers_before(connection, asked.property_id, asked.first)
    records: list[DayRecord] = []
    before: dict[date, dict[str, Document]] = {}
    for day in sorted({*posted, *played, *pending, *await sums.exceptional(connection, *span)}):
        own = posted.get(day, [])
        before[day] = dict(closers)
        found = await store.exceptions(connection, asked.property_id, day)
        records.append(
            DayRecord(
                gaming_day=day,
                documents=own,
                played=played.get(day, []),
                pending=pending.get(day, {}),
                gaps=[gap for gap in missing if gap.gaming_day == day],
                discrepancies=discrepancies(own, closers, jackpots),
                # What stands on every day is told with the first one.
                exceptions={key: n for key, n in found.items() if not records or key.gaming_day == day},
                questions=await meters.open_questions(connection, asked.property_id, day),
                earlier=(),
                complete=0,
                needed=0,
                ends_at=None,
                now=asked.now,
            )
        )
        closers = {**closers, **last_closers(own)}
    return PaperFacts(asked, records, before)


def last_closers(own: Sequence[Document]) -> dict[str, Document]:
    """The last closer of a day at each table."""
    closed = [each for each in standing(own) if each.kind == "closer"]
    return {each.table_id: each for each in sorted(closed, key=lambda each: each.occurred_at or each.posted_at)}
