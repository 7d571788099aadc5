"""The exact figures of Roulette, wheel by wheel."""

from fractions import Fraction

import pytest

from services.games.analysis import analyse
from services.games.analysis.draws import return_at
from services.games.catalogue import catalogue
from services.kernel.errors import InvalidRequest
from services.kernel.money import decimal_text

B2B, BLAZING, LIGHTNING = "roulette.b2b", "roulette.blazing_7s", "roulette.lightning_straight"
BASE = sorted(code for code, rule in catalogue().items() if rule.section == "617a.4")
WINNERS = Fraction(3, 320_568)


def probabilities(code: str, paytable: str, wheel: str) -> dict[str, Fraction]:
    """The probability of each line, counted anew."""
    lines = analyse(code, paytable, wheel, recompute=True)["lines"]
    return {each["line"]: Fraction(each["probability"]) for each in lines}


@pytest.mark.parametrize("code", BASE)
def test_every_wager_of_a_wheel_has_one_house_edge(code: str) -> None:
    """1/37 with one zero, 2/38 with two, but for the five numbers, which are paid as if they were six: 3/38."""
    wheels = catalogue()[code].paytables["standard"].wheels or ("single_zero", "double_zero", "double_zero_as_single")
    double = Fraction(3, 38) if code == "roulette.five_number" else Fraction(1, 19)
    for wheel in wheels:
        expected = double if wheel == "double_zero" else Fraction(1, 37)
        assert analyse(code, "standard", wheel, recompute=True)["house_edge"] == decimal_text(expected, 12)


def test_blazing_7s_agrees_with_its_published_figures() -> None:
    """Three numbers without replacement: 3, 315, 5,355 and 19,635 of 320,568 ways, a house edge of 10.0696 %."""
    found = probabilities(BLAZING, "1", "double_zero")
    assert found["all_three"] == WINNERS
    assert found["two_of_three"] == WINNERS * 105
    assert found["one_of_three"] == WINNERS * 1_785
    assert found["other"] + found["one_color"] == WINNERS * 6_545
    assert decimal_text(Fraction(analyse(BLAZING, "1", "double_zero")["house_edge"]), 6) == "0.100696"


@pytest.mark.parametrize(
    ("wheel", "pockets"), [("single_zero", 37), ("double_zero", 38), ("double_zero_as_single", 37)]
)
def test_a_repeat_is_exact_and_its_price_is_not(wheel: str, pockets: int) -> None:
    """The chance of a repeat follows from the wheel; the house edge needs the weights, and breaks even at a mean."""
    found = analyse(B2B, "standard", wheel, recompute=True)
    assert (found["house_edge"], found["depends_on"]) == (None, "rng_weights")
    assert probabilities(B2B, "standard", wheel)["repeat"] == Fraction(1, pockets)
    assert Fraction(found["break_even_mean"]) == pockets - 1


def test_b2b_returns_what_the_filed_weights_draw() -> None:
    """1,000 once and 10 thrice is 257.5 on average, and the stake: 258.5 in 38 spins."""
    weights = {"payouts": "1000,10", "weights": "1000:1,10:3"}
    assert return_at(B2B, "standard", "double_zero", weights) == Fraction(517, 2 * 38)
    assert return_at(B2B, "standard", "single_zero", {"weights": "25:1,50:1"}) == Fraction(77, 2 * 37)
    with pytest.raises(InvalidRequest, match=r"expected filed weights of .*roulette\.b2b"):
        return_at(B2B, "standard", "double_zero", {"payouts": "1000,10"})


def test_lightning_returns_what_the_filed_weights_draw() -> None:
    """A win is 1 in 37; it breaks even at a mean of 36 to 1, lit and unlit numbers together."""
    found = analyse(LIGHTNING, "standard", "single_zero", recompute=True)
    assert (found["house_edge"], found["depends_on"]) == (None, "rng_weights")
    assert Fraction(found["break_even_mean"]) == 36
    assert probabilities(LIGHTNING, "standard", "single_zero")["straight_wins"] == Fraction(1, 37)
    weights = {"weights": "99:1", "lucky_numbers": "3:1"}
    assert return_at(LIGHTNING, "standard", "single_zero", weights) == Fraction(34 * 30 + 3 * 100, 37 * 37)
