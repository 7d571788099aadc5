"""Lightning Roulette."""

from datetime import date
from fractions import Fraction

import pytest

from services.games.roulette.wagers import lightning
from services.games.terms import check_terms
from services.games.wagers import PENDING
from services.kernel.errors import TermsContradictRules
from tests.games.roulette.builders import line_of, settled, spin, table

CODE = "roulette.lightning_straight"


@pytest.mark.parametrize("payout", lightning.LISTED)
def test_a_lucky_number_pays_what_it_was_lit_at(payout: int) -> None:
    """The number pays its own payout, not another Lucky Number's."""
    found = settled(CODE, spin("17", lit={"3": 99, "17": payout}), on="17", stake_cents=100)
    assert (found.line, found.payout_cents) == (f"lucky_pays_{payout}", 100 * (payout + 1))


def test_an_unlit_number_pays_29_to_1() -> None:
    """It is paid less than a straight wager elsewhere."""
    found = settled(CODE, spin("17", lit={"3": 99}), on="17", stake_cents=100)
    assert (found.line, found.payout_cents) == ("unlit", 3_000)


def test_another_number_loses() -> None:
    """A Lucky Number on which the ball does not rest wins nothing."""
    assert line_of(CODE, spin("3", lit={"17": 499}), "17") is None


def test_a_win_waits_for_the_lucky_numbers() -> None:
    """Where no Lucky Numbers are recorded, what a win pays is not known yet."""
    assert line_of(CODE, spin("17"), "17") is PENDING


def test_the_weights_filed_say_how_likely_each_payout_is() -> None:
    """Three of 37 numbers lit on average, at 499 or 49: nothing is assumed where either weight is missing."""
    assert lightning.law({"weights": "499:1"}, "single_zero") is None
    assert lightning.law({"lucky_numbers": "3:1"}, "single_zero") is None
    found = lightning.law({"weights": "499:1,49:2", "lucky_numbers": "1:1,5:1"}, "single_zero")
    assert found == {
        "lucky_pays_499": Fraction(1, 37),
        "lucky_pays_49": Fraction(2, 37),
        "unlit": Fraction(34, 37),
    }


def test_lightning_takes_the_place_of_the_straight_wager() -> None:
    """A table offers one of the two, on a single zero wheel alone."""
    check_terms(table(CODE, wheel="single_zero"), date(2026, 3, 2))
    with pytest.raises(TermsContradictRules, match=r"617c\.3: straight wagers: expected roulette\.lightning_straight"):
        check_terms(table(CODE, "roulette.straight", wheel="single_zero"), date(2026, 3, 2))
    with pytest.raises(TermsContradictRules, match=r"617c\.3: wheel .* single_zero, given double_zero"):
        check_terms(table(CODE), date(2026, 3, 2))
