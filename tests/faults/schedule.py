"""Which faults strike in a scenario, and where: drawn from the scenario's seed, printed when it fails."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

SOURCES = ("pit-a", "pit-b", "pit-c")
SERVICES = ("rounds", "settlement", "progressives", "reporting")
SERVICE_STEPS: Mapping[str, int] = {
    "rounds.before_commit": 14,
    "rounds.after_commit": 14,
    "rounds.before_answer": 14,
    "settlement.before_commit": 10,
    "settlement.after_commit": 10,
    "progressives.entries_written": 10,
    "progressives.rows_written": 10,
    "progressives.heads_written": 10,
    "progressives.before_commit": 10,
    "progressives.after_commit": 10,
    "progressives.published": 10,
    "reporting.before_commit": 16,
    "reporting.after_commit": 16,
}
"""The named steps of the services, and up to which time that one is reached a fault may sit there."""

SENDS: Mapping[str, int] = {f"{source}.send": 5 for source in SOURCES}
ANSWERS: Mapping[str, int] = {f"{source}.answer": 4 for source in SOURCES}

KINDS: Mapping[str, Mapping[str, int]] = {
    "drop": SENDS,
    "duplicate": SENDS,
    "reorder": SENDS,
    "delay": {**SENDS, **ANSWERS, **SERVICE_STEPS},
    "half_open": SENDS,
    "lost_answer": ANSWERS,
    "two_clients": SENDS,
    "clock_step": {**SENDS, **SERVICE_STEPS},
    "connection_lost": SERVICE_STEPS,
    "rebuilt": SERVICE_STEPS,
    "database_down": SERVICE_STEPS,
    "disk_full": SERVICE_STEPS,
    "pool_exhausted": SERVICE_STEPS,
    "slow_follower": {step: most for step, most in SERVICE_STEPS.items() if not step.startswith("rounds")},
}
"""Every kind, and the steps at which it may sit.

| kind | what happens |
|---|---|
| drop | a message of a source does not arrive |
| duplicate | a message arrives twice |
| reorder | a message arrives after the one sent next |
| delay | a message, an answer or a step takes a tenth of a second longer |
| half_open | nothing arrives any more in either direction; the old stream still stands when the new one comes |
| lost_answer | an acknowledgement does not arrive, later batches and their acknowledgements do |
| two_clients | another client of the same source takes over for a while |
| clock_step | the services' clocks jump by up to ten minutes either way and stay there |
| connection_lost | the connection to the database is gone at this step: the commit did not happen, or did unheard |
| rebuilt | the service's tasks, server and connections vanish at this step; a new one starts |
| database_down | every connection to the database is ended, and new ones too for a while |
| disk_full | the service's writes are refused with SQLSTATE 53100 for a while |
| pool_exhausted | every connection of the service's pool is taken for longer than anybody waits for one |
| slow_follower | the service's next five steps take a twentieth of a second longer each |
"""

MOST_FAULTS = 4
LARGEST_BATCH = 8


class Fault(NamedTuple):
    """At the n-th time that the step is reached, something of this kind happens; `spice` settles its details."""

    kind: str
    step: str
    number: int
    spice: int

    def __str__(self) -> str:
        return f"{self.kind} at {self.step} {self.number} (spice {self.spice})"


class Plan(NamedTuple):
    """A scenario: its seed, how many events a message holds, and its faults."""

    seed: int
    batch: int
    faults: tuple[Fault, ...]

    def __str__(self) -> str:
        told = "; ".join(map(str, self.faults)) or "no faults"
        return f"seed {self.seed}, {self.batch} events a message: {told}"


def plan(seed: int) -> Plan:
    """The scenario of a seed. The first fault's kind goes round with the seed, so that every kind has its turn."""
    random = Random(f"faults/{seed}")
    kinds = [sorted(KINDS)[seed % len(KINDS)]]
    kinds += random.choices(sorted(KINDS), k=random.randint(0, MOST_FAULTS - 1))
    return Plan(seed, random.randint(3, LARGEST_BATCH), tuple(_fault(random, kind) for kind in kinds))


def _fault(random: Random, kind: str) -> Fault:
    step = random.choice(sorted(KINDS[kind]))
    return Fault(kind, step, random.randint(1, KINDS[kind][step]), random.randrange(1_000))


class Schedule:
    """The faults that are still to come, by step; tells at each step what strikes now."""

    def __init__(self, faults: Sequence[Fault] = ()) -> None:
        self.struck: list[Fault] = []
        self.reached: Counter[str] = Counter()
        self._faults = list(faults)

    def due(self, step: str) -> list[Fault]:
        """The faults that sit here, at this time that the step is reached."""
        self.reached[step] += 1
        found = [each for each in self._faults if each.step == step and each.number == self.reached[step]]
        self.struck += found
        return found
