"""Limits of meters, and what they keep off the reading (ruling J8)."""

from hypothesis import given
from hypothesis import strategies as st

from services.progressives import meter
from services.progressives.decision import Adjustment, JackpotAction, JackpotDecision
from services.progressives.jackpot import JackpotState
from services.progressives.journal import Contribution
from services.progressives.link import MeterTerms
from services.progressives.meter import Cause, Meter
from tests.progressives.folded import CENT, SEED, SEED_CENTS, WHOLE, Floor, linked, movements, of, on

LIMIT = SEED_CENTS + 100


def limited(reserve_rate: int = 0, limit_cents: int = LIMIT) -> Floor:
    """A floor whose one meter has a limit."""
    return Floor(linked("H9", MeterTerms("mega", SEED_CENTS, 1_000, reserve_rate, limit_cents)))


def test_a_contribution_that_reaches_the_limit_keeps_nothing_off() -> None:
    """The reading may stand exactly on the limit."""
    floor = limited()
    (made,) = of(Contribution, floor.round(1, on(1, 1_000)))
    assert (made.readings, made.overflows) == ([LIMIT * CENT], [])
    assert floor.meter().overflow == 0


def test_a_contribution_that_crosses_the_limit_is_kept_off_above_it() -> None:
    """The sign shows the limit, the rest waits for the next meter, to the micro-dollar."""
    floor = limited()
    first, second = of(Contribution, floor.round(1, on(1, 999), on(2, 1_001)))
    assert (first.readings, first.overflows) == ([SEED + 999_000], [])
    assert (second.amounts, second.readings, second.overflows) == ([1_001_000], [LIMIT * CENT], [1_000_000])
    assert floor.meter().overflow == -1_000_000
    assert floor.meter().contribution == 2_000_000


def test_a_reset_puts_the_overflow_on_the_next_meter() -> None:
    """Ruling J8: on top of the seed, once."""
    floor = limited()
    floor.round(1, on(1, 1_300))
    written = floor.round(2, on(1, 500), cards=WHOLE)
    assert movements(written) == [
        ("mega", Cause.AWARD, -LIMIT * CENT),
        ("mega", Cause.SEED_HOUSE, SEED),
        ("mega", Cause.OVERFLOW, 800_000),
    ]
    assert (floor.meter().reading, floor.meter().overflow) == (SEED + 800_000, 0)


def test_a_reset_puts_on_no_more_overflow_than_the_limit_allows() -> None:
    """What does not fit waits for the meter after the next one."""
    floor = limited()
    floor.round(1, on(1, 3_000))
    assert floor.meter().overflow == -2_000_000
    floor.round(2, on(1, 500), cards=WHOLE)
    assert (floor.meter().reading, floor.meter().overflow) == (LIMIT * CENT, -1_500_000)
    floor.round(3, on(1, 500), cards=WHOLE)
    assert (floor.meter().reading, floor.meter().overflow) == (LIMIT * CENT, -1_000_000)


def test_the_residue_counts_towards_the_limit_of_the_next_meter() -> None:
    """Ruling M4: the sub-cent rest stays on the meter, and the overflow fills only what is left."""
    before = Meter(reading=7, contribution=1_000_007, overflow=-1_000_000)
    steps = meter.reset(before, 50 * CENT, 100 * CENT)
    assert [(step.cause, step.amount) for step in steps] == [
        (Cause.SEED_HOUSE, 50 * CENT),
        (Cause.OVERFLOW, 50 * CENT - 7),
    ]
    assert steps[-1].after.reading == 100 * CENT


def test_a_reserve_larger_than_the_limit_is_kept_off_above_it() -> None:
    """Rulings J4 and J8: the whole reserve goes to the next meter, and what lies above the limit waits."""
    floor = limited(reserve_rate=5_000, limit_cents=SEED_CENTS + 50)
    floor.round(1, on(1, 2_000_200))
    assert floor.meter().reserve == 2_000_200 * 5_000
    written = floor.round(2, on(1, 200), cards=WHOLE)
    reserve = 2_000_400 * 5_000
    kept = 2_000_200 * 1_000 - 50 * CENT + 200 * 1_000
    assert movements(written)[1:] == [("mega", Cause.SEED_RESERVE, reserve), ("mega", Cause.OVERFLOW, -1_500_000)]
    assert reserve == SEED + 2_000_000
    assert (floor.meter().reading, floor.meter().reserve) == ((SEED_CENTS + 50) * CENT, 0)
    assert floor.meter().overflow == -kept - 1_500_000


def test_an_adjustment_stays_within_zero_and_the_limit() -> None:
    """People move a meter to its limit and to zero, not past them."""
    floor = limited()
    floor.decide(Adjustment("H9", "mega", 100 * CENT))
    assert floor.meter().reading == LIMIT * CENT
    floor.decide(Adjustment("H9", "mega", -LIMIT * CENT))
    assert floor.meter().reading == 0


def test_a_voided_award_above_the_limit_is_kept_off() -> None:
    """Ruling J10: the meter stands at its limit, the rest waits for the next one."""
    floor = limited()
    floor.round(1, on(1), on(2), cards=WHOLE)
    floor.decide(JackpotDecision(floor.won(0).jackpot_id, JackpotAction.VOID, 0))
    back = floor.won(0).amount_cents * CENT
    assert floor.meter().reading == LIMIT * CENT
    assert floor.meter().overflow == LIMIT * CENT - SEED - back
    assert floor.won(0).state is JackpotState.VOIDED


@given(
    st.integers(0, 10**7),
    st.integers(0, 10**7),
    st.integers(0, 2 * 10**7),
    st.integers(1, 10**7),
    st.integers(0, 10**7),
)
def test_no_reset_lifts_a_meter_above_its_limit(rest: int, reserve: int, kept: int, seed: int, room: int) -> None:
    """Whatever reserve and overflow there are, the next meter opens at most at its limit and nothing is lost."""
    before = Meter(rest % CENT, reserve, reserved=reserve, contribution=rest % CENT + kept, overflow=-kept)
    limit = seed + room + CENT
    steps = meter.reset(before, seed, limit)
    after = steps[-1].after
    house = after.seed_house - before.seed_house
    assert after.reading <= limit
    assert after.overflow <= 0
    assert after.reading + after.reserve - after.overflow == before.reading + reserve + kept + house
    assert house == max(0, seed - reserve)
