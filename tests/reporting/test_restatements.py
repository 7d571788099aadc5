"""What a restated day changes of the reports of later days, and which filed days stand on a version before."""

from datetime import UTC, date, datetime

from casino.reporting.v1 import documents_pb2 as paper
from casino.reporting.v1 import reporting_service_pb2 as messages
from services.reporting.filing import Filed
from services.reporting.reports.restatements import Restatement, outdated, table
from tests.reporting.builders import DAY
from tests.reporting.conftest import AS_CLERK, House
from tests.reporting.papers import box, complete, file_day, post, post_all, status, whole_day, written
from tests.reporting.test_filing import approve, restate
from tests.reporting.test_projections import table as rows_of
from tests.reporting.upstream import PROPERTY

NEXT = date(2026, 3, 3)


def next_papers() -> list[paper.Document]:
    """The papers of the day after with a win of 600.00."""
    on = {"gaming_day": NEXT.isoformat()}
    return [
        written("opener", "O-2", "32,400.00", **on),
        written("drop", "D-2", box_serial="B-8", **on),
        box("N-2", "1,000.00", "0.00", **{**on, "box_serial": "B-8"}),
        written("closer", "X-2", "32,000.00", **on),
    ]


async def two_days(house: House) -> House:
    """BJ-104's day and the next, both filed."""
    await complete(house)
    await post_all(house, whole_day())
    await file_day(house)
    await post_all(house, next_papers())
    await file_day(house, NEXT.isoformat())
    return house


async def report(house: House, name: str, day: str = NEXT.isoformat(), version: int = 0) -> messages.Report:
    """A report of a day, as it is now or as filed."""
    request = messages.GetReportRequest(name=name, property_id=PROPERTY, gaming_day=day, version=version)
    return (await house.stub.GetReport(request, metadata=AS_CLERK)).report


async def restated(house: House) -> House:
    """The first of two filed days restated for a late fill of 1,000.00."""
    await two_days(house)
    await post(house, written("fill", "F-2", "1,000.00"))
    await restate(house, "Ann")
    await approve(house, "Ben")
    return house


async def test_a_later_days_report_names_what_was_restated_before_it(house: House) -> None:
    """Month and year to date agree with the restated day, and a line says which day, version and change."""
    await two_days(house)
    before = await report(house, "master-game-report")
    assert (rows_of(before, "games")[1]["mtd_win"], rows_of(before, "restatements")[0]) == (1_625_000, [])
    await post(house, written("fill", "F-2", "1,000.00"))
    await restate(house, "Ann")
    await approve(house, "Ben")
    now = await report(house, "master-game-report")
    assert rows_of(now, "games")[1]["mtd_win"] == 1_525_000
    (line,), _ = rows_of(now, "restatements")
    assert (line["gaming_day"], line["version"], line["change"]) == (DAY.isoformat(), 2, -100_000)
    assert (line["filed_win"], line["win"], line["reason"]) == (1_565_000, 1_465_000, "a late slip")
    assert (line["approved_by"], rows_of(await report(house, "master-game-report", version=1), "restatements")[0]) == (
        "Ben",
        [],
    )


async def test_the_restated_day_has_no_line_of_its_own_restatement(house: House) -> None:
    """Its report says the same before and after it is filed."""
    await restated(house)
    assert rows_of(await report(house, "master-game-report", DAY.isoformat(), 2), "restatements")[0] == []
    assert list((await status(house, compare=True)).differs) == []


async def test_a_filed_day_that_stands_on_an_older_version_is_an_exception(house: House) -> None:
    """It is listed with the version it stands on until it is restated itself, and shown as differing."""
    await restated(house)
    (line,), _ = rows_of(await report(house, "exceptions"), "outdated")
    assert (line["gaming_day"], line["version"], line["restated_day"]) == (NEXT.isoformat(), 1, DAY.isoformat())
    assert (line["stands_on"], line["restated_version"], line["change"]) == (1, 2, -100_000)
    assert list((await status(house, NEXT.isoformat(), compare=True)).differs) == [
        "master-game-report",
        "gross-revenue",
    ]
    (line,), _ = rows_of(await report(house, "gross-revenue"), "restatements")
    assert (line["gaming_day"], line["change"]) == (DAY.isoformat(), -100_000)
    about = {"property_id": PROPERTY, "gaming_day": NEXT.isoformat()}
    again = messages.RestateDayRequest(request_id="again", reason="2 March was restated", **about)
    await house.stub.RestateDay(again, metadata=(("principal", "Ann"),))
    approval = messages.ApproveRestatementRequest(request_id="yes", **about)
    await house.stub.ApproveRestatement(approval, metadata=(("principal", "Ben"),))
    assert rows_of(await report(house, "exceptions"), "outdated")[0] == []
    assert list((await status(house, NEXT.isoformat(), compare=True)).differs) == []


async def test_a_held_day_holds_no_later_one_and_is_named_once_it_is_filed(house: House) -> None:
    """The next day is filed while this one misses a box; filed late, it is what the next day stands on before."""
    await complete(house)
    await post_all(house, whole_day()[:-1])
    await post_all(house, next_papers())
    await file_day(house, NEXT.isoformat())
    assert rows_of(await report(house, "exceptions"), "outdated")[0] == []
    await post_all(house, whole_day()[-1:])
    await file_day(house)
    (line,), _ = rows_of(await report(house, "exceptions"), "outdated")
    assert (line["gaming_day"], line["restated_day"]) == (NEXT.isoformat(), DAY.isoformat())
    assert (line["stands_on"], line["restated_version"], line["change"]) == (0, 1, None)
    (line,), _ = rows_of(await report(house, "master-game-report"), "restatements")
    assert (line["gaming_day"], line["filed_win"], line["win"]) == (DAY.isoformat(), None, 1_565_000)


def restatement(day: date, at: int, change: int | None) -> Restatement:
    """A second version approved at that hour of 5 March."""
    moment = datetime(2026, 3, 5, at, tzinfo=UTC)
    return Restatement(day, 2, moment, "Ben", "late", 100, None if change is None else 100 + change)


def test_a_new_year_stands_on_no_day_of_the_old_one() -> None:
    """Neither month nor year to date contain a day of another year, nor a day after; a missing part has no change."""
    found = [restatement(date(2025, 12, 31), 9, 5), restatement(DAY, 10, None), restatement(NEXT, 11, 7)]
    assert [row[0] for row in table(found, NEXT).rows] == [DAY.isoformat()]
    assert table(found, NEXT).rows[0][-1] is None
    assert table(found, date(2027, 1, 2)).rows == ()


def test_the_latest_version_decides_whether_a_filed_day_is_outdated() -> None:
    """What was filed after the restatement stands on it."""

    def filed(version: int, hour: int) -> Filed:
        at = datetime(2026, 3, 5, hour, tzinfo=UTC)
        return Filed(PROPERTY, NEXT, "daily-win", version, b"", 0, {}, "Ann", "Ben", at)

    found = [restatement(DAY, 10, 5)]
    assert len(outdated([filed(1, 9)], found).rows) == 1
    assert outdated([filed(2, 11), filed(1, 9)], found).rows == ()
