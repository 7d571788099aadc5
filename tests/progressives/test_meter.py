"""A meter and its causes."""

from hypothesis import given
from hypothesis import strategies as st

from services.progressives import meter
from services.progressives.meter import Cause, Meter, Net, Step

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


def test_a_restored_award_undoes_its_hit_in_order() -> None:
    """Ruling J10: the house's excess, then with the last award reserve, house and overflow, as far as it reaches."""
    stands = Meter(reading=60 * CENT, seed_house=60 * CENT)
    hit = Net(seed_house=40 * CENT, seed_reserve=20 * CENT, house_excess=5 * CENT, overflow=CENT)
    assert [(each.cause, each.amount) for each in meter.restore(stands, 10 * CENT, hit, last=False)] == [
        (Cause.AWARD, 10 * CENT),
        (Cause.HOUSE_EXCESS, -5 * CENT),
    ]
    assert [(each.cause, each.amount) for each in meter.restore(stands, 10 * CENT, hit, last=True)] == [
        (Cause.AWARD, 10 * CENT),
        (Cause.HOUSE_EXCESS, -5 * CENT),
        (Cause.SEED_RESERVE, -20 * CENT),
        (Cause.SEED_HOUSE, -40 * CENT),
        (Cause.OVERFLOW, -CENT),
    ]


def test_a_restored_award_takes_no_more_than_there_is() -> None:
    """A meter that people lowered since is emptied, never overdrawn."""
    steps = meter.restore(Meter(reading=3, seed_house=3), 10 * CENT, Net(40 * CENT, 20 * CENT), last=True)
    assert [(each.cause, each.amount) for each in steps[1:]] == [(Cause.SEED_RESERVE, -10 * CENT - 3)]


@given(live, amounts, st.builds(Net, amounts, amounts, amounts, amounts), st.booleans(), st.integers(0, 2 * SEED))
def test_what_is_restored_never_overdraws_and_never_passes_the_limit(
    stands: Meter, amount: int, hit: Net, last_one: bool, room: int
) -> None:
    """Reading and reserve stay at or above zero, the reading at or under the limit, and the causes add up."""
    limit = stands.reading + room + 1
    after = last(meter.restore(stands, amount, hit, last=last_one, limit=limit), stands)
    assert after.balanced
    assert 0 <= after.reading <= limit
    assert after.reserve >= stands.reserve
    assert after.overflow <= 0


def test_what_comes_back_to_a_hidden_trigger_is_kept_off() -> None:
    """The reading stays where it is, whatever the award was."""
    stands = Meter(reading=60 * CENT, seed_house=60 * CENT)
    for steps in (
        meter.restore(stands, 90 * CENT, Net(seed_house=40 * CENT), last=True, limit=100 * CENT, hidden=True),
        meter.set_award(stands, -50 * CENT, Net(), limit=100 * CENT, hidden=True),
        meter.set_award(stands, 10 * CENT, Net(), 60 * CENT, limit=120 * CENT, hidden=True),
    ):
        assert steps[-1].after.reading == 60 * CENT
        assert steps[-1].after.overflow == -50 * CENT


def test_an_emptied_meter_has_everything_on_its_reading() -> None:
    """Before a transfer: overflow and reserve, to the micro-dollar."""
    stands = Meter(reading=5, reserve=7, contribution=16, reserved=7, overflow=-11)
    after = last(meter.emptied(stands), stands)
    assert (after.reading, after.reserve, after.overflow, after.balanced) == (23, 0, 0, True)
    assert meter.emptied(after) == []


def test_a_meter_takes_in_up_to_its_limit() -> None:
    """What lies above it is kept off; without a limit everything is on the reading."""
    stands = Meter(reading=5, contribution=5)
    assert last(meter.taken_in(stands, 100), stands).reading == 105
    limited = last(meter.taken_in(stands, 100, 60), stands)
    assert (limited.reading, limited.overflow, limited.transfer_in) == (60, -45, 100)


@given(amounts, amounts, amounts)
def test_what_a_limit_keeps_off_is_the_part_above_it(reading: int, amount: int, limit: int) -> None:
    """At most the whole contribution; a limit of 0 is none."""
    kept = meter.over(Meter(reading=reading), amount, limit)
    assert 0 <= kept <= amount
    assert kept == (min(amount, max(0, reading + amount - limit)) if limit else 0)
