"""Entries of meters (ASC 924-605): what players contribute is owed to them as they do.

A hit turns it into a jackpot payable, and the house bears what the players had not put on the meter.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from services.kernel.money import MICROS_PER_CENT, display_cents
from services.reporting.ledger.accounts import Account, account
from services.reporting.ledger.facts import MeterFacts
from services.reporting.ledger.posting import Entry, EntryUnbalanced, entry
from services.reporting.ledger.store import Contributed
from services.reporting.meters.seed import CHARGED, Seeds, group_of, groups, seeds_after
from services.reporting.meters.sums import MeterName
from services.reporting.periods import Asked
from services.reporting.registers.record import MeterEvent

PARTS = ("meter", "reserve", "overflow")
"""The accounts of a meter."""
TRANSFERS = ("transfer_in", "transfer_out")


class Owed(NamedTuple):
    """What is owed on a meter, micro-dollars: the reading less the unearned seed, the reserve, the overflow."""

    meter: int = 0
    reserve: int = 0
    overflow: int = 0

    def plus(self, meter: int, reserve: int, overflow: int) -> "Owed":
        """The same after these changes."""
        return Owed(self.meter + meter, self.reserve + reserve, self.overflow + overflow)


class Moved(NamedTuple):
    """What a group of movements does beside the meters, micro-dollars: to contributions, to what the house bears, to
    awards payable (below zero where they grow), to adjustments; above zero is a debit, of `awards` the meters' change.
    """

    contributions: int
    house: int
    awards: int
    adjustments: int


@dataclass
class Meters:
    """Every meter as it is owed, and the entries by which that changes. Each account is booked at its whole cents."""

    seeds: Seeds
    owed: dict[MeterName, Owed] = field(default_factory=dict)

    def contributed(self, made: Contributed) -> Entry | None:
        """What wagers contributed to a meter on a day."""
        name = made.link_id, made.level
        lines = self._booked({name: (made.amount - made.overflow, made.reserve, made.overflow)})
        wagers = f"{made.wagers:,} wager{'' if made.wagers == 1 else 's'}"
        said = f"{made.link_id} {made.level}: contributions of {wagers}"
        lines.append((account("contributions"), -sum(cents for _, cents in lines)))
        return entry(made.gaming_day, said, lines, (), f"progressives to {made.position}")

    def moved(self, group: list[MeterEvent]) -> Entry | None:
        """A group of movements. Raises EntryUnbalanced where its parts contradict each other."""
        changes = self.seeds.apply(group)
        effects = {
            name: _effect([each for each in group if _name(each) == name], -change) for name, change in changes.items()
        }
        beside = _beside(group, -sum(changes.values()))
        self._check(group, effects.values(), beside)
        lines = self._booked(effects)
        lines.append((account("jackpots"), beside.awards // MICROS_PER_CENT))
        lines.append((account("adjustments"), display_cents(beside.adjustments)))
        lines.append((account("contributions"), display_cents(beside.contributions)))
        lines.append((_rest(beside), -sum(cents for _, cents in lines)))
        return entry(group[0].gaming_day, _said(group), lines, _named(group), _positions(group))

    def _booked(self, effects: dict[MeterName, tuple[int, int, int]]) -> list[tuple[Account, int]]:
        """Credits, below zero, by which the accounts of meters come to their whole cents again."""
        lines = []
        for name, effect in effects.items():
            before = self.owed.get(name, Owed())
            after = before.plus(*effect)
            self.owed[name] = after
            for part, old, new in zip(PARTS, before, after, strict=True):
                lines.append((account(part, *name), display_cents(old) - display_cents(new)))
        return lines

    @staticmethod
    def _check(group: list[MeterEvent], effects: Iterable[tuple[int, int, int]], beside: Moved) -> None:
        """To the micro-dollar: what the meters gain is what contributions, house, adjustments and awards give."""
        gained = sum(sum(effect) for effect in effects)
        given = beside.contributions + beside.house + beside.awards + beside.adjustments
        if gained != given:
            raise EntryUnbalanced(
                f"{group[0].gaming_day} {_said(group)}: expected the meters to gain {given} micro-dollars,"
                f" given {gained}"
            )


def _name(event: MeterEvent) -> MeterName:
    return event.link_id, event.level


def _effect(own: list[MeterEvent], earned: int) -> tuple[int, int, int]:
    """What movements of one meter add to what is owed on meter, reserve and overflow."""
    sums: dict[str, int] = {}
    for each in own:
        sums[each.cause] = sums.get(each.cause, 0) + each.amount_micros
    reserved, overflow = sums.pop("reserve", 0), -sums.get("overflow", 0)
    return sum(sums.values()) + earned, reserved - sums.get("seed_reserve", 0), overflow


def _beside(group: list[MeterEvent], earned: int) -> Moved:
    def of(*causes: str) -> int:
        return sum(each.amount_micros for each in group if each.cause in causes)

    # An adjustment of what nobody has earned costs nobody anything.
    adjusted = any(each.cause == "adjustment" for each in group)
    house, adjustments = (0, earned) if adjusted else (earned, 0)
    return Moved(of("contribution", "reserve"), of(*CHARGED) + house, of("award"), of("adjustment") + adjustments)


def _rest(beside: Moved) -> Account:
    """The account that takes what is left once every other one is at its whole cents: who bears the movement."""
    if beside.house:
        return account("house")
    return account("contributions")


def _said(group: list[MeterEvent]) -> str:
    first = group[0]
    meters = " and ".join(dict.fromkeys(f"{each.link_id} {each.level}" for each in group))
    kind, *what = group_of(first)
    where = f" at {first.table_id} round {first.round_no}" if first.table_id else ""
    if any(each.cause in TRANSFERS for each in group):
        return f"{meters}: transfer by decision {first.decision_id}"
    words = {"decision": "decision", "hit": "hit", "round": "correction of contributions", "seed": "first seed"}
    return f"{meters}: {words[kind]}{f' {what[0]}' if kind in ('decision', 'hit') else ''}{where}"


def _named(group: list[MeterEvent]) -> list[str]:
    return [each.jackpot_id for each in group if each.jackpot_id]


def _positions(group: list[MeterEvent]) -> str:
    first, last = group[0].position, group[-1].position
    return f"progressives {first}" if first == last else f"progressives {first} to {last}"


def standing(facts: MeterFacts, first: date) -> Meters:
    """The meters as they stood before a gaming day: their readings less what all movements before leave unearned."""
    seeds = seeds_after((each for each in facts.events if each.gaming_day < first), facts.seeds)
    return Meters(seeds, {name: _owed(facts, name, seeds.unearned.get(name, 0), at_end=False) for name in facts.before})


def stands(facts: MeterFacts, unearned: dict[MeterName, int]) -> dict[MeterName, Owed]:
    """What is owed on every meter at the period's end, by its last reading."""
    return {name: _owed(facts, name, unearned.get(name, 0), at_end=True) for name in facts.after}


def _owed(facts: MeterFacts, name: MeterName, unearned: int, *, at_end: bool) -> Owed:
    readings, overflows = (facts.after, facts.overflow_after) if at_end else (facts.before, facts.overflow_before)
    reading = readings[name]
    return Owed(reading.reading_micros - unearned, reading.reserve_micros, overflows.get(name, 0))


def progressive_entries(asked: Asked, facts: MeterFacts, meters: Meters) -> Iterator[Entry]:
    """Contributions of each day of the period, then its other movements in order."""
    own = [each for each in facts.events if asked.first <= each.gaming_day <= asked.last]
    days = sorted({each.gaming_day for each in own} | {each.gaming_day for each in facts.contributed})
    for day in days:
        made = [meters.contributed(each) for each in facts.contributed if each.gaming_day == day]
        made += [meters.moved(group) for group in groups(each for each in own if each.gaming_day == day)]
        yield from filter(None, made)
