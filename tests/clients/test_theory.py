"""`casino wagers` and `casino analyze`."""

import json
from fractions import Fraction
from typing import Any

import pytest

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
    assert list(wagers) == list(catalogue())
    seven = wagers["baccarat.fortune_7"]
    assert (seven["section"], seven["title"], seven["game"]) == ("631c.3", "Fortune 7", "baccarat")
    assert seven["paytables"]["A"]["lines"] == [{"line": "banker_three_card_seven", "pays": "40 to 1"}]
    assert {"decks", "meters", "lock", "effective", "expires"} <= set(seven)
    (meter,) = wagers["baccarat.heavenly_9_progressive"]["meters"]
    assert (meter["seed_cents"], meter["increment_rate"]) == (1_000_000, 1_000)


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
