"""A progressive meter and the causes that move it: whole micro-dollars, nothing appears, nothing vanishes.

A meter has a reading, which the sign shows rounded down to the cent, and a hidden reserve. Each is the sum of
its causes to the micro-dollar; `seed_reserve` leaves the reserve and enters the reading.
"""

from enum import StrEnum
from typing import NamedTuple

from services.kernel.money import MICROS_PER_CENT


class Cause(StrEnum):
    """Why a meter moved. The value is the name of the meter's total."""

    SEED_HOUSE = "seed_house"
    SEED_RESERVE = "seed_reserve"
    CONTRIBUTION = "contribution"
    RESERVE = "reserved"
    AWARD = "award"
    HOUSE_EXCESS = "house_excess"
    OVERFLOW = "overflow"
    TRANSFER_IN = "transfer_in"
    TRANSFER_OUT = "transfer_out"
    ADJUSTMENT = "adjustment"


class Meter(NamedTuple):
    """Reading and reserve with the totals of each cause, signed micro-dollars."""

    reading: int = 0
    reserve: int = 0
    seed_house: int = 0
    seed_reserve: int = 0
    contribution: int = 0
    reserved: int = 0
    award: int = 0
    house_excess: int = 0
    overflow: int = 0
    transfer_in: int = 0
    transfer_out: int = 0
    adjustment: int = 0

    @property
    def balanced(self) -> bool:
        """Whether reading and reserve are the sums of their causes."""
        causes = self.seed_house + self.seed_reserve + self.contribution + self.award + self.house_excess
        causes += self.overflow + self.transfer_in + self.transfer_out + self.adjustment
        return self.reading == causes and self.reserve == self.reserved - self.seed_reserve


class Step(NamedTuple):
    """One movement of one meter; `amount` in signed micro-dollars of the reading."""

    cause: Cause
    amount: int
    before: Meter
    after: Meter


def contribute(meter: Meter, amount: int, reserve_amount: int) -> Meter:
    """The meter after a wager's contribution to reading and reserve, micro-dollars (ruling M4)."""
    reading, reserve, house, seeded, contribution, reserved, *rest = meter
    return Meter(
        reading + amount,
        reserve + reserve_amount,
        house,
        seeded,
        contribution + amount,
        reserved + reserve_amount,
        *rest,
    )


def move(meter: Meter, cause: Cause, amount: int) -> Step:
    """One movement of the reading; `seed_reserve` takes its amount out of the reserve."""
    taken = amount if cause is Cause.SEED_RESERVE else 0
    after = meter._replace(reading=meter.reading + amount, reserve=meter.reserve - taken)
    return Step(cause, amount, meter, after._replace(**{cause.value: getattr(meter, cause.value) + amount}))


def seed(meter: Meter, seed_micros: int) -> list[Step]:
    """The house puts the seed on a meter that goes live."""
    return [move(meter, Cause.SEED_HOUSE, seed_micros)]


def award(meter: Meter, cents: list[int]) -> list[Step]:
    """The movements that pay awards, one for each, in the order given.

    What they pay beyond the whole cents on the meter the house puts up first (ruling J2), so that the
    reading never falls under its sub-cent residue.
    """
    amounts = [each * MICROS_PER_CENT for each in cents]
    excess = sum(amounts) - (meter.reading - residue(meter))
    steps = [move(meter, Cause.HOUSE_EXCESS, excess)] if excess > 0 else []
    for amount in amounts:
        steps.append(move(steps[-1].after if steps else meter, Cause.AWARD, -amount))
    return steps


def reset(meter: Meter, seed_micros: int) -> list[Step]:
    """The movements that begin a new meter once its whole cents are paid (ruling J4).

    New reading = max(seed, reserve) + the residue that stands on it. The reserve pays the seed first and
    goes on the new meter whole, the house puts up the rest.
    """
    steps = [move(meter, Cause.SEED_RESERVE, meter.reserve)] if meter.reserve else []
    lacking = seed_micros - meter.reserve
    if lacking > 0:
        steps.append(move(steps[-1].after if steps else meter, Cause.SEED_HOUSE, lacking))
    return steps


def residue(meter: Meter) -> int:
    """What lies on the meter beyond its whole cents, micro-dollars; it stays over a reset (ruling M4)."""
    return meter.reading % MICROS_PER_CENT
