"""What the reports on a period are made of, read in one snapshot: table-days, sums of wagers, papers day by day."""

from bisect import bisect_right
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Generic, NamedTuple, TypeVar

from services.kernel.house_edge import DEFAULT_BAND, EdgeBand
from services.reporting import store
from services.reporting.classes import ClassLine, Papers, class_lines, kind_of
from services.reporting.day import DayRecord
from services.reporting.days import store as days
from services.reporting.discrepancy import discrepancies
from services.reporting.document import SIGNATORIES, Document, TableSetting
from services.reporting.documents import store as documents
from services.reporting.payments import store as payments
from services.reporting.reports import store as sums
from services.reporting.reports.store import PlaceKey, Play
from services.reporting.serials import Gap, gaps
from services.reporting.sums import ContributionKey, ExceptionKey, SeatKey, SumKey, TableTerms, WagerSum
from services.reporting.suspicions import store as suspicions
from services.reporting.suspicions.store import Closed
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
    jurisdiction: str = ""


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
    own = (asked.property_id, asked.first, asked.last)
    play = await sums.play(connection, *own, by_shift=True) if shift_play else {}
    whole = await _whole_days(connection, asked, since, play if shift_play else None)
    whole_days = await _table_days(connection, asked, since, settings, terms, whole, by_shift=False)
    parts = []
    if shifts or shift_play:
        parts = await _table_days(connection, asked, asked.first, settings, terms, play, by_shift=True)
    history = await days.changes(connection, asked.property_id, asked.first, asked.last)
    states = {each.gaming_day: each.state for each in history.values()}
    return TableFacts(asked, whole_days, parts, states)


async def _whole_days(
    connection: Connection, asked: Asked, since: date, shifts: Mapping[PlaceKey, Play] | None
) -> dict[PlaceKey, Play]:
    """What was settled by day and table; that of the period itself is summed from its shifts, where these are known."""
    if shifts is None:
        return await sums.play(connection, asked.property_id, since, asked.last, by_shift=False)
    before = asked.first - timedelta(days=1)
    found = await sums.play(connection, asked.property_id, since, before, by_shift=False) if since <= before else {}
    parts: dict[PlaceKey, list[Play]] = {}
    for (day, _, table_id), each in shifts.items():
        parts.setdefault((day, 0, table_id), []).append(each)
    return found | {key: Play(*map(sum, zip(*each, strict=True))) for key, each in parts.items()}


async def _table_days(
    connection: Connection,
    asked: Asked,
    since: date,
    settings: InForce[TableSetting],
    terms: InForce[TableTerms],
    play: Mapping[PlaceKey, Play],
    *,
    by_shift: bool,
) -> list[TableDay]:
    span = (asked.property_id, since, asked.last)
    papers = await sums.papers(connection, *span, by_shift=by_shift)
    slips = {} if by_shift else await payments.paid_by_slip(connection, *span)
    paid = {(day, 0, table_id): cents for (day, table_id), cents in slips.items()}
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
    return TableDay(*key, pit, game, kind, papers, play, paid, class_lines(kind, papers, paid, played=any(play)))


async def wager_facts(connection: Connection, asked: Asked, *, dealers: bool = False) -> WagerFacts:
    """Sums of the period's wagers."""
    span = (asked.property_id, asked.first, asked.last)
    wagers = await sums.wagers(connection, *span, by_dealer=dealers)
    return WagerFacts(
        asked,
        _whoever_dealt(wagers) if dealers else wagers,
        await sums.contributions(connection, *span),
        await sums.seats(connection, *span),
        await sums.terms(connection, asked.property_id),
        wagers if dealers else (),
    )


def _whoever_dealt(wagers: Iterable[WagerSum]) -> list[WagerSum]:
    """The sums of all dealers under each key without one, in the order of the keys."""
    found: dict[SumKey, list[WagerSum]] = {}
    for each in wagers:
        found.setdefault(each.key._replace(dealer=""), []).append(each)
    return [WagerSum(key, *map(sum, zip(*(each[1:] for each in found[key]), strict=True))) for key in sorted(found)]


async def paper_facts(connection: Connection, asked: Asked) -> PaperFacts:
    """Every day of the period that has documents, rounds or exceptions, with all on which it can be found wrong.

    The papers of table-days that nothing is suspected of are left out: no rule would find anything on them.
    """
    span = (asked.property_id, asked.first, asked.last)
    table_days = await suspicions.table_days(connection, *span, {kind: len(each) for kind, each in SIGNATORIES.items()})
    played = await sums.played(connection, *span)
    closers = await documents.closers_before(connection, asked.property_id, asked.first)
    named = _suspected(table_days, played, closers)
    posted = _by_day(await documents.documents_at(connection, asked.property_id, named))
    papers = await documents.documents_named(connection, asked.property_id, filter(None, named.values()))
    before: dict[date, dict[str, Document]] = {}
    for (day, table_id), name in named.items():
        closer = papers[name] if name else closers.get(table_id)
        before.setdefault(day, {}).update({table_id: closer} if closer else {})
    days = {each.gaming_day for each in table_days} | set(posted) | set(played)
    records = await _records(connection, asked, days, posted, before, played, named)
    return PaperFacts(asked, records, {each.gaming_day: before.get(each.gaming_day, {}) for each in records})


def _suspected(
    table_days: Sequence[Closed], played: Mapping[date, Sequence[str]], closers: Mapping[str, Document]
) -> dict[tuple[date, str], str]:
    """The table-days to be judged, in order, each with the closer that stood last in the period; empty if none did."""
    last = {table_id: ("", each.amount_cents) for table_id, each in closers.items()}
    known, found = set(), dict[tuple[date, str], str]()
    for each in table_days:
        place = (each.gaming_day, each.table_id)
        known.add(place)
        name, amount = last.get(each.table_id, ("", each.opener))
        if each.suspected or each.opener not in (None, amount):
            found[place] = name
        if each.closer is not None and each.closer_id:
            last[each.table_id] = each.closer_id, each.closer
    found |= {
        (day, table_id): "" for day, names in played.items() for table_id in names if (day, table_id) not in known
    }
    return dict(sorted(found.items()))


def _by_day(posted: Iterable[Document]) -> dict[date, list[Document]]:
    found: dict[date, list[Document]] = {}
    for each in posted:
        found.setdefault(each.gaming_day, []).append(each)
    return found


async def _records(
    connection: Connection,
    asked: Asked,
    days: set[date],
    posted: Mapping[date, Sequence[Document]],
    closers: Mapping[date, Mapping[str, Document]],
    played: Mapping[date, Sequence[str]],
    judged: Container[tuple[date, str]],
) -> list[DayRecord]:
    """The days in order, each with the papers and closers given for it and what else it is judged by."""
    span = (asked.property_id, asked.first, asked.last)
    pending = await sums.pending(connection, *span)
    exceptions = await suspicions.exceptions(connection, *span)
    questions = await suspicions.questions(connection, *span)
    # What stands on every day is told with the first one.
    everywhere = (await suspicions.exceptions(connection, asked.property_id, *[store.EVERY_DAY] * 2)).values()
    slips = [each.jackpot_id for own in posted.values() for each in own if each.jackpot_id]
    jackpots = await documents.jackpots_named(connection, asked.property_id, slips)
    missing: dict[date, list[Gap]] = {}
    for gap in gaps(await suspicions.after_gaps(connection, *span)):
        missing.setdefault(gap.gaming_day, []).append(gap)
    records = []
    for place, day in enumerate(sorted({*days, *pending, *exceptions, *questions})):
        own = posted.get(day, [])
        standing_exceptions = exceptions.get(day, {})
        records.append(
            DayRecord(
                gaming_day=day,
                documents=own,
                played=[each for each in played.get(day, []) if (day, each) in judged],
                pending=pending.get(day, {}),
                gaps=missing.get(day, []),
                discrepancies=discrepancies(own, closers.get(day, {}), jackpots),
                exceptions=_sorted(standing_exceptions, *everywhere) if not place else standing_exceptions,
                questions=questions.get(day, {}),
                complete=0,
                needed=0,
                ends_at=None,
                now=asked.now,
            )
        )
    return records


def _sorted(*found: Mapping[ExceptionKey, int]) -> dict[ExceptionKey, int]:
    """The exceptions of a day and of every day, as one list of a day has them."""
    every = {key: count for some in found for key, count in some.items()}
    return dict(sorted(every.items(), key=lambda item: (item[0].source, item[0].reason, item[0].table_id)))
