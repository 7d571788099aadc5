"""B2B Roulette."""

from fractions import Fraction

import pytest

from services.games.roulette.wagers import b2b
from services.games.wagers import PENDING
from tests.games.roulette.builders import line_of, settled, spin

CODE = "roulette.b2b"


@pytest.mark.parametrize("payout", b2b.LISTED)
def test_a_repeat_pays_what_was_drawn(payout: int) -> None:
    """The number of the spin before pays the drawn odds and returns the stake."""
    found = settled(CODE, spin("8", draw=payout, before="8"), stake_cents=500)
    assert (found.outcome, found.line) == ("win", f"repeat_pays_{payout}")
    assert found.payout_cents == 500 * (payout + 1)


def test_another_number_loses() -> None:
    """0 and 00 are two numbers."""
    assert line_of(CODE, spin("9", before="8")) is None
    assert line_of(CODE, spin("00", before="0")) is None


def test_without_a_spin_before_the_wager_is_void() -> None:
    """With none on record of the wheel the stake is returned, whatever was drawn (ruling R1)."""
    for history in (spin("8"), spin("8", draw=1000)):
        found = settled(CODE, history, stake_cents=500)
        assert (found.outcome, found.payout_cents, found.awards) == ("void", 500, ())


def test_a_repeat_waits_for_its_draw() -> None:
    """A repeat without a recorded draw is not settled yet."""
    assert line_of(CODE, spin("8", before="8")) is PENDING


def test_the_weights_filed_say_how_likely_each_payout_is() -> None:
    """Without weights nothing is assumed."""
    assert b2b.law({"payouts": "1000,10"}, "double_zero") is None
    found = b2b.law({"weights": "1000:1,10:3"}, "double_zero")
    assert found == {"repeat_pays_1000": Fraction(1, 4), "repeat_pays_10": Fraction(3, 4)}
