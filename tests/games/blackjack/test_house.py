"""House rules, as a Rules Submission states them."""

import re
from datetime import date
from typing import Any

import pytest

from services.games.blackjack.house import OPTIONS, STANDARD, WITHOUT_HOLE_CARD, house_rules
from services.games.terms import Offer, Terms, check_terms
from services.kernel.errors import TermsContradictRules
from tests.games.blackjack.tables import table

DAY = date(2026, 3, 2)


def filed(kind: str = "live", decks: int = 6, also: tuple[str, ...] = (), **options: str) -> Terms:
    """A table that offers the Blackjack wager and those named."""
    base = Offer("blackjack.blackjack", "3 to 2", 500, None, tuple(sorted(options.items())))
    offers = {base.code: base}
    for code in also:
        offers[code] = Offer(code, table().offers[code].paytable, 500)
    return Terms("RS-1", "blackjack", kind, decks, 7, offers)


NO_HOLE: dict[str, Any] = {
    "dealing": "community_without_hole_card",
    "dealer_blackjack": "original_bets_only",
    "most_hands": "2",
}


def test_pennsylvanias_rules_are_the_usual_ones() -> None:
    """What nobody chose is the first value of each option; a table without a base wager has them too."""
    assert house_rules(filed()) == STANDARD
    assert house_rules(Terms("", "blackjack", "live", 6, 7, {})) == STANDARD
    assert STANDARD.peeks
    assert (STANDARD.hits_soft_17, STANDARD.most_hands, STANDARD.surrender) == (False, 3, True)


def test_options_are_read_from_the_base_wager() -> None:
    """Each option changes one rule."""
    last: dict[str, Any] = {name: values[-1] for name, values in OPTIONS.items()}
    found = house_rules(filed(**last))
    assert all(new != old for new, old in zip(found[:8], STANDARD[:8], strict=True))
    assert house_rules(table(base="blackjack.premium", soft_17="hit")).hits_soft_17


@pytest.mark.parametrize(
    "terms",
    [
        filed(),
        filed(decks=1, soft_17="hit"),
        filed("fully_automated"),
        filed("hybrid", 8, ("blackjack.buzzer_beater",), dealing="community"),
        filed("hybrid", 6, ("external.royal_match", "blackjack.insurance"), **NO_HOLE),
    ],
)
def test_a_table_that_keeps_to_the_sections_may_be_filed(terms: Terms) -> None:
    """Live, automated and hybrid tables."""
    check_terms(terms, DAY)


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        (filed("hybrid"), "dealing: expected community or community_without_hole_card at a hybrid table"),
        (filed("live", dealing="community"), "given community at a table of kind live"),
        (filed("hybrid", 2, dealing="community"), "decks of a hybrid table: expected 6 or 8, given 2"),
        (filed("hybrid", dealing="community", soft_17="hit"), "soft_17 of a hybrid table: expected stand, given hit"),
        (
            filed("hybrid", dealing="community", dealer_blackjack="all_bets"),
            "dealer_blackjack: expected peek, given all_bets",
        ),
        (
            filed("hybrid", **{**NO_HOLE, "dealer_blackjack": "peek"}),
            "dealer_blackjack without a hole card: expected original_bets_only, given peek",
        ),
        (filed("hybrid", **{**NO_HOLE, "most_hands": "3"}), "most_hands without a hole card: expected 1 or 2, given 3"),
        (
            filed("hybrid", also=("blackjack.perfect_pairs",), **NO_HOLE),
            f"expected {', '.join(WITHOUT_HOLE_CARD)}, given blackjack.perfect_pairs",
        ),
        (filed(most_hands="9"), "option most_hands of blackjack.blackjack: expected 3 or 1 or 2 or 4, given 9"),
        (filed(decks=0), "decks: expected at least 1, given 0"),
        (filed(also=("blackjack.buzzer_beater",)), "kind of table for blackjack.buzzer_beater: expected hybrid"),
    ],
)
def test_a_table_that_contradicts_the_sections_is_refused(terms: Terms, message: str) -> None:
    """Field, what was expected and what was given."""
    with pytest.raises(TermsContradictRules, match=re.escape(message)):
        check_terms(terms, DAY)
