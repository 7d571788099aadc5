"""What the journal of the meters says, entry by entry: where each meter stands, which links and jackpots there are."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from casino.progressives.v1 import entries_pb2 as progressives
from clients.cli.audit.history import round_of
from services.kernel.money import LARGEST_METER_CENTS, MICROS_PER_CENT

Meter = tuple[str, str]
"""Link and level."""
IN_FORCE = (progressives.LINK_STATE_LIVE, progressives.LINK_STATE_SUSPENDED, progressives.LINK_STATE_RETIRED)
"""States of a link from which on its terms hold."""


class Stand(NamedTuple):
    """Reading, reserve and what the limit kept off, micro-dollars; wagers that contributed and their cents."""

    reading: int = 0
    reserve: int = 0
    overflow: int = 0
    wagers: int = 0
    handle_cents: int = 0

    def after(self, cause: progressives.MeterCause.ValueType, amount: int) -> "Stand":
        """Where the meter stands after a movement: of the reserve, out of it, onto or off the overflow, or plain."""
        if cause == progressives.METER_CAUSE_RESERVE:
            return self._replace(reserve=self.reserve + amount)
        taken = amount if cause == progressives.METER_CAUSE_SEED_RESERVE else 0
        back = amount if cause == progressives.METER_CAUSE_OVERFLOW else 0
        return self._replace(reading=self.reading + amount, reserve=self.reserve - taken, overflow=self.overflow - back)


class Moved(NamedTuple):
    """A movement that is due: of which meter, why, by how many micro-dollars."""

    meter: Meter
    cause: progressives.MeterCause.ValueType
    amount: int


class Begun(NamedTuple):
    """A hit: where its meter stood before, and the terms of the meter then."""

    stand: Stand
    terms: progressives.MeterTerms


def top_of(terms: progressives.MeterTerms) -> int:
    """The most that may stand on a meter of these terms in micro-dollars: its limit, or what the largest shows."""
    return (terms.limit_cents or LARGEST_METER_CENTS) * MICROS_PER_CENT


@dataclass
class Fold:
    """What the journal says stands on each meter, after each entry that moved it.

    `at`: the position of the last entry that moved each; `of_round`: the jackpots of a round, by its name without roll.
    """

    links: dict[str, progressives.Link] = field(default_factory=dict)
    live: dict[tuple[str, str, str], progressives.Link] = field(default_factory=dict)
    now: dict[Meter, Stand] = field(default_factory=dict)
    at: dict[Meter, int] = field(default_factory=dict)
    last_hit: dict[Meter, int] = field(default_factory=dict)
    before_hit: dict[str, Begun] = field(default_factory=dict)
    after_hit: dict[str, Stand] = field(default_factory=dict)
    put_up: defaultdict[str, Counter[progressives.MeterCause.ValueType]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    paid: Counter[str] = field(default_factory=Counter)
    first: dict[str, progressives.Jackpot] = field(default_factory=dict)
    jackpots: dict[str, progressives.Jackpot] = field(default_factory=dict)
    of_round: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def set(self, meter: Meter, position: int, stand: Stand) -> None:
        """What stands on the meter from a position of the progressives feed on."""
        self.now[meter], self.at[meter] = stand, position

    def stand(self, meter: Meter) -> Stand:
        """Where a meter stands now; empty before its seed."""
        return self.now.get(meter, Stand())

    def terms(self, meter: Meter) -> progressives.MeterTerms:
        """The terms of a meter in force; empty ones where no such level is."""
        link = self.links.get(meter[0])
        levels = {each.level: each for each in link.meters} if link else {}
        return levels.get(meter[1], progressives.MeterTerms())

    def limit(self, meter: Meter) -> int:
        """The most that may stand on a meter in micro-dollars."""
        return top_of(self.terms(meter))

    def over(self, link_id: str) -> bool:
        """Whether a link is retired."""
        link = self.links.get(link_id)
        return link is not None and link.state == progressives.LINK_STATE_RETIRED

    def put_link(self, link: progressives.Link) -> None:
        """The state of a link that holds from here on."""
        self.links[link.link_id] = link
        self.live = {
            (table_id, each.code, each.paytable): each
            for each in self.links.values()
            if each.state == progressives.LINK_STATE_LIVE
            for table_id in each.table_ids
        }

    def put_jackpot(self, jackpot: progressives.Jackpot) -> None:
        """The latest state of a jackpot."""
        self.first.setdefault(jackpot.jackpot_id, jackpot)
        self.jackpots[jackpot.jackpot_id] = jackpot
        self.of_round[round_of(jackpot.key)].add(jackpot.jackpot_id)

    def moved_by_hit(self, meter: Meter, moved: progressives.MeterMovement, position: int, after: Stand) -> None:
        """Keeps what a hit did, apart from what was decided of it later."""
        hit = moved.hit_id
        self.put_up[hit][moved.cause] += moved.amount_micros
        if moved.decision_id:
            return
        self.before_hit.setdefault(hit, Begun(self.stand(meter), self.terms(meter)))
        self.after_hit[hit], self.last_hit[meter] = after, position
        if moved.cause == progressives.METER_CAUSE_AWARD:
            self.paid[moved.jackpot_id] -= moved.amount_micros


class Trial:
    """Movements tried on meters as they stand, without moving them."""

    def __init__(self, fold: Fold) -> None:
        self.fold = fold
        self.stands: dict[Meter, Stand] = {}
        self.moves: list[Moved] = []
        self.lowest = 0

    def stand(self, meter: Meter) -> Stand:
        """Where a meter would stand after what was tried."""
        return self.stands.get(meter) or self.fold.stand(meter)

    def add(self, meter: Meter, cause: progressives.MeterCause.ValueType, amount: int) -> None:
        """One more movement; none where nothing moves."""
        if amount:
            self.moves.append(Moved(meter, cause, amount))
            self.stands[meter] = self.stand(meter).after(cause, amount)
            self.lowest = min(self.lowest, *self.stands[meter][:2])

    def keep_off(self, meter: Meter, top: int) -> None:
        """What stands above `top` is kept off the reading."""
        self.add(meter, progressives.METER_CAUSE_OVERFLOW, -max(0, self.stand(meter).reading - top))
