"""What entries of the progressives and submissions feeds add to the records."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from casino.progressives.v1 import entries_pb2
from casino.settlement.v1 import entries_pb2 as settlements_pb2
from services.reporting import wire
from services.reporting.meters.sums import Days
from services.reporting.registers.record import (
    DecisionRecord,
    JackpotRecord,
    LinkRecord,
    MeterEvent,
    Records,
    SubmissionRecord,
)

PAID_THROUGH = wire.words(entries_pb2.PaidThrough.DESCRIPTOR, "PAID_THROUGH_")
ACTIONS = wire.words(entries_pb2.JackpotAction.DESCRIPTOR, "JACKPOT_ACTION_")
REASONS = wire.words(entries_pb2.ChangeReason.DESCRIPTOR, "CHANGE_REASON_")
NOTHING = "unspecified"
"""The name of an enum's number that says nothing; kept as an empty text."""


def records(entries: Iterable[tuple[int, int, entries_pb2.Entry]], days: Days) -> Records:
    """The records of a batch; the contributions of wagers are no part of them."""
    found = Records()
    for position, kind, entry in entries:
        if kind == wire.MOVEMENT:
            found.events.append(_event(position, entry.movement, days))
        elif kind == wire.JACKPOT:
            found.jackpots.append(_jackpot(position, entry.jackpot, days))
        elif kind == wire.DECISION:
            found.decisions.append(_decision(position, entry.decision, days))
        elif kind == wire.LINK:
            found.links.append(_link(position, entry.link, days))
    return found


def submission(position: int, data: bytes) -> SubmissionRecord:
    """An entry of the submissions feed."""
    told = settlements_pb2.SubmissionsEntry.FromString(data).approved
    return SubmissionRecord(
        position,
        told.submission_id,
        told.title,
        wire.day(told.effective_from),
        told.proposed_by,
        told.approved_by,
        _instant(told, "approved_at"),
    )


def _said(word: str) -> str:
    return "" if word == NOTHING else word


def _instant(message: Any, name: str) -> datetime | None:
    return wire.instant(getattr(message, name)) if message.HasField(name) else None


def _event(position: int, moved: entries_pb2.MeterMovement, days: Days) -> MeterEvent:
    own = wire.day(moved.gaming_day or moved.key.gaming_day)
    return MeterEvent(
        position,
        days.under_way(moved.rounds_position, own),
        moved.link_id,
        moved.level,
        wire.CAUSES[moved.cause],
        moved.amount_micros,
        moved.reading_after_micros,
        moved.reserve_after_micros,
        moved.link_version,
        moved.key.table_id,
        moved.key.round_no,
        moved.hit_id,
        moved.jackpot_id,
        moved.decision_id,
    )


def _jackpot(position: int, told: entries_pb2.Jackpot, days: Days) -> JackpotRecord:
    key = told.key
    own = wire.day(key.gaming_day)
    return JackpotRecord(
        position,
        days.under_way(told.rounds_position, own),
        told.jackpot_id,
        told.hit_id,
        told.link_id,
        told.level,
        own,
        *(key.table_id, key.shoe, key.round_no, key.roll),
        told.seat,
        told.code,
        told.paytable,
        told.stake_cents,
        told.amount_cents,
        told.percent,
        told.reading_micros,
        wire.JACKPOT_STATES[told.state],
        told.paid_from,
        told.actor,
        told.rank,
        _instant(told, "at"),
        told.slip_no,
        _said(PAID_THROUGH[told.paid_through]),
        told.reportable,
        told.withheld_cents,
        told.decision_id,
    )


def _decision(position: int, made: entries_pb2.Decision, days: Days) -> DecisionRecord:
    subject = made.WhichOneof("subject") or ""
    link_id, level, heirs, amount, jackpot_id, action = _subject(made, subject)
    return DecisionRecord(
        position,
        days.under_way(made.rounds_position, wire.day(made.gaming_day) if made.gaming_day else date.min),
        made.decision_id,
        wire.DECISION_STATES[made.state],
        subject,
        link_id,
        level,
        heirs,
        amount,
        jackpot_id,
        action,
        _said(REASONS[made.reason]),
        made.regulator_reference,
        made.note,
        made.proposed_by,
        made.decided_by,
        _instant(made, "decided_at"),
    )


Subject = tuple[str, str, list[list[str]], int, str, str]
"""Link, level, heirs, amount, jackpot and action of a decision."""


def _subject(made: entries_pb2.Decision, subject: str) -> Subject:
    if subject == "adjustment":
        of = made.adjustment
        return of.link_id, of.level, [], of.amount_micros, "", ""
    if subject == "transfer":
        moved = made.transfer
        heirs = [[moved.from_level, moved.to_link_id, moved.to_level]]
        return moved.from_link_id, moved.from_level, heirs, moved.amount_micros, "", ""
    if subject == "retirement":
        heirs = [[each.level, each.to_link_id, each.to_level] for each in made.retirement.heirs]
        return made.retirement.link_id, "", heirs, 0, "", ""
    about = made.jackpot
    return "", "", [], about.amount_cents, about.jackpot_id, _said(ACTIONS[about.action])


def _link(position: int, link: entries_pb2.Link, days: Days) -> LinkRecord:
    meters = link.meters
    own = wire.day(link.effective_from) if link.effective_from else date.min
    when = [name for name in ("changed_at", "approved_at", "proposed_at") if link.HasField(name)]
    return LinkRecord(
        position,
        days.under_way(link.rounds_position, own),
        link.link_id,
        link.version,
        wire.LINK_STATES[link.state],
        link.title,
        link.code,
        link.paytable,
        list(link.table_ids),
        [each.level for each in meters],
        [each.seed_cents for each in meters],
        [each.increment_rate for each in meters],
        [each.reserve_rate for each in meters],
        [each.limit_cents for each in meters],
        [each.mystery for each in meters],
        link.effective_from,
        link.proposed_by,
        link.approved_by,
        link.changed_by,
        link.reason,
        _instant(link, when[0]) if when else None,
    )
