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


def contribute(meter: Meter, amount: int, reserve_amount: int, over: int = 0) -> Meter:
    """The meter after a wager's contribution to reading and reserve, micro-dollars (ruling M4).

    `over` of the amount is kept off the reading by the limit.
    """
    reading, reserve, house, seeded, contribution, reserved, award, excess, overflow, *rest = meter
    return Meter(
        reading + amount - over,
        reserve + reserve_amount,
        house,
        seeded,
        contribution + amount,
        reserved + reserve_amount,
        award,
        excess,
        overflow - over,
        *rest,
    )


def over(meter: Meter, amount: int, limit: int) -> int:
    """What of a contribution the limit keeps off the reading, micro-dollars; a limit of 0 is none."""
    return min(amount, max(0, meter.reading + amount - limit)) if limit else 0


def move(meter: Meter, cause: Cause, amount: int) -> Step:
    """One movement: of the reserve for `reserved`, else of the reading, and `seed_reserve` leaves the reserve."""
    of_reserve = amount if cause is Cause.RESERVE else 0
    taken = amount if cause is Cause.SEED_RESERVE else 0
    after = meter._replace(reading=meter.reading + amount - of_reserve, reserve=meter.reserve - taken + of_reserve)
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
    made = Steps(meter)
    made.add(Cause.HOUSE_EXCESS, max(0, excess))
    for amount in amounts:
        made.add(Cause.AWARD, -amount, even_nothing=True)
    return made.steps


def reset(meter: Meter, seed_micros: int, limit: int = 0) -> list[Step]:
    """The movements that begin a new meter once its whole cents are paid (rulings J4 and J8).

    New reading = max(seed, reserve) + the residue that stands on it + what the limit kept off the meter before, as
    far as the limit allows. The reserve pays the seed first and goes on the new meter whole, the house puts up the
    rest. A limit of 0 is none.
    """
    made = Steps(meter)
    made.add(Cause.SEED_RESERVE, meter.reserve)
    made.add(Cause.SEED_HOUSE, max(0, seed_micros - meter.reserve))
    kept = -made.meter.overflow
    room = limit - made.meter.reading if limit else kept
    made.add(Cause.OVERFLOW, min(kept, room))
    return made.steps


class Net(NamedTuple):
    """What a hit has put on its meter so far beside the awards, micro-dollars: its movements summed by cause."""

    seed_house: int = 0
    seed_reserve: int = 0
    house_excess: int = 0
    overflow: int = 0


def restore(meter: Meter, amount: int, hit: Net, *, last: bool, limit: int = 0, hidden: bool = False) -> list[Step]:
    """The movements by which a voided award goes back, micro-dollars (ruling J10).

    First to the house what it put up for the hit beyond the meter. With the `last` award of its hit the reset is
    undone too, as far as the meter reaches: the reserve gets back what it gave, then the house, then the overflow.
    What lies above the limit then is kept off the reading, and all of it where a trigger is `hidden`: people move no
    meter towards its trigger.
    """
    made = Steps(meter)
    made.add(Cause.AWARD, amount)
    made.add(Cause.HOUSE_EXCESS, -min(amount, hit.house_excess))
    if last:
        for cause, given in ((Cause.SEED_RESERVE, hit.seed_reserve), (Cause.SEED_HOUSE, hit.seed_house)):
            made.add(cause, -min(given, made.meter.reading))
        made.add(Cause.OVERFLOW, -max(0, min(hit.overflow, made.meter.reading)))
    made.keep_off(meter.reading if hidden else limit, hidden=hidden)
    return made.steps


def set_award(
    meter: Meter, more: int, hit: Net, seed_micros: int = 0, *, limit: int = 0, hidden: bool = False
) -> list[Step]:
    """The movements by which a frozen award grows by `more`, or shrinks, micro-dollars (ruling J10).

    Where a voided award of the whole is due again, `seed_micros` is put on once more as far as the voids have undone
    it: of the reserve first, the rest by the house. What comes back is kept off the reading as `restore` says.
    """
    made = Steps(meter)
    if hidden:
        made.add(Cause.OVERFLOW, min(-meter.overflow, max(0, more)))
    made.add(Cause.AWARD, -more)
    lacking = max(0, seed_micros - hit.seed_reserve - hit.seed_house) if seed_micros else 0
    made.add(Cause.SEED_RESERVE, min(lacking, meter.reserve))
    made.add(Cause.SEED_HOUSE, lacking - min(lacking, meter.reserve))
    made.keep_off(meter.reading if hidden else limit, hidden=hidden)
    return made.steps


def emptied(meter: Meter) -> list[Step]:
    """The movements that put everything of a meter on its reading: overflow and reserve, before a transfer."""
    made = Steps(meter)
    made.add(Cause.OVERFLOW, -meter.overflow)
    made.add(Cause.SEED_RESERVE, meter.reserve)
    return made.steps


def taken_in(meter: Meter, amount: int, limit: int = 0) -> list[Step]:
    """The movements by which a retired meter's money arrives, micro-dollars; above the limit it is kept off."""
    made = Steps(meter)
    made.add(Cause.TRANSFER_IN, amount)
    if limit:
        made.add(Cause.OVERFLOW, -max(0, made.meter.reading - limit))
    return made.steps


class Steps:
    """Movements of one meter, one after another."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.steps: list[Step] = []

    def add(self, cause: Cause, amount: int, *, even_nothing: bool = False) -> None:
        """The next movement; none where nothing moves, unless it is to be written down all the same."""
        if amount or even_nothing:
            self.steps.append(move(self.meter, cause, amount))
            self.meter = self.steps[-1].after

    def keep_off(self, top: int, *, hidden: bool = False) -> None:
        """Keeps off the reading what lies above the top, micro-dollars; a top of 0 is none unless it is `hidden`."""
        if top or hidden:
            self.add(Cause.OVERFLOW, -max(0, self.meter.reading - top))


def residue(meter: Meter) -> int:
    """What lies on the meter beyond its whole cents, micro-dollars; it stays over a reset (ruling M4)."""
    return meter.reading % MICROS_PER_CENT
