"""The daily win report as its reader sees it."""

import os
from fractions import Fraction
from pathlib import Path

import pytest

from services.games.analysis import theoretical
from services.reporting.daily_win import DayFacts, daily_win
from services.reporting.document import Document
from services.reporting.sums import (
    LOSE,
    PENDING,
    WIN,
    ContributionKey,
    ExceptionKey,
    JackpotState,
    LevelKey,
    LinkVersion,
    MovementKey,
    Reading,
    RoundsKey,
    SettlementsChange,
)
from services.reporting.table import Cell, Column, Row, Table
from services.reporting.wager_lines import is_base
from tests.reporting.builders import DAY, box, day_facts, heading, slip, summed, wagers

GOLDEN = Path(__file__).with_name("daily_win.golden.txt")
HEAVENLY = "baccarat.heavenly_9_progressive"
NUMBERS = ("cents", "count", "micros")


def played() -> SettlementsChange:
    """Two tables: one round with a side wager and a progressive, one with what the catalogue does not know."""
    change = SettlementsChange()
    change.add_round(
        heading(),
        0,
        wagers(
            ("baccarat.player", "standard", 100_000, WIN, 200_000),
            ("baccarat.banker", "5%", 250_000, LOSE, 0),
            ("baccarat.perfect_pairs", "A", 2_500, LOSE, 0),
            (HEAVENLY, "standard", 500, WIN, 4_000),
            (HEAVENLY, "standard", 500, LOSE, 0),
        ),
    )
    change.add_round(heading(), 0, wagers(("baccarat.banker", "5%", 20_001, WIN, 39_001)))
    change.add_round(
        heading("BAC-02", shift=2, decks=6),
        0,
        wagers(
            ("baccarat.tie", "8", 1_000, LOSE, 0),
            ("external.royal_match", "stated", 500, WIN, 1_500),
            ("external.royal_match", "stated", 500, PENDING, 0),
        ),
    )
    return change


def whole_day() -> DayFacts:
    """A day in which everything occurs that the report has a place for."""
    change = played()
    return day_facts(
        documents=[
            slip("opener", "BAC-01", "5,000.00"),
            slip("fill", "BAC-01", "2,000.00"),
            slip("credit", "BAC-01", "500.00"),
            slip("counter_check", "BAC-01", "1,000.00"),
            box("BAC-01", "2,800.00", "1,000.00"),
            slip("closer", "BAC-01", "4,010.00"),
            slip("opener", "BAC-02", "3,000.00"),
            slip("closer", "BAC-02", "2,990.00"),
            slip("meter_reading", "ROU-01", wagers_cents=1_000_000, payouts_cents=950_000),
            slip("vigorish_uncollected", "BAC-01", "12.50"),
        ],
        kinds={"ROU-01": "fully_automated"},
        paid={"BAC-01": 50_000},
        wagers=summed(change),
        rounds=change.rounds,
        links=[LinkVersion("HVN", 1, HEAVENLY, "standard", ["mega"])],
        contributions={ContributionKey(DAY, "BAC-01", "RS-1", HEAVENLY, "standard", "HVN", "mega"): (1_000_000, 0)},
        movements={MovementKey(DAY, "HVN", "mega", "seed_house"): 10_000_000_000},
        readings={LevelKey(DAY, "HVN", "mega"): Reading(9, 10_001_000_000, 0)},
        jackpots=[
            JackpotState("J-1", DAY, "BAC-01", "HVN", "mega", "H-1", 1_000_100, "slip", "hit"),
            JackpotState("J-2", DAY, "BAC-01", "HVN", "mega", "H-2", 500, "slip", "voided"),
        ],
        exceptions={
            ExceptionKey(DAY, "BAC-01", "rounds", "BASE_WAGER_MISSING"): 2,
            ExceptionKey(DAY, "BAC-02", "rounds", "BASE_WAGER_MISSING"): 1,
            ExceptionKey(DAY, "BAC-02", "progressives", "NO_LIVE_LINK"): 1,
        },
    )


def test_the_report_reads_as_it_always_has() -> None:
    """Tables, columns, their order, the figures and the notes are fixed; a change of them is meant."""
    text = "\n".join(as_text(table) for table in daily_win(whole_day()))
    if os.environ.get("CASINO_WRITE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_columns_have_the_names_that_readers_rely_on() -> None:
    """Scripts address tables and columns by name."""
    names = {table.name: " ".join(column.name for column in table.columns) for table in daily_win(day_facts())}
    assert names["win"] == (
        "scope name opener fills credits drop closer metered_wagers metered_payouts win hold game_win difference rounds"
        " wagers handle payout progressive_paid win_after_progressive"
    )
    lines = "section wager paytable decks wagers handle payout win hold theoretical_hold wheel"
    assert names["wagers"] == names["side_wagers"] == names["external"] == lines
    assert names["progressives"] == "link level contributions reserve awards hits reading"
    assert names["exceptions"] == "source reason count"


def test_physical_win_stands_beside_game_win() -> None:
    """Game win is stakes less payouts from the inventory; the difference is what play does not explain."""
    table = named("win")
    row = cells(table, table.rows[0])
    assert (row["name"], row["win"], row["game_win"], row["difference"]) == ("BAC-01", 131_000, 130_500, 500)


def test_a_missing_count_leaves_every_sum_that_needs_it_empty() -> None:
    """A table without a count has no drop, win or hold, nor has its pit, its game or the property."""
    table = named("win")
    totals = cells(table, table.totals or ())
    assert [totals[name] for name in ("drop", "win", "hold", "difference")] == [None] * 4
    assert (totals["opener"], totals["handle"]) == (800_000, 375_001)
    assert "BAC-02: count missing." in table.notes
    by_pit = {row[1]: row[9] for row in table.rows if row[0] == "pit"}
    assert by_pit == {"": 50_000, "P1": 131_000, "P2": None}


def test_the_totals_are_the_sums_of_the_tables() -> None:
    """Handle, payout and game win of the property are those of its tables, and of its pits, together."""
    table = named("win")
    for name in ("game_win", "rounds", "wagers", "handle", "payout"):
        for scope in ("table", "pit", "game"):
            rows = [cells(table, row) for row in table.rows if row[0] == scope]
            assert sum(int(row[name] or 0) for row in rows) == cells(table, table.totals or ())[name]


def test_base_wagers_are_those_of_the_games_own_chapter() -> None:
    """Player, Banker and Tie are of chapter 631a; what another chapter files is a side wager."""
    codes = ("baccarat.player", "baccarat.banker", "baccarat.tie", "baccarat.perfect_pairs", HEAVENLY)
    assert [is_base(code) for code in codes] == [True, True, True, False, False]
    assert not is_base("external.royal_match")


def test_the_theoretical_hold_is_counted_from_the_rules() -> None:
    """The column is the exact edge of the wager's paytable and decks, four digits, and never typed in."""
    table = named("wagers")
    found = {(row[1], row[3]): row[9] for row in table.rows}
    assert found["baccarat.banker", 8] == "1.0579"
    assert found["baccarat.tie", 6] is not None
    edge = theoretical("baccarat.tie", "8", 6).house_edge
    assert edge is not None
    assert abs(Fraction(str(found["baccarat.tie", 6])) - edge * 100) <= Fraction(1, 20_000)


def test_a_progressives_win_leaves_out_what_the_meter_takes() -> None:
    """Win = stakes - fixed awards - contributions, on the same basis as its theoretical hold."""
    table = named("side_wagers")
    row = next(cells(table, row) for row in table.rows if row[1] == HEAVENLY)
    assert (row["handle"], row["payout"], row["win"], row["hold"]) == (1_000, 4_000, -3_100, "-310.00")
    assert any(note.startswith("Progressives: win = stakes - fixed awards") for note in table.notes)


def test_a_wager_that_pays_as_the_floor_states_is_shown_apart_as_not_proven() -> None:
    """Its money is counted, in the game win too, its theory stays empty, and a note says so."""
    assert "external.royal_match" not in [row[1] for name in ("wagers", "side_wagers") for row in named(name).rows]
    table = named("external")
    row = next(cells(table, row) for row in table.rows if row[1] == "external.royal_match")
    assert (row["section"], row["handle"], row["payout"], row["theoretical_hold"]) == ("633a.6", 500, 1_500, None)
    second = named("win").rows[1]
    assert cells(named("win"), second)["game_win"] == 1_000 + 500 - 1_500
    assert "external.royal_match: not proven; settled as the floor stated it." in table.notes
    assert cells(table, table.totals or ())["theoretical_hold"] is None


def test_contributions_of_rounds_that_are_not_settled_have_a_line_of_their_own() -> None:
    """What a meter took before its round settled is shown apart, without decks or theory, and said so."""
    made = ContributionKey(DAY, "BAC-01", "RS-9", HEAVENLY, "standard", "HVN", "mega")
    table = daily_win(day_facts(contributions={made: (500_000, 0)}))[4]
    (row,) = [cells(table, row) for row in table.rows]
    assert (row["decks"], row["handle"], row["win"], row["theoretical_hold"]) == (None, 0, -50, None)
    assert f"{HEAVENLY}: contributions of rounds that are not settled yet." in table.notes


def test_a_paytable_that_is_not_filed_has_no_theory() -> None:
    """A wager under a paytable that the catalogue lacks keeps its money and shows no figure."""
    change = SettlementsChange()
    change.add_round(heading(), 0, wagers(("baccarat.tie", "12", 100, LOSE, 0)))
    table = daily_win(day_facts(wagers=summed(change)))[3]
    assert cells(table, table.rows[0])["theoretical_hold"] is None
    assert "baccarat.tie: no theory for paytable 12." in table.notes


def test_a_row_has_a_cell_for_each_column() -> None:
    """A table whose row is short cannot be made."""
    with pytest.raises(ValueError, match="expected 1 cells, given 2"):
        Table("t", "T", (Column("a", "A", "text"),), (("x", "y"),))


def test_a_fully_automated_table_has_the_win_of_its_meters() -> None:
    """Wagers and payouts as metered stand in place of a drop (605a.5); nothing but a reading that is missing is."""
    read = slip("meter_reading", "ROU-01", wagers_cents=1_000_000, payouts_cents=950_000)
    rows, totals, notes = electronic({"ROU-01": "fully_automated"}, read)
    assert (rows["ROU-01"]["metered_wagers"], rows["ROU-01"]["metered_payouts"]) == (1_000_000, 950_000)
    assert (rows["ROU-01"]["win"], rows["ROU-01"]["hold"], rows["ROU-01"]["opener"]) == (50_000, "5.00", 0)
    assert (totals["win"], totals["game_win"], totals["difference"]) == (50_000, 48_000, 2_000)
    assert not [note for note in notes if "missing" in note]
    rows, totals, notes = electronic({"ROU-01": "fully_automated"})
    assert (rows["ROU-01"]["win"], totals["win"]) == (None, None)
    assert "ROU-01: meter_reading missing." in notes


def test_a_hybrid_table_is_of_two_classes() -> None:
    """Its win is of felt and terminals together, and each is a class of revenue of its own."""
    papers = [slip("opener", "ROU-01", "500.00"), box("ROU-01", "300.00"), slip("closer", "ROU-01", "450.00")]
    read = slip("meter_reading", "ROU-01", wagers_cents=100_000, payouts_cents=90_000)
    facts = electronic_day({"ROU-01": "hybrid"}, *papers, read)
    table = facts[0]
    row = cells(table, table.rows[0])
    assert (row["drop"], row["metered_wagers"], row["win"], row["hold"]) == (30_000, 100_000, 35_000, "26.92")
    found = {row[0]: cells(facts[1], row) for row in facts[1].rows}
    assert {name: row["win"] for name, row in found.items()} == {"hybrid_felt": 25_000, "hybrid_terminals": 10_000}
    assert cells(facts[1], facts[1].totals or ())["tables"] == 1


def test_a_table_that_was_closed_has_nothing_but_the_jackpot_that_was_paid() -> None:
    """A payment of an earlier day's jackpot is no reason to miss slips (ruling V4)."""
    table = daily_win(day_facts(paid={"BAC-02": 100_000}))[0]
    row = cells(table, table.rows[0])
    assert (row["win"], row["progressive_paid"], row["win_after_progressive"]) == (0, 100_000, -100_000)
    assert not [note for note in table.notes if "missing" in note]


def test_vigorish_owed_is_an_adjustment_beside_the_win() -> None:
    """Uncollected less recovered, by table, beside a win that they do not change (ruling V5)."""
    forms = [slip("vigorish_uncollected", "BAC-01", "12.50"), slip("vigorish_recovered", "BAC-01", "2.50")]
    tables = daily_win(day_facts(documents=[*whole_day().documents[:6], *forms]))
    row = cells(tables[2], tables[2].rows[0])
    assert (row["uncollected"], row["recovered"], row["adjustment"]) == (1_250, 250, 1_000)
    assert (row["win"], row["adjusted_win"]) == (131_000, 132_000)
    assert cells(tables[0], tables[0].rows[0])["win"] == 131_000


def test_a_jackpot_paid_by_slip_is_a_line_after_the_win() -> None:
    """Win before progressive stays; what was paid by slip comes off in columns of its own (ruling V2)."""
    table = daily_win(day_facts(documents=whole_day().documents[:6], paid={"BAC-01": 100_000}))[0]
    row = cells(table, table.rows[0])
    assert (row["win"], row["progressive_paid"], row["win_after_progressive"]) == (131_000, 100_000, 31_000)


def test_a_day_without_anything_is_a_report_without_rows() -> None:
    """There are no lines, and totals of nothing; a hold of nothing is empty."""
    tables = {table.name: table for table in daily_win(day_facts(rounds={RoundsKey(DAY, 1, "BAC-02"): 0}))}
    assert [len(table.rows) for table in tables.values()] == [3, 1, 0, 0, 0, 0, 0, 0, 0]
    assert tables["wagers"].totals == ("", "", "", None, 0, 0, 0, 0, None, None, None)


def electronic_day(kinds: dict[str, str], *documents: Document) -> tuple[Table, ...]:
    """The report of a day with these kinds of table, one round of roulette settled at ROU-01."""
    change = SettlementsChange()
    change.add_round(heading("ROU-01", decks=0), 0, wagers(("roulette.straight", "35", 48_000, LOSE, 0)))
    return daily_win(day_facts(documents=documents, wagers=summed(change), rounds=change.rounds, kinds=kinds))


def electronic(
    kinds: dict[str, str], *documents: Document
) -> tuple[dict[Cell, dict[str, Cell]], dict[str, Cell], tuple[str, ...]]:
    """Rows by name, totals and notes of its win."""
    table = electronic_day(kinds, *documents)[0]
    rows = {row[1]: cells(table, row) for row in table.rows if row[0] == "table"}
    return rows, cells(table, table.totals or ()), table.notes


def named(name: str) -> Table:
    """One table of the whole day's report."""
    return next(table for table in daily_win(whole_day()) if table.name == name)


def cells(table: Table, row: Row) -> dict[str, Cell]:
    """A row by the names of its columns."""
    return {column.name: cell for column, cell in zip(table.columns, row, strict=True)}


def as_text(table: Table) -> str:
    """A table as plain text: a dot stands for an empty cell."""
    rows = [tuple(column.title for column in table.columns), *table.rows]
    rows += [table.totals] if table.totals else []
    texts = [["." if cell is None else str(cell) for cell in row] for row in rows]
    widths = [max(len(row[n]) for row in texts) for n in range(len(table.columns))]
    lines = [
        " ".join(
            cell.rjust(width) if column.type in NUMBERS else cell.ljust(width)
            for cell, width, column in zip(row, widths, table.columns, strict=True)
        ).rstrip()
        for row in texts
    ]
    return "\n".join([f"{table.title} [{table.name}]", *lines, *(f"* {note}" for note in table.notes), ""])
