"""Switch Hands and Blackjack Premium."""

from datetime import date
from typing import Any

import pytest

from services.games.blackjack.house import PREMIUM, SWITCH_HANDS
from services.games.blackjack.round import Switch
from services.games.catalogue import wager
from services.games.settlement import settle_round
from services.games.terms import Offer, Terms, check_terms
from services.games.wagers import PlacedWager
from services.kernel.errors import TermsContradictRules
from tests.games.blackjack.tables import hand, history, line, settled, table

DAY = date(2026, 3, 2)
SWITCHED: dict[str, Any] = {"switch_hand": int(Switch.SWITCHED), "discarded": ("2C", "3C")}
KEPT: dict[str, Any] = {"switch_hand": int(Switch.KEPT)}
NONE: dict[str, Any] = {"switch_hand": int(Switch.NONE)}


@pytest.mark.parametrize(
    ("cards", "actions", "switch", "dealer", "expected"),
    [
        ("KH AD", "", SWITCHED, "6H KD", "colored_blackjack"),
        ("KH AH", "", SWITCHED, "6H KD", "colored_blackjack"),
        ("KH AS", "", SWITCHED, "6H KD", "blackjack"),
        ("KH AD", "", KEPT, "6H KD", "blackjack"),
        ("KH AD", "", SWITCHED, "AH KD", "tie_blackjack"),
        ("KH AD", "", KEPT, "AH KD", "push"),
        ("KH AD", "even_money", SWITCHED, "AH KD", "even_money"),
        ("KH 9D", "stand", SWITCHED, "8H KD", "win"),
    ],
)
def test_a_switch_changes_what_a_blackjack_pays(
    cards: str, actions: str, switch: dict[str, Any], dealer: str, expected: str
) -> None:
    """One color 2 to 1 and, if filed, a tie 1 to 2, after a switch alone (633c.4(i))."""
    under = table(base=SWITCH_HANDS)
    found = history(hand(cards, actions, **switch), dealer=dealer, terms=under)
    assert line(SWITCH_HANDS, found, terms=under) == expected


@pytest.mark.parametrize(
    ("cards", "switch", "dealer", "expected"),
    [
        ("KH AD", KEPT, "6H KD", "colored_blackjack"),
        ("KH AD", SWITCHED, "6H KD", "colored_blackjack"),
        ("KH AD", NONE, "6H KD", "blackjack"),
        ("KH AD", NONE, "AH KD", "tie_blackjack"),
    ],
)
def test_premium_pays_the_ante_whether_or_not_it_switched(
    cards: str, switch: dict[str, Any], dealer: str, expected: str
) -> None:
    """And every tie of Blackjacks 1 to 2 (633c.4(o))."""
    under = table(base=PREMIUM)
    found = history(hand(cards, **switch), dealer=dealer, terms=under)
    assert line(PREMIUM, found, terms=under) == expected


def test_ties_push_or_pay_as_filed() -> None:
    """633c.4(i)(2)(ii)."""
    under = table(base=SWITCH_HANDS)
    found = history(hand("KH AD", **SWITCHED), dealer="AH KD", terms=under)
    tables = [PlacedWager(1, 1, SWITCH_HANDS, name, 1_000) for name in ("tie push", "tie 1 to 2")]
    assert [settle_round(found, [each], under)[0].payout_cents for each in tables] == [1_000, 1_500]


@pytest.mark.parametrize("base", [SWITCH_HANDS, PREMIUM])
def test_the_ante_stays_with_the_house_after_a_switch(base: str) -> None:
    """It is returned otherwise (ruling K12)."""
    under, ante = table(base=base), f"{base}_ante"
    kept = history(hand("KH 9D", "stand", **KEPT), dealer="8H KD", terms=under)
    switched = history(hand("KH 9D", "stand", **SWITCHED), dealer="8H KD", terms=under)
    assert settled(ante, kept, terms=under).outcome == "push"
    assert settled(ante, switched, terms=under).outcome == "lose"


def test_an_ante_without_a_switch_hand_is_void() -> None:
    """At Premium, where no switch hand was dealt to the seat."""
    under = table(base=PREMIUM)
    found = history(hand("KH 9D", "stand"), dealer="8H KD", terms=under)
    assert settled(f"{PREMIUM}_ante", found, terms=under).outcome == "void"


def test_a_table_plays_one_of_the_three_games() -> None:
    """Switch Hands and Premium stand beside no other Blackjack wager (633c.4(k))."""
    check_terms(_only(SWITCH_HANDS), DAY)
    with pytest.raises(TermsContradictRules, match=r"wagers beside blackjack\.switch_hands: expected none, given"):
        check_terms(_only(SWITCH_HANDS, "blackjack.blackjack"), DAY)


def _only(*codes: str) -> Terms:
    """A table with these wagers and the ante."""
    offers = {code: Offer(code, next(iter(wager(code).paytables)), 500) for code in (*codes, f"{SWITCH_HANDS}_ante")}
    return Terms("RS-1", "blackjack", "live", 6, 7, offers)
