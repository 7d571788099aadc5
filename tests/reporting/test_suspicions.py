"""The papers that a period's reports do not read are papers on which no rule finds anything."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import asyncpg
import pytest

from services.reporting.day import DayRecord
from services.reporting.discrepancy import discrepancies
from services.reporting.document import SIGNATORIES, Amounts, Denomination, Document, IndependentCount, Signature
from services.reporting.document import standing as counted
from services.reporting.documents import store as documents
from services.reporting.periods import Asked, PaperFacts, paper_facts
from services.reporting.reports.inventory_discrepancies import inventory_discrepancies
from services.reporting.reports.open_exceptions import open_exceptions
from services.reporting.serials import gaps
from services.reporting.statistics import limits
from services.runtime.store import Connection
from tests.databases import Database
from tests.reporting.upstream import PROPERTY

MONDAY = date(2026, 3, 2)
DAYS, TABLES = 4, ("BAC-01", "BAC-02", "BAC-03", "BAC-04")
ASKED = Asked(PROPERTY, "Sample", MONDAY + timedelta(days=1), MONDAY + timedelta(days=DAYS - 1), datetime.now(UTC))
FIRST, SECOND = "Ann", "Ben"


class Clerk:
    """Writes the papers of some tables and days, now and then in one of the ways in which papers are wrong."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._serials: dict[str, int] = {}
        self._minutes = 0

    def papers(self) -> Iterator[Document]:
        """In the order in which they are posted."""
        for number in range(DAYS):
            for table in TABLES:
                if self._happens(20):
                    yield self._paper("meter_reading", number, table, 0, wagers_cents=100, payouts_cents=90)
                else:
                    yield from self._table_day(number, table)

    def _table_day(self, number: int, table: str) -> Iterator[Document]:
        slips = [self._paper("opener", number, table, 1_000 if not self._happens(10) else 900)]
        slips.append(self._paper("fill", number, table, 300))
        checks = 0 if self._happens(3) else 100
        slips += [self._paper("counter_check", number, table, checks)] if checks else []
        if self._happens(10):
            slips.append(self._paper("counter_check_redeemed", number, table, 50))
        box = f"B-{table}"
        slips += [self._paper("drop", number, table, 0, box_serial=box)] if not self._happens(10) else []
        slips += [self._count(number, table, box, checks)] if not self._happens(10) else []
        if self._happens(20):
            slips += [self._count(number, table, box, 0)]
            slips += [self._paper("drop", number, table, 0, box_serial=box)] if self._happens(2) else []
        slips.append(self._paper("closer", number, table, 1_000))
        for slip in slips:
            if not self._happens(25):
                yield slip
                yield from self._afterwards(slip, number)

    def _afterwards(self, slip: Document, number: int) -> Iterator[Document]:
        """Some are corrected, at their table or another one, and some of those are explained."""
        if self._happens(12):
            table = self._random.choice(TABLES)
            other = self._paper(slip.kind, number, table, slip.amount_cents, corrects=slip.document_id, reason="wrong")
            yield replace(
                other,
                currency_cents=slip.currency_cents,
                counter_checks_cents=slip.counter_checks_cents,
                first_count=slip.first_count,
                second_count=slip.second_count,
                box_serial=slip.box_serial,
                wagers_cents=slip.wagers_cents,
                payouts_cents=slip.payouts_cents,
            )
        if self._happens(12):
            about = self._random.choice((slip.document_id, slip.table_id, f"{slip.table_id}/counter_checks"))
            yield self._paper("error_notification", number, slip.table_id, 0, about=(about,), reason="seen")

    def _count(self, number: int, table: str, box: str, checks: int) -> Document:
        amounts = Amounts(2_000, checks, 0, 0)
        other = Amounts(1_990, checks, 0, 0) if self._happens(8) else amounts
        second = None if self._happens(12) else IndependentCount(SECOND, other)
        made = self._paper("count", number, table, 2_000 + checks, box_serial="" if self._happens(12) else box)
        return replace(
            made,
            currency_cents=2_000,
            counter_checks_cents=checks,
            first_count=IndependentCount(FIRST, amounts),
            second_count=second,
        )

    def _paper(self, kind: str, number: int, table: str, amount: int, **given: object) -> Document:
        self._minutes += 1
        serial = self._serials[kind] = self._serials.get(kind, 0) + (3 if self._happens(20) else 1)
        at = datetime(2026, 3, 2, 12, tzinfo=UTC) + timedelta(days=number, minutes=self._minutes)
        roles = SIGNATORIES[kind][1:] if self._happens(15) else SIGNATORIES[kind]
        parts = kind in ("opener", "fill", "credit", "closer") and amount and not self._happens(15)
        made = Document(
            document_id=f"{kind}-{serial}",
            property_id=PROPERTY,
            kind=kind,
            gaming_day=MONDAY + timedelta(days=number),
            shift=0,
            table_id=table,
            amount_cents=amount,
            currency_cents=0,
            counter_checks_cents=0,
            occurred_at=None if self._happens(5) else at,
            posted_by="a clerk",
            posted_at=at,
            denominations=(Denomination(100, amount),) if parts else (),
            signatures=tuple(Signature(role, f"a {role}") for role in roles),
        )
        return replace(made, **given)  # type: ignore[arg-type]  # what a test's paper is given fits its fields

    def _happens(self, once_in: int) -> bool:
        return self._random.randrange(once_in) == 0


async def every_paper(connection: Connection) -> PaperFacts:
    """The days of the period with all their papers, each judged by the rules alone."""
    posted = list((await documents.documents(connection, PROPERTY)).values())
    missing = gaps(await documents.numbered(connection, PROPERTY, ASKED.first, ASKED.last))
    records, before, closers = [], {}, await documents.closers_before(connection, PROPERTY, ASKED.first)
    for day in (ASKED.first + timedelta(days=n) for n in range(DAYS - 1)):
        own = [each for each in posted if each.gaming_day == day]
        before[day] = dict(closers)
        records.append(
            DayRecord(
                gaming_day=day,
                documents=own,
                played=[*TABLES, "BAC-09"],
                pending={},
                gaps=[gap for gap in missing if gap.gaming_day == day],
                discrepancies=discrepancies(own, closers, {}),
                exceptions={},
                questions={},
                complete=0,
                needed=0,
                ends_at=None,
                now=ASKED.now,
            )
        )
        closed = [each for each in counted(own) if each.kind == "closer"]
        closers |= {each.table_id: each for each in sorted(closed, key=lambda each: each.occurred_at or each.posted_at)}
    return PaperFacts(ASKED, records, before)


@pytest.mark.parametrize("seed", range(12))
async def test_what_is_not_suspected_is_in_order(database: Database, seed: int) -> None:
    """Exceptions and discrepancies of a period are those that every paper of it would give."""
    connection = await asyncpg.connect(database.url("reporting"))
    try:
        for position, paper in enumerate(Clerk(seed).papers(), 1):
            await documents.add_document(connection, position, paper)
        for day in (ASKED.first + timedelta(days=n) for n in range(DAYS - 1)):
            for table in (*TABLES, "BAC-09"):
                await connection.execute("INSERT INTO round_sum VALUES ($1, $2, 1, $3, 10)", PROPERTY, day, table)
        found, wanted = await paper_facts(connection, ASKED), await every_paper(connection)
    finally:
        await connection.close()
    assert open_exceptions(found) == open_exceptions(wanted)
    assert inventory_discrepancies(found, limits()) == inventory_discrepancies(wanted, limits())
    assert any(table.rows for table in open_exceptions(found))


class Careful(Clerk):
    """A clerk to whom nothing happens."""

    def _happens(self, once_in: int) -> bool:
        return False


async def judged(database: Database, papers: Sequence[Document]) -> PaperFacts:
    """What is known of the period when these papers were posted."""
    connection = await asyncpg.connect(database.url("reporting"))
    try:
        for position, paper in enumerate(papers, 1):
            await documents.add_document(connection, position, paper)
        return await paper_facts(connection, ASKED)
    finally:
        await connection.close()


async def test_papers_in_order_are_not_read(database: Database) -> None:
    """Of days without anything wrong no paper is read."""
    found = await judged(database, list(Careful(1).papers()))
    assert len(found.records) == DAYS - 1
    assert not [each for record in found.records for each in record.documents]


async def test_a_box_dropped_and_counted_twice_is_read(database: Database) -> None:
    """Drops and counts that agree in number are looked at where a box is twice among them."""
    papers = list(Careful(1).papers())
    again = [each for each in papers if each.gaming_day == ASKED.first and each.table_id == TABLES[0]]
    twice = [replace(each, document_id=f"{each.kind}-{1_000}") for each in again if each.kind in ("drop", "count")]
    checks = next(replace(each, document_id="counter_check-1000") for each in again if each.kind == "counter_check")
    (opened, *_) = open_exceptions(await judged(database, [*papers, *twice, checks]))
    assert "BOX_COUNTED_TWICE" in {row[2] for row in opened.rows}
