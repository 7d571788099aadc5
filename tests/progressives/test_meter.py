"""A meter and its causes."""

from hypothesis import given
from hypothesis import strategies as st

from services.progressives import meter
from services.progressives.meter import Cause, Meter, Step

CENT = 10_000
SEED = 1_000_000 * CENT
amounts = st.integers(0, 10**12)
live = st.builds(lambda paid, kept: meter.contribute(meter.seed(Meter(), SEED)[-1].after, paid, kept), amounts, amounts)


def last(steps: list[Step], before: Meter) -> Meter:
    return steps[-1].after if steps else before


@given(st.lists(st.tuples(amounts, amounts, st.booleans(), st.lists(st.integers(0, 10**6), max_size=4))))
def test_reading_and_reserve_are_the_sums_of_their_causes(
    life: list[tuple[int, int, bool, list[int]]],
) -> None:
    """Whatever happens to a meter, each of its two values is the sum of its causes to the micro-dollar."""
    stands = meter.seed(Meter(), SEED)[-1].after
    for amount, kept, resets, cents in life:
        stands = meter.contribute(stands, amount, kept)
        stands = last(meter.award(stands, cents), stands)
        if resets:
            stands = last(meter.reset(stands, SEED), stands)
        assert stands.balanced
        assert stands.reading >= 0
        assert stands.reserve >= 0


@given(live, st.lists(st.integers(0, 10**9), max_size=5))
def test_steps_join_and_their_amounts_add_up(stands: Meter, cents: list[int]) -> None:
    """Each movement begins where the one before ended, and the reading changes by exactly its amount."""
    steps = meter.award(stands, cents)
    steps += meter.reset(last(steps, stands), SEED)
    for step in steps:
        assert step.before == stands
        assert step.after.reading - step.before.reading == step.amount
        taken = step.amount if step.cause is Cause.SEED_RESERVE else 0
        assert step.before.reserve - step.after.reserve == taken
        stands = step.after


@given(live)
def test_a_new_meter_is_the_larger_of_seed_and_reserve_with_the_residue(stands: Meter) -> None:
    """Ruling J4: new reading = max(seed, reserve) + what lay beyond the whole cents of the old one."""
    paid = meter.award(stands, [stands.reading // CENT])[-1].after
    new = last(meter.reset(paid, SEED), paid)
    assert new.reading == max(SEED, stands.reserve) + stands.reading % CENT
    assert new.reserve == 0


def test_the_reserve_pays_the_seed_first_and_the_house_the_rest() -> None:
    """A reserve under the seed is used up, and the house puts up only what lacks."""
    stands = Meter(reading=7, reserve=400 * CENT, contribution=7, reserved=400 * CENT)
    steps = meter.reset(stands, SEED)
    assert [(step.cause, step.amount) for step in steps] == [
        (Cause.SEED_RESERVE, 400 * CENT),
        (Cause.SEED_HOUSE, SEED - 400 * CENT),
    ]


def test_a_reserve_larger_than_the_seed_goes_on_the_new_meter_whole() -> None:
    """The house puts up nothing where the reserve covers the seed."""
    stands = Meter(reserve=SEED + 1, reserved=SEED + 1)
    (step,) = meter.reset(stands, SEED)
    assert (step.cause, step.after.reading, step.after.reserve) == (Cause.SEED_RESERVE, SEED + 1, 0)


def test_the_house_puts_up_what_awards_exceed_the_meter_by() -> None:
    """Ruling J2: 100 % and 10 % of one reading are paid in full, the excess is the house's."""
    stands = Meter(reading=100 * CENT + 5, contribution=100 * CENT + 5)
    steps = meter.award(stands, [100, 10])
    assert [(step.cause, step.amount) for step in steps] == [
        (Cause.HOUSE_EXCESS, 10 * CENT),
        (Cause.AWARD, -100 * CENT),
        (Cause.AWARD, -10 * CENT),
    ]
    assert steps[-1].after.reading == 5
