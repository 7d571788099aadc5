"""Payouts that the floor states."""

import pytest

from services.games.stated import stated_payouts
from services.kernel.errors import StatedPayoutImpossible
from services.kernel.money import LARGEST_STAKE_CENTS

CODES = {1: "blackjack.blackjack", 2: "external.royal_match"}
HELD = 3


def test_payouts_are_stated_for_wagers_that_no_paytable_prices() -> None:
    """Once each, nothing too; one of a held wager is no fault of the round's."""
    given = [(2, LARGEST_STAKE_CENTS), (HELD, 0)]
    assert stated_payouts(given, CODES, [*CODES, HELD]) == dict(given)
    assert stated_payouts([], CODES, CODES) == {}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([(1, 500)], "expected a wager that no paytable prices, got 1, blackjack.blackjack"),
        ([(HELD, 0)], "expected a wager of it once, got 3 which it has not"),
        ([(2, 0), (2, 0)], "expected a wager of it once, got 2 twice"),
        ([(2, -1)], "got -1 on wager 2"),
        ([(2, LARGEST_STAKE_CENTS + 1)], f"expected cents from 0 to {LARGEST_STAKE_CENTS}, got"),
    ],
)
def test_any_other_payout_is_refused(given: list[tuple[int, int]], said: str) -> None:
    """The refusal says what was expected of which wager."""
    with pytest.raises(StatedPayoutImpossible, match=said):
        stated_payouts(given, CODES, CODES)
