"""Blackjack wager: the seat's first hand."""

import pytest

from services.games.catalogue import wager
from services.games.settlement import Settled, settle_round
from services.games.wagers import PlacedWager
from tests.games.blackjack.tables import hand, history, settled, table

WON = history(hand("KH AD"), dealer="6H KD 9C")


def paid(cards: str, actions: str, dealer: str, stake_cents: int = 1_000) -> Settled:
    """The wager of $10, settled."""
    return settled("blackjack.blackjack", history(hand(cards, actions), dealer=dealer), stake_cents=stake_cents)


@pytest.mark.parametrize(
    ("cards", "actions", "dealer", "outcome", "line", "payout"),
    [
        ("KH AD", "", "6H KD", "win", "blackjack", 2_500),
        ("KH AD", "even_money", "AH KD", "win", "even_money", 2_000),
        ("KH AD", "", "AH KD", "push", "push", 1_000),
        ("KH 9D", "stand", "8H KD", "win", "win", 2_000),
        ("KH 9D", "stand", "10H KD", "lose", "", 0),
        ("KH 6D", "surrender", "10H KD", "lose", "surrender", 500),
    ],
)
def test_the_wager_pays(cards: str, actions: str, dealer: str, outcome: str, line: str, payout: int) -> None:
    """3 to 2 on a Blackjack, 1 to 1 on a win, half back on a surrender."""
    found = paid(cards, actions, dealer)
    assert (found.outcome, found.line, found.payout_cents) == (outcome, line, payout)


def test_six_to_five_pays_less() -> None:
    """The other paytable pays a Blackjack 6 to 5."""
    placed = PlacedWager(1, 1, "blackjack.blackjack", "6 to 5", 1_000)
    assert settle_round(WON, [placed], table())[0].payout_cents == 2_200


def test_half_of_an_odd_stake_is_rounded_down() -> None:
    """What rounding leaves is breakage (ruling M3)."""
    found = paid("KH 6D", "surrender", "10H KD", stake_cents=501)
    assert (found.payout_cents, found.breakage_micros) == (250, 5_000)


def test_the_written_strategy_decides_the_figures() -> None:
    """The lines' chances sum to one, and the strategy is named."""
    rule = wager("blackjack.blackjack")
    assert rule.distribution is not None
    assert sum(rule.distribution("3 to 2", 1).values()) == 1
    assert (rule.assumes or "").startswith("basic strategy by total, no splits")
