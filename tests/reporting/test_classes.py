"""Classes of win: which part of a table-day is which class, and what is currency."""

from services.games.wagers import AUTOMATED
from services.kernel.money import cents
from services.reporting.classes import (
    BANKING,
    FELT,
    HYBRID,
    LIVE,
    TERMINALS,
    Papers,
    class_lines,
    kind_of,
    notes,
    papers,
)
from services.reporting.win import Inventory
from tests.reporting.builders import box, slip

BJ_104 = Inventory(cents("50,000"), cents("20,000"), cents("5,000"), cents("48,250"), cents("32,400"))
NOTHING = Inventory(None, 0, 0, None, None)
METERS = Papers(NOTHING, metered_wagers=1_000_000, metered_payouts=950_000)


def test_a_banking_table_has_the_win_of_its_slips() -> None:
    """BJ-104: 15,650.00 before, 14,415.44 after 1,234.56 paid by slip."""
    (line,) = class_lines(LIVE, Papers(BJ_104, currency=cents("38,250")), cents("1,234.56"))
    assert (line.revenue_class, line.before, line.win) == (BANKING, cents("15,650.00"), cents("14,415.44"))
    assert line.base == cents("48,250")


def test_a_fully_automated_table_has_the_win_of_its_meters() -> None:
    """Wagers less payouts as metered, in place of a drop."""
    (line,) = class_lines(AUTOMATED, METERS, 10_000)
    assert tuple(line) == (AUTOMATED, 50_000, 10_000, 1_000_000)
    assert line.win == 40_000


def test_a_hybrid_table_has_two_lines() -> None:
    """Felt and terminals stand apart; what was paid by slip is the felt's."""
    papers = Papers(BJ_104, metered_wagers=1_000_000, metered_payouts=950_000)
    felt, terminals = class_lines(HYBRID, papers, 100)
    assert (felt.revenue_class, felt.before, felt.paid) == (FELT, cents("15,650"), 100)
    assert (terminals.revenue_class, terminals.before, terminals.paid) == (TERMINALS, 50_000, 0)


def test_a_hybrid_table_without_slips_has_its_terminals_alone() -> None:
    """Nothing is missing on a felt that was not opened."""
    (line,) = class_lines(HYBRID, METERS, 100)
    assert (line.revenue_class, line.win) == (TERMINALS, 49_900)


def test_a_table_that_was_neither_opened_nor_played_won_nothing() -> None:
    """What is paid then is its only line, in its class, and no document is missing; once it was played, one is."""
    for kind, name in ((LIVE, BANKING), (AUTOMATED, AUTOMATED), (HYBRID, FELT)):
        (line,) = class_lines(kind, Papers(NOTHING), 500, played=False)
        assert (line.revenue_class, line.before, line.win, line.base) == (name, 0, -500, 0)
        assert class_lines(kind, Papers(NOTHING), 500)[0].win is None
    assert class_lines(LIVE, Papers(BJ_104), 0, played=False)[0].before == cents("15,650")


def test_papers_are_what_the_standing_documents_say() -> None:
    """Currency apart from checks, coupons and promotional amounts aside, meters summed; none is no amount."""
    found = papers(
        [
            slip("opener", "BAC-01", "500.00"),
            box("BAC-01", "300.00", "50.00", coupons_cents=75, promotional_cents=5),
            box("BAC-01", "10.00"),
            slip("meter_reading", "BAC-01", wagers_cents=100, payouts_cents=90),
            slip("meter_reading", "BAC-01", wagers_cents=10, payouts_cents=20),
            slip("estimate", "BAC-01", "320.00"),
        ]
    )
    assert (found.currency, found.inventory.drop, found.inventory.checks) == (31_000, 36_000, 5_000)
    assert (found.coupons, found.promotional, found.estimate) == (75, 5, 32_000)
    assert (found.metered_wagers, found.metered_payouts, found.metered) == (110, 110, 0)
    assert papers([]) == Papers(NOTHING)
    assert papers([]).closed
    assert not papers([slip("counter_check", "BAC-01", "1.00")]).closed


def test_coupons_and_promotional_amounts_are_never_currency() -> None:
    """Neither drop nor win changes by them."""
    plain, more = (class_lines(LIVE, Papers(BJ_104, coupons=each, promotional=each), 0) for each in (0, 99_999))
    assert plain == more


def test_a_missing_document_leaves_no_win() -> None:
    """Neither a table without its count nor an electronic one without its reading has a win."""
    (line,) = class_lines(LIVE, Papers(Inventory(1, 0, 0, None, 1)), 5)
    assert (line.before, line.win) == (None, None)
    (line,) = class_lines(AUTOMATED, Papers(NOTHING), 5)
    assert line.win is None


def test_a_kind_that_no_submission_files_is_what_the_papers_show() -> None:
    """Meters without slips are an automated table's, with slips a hybrid one's; a filed kind stands."""
    assert kind_of("", METERS) == AUTOMATED
    assert kind_of("", Papers(BJ_104, metered_wagers=1, metered_payouts=0)) == HYBRID
    assert kind_of("", Papers(BJ_104)) == LIVE
    assert kind_of(HYBRID, METERS) == HYBRID


def test_papers_of_another_kind_of_table_are_told() -> None:
    """Slips on an automated table and meters of a live one are in no win, and said to be."""
    assert notes("RO-1", AUTOMATED, Papers(BJ_104)) == [
        "RO-1: slips on a fully automated table, in no win.",
        "RO-1: meter_reading missing.",
    ]
    assert notes("BJ-1", LIVE, METERS) == ["BJ-1: a meter_reading of a live table, in no win."]
    assert notes("BJ-1", LIVE, Papers(BJ_104)) == []
