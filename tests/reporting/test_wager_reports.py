"""Side wagers and table statistics: take-up, theory and error on one basis, base levels, dealers."""

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from types import MappingProxyType

from services.games.analysis import theoretical
from services.kernel.money import decimal_text
from services.reporting.periods import WagerFacts
from services.reporting.reports.side_wagers import side_wagers
from services.reporting.reports.table_statistics import statistics
from services.reporting.statistics import limits, root
from services.reporting.sums import LOSE, PENDING, VOID, WIN, ContributionKey, SeatKey, SettlementsChange, TableTerms
from tests.reporting.builders import DAY, heading, summed, wagers
from tests.reporting.table_days import asked, facts, live, named

PAIRS = ("baccarat.perfect_pairs", "A")
HEAVENLY = "baccarat.heavenly_9_progressive"


def settled(change: SettlementsChange, table: str, *rows: tuple[int, tuple[str, str, int, str, int]]) -> None:
    """A round: the seat of each wager, and the wager."""
    own = wagers(*(row for _, row in rows))
    change.add_round(heading(table), 0, own)
    change.add_seats(heading(table), [seat for seat, _ in rows], own)


def played(
    change: SettlementsChange,
    terms: tuple[TableTerms, ...] = (),
    contributions: Mapping[ContributionKey, tuple[int, int]] = MappingProxyType({}),
) -> WagerFacts:
    """The facts of what was settled."""
    seats = {key: (count, squares) for key, (count, squares) in change.seats.items()}
    return WagerFacts(asked(), summed(change), contributions, seats, terms, summed(change))


def test_take_up_is_the_share_of_the_seats() -> None:
    """Two of three seats at one table, none of one at another that offers it: half; tables that do not are left out."""
    change = SettlementsChange()
    base = ("baccarat.player", "standard", 1_000, LOSE, 0)
    side = (*PAIRS, 500, LOSE, 0)
    settled(change, "BAC-01", (1, base), (1, side), (1, side), (2, base), (2, side), (3, base))
    settled(change, "BAC-02", (1, base))
    settled(change, "BAC-03", (1, base))
    offers = (
        TableTerms(1, "BAC-01", "RS-1", DAY, "live", [PAIRS]),
        TableTerms(1, "BAC-02", "RS-1", DAY, "live", [PAIRS]),
        TableTerms(1, "BAC-03", "RS-1", DAY, "live", []),
    )
    row, total = named(side_wagers(played(change, offers), limits()), "side_wagers")
    assert (row["wager"], row["take_up"], row["wagers"], row["handle"]) == (PAIRS[0], "50.00", 3, 1_500)
    assert (total["handle"], total["win"]) == (1_500, 1_500)


def test_the_error_is_that_of_the_engine_and_far_holds_are_flagged() -> None:
    """A hundred wagers lost: the hold is 100 %, the score is by the variance and the squared stakes."""
    change = SettlementsChange()
    for _ in range(100):
        settled(change, "BAC-01", (1, (*PAIRS, 500, LOSE, 0)))
    row, _ = named(side_wagers(played(change), limits()), "side_wagers")
    theory = theoretical(*PAIRS, 8)
    assert theory.house_edge is not None
    assert theory.variance is not None
    error = root(theory.variance * 100 * 500**2) / 50_000
    assert row["standard_error"] == decimal_text(error * 100, 4)
    assert row["z"] == decimal_text((1 - theory.house_edge) / error, 2)
    assert row["theoretical_win"] == round(theory.house_edge * 50_000)
    assert bool(row["flag"]) == ((1 - theory.house_edge) / error > Fraction(196, 100))


def test_a_progressive_is_held_on_one_basis() -> None:
    """Contributions come off the actual win, rates off the theoretical hold; what the meter pays is in neither."""
    change = SettlementsChange()
    settled(change, "BAC-01", (1, (HEAVENLY, "standard", 500, LOSE, 0)))
    key = ContributionKey(DAY, "BAC-01", "RS-1", HEAVENLY, "standard", "", "")
    row, _ = named(side_wagers(played(change, contributions={key: (500_000, 50_000)}), limits()), "side_wagers")
    theory = theoretical(HEAVENLY, "standard", 8).house_edge
    assert theory is not None
    assert (row["contributions"], row["win"], row["hold"]) == (55, 445, "89.00")
    assert row["theoretical_hold"] == decimal_text(theory * 100, 4)


def test_seats_of_void_and_pending_wagers_do_not_count() -> None:
    """A superseded settlement is taken out exactly."""
    change = SettlementsChange()
    rows = wagers((*PAIRS, 500, VOID, 500), (*PAIRS, 500, PENDING, 0), (*PAIRS, 300, WIN, 900))
    change.add_seats(heading(), [1, 2, 3], rows)
    key = SeatKey(DAY, "BAC-01", "RS-1", *PAIRS)
    assert change.seats == {key: [1, 90_000], key._replace(code="", paytable=""): [1, 0]}
    change.add_seats(heading(), [1, 2, 3], rows, sign=-1)
    assert set(map(tuple, change.seats.values())) == {(0, 0)}


def test_statistics_hold_tables_against_the_year_before() -> None:
    """20 % of the year before against 30 %: ten points off and flagged; months and year to date beside it."""
    former = [live("BJ-1", "2,000", day=date(2025, 5, day)) for day in (1, 2)]
    tables = statistics(facts(*former, live("BJ-1", "3,000")), played(SettlementsChange()), limits())
    (row,) = named(tables, "base_level")
    assert (row["base_period"], row["base_hold"], row["hold"], row["points_off"]) == ("2025", "20.00", "30.00", "10.00")
    assert row["flag"] == "over 3.00 points"
    assert [(row["month"], row["win"]) for row in named(tables, "months")] == [("2026-03", 300_000), ("total", 300_000)]
    assert [row["hold"] for row in named(tables, "year_to_date")] == ["30.00", "30.00"]


def test_without_a_year_before_the_month_before_is_the_base() -> None:
    """And without that there is none."""
    month = statistics(
        facts(live("BJ-1", "2,000", day=date(2026, 2, 3)), live("BJ-1", "2,100")), played(SettlementsChange()), limits()
    )
    assert [(row["base_period"], row["flag"]) for row in named(month, "base_level")] == [("2026-02", "")]
    alone = statistics(facts(live("BJ-1", "2,100")), played(SettlementsChange()), limits())
    assert named(alone, "base_level")[0]["base_hold"] is None


def test_shifts_and_dealers_stand_where_they_are_named() -> None:
    """A shift's win takes its own papers; a dealer's is of the rounds the floor names one for."""
    change = SettlementsChange()
    settled(change, "BAC-01", (1, ("baccarat.player", "standard", 1_000, LOSE, 0)))
    shifts = [live("BJ-1", "400", shift=1), live("BJ-1", "600", shift=2)]
    tables = statistics(facts(live("BJ-1", "1,000"), shifts=shifts), played(change), limits())
    assert [(row["shift"], row["win"]) for row in named(tables, "shifts")] == [
        ("1", 40_000),
        ("2", 60_000),
        ("total", 100_000),
    ]
    (dealer,) = named(tables, "dealers")
    edge = theoretical("baccarat.player", "standard", 8).house_edge
    assert edge is not None
    assert (dealer["dealer"], dealer["win"], dealer["theoretical_win"]) == ("D-7", 1_000, round(edge * 1_000))
