"""The register of adjustments: corrected documents, what people decided of meters and jackpots, restated days."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from functools import cache

from services.kernel.money import display_cents, dollars
from services.reporting.day import PROPOSED, RESTATED, DayChange
from services.reporting.document import Document
from services.reporting.periods import Asked
from services.reporting.registers.record import DecisionRecord, JackpotRecord, MeterEvent
from services.reporting.statistics import LIMITS
from services.reporting.table import CENTS, COUNT, TEXT, Cell, Column, Row, Table
from services.reporting.tax import DayClass

TITLE = "Adjustments"
SIGNATURES = ("Preparer", "Reviewer")
COLUMNS = (
    Column("gaming_day", "Gaming day", TEXT),
    Column("table", "Table", TEXT),
    Column("subject", "Of what", TEXT),
    Column("field", "Field", TEXT),
    Column("old", "Old", CENTS),
    Column("new", "New", CENTS),
    Column("change", "Change", CENTS),
    Column("flag", "Flag", TEXT),
    Column("reason", "Why", TEXT),
    Column("reference", "Regulator reference", TEXT),
    Column("preparer", "Preparer", TEXT),
    Column("reviewer", "Reviewer", TEXT),
)
FLAG = 7
"""The place of the flag in a row."""
SUMMARY_COLUMNS = (
    Column("kind", "Of what", TEXT),
    Column("changes", "Changed fields", COUNT),
    Column("flagged", "Flagged", COUNT),
)
AMOUNTS = (
    *("amount_cents", "currency_cents", "counter_checks_cents", "coupons_cents", "promotional_cents"),
    *("wagers_cents", "payouts_cents"),
)
"""The fields of a document that are amounts; its other fields are told in words."""
UNTOLD = ("document_id", "posted_by", "posted_at", "corrects", "reason")
"""Fields that every correction has of its own."""
METERS = ("adjustment", "transfer_in", "transfer_out")
EFFECTIVE = ("approved", "done")
NOTES = (
    "Corrected documents: the preparer posted the document, the reviewer the correction, for a reason of his own.",
    "Meters and jackpots: who proposed the change and who approved it. Meters are told in whole cents, rounded down.",
    "Restated days: revenue by class as the version before and this one have it; its tax is on gross-revenue.",
)

Revenue = Mapping[DayClass, tuple[int | None, int | None]]
"""Revenue and tax of a filed version, in cents, by gaming day and class."""


@dataclass(frozen=True)
class AdjustmentFacts:
    """Documents with corrected ones, decisions, jackpots and movements of meters, states of days.

    `filed`: revenue as filed, by gaming day and version.
    """

    asked: Asked
    documents: Sequence[Document]
    decisions: Sequence[DecisionRecord]
    jackpots: Sequence[JackpotRecord]
    events: Sequence[MeterEvent]
    changes: Sequence[DayChange]
    filed: Mapping[tuple[date, int], Revenue]


@cache
def flagged_cents(jurisdiction: str = "") -> int:
    """The change beyond which an adjustment is flagged (N.J.A.C. 13:69D-1.34), by default of the data, in cents."""
    data = json.loads(LIMITS.read_text(encoding="utf-8"))
    found: int = data["jurisdictions"][jurisdiction or data["default"]]["adjustment_flagged_cents"]
    return found


def adjustments(facts: AdjustmentFacts) -> tuple[Table, ...]:
    """One line for each field that was changed, by kind of adjustment."""
    limit = flagged_cents(facts.asked.jurisdiction)
    notes = (*NOTES, f"A change of more than {dollars(limit)} is flagged.")
    made = (
        ("documents", "Corrected documents", list(_documents(facts.documents, limit))),
        ("meters", "Meters and jackpots", list(_decisions(facts, limit))),
        ("restatements", "Restated days", list(_restated(facts, limit))),
    )
    summary = [(title, len(rows), sum(bool(row[FLAG]) for row in rows)) for _, title, rows in made]
    totals: Row = ("total", sum(row[1] for row in summary), sum(row[2] for row in summary))
    return (
        Table("summary", TITLE, SUMMARY_COLUMNS, tuple(summary), totals, notes),
        *(Table(name, title, COLUMNS, tuple(rows)) for name, title, rows in made),
    )


def _changed(old: int | None, new: int | None, limit: int) -> tuple[Cell, Cell, Cell, Cell]:
    change = None if old is None or new is None else new - old
    flag = f"over {dollars(limit)}" if abs(change or 0) > limit else ""
    return old, new, change, flag


def _documents(documents: Iterable[Document], limit: int) -> Iterator[Row]:
    known = {each.document_id: each for each in documents}
    for each in known.values():
        former = known.get(each.corrects)
        if former is not None:
            for name in _different(former, each):
                yield _correction(former, each, name, limit)


def _different(former: Document, other: Document) -> list[str]:
    names = [each.name for each in fields(Document) if each.name not in UNTOLD]
    found = [name for name in names if getattr(former, name) != getattr(other, name)]
    return found or ["nothing"]


def _correction(former: Document, other: Document, name: str, limit: int) -> Row:
    about = f"{other.kind} {former.document_id}, corrected by {other.document_id}"
    amounts: tuple[Cell, ...] = (None, None, None, "")
    if name in AMOUNTS:
        amounts = _changed(getattr(former, name), getattr(other, name), limit)
    elif name == "table_id":
        about = f"{about}: {former.table_id} to {other.table_id}"
    said = name.removesuffix("_cents").replace("_", " ")
    who = (other.reason, "", former.posted_by, other.posted_by)
    return str(other.gaming_day), other.table_id, about, said, *amounts, *who


def _decisions(facts: AdjustmentFacts, limit: int) -> Iterator[Row]:
    for each in facts.decisions:
        if each.state in EFFECTIVE and facts.asked.first <= each.gaming_day <= facts.asked.last:
            if each.subject == "jackpot":
                yield _of_jackpot(each, facts.jackpots, limit)
            else:
                yield from _of_meters(each, facts.events, limit)


def _who(decision: DecisionRecord) -> tuple[Cell, ...]:
    why = ": ".join(each for each in (decision.reason.replace("_", " "), decision.note) if each)
    return why, decision.regulator_reference, decision.proposed_by, decision.decided_by


def _of_meters(decision: DecisionRecord, events: Iterable[MeterEvent], limit: int) -> Iterator[Row]:
    for each in events:
        # An approved retirement moves nothing until it is done.
        if each.decision_id == decision.decision_id and each.cause in METERS:
            old = display_cents(each.reading_micros - each.amount_micros)
            about = f"{each.link_id} {each.level}, decision {decision.decision_id}"
            amounts = _changed(old, display_cents(each.reading_micros), limit)
            yield str(each.gaming_day), "", about, each.cause.replace("_", " "), *amounts, *_who(decision)


def _of_jackpot(decision: DecisionRecord, jackpots: Iterable[JackpotRecord], limit: int) -> Row:
    own = [each for each in jackpots if each.jackpot_id == decision.jackpot_id]
    before = [each for each in own if each.position < decision.position]
    after = [each for each in own if each.position > decision.position and each.decision_id == decision.decision_id]
    old = before[-1] if before else None
    now = after[0] if after else old
    amounts = _changed(_due(old), _due(now), limit)
    about = f"jackpot {decision.jackpot_id}, decision {decision.decision_id}"
    table_id = now.table_id if now else ""
    return str(decision.gaming_day), table_id, about, decision.action.replace("_", " "), *amounts, *_who(decision)


def _due(jackpot: JackpotRecord | None) -> int | None:
    """What the patron has or is owed, in cents; None where nothing is known of it."""
    if jackpot is None:
        return None
    return 0 if jackpot.state in ("voided", "unpriced") else jackpot.amount_cents


def _restated(facts: AdjustmentFacts, limit: int) -> Iterator[Row]:
    for each in facts.changes:
        if each.state != RESTATED:
            continue
        proposed = [
            other.changed_by
            for other in facts.changes
            if other.gaming_day == each.gaming_day and other.state == PROPOSED and other.version == each.version - 1
        ]
        new = facts.filed.get((each.gaming_day, each.version), {})
        old = facts.filed.get((each.gaming_day, each.version - 1), {})
        about = f"version {each.version} of the filed day"
        who = (each.reason, "", proposed[-1] if proposed else "", each.changed_by)
        for key in sorted({*old, *new}):
            amounts = _changed(old.get(key, (0, 0))[0], new.get(key, (0, 0))[0], limit)
            yield str(each.gaming_day), "", about, f"revenue, {key[1]}", *amounts, *who
