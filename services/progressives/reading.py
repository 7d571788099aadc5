"""What the entries of the progressives feed say: the way back from their bytes to the nouns."""

from collections.abc import Callable
from datetime import UTC, date
from typing import Any

from casino.progressives.v1 import entries_pb2
from services.progressives.alert import Alert
from services.progressives.decision import Decision
from services.progressives.entries import (
    ALERT_KIND,
    ALERT_STATE,
    BODIES,
    CAUSE,
    DECISION_STATE,
    JACKPOT_STATE,
    LINK_STATE,
    PAID,
    REASON,
    entry,
    instant,
    read_day,
    read_key,
    read_subject,
)
from services.progressives.jackpot import Jackpot
from services.progressives.journal import Commitment, Contribution, Movement, Trouble, Written
from services.progressives.link import Link, MeterTerms
from services.runtime.store import EntryRow


def read_written(data: bytes) -> Written:
    """What an entry of the progressives feed says."""
    message = entries_pb2.Entry.FromString(data)
    body = message.WhichOneof("body")
    assert body is not None, "an entry without a body"
    return _READERS[body](getattr(message, body))


def columns(row: EntryRow) -> tuple[int, date]:
    """Kind and gaming day as the bytes of an entry of the progressives feed give them."""
    again = entry(read_written(row.entry), "")
    return again.kind, again.gaming_day


def _read_contribution(given: entries_pb2.Contribution) -> Contribution:
    return Contribution(
        read_key(given.key),
        given.shift,
        given.wager_no,
        given.seat,
        given.code,
        given.paytable,
        given.submission_id,
        given.stake_cents,
        given.link_id,
        given.link_version,
        list(given.amount_micros),
        list(given.reading_micros),
        list(given.reserve_amount_micros),
        list(given.reserve_micros),
        given.rounds_position,
        list(given.overflow_micros),
    )


def _read_movement(given: entries_pb2.MeterMovement) -> Movement:
    return Movement(
        link_id=given.link_id,
        link_version=given.link_version,
        level=given.level,
        cause=CAUSE[given.cause],
        amount=given.amount_micros,
        reading_before=given.reading_before_micros,
        reading_after=given.reading_after_micros,
        reserve_before=given.reserve_before_micros,
        reserve_after=given.reserve_after_micros,
        key=read_key(given.key) if given.HasField("key") else None,
        wager_no=given.wager_no,
        hit_id=given.hit_id,
        jackpot_id=given.jackpot_id,
        gaming_day=read_day(given.gaming_day),
        rounds_position=given.rounds_position,
        decision_id=given.decision_id,
    )


def _read_jackpot(given: entries_pb2.Jackpot) -> Jackpot:
    return Jackpot(
        jackpot_id=given.jackpot_id,
        hit_id=given.hit_id,
        link_id=given.link_id,
        link_version=given.link_version,
        level=given.level,
        key=read_key(given.key),
        shift=given.shift,
        wager_no=given.wager_no,
        seat=given.seat,
        code=given.code,
        paytable=given.paytable,
        amount_cents=given.amount_cents,
        percent=given.percent,
        reading=given.reading_micros,
        state=JACKPOT_STATE[given.state],
        rounds_position=given.rounds_position,
        paid_from=given.paid_from,
        stake_cents=given.stake_cents,
        occurred_at=instant(given, "occurred_at"),
        source=given.source,
        actor=given.actor,
        rank=given.rank,
        at=instant(given, "at"),
        evaluated=given.evaluated_position,
        evaluated_sha256=given.evaluated_sha256,
        slip_no=given.slip_no,
        paid_through=PAID[given.paid_through],
        reportable=given.reportable,
        withheld_cents=given.withheld_cents,
        payee_sha256=given.payee_sha256,
        decision_id=given.decision_id,
    )


def _read_exception(given: entries_pb2.ProgressivesException) -> Trouble:
    return Trouble(given.reason, given.message, read_key(given.key), given.wager_no, given.rounds_position)


def _read_link(given: entries_pb2.Link) -> Link:
    return Link(
        given.link_id,
        given.version,
        given.title,
        given.code,
        given.paytable,
        tuple(read_meter_terms(terms) for terms in given.meters),
        tuple(given.table_ids),
        read_day(given.effective_from),
        LINK_STATE[given.state],
        given.proposed_by,
        given.proposed_at.ToDatetime(UTC),
        given.approved_by or None,
        instant(given, "approved_at"),
        given.rounds_position,
        given.changed_by,
        instant(given, "changed_at"),
        given.reason,
    )


def read_meter_terms(given: entries_pb2.MeterTerms) -> MeterTerms:
    """The terms of one level as sent."""
    rates = given.increment_rate, given.reserve_rate
    return MeterTerms(given.level, given.seed_cents, *rates, given.limit_cents, given.mystery)


def _read_decision(given: entries_pb2.Decision) -> Decision:
    return Decision(
        given.decision_id,
        DECISION_STATE[given.state],
        read_subject(given),
        REASON[given.reason],
        given.regulator_reference,
        given.note,
        given.proposed_by,
        instant(given, "proposed_at"),
        given.decided_by,
        instant(given, "decided_at"),
        read_key(given.key) if given.HasField("key") else None,
        given.wager_no,
        read_day(given.gaming_day),
        given.rounds_position,
        given.proposal,
    )


def _read_trigger(given: entries_pb2.Trigger) -> Commitment:
    return Commitment(
        given.link_id,
        given.link_version,
        given.level,
        given.number,
        given.state == entries_pb2.TRIGGER_STATE_OPENED,
        given.commitment,
        given.trigger_cents,
        given.salt,
        given.jackpot_id,
        read_day(given.gaming_day),
        given.rounds_position,
    )


def _read_alert(given: entries_pb2.Alert) -> Alert:
    at = instant(given, "at")
    assert at is not None, "an alert without its time"
    return Alert(
        alert_id=given.alert_id,
        kind=ALERT_KIND[given.kind],
        state=ALERT_STATE[given.state],
        message=given.message,
        link_id=given.link_id,
        level=given.level,
        jackpot_id=given.jackpot_id,
        key=read_key(given.key) if given.HasField("key") else None,
        seat=given.seat,
        sign_id=given.sign_id,
        shown_cents=given.shown_cents,
        expected_cents=given.expected_cents,
        rounds_played=given.rounds_played,
        actor=given.actor,
        at=at,
        gaming_day=read_day(given.gaming_day),
    )


_READERS: dict[str, Callable[[Any], Written]] = {
    BODIES[Contribution]: _read_contribution,
    BODIES[Movement]: _read_movement,
    BODIES[Jackpot]: _read_jackpot,
    BODIES[Trouble]: _read_exception,
    BODIES[Link]: _read_link,
    BODIES[Decision]: _read_decision,
    BODIES[Commitment]: _read_trigger,
    BODIES[Alert]: _read_alert,
}
