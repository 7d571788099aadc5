"""Pricing."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.baccarat.coup import Coups
from services.games.settlement import Award, Settled, settle_round
from services.games.terms import Offer
from services.games.wagers import PlacedWager
from services.kernel.errors import PaytableUnknown, WagerNotOffered, WagerUnknown
from services.kernel.money import MICROS_PER_CENT
from tests.builders import coup, settled, terms, wager_file, wager_on, with_offer

BANKER_WINS = Coups(coup("KC 7D", "9C KH"))
TIE = Coups(coup("KC 7D", "JC 7H"))

ODDITY = """
from dataclasses import replace
from services.games.baccarat.wagers.tie import WAGERS as TIES
from services.games.paytables import PUSH, STAKE, VOID, Fixed, Paytable, for_one, to_one
from services.games.wagers import PENDING


def later(history, placement, terms):
    return PENDING if history.last.player.total == 7 else None


def seated(history, placement, terms):
    return {1: "big", 2: "small", 3: "even"}.get(placement.seat)


WAGERS = (
    replace(TIES[0], code="baccarat.halves", paytables={
        "half": Paytable({"tie": to_one(1, 2)}), "eighth": Paytable({"tie": for_one(17, 8)}),
        "fixed": Paytable({"tie": Fixed(25_000)}), "taxed": Paytable({"tie": to_one(1, 2)}, commission=500),
    }),
    replace(TIES[0], code="baccarat.later", classify=later),
    replace(TIES[0], code="baccarat.envied", classify=seated, paytables={
        "A": Paytable({"big": Fixed(10_000), "small": to_one(2), "even": PUSH}, envy={"big": 300, "small": 50}),
    }),
    replace(TIES[0], code="baccarat.gift", paytables={"A": Paytable({"tie": Fixed(700, "bonus")})}),
    replace(TIES[0], code="baccarat.void", paytables={"A": Paytable({"tie": VOID})}),
    replace(TIES[0], code="baccarat.bought", paytables={
        "A": Paytable({"tie": to_one(2)}, commission=500, commission_of=STAKE)}),
    replace(TIES[0], code="baccarat.laid", paytables={"A": Paytable({"tie": to_one(2, 3)})}),
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


def envied(*seats: int, **changes: int) -> list[Settled]:
    """Wagers of one code at these seats: 1 hits the big line, 2 the small one, 3 pushes, any other loses."""
    wagers = [wager_on("baccarat.envied", 500, seat=seat, no=no) for no, seat in enumerate(seats, start=1)]
    return settle_round(TIE, wagers, with_offer("baccarat.envied", paytable="A", **changes))


def test_the_others_envy_each_winning_hand(oddity: None) -> None:
    """Every other position receives the fixed amount once for each winning hand, never for its own (ruling J5)."""
    big, small, even, lost = envied(1, 2, 3, 4)
    assert (big.line, big.payout_cents, big.awards[1:]) == ("big", 10_050, (Award("envy", "inventory", 50),))
    assert (small.line, small.payout_cents, small.awards[1:]) == ("small", 1_800, (Award("envy", "inventory", 300),))
    assert (even.outcome, even.payout_cents) == ("push", 850)
    both = (Award("envy", "inventory", 300), Award("envy", "inventory", 50))
    assert lost == Settled(4, "win", "envy", 350, 0, both)


def test_nobody_envies_where_nobody_else_wins(oddity: None) -> None:
    """Alone, or with losers only, a wager settles as it stands; two wagers of one winning position are one win."""
    assert [each.payout_cents for each in envied(1)] == [10_000]
    assert [each.payout_cents for each in envied(4, 3)] == [0, 500]
    assert [each.payout_cents for each in envied(1, 1, 4)] == [10_000, 10_000, 300]


def test_envy_is_no_more_than_the_table_pays_at_most(oddity: None) -> None:
    """A maximum payout cuts what a wager receives for others as it cuts what it wins."""
    assert [each.payout_cents for each in envied(1, 2, 4, maximum_payout_cents=320)] == [320, 320, 320]
    assert envied(1, 2, 4, maximum_payout_cents=320)[2].awards == (
        Award("envy", "inventory", 300),
        Award("envy", "inventory", 20),
    )


def test_a_fully_automated_table_pays_from_its_terminals(oddity: None) -> None:
    """Odds, fixed amounts and envy come from the terminal, a share of a meter by slip (ruling J7)."""
    offers = {**terms(every=True).offers, "baccarat.envied": Offer("baccarat.envied", "A", 100)}
    table = replace(terms(kind="fully_automated"), offers=offers)
    wagers = [wager_on("baccarat.envied", seat=seat, no=seat) for seat in (1, 2)]
    assert {award.paid_from for each in settle_round(TIE, wagers, table) for award in each.awards} == {"terminal"}
    meter = wager_on("baccarat.heavenly_9_progressive")
    (found,) = settle_round(Coups(coup("2C 3C 4C", "KC 5C 4C")), [meter], table)
    assert [award.paid_from for award in found.awards] == ["slip"]


def test_an_award_says_of_what_kind_it_is(oddity: None) -> None:
    """A fixed amount may be a bonus or an envy award by the paytable's own word."""
    assert one("baccarat.gift", "A", 500).awards == (Award("bonus", "inventory", 700),)


def test_a_void_wager_is_returned(oddity: None) -> None:
    """Where there was nothing to settle a wager by, the stake comes back and nothing is awarded (ruling R1)."""
    assert one("baccarat.void", "A", 500) == Settled(1, "void", "tie", 500, 0, ())


def test_a_commission_may_be_of_the_stake(oddity: None) -> None:
    """A buy wager of $20 wins $40 less $1; thirds of a cent stay with the house, down to the micro-dollar."""
    assert one("baccarat.bought", "A", 2_000).payout_cents == 2_000 + 4_000 - 100
    assert one("baccarat.laid", "A", 500)[3:5] == (500 + 333, 3_333)


@pytest.mark.parametrize(("most", "payout", "breakage"), [(501, 501, 0), (751, 751, 5_000), (750, 750, 0)])
def test_no_payout_is_above_what_the_table_pays_at_most(oddity: None, most: int, payout: int, breakage: int) -> None:
    """What is over the maximum payout is cut from the award, and is no breakage."""
    capped = with_offer("baccarat.halves", paytable="half", maximum_payout_cents=most)
    (found,) = settle_round(TIE, [wager_on("baccarat.halves", 501, paytable="half")], capped)
    assert (found.payout_cents, found.breakage_micros) == (payout, breakage)
    assert found.awards == (Award("odds", "inventory", payout - 501),)
