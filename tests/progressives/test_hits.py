"""What the winners of one meter in one round receive."""

from hypothesis import given
from hypothesis import strategies as st

from services.progressives.hits import Winner, hit


def winner(seat: int, percent: int = 10_000, wager_no: int = 0) -> Winner:
    return Winner(wager_no or seat, seat, "code", "standard", percent, "slip")


def test_winners_of_the_whole_share_it_and_left_over_cents_go_by_seat() -> None:
    """Ruling J1: equal shares rounded down to the cent, the cents left over one each in seat order."""
    found = hit(100_05 * 10_000 + 9_999, [winner(5), winner(1), winner(3), winner(2)])
    assert [each.seat for each in found.winners] == [1, 2, 3, 5]
    assert found.cents == [2502, 2501, 2501, 2501]
    assert found.whole


def test_percentages_are_of_one_reading_rounded_down() -> None:
    """Ruling J2: every percentage is of the reading before anyone is paid, and alone resets nothing."""
    found = hit(99_99 * 10_000 + 9_999, [winner(1, 1_000), winner(2, 1_000)])
    assert (found.cents, found.whole) == ([999, 999], False)


def test_a_percentage_beside_the_whole_takes_nothing_from_it() -> None:
    """Ruling J2: a 100 % and a 10 % winner of one round are both paid on the same reading."""
    found = hit(100_00 * 10_000, [winner(1, 1_000), winner(2)])
    assert (found.cents, found.whole) == ([1000, 10_000], True)


@given(st.integers(0, 10**12), st.integers(1, 14))
def test_shares_of_the_whole_add_up_to_its_cents(reading: int, winners: int) -> None:
    """No cent appears or vanishes by sharing, and no two shares differ by more than one."""
    found = hit(reading, [winner(seat) for seat in range(1, winners + 1)])
    assert sum(found.cents) == reading // 10_000
    assert max(found.cents) - min(found.cents) <= 1
    assert found.cents == sorted(found.cents, reverse=True)
