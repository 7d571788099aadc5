"""Master game report, gross revenue, monthly sheet, meter comparison, reconciliation: pure, of table-days."""

from datetime import date, timedelta

from services.kernel.money import cents
from services.reporting.classes import Papers
from services.reporting.reports.gross_revenue import gross_revenue
from services.reporting.reports.master_game import master_game, status
from services.reporting.reports.meter_comparison import meter_comparison
from services.reporting.reports.monthly_sheet import monthly_sheet
from services.reporting.reports.reconciliation import reconciliation
from services.reporting.reports.store import Play
from services.reporting.statistics import limits
from services.reporting.tax import schedule
from services.reporting.win import Inventory
from tests.reporting.builders import DAY
from tests.reporting.table_days import automated, day_of, facts, live, named

BJ_104 = Papers(
    Inventory(cents("50,000"), cents("20,000"), cents("5,000"), cents("48,250"), cents("32,400"), 0, cents("10,000")),
    currency=cents("38,250"),
    coupons=cents("75"),
)
SUNDAY = DAY + timedelta(days=6)


def test_the_master_game_report_has_the_worked_example() -> None:
    """BJ-104: drop 48,250, win 15,650 before and 14,415.44 after the progressive, hold 32.44 %; coupons apart."""
    rows = named(master_game(facts(day_of("BJ-104", BJ_104, paid=cents("1,234.56")))), "tables")
    row, total = rows
    assert (row["drop"], row["win_before_progressive"], row["hold"]) == (cents("48,250"), cents("15,650"), "32.44")
    assert (row["progressive_paid"], row["win"]) == (cents("1,234.56"), cents("14,415.44"))
    assert (row["currency"], row["counter_checks"], row["coupons"]) == (
        cents("38,250"),
        cents("10,000"),
        cents("75"),
    )
    assert (total["drop"], total["win"], total["hold"]) == (row["drop"], row["win"], "32.44")


def test_month_and_year_to_date_begin_anew() -> None:
    """As of each day: a new month, and a new year, starts at nothing."""
    days = [date(2025, 12, 31), date(2026, 1, 1), date(2026, 1, 2), date(2026, 2, 1)]
    rows = named(
        master_game(facts(*(live("BJ-1", "1,000", day=day) for day in days), first=days[0], last=days[-1])), "tables"
    )
    assert [row["mtd_win"] for row in rows[:-1]] == [100_000, 100_000, 200_000, 100_000]
    assert [row["ytd_win"] for row in rows[:-1]] == [100_000, 100_000, 200_000, 300_000]


def test_a_game_has_tables_that_were_not_open() -> None:
    """The games' month and year contain days before, whichever tables are open on the day."""
    before = live("BJ-2", "500", day=DAY - timedelta(days=1))
    rows = named(master_game(facts(before, live("BJ-1", "1,000"))), "games")
    assert [(row["game"], row["win"], row["mtd_win"], row["ytd_hold"]) for row in rows] == [
        ("blackjack", 100_000, 150_000, "7.50"),
        ("total", 100_000, 150_000, "7.50"),
    ]


def test_the_report_is_preliminary_until_every_day_is_audited() -> None:
    """What was filed after is audited too, so that filing changes nothing."""
    for state, said in (("counted", "preliminary"), ("audited", "audited"), ("filed", "audited")):
        assert status(facts(live("BJ-1", "1"), states={DAY: state})) == said
    assert status(facts(live("BJ-1", "1"))) == "preliminary"


def test_a_missing_document_leaves_no_total() -> None:
    """The sum of which a part is missing is missing, and the table is named."""
    broken = day_of("BJ-2", Papers(Inventory(1, 0, 0, None, 1)))
    made = master_game(facts(live("BJ-1", "1,000"), broken))
    assert named(made, "tables")[-1]["win"] is None
    assert f"{DAY} BJ-2: count missing." in made[0].notes


def test_revenue_and_tax_stand_by_class() -> None:
    """Banking at 12 and 2 %, fully automated at 34 % more, each rounded by itself, and totals of them."""
    tables = gross_revenue(
        facts(day_of("BJ-104", BJ_104, paid=cents("1,234.56")), automated("RO-1", "100,000", "85,584.56")),
        schedule(),
        {},
    )
    banking, machines, total = named(tables, "days")
    assert (banking["revenue"], banking["state_tax"], banking["automated_tax"], banking["local_tax"]) == (
        cents("14,415.44"),
        cents("1,729.85"),
        0,
        cents("288.31"),
    )
    state, surcharge = machines["state_tax"], machines["automated_tax"]
    assert isinstance(state, int)
    assert isinstance(surcharge, int)
    assert state + surcharge == cents("6,631.10")
    assert total["tax"] == cents("1,729.85") + cents("6,631.10") + 2 * cents("288.31")


def test_a_negative_day_is_shown_as_such_and_nets_in_its_week() -> None:
    """The day's tax is below zero and its handling named; the weekly return sums from Monday."""
    tables = gross_revenue(
        facts(live("BJ-1", "1,000"), live("BJ-1", "-400", day=SUNDAY), first=SUNDAY, last=SUNDAY), schedule(), {}
    )
    (row, _) = named(tables, "days")
    assert (row["state_tax"], row["handling"]) == (cents("-48"), "carried inside its week")
    weeks = [(row["component"], row["tax"], row["unused"]) for row in named(tables, "weeks")[:-1]]
    assert weeks == [("state", cents("72"), 0), ("local", cents("12"), 0)]


def test_a_period_shows_what_was_filed_beside_what_is() -> None:
    """A change of more than 2,000.00 is flagged; a single day, which is what is filed, does not show it."""
    days = facts(live("BJ-1", "5,000"), live("BJ-1", "100", day=SUNDAY), last=SUNDAY)
    tables = gross_revenue(days, schedule(), {(DAY, "banking"): (200_000, 28_000)})
    first, second = named(tables, "adjustments")
    assert (first["filed_revenue"], first["change"], first["flag"]) == (200_000, 300_000, "over 2,000.00")
    assert (second["filed_revenue"], second["change"], second["flag"]) == (None, None, "")
    single = gross_revenue(facts(live("BJ-1", "5,000")), schedule(), {(DAY, "banking"): (1, 1)})
    assert "adjustments" not in {table.name for table in single}


def test_the_monthly_sheet_averages_tables_and_rounds_to_dollars() -> None:
    """Three table-days on two days are 1.50 tables; July 2010 of Rivers comes out as it was published."""
    first, last = date(2010, 7, 1), date(2010, 7, 31)
    rivers = live("BJ-1", "3,052,531", day=date(2010, 7, 9))
    others = [live("BJ-1", "0", day=date(2010, 7, 10)), live("BJ-2", "0", day=date(2010, 7, 10))]
    tables = monthly_sheet(facts(rivers, *others, first=first, last=last), schedule(), opened=date(2010, 7, 8))
    (sheet,) = named(tables, "sheet")
    assert (sheet["month"], sheet["days"], sheet["avg_tables_total"], sheet["avg_tables_hybrid"]) == (
        "2010-07",
        2,
        "1.50",
        "0.00",
    )
    (published,) = named(tables, "published")
    assert (published["gross_revenue"], published["state_tax"], published["local_tax"]) == (3_052_531, 427_354, 61_051)


def test_meters_are_held_against_what_was_settled() -> None:
    """The variance in dollars and of the metered amount; a reading that is missing is told."""
    play = Play(rounds=1, wagers=1, handle=cents("990"), payout=cents("900"), from_inventory=cents("900"))
    unread = day_of("RO-2", Papers(Inventory(None, 0, 0, None, None)), "fully_automated", play=play)
    rows = named(
        meter_comparison(facts(automated("RO-1", "1,000", "900", play=play), unread, live("BJ-1", "1"))), "meters"
    )
    assert [(row["table"], row["wagers_variance"], row["wagers_variance_percent"], row["status"]) for row in rows] == [
        ("RO-1", 1_000, "1.00", "investigate"),
        ("RO-2", None, None, "not read"),
        (None, None, None, None),
    ]


def test_the_two_wins_have_a_tolerance_by_kind_of_table() -> None:
    """100.00 or half a percent of the drop at a live table, nothing at an automated one."""
    play = Play(rounds=9, handle=cents("5,000"), from_inventory=cents("4,100"))
    tables = reconciliation(
        facts(
            live("BJ-1", "1,000", play=play),
            live("BJ-2", "1,000.01", play=play),
            automated("RO-1", "5,000", "4,099.99", play=play),
        ),
        limits(),
    )
    rows = named(tables, "two_wins")
    assert [(row["table"], row["difference"], row["status"]) for row in rows[:-1]] == [
        ("BJ-1", cents("100"), "in tolerance"),
        ("BJ-2", cents("100.01"), "out of tolerance"),
        ("RO-1", 1, "out of tolerance"),
    ]


def test_an_estimate_stands_beside_the_count_and_in_no_win() -> None:
    """Estimated less counted, by shift."""
    inventory = Inventory(None, 0, 0, cents("900"), None)
    shift = day_of("BJ-1", Papers(inventory, estimate=cents("1,000")), shift=2)
    (row,) = named(reconciliation(facts(live("BJ-1", "1"), shifts=[shift]), limits()), "estimated_drop")
    assert (row["shift"], row["estimated"], row["counted"], row["difference"]) == ("2", 100_000, 90_000, 10_000)
