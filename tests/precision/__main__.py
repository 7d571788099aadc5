"""Two hundred months of forty tables with planted faults through the pure reports: precision and recall as JSON.

Each month is generated from its seed, honest errors of dealers among it, up to two of each fault planted at tables of
their own. `planted` are the faults, `named` those of which at least one alarm of the reports that should name it stands
at a table-day of theirs; `recall` is their share. `alarms` are all alarms of those reports at table-days; `precision`
is the share of them that stand where some fault, this one or another, was planted. `table_days` says of a fault that
lasts how many of its days were named. `honest` are alarms at tables at which nothing was planted.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any

from services.kernel.money import decimal_text
from tests.precision.faults import LATE, Planted, late_winning_round, plant
from tests.precision.judging import (
    Alarm,
    honest_side_wagers,
    of_papers,
    of_play,
    of_statistics,
    other_than_filed,
    table_facts,
    two_wins,
)
from tests.precision.month import DAYS, Month

MONTHS = 200
OTHER_SEEDS = 1_000_000
"""What is added to a month's seed for the month before it."""
OUT, MISSING = ("reconciliation", "out of tolerance"), ("reconciliation", "documents missing")
NAMING: dict[str, set[tuple[str, str]]] = {
    "fill keyed twice": {OUT},
    "short count": {OUT, ("exceptions", "COUNTS_DIFFER")},
    "dealer overpaying one side wager in 40": {OUT},
    "miscalibrated wager feed": {OUT, ("meter-comparison", "investigate")},
    "missing drop box": {("exceptions", "BOX_NOT_COUNTED"), ("exceptions", "DOCUMENT_MISSING"), MISSING},
    "count posted to the wrong day": {
        ("exceptions", "BOX_NOT_COUNTED"),
        ("exceptions", "BOX_NOT_DROPPED"),
        ("exceptions", "DOCUMENT_MISSING"),
        MISSING,
    },
    "slip edited by a supervisor": {
        OUT,
        ("exceptions", "CORRECTION_NOT_NOTIFIED"),
        ("exceptions", "OPENER_DIFFERS"),
        ("inventory-discrepancies", "opener notified"),
        ("inventory-discrepancies", "opener reported"),
    },
    "fill slip not posted": {OUT, ("exceptions", "SERIALS_MISSING")},
    LATE: {("filed report", "differs")},
}
"""The alarms that should name a fault: report and reason."""


@dataclass
class Tally:
    """Counts over all months."""

    planted: Counter[str] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)
    days: Counter[str] = field(default_factory=Counter)
    named_days: Counter[str] = field(default_factory=Counter)
    right: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    flagged: Counter[str] = field(default_factory=Counter)
    of: Counter[str] = field(default_factory=Counter)

    def add(self, planted: Iterable[Planted], alarms: Iterable[Alarm]) -> None:
        """One month's faults and what its reports point at by table and day."""
        found = list(alarms)
        standing = {((each.day, each.table_id), (each.report, each.reason)) for each in found}
        serials = {each.table_id for each in found if each.reason == "SERIALS_MISSING"}
        everywhere: set[tuple[date | None, str]] = set()
        missing: set[str] = set()
        for each in planted:
            self._fault(each, standing, serials)
            everywhere |= set(each.places)
            missing |= set(each.serials)
        for alarm in found:
            true = (alarm.day, alarm.table_id) in everywhere or alarm.table_id in missing
            (self.right if true else self.wrong)[alarm.report, alarm.reason] += 1

    def _fault(self, each: Planted, standing: set[Any], serials: set[str]) -> None:
        self.planted[each.fault] += 1
        self.days[each.fault] += len(each.places)
        days = sum(any((place, name) in standing for name in NAMING[each.fault]) for place in each.places)
        self.named_days[each.fault] += days
        self.named[each.fault] += bool(days or serials.intersection(each.serials))

    def described(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "faults": {fault: self._described(fault) for fault in NAMING},
            "reports": {
                f"{report}: {reason}": {
                    "alarms": self.right[report, reason] + self.wrong[report, reason],
                    "honest": self.wrong[report, reason],
                }
                for report, reason in sorted({*self.right, *self.wrong})
            },
            "months_flagged": {
                name: {"flagged": self.flagged[name], "of": self.of[name], "percent": _share(self.flagged[name], whole)}
                for name, whole in sorted(self.of.items())
            },
        }

    def _described(self, fault: str) -> dict[str, Any]:
        right, wrong = (sum(each[name] for name in NAMING[fault]) for each in (self.right, self.wrong))
        return {
            "planted": self.planted[fault],
            "named": self.named[fault],
            "recall": _share(self.named[fault], self.planted[fault]),
            "table_days": _share(self.named_days[fault], self.days[fault]),
            "alarms": right + wrong,
            "precision": _share(right, right + wrong),
        }


def _share(part: int, whole: int) -> str | None:
    """A part in percent, half up to a tenth; None of nothing."""
    return decimal_text(Fraction(part * 100, whole), 1) if whole else None


def judge(seed: int, tally: Tally) -> None:
    """One month: planted, filed, a late round, and everything its reports say."""
    month, before = Month(seed), Month(seed + OTHER_SEEDS)
    planted, honest = plant(month)
    filed = two_wins(table_facts(month, before))
    for _ in range(month.random.randint(0, 2)):
        planted.append(late_winning_round(month, honest.pop(), month.random.randrange(DAYS)))
    facts = table_facts(month, before)
    late = other_than_filed(filed, two_wins(facts))
    tally.add(planted, of_papers(month) | of_play(facts) | late)
    _months(month, of_statistics(month, facts, honest_side_wagers(month)), planted, tally)


def _months(month: Month, alarms: set[Alarm], planted: Iterable[Planted], tally: Tally) -> None:
    """Flags of whole months, of tables with a fault and of those without."""
    touched = {table for each in planted for _, table in each.places}
    for table in month.tables:
        name = "statistics, tables with a fault" if table in touched else "statistics, honest tables"
        tally.of[name] += 1
        tally.flagged[name] += Alarm("statistics", "hold", table, None) in alarms
    tally.of["side-wagers, honest wagers"] += 1
    tally.flagged["side-wagers, honest wagers"] += any(each.report == "side-wagers" for each in alarms)


def main() -> None:
    """Prints one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--months", type=int, default=MONTHS)
    parser.add_argument("--seed", type=int, default=1, help="the first month's; the others' follow it")
    asked = parser.parse_args()
    tally, began = Tally(), time.monotonic()
    for seed in range(asked.seed, asked.seed + asked.months):
        judge(seed, tally)
    seconds = round(time.monotonic() - began)
    print(json.dumps({"months": asked.months, "seed": asked.seed, "seconds": seconds, **tally.described()}))


if __name__ == "__main__":
    main()
