"""Spins that a wheel and a Rules Submission can have given."""

from typing import Any

import pytest
from hypothesis import given

from services.games.roulette.spin import LuckyNumber, Spin, Spins, check_spins, read_spins
from services.kernel.errors import DrawNotFiled, IllegalSpin, PocketUnknown, ResultMissing
from tests.games.roulette.builders import recorded, spin, spins, table

B2B, LIGHTNING = "roulette.b2b", "roulette.lightning_straight"


def test_a_recorded_spin_is_read() -> None:
    """The history of a round is its spin with all it drew, and the pocket of the spin before."""
    found = read_spins([recorded("17", "7 0 00", lit=[("3", 49)])], previous=recorded("17", "1 2 3", 500))
    assert found == Spins(Spin("17"), Spin("17", ("7", "0", "00"), 0, (LuckyNumber("3", 49),)))
    assert found.repeats
    assert not read_spins([recorded("17")]).repeats
    assert read_spins([recorded("17")]).previous is None


@pytest.mark.parametrize("count", [0, 2])
def test_a_round_has_one_spin(count: int) -> None:
    """No spin, or two, is no result of a round."""
    with pytest.raises(ResultMissing, match=f"expected one spin in a round of Roulette, given {count}"):
        read_spins([recorded("17")] * count)


@pytest.mark.parametrize(
    "result", [recorded("37"), recorded("07"), recorded(""), recorded("7", "1 2 x"), recorded("7", lit=[("-1", 49)])]
)
def test_a_pocket_that_does_not_exist_is_refused(result: Any) -> None:
    """A pocket that no wheel has is no fact of any table, wherever it is named."""
    with pytest.raises(PocketUnknown, match="expected 0, 00 or 1 to 36, given"):
        read_spins([result])


@pytest.mark.parametrize("bonus", ["7 7 27", "1 2", "1 2 3 4", "5 5 5"])
def test_a_bonus_round_ends_in_three_different_pockets(bonus: str) -> None:
    """Balls that come to rest together are relaunched, so the three lie apart in the end."""
    with pytest.raises(IllegalSpin, match=r"617c\.2\(h\): expected 3 different pockets in the bonus round, given"):
        spin("7", bonus)


def test_only_7_17_and_27_open_a_bonus_round() -> None:
    """A bonus round after another number cannot have been."""
    with pytest.raises(IllegalSpin, match=r"617c\.2\(e\): expected no bonus round after 8, given 1, 2, 3"):
        spin("8", "1 2 3")


def test_at_most_five_different_numbers_are_lit() -> None:
    """The generator selects up to five numbers, each once."""
    with pytest.raises(IllegalSpin, match=r"at most 5 different Lucky Numbers, given 1, 2, 3, 4, 5, 6"):
        spin("8", lit=dict.fromkeys("123456", 49))
    with pytest.raises(IllegalSpin, match=r"617c\.3\(d\): .* given 3, 3"):
        read_spins([recorded("8", lit=[("3", 49), ("3", 99)])])


def test_a_draw_needs_a_repeat() -> None:
    """A payout below nothing, or one drawn though the number did not come again, is refused; none is no draw."""
    with pytest.raises(IllegalSpin, match="or 0 for none, given -1"):
        spin("8", draw=-1)
    with pytest.raises(IllegalSpin, match="expected no draw where 8 follows 9, given 500 to 1"):
        read_spins([recorded("8", draw=500)], previous=recorded("9"))
    assert read_spins([recorded("8", draw=500)], previous=recorded("8")).last.drawn_payout == 500
    assert read_spins([recorded("8", draw=500)]).previous is None


@pytest.mark.parametrize("wheel", ["single_zero", "double_zero_as_single"])
@pytest.mark.parametrize("history", [spin("00"), spin("7", "1 2 00")])
def test_a_single_zero_wheel_has_no_double_zero(wheel: str, history: Spins) -> None:
    """00 is refused at a table that plays a single zero, and accepted where the wheel has it."""
    expected = f"617a.1: expected a pocket of a {wheel.replace('_', ' ')} wheel, given 00"
    with pytest.raises(IllegalSpin, match=expected):
        check_spins(history, table("roulette.straight", wheel=wheel))
    check_spins(history, table("roulette.straight"))


def test_a_drawn_payout_is_one_that_is_filed() -> None:
    """A payout that the Rules Submission does not list is never paid."""
    history = spin("8", draw=250, before="8")
    check_spins(history, table("roulette.straight", B2B))
    with pytest.raises(DrawNotFiled, match=r"617c\.1\(e\): .* roulette\.b2b \(1000, 500\), given 250 to 1"):
        check_spins(history, table(B2B, payouts="1000,500"))
    with pytest.raises(DrawNotFiled, match=r"\(none\), given 250 to 1"):
        check_spins(history, table("roulette.straight"))


def test_lucky_numbers_pay_what_is_filed() -> None:
    """A Lucky Number's payout is one of those filed, and every spin of Lightning Roulette has Lucky Numbers."""
    offered = table(LIGHTNING, wheel="single_zero", payouts="499,49")
    check_spins(spin("8", lit={"8": 499, "9": 49}), offered)
    with pytest.raises(DrawNotFiled, match=r"617c\.3\(g\): .* \(499, 49\), given 99 to 1"):
        check_spins(spin("8", lit={"8": 499, "9": 99}), offered)
    with pytest.raises(IllegalSpin, match=r"617c\.3\(d\): expected 1 to 5 Lucky Numbers, given none"):
        check_spins(spin("8"), offered)
    with pytest.raises(DrawNotFiled, match=r"\(none\), given 499 to 1"):
        check_spins(spin("8", lit={"8": 499}), table("roulette.straight"))


@given(history=spins("single_zero"))
def test_every_whole_spin_is_accepted(history: Spins) -> None:
    """A spin of the wheel with draws that are filed is never refused."""
    assert history.previous is not None
    last = history.last
    given = recorded(last.pocket, " ".join(last.bonus_pockets), last.drawn_payout, last.lucky_numbers)
    assert read_spins([given], previous=recorded(history.previous.pocket)) == history
    check_spins(history, table(B2B, LIGHTNING, wheel="single_zero"))
