"""The win of a gaming day by table and class, recomputed from papers, meters and rounds: plain sums of its own."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, time
from fractions import Fraction
from typing import Any, NamedTuple

from casino.progressives.v1 import entries_pb2 as progressives
from casino.reporting.v1 import documents_pb2 as paper
from casino.rounds.v1 import entries_pb2 as rounds
from clients.cli.audit.table_sums import TableSum
from services.kernel.clock import Calendar
from services.kernel.money import decimal_text

Row = dict[str, Any]
BANKING, FELT, TERMINALS, AUTOMATED = "banking", "hybrid_felt", "hybrid_terminals", "fully_automated"
CLASSES = (BANKING, FELT, TERMINALS, AUTOMATED)
ELECTRONIC = (TERMINALS, AUTOMATED)
HYBRID = "hybrid"
OF_A_FELT = (paper.DOCUMENT_KIND_OPENER, paper.DOCUMENT_KIND_COUNT, paper.DOCUMENT_KIND_CLOSER)


@dataclass
class Payments:
    """What progressive jackpot slips paid, each on the gaming day of its payment, or of its being voided."""

    calendars: dict[date, Calendar] = field(default_factory=dict)
    standing: Counter[str] = field(default_factory=Counter)
    moves: list[tuple[progressives.Jackpot, int]] = field(default_factory=list)

    def setting(self, body: rounds.PropertySettings) -> None:
        """The property's gaming days, from one on."""
        starts = tuple(map(time.fromisoformat, body.shift_starts))
        calendar = Calendar(body.time_zone, time.fromisoformat(body.cut_over), starts)
        self.calendars[date.fromisoformat(body.effective_from)] = calendar

    def jackpot(self, body: progressives.Jackpot) -> None:
        """A state of a jackpot, in the order of the feed."""
        paid = body.amount_cents if body.state == progressives.JACKPOT_STATE_PAID and body.paid_from == "slip" else 0
        moved, self.standing[body.jackpot_id] = paid - self.standing[body.jackpot_id], paid
        if moved:
            self.moves.append((body, moved))

    def on(self, day: str) -> Counter[str]:
        """What was paid on a gaming day by table, in cents; tables where it comes to nothing are left out."""
        sums: Counter[str] = Counter()
        for body, moved in self.moves:
            if (self._day(body) if body.HasField("at") else body.key.gaming_day) == day:
                sums[body.key.table_id] += moved
        return Counter({table: cents for table, cents in sums.items() if cents})

    def _day(self, body: progressives.Jackpot) -> str:
        at = body.at.ToDatetime(UTC)
        newest = sorted(self.calendars.items(), reverse=True)
        found = [calendar for since, calendar in newest if calendar.day_of(at) >= since]
        return (found or [newest[-1][1]])[0].day_of(at).isoformat()


class Part(NamedTuple):
    """A class's part of a table's day, in cents; `base`: what the hold is of. None: a document is missing."""

    revenue_class: str
    win: int | None
    paid: int
    base: int | None


@dataclass(frozen=True)
class TableDay:
    """A table's standing documents, sums of settled rounds, kind as filed and what was paid by slip, in cents."""

    name: str
    documents: Sequence[paper.Document]
    played: TableSum
    filed: str
    paid: int

    def total(self, kind: int, part: str = "amount_cents") -> int:
        """What the documents of a kind sum to."""
        return sum(getattr(each, part) for each in self.documents if each.kind == kind)

    def has(self, *kinds: int) -> bool:
        """Whether there is a document of one of these kinds."""
        return any(each.kind in kinds for each in self.documents)

    @property
    def felt(self) -> bool:
        """Whether a slip says that chips were on the table."""
        moved = self.total(paper.DOCUMENT_KIND_FILL) + self.total(paper.DOCUMENT_KIND_CREDIT)
        return self.has(*OF_A_FELT) or moved > 0

    @property
    def idle(self) -> bool:
        """Whether the table was neither opened nor played: only a jackpot of another day was paid."""
        read, checks = self.has(paper.DOCUMENT_KIND_METER_READING), self.total(paper.DOCUMENT_KIND_COUNTER_CHECK)
        opened = self.felt or read or checks
        return not opened and not self.played.rounds and not self.played.standing

    @property
    def kind(self) -> str:
        """As filed, else as its documents show."""
        if self.filed or not self.has(paper.DOCUMENT_KIND_METER_READING):
            return self.filed or "live"
        return HYBRID if self.felt else AUTOMATED

    @property
    def slips(self) -> dict[str, int | None]:
        """The day of its felt: first opener, last closer, every fill, credit and count; nothing where it has none."""
        if self.idle or {each.revenue_class for each in self.parts} <= {*ELECTRONIC}:
            return dict.fromkeys(("opener", "fills", "credits", "drop", "closer"), 0)
        return self._slips()

    def _slips(self) -> dict[str, int | None]:
        ends: dict[int, list[paper.Document]] = defaultdict(list)
        for each in sorted(self.documents, key=_moment):
            ends[each.kind].append(each)
        openers, closers = ends[paper.DOCUMENT_KIND_OPENER], ends[paper.DOCUMENT_KIND_CLOSER]
        counted = self.has(paper.DOCUMENT_KIND_COUNT)
        return {
            "opener": openers[0].amount_cents if openers else None,
            "fills": self.total(paper.DOCUMENT_KIND_FILL),
            "credits": self.total(paper.DOCUMENT_KIND_CREDIT),
            "drop": self.total(paper.DOCUMENT_KIND_COUNT) if counted else None,
            "closer": closers[-1].amount_cents if closers else None,
        }

    @property
    def meters(self) -> tuple[int | None, int | None]:
        """Wagers and payouts of its terminals; None where they were not read, 0 where it has none."""
        if self.idle or not {each.revenue_class for each in self.parts} & {*ELECTRONIC}:
            return 0, 0
        return self._meters()

    def _meters(self) -> tuple[int | None, int | None]:
        if not self.has(paper.DOCUMENT_KIND_METER_READING):
            return None, None
        read = paper.DOCUMENT_KIND_METER_READING
        return self.total(read, "wagers_cents"), self.total(read, "payouts_cents")

    @property
    def parts(self) -> list[Part]:
        """The classes of its win."""
        if self.idle:
            return [Part({AUTOMATED: AUTOMATED, HYBRID: FELT}.get(self.kind, BANKING), 0, self.paid, 0)]
        slips, (wagers, payouts) = self._slips(), self._meters()
        out = [slips[each] for each in ("opener", "fills")]
        into = [slips[each] for each in ("closer", "credits", "drop")]
        felt = Part(BANKING, less(whole(into), whole(out)), self.paid, slips["drop"])
        metered = Part(TERMINALS, less(wagers, payouts), self.paid, wagers)
        if self.kind == AUTOMATED:
            return [metered._replace(revenue_class=AUTOMATED)]
        if self.kind != HYBRID:
            return [felt]
        if not self.felt:
            return [metered]
        return [felt._replace(revenue_class=FELT), metered._replace(paid=0)]


def win_tables(
    property_id: str, days: Sequence[TableDay], places: Mapping[str, tuple[str, str]]
) -> tuple[list[Row], Row]:
    """Tables, pits and games, and the property in the totals."""
    rows = [_win_row("table", each.name, [each]) for each in days]
    for scope, place in (("pit", 0), ("game", 1)):
        groups: defaultdict[str, list[TableDay]] = defaultdict(list)
        for each in days:
            groups[places.get(each.name, ("", ""))[place]].append(each)
        rows += [_win_row(scope, name, groups[name]) for name in sorted(groups)]
    return rows, _win_row("property", property_id, days)


def _win_row(scope: str, name: str, days: Sequence[TableDay]) -> Row:
    slips, meters = [each.slips for each in days], [each.meters for each in days]
    parts, played = [part for each in days for part in each.parts], [each.played for each in days]
    won, paid = whole(part.win for part in parts), sum(part.paid for part in parts)
    handle = sum(each.handle for each in played)
    game_win = handle - sum(each.inventory for each in played)
    return {
        "scope": scope,
        "name": name,
        **{
            column: whole(slip[column] for slip in slips) for column in ("opener", "fills", "credits", "drop", "closer")
        },
        "metered_wagers": whole(wagered for wagered, _ in meters),
        "metered_payouts": whole(paid_out for _, paid_out in meters),
        "win": won,
        "hold": percent(won, whole(part.base for part in parts)),
        "game_win": game_win,
        "difference": less(won, game_win),
        "rounds": sum(each.rounds for each in played),
        "wagers": sum(each.wagers for each in played),
        "handle": handle,
        "payout": sum(each.payout for each in played),
        "progressive_paid": paid,
        "win_after_progressive": less(won, paid),
    }


def class_tables(days: Sequence[TableDay]) -> tuple[list[Row], Row]:
    """The classes of revenue, each with its drop or its meters, and all of them."""
    parts = [(each, part) for each in days for part in each.parts]
    rows = []
    for name in CLASSES:
        own = [each for each in parts if each[1].revenue_class == name]
        if own:
            rows.append(_class_row(name, own, len(own)))
    return rows, _class_row("total", parts, len(days))


def _class_row(name: str, parts: Sequence[tuple[TableDay, Part]], tables: int) -> Row:
    meters = [day.meters for day, part in parts if part.revenue_class in ELECTRONIC]
    won, paid = whole(part.win for _, part in parts), sum(part.paid for _, part in parts)
    return {
        "class": name,
        "tables": tables,
        "drop": whole(part.base for _, part in parts if part.revenue_class not in ELECTRONIC),
        "metered_wagers": whole(wagered for wagered, _ in meters),
        "metered_payouts": whole(paid_out for _, paid_out in meters),
        "win": won,
        "hold": percent(won, whole(part.base for _, part in parts)),
        "progressive_paid": paid,
        "win_after_progressive": less(won, paid),
    }


def vigorish_tables(day: str, days: Sequence[TableDay]) -> tuple[list[Row], Row | None]:
    """What was owed and recovered of vigorish, by table that has a form of it."""
    forms = (paper.DOCUMENT_KIND_VIGORISH_UNCOLLECTED, paper.DOCUMENT_KIND_VIGORISH_RECOVERED)
    own = [each for each in days if each.has(*forms)]
    rows = [{"gaming_day": day, "table": each.name, **_vigorish([each], forms)} for each in own]
    return rows, {"gaming_day": "total", "table": None, **_vigorish(own, forms)} if own else None


def _vigorish(days: Sequence[TableDay], forms: tuple[int, int]) -> Row:
    uncollected, recovered = (sum(each.total(kind) for each in days) for kind in forms)
    won = whole(part.win for each in days for part in each.parts)
    return {
        "uncollected": uncollected,
        "recovered": recovered,
        "adjustment": uncollected - recovered,
        "win": won,
        "adjusted_win": None if won is None else won + uncollected - recovered,
    }


def _moment(document: paper.Document) -> int:
    at = document.occurred_at if document.HasField("occurred_at") else document.posted_at
    return at.ToNanoseconds()


def whole(amounts: Iterable[int | None]) -> int | None:
    """The sum; None if a part is missing."""
    found = list(amounts)
    known = [each for each in found if each is not None]
    return sum(known) if len(known) == len(found) else None


def less(amount: int | None, other: int | None) -> int | None:
    """The difference; None if a part is missing."""
    return None if amount is None or other is None else amount - other


def percent(part: int | None, base: int | None) -> str | None:
    """A hold, to two digits; None where it is undefined."""
    return decimal_text(Fraction(part) * 100 / base, 2) if part is not None and base else None
