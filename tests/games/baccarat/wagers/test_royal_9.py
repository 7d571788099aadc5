"""Royal 9 progressive."""

import re

import pytest

from services.games.baccarat.wagers.royal_9 import KING_9_BY_SEAT, read_king_9s
from services.games.catalogue import catalogue
from services.games.terms import Offer, Terms, check_terms
from services.kernel.cards import CARDS
from services.kernel.errors import TermsContradictRules
from tests.games.baccarat.tables import KING_9S, line_at, settled_at, table
from tests.games.baccarat.test_base import DAY

GAMES = {"minibaccarat": "627c.3", "midibaccarat": "629c.3"}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("player", "banker", "seat", "line"),
    [
        ("KS 9S", "9S KS", 1, "personal_king_9_on_both"),
        ("9S KS", "KS 9S", 2, "mega_envy"),
        ("9S KS", "KS 9S", 9, "mega_envy"),
        ("2C 5D", "KS 9S", 1, "personal_king_9_on_banker"),
        ("KH 9C", "KS 9S", 1, "personal_king_9_on_banker"),
        ("KH 9C", "KS 9S", 2, "personal_king_9_on_player"),
        ("KS 9S", "QH 9H", 1, "personal_king_9_on_player"),
        ("KC 9C", "KC 9C", 1, "suited_royal_9_tie"),
        ("KH 9H", "JC 9C", 1, "suited_royal_9_tie"),
        ("KH 9C", "KS 9S", 3, "royal_9_tie"),
        ("KH 9S", "QC 9D", 1, "royal_9_tie"),
        ("KH 9H", "2C 5D", 1, "suited_royal_9"),
        ("2C 5D", "9D QD", 1, "suited_royal_9"),
        ("9H JC", "2C 5D", 1, "royal_9"),
        ("2C 5D", "KH 9C", 1, "royal_9"),
        ("10H 9C", "2C 5D", 1, None),
        ("9H 9C", "2C 5D", 1, None),
        ("KC 2D 7H", "KH 7S", 1, None),
    ],
)
def test_royal_9_hits_its_line(game: str, player: str, banker: str, seat: int, line: str | None) -> None:
    """The first line in the listed order is hit: a personal combination before envy, envy before any Royal 9."""
    assert line_at(f"{game}.royal_9", player, banker, seat=seat) == line


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("player", "banker", "five", "one"),
    [
        ("KC 9C", "KC 9C", 150_000, 30_000),
        ("KH 9S", "QC 9D", 25_000, 5_000),
        ("KH 9H", "2C 5D", 5_000, 1_000),
        ("9H JC", "2C 5D", 2_500, 500),
    ],
)
def test_fixed_amounts_are_those_of_the_denomination(game: str, player: str, banker: str, five: int, one: int) -> None:
    """The $5 and the $1 wager have their own amounts, and the stake does not come back."""
    assert settled_at(f"{game}.royal_9", "$5", player, banker, 500).payout_cents == five
    assert settled_at(f"{game}.royal_9", "$1", player, banker, 100).payout_cents == one


@pytest.mark.parametrize(
    ("player", "banker", "level"),
    [("KS 9S", "KS 9S", "mega"), ("2C 5D", "KS 9S", "major"), ("KS 9S", "2C 5D", "minor")],
)
def test_a_personal_combination_wins_a_whole_meter(player: str, banker: str, level: str) -> None:
    """On both hands it wins the mega, on the Banker's the major, on the Player's the minor."""
    (award,) = settled_at("minibaccarat.royal_9", "$5", player, banker, 500).awards
    assert (award.kind, award.level, award.percent, award.paid_from) == ("meter", level, 10_000, "slip")


@pytest.mark.parametrize(("paytable", "stake", "cents"), [("$5", 500, 500_000), ("$1", 100, 100_000)])
def test_mega_envy_is_a_fixed_amount(paytable: str, stake: int, cents: int) -> None:
    """Another position's king and nine on both hands pays envy, whether anyone sits there or not."""
    found = settled_at("midibaccarat.royal_9", paytable, "KS 9S", "KS 9S", stake, seat=3)
    (award,) = found.awards
    assert (award.kind, award.cents, found.payout_cents) == ("envy", cents, cents)


def test_the_section_is_declared_as_it_stands() -> None:
    """Least seeds by denomination, rates of the submission, the three mysteries, and the lock at the first card."""
    for code in (f"{game}.royal_9" for game in GAMES):
        rule = catalogue()[code]
        assert [meter[:4] for meter in rule.meters_of("$5")] == [
            ("mega", 5_000_000, True, None),
            ("major", 45_000, True, None),
            ("minor", 45_000, True, None),
        ]
        assert [meter.seed_cents for meter in rule.meters_of("$1")] == [1_000_000, 9_000, 9_000]
        assert rule.lock == "first_card"
        assert [each[2:5] for each in rule.mysteries] == [
            (25_000, 100_000, 500),
            (10_000, 50_000, 500),
            (10_000, 20_000, 200),
        ]
        assert {each.denomination_cents for each in rule.mysteries} == {0}


def test_combinations_are_read_by_seat() -> None:
    """A king and a nine for each seat, in the order that they are written."""
    found = read_king_9s("1:KS9S 2:KH9C")
    assert found.by_seat == {1: (CARDS["KS"], CARDS["9S"]), 2: (CARDS["KH"], CARDS["9C"])}
    assert found.printed == {(CARDS["KS"], CARDS["9S"]), (CARDS["KH"], CARDS["9C"])}


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("", "given ''"),
        ("KS9S", "given KS9S"),
        ("1:QS9S", "given 1:QS9S"),
        ("1:KS8S", "given 1:KS8S"),
        ("x:KS9S", "given x:KS9S"),
        ("1:KS", "given 1:KS"),
        ("1:KS9S 1:KH9H", "each seat and each combination once, given 1:KH9H again"),
        ("1:KS9S 2:KS9S", "each seat and each combination once, given 2:KS9S again"),
    ],
)
def test_combinations_are_kings_and_nines_each_once(text: str, given: str) -> None:
    """Any other writing is refused with what was expected and given."""
    with pytest.raises(
        ValueError, match=f"^expected a king and a nine for each seat, as 1:KS9S 2:KH9C.*{re.escape(given)}$"
    ):
        read_king_9s(text)


@pytest.mark.parametrize(("game", "section"), [*GAMES.items()])
def test_every_position_has_its_combination(game: str, section: str) -> None:
    """A layout names one for each seat of the table, neither fewer nor more."""
    offered = {f"{game}.royal_9": "$5", f"{game}.player": "standard"}
    check_terms(table(offered, seats=3), DAY)
    with pytest.raises(TermsContradictRules, match=rf"{section}: .*expected each of 1 to 4, given 1, 2, 3"):
        check_terms(table(offered, seats=4), DAY)


def test_combinations_must_be_filed() -> None:
    """A submission without the layout's combinations is refused, or with some that cannot be read."""
    for options, words in (((), "king_9_by_seat"), (((KING_9_BY_SEAT, "1:AS9S"),), "given 1:AS9S")):
        offers = {"minibaccarat.player": Offer("minibaccarat.player", "standard", 100)}
        offers["minibaccarat.royal_9"] = Offer("minibaccarat.royal_9", "$1", 100, None, options)
        with pytest.raises(TermsContradictRules, match=rf"627c\.3: .*{words}"):
            check_terms(Terms("RS-1", "minibaccarat", "live", 8, 1, offers), DAY)


def test_a_rising_phoenix_banker_is_a_minibaccarat_wager() -> None:
    """Royal 9 comes with any Minibaccarat wager, that of the variation included."""
    assert "rising_phoenix.banker" in catalogue()["minibaccarat.royal_9"].needs
    assert KING_9S.startswith("1:KS9S")
