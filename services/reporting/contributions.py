"""The contributions of a batch of the progressives feed, gathered under what they share and summed once."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from operator import attrgetter
from typing import NamedTuple

from casino.progressives.v1 import entries_pb2
from services.reporting import wire
from services.reporting.meters import feed as meters
from services.reporting.meters.sums import Days
from services.reporting.sums import ContributionKey, LevelKey, ProgressivesChange, Reading

Levels = Mapping[tuple[str, int], Sequence[str]]
"""The levels of each link's version, in the order of its contributions' lists."""

Shared = tuple[date, date, str, str, str, str, str, int]
"""Gaming day of the rounds, day under way, table; then what `_SHARED` reads."""
_SHARED = attrgetter("submission_id", "code", "paytable", "link_id", "link_version")


class Amounts(NamedTuple):
    """Of one contribution, micro-dollars by level; reserve and overflow may be empty."""

    amount: Sequence[int]
    reserve: Sequence[int]
    overflow: Sequence[int]


class Contributions:
    """The contributions of one batch. Each list of a message is read once, readings of the last one alone."""

    def __init__(self) -> None:
        self._amounts: defaultdict[Shared, list[Amounts]] = defaultdict(list)
        self._last: dict[tuple[date, str, int], tuple[int, entries_pb2.Contribution]] = {}

    def add(self, position: int, made: entries_pb2.Contribution, days: Days) -> None:
        """One wager's contribution, at a position of the progressives feed."""
        key = made.key
        own = wire.day(key.gaming_day)
        day = days.under_way(made.rounds_position, own)
        shared = (own, day, key.table_id, *_SHARED(made))
        amounts = Amounts(made.amount_micros[:], made.reserve_amount_micros[:], made.overflow_micros[:])
        self._amounts[shared].append(amounts)
        self._last[day, shared[-2], shared[-1]] = position, made

    def give(self, change: ProgressivesChange, levels: Levels) -> None:
        """Adds the sums and the last readings to a change."""
        for shared, made in self._amounts.items():
            _give_sums(change, shared, levels[shared[-2:]], made)
        for (day, link_id, version), (position, last) in self._last.items():
            names = levels[link_id, version]
            reserves = last.reserve_micros or [0] * len(names)
            for level, reading, reserve in zip(names, last.reading_micros, reserves, strict=True):
                change.read(LevelKey(day, link_id, level), Reading(position, reading, reserve))


def _give_sums(change: ProgressivesChange, shared: Shared, names: Sequence[str], made: Sequence[Amounts]) -> None:
    own, day, table_id, submission_id, code, paytable, link_id, _ = shared
    columns = zip(*[each.amount for each in made], strict=True)
    for place, (level, amounts) in enumerate(zip(names, columns, strict=True)):
        reserves = [each.reserve[place] for each in made if each.reserve]
        overflows = [each.overflow[place] for each in made if each.overflow]
        key = ContributionKey(own, table_id, submission_id, code, paytable, link_id, level)
        change.add_contributions(key, len(made), sum(amounts), sum(reserves))
        meters.add_contributions(change.meters, (day, link_id, level), amounts, reserves, overflows)
