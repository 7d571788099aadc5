"""Wagers whose text is not known, settled as the floor states."""

import pytest

from services.games.catalogue import catalogue
from services.games.settlement import settle_round
from services.games.wagers import PENDING, PlacedWager, Placement
from tests.games.blackjack.initial import dealt, table

CODES = ("royal_match", "bet_the_set", "kings_bounty", "three_card_poker", "hit_and_run", "straight_jack")


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize(
    ("stated", "outcome", "payout"),
    [({1: 1_500}, "win", 1_500), ({1: 500}, "push", 500), ({1: 0}, "lose", 0), ({2: 1_500}, "pending", 0)],
)
def test_an_external_wager_pays_what_the_floor_states(
    name: str, stated: dict[int, int], outcome: str, payout: int
) -> None:
    """The payout with the stake, by the wager's number; without one the wager is pending."""
    code = f"external.{name}"
    placed = PlacedWager(1, 1, code, "stated", 500)
    (found,) = settle_round(dealt("KS QS", "8C 9D"), [placed], table(code), stated)
    assert (found.outcome, found.payout_cents) == (outcome, payout)


@pytest.mark.parametrize("name", CODES)
def test_the_cards_settle_no_external_wager(name: str) -> None:
    """The engine has no paytable to prove it by."""
    rule = catalogue()[f"external.{name}"]
    assert rule.classify(dealt("KS QS", "8C 9D"), Placement(1), table(rule.code)) is PENDING
    assert rule.settles == rule.depends_on == "stated"


def test_two_progressives_may_carry_the_must_hit_by_mystery() -> None:
    """Hit and Run and Straight Jack (633c.14(a))."""
    carry = [name for name in CODES if catalogue()[f"external.{name}"].mysteries]
    assert carry == ["hit_and_run", "straight_jack"]
