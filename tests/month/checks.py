"""What the reports must say of the month, held against the floor's own books."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date

from casino.progressives.v1 import entries_pb2 as meters
from casino.reporting.v1 import reporting_service_pb2 as reporting
from clients.floor.day import Day
from tests.floor.auditor import lines
from tests.month.books import physical_win, revenue_of, table_figures, taxes_of, weeks_of
from tests.month.house import AUTOMATED, CALENDAR
from tests.month.month import drawer_of

Line = dict[str, int | str | None]
TAXES = {"state": "state_tax", "automated": "automated_tax", "local": "local_tax"}


def check_daily_win(report: reporting.Report, day: Day) -> None:
    """Every table's line is what its own people counted, and physical win is game win."""
    rows = {row["name"]: row for row in lines(report, "win") if row["scope"] == "table"}
    assert sorted(map(str, rows)) == sorted(each.table.table_id for each in day.tables)
    for played in day.tables:
        expected = table_figures(played)
        found = {name: rows[played.table.table_id][name] for name in expected}
        assert found == expected, (day.gaming_day, played.table.table_id)
        assert expected["difference"] == 0


def check_revenue(report: reporting.Report, day: Day) -> None:
    """Revenue and tax of the day by class, each tax a half cent up."""
    rows = {str(row["class"]): row for row in lines(report, "days")}
    own = revenue_of(day)
    assert set(rows) == set(own)
    for name, win in own.items():
        expected = {"win_before_progressive": win, "progressive_paid": 0, "revenue": win}
        expected |= {TAXES[component]: tax for component, tax in taxes_of(name, win).items()}
        assert {key: rows[name][key] for key in expected} == expected, (day.gaming_day, name)


def check_weeks(report: reporting.Report, days: Mapping[date, Day]) -> None:
    """The weekly returns are the days' taxes summed; what a week leaves below zero is unused, and nothing is lost."""
    revenues = [(day, name, win) for day, each in days.items() for name, win in revenue_of(each).items()]
    expected = {key: tax for key, tax in weeks_of(revenues).items() if tax or key[2] != "automated"}
    found: Counter[tuple[str, str, str]] = Counter()
    for row in lines(report, "weeks"):
        key = (str(row["first"]), str(row["class"]), str(row["component"]))
        found[key] += number(row, "tax") - number(row, "unused")
    assert dict(found) == expected


def check_two_wins(report: reporting.Report, days: Mapping[date, Day]) -> None:
    """On every table-day of the month physical win is game win, to the cent."""
    rows = {(str(row["gaming_day"]), str(row["table"])): row for row in lines(report, "two_wins")}
    assert len(rows) == sum(len(day.tables) for day in days.values())
    for day in days.values():
        for played in day.tables:
            row = rows[day.gaming_day.isoformat(), played.table.table_id]
            win = physical_win(drawer_of(played))
            assert (row["win_before_progressive"], row["game_win"]) == (win, played.handle - played.payout)
            assert (row["difference"], row["pending"], row["status"]) == (0, 0, "in tolerance"), row


def check_meters(report: reporting.Report, days: Mapping[date, Day]) -> None:
    """What the meters of fully automated tables counted is what was settled there."""
    rows = [row for row in lines(report, "meters") if row["kind"] == AUTOMATED]
    automated = [each for day in days.values() for each in day.tables if each.table.terms.kind == AUTOMATED]
    assert len(rows) == len(automated)
    assert {(row["wagers_variance"], row["payouts_variance"], row["status"]) for row in rows} == {(0, 0, "")}
    assert sum(number(row, "metered_wagers") for row in rows) == sum(
        drawer_of(each).metered_wagers for each in automated
    )


def check_estimates(report: reporting.Report, days: Mapping[date, Day]) -> None:
    """Beside each shift's estimate stands what was counted in its box."""
    expected = {
        (day.gaming_day.isoformat(), played.table.table_id, str(box.shift)): box.drop
        for day in days.values()
        for played in day.tables
        for box in drawer_of(played).boxes
        if drawer_of(played).estimates
    }
    rows = lines(report, "estimated_drop")
    assert {(str(row["gaming_day"]), str(row["table"]), str(row["shift"])): row["counted"] for row in rows} == expected


def paid_by_day(jackpots: Sequence[meters.Jackpot]) -> Counter[date]:
    """What was paid by slip on each gaming day, by the clock of the payment."""
    found: Counter[date] = Counter()
    for each in jackpots:
        found[CALENDAR.day_of(each.at.ToDatetime(tzinfo=UTC))] += each.amount_cents
    return found


def check_paid(report: reporting.Report, cents: int) -> None:
    """What was paid by slip on the report's day is deducted there, whenever it was won."""
    assert sum(number(row, "progressive_paid") for row in lines(report, "days")) == cents


def number(row: Line, name: str) -> int:
    """A cell that holds a number."""
    value = row[name]
    assert isinstance(value, int), (name, row)
    return value
