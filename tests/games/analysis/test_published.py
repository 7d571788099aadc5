"""The whole result space against published figures."""

import json
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from services.games.analysis import analyse, analyses, stored
from services.games.catalogue import catalogue
from services.kernel.money import decimal_text
from tests.builders import NO_SHARED, SHARED

PUBLISHED = json.loads((Path(__file__).parents[1] / "data" / "published.json").read_text(encoding="utf-8"))
GOLDEN = SHARED / "golden" / "published.json"

LINES = {
    "Banker wins with 3-card 7": "banker_three_card_seven",
    "Player wins with 3-card 8": "player_three_card_eight",
    "perfect pair": "perfect_pair",
    "colored pair": "colored_pair",
    "mixed pair": "mixed_pair",
    "tie": "tie",
    "Player wins": "player_wins",
}
PAYTABLES = {"Tie": "8", "Player": "standard"}
NAMES = {"Player (commission-free)": "Player"}
CODES = {rule.title: rule.code for rule in catalogue().values()}


def compare(row: dict[str, Any]) -> None:
    """Holds one published row against what is counted: the probability exactly, the edge to its digits."""
    title = NAMES.get(row["wager"], row["wager"])
    found = analyse(CODES[title], PAYTABLES.get(title, row["paytable"]), row["decks"], recompute=True)
    if "probability_fraction" in row:
        probabilities = {each["line"]: Fraction(each["probability"]) for each in found["lines"]}
        assert probabilities[LINES[row["outcome"]]] == Fraction(row["probability_fraction"]), row
    digits = len(row["house_edge"].partition(".")[2])
    assert decimal_text(Fraction(found["house_edge"]), digits) == row["house_edge"], row


def rows_of_this_game(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows whose wager is dealt here under the same rule."""
    same = {"Tie", "Player", "Player (commission-free)"}
    return [row for row in rows if row["section"] in ("631c.1", "631c.3") or row["wager"] in same]


@pytest.mark.enumeration
def test_the_stored_figures_are_what_is_counted() -> None:
    """Counting every analysis anew gives the stored file, byte for byte."""
    assert stored.STORED.read_text(encoding="utf-8") == stored.as_text(analyses(recompute=True))


@pytest.mark.enumeration
@pytest.mark.parametrize("decks", [6, 8])
def test_player_banker_and_tie_have_their_known_ways(decks: int) -> None:
    """The coups of six and eight decks are the known numbers of ordered deals of six cards."""
    known = PUBLISHED["check"][str(decks)]
    for title, paytable in (("Player", "standard"), ("Banker", "5%"), ("Tie", "8")):
        lines = analyse(CODES[title], paytable, decks, recompute=True)["lines"]
        line = "tie" if title == "Tie" else f"{title.lower()}_wins"
        assert {each["line"]: each["probability"] for each in lines}[line] == f"{known[title]}/{known['total']}"


@pytest.mark.enumeration
def test_published_figures_are_reproduced() -> None:
    """Every published probability is equal as a fraction, every house edge in all digits printed."""
    compared = [row for row in PUBLISHED["rows"] if not row["wager"].startswith("Banker")]
    for row in compared:
        compare(row)
    assert len(compared) == 19


@pytest.mark.enumeration
@pytest.mark.parametrize(("decks", "rounded"), [(6, 0), (8, 10)])
def test_the_bankers_wins_are_the_published_ones(decks: int, rounded: int) -> None:
    """The Banker's wins on 6 and otherwise add up to all its wins, to fifteen digits."""
    rows = [row for row in PUBLISHED["rows"] if row["wager"].startswith("Banker") and row["decks"] == decks]
    published = sum(int(row["probability_fraction"].partition("/")[0]) for row in rows)
    assert abs(published - PUBLISHED["check"][str(decks)]["Banker"]) <= rounded


@pytest.mark.enumeration
def test_fortune_7_at_eight_decks_is_the_published_one() -> None:
    """The Banker wins with a three-card 7 in 112,633,011,329,024 deals, a house edge of 7.6113 %."""
    found = analyse("baccarat.fortune_7", "A", 8, recompute=True)
    assert found["lines"][0]["probability"] == "112633011329024/4998398275503360"
    assert found["house_edge"].startswith("0.076113")


@pytest.mark.enumeration
@pytest.mark.parametrize(("paytable", "edge"), [("A", "0.092459"), ("B", "0.029664")])
def test_cover_all_pays_what_the_others_pay(paytable: str, edge: str) -> None:
    """Under paytable A two-card sevens are not covered, under B they are."""
    assert decimal_text(Fraction(analyse("baccarat.cover_all", paytable, 8)["house_edge"]), 6) == edge


@pytest.mark.shared
@pytest.mark.enumeration
@pytest.mark.skipif(not GOLDEN.exists(), reason=NO_SHARED)
def test_the_reference_figures_are_reproduced() -> None:
    """Every reference row of a wager dealt here agrees; the others are not dealt here."""
    rows = json.loads(GOLDEN.read_text(encoding="utf-8"))["rows"]
    compared = rows_of_this_game(rows)
    for row in compared:
        compare(row)
    others = {row["wager"] for row in rows if row not in compared}
    assert len(compared) == 27
    assert not {title for title in others if title in CODES and title != "Perfect Pairs"}
