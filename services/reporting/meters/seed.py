"""The part of a meter that players have not earned: its seed, for which nothing is owed while the house may take the
game away (ASC 924-605; ruling G2).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from services.kernel.money import MICROS_PER_CENT
from services.reporting.meters.sums import MeterName
from services.reporting.registers.record import LinkRecord, MeterEvent

SeedOf = Mapping[tuple[str, int, str], int]
"""The seed in micro-dollars by link, version and level."""

CHARGED = ("seed_house", "house_excess")
"""Causes by which the house puts money on a meter."""
SEEDS = ("seed_house", "seed_reserve")


@dataclass
class Seeds:
    """The unearned seed of every meter, in micro-dollars, as groups of movements change it."""

    seed_of: SeedOf
    unearned: dict[MeterName, int] = field(default_factory=dict)
    _shifted: dict[tuple[MeterName, str], int] = field(default_factory=dict)
    _carried: int = 0

    def apply(self, group: Iterable[MeterEvent]) -> dict[MeterName, int]:
        """One group of movements that belong together; by how much it changes the unearned seed of its meters."""
        by_meter: dict[MeterName, list[MeterEvent]] = {}
        for each in group:
            by_meter.setdefault((each.link_id, each.level), []).append(each)
        self._carried = 0
        # What leaves a meter by a transfer is known before it arrives at another one.
        ordered = sorted(by_meter.items(), key=lambda item: any(each.cause == "transfer_in" for each in item[1]))
        return {name: self._apply(name, own) for name, own in ordered}

    def _apply(self, name: MeterName, own: list[MeterEvent]) -> int:
        before, last = self.unearned.get(name, 0), own[-1]
        after = min(self._raised(name, own, before), last.reading_micros)
        self.unearned[name] = after
        if any(each.cause == "transfer_out" for each in own):
            self._carried += before - after
        elif last.hit_id:
            shifted = (name, last.hit_id)
            self._shifted[shifted] = self._shifted.get(shifted, 0) + before - after
        return after - before

    def _raised(self, name: MeterName, own: list[MeterEvent], before: int) -> int:
        last = own[-1]
        first_seed = sum(
            each.amount_micros for each in own if each.cause == "seed_house" and not (each.hit_id or each.decision_id)
        )
        if last.hit_id and any(each.cause in SEEDS and each.amount_micros > 0 for each in own):
            return self.seed_of[last.link_id, last.link_version, last.level]
        if last.hit_id and any(each.cause == "award" and each.amount_micros > 0 for each in own):
            return before + self._shifted.get((name, last.hit_id), 0)
        if any(each.cause == "transfer_in" for each in own):
            return before + self._carried
        return before + first_seed


def group_of(event: MeterEvent) -> tuple[str, ...]:
    """What a movement belongs with: a decision, a hit, a corrected round, or the meter's first seed."""
    if event.decision_id:
        return "decision", event.decision_id
    if event.hit_id:
        return "hit", event.hit_id
    if event.table_id:
        return "round", event.table_id, str(event.round_no)
    return "seed", event.link_id


def groups(events: Iterable[MeterEvent]) -> Iterator[list[MeterEvent]]:
    """Movements that belong together, which stand together in the feed."""
    for _, own in groupby(events, key=lambda each: (each.gaming_day, group_of(each))):
        yield list(own)


def seeds_of(links: Iterable[LinkRecord]) -> SeedOf:
    """The seed of every level of every version of a link, micro-dollars."""
    return {
        (link.link_id, link.version, level): seed * MICROS_PER_CENT
        for link in links
        for level, seed in zip(link.levels, link.seeds_cents, strict=True)
    }


def seeds_after(events: Iterable[MeterEvent], seed_of: SeedOf) -> Seeds:
    """The unearned seeds once all these movements are made, from the first one of the property on."""
    seeds = Seeds(seed_of)
    for group in groups(events):
        seeds.apply(group)
    return seeds
