"""How a meter got to where it is: its journal summed by cause and by table, from facts alone (605a.7).

Positions are of the progressives feed, amounts signed micro-dollars, stakes cents.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from services.kernel.ids import RoundKey
from services.progressives.jackpot import Jackpot
from services.progressives.meter import Cause


class Total(NamedTuple):
    """How often a cause moved a meter, and by how much altogether."""

    times: int = 0
    amount: int = 0


class Table(NamedTuple):
    """What a table's wagers put on a meter; `amount` after what corrections took back or added."""

    table_id: str
    wagers: int
    handle_cents: int
    amount: int


class Contributed(NamedTuple):
    """The contributing wagers of a stretch of the journal, summed for one level.

    `kept` is what went to the reserve, `over` what the limit kept off the reading; each with its count.
    """

    contribution: Total = Total()
    kept: Total = Total()
    over: Total = Total()


class Sums(NamedTuple):
    """A stretch of one meter's journal: wagers, movements by cause, and both by table."""

    contributed: Contributed
    moved: Mapping[Cause, Total]
    tables: tuple[Table, ...]

    @property
    def totals(self) -> dict[Cause, Total]:
        """Every cause that moved the meter, in the order of the causes."""
        contribution, kept, over = self.contributed
        of_wagers = {
            Cause.CONTRIBUTION: contribution,
            Cause.RESERVE: kept,
            Cause.OVERFLOW: over._replace(amount=-over.amount),
        }
        found = {cause: together(of_wagers.get(cause, Total()), self.moved.get(cause, Total())) for cause in Cause}
        return {cause: total for cause, total in found.items() if total.times}

    @property
    def reading(self) -> int:
        """By how much the stretch raised the reading."""
        return sum(total.amount for cause, total in self.totals.items() if cause is not Cause.RESERVE)

    @property
    def reserve(self) -> int:
        """By how much the stretch raised the reserve: `seed_reserve` leaves it."""
        totals = self.totals
        return totals.get(Cause.RESERVE, Total()).amount - totals.get(Cause.SEED_RESERVE, Total()).amount

    @property
    def overflow(self) -> int:
        """By how much the stretch raised what the limit keeps off the reading (ruling J8)."""
        return -self.totals.get(Cause.OVERFLOW, Total()).amount


def together(one: Total, other: Total) -> Total:
    """Two totals of one cause as one."""
    return Total(one.times + other.times, one.amount + other.amount)


def tables(wagers: Iterable[Table], corrected: Mapping[str, int]) -> tuple[Table, ...]:
    """Tables by name: their wagers, and what corrections moved on them."""
    found = {each.table_id: each for each in wagers}
    for table_id, amount in corrected.items():
        former = found.get(table_id, Table(table_id, 0, 0, 0))
        found[table_id] = former._replace(amount=former.amount + amount)
    return tuple(found[name] for name in sorted(found))


class Line(NamedTuple):
    """One line of a meter's journal: what moved reading and reserve, and where they stood after it.

    A contribution moves the reading by `amount` less `overflow`, every other cause by `amount`.
    """

    position: int
    cause: Cause
    amount: int
    reserve_amount: int
    reading: int
    reserve: int
    key: RoundKey | None
    wager_no: int
    seat: int
    stake_cents: int
    jackpot_id: str
    decision_id: str
    overflow: int


class Explanation(NamedTuple):
    """A meter at a position: everything since its first seed."""

    link_id: str
    level: str
    position: int
    sums: Sums


class Proof(NamedTuple):
    """A jackpot's amount: after `start`, where the hit before or the first seed ended, up to and with `end`.

    `opening` plus what the stretch raised is `reading`, on which the hit was priced; `sharing` are the jackpots of the
    hit as they stand, in the order in which they were priced.
    """

    jackpot: Jackpot
    start: int
    end: int
    opening: int
    sums: Sums
    reading: int
    sharing: tuple[Jackpot, ...]
