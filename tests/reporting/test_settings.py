"""Wagers by what they were played on: decks, wheels, or neither."""

from fractions import Fraction
from pathlib import Path

import asyncpg

from casino.reporting.v1 import reporting_service_pb2 as reporting
from casino.rounds.v1 import entries_pb2 as rounds
from casino.settlement.v1 import entries_pb2 as settlement
from services.games.analysis import theoretical
from services.kernel.money import decimal_text
from services.reporting.daily_win import daily_win
from services.reporting.sums import LOSE, VOID, WIN, ContributionKey, Heading, SettlementsChange
from services.reporting.table import Table
from services.reporting.wager_lines import is_base
from tests.builders import wager_file
from tests.databases import Database
from tests.reporting.builders import DAY, day_facts, heading, summed, wagers
from tests.reporting.conftest import House
from tests.reporting.test_daily_win import cells
from tests.reporting.test_projections import table
from tests.reporting.upstream import PROPERTY

ROYAL = "minibaccarat.royal_9"


def lines(change: SettlementsChange, name: str = "wagers", **given: object) -> Table:
    """One table of wagers of a day."""
    return next(each for each in daily_win(day_facts(wagers=summed(change), **given)) if each.name == name)


def played(*rows: tuple[Heading, tuple[str, str, int, str, int]]) -> SettlementsChange:
    """Rounds of one wager each."""
    change = SettlementsChange()
    for head, row in rows:
        change.add_round(head, 0, wagers(row))
    return change


def test_a_wheel_has_a_theory_of_its_own() -> None:
    """The same wager on two wheels is two lines, each beside the exact edge of its wheel."""
    straight = ("roulette.straight", "standard", 1_000, LOSE, 0)
    found = lines(
        played(
            (heading("ROU-01", decks=0, wheel="double_zero"), straight),
            (heading("ROU-02", decks=0, wheel="single_zero"), straight),
        )
    )
    rows = [cells(found, row) for row in found.rows]
    assert [(row["decks"], row["wheel"], row["theoretical_hold"]) for row in rows] == [
        (None, "double_zero", "5.2632"),
        (None, "single_zero", "2.7027"),
    ]
    total = decimal_text((Fraction(1, 19) + Fraction(1, 37)) * 50, 4)
    assert cells(found, found.totals or ())["theoretical_hold"] == total


def test_craps_has_neither_decks_nor_wheel_and_a_theory() -> None:
    """A line of a game without cards leaves decks and wheel empty; a void wager is in no sum."""
    head = heading("CRP-01", decks=0)
    found = lines(
        played(
            (head, ("craps.pass", "standard", 1_000, LOSE, 0)),
            (head, ("craps.pass", "standard", 5_000, VOID, 5_000)),
        )
    )
    (row,) = [cells(found, row) for row in found.rows]
    assert (row["decks"], row["wheel"], row["theoretical_hold"]) == (None, None, "1.4141")
    assert (row["wagers"], row["handle"], row["win"]) == (1, 1_000, 1_000)
    assert not found.notes


def test_base_wagers_of_every_game_stand_apart_from_side_wagers() -> None:
    """A game's own chapter is base, and what a variation puts in the place of one; everything else is a side wager."""
    base = (
        *("roulette.straight", "roulette.red_black", "roulette.lightning_straight", "craps.pass", "craps.field"),
        *("craps.hard_6", "minibaccarat.banker", "midibaccarat.tie", "rising_phoenix.banker"),
    )
    side = (
        *("roulette.b2b", "roulette.blazing_7s", "craps.hot_roller", "craps.all_small", "craps.hot_shooter"),
        *("minibaccarat.perfect_pairs", ROYAL, "midibaccarat.royal_9", "rising_phoenix.sun_7"),
    )
    assert [code for code in base if not is_base(code)] == []
    assert [code for code in side if is_base(code)] == []


def test_an_open_rate_is_what_the_days_wagers_gave() -> None:
    """Royal 9's rate is the Rules Submission's: theory takes contributions over stakes, and a note says so."""
    change = played((heading("MIN-01"), (ROYAL, "$5", 500, LOSE, 0)), (heading("MIN-01"), (ROYAL, "$5", 500, LOSE, 0)))
    made = {
        ContributionKey(DAY, "MIN-01", "RS-1", ROYAL, "$5", "R9", level): (amount, 0)
        for level, amount in (("mega", 1_000_000), ("major", 300_000), ("minor", 200_000))
    }
    found = lines(change, "side_wagers", contributions=made)
    (row,) = [cells(found, row) for row in found.rows]
    edge = theoretical(ROYAL, "$5", 8).house_edge
    assert edge is not None
    assert row["theoretical_hold"] == decimal_text((edge - Fraction(15, 100)) * 100, 4)
    assert (row["win"], row["hold"]) == (850, "85.00")
    assert any(note.startswith(f"{ROYAL}: the rate of progression is the Rules Submission's") for note in found.notes)


def test_an_open_rate_without_a_settled_wager_has_no_theory() -> None:
    """Contributions alone, of rounds that are not settled yet, give no figure."""
    made = {ContributionKey(DAY, "MIN-01", "RS-1", ROYAL, "$5", "R9", "mega"): (1_000_000, 0)}
    found = lines(SettlementsChange(), "side_wagers", contributions=made)
    assert cells(found, found.rows[0])["theoretical_hold"] is None
    assert f"{ROYAL}: contributions of rounds that are not settled yet." in found.notes


def test_a_price_that_is_drawn_has_no_theory_without_its_weights() -> None:
    """B2B's line keeps its money, shows no figure, and leaves the total without one."""
    head = heading("ROU-01", decks=0, wheel="double_zero")
    found = lines(played((head, ("roulette.b2b", "standard", 500, LOSE, 0))), "side_wagers")
    assert cells(found, found.rows[0])["theoretical_hold"] is None
    assert cells(found, found.totals or ())["theoretical_hold"] is None
    assert "roulette.b2b: no theory for paytable standard." in found.notes


GENEROUS = """
from dataclasses import replace

from services.games.baccarat.wagers.player import WAGERS as PLAYER
from services.games.paytables import PUSH, Paytable, to_one

(RULE,) = [each for each in PLAYER if each.code == "baccarat.player"]
LINES = {line: PUSH if cell is PUSH else to_one(5) for line, cell in RULE.paytables["standard"].lines.items()}
WAGERS = (replace(RULE, code="baccarat.generous", section="631c.99", paytables={"standard": Paytable(LINES)}),)
"""


def test_a_report_warns_of_an_unusual_house_edge(tmp_path: Path) -> None:
    """A shown wager whose exact edge lies outside the band has a note; the others have none."""
    with wager_file(tmp_path, "generous", GENEROUS):
        theoretical.cache_clear()
        found = lines(played((heading(), ("baccarat.generous", "standard", 500, WIN, 3_000))), "side_wagers")
        (note,) = found.notes
    theoretical.cache_clear()
    assert note.startswith("631c.99: baccarat.generous: expected a house edge of 0.00")


def spun(table_id: str, number: int, wheel: str) -> settlement.SettledRound:
    """A settled spin with one straight wager."""
    return settlement.SettledRound(
        key=rounds.RoundKey(gaming_day="2026-03-02", table_id=table_id, round_no=number),
        shift=1,
        dealer="D-7",
        submission_id="RS-1",
        game="roulette",
        wheel=wheel,
        wager_no=[1],
        seat=[1],
        code=["roulette.straight"],
        paytable=["standard"],
        stake_cents=[500],
        outcome=[settlement.OUTCOME_LOSE],
        line=[""],
        payout_cents=[0],
        inventory_cents=[0],
        breakage_micros=[0],
    )


def thrown(roll: int, *outcomes: "settlement.Outcome.ValueType") -> settlement.SettledRound:
    """One settled roll of a hand, with these outcomes of pass wagers."""
    count = len(outcomes)
    return settlement.SettledRound(
        key=rounds.RoundKey(gaming_day="2026-03-02", table_id="CRP-01", round_no=1, roll=roll),
        shift=1,
        dealer="D-7",
        submission_id="RS-1",
        game="craps",
        wager_no=range(1, count + 1),
        seat=[1] * count,
        code=["craps.pass"] * count,
        paytable=["standard"] * count,
        stake_cents=[1_000] * count,
        outcome=outcomes,
        line=[""] * count,
        payout_cents=[1_000 if each == settlement.OUTCOME_VOID else 0 for each in outcomes],
        inventory_cents=[1_000 if each == settlement.OUTCOME_VOID else 0 for each in outcomes],
        breakage_micros=[0] * count,
    )


async def test_wheels_and_rolls_are_summed_from_the_feed(house: House, database: Database) -> None:
    """Sums are kept by wheel; a hand settled roll by roll is one round, its handle counted when settled."""
    await house.upstream.settle(
        spun("ROU-01", 1, "double_zero"),
        spun("ROU-01", 2, "double_zero"),
        spun("ROU-02", 1, "single_zero"),
        thrown(1, settlement.OUTCOME_VOID),
        thrown(2),
        thrown(3, settlement.OUTCOME_LOSE, settlement.OUTCOME_LOSE),
        rounds=9,
    )
    await house.upstream.progressives.commit(rounds=9)
    report = await house.report(complete_to=2)
    rows, _ = table(report, "wagers")
    assert [(row["wager"], row["wheel"], row["wagers"], row["theoretical_hold"]) for row in rows] == [
        ("roulette.straight", "double_zero", 2, "5.2632"),
        ("roulette.straight", "single_zero", 1, "2.7027"),
        ("craps.pass", None, 2, "1.4141"),
    ]
    by_table = {row["name"]: row for row in table(report, "win")[0] if row["scope"] == "table"}
    assert {name: row["rounds"] for name, row in by_table.items()} == {"CRP-01": 1, "ROU-01": 2, "ROU-02": 1}
    assert (by_table["CRP-01"]["handle"], by_table["CRP-01"]["game_win"]) == (2_000, 2_000)
    owner = await asyncpg.connect(database.owner_url)
    kept = await owner.fetch("SELECT DISTINCT wheel FROM reporting.wager_sum ORDER BY wheel")
    await owner.close()
    assert [row["wheel"] for row in kept] == ["", "double_zero", "single_zero"]


async def test_a_report_warns_by_the_band_in_force_that_day(house: House) -> None:
    """Each day has the notes of its own band: the settings of a later day do not reach back."""
    narrow = rounds.PropertySettings(
        property_id=PROPERTY,
        time_zone="America/New_York",
        cut_over="06:00",
        shift_starts=["06:00"],
        effective_from="2026-03-02",
        house_edge_from="3",
    )
    usual = rounds.PropertySettings.FromString(narrow.SerializeToString())
    usual.effective_from, usual.house_edge_from = "2026-03-03", ""
    wheels = [spun("ROU-01", 1, "double_zero"), spun("ROU-02", 1, "single_zero")]
    later = spun("ROU-02", 1, "single_zero")
    later.key.gaming_day = "2026-03-03"
    await house.upstream.rounds.commit([rounds.Entry(property_set=each) for each in (narrow, usual)])
    await house.upstream.settle(*wheels, later, rounds=4)
    await house.upstream.progressives.commit(rounds=4)
    (said,) = notes(await house.report(complete_to=4))
    assert said.endswith("roulette.straight: expected a house edge of 3.00% to 45.00%, given 2.7027%")
    assert notes(await house.report(complete_to=4, day="2026-03-03")) == []


def notes(report: reporting.Report) -> list[str]:
    """The notes under the wagers of the game."""
    return [note for each in report.tables if each.name == "wagers" for note in each.notes]
