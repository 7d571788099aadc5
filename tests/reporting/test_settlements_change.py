"""What settlements add to the sums, however they are added."""

from hypothesis import given
from hypothesis import strategies as st

from services.reporting.sums import LOSE, PENDING, PUSH, VOID, WIN, SettlementsChange
from tests.reporting.builders import heading, wagers

Placed = tuple[int, tuple[str, str, int, str, int]]
"""Seat, and the wager."""
CENTS = st.integers(0, 10**6)
WAGERS = st.tuples(
    st.sampled_from(["baccarat.player", "baccarat.tie"]),
    st.sampled_from(["8", "9"]),
    CENTS,
    st.sampled_from([WIN, LOSE, PUSH, WIN, LOSE, VOID, PENDING]),
    CENTS,
)
ROUNDS = st.lists(
    st.tuples(
        st.sampled_from(["BAC-01", "BAC-02"]),
        st.integers(1, 2),
        st.integers(0, 2),
        st.lists(st.tuples(st.integers(1, 3), WAGERS), max_size=5),
        st.sampled_from([1, 1, -1]),
        st.booleans(),
    )
)


@given(ROUNDS)
def test_a_settlement_adds_the_same_whole_as_in_parts(
    rounds: list[tuple[str, int, int, list[Placed], int, bool]],
) -> None:
    """Rounds, wagers and seats of settlements that are added whole are those of their parts added one by one."""
    whole, parts = SettlementsChange(), SettlementsChange()
    for table, shift, roll, placed, sign, void in rounds:
        shared, seats, own = heading(table, shift), [seat for seat, _ in placed], wagers(*(each for _, each in placed))
        whole.add(shared, roll, seats, own, sign, void=void)
        parts.add_round(shared, roll, own, sign, void=void)
        parts.add_seats(shared, seats, own, sign)
    assert (whole.rounds, whole.wagers) == (parts.rounds, parts.wagers)
    assert whole.seats == parts.seats
