"""A gaming day on its way: open, counted, audited, filed, restated; and what stands in the way of each step."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from services.kernel.errors import DayBlocked, DayOutOfState, InvalidRequest, SamePrincipal
from services.reporting.discrepancy import Discrepancy, named, uncounted
from services.reporting.document import Document, standing
from services.reporting.serials import Gap, unexplained
from services.reporting.sums import ExceptionKey
from services.reporting.win import inventory

OPEN, COUNTED, AUDITED, FILED = "open", "counted", "audited", "filed"
PROPOSED, RESTATED = "restatement_proposed", "restated"
STATES = (OPEN, COUNTED, AUDITED, FILED, PROPOSED, RESTATED)
STEPS = (COUNTED, AUDITED, FILED)
"""The steps up to filing, in order; a restatement is held to the same as filing."""
HAS_FILED = (FILED, PROPOSED, RESTATED)
"""States in which a filed version stands."""

OF_A_TABLE = (
    "opener",
    "fill",
    "credit",
    "counter_check",
    "count",
    "closer",
    "drop",
    "vigorish_uncollected",
    "meter_reading",
)
"""Kinds that say that a table was open that day."""

ON_RECORD = ("SHOE_EXCEEDED", "STAKE_MISSING")
"""Exceptions of rounds beside which no fact is held."""
SHOWN_BLOCKERS = 10


class DayChange(NamedTuple):
    """A gaming day came to a state. `version` is that of the filed reports, 0 before; `reason` of a restatement."""

    property_id: str
    gaming_day: date
    state: str
    version: int
    reason: str
    changed_by: str
    changed_at: datetime


class Blocker(NamedTuple):
    """What keeps a day from a state: a named reason, what it is about, and a sentence."""

    blocks: str
    reason: str
    subject: str
    detail: str


@dataclass(frozen=True, slots=True)
class DayRecord:
    """What a day is judged by.

    `documents`: all, corrected ones too. `played`: tables that dealt a round. `pending`: unsettled wagers by table.
    `questions`: what people still have to decide or look at. `complete`: the rounds position to which every figure is
    there, `needed` the one it must be. `ends_at`: when the day ends, None once a later day was opened.
    """

    gaming_day: date
    documents: Sequence[Document]
    played: Sequence[str]
    pending: Mapping[str, int]
    gaps: Sequence[Gap]
    discrepancies: Sequence[Discrepancy]
    exceptions: Mapping[ExceptionKey, int]
    questions: Mapping[ExceptionKey, int]
    complete: int
    needed: int
    ends_at: datetime | None
    now: datetime

    def blockers(self) -> tuple[Blocker, ...]:
        """Everything in the way up to filing, by step."""
        return (*self._to_count(), *self._to_audit(), *self._to_file())

    def _to_count(self) -> Iterator[Blocker]:
        if self.ends_at is not None and self.now < self.ends_at:
            said = f"the gaming day ends at {self.ends_at.isoformat()}"
            yield Blocker(COUNTED, "DAY_UNDER_WAY", str(self.gaming_day), said)
        for table in self.tables():
            yield from _documents_missing(table, [each for each in standing(self.documents) if each.table_id == table])
        for table, box in uncounted(self.documents):
            yield Blocker(COUNTED, "BOX_NOT_COUNTED", box, f"{table}: box {box} was dropped; expected its count")

    def tables(self) -> list[str]:
        """Tables that dealt a round or of which a document says that they were open."""
        opened = {each.table_id for each in standing(self.documents) if each.kind in OF_A_TABLE}
        return sorted(opened | set(self.played))

    def _to_audit(self) -> Iterator[Blocker]:
        for each in self.discrepancies:
            yield Blocker(AUDITED, *each)
        names = named(self.documents)
        for gap in self.gaps:
            for left in unexplained(gap, names):
                said = f"{left} missing before {left.before}; expected them, or an error notification that names them"
                yield Blocker(AUDITED, "SERIALS_MISSING", str(left), said)
        if self.complete < self.needed:
            said = f"expected every figure up to rounds position {self.needed}; they reach {self.complete}"
            yield Blocker(AUDITED, "NOT_COMPLETE", str(self.needed), said)

    def _to_file(self) -> Iterator[Blocker]:
        for table, count in sorted(self.pending.items()):
            yield Blocker(FILED, "WAGERS_PENDING", table, f"{table}: {count} wagers are not settled")
        names = named(self.documents)
        for key, count in self.exceptions.items():
            if not (_explainable(key) and exception_name(key) in names):
                yield _exception(key, count)
        for key, count in self.questions.items():
            yield _exception(key, count)


def exception_name(key: ExceptionKey) -> str:
    """How a blocker and an error notification name the exceptions of one kind at one table: SOURCE/REASON/TABLE."""
    return "/".join(part for part in (key.source, key.reason, key.table_id) if part)


def _explainable(key: ExceptionKey) -> bool:
    """What rounds holds back is resolved by deciding it there; other exceptions stay on record and are explained."""
    return key.source != "rounds" or key.reason in ON_RECORD


def _exception(key: ExceptionKey, count: int) -> Blocker:
    said = f"{key.table_id or 'no table'}: {count} unresolved {key.reason} of {key.source}"
    return Blocker(FILED, "EXCEPTION", exception_name(key), said)


def _documents_missing(table: str, documents: Sequence[Document]) -> Iterator[Blocker]:
    """An electronic table has its meters read instead; a hybrid one that has any inventory slip has all."""
    missing = inventory(documents).missing
    read = any(each.kind == "meter_reading" for each in documents)
    if missing and not (read and len(missing) == 3):
        wanted = "opener, count and closer (of an electronic table a meter_reading)"
        said = f"{table}: expected {wanted}; {' and '.join(missing)} missing"
        yield Blocker(COUNTED, "DOCUMENT_MISSING", table, said)


def advance(history: Sequence[DayChange], to: str, blockers: Sequence[Blocker], by: str) -> int:
    """The version of the next state, once nothing is in the way.

    Raises InvalidRequest, DayOutOfState, SamePrincipal (counted and audited by one person), DayBlocked.
    """
    if to not in STEPS:
        raise InvalidRequest(f"expected a step: {', '.join(STEPS)}; given {to or 'none'}")
    before = (OPEN, *STEPS)[STEPS.index(to)]
    _expect(history, (before,), to)
    if to == AUDITED and history[-1].changed_by == by:
        raise SamePrincipal(f"expected another person to audit than {by}, who counted; given {by}")
    _unblocked(to, blockers)
    return 1 if to == FILED else 0


def propose_restatement(history: Sequence[DayChange], reason: str) -> int:
    """The version that stands while another one is proposed. Raises DayOutOfState, InvalidRequest."""
    _expect(history, (FILED, RESTATED), PROPOSED)
    if not reason.strip():
        raise InvalidRequest("expected a reason for the restatement, given none")
    return history[-1].version


def approve_restatement(history: Sequence[DayChange], blockers: Sequence[Blocker], by: str) -> int:
    """The version that is filed. Raises DayOutOfState, SamePrincipal, DayBlocked."""
    _expect(history, (PROPOSED,), RESTATED)
    if history[-1].changed_by == by:
        raise SamePrincipal(f"expected another person to approve than {by}, who proposed; given {by}")
    _unblocked(FILED, blockers)
    return history[-1].version + 1


def state_of(history: Sequence[DayChange]) -> str:
    """The latest state."""
    return history[-1].state if history else OPEN


def _expect(history: Sequence[DayChange], states: tuple[str, ...], to: str) -> None:
    state = state_of(history)
    if state not in states:
        raise DayOutOfState(f"expected a day that is {' or '.join(states)} to become {to}; given one that is {state}")


def _unblocked(to: str, blockers: Sequence[Blocker]) -> None:
    """A step is held to all before it too: what was posted since counts."""
    steps = STEPS[: STEPS.index(to) + 1]
    found = [each for each in blockers if each.blocks in steps]
    if found:
        more = f"; and {len(found) - SHOWN_BLOCKERS} more" if len(found) > SHOWN_BLOCKERS else ""
        said = "; ".join(f"{each.reason}: {each.detail}" for each in found[:SHOWN_BLOCKERS])
        raise DayBlocked(f"expected nothing in the way of a day that is {to}; given {said}{more}")
