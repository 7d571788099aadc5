"""Faults of money: each named by the report that has to name it, to the cent."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import ClassVar

from casino.floor.v1 import events_pb2 as floor
from casino.reporting.v1 import documents_pb2 as paper
from clients.floor.day import Day
from tests.month import office
from tests.month.dealers import Overpaying
from tests.month.drawer import count_of, kind_of, pieces
from tests.month.faulty import Fault, FaultyRun, corrected, papers_of, table_of, with_felt
from tests.month.month import drawer_of

SECOND_CLERK = "second-clerk"
IN, OUT = "in tolerance", "out of tolerance"


@dataclass
class FillKeyedTwice(Fault):
    """A clerk keys one fill slip a second time, under the next number. Named by the reconciliation."""

    slip: paper.Document = field(default_factory=paper.Document)

    def papers(self, day: Day, documents: list[paper.Document]) -> list[paper.Document]:
        """The largest fill of the day at a live table, twice."""
        if day.gaming_day != self.day:
            return documents
        live = {name for name, _ in with_felt(day)}
        fills = [each for each in documents if kind_of(each) == "fill" and each.table_id in live]
        self.slip.CopyFrom(max(fills, key=lambda each: each.amount_cents))
        self.tables = {(self.day, self.slip.table_id)}
        return [*documents, self.slip]

    async def filed(self, run: FaultyRun, day: Day) -> None:
        """The table has won less than it settled by exactly that fill; another clerk then corrects it to nothing."""
        if day.gaming_day != self.day:
            return
        assert await run.two_wins(self.day, self.slip.table_id) == (-self.slip.amount_cents, OUT)
        slips = await run.rows("fills-and-credits", "slips", self.day, table=self.slip.table_id)
        same = [str(row["serial"]) for row in slips if (row["kind"], row["total"]) == ("fill", self.slip.amount_cents)]
        assert len(same) == 2
        assert self.slip.document_id in same
        await run.post([corrected(self.slip, "keyed twice", amount_cents=0)], SECOND_CLERK)
        assert await run.two_wins(self.day, self.slip.table_id) == (0, IN)
        adjusted = (self.slip.amount_cents, 0, office.CLERK, SECOND_CLERK)
        assert await run.adjusted(self.day, self.slip.table_id) == [adjusted]
        assert "gross-revenue" in (await office.status(run.casino, self.day, compare=True)).differs


@dataclass
class ShortCount(Fault):
    """The second of two counters finds less in a box. Named by the inventory discrepancies, as a pair of counts."""

    SHORT: ClassVar[int] = 50_000
    count: paper.Document = field(default_factory=paper.Document)

    def papers(self, day: Day, documents: list[paper.Document]) -> list[paper.Document]:
        """One box of a live table, its second count short, and the short count standing."""
        if day.gaming_day != self.day:
            return documents
        live = {name for name, _ in with_felt(day)}
        counts = [each for each in documents if kind_of(each) == "count" and each.table_id in live]
        self.count = max(counts, key=lambda each: each.currency_cents)
        for each in (self.count, self.count.second_count):
            shorten(each, self.SHORT)
        self.count.amount_cents -= self.SHORT
        return documents

    async def posted(self, run: FaultyRun, day: Day) -> None:
        """The day is counted but not audited until the box is counted anew."""
        if day.gaming_day != self.day:
            return
        count = self.count
        true = count.amount_cents + self.SHORT
        assert await run.blockers(self.day) == [("audited", "COUNTS_DIFFER", count.document_id)]
        (row,) = await run.rows("inventory-discrepancies", "counts", self.day)
        assert (row["table"], row["document"], row["box"]) == (count.table_id, count.document_id, count.box_serial)
        assert (row["first"], row["second"], row["difference"]) == (true, count.amount_cents, -self.SHORT)
        await office.advance(run.casino, self.day, "counted", "count-supervisor")
        await run.refused(self.day, "audited", "auditor", "COUNTS_DIFFER", count.document_id)
        (box,) = [box for box in drawer_of(table_of(day, count.table_id)).boxes if box.serial == count.box_serial]
        parts = {**count_of(box, "cid", "dora"), "amount_cents": box.drop}
        await run.post([corrected(count, "counted anew by two others", **parts)], SECOND_CLERK)
        assert await run.blockers(self.day) == []


@dataclass
class ShortBox(Fault):
    """Money is gone from a box before it is counted, so that both counters find less. Named by the reconciliation."""

    GONE: ClassVar[int] = 50_000
    table: str = ""

    def __post_init__(self) -> None:
        self.tables = {(self.day, self.table)}

    def papers(self, day: Day, documents: list[paper.Document]) -> list[paper.Document]:
        """The table's fullest box, less what is gone."""
        if day.gaming_day == self.day:
            count = max(papers_of(documents, "count", self.table), key=lambda each: each.currency_cents)
            for each in (count, count.first_count, count.second_count):
                shorten(each, self.GONE)
            count.amount_cents -= self.GONE
        return documents

    async def filed(self, run: FaultyRun, day: Day) -> None:
        """The counts agree, and the table has won less than it settled by exactly what is gone."""
        if day.gaming_day == self.day:
            assert await run.rows("inventory-discrepancies", "counts", self.day) == []
            assert await run.two_wins(self.day, self.table) == (-self.GONE, OUT)


def shorten(count: paper.Document | paper.IndependentCount, cents: int) -> None:
    """Take so much from the currency of a count."""
    count.currency_cents -= cents
    del count.denominations[:]
    count.denominations.extend(pieces(count.currency_cents))


@dataclass
class OverpaidSideWagers(Fault):
    """A dealer pays one side wager in 40 as if it had won. Named by the reconciliation, at his table on his days."""

    DAYS: ClassVar[int] = 5
    table: str = "BAC-02"

    def __post_init__(self) -> None:
        self.tables = {(day, self.table) for day in self.days}

    @property
    def days(self) -> list[date]:
        """When he deals."""
        return [self.day + timedelta(days=number) for number in range(self.DAYS)]

    @property
    def habits(self) -> dict[tuple[date, str], Overpaying]:
        """His habit, by day and table."""
        return {(day, self.table): Overpaying(shift=2) for day in self.days}

    async def filed(self, run: FaultyRun, day: Day) -> None:
        """The table has won less than it settled by exactly what he gave away."""
        if day.gaming_day in self.days:
            given = drawer_of(table_of(day, self.table)).overpaid
            assert given
            assert await run.two_wins(day.gaming_day, self.table) == (-given, OUT)


@dataclass
class MiscalibratedFeed(Fault):
    """A table's sensors report every stake a tenth too high. Named by the meters, or at a live table by the two wins.

    `table` sends whole rounds, and its wagers have no denominations of their own.
    """

    table: str = ""
    extra: int = 0

    def __post_init__(self) -> None:
        self.tables = {(self.day, self.table)}

    def events(self, day: Day, events: list[floor.Event]) -> list[floor.Event]:
        """Every stake a tenth higher than it lay there."""
        if day.gaming_day != self.day:
            return events
        return [self._miscalibrated(each) if each.whole_round.table_id == self.table else each for each in events]

    def _miscalibrated(self, event: floor.Event) -> floor.Event:
        changed = floor.Event()
        changed.CopyFrom(event)
        for wager in changed.whole_round.wagers:
            wager.stake_cents += wager.stake_cents // 10
        return changed

    async def filed(self, run: FaultyRun, day: Day) -> None:
        """What was settled is a tenth more than what was played, and the report says so to the cent."""
        if day.gaming_day != self.day:
            return
        played = table_of(day, self.table)
        drawer, own = drawer_of(played), played.handle - played.payout
        difference, status = await run.two_wins(self.day, self.table)
        assert (difference, status) == (own - (own + own // 10), OUT)
        if drawer.felt:
            return
        (row,) = await run.rows("meter-comparison", "meters", self.day, table=self.table)
        assert (row["metered_wagers"], row["settled_wagers"]) == (played.handle, played.handle * 11 // 10)
        assert (row["wagers_variance"], row["status"]) == (-(played.handle // 10), "investigate")
