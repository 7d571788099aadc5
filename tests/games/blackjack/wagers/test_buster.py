"""Buster Blackjack."""

from dataclasses import replace
from fractions import Fraction

import pytest

from services.games.analysis import analyse
from services.games.catalogue import catalogue
from services.games.paytables import to_one
from services.games.settlement import Settled, settle_round
from services.games.terms import check_terms
from services.games.wagers import PENDING, PlacedWager, Placement
from services.kernel.errors import TermsContradictRules
from services.kernel.money import decimal_text
from tests.games.baccarat.test_base import DAY
from tests.games.blackjack.drawn import drawn
from tests.games.blackjack.initial import table

CODE = "blackjack.buster"
DEALT = {
    "eight_or_more_cards": "2S 2H 2C 2D 3S AS 4S 10H",
    "seven_cards": "4S 2S 2H 2C 2D 4H 10H",
    "six_cards": "6S 2S 2H 2C 4S 10H",
    "five_cards": "8S 2S 2H 4S 10H",
    "four_cards": "10S 2S 4S 10H",
    "three_cards": "10S 6S 10H",
}
PRINTED = {
    "A": (250, 50, 15, 4, 2, 2),
    "B": (200, 50, 15, 4, 2, 2),
    "C": (250, 50, 12, 4, 2, 2),
    "D": (200, 50, 12, 4, 2, 2),
    "E": (250, 50, 12, 3, 2, 2),
    "F": (250, 50, 20, 8, 2, 1),
    "four decks": (250, 50, 15, 4, 2, 2),
}


def settled(dealer: str, player: str = "5C 9C", stake_cents: int = 500, paytable: str = "A", **options: str) -> Settled:
    """The one wager, settled when the dealer has drawn."""
    placed = PlacedWager(1, 1, CODE, paytable, stake_cents)
    (found,) = settle_round(drawn(dealer, player), [placed], table(CODE, paytable, **options))
    return found


@pytest.mark.parametrize("paytable", PRINTED)
def test_buster_pays_as_printed(paytable: str) -> None:
    """Each number of cards with which the dealer busts pays its column's odds to one, and the stake stays."""
    for (line, dealer), odds in zip(DEALT.items(), PRINTED[paytable], strict=True):
        found = settled(dealer, paytable=paytable)
        assert (found.line, found.payout_cents) == (line, 500 * (odds + 1))
        assert catalogue()[CODE].paytables[paytable].lines[line] == to_one(odds)


def test_nine_cards_are_eight_or_more() -> None:
    """The highest line has no end."""
    assert settled("2S 2H 2C 2D 3S AS AC 3H 10H").line == "eight_or_more_cards"


def test_a_hand_that_stands_loses() -> None:
    """17 to 21, a Blackjack too."""
    for dealer in ("10S 7S", "10S 6S 5H", "AS KS"):
        assert settled(dealer).outcome == "lose"


def test_the_dealer_completes_the_hand() -> None:
    """Until the dealer has drawn to the end nothing is settled."""
    assert catalogue()[CODE].classify(drawn("JS 6H"), Placement(1), table(CODE)) is PENDING


@pytest.mark.parametrize(
    ("bonus", "seven", "eight"), [("B1", 100_000, 800_000), ("B2", 100_000, 500_000), ("none", 0, 0)]
)
def test_a_blackjack_has_the_bonus_filed(bonus: str, seven: int, eight: int) -> None:
    """With a bust of seven cards or of eight and more, beside the odds."""
    for line, odds, cents in (("seven_cards", 50, seven), ("eight_or_more_cards", 250, eight)):
        found = settled(DEALT[line], "AH KH", bonus=bonus)
        assert (found.line, found.payout_cents) == (f"{line}_with_blackjack", 500 * (odds + 1) + cents)
        bonuses = [(each.paid_from, each.cents) for each in found.awards if each.kind == "bonus"]
        assert bonuses == ([("inventory", cents)] if cents else [])
        assert found.awards[0].cents == 500 * odds


def test_a_bonus_needs_five_dollars_and_seven_cards_and_a_blackjack() -> None:
    """One cent less, one card less, or another hand has none."""
    assert settled(DEALT["seven_cards"], "AH KH", 499, bonus="B1").payout_cents == 499 * 51
    assert settled(DEALT["seven_cards"], "AH KH", bonus="B1").payout_cents == 500 * 51 + 100_000
    assert settled(DEALT["six_cards"], "AH KH", bonus="B1").payout_cents == 500 * 16
    assert settled(DEALT["seven_cards"], "AH 9H", bonus="B1").payout_cents == 500 * 51


def test_a_maximum_payout_cuts_the_bonus() -> None:
    """What a table pays at most is for odds and bonus together."""
    offered = table(CODE, bonus="B1")
    limited = replace(offered.offers[CODE], maximum_cents=1_000, maximum_payout_cents=30_000)
    placed = PlacedWager(1, 1, CODE, "A", 500)
    offered = replace(offered, offers={CODE: limited})
    (found,) = settle_round(drawn(DEALT["seven_cards"], "AH KH"), [placed], offered)
    assert [(each.kind, each.cents) for each in found.awards] == [("odds", 25_000), ("bonus", 4_500)]
    assert found.payout_cents == 30_000


def test_a_fully_automated_table_pays_the_bonus_from_the_terminal() -> None:
    """It has no inventory."""
    offered = replace(table(CODE, bonus="B2"), kind="fully_automated")
    (found,) = settle_round(drawn(DEALT["seven_cards"], "AH KH"), [PlacedWager(1, 1, CODE, "A", 500)], offered)
    assert {each.paid_from for each in found.awards} == {"terminal"}


def test_buster_has_its_decks() -> None:
    """A to F for one, six and eight decks, one table of their own for four."""
    decks = {name: paytable.decks for name, paytable in catalogue()[CODE].paytables.items()}
    assert decks == {**dict.fromkeys("ABCDEF", (1, 6, 8)), "four decks": (4,)}


def test_an_unknown_bonus_is_refused() -> None:
    """B1 and B2 alone are printed."""
    base = table("blackjack.blackjack").offers
    offered = table(CODE, bonus="B3")
    with pytest.raises(TermsContradictRules, match=r"633c\.13: option bonus .*expected none or B1 or B2, given B3"):
        check_terms(replace(offered, decks=6, offers={**base, **offered.offers}), DAY)


@pytest.mark.parametrize(
    ("paytable", "decks", "stands", "hits"),
    [
        ("C", 1, "0.087690", "0.068889"),
        ("C", 6, "0.082462", "0.062143"),
        ("C", 8, "0.082154", "0.061749"),
        ("four decks", 4, "0.076249", "0.055141"),
    ],
)
def test_the_edge_is_counted_for_both_rules_of_the_dealer(paytable: str, decks: int, stands: str, hits: str) -> None:
    """Stands on soft 17 unless the table says otherwise; the bonus is worth its chance at a stake of $5."""
    found = analyse(CODE, paytable, decks, recompute=True)
    edges = {each["assumes"]: each["house_edge"] for each in found["alternatives"]}
    stood = "the dealer stands on soft 17 and completes the hand"
    assert decimal_text(Fraction(found["house_edge"]), 6) == stands
    assert decimal_text(Fraction(edges["the dealer hits soft 17 and completes the hand"]), 6) == hits
    first, second = (Fraction(edges[f"{stood}, bonus {name} for a stake of $5"]) for name in ("B1", "B2"))
    assert first < second < Fraction(found["house_edge"])
    assert found["assumes"] == stood
