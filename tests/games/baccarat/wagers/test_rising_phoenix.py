"""Rising Phoenix Baccarat."""

from datetime import date

import pytest

from services.games.baccarat.wagers.rising_phoenix import BONUSES
from services.games.catalogue import catalogue
from services.games.terms import check_terms
from services.kernel.errors import TermsContradictRules
from tests.games.baccarat.tables import line_at, settled_at, table

IN_FORCE = date(2026, 3, 2)
NATURAL_LOSS = ("2C 5D", "KS 9S")
WON = {
    "sun_7": (40, [("KC 6D", "2C 3D 2H")], [("KC 6D", "KC 7D"), ("KC 7D", "2C 3D 2H")]),
    "moon_8": (25, [("2C 3D 3H", "KC 7D")], [("3C 5D", "KC 7D"), ("2C 3D 3H", "KC 4D 4S")]),
    "nine_over_seven": (25, [("KC 9D", "KC 7D"), ("2C 5D", "9C KH")], [("KC 9D", "KC 9D"), ("KC 9D", "KC 8D")]),
    "two_card_8_over_two_card_1": (50, [("KC 8D", "KC AD"), ("KC AD", "3C 5D")], [("KC 8D", "KC 2D")]),
    "player_three_card_6": (40, [("2C 2D 2H", "KC 3D 2S")], [("KC 6D", "KC 5D 10S"), ("2C 2D 2H", "KC 6D")]),
    "banker_1_or_2": (60, [("KC KD KH", "KC KS AD"), ("KC KD KH", "KC 2D 10S")], [("KC KD KH", "KC 3D KS")]),
    "both_8_or_9": (20, [("KC 8D", "KC 9D"), ("KC 9D", "KC 9H"), ("2C 3D 3H", "2C 2D 4H")], [("KC 8D", "KC 7D")]),
    "one_over_zero": (90, [("KC AD 10H", "KC KS KD"), ("KC KD KH", "KC KS AD")], [("KC KD AH", "KC KS AD")]),
    "three_card_6_over_three_card_3": (
        150,
        [("2C 2D 2H", "KC 2D AS"), ("KC KD 3H", "2C 2D 2S")],
        [("KC 6D", "KC 2D AS"), ("KC KD 3H", "2C 2D 3S")],
    ),
    "three_card_8_over_three_card_0": (
        130,
        [("2C 3D 3H", "KC 2D 8S"), ("KC KD KH", "KC 2D 6S")],
        [("KC 8D", "KC KD"), ("2C 3D 3H", "KC 2D 9S")],
    ),
    "banker_over_two_card_7": (
        30,
        [("2C 5D", "KS 9S"), ("KC 7D", "2C 3D 3H")],
        [("2C 3D 2H", "KC KS 8D"), ("KC 7D", "2C 3D 2H"), ("KC 7D", "2C 3D AH")],
    ),
    "three_card_9_over_three_card_6": (
        200,
        [("2C 3D 4H", "KC 2D 4S"), ("2C 2D 2H", "KC 2D 7S")],
        [("2C 3D 4H", "KC 6D"), ("2C 3D 4H", "KC 2D 5S")],
    ),
    "three_card_9_over_three_card_8": (
        200,
        [("2C 3D 4H", "KC 2D 6S"), ("2C 3D 3H", "KC 2D 7S")],
        [("KC 9D", "KC 8D"), ("2C 3D 4H", "KC 2D 7S")],
    ),
    "player_three_card_8_over_three_card_0": (250, [("2C 3D 3H", "KC 2D 8S")], [("KC KD KH", "KC 2D 6S")]),
    "tie_0": (150, [("KC KD KH", "KC 3D 7S")], [("KC AD 10H", "KC KS AD")]),
    "tie_1_to_3": (
        70,
        [("KC KD AH", "KC KS AD"), ("KC KD 2H", "KC 2D KS"), ("KC KD 3H", "KC 2D AS")],
        [("KC KD KH", "KC 3D 7S"), ("KC KD 4H", "KC 4D KS")],
    ),
    "tie_4_to_7": (
        15,
        [("KC KD 4H", "KC 4D KS"), ("KC KD 5H", "KC 5D KS"), ("KC 6D", "KC 6H"), ("KC 7D", "2C 3D 2H")],
        [("KC KD 3H", "KC 2D AS"), ("KC 8D", "KH 8C"), ("KC 7D", "KC 6H")],
    ),
    "tie_8_or_9": (40, [("KC 8D", "KH 8C"), ("2C 3D 4H", "KC 4D 5S")], [("KC 7D", "KH 7C"), ("KC 8D", "KC 9D")]),
    "player_pair": (11, [("4C 4S", "KC 9D")], [("KC 9D", "4C 4S"), ("10C KC", "KC 9D")]),
    "banker_pair": (11, [("KC 9D", "4C 4S")], [("4C 4S", "KC 9D"), ("KC 9D", "10C KC")]),
}


def test_there_are_twenty_bonus_wagers() -> None:
    """Every one of 627b.4(g)(4) is offered."""
    assert [bonus.name for bonus in BONUSES] == list(WON)
    assert len(WON) == 20


@pytest.mark.parametrize("name", WON)
def test_a_bonus_wager_hits_its_line(name: str) -> None:
    """It wins on the hands that its clause names, at the odds printed, and loses on others near by."""
    odds, wins, losses = WON[name]
    code = f"rising_phoenix.{name}"
    for player, banker in wins:
        assert line_at(code, player, banker) == name, (player, banker)
        assert settled_at(code, "standard", player, banker, 100).payout_cents == 100 * odds + 100
    for player, banker in losses:
        assert line_at(code, player, banker) is None, (player, banker)


@pytest.mark.parametrize(
    ("player", "banker", "line", "payout"),
    [
        ("KC 6D", "2C 3D 2H", "three_card_seven", 1_000),
        ("KC 6D", "KC 7D", "banker_wins", 2_000),
        ("2C 3D 10H", "KC 6D", "banker_wins", 2_000),
        ("KC 7D", "2C 3D 2H", "tie", 1_000),
        ("KC 9D", "KC 7D", None, 0),
    ],
)
def test_the_commission_free_banker(player: str, banker: str, line: str | None, payout: int) -> None:
    """A winning three-card 7 and a tie are returned, every other win pays 1 to 1, a 6 too."""
    assert line_at("rising_phoenix.banker", player, banker) == line
    assert settled_at("rising_phoenix.banker", "commission-free", player, banker, 1_000).payout_cents == payout


STANDARD = {"rising_phoenix.sun_7": "standard", "minibaccarat.banker": "5%"}
FREE = {"rising_phoenix.sun_7": "standard", "rising_phoenix.banker": "commission-free"}


@pytest.mark.parametrize("offered", [STANDARD, FREE, {"rising_phoenix.sun_7": "standard"}])
def test_a_table_is_standard_or_commission_free(offered: dict[str, str]) -> None:
    """Bonus wagers go with Minibaccarat's Banker less a commission or with this section's own."""
    for decks in (6, 8):
        check_terms(table(offered, decks=decks), IN_FORCE)


def test_two_bankers_are_refused() -> None:
    """A commission-free table has one wager on the Banker."""
    with pytest.raises(
        TermsContradictRules, match=r"627b\.4: .*beside rising_phoenix\.banker: expected none, given 5%"
    ):
        check_terms(table({**FREE, "minibaccarat.banker": "5%"}), IN_FORCE)


def test_a_half_paid_six_is_refused() -> None:
    """The commission-free Banker of plain Minibaccarat is not this game's."""
    with pytest.raises(TermsContradictRules, match=r"627b\.4: .*expected 5% or 4%, .* given commission-free"):
        check_terms(table({**STANDARD, "minibaccarat.banker": "commission-free"}), IN_FORCE)


def test_it_is_dealt_from_six_or_eight_decks() -> None:
    """Seven decks are no Rising Phoenix shoe."""
    with pytest.raises(TermsContradictRules, match=r"627b\.4: decks .*expected 6 or 8, given 7"):
        check_terms(table(STANDARD, decks=7), IN_FORCE)


@pytest.mark.parametrize("day", [date(2023, 8, 5), date(2026, 8, 4)])
def test_it_may_be_offered_while_in_force(day: date) -> None:
    """From the first to the last gaming day of the section."""
    check_terms(table(STANDARD), day)


@pytest.mark.parametrize("day", [date(2023, 8, 4), date(2026, 8, 5)])
def test_it_may_not_be_offered_before_or_after(day: date) -> None:
    """A submission for any other gaming day is refused; what was played in force still settles."""
    with pytest.raises(TermsContradictRules, match=r"627b\.4: .*2023-08-05 to 2026-08-04"):
        check_terms(table(STANDARD), day)
    assert settled_at("rising_phoenix.sun_7", "standard", "KC 6D", "2C 3D 2H", 100).payout_cents == 4_100


def test_bonus_wagers_stand_alone() -> None:
    """They are permissible wagers of the game and need no other."""
    assert all(not catalogue()[f"rising_phoenix.{name}"].needs for name in WON)
    assert line_at("rising_phoenix.sun_7", *NATURAL_LOSS) is None
