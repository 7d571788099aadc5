"""`casino wagers` and `casino analyze`."""

import json
from datetime import datetime
from fractions import Fraction
from typing import Any

import pytest

from casino.rounds.v1.entries_pb2 import PropertySettings
from clients.cli.properties import band_at
from services.games.catalogue import catalogue
from tests.clients.command import casino


def found(*arguments: str) -> list[Any]:
    """The JSON list that a command prints."""
    ran = casino(*arguments, "--json")
    assert (ran.code, ran.err) == (0, "")
    listed: list[Any] = json.loads(ran.out)
    return listed


def test_catalogue_lists_every_wager() -> None:
    """Each has code, section, title, game, paytables with what each line pays, decks, meters, lock and dates."""
    wagers = {each["code"]: each for each in found("wagers")}
    assert [code for code, each in wagers.items() if each["procedure"] is None] == list(catalogue())
    seven = wagers["baccarat.fortune_7"]
    assert (seven["section"], seven["title"], seven["game"]) == ("631c.3", "Fortune 7", "baccarat")
    assert seven["paytables"]["A"]["lines"] == [{"line": "banker_three_card_seven", "pays": "40 to 1"}]
    assert {"decks", "meters", "lock", "effective", "expires"} <= set(seven)
    (meter,) = wagers["baccarat.heavenly_9_progressive"]["meters"]
    assert (meter["seed_cents"], meter["increment_rate"]) == (1_000_000, 1_000)


def test_a_section_that_is_a_procedure_is_listed_with_its_text() -> None:
    """It has the fields of a wager, no paytable, and what the table does."""
    (reveal,) = [each for each in found("wagers") if each["section"] == "629c.4"]
    assert (reveal["code"], reveal["game"], reveal["paytables"]) == ("procedure.629c.4", "midibaccarat", {})
    assert "Player's two cards face down" in reveal["procedure"]
    keys = {frozenset(each) for each in found("wagers")}
    assert len(keys) == 1


def test_catalogue_names_what_a_submission_may_choose() -> None:
    """Options with their values (null: written freely), mystery bonuses with their section, kinds of table, wheels."""
    wagers = {each["code"]: each for each in found("wagers")}
    royal = wagers["minibaccarat.royal_9"]
    assert (royal["required_options"], royal["options"]["king_9_by_seat"]) == (["king_9_by_seat"], None)
    assert [each["seed_cents"] for each in royal["paytables"]["$1"]["meters"]] == [1_000_000, 9_000, 9_000]
    assert royal["options"]["mystery"] == ["", "1", "2", "3"]
    nine = wagers["baccarat.heavenly_9_progressive"]
    assert {each["section"] for each in nine["mysteries"]} == {"631c.6"}
    assert wagers["craps.lucky_shooter"]["table_kinds"] == ["fully_automated"]
    assert wagers["roulette.five_number"]["paytables"]["standard"]["wheels"] == ["double_zero"]


def test_analysis_is_for_the_games_equipment() -> None:
    """Cards have decks, Roulette a wheel, Craps neither; --all with one of them is that equipment's games."""
    (dozen,) = found("analyze", "roulette.dozen", "--wheel", "double_zero")
    assert (dozen["decks"], dozen["wheel"], dozen["house_edge"]) == (None, "double_zero", "0.052631578947")
    (field,) = found("analyze", "craps.field", "--paytable", "triple 12")
    assert (field["decks"], field["wheel"], field["house_edge"]) == (None, None, "0.027777777778")
    assert {each["wager"].partition(".")[0] for each in found("analyze", "--all", "--wheel", "single_zero")} == {
        "roulette"
    }
    assert "depends on rng_weights; none at a mean payout of 36/1" in casino("analyze", "roulette.b2b").out


def test_analysis_is_a_list_of_exact_figures() -> None:
    """The lines' probabilities are ways over all ways, the edge a decimal text of twelve digits."""
    (one,) = found("analyze", "baccarat.fortune_7", "--paytable", "A", "--decks", "8")
    assert one["lines"][0]["probability"] == "112633011329024/4998398275503360"
    assert one["house_edge"].startswith("0.0761133")
    assert len(one["house_edge"]) == 14
    assert sum(Fraction(line["probability"]) for line in one["lines"]) == 1
    assert {"section", "wager", "title", "assumes", "depends_on", "hit_frequency"} <= set(one)


def test_analysis_of_all_covers_every_paytable() -> None:
    """`--all` has every wager and paytable."""
    pairs = {(each["wager"], each["paytable"]) for each in found("analyze", "--all")}
    assert pairs == {(code, name) for code, rule in catalogue().items() for name in rule.paytables}


def test_analysis_of_all_takes_a_deck_count() -> None:
    """`--all --decks N` is every wager and paytable at that deck count."""
    assert {each["decks"] for each in found("analyze", "--all", "--decks", "6")} == {6}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("analyze", "baccarat.tea"), "WAGER_UNKNOWN: expected a wager of the catalogue, given"),
        (("analyze", "baccarat.tie", "--paytable", "7"), "PAYTABLE_UNKNOWN: expected paytable 8 or 9 of"),
        (("analyze",), "INVALID_REQUEST: expected a wager's code or --all, given neither"),
        (("analyze", "craps.field", "--decks", "8"), "INVALID_REQUEST: expected neither decks nor a wheel in craps"),
        (("analyze", "roulette.dozen", "--wheel", "round"), "INVALID_REQUEST: expected a wheel, single_zero or"),
        (("analyze", "baccarat.tie", "--all"), "INVALID_REQUEST: expected a wager's code or --all, given both"),
    ],
)
def test_refusals_are_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    """The command ends with 1 and says what was expected and what was given."""
    ran = casino(*arguments)
    assert ran.code == 1
    assert ran.err.startswith(sentence)
    assert ran.err.count("\n") == 1


def test_tables_for_a_reader_show_what_each_line_pays() -> None:
    """Without --json the figures are columns."""
    assert "40 to 1" in casino("analyze", "baccarat.fortune_7").out
    assert "Fortune 7" in casino("wagers").out


def test_a_band_is_that_of_the_instants_gaming_day() -> None:
    """Settings take effect at the cut-over of their day; before the first of them, the first hold."""
    settings = [
        PropertySettings(time_zone="America/New_York", cut_over="06:00", effective_from=day, house_edge_to=highest)
        for day, highest in (("2026-03-01", "30"), ("2026-04-01", "12.5"))
    ]
    instants = ("2026-02-01T12:00+00:00", "2026-04-01T09:59+00:00", "2026-04-01T10:00+00:00", "2026-04-02T02:00+00:00")
    found = [band_at(settings, datetime.fromisoformat(each)).highest for each in instants]
    assert found == [3_000, 3_000, 1_250, 1_250]


@pytest.mark.parametrize("code", ["baccarat.tie", "roulette.b2b", "craps.pass"])
def test_counting_anew_prints_the_same_bytes(code: str) -> None:
    """What is stored and what is counted are told in the same words."""
    stored, counted = (casino("analyze", code, "--json", *more).out for more in ((), ("--recompute",)))
    assert stored == counted


@pytest.mark.slow
def test_counting_everything_anew_prints_the_same_bytes() -> None:
    """The whole catalogue, every paytable and setting."""
    stored, counted = (casino("analyze", "--all", "--json", *more).out for more in ((), ("--recompute",)))
    assert stored == counted
