"""The whole result space against published figures."""

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from services.games.analysis import analyse, stored
from services.games.analysis.law import settings_of
from services.games.catalogue import catalogue
from services.games.wagers import Setting, Wager
from services.kernel.money import decimal_text, half_up
from tests.builders import NO_SHARED, SHARED

PUBLISHED = json.loads((Path(__file__).parents[1] / "data" / "published.json").read_text(encoding="utf-8"))
GOLDEN = SHARED / "golden" / "published.json"
GAMES = {
    "617c": "roulette",
    "623c": "craps",
    "627b": "minibaccarat",
    "627c": "minibaccarat",
    "629c": "midibaccarat",
    "631c": "baccarat",
    "633c": "blackjack",
}
"""The game of a chapter."""

TITLES = {
    "Player (commission-free)": "Player",
    "Banker (commission-free, 6 pays 1 to 2)": "Banker",
    "Blazing 7's roulette": "Blazing 7's",
    "Super 4 progressive": "Super 4 progressive, pairs by rank",
}
PAYTABLES = {"Tie": "8", "Banker": "commission-free"}
OTHERWISE_NAMED = {f"{decks}-deck C": "four decks" if decks == 4 else "C" for decks in (1, 4, 6, 8)}
HITS_SOFT_17 = "the dealer hits soft 17 and completes the hand"
LINES: dict[str, tuple[str, ...]] = {
    "Banker wins with 3-card 7": ("banker_three_card_seven",),
    "Player wins with 3-card 8": ("player_three_card_eight",),
    "Banker wins with 2-card 6": ("two_card_six",),
    "Banker wins with 3-card 6": ("three_card_six",),
    "Banker wins not on 6": ("banker_wins",),
    "Banker wins on 6": ("banker_wins_on_six",),
    "Banker wins, not 3-card 7": ("banker_wins",),
    "Royal Match (suited K-Q)": ("royal_match",),
    "Suited Match (other suited)": ("suited_match",),
    "all three of 7-17-27": ("all_three",),
    "two of 7-17-27": ("two_of_three",),
    "one of 7-17-27": ("one_of_three",),
    "other": ("other", "one_color"),
    "royal flush diamonds/chosen suit": ("royal_flush_diamonds", "royal_flush_chosen_suit"),
    "royal flush other suit": ("royal_flush_other", "royal_flush_other_suit"),
    "three-of-a-kind": ("three_of_a_kind",),
    "ace-king matching suited Blackjacks": ("ace_king_matching_suited",),
    "two suited matches": ("two_suited_aces_of_spades", "two_suited"),
    "one non-suited and one suited match": ("one_suited_one_non_suited",),
    "one suited match": ("one_suited",),
    "two non-suited matches": ("two_non_suited",),
    "one non-suited match": ("one_non_suited",),
    "three 7s of diamonds": ("three_7s_diamonds",),
    "three 7s same suit": ("three_7s_diamonds", "three_7s_clubs_spades_hearts"),
    "three 7s, any suits": (
        "three_7s_diamonds",
        "three_7s_clubs_spades_hearts",
        "three_7s_same_color",
        "three_7s",
    ),
    "ace of spades and jack of spades": ("ace_and_jack_of_spades",),
    "other Blackjack": ("blackjack",),
    "9, 10 or 11": ("nine_to_eleven",),
    "18, 19 or 20 (incl. soft)": ("eighteen_to_twenty",),
}
"""The lines of either wager that a published outcome has together, where the name does not say it."""

EXPECTED = {"compared": 168, "slips of the source": 11}

ROUNDED = ("published rounded to 15 digits", "sum of published counts for Banker wins on 1 and on 2; published rounded")


def wager_of(row: dict[str, Any]) -> Wager | None:
    """The wager that a row speaks of: by its game, and by its title there."""
    game = GAMES.get(row["section"].partition(".")[0])
    title = TITLES.get(row["wager"], row["wager"])
    found = [rule for rule in catalogue().values() if (rule.game, rule.title) == (game, title)]
    return found[0] if found else None


def setting_of(rule: Wager, row: dict[str, Any]) -> Setting:
    """The decks of a row; a row of Roulette is of a double zero wheel."""
    return row.get("decks") or ("double_zero" if rule.game == "roulette" else None)


def lines_of(found: dict[str, Any], row: dict[str, Any]) -> Sequence[Fraction]:
    """The probabilities of the lines that the row's outcome has."""
    probabilities = {each["line"]: Fraction(each["probability"]) for each in found["lines"]}
    won = [line for line in probabilities if line not in ("lose", "tie")]
    names = LINES.get(row["outcome"], (row["outcome"].replace(" ", "_"),))
    return [probabilities[name] for name in ([each for each in names if each in probabilities] or won)]


def differences(row: dict[str, Any], rule: Wager) -> list[str]:
    """What of a row is not what is counted: its probability as a fraction, its edge in the digits printed."""
    name = PAYTABLES.get(rule.title) or OTHERWISE_NAMED.get(row["paytable"], row["paytable"])
    name = name if name in rule.paytables else None
    found = analyse(rule.code, name or next(iter(rule.paytables)), setting_of(rule, row))
    differ = []
    if "probability_fraction" in row and not _same(sum(lines_of(found, row), Fraction(0)), row):
        differ.append(f"probability of {row['outcome']}")
    if row["outcome"] == "hit frequency":
        return differ if _roughly(found, row) else ["hit frequency"]
    if "house_edge" in row:
        digits = len(row["house_edge"].partition(".")[2])
        edges = [decimal_text(Fraction(edge), digits) for edge in edges_of(found)]
        if row["house_edge"] not in edges:
            differ.append(f"house edge {found['house_edge']}")
    return differ


def _roughly(found: dict[str, Any], row: dict[str, Any]) -> bool:
    """Whether a figure published in words holds: one hand in 130 or so, an edge in the 10 % range."""
    one_in = 1 / Fraction(found["hit_frequency"])
    return 120 <= one_in <= 140 and abs(Fraction(found["house_edge"]) - Fraction(row["house_edge"])) < Fraction(2, 100)


def edges_of(found: dict[str, Any]) -> list[str]:
    """The house edge and, where the dealer's hand decides, the one of a dealer who hits soft 17: a row does not say
    which dealer it is of.
    """
    others = [each for each in found.get("alternatives", []) if each["assumes"] == HITS_SOFT_17]
    return [found["house_edge"], *(each["house_edge"] for each in others)]


def _same(found: Fraction, row: dict[str, Any]) -> bool:
    """Equal as fractions, or as numbers of ways to the digits to which they were published."""
    ways, total = map(int, row["probability_fraction"].split("/"))
    if row.get("note") not in ROUNDED:
        return found == Fraction(ways, total)
    counted = found * total
    digits: int = len(str(ways)) - 15 + (row["note"] == ROUNDED[1])
    return abs(half_up(counted.numerator, counted.denominator) - ways) <= 2 * int("1".ljust(1 + max(digits, 0), "0"))


def agreement(rows: Sequence[dict[str, Any]]) -> tuple[Counter[str], list[str]]:
    """How many rows agree and how many are slips of their source; and what differs."""
    count, differ = Counter[str](), []
    for row in rows:
        rule = wager_of(row)
        assert rule is not None, f"expected a wager for {row['section']} {row['wager']}"
        found = differences(row, rule)
        slip = bool(row.get("slip_of_the_source"))
        count["slips of the source" if slip else "compared"] += 1
        if bool(found) != slip:
            differ.append(f"{row['section']} {row['wager']} {row['paytable']}: {found or 'agrees, though a slip'}")
    return count, differ


def test_published_figures_are_reproduced() -> None:
    """Every published probability is equal as a fraction, every house edge in all digits printed, slips excepted."""
    count, differ = agreement(PUBLISHED["rows"])
    print(
        "\npublished figures:", ", ".join(f"{number} {what}" for what, number in count.items()), "- none not yet built"
    )
    assert differ == []
    assert count == EXPECTED


@pytest.mark.shared
@pytest.mark.skipif(not GOLDEN.exists(), reason=NO_SHARED)
def test_the_reference_figures_are_reproduced() -> None:
    """All of the reference figures agree but for the slips of their sources; none waits for a wager."""
    rows = json.loads(GOLDEN.read_text(encoding="utf-8"))["rows"]
    count, differ = agreement(rows)
    print(
        "\npublished figures:", ", ".join(f"{number} {what}" for what, number in count.items()), "- none not yet built"
    )
    assert differ == []
    assert count == EXPECTED
    assert sum(count.values()) == len(rows) == 179


def first_of_each(rule: Wager) -> tuple[str, Setting]:
    """One paytable and setting of a wager: the last of its paytables, at the last of its settings."""
    name, paytable = list(rule.paytables.items())[-1]
    return name, settings_of(rule, paytable)[-1]


@pytest.mark.enumeration
@pytest.mark.parametrize("rule", catalogue().values(), ids=lambda rule: rule.code)
def test_one_stored_figure_of_each_wager_is_what_is_counted(rule: Wager) -> None:
    """Counting one paytable of each wager anew gives what is stored of it."""
    key = (rule.code, *first_of_each(rule))
    assert stored.as_text([analyse(*key, recompute=True)]) == stored.as_text([analyse(*key)])


@pytest.mark.enumeration
@pytest.mark.slow
def test_the_stored_figures_are_what_is_counted() -> None:
    """Counting every analysis anew gives the stored files, byte for byte."""
    kept = {path.name: path.read_text(encoding="utf-8") for path in stored.STORED.glob("*.json")}
    assert kept == stored.texts()


@pytest.mark.enumeration
@pytest.mark.parametrize("game", ["baccarat", "minibaccarat", "midibaccarat"])
@pytest.mark.parametrize("decks", [6, 8])
def test_player_banker_and_tie_have_their_known_ways(game: str, decks: int) -> None:
    """The coups of six and eight decks are the known numbers of ordered deals of six cards."""
    known = PUBLISHED["check"][str(decks)]
    for title, paytable, lines in (
        ("Player", "standard", ["player_wins"]),
        ("Banker", "5%", ["banker_wins", "banker_wins_on_six"]),
        ("Tie", "8", ["tie"]),
    ):
        found = analyse(f"{game}.{title.lower()}", paytable, decks, recompute=True)["lines"]
        ways = {each["line"]: each["probability"].split("/") for each in found}
        assert sum(int(ways[line][0]) for line in lines) == known[title]
        assert {total for _, total in ways.values()} == {str(known["total"])}


def test_fortune_7_at_eight_decks_is_the_published_one() -> None:
    """The Banker wins with a three-card 7 in 112,633,011,329,024 deals, a house edge of 7.6113 %."""
    found = analyse("baccarat.fortune_7", "A", 8)
    assert found["lines"][0]["probability"] == "112633011329024/4998398275503360"
    assert found["house_edge"].startswith("0.076113")


@pytest.mark.parametrize(
    ("code", "paytable", "setting", "edge"),
    [
        ("baccarat.cover_all", "A", 8, "0.092459"),
        ("baccarat.cover_all", "B", 8, "0.029664"),
        ("baccarat.lucky_nines", "A", 8, "0.190583"),
        ("craps.hot_shooter", "standard", None, "0.090740"),
        ("craps.lucky_shooter", "A", None, "0.169630"),
        ("craps.lucky_shooter", "B", None, "0.161050"),
        ("craps.lucky_shooter", "C", None, "0.105330"),
        ("craps.lucky_shooter", "D", None, "0.108404"),
        ("craps.pass", "standard", None, "0.014141"),
        ("roulette.blazing_7s", "1", "double_zero", "0.100696"),
        ("blackjack.axman", "standard", 6, "0.167320"),
        ("blackjack.super_4", "1-1", 8, "0.403349"),
        ("blackjack.super_4_by_rank", "1-1", 8, "0.333414"),
    ],
)
def test_readings_that_were_settled_stay_settled(code: str, paytable: str, setting: Setting, edge: str) -> None:
    """Each reading of an unclear text has the house edge for which it was chosen."""
    assert decimal_text(Fraction(analyse(code, paytable, setting)["house_edge"]), 6) == edge
