"""Pricing."""

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.baccarat.coup import Coups
from services.games.settlement import Award, Settled, settle_round
from services.games.wagers import PlacedWager
from services.kernel.errors import PaytableUnknown, WagerNotOffered, WagerUnknown
from services.kernel.money import MICROS_PER_CENT
from tests.builders import coup, settled, terms, wager_file, wager_on, with_offer

BANKER_WINS = Coups(coup("KC 7D", "9C KH"))
TIE = Coups(coup("KC 7D", "JC 7H"))

ODDITY = """
from dataclasses import replace
from services.games.baccarat.wagers.tie import WAGERS as TIES
from services.games.paytables import Fixed, Paytable, for_one, to_one
from services.games.wagers import PENDING


def later(history, placement, terms):
    return PENDING if history.last.player.total == 7 else None


WAGERS = (
    replace(TIES[0], code="baccarat.halves", paytables={
        "half": Paytable({"tie": to_one(1, 2)}), "eighth": Paytable({"tie": for_one(17, 8)}),
        "fixed": Paytable({"tie": Fixed(25_000)}), "taxed": Paytable({"tie": to_one(1, 2)}, commission=500),
    }),
    replace(TIES[0], code="baccarat.later", classify=later),
    replace(TIES[0], code="baccarat.wrong", classify=lambda history, placement, terms: "no_such_line"),
)
"""


@pytest.fixture(scope="module")
def oddity(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Wagers with fractional odds, with a fixed award, and one that never settles on a 7."""
    with wager_file(tmp_path_factory.mktemp("oddity"), "oddity", ODDITY):
        yield


def one(code: str, paytable: str, stake: int) -> Settled:
    """The wager settled on a tie."""
    return settled(code, paytable, "KC 7D", "JC 7H", stake)


def test_odds_to_one_return_the_stake() -> None:
    """A tie at 8 to 1 pays eight stakes and the stake comes back."""
    assert one("baccarat.tie", "8", 500) == Settled(1, "win", "tie", 4_500, 0, (Award("odds", "inventory", 4_000),))


def test_odds_for_one_keep_the_stake(oddity: None) -> None:
    """What a wager receives for one is all it receives."""
    assert one("baccarat.halves", "eighth", 800) == Settled(
        1, "win", "tie", 1_700, 0, (Award("odds", "inventory", 1_700),)
    )


def test_a_fraction_of_a_cent_goes_down_and_is_breakage(oddity: None) -> None:
    """A payout is rounded down to the cent, and the exact rest is recorded."""
    assert one("baccarat.halves", "half", 501)[3:5] == (751, 5_000)
    assert one("baccarat.halves", "eighth", 1)[3:5] == (2, 1_250)


def test_a_commission_is_taken_from_the_winnings_rounded_down(oddity: None) -> None:
    """Odds are rounded down first, the commission is rounded half up then."""
    assert one("baccarat.halves", "taxed", 501)[3:5] == (501 + 250 - 13, 5_000)


def test_a_fixed_award_is_one_amount_at_any_stake(oddity: None) -> None:
    """A fixed award does not grow with the stake, which is gone."""
    expected = (Award("fixed", "inventory", 25_000),)
    assert [one("baccarat.halves", "fixed", stake)[3:] for stake in (100, 900)] == [(25_000, 0, expected)] * 2


def test_a_meter_award_is_named_and_not_priced() -> None:
    """The share of a meter is named with its level and paid by slip, with no payout until it is priced."""
    found = settled("baccarat.heavenly_9_progressive", "standard", "2C 3C 4C", "KC 5C 4C")
    assert found == Settled(1, "win", "tie_same_suit", 0, 0, (Award("meter", "slip", 0, "mega", 10_000),))


def test_a_push_returns_the_stake_and_awards_nothing() -> None:
    """A tie leaves the Player's wager as it was."""
    assert one("baccarat.player", "standard", 777) == Settled(1, "push", "tie", 777, 0, ())


def test_a_loss_has_no_line_and_no_payout() -> None:
    """A losing wager hits no line."""
    assert settled("baccarat.tie", "8", "KC 7D", "9C KH") == Settled(1, "lose", "", 0, 0, ())


def test_a_line_that_is_not_paid_is_a_loss() -> None:
    """A line the paytable prints as N/A loses like any other loss."""
    assert one("baccarat.blazing_7s", "A", 500) == Settled(1, "lose", "", 0, 0, ())
    assert one("baccarat.blazing_7s", "B", 500).payout_cents == 25_500


def test_a_wager_may_wait_for_more(oddity: None) -> None:
    """A wager that the result so far does not settle is pending and pays nothing."""
    assert one("baccarat.later", "8", 500) == Settled(1, "pending", "", 0, 0, ())


@pytest.mark.parametrize(
    ("stake", "to_the_cent", "to_the_quarter"),
    [
        (1_000, 50, 50),
        (1_010, 51, 50),
        (1_009, 50, 50),
        (750, 38, 50),
        (749, 37, 25),
        (200, 10, 0),
        (250, 13, 25),
    ],
)
def test_a_commission_is_rounded_half_up(stake: int, to_the_cent: int, to_the_quarter: int) -> None:
    """The commission is rounded to the cent or, as the Rules Submission may say, to the quarter dollar."""
    quarter = with_offer("baccarat.banker", options=(("commission_rounding", "nearest_quarter"),))
    for offered, commission in ((terms(), to_the_cent), (quarter, to_the_quarter)):
        (found,) = settle_round(BANKER_WINS, [wager_on("baccarat.banker", stake)], offered)
        assert found.payout_cents == 2 * stake - commission
        assert found.awards == (Award("odds", "inventory", stake - commission),)


def test_wagers_settle_in_the_order_given() -> None:
    """The answer has one entry per wager, in the order given."""
    wagers = [
        wager_on("baccarat.tie", no=4),
        wager_on("baccarat.player", no=2),
        wager_on("baccarat.tie", no=3),
    ]
    assert [each.wager_no for each in settle_round(TIE, wagers, terms())] == [4, 2, 3]


def test_what_admission_keeps_out_is_named(oddity: None) -> None:
    """A wager that cannot have been admitted is a fault of the caller, and named as one."""
    with pytest.raises(WagerNotOffered, match=r"settling baccarat\.faro"):
        settle_round(TIE, [PlacedWager(1, 1, "baccarat.faro", "A", 500)], terms())
    with pytest.raises(PaytableUnknown, match="expected 8 or 9, given '10'"):
        settle_round(TIE, [wager_on("baccarat.tie", paytable="10")], terms())
    with pytest.raises(WagerUnknown, match=r"given 'baccarat\.faro'"):
        settle_round(TIE, [PlacedWager(1, 1, "baccarat.faro", "A", 500)], with_offer("baccarat.faro", paytable="A"))
    with pytest.raises(KeyError, match="no_such_line"):
        one("baccarat.wrong", "8", 500)


@given(stake=st.integers(1, 10**9))
def test_payout_and_breakage_are_the_exact_odds(oddity: None, stake: int) -> None:
    """What is paid and what rounding leaves are together exactly the odds on the stake."""
    found = one("baccarat.halves", "eighth", stake)
    assert found.payout_cents + Fraction(found.breakage_micros, MICROS_PER_CENT) == Fraction(17 * stake, 8)
    assert 0 <= found.breakage_micros < MICROS_PER_CENT
