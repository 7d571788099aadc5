"""Payouts filed and weighed for a random number generator."""

from fractions import Fraction

import pytest

from services.games.roulette.draws import listed, shares, weighed, weighs_what_is_filed
from tests.games.roulette.builders import table

ALLOWED = (1000, 500, 250)


def test_payouts_are_read() -> None:
    """A list of payouts is read in the order given."""
    assert listed(ALLOWED)("500,1000") == (500, 1000)


@pytest.mark.parametrize("text", ["", "1000,", "1000,300", "1000,1000", "1000 500", "1000:1"])
def test_payouts_that_the_section_does_not_list_are_refused(text: str) -> None:
    """Each payout is one of the section's, once; the message says what was expected and given."""
    with pytest.raises(
        ValueError, match="expected payouts such as 1000,500, each of 1000, 500, 250 at most once"
    ) as no:
        listed(ALLOWED)(text)
    assert repr(text) in str(no.value)


def test_weights_are_read_as_shares() -> None:
    """Relative weights divide one among the payouts."""
    weights = weighed(ALLOWED)("1000:1,500:3")
    assert weights == {1000: 1, 500: 3}
    assert shares(weights) == {1000: Fraction(1, 4), 500: Fraction(3, 4)}


@pytest.mark.parametrize("text", ["", "1000", "1000:0", "1000:-1", "1000:1.5", "1000:²", "300:1", "1000:1,1000:2"])
def test_weights_are_whole_numbers_above_zero(text: str) -> None:
    """A weight that is no whole number above zero, or of another payout, is refused."""
    with pytest.raises(ValueError, match="expected weights such as 1000:1,500:3, each of 1000, 500, 250 at most once"):
        weighed(ALLOWED)(text)


def test_weights_weigh_what_is_filed() -> None:
    """Filed weights name each filed payout and no other; none may be filed."""
    check = weighs_what_is_filed("roulette.b2b")
    assert check(table("roulette.b2b", payouts="1000,500")) is None
    assert check(table("roulette.b2b", weights="1000:1")) is None
    assert check(table("roulette.b2b", payouts="1000,500", weights="500:3,1000:1")) is None
    found = check(table("roulette.b2b", payouts="1000,500", weights="500:3"))
    assert found == ("option weights of roulette.b2b", "a weight for each of 1000, 500", "500:3")
