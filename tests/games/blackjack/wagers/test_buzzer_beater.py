"""Buzzer Beater."""

import pytest

from services.games.analysis import bands
from services.games.catalogue import wager
from tests.games.blackjack.tables import hand, history, line, table

CODE = "blackjack.buzzer_beater"
HYBRID = table(kind="hybrid", dealing="community")


@pytest.mark.parametrize(
    ("cards", "actions", "dealer", "community", "expected"),
    [
        ("KH AD", "", "AH KD", "", "blackjack_on_both"),
        ("KH AD", "", "5H 6D KC", "", None),
        ("5H 6D KS", "hit", "5H 6D KC", "KS", "21_against_21"),
        ("KH KD", "stand", "10H KC", "", "20_against_20"),
        ("KH KD", "stand", "5H 6D KC", "", "20_against_21"),
        ("KH KD", "", "AH KC", "", "20_against_21"),
        ("KH 9D", "stand", "9H KC", "", "19_against_19"),
        ("KH 9D", "stand", "10H KC", "", "19_against_20"),
        ("KH 9D", "", "AH KC", "", "19_against_21"),
        ("KH 8D", "stand", "9H KC", "", None),
        ("KH 9D", "stand", "8H KC", "", None),
        ("KH 9D", "stand", "6H KC 9C", "", None),
    ],
)
def test_a_strong_hand_that_is_equalled_or_beaten_wins(
    cards: str, actions: str, dealer: str, community: str, expected: str | None
) -> None:
    """Final hands count (ruling K11)."""
    found = history(hand(cards, actions, position=1), dealer=dealer, community=community, terms=HYBRID)
    assert line(CODE, found, terms=HYBRID) == expected


def test_the_version_without_a_hole_card_does_not_offer_it() -> None:
    """633c.5(w) does not take subsection (m) over."""
    (check,) = wager(CODE).checks
    without = table(kind="hybrid", dealing="community_without_hole_card", dealer_blackjack="original_bets_only")
    assert check(HYBRID) is None
    assert check(without)


def test_its_figures_warn_the_operator() -> None:
    """It returns more than it takes, at six decks and at eight."""
    for decks in (6, 8):
        assert bands.warnings(CODE, "standard", decks)


def test_its_chances_sum_to_one() -> None:
    """By the written strategy."""
    rule = wager(CODE)
    assert rule.distribution is not None
    assert sum(rule.distribution("standard", 1).values()) == 1
