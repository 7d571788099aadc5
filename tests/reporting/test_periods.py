"""Revenue reports over Postgres, behind the contract: kinds of tables, periods, what is filed."""

from typing import Any

from casino.reporting.v1 import reporting_service_pb2 as messages
from casino.settlement.v1 import entries_pb2 as settlement
from services.kernel.money import cents
from services.reporting.filing import FILED_REPORTS
from services.reporting.reports.named import REPORTS
from tests.reporting.builders import DAY
from tests.reporting.conftest import House, eventually
from tests.reporting.papers import complete, file_day, post, post_all, status, whole_day, written
from tests.reporting.test_projections import LOSE, WIN, settled, table
from tests.reporting.upstream import PROPERTY

READER = (("principal", "a reader"),)


async def report(house: House, name: str, **given: Any) -> messages.Report:
    """A report of the test's day, or of what is given."""
    parts = given or {"gaming_day": DAY.isoformat()}
    request = messages.GetReportRequest(name=name, property_id=PROPERTY, **parts)
    return (await house.stub.GetReport(request, metadata=READER)).report


async def submit(house: House, kind: str) -> None:
    """A Rules Submission that makes the table one of a kind."""
    terms = settlement.TableTerms(
        table_id="BAC-01",
        game="baccarat",
        kind=kind,
        decks=8,
        offers=[settlement.Offer(code="baccarat.perfect_pairs", paytable="A")],
    )
    approved = settlement.Submission(
        submission_id="RS-1", property_id=PROPERTY, effective_from="2026-01-01", tables=[terms]
    )
    await house.upstream.submissions.commit([settlement.SubmissionsEntry(approved=approved)])

    async def followed() -> bool:
        found = await report(house, "master-game-report")
        return {each.feed: each.position for each in found.positions}["submissions"] == 1

    await eventually(followed)


async def test_every_report_answers_for_a_day_a_week_and_a_month(house: House) -> None:
    """Each names its period, and its signatures where it has any."""
    await complete(house)
    await post_all(house, whole_day())
    for name in REPORTS:
        day = await report(house, name)
        assert (day.from_day, day.gaming_day) == (
            ("2026-03-01", "2026-03-31") if name == "monthly-sheet" else ("", DAY.isoformat())
        )
        for period, first in (("week", "2026-03-02"), ("month", "2026-03-01")):
            found = await report(house, name, gaming_day="2026-03-04", period=period)
            assert found.tables
            assert found.from_day == ("2026-03-01" if name == "monthly-sheet" else first)
    assert list((await report(house, "master-game-report")).signatures)[-1] == "Controller"


async def test_the_worked_day_is_the_same_in_every_report(house: House) -> None:
    """15,650.00 in daily win, master game report and gross revenue; 12 % of it to the state."""
    await complete(house)
    await post_all(house, whole_day())
    rows, _ = table(await report(house, "master-game-report"), "tables")
    assert [(row["class"], row["win"], row["hold"]) for row in rows] == [("banking", cents("15,650"), "32.44")]
    rows, _ = table(await report(house, "gross-revenue"), "days")
    assert [(row["revenue"], row["state_tax"]) for row in rows] == [(cents("15,650"), cents("1,878"))]
    rows, _ = table(await report(house, "reconciliation"), "two_wins")
    assert [(row["game_win"], row["status"]) for row in rows] == [(0, "out of tolerance")]


async def test_the_kind_of_a_table_is_its_rules_submissions(house: House) -> None:
    """A table filed as fully automated has the win of its meters and their tax; slips are in none."""
    await submit(house, "fully_automated")
    reading = written("meter_reading", "R-1", wagers_cents=cents("1,000"), payouts_cents=cents("900"))
    await post(house, reading)
    await house.upstream.settle(settled(1, ("baccarat.player", "standard", 100_000, WIN, 90_000)), rounds=2)
    await house.upstream.progressives.commit(rounds=2)
    await house.report(complete_to=2)
    rows, _ = table(await report(house, "gross-revenue"), "days")
    assert [(row["class"], row["revenue"], row["automated_tax"]) for row in rows] == [
        ("fully_automated", cents("100"), cents("34"))
    ]
    rows, _ = table(await report(house, "meter-comparison"), "meters")
    assert [(row["wagers_variance"], row["payouts_variance"], row["status"]) for row in rows] == [(0, 0, "")]


async def test_take_up_is_counted_from_the_settlements(house: House) -> None:
    """One of one seat, and a revision takes what it supersedes out again."""
    await submit(house, "live")
    first = settled(1, ("baccarat.player", "standard", 100, LOSE, 0), ("baccarat.perfect_pairs", "A", 500, LOSE, 0))
    await house.upstream.settle(first, settled(2, ("baccarat.player", "standard", 100, LOSE, 0)), rounds=2)
    again = settled(1, ("baccarat.player", "standard", 100, LOSE, 0), ("baccarat.perfect_pairs", "A", 700, LOSE, 0))
    again.revision = 1
    await house.upstream.settle(again, rounds=2)
    await house.upstream.progressives.commit(rounds=2)
    await house.report(complete_to=2)
    rows, _ = table(await report(house, "side-wagers"), "side_wagers")
    assert [(row["take_up"], row["handle"]) for row in rows] == [("50.00", 700)]


async def test_three_reports_are_filed_and_stay_as_they_are(house: House) -> None:
    """What is filed says the same after filing; a late document changes revenue, and a period shows both."""
    await complete(house)
    await post_all(house, whole_day())
    await file_day(house)
    found = await status(house, compare=True)
    assert [each.name for each in found.reports] == list(FILED_REPORTS)
    assert list(found.differs) == []
    await post(house, written("fill", "F-2", "10,000.00"))
    assert list((await status(house, compare=True)).differs) == list(FILED_REPORTS)
    month = await report(house, "gross-revenue", gaming_day=DAY.isoformat(), period="month")
    (row,), _ = table(month, "adjustments")
    assert (row["filed_revenue"], row["revenue"], row["change"], row["flag"]) == (
        cents("15,650"),
        cents("5,650"),
        cents("-10,000"),
        "over 2,000.00",
    )


async def test_exceptions_and_discrepancies_name_their_documents(house: House) -> None:
    """A slip without its signatures, and an opener that is not the closer before it."""
    await complete(house)
    await post(house, written("closer", "X-0", "50,000.00", gaming_day="2026-03-01"))
    await post(house, written("opener", "O-1", "49,900.00", signatures=[]))
    rows, _ = table(await report(house, "exceptions"), "open")
    assert {("SIGNATURE_MISSING", "O-1"), ("OPENER_DIFFERS", "O-1"), ("DOCUMENT_MISSING", "BAC-01")} <= {
        (row["reason"], row["subject"]) for row in rows
    }
    rows, _ = table(await report(house, "inventory-discrepancies"), "openers")
    assert [(row["document"], row["closer"], row["difference"], row["notice"]) for row in rows] == [
        ("O-1", "X-0", cents("-100"), "reported")
    ]
