"""Faults of papers and of time: boxes that are missing, counts on the wrong day, edited slips, a round that is late."""

import copy
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import ClassVar

import pytest

from casino.floor.v1 import events_pb2 as floor
from casino.reporting.v1 import documents_pb2 as paper
from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.rounds.v1 import entries_pb2 as rounds
from clients.cli.properties import wait_until_level
from clients.floor.day import Day, register
from clients.sdk.refusals import RefusedByServer
from clients.sdk.stream import RoundsStream
from tests.floor.auditor import lines, payout
from tests.month import office
from tests.month.drawer import kind_of, pieces
from tests.month.faults import IN, OUT, SECOND_CLERK
from tests.month.faulty import Fault, FaultyRun, corrected, day_of, papers_of, with_felt
from tests.month.house import FIRST_DAY, PROPERTY
from tests.month.month import DAYS, days

SUPERVISOR, LATE_GATEWAY = "supervisor", "late-gateway"


@dataclass
class MissingBox(Fault):
    """A box is dropped and never counted, until it is found a day later. Named by the exceptions, with its number."""

    count: paper.Document = field(default_factory=paper.Document)

    @property
    def next_day(self) -> date:
        """When the box is found."""
        return self.day + timedelta(days=1)

    def papers(self, day: Day, documents: list[paper.Document]) -> list[paper.Document]:
        """A box of a live table has no count."""
        if day.gaming_day != self.day:
            return documents
        self.count = largest_count(day, documents, shift=3)
        return [each for each in documents if each is not self.count]

    async def posted(self, run: FaultyRun, day: Day) -> None:
        """The day is held; the next is counted and audited all the same; both are filed when the box is found."""
        box = self.count.box_serial
        if day.gaming_day == self.day:
            assert await run.blockers(self.day) == [("counted", "BOX_NOT_COUNTED", box)]
            (row,) = await run.rows("exceptions", "open", self.day)
            assert (row["blocks"], row["reason"], row["subject"]) == ("counted", "BOX_NOT_COUNTED", box)
            await run.refused(self.day, "counted", "count-supervisor", "BOX_NOT_COUNTED", box)
            assert await run.two_wins(self.day, self.count.table_id) == (-self.count.amount_cents, OUT)
            run.held.append(day)
        elif day.gaming_day == self.next_day:
            for to, by in office.STEPS[:2]:
                await office.advance(run.casino, self.next_day, to, by)
            assert await run.blockers(self.day) == [("counted", "BOX_NOT_COUNTED", box)]
            await run.post([self.count], SECOND_CLERK)
            assert await run.blockers(self.day) == []
            assert await run.two_wins(self.day, self.count.table_id) == (0, IN)


@dataclass
class CountOnTheWrongDay(Fault):
    """A box's count is posted to the day after. Named on its own day as not counted, on the other as counted twice."""

    count: paper.Document = field(default_factory=paper.Document)

    @property
    def next_day(self) -> date:
        """The day to which it is posted."""
        return self.day + timedelta(days=1)

    def papers(self, day: Day, documents: list[paper.Document]) -> list[paper.Document]:
        """A count of a live table says the wrong day."""
        if day.gaming_day == self.day:
            self.count = largest_count(day, documents, shift=1)
            self.count.gaming_day = self.next_day.isoformat()
        return documents

    async def posted(self, run: FaultyRun, day: Day) -> None:
        """The count is posted anew to its day; on the other day it is corrected to nothing."""
        if day.gaming_day == self.day:
            await self._on_its_day(run)
        elif day.gaming_day == self.next_day:
            await self._on_the_other(run)

    async def _on_its_day(self, run: FaultyRun) -> None:
        box = self.count.box_serial
        assert await run.blockers(self.day) == [("counted", "BOX_NOT_COUNTED", box)]
        assert await run.two_wins(self.day, self.count.table_id) == (-self.count.amount_cents, OUT)
        again = copy.deepcopy(self.count)
        again.document_id, again.gaming_day = "", self.day.isoformat()
        await run.post([again], SECOND_CLERK)
        assert await run.blockers(self.day) == []
        assert await run.two_wins(self.day, self.count.table_id) == (0, IN)

    async def _on_the_other(self, run: FaultyRun) -> None:
        box, amount = self.count.box_serial, self.count.amount_cents
        assert await run.blockers(self.next_day) == [("audited", "BOX_COUNTED_TWICE", box)]
        (row,) = await run.rows("inventory-discrepancies", "documents", self.next_day)
        assert (row["reason"], row["subject"]) == ("BOX_COUNTED_TWICE", box)
        assert await run.two_wins(self.next_day, self.count.table_id) == (amount, OUT)
        nothing = {"amount_cents": 0, "currency_cents": 0, "counter_checks_cents": 0, "coupons_cents": 0}
        empty = {
            name: paper.IndependentCount(counted_by=by)
            for name, by in (("first_count", "ann"), ("second_count", "ben"))
        }
        said = f"the count of {self.day}"
        await run.post([corrected(self.count, said, box_serial="", **nothing, **empty)], SECOND_CLERK)
        assert await run.blockers(self.next_day) == []
        assert await run.two_wins(self.next_day, self.count.table_id) == (0, IN)


@dataclass
class EditedSlip(Fault):
    """A supervisor makes a closer say more. A slip is never edited; a correction without a notification is named."""

    MORE: ClassVar[int] = 100_000
    table: str = ""
    slip: paper.Document = field(default_factory=paper.Document)

    def papers(self, day: Day, documents: list[paper.Document]) -> list[paper.Document]:
        """The slip that he will edit."""
        if day.gaming_day == self.day:
            (self.slip,) = papers_of(documents, "closer", self.table)
        return documents

    async def posted(self, run: FaultyRun, day: Day) -> None:
        """He is refused under the slip's own number; his correction holds the day until another person undoes it."""
        if day.gaming_day != self.day:
            return
        higher = self.slip.amount_cents + self.MORE
        edited = copy.deepcopy(self.slip)
        edited.amount_cents = higher
        del edited.denominations[:]
        edited.denominations.extend(pieces(higher))
        with pytest.raises(RefusedByServer, match="DOCUMENT_TAKEN"):
            await office.post(run.casino, [edited], SUPERVISOR, attempt="edited")
        changed = corrected(self.slip, "as I remember it", amount_cents=higher, denominations=pieces(higher))
        await run.post([changed], SUPERVISOR)
        await self._named(run, changed.document_id)
        await self._undone(run, changed)

    async def _named(self, run: FaultyRun, number: str) -> None:
        assert await run.blockers(self.day) == [("audited", "CORRECTION_NOT_NOTIFIED", number)]
        (row,) = await run.rows("inventory-discrepancies", "documents", self.day)
        assert (row["reason"], row["subject"]) == ("CORRECTION_NOT_NOTIFIED", number)
        assert await run.two_wins(self.day, self.table) == (self.MORE, OUT)
        await office.advance(run.casino, self.day, "counted", "count-supervisor")
        await run.refused(self.day, "audited", "auditor", "CORRECTION_NOT_NOTIFIED", number)

    async def _undone(self, run: FaultyRun, changed: paper.Document) -> None:
        true = self.slip.amount_cents
        back = corrected(changed, "the tray was counted again", amount_cents=true, denominations=pieces(true))
        await run.post([back], SECOND_CLERK)
        notice = paper.Document(
            property_id=PROPERTY,
            kind=paper.DOCUMENT_KIND_ERROR_NOTIFICATION,
            gaming_day=self.day.isoformat(),
            table_id=self.table,
            reason="the closer was changed without a count, and changed back after one",
            about=[changed.document_id, back.document_id],
            signatures=[paper.Signature(role="preparer", name="an accountant")],
        )
        await run.post([notice], SECOND_CLERK)
        assert await run.blockers(self.day) == []
        assert await run.two_wins(self.day, self.table) == (0, IN)
        higher = true + self.MORE
        made = [(true, higher, office.CLERK, SUPERVISOR), (higher, true, SUPERVISOR, SECOND_CLERK)]
        assert await run.adjusted(self.day, self.table) == made


@dataclass
class LateWinningRound(Fault):
    """A round that patrons won comes after its day was filed. Named before by the two wins, after by the day itself."""

    table: str = ""
    late: floor.Event = field(default_factory=floor.Event)
    lost: int = 0

    def events(self, day: Day, events: list[floor.Event]) -> list[floor.Event]:
        """The table's last round that the house lost is kept back."""
        if day.gaming_day != self.day:
            return events
        *_, self.late = [each for each in events if each.whole_round.table_id == self.table and result_of(each) < 0]
        self.lost = -result_of(self.late)
        self.tables = {(self.day, self.table)}
        return [each for each in events if each is not self.late]

    async def filed(self, run: FaultyRun, day: Day) -> None:
        """What patrons won is missing from the chips and unknown to the platform: the two wins differ by it."""
        if day.gaming_day == self.day:
            assert await run.two_wins(self.day, self.table) == (-self.lost, OUT)

    async def ended(self, run: FaultyRun) -> None:
        """The round goes to its own day, which then differs from what was filed and is restated by two people."""
        filed = await run.contents(self.day)
        await self._send(run)
        assert await run.two_wins(self.day, self.table) == (0, IN)
        stands = await office.status(run.casino, self.day, compare=True)
        assert (stands.state, stands.version) == (office.state("filed"), 1)
        # The papers are what they were, so the revenue is; what was settled is not.
        assert "daily-win" in stands.differs
        assert "gross-revenue" not in stands.differs
        assert await run.contents(self.day) == filed
        await self._restate(run)
        assert await run.contents(self.day) == filed
        (second, first) = [await self._game_win(run, version) for version in (2, 1)]
        assert second - first == -self.lost
        outdated = await run.rows("exceptions", "outdated", day_of(DAYS), FIRST_DAY)
        later = [day.isoformat() for day in days() if day > self.day]
        assert [(row["gaming_day"], row["restated_day"]) for row in outdated] == [(day, str(self.day)) for day in later]

    async def _send(self, run: FaultyRun) -> None:
        await register(run.casino, run.played[self.day], LATE_GATEWAY)
        async with RoundsStream(run.casino, PROPERTY, LATE_GATEWAY) as stream:
            await stream.send(self.late)
            await stream.drain()
            assert not stream.answered()
        await wait_until_level(run.casino, PROPERTY)

    async def _restate(self, run: FaultyRun) -> None:
        controller, chief = run.casino.acting_as("controller"), run.casino.acting_as("chief-auditor")
        text = self.day.isoformat()
        request = reporting.RestateDayRequest(
            request_id=f"restate {text}", property_id=PROPERTY, gaming_day=text, reason="a round came late"
        )
        await controller.call(controller.reporting.RestateDay, request)
        approval = reporting.ApproveRestatementRequest(
            request_id=f"approve {text}", property_id=PROPERTY, gaming_day=text
        )
        approved = await chief.call(chief.reporting.ApproveRestatement, approval)
        assert {each.version for each in approved.reports} == {2}

    async def _game_win(self, run: FaultyRun, version: int) -> int:
        content = await office.content(run.casino, "daily-win", self.day.isoformat(), version)
        rows = lines(reporting.Report.FromString(content), "win")
        (found,) = [row["game_win"] for row in rows if row["name"] == self.table]
        assert isinstance(found, int)
        return found


def result_of(event: floor.Event) -> int:
    """What the house won by a whole round of a game with one result."""
    whole = event.whole_round
    played = rounds.Round(history=[whole.result])
    return sum(wager.stake_cents - (payout(wager, played) or 0) for wager in whole.wagers)


def largest_count(day: Day, documents: list[paper.Document], shift: int) -> paper.Document:
    """The count of the fullest box of a shift at the live tables, of those without counter checks."""
    live = {name for name, _ in with_felt(day)}
    counts = [each for each in documents if kind_of(each) == "count" and each.table_id in live and each.shift == shift]
    return max((each for each in counts if not each.counter_checks_cents), key=lambda each: each.amount_cents)
