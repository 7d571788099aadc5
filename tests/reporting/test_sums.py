"""What batches add to the projections."""

from hypothesis import given
from hypothesis import strategies as st

from services.reporting.sums import LOSE, PENDING, PUSH, VOID, WIN, RoundsKey, SettlementsChange
from tests.reporting.builders import DAY, heading, summed, wagers

Row = tuple[str, str, int, str, int]
OUTCOMES = st.sampled_from([WIN, LOSE, PUSH, VOID, PENDING])
CENTS = st.integers(0, 10**6)
ROWS = st.lists(st.tuples(st.sampled_from(["baccarat.player", "baccarat.tie"]), st.just("8"), CENTS, OUTCOMES, CENTS))


def test_a_round_is_summed_by_its_wagers() -> None:
    """Wagers, handle and payout add up by code and paytable; the round counts once."""
    change = SettlementsChange()
    change.add_round(
        heading(),
        0,
        wagers(
            ("baccarat.player", "standard", 10_000, WIN, 20_000),
            ("baccarat.player", "standard", 5_000, LOSE, 0),
            ("baccarat.tie", "8", 500, PUSH, 500),
        ),
    )
    player, tie = summed(change)
    assert player[1:] == (2, 15_000, 20_000, 20_000, 0, 0, 0)
    assert tie[1:] == (1, 500, 500, 500, 0, 0, 0)
    assert change.rounds == {RoundsKey(DAY, 1, "BAC-01"): 1}


def test_void_wagers_count_nowhere_and_pending_ones_apart() -> None:
    """A void stake went back; a pending one is neither won nor lost yet."""
    change = SettlementsChange()
    change.add_round(heading(), 0, wagers(("baccarat.player", "standard", 10_000, VOID, 10_000)))
    change.add_round(heading(), 0, wagers(("baccarat.player", "standard", 700, PENDING, 0)))
    (player,) = summed(change)
    assert player[1:] == (0, 0, 0, 0, 0, 1, 700)
    assert change.rounds == {RoundsKey(DAY, 1, "BAC-01"): 2}


def test_a_round_that_is_voided_is_no_round() -> None:
    """A settlement made void by a later one counts no more; one whose wager was void from the first was played."""
    change = SettlementsChange()
    first = wagers(("roulette.b2b", "standard", 500, VOID, 500))
    played = wagers(("roulette.straight", "standard", 500, LOSE, 0))
    change.add_round(heading(), 0, first)
    change.add_round(heading(), 0, played)
    change.add_round(heading(), 0, wagers(("roulette.straight", "standard", 500, VOID, 500)), void=True)
    change.add_round(heading(), 0, played, sign=-1)
    assert change.rounds == {RoundsKey(DAY, 1, "BAC-01"): 1}


def test_a_round_of_several_rolls_counts_once() -> None:
    """A shooter's round is settled roll by roll and is one round, whatever is taken down before its first."""
    change = SettlementsChange()
    down = ("craps.place_6", "standard", 600, VOID, 600)
    for roll in (1, 2, 3):
        change.add_round(heading(), roll, wagers(*[down] * (roll == 1)))
    assert change.rounds == {RoundsKey(DAY, 1, "BAC-01"): 1}


@given(ROWS, ROWS)
def test_a_superseded_settlement_is_taken_out_exactly(former: list[Row], later: list[Row]) -> None:
    """What a revision leaves is what there would be had the round been settled so at first."""
    revised, direct = SettlementsChange(), SettlementsChange()
    old, new = wagers(*former), wagers(*later)
    revised.add_round(heading(), 0, old)
    revised.add_round(heading(), 0, new)
    revised.add_round(heading(), 0, old, sign=-1)
    direct.add_round(heading(), 0, new)
    assert {key: line for key, line in revised.wagers.items() if any(line)} == {
        key: line for key, line in direct.wagers.items() if any(line)
    }
    assert sum(revised.rounds.values()) == sum(direct.rounds.values())
