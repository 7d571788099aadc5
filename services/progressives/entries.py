"""Between the nouns of this service and the entries of its feed."""

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from casino.progressives.v1 import entries_pb2
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from services.kernel import errors
from services.kernel.clock import day_written
from services.kernel.ids import RoundKey
from services.progressives.alert import Alert, AlertKind, AlertState
from services.progressives.decision import (
    Adjustment,
    ChangeReason,
    Decision,
    DecisionState,
    Heir,
    JackpotAction,
    JackpotDecision,
    Retirement,
    Subject,
    Transfer,
)
from services.progressives.jackpot import Jackpot, JackpotState, PaidThrough
from services.progressives.journal import Commitment, Contribution, Movement, Trouble, Written
from services.progressives.link import Link, LinkState
from services.progressives.meter import Cause
from services.runtime.feeds import NewEntry, kind_of

_ENTRY = entries_pb2.Entry()
EPOCH, NANOS_PER_MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), 1_000
BODIES: dict[type, str] = {
    Contribution: "contribution",
    Movement: "movement",
    Jackpot: "jackpot",
    Trouble: "exception",
    Link: "link",
    Decision: "decision",
    Commitment: "trigger",
    Alert: "alert",
}
KINDS = {noun: kind_of(_ENTRY, name) for noun, name in BODIES.items()}
CONTRIBUTION = KINDS[Contribution]


def _numbers(values: Any, prefix: str) -> dict[Any, Any]:
    """The enum's number of each value of a noun's enum; an empty one is the unspecified."""
    return {each: getattr(entries_pb2, f"{prefix}_{each.name if each else 'UNSPECIFIED'}") for each in values}


LINK_STATES, JACKPOT_STATES = _numbers(LinkState, "LINK_STATE"), _numbers(JackpotState, "JACKPOT_STATE")
CAUSES, DECISION_STATES = _numbers(Cause, "METER_CAUSE"), _numbers(DecisionState, "DECISION_STATE")
REASONS, ACTIONS = _numbers(ChangeReason, "CHANGE_REASON"), _numbers(JackpotAction, "JACKPOT_ACTION")
ALERT_KINDS, ALERT_STATES = _numbers(AlertKind, "ALERT_KIND"), _numbers(AlertState, "ALERT_STATE")
THROUGH = _numbers(PaidThrough, "PAID_THROUGH")


def _values(numbers: dict[Any, Any]) -> dict[Any, Any]:
    return {number: value for value, number in numbers.items()}


LINK_STATE, JACKPOT_STATE, CAUSE = _values(LINK_STATES), _values(JACKPOT_STATES), _values(CAUSES)
DECISION_STATE, REASON, ACTION = _values(DECISION_STATES), _values(REASONS), _values(ACTIONS)
ALERT_KIND, ALERT_STATE, PAID = _values(ALERT_KINDS), _values(ALERT_STATES), _values(THROUGH)


@lru_cache(maxsize=256)
def read_day(text: str) -> date:
    """The gaming day written YYYY-MM-DD. Raises InvalidRequest for anything else."""
    return day_written(text)


def read_key(key: rounds_pb2.RoundKey) -> RoundKey:
    """A round's key. Raises InvalidRequest where its day is none."""
    return RoundKey(read_day(key.gaming_day), key.table_id, key.shoe, key.round_no, key.roll)


def key_message(key: RoundKey | None) -> rounds_pb2.RoundKey | None:
    """A round's key as sent."""
    if key is None:
        return None
    day, table_id, shoe, round_no, roll = key
    return rounds_pb2.RoundKey(gaming_day=_day_text(day), table_id=table_id, shoe=shoe, round_no=round_no, roll=roll)


@lru_cache(maxsize=256)
def _day_text(day: date) -> str:
    return day.isoformat()


def stamp(at: datetime | None) -> Timestamp | None:
    """An instant as sent."""
    if at is None:
        return None
    made = Timestamp()
    made.FromDatetime(at.astimezone(UTC))
    return made


def instant(message: Any, name: str) -> datetime | None:
    """An instant that a message may carry."""
    if not message.HasField(name):
        return None
    at = getattr(message, name)
    # As `ToDatetime` computes it, in a third of the time.
    return EPOCH + timedelta(0, at.seconds, at.nanos // NANOS_PER_MICROSECOND)


def entry(written: Written, property_id: str) -> NewEntry:
    """The entry of the progressives feed that says this."""
    noun = type(written)
    if noun is Contribution:
        assert isinstance(written, Contribution)
        # It has no map, whose order alone would have to be settled.
        return NewEntry(CONTRIBUTION, written.key.gaming_day, _contributed(written).SerializeToString())
    made = entries_pb2.Entry(**{BODIES[noun]: _message(written, property_id)})
    return NewEntry(KINDS[noun], _day(written), made.SerializeToString(deterministic=True))


def _message(written: Written, property_id: str) -> Any:
    if isinstance(written, Link):
        return link_message(written, property_id)
    return _WRITERS[type(written)](written)


def _day(written: Written) -> date:
    if isinstance(written, Jackpot | Trouble | Contribution):
        return written.key.gaming_day
    return written.effective_from if isinstance(written, Link) else written.gaming_day


def _contributed(written: Contribution) -> entries_pb2.Entry:
    """Nearly every entry is one of these, and most of each is as in the last: that is copied, not set anew."""
    key, shift, wager_no, seat, code, paytable, submission_id, stake, link_id, version = written[:10]
    amounts, readings, reserve_amounts, reserves, rounds_position, overflows = written[10:]
    alike = key.gaming_day, shift, code, paytable, submission_id, stake, link_id, version
    made = entries_pb2.Entry()
    made.CopyFrom(_alike(*alike, tuple(amounts), tuple(reserve_amounts)))
    said = made.contribution
    put = said.key
    put.table_id, put.shoe, put.round_no, put.roll = key[1:]
    said.wager_no, said.seat, said.rounds_position = wager_no, seat, rounds_position
    said.reading_micros.extend(readings)
    said.reserve_micros.extend(reserves)
    if overflows:
        said.overflow_micros.extend(overflows)
    return made


@lru_cache(maxsize=4096)
def _alike(
    gaming_day: date,
    shift: int,
    code: str,
    paytable: str,
    submission_id: str,
    stake_cents: int,
    link_id: str,
    link_version: int,
    amounts: tuple[int, ...],
    reserve_amounts: tuple[int, ...],
) -> entries_pb2.Entry:
    """What the contributions of equal wagers to a link have alike, micro-dollars per level; nobody changes it."""
    said = entries_pb2.Contribution(
        key=rounds_pb2.RoundKey(gaming_day=_day_text(gaming_day)),
        shift=shift,
        code=code,
        paytable=paytable,
        submission_id=submission_id,
        stake_cents=stake_cents,
        link_id=link_id,
        link_version=link_version,
        amount_micros=amounts,
        reserve_amount_micros=reserve_amounts,
    )
    return entries_pb2.Entry(contribution=said)


def _movement(written: Movement) -> entries_pb2.MeterMovement:
    return entries_pb2.MeterMovement(
        link_id=written.link_id,
        link_version=written.link_version,
        level=written.level,
        cause=CAUSES[written.cause],
        amount_micros=written.amount,
        reading_before_micros=written.reading_before,
        reading_after_micros=written.reading_after,
        reserve_before_micros=written.reserve_before,
        reserve_after_micros=written.reserve_after,
        key=key_message(written.key),
        wager_no=written.wager_no,
        hit_id=written.hit_id,
        jackpot_id=written.jackpot_id,
        gaming_day=_day_text(written.gaming_day),
        rounds_position=written.rounds_position,
        decision_id=written.decision_id,
    )


def jackpot_message(jackpot: Jackpot) -> entries_pb2.Jackpot:
    """A state of a jackpot as sent."""
    return entries_pb2.Jackpot(
        jackpot_id=jackpot.jackpot_id,
        hit_id=jackpot.hit_id,
        link_id=jackpot.link_id,
        link_version=jackpot.link_version,
        level=jackpot.level,
        key=key_message(jackpot.key),
        shift=jackpot.shift,
        wager_no=jackpot.wager_no,
        seat=jackpot.seat,
        code=jackpot.code,
        paytable=jackpot.paytable,
        amount_cents=jackpot.amount_cents,
        percent=jackpot.percent,
        reading_micros=jackpot.reading,
        state=JACKPOT_STATES[jackpot.state],
        rounds_position=jackpot.rounds_position,
        paid_from=jackpot.paid_from,
        stake_cents=jackpot.stake_cents,
        occurred_at=stamp(jackpot.occurred_at),
        source=jackpot.source,
        actor=jackpot.actor,
        rank=jackpot.rank,
        at=stamp(jackpot.at),
        evaluated_position=jackpot.evaluated,
        evaluated_sha256=jackpot.evaluated_sha256,
        slip_no=jackpot.slip_no,
        paid_through=THROUGH[jackpot.paid_through],
        reportable=jackpot.reportable,
        withheld_cents=jackpot.withheld_cents,
        payee_sha256=jackpot.payee_sha256,
        decision_id=jackpot.decision_id,
    )


def _exception(trouble: Trouble) -> entries_pb2.ProgressivesException:
    return entries_pb2.ProgressivesException(
        reason=trouble.reason,
        message=trouble.message,
        key=key_message(trouble.key),
        wager_no=trouble.wager_no,
        rounds_position=trouble.rounds_position,
    )


def link_message(link: Link, property_id: str) -> entries_pb2.Link:
    """A state of a link as sent."""
    return entries_pb2.Link(
        link_id=link.link_id,
        version=link.version,
        property_id=property_id,
        title=link.title,
        code=link.code,
        paytable=link.paytable,
        meters=[entries_pb2.MeterTerms(**terms._asdict()) for terms in link.meters],
        table_ids=link.table_ids,
        effective_from=link.effective_from.isoformat(),
        state=LINK_STATES[link.state],
        proposed_by=link.proposed_by,
        proposed_at=stamp(link.proposed_at),
        approved_by=link.approved_by or "",
        approved_at=stamp(link.approved_at),
        rounds_position=link.rounds_position,
        changed_by=link.changed_by,
        changed_at=stamp(link.changed_at),
        reason=link.reason,
    )


def decision_message(made: Decision) -> entries_pb2.Decision:
    """A state of a decision as sent."""
    message = entries_pb2.Decision(
        decision_id=made.decision_id,
        state=DECISION_STATES[made.state],
        reason=REASONS[made.reason],
        regulator_reference=made.regulator_reference,
        note=made.note,
        proposed_by=made.proposed_by,
        proposed_at=stamp(made.proposed_at),
        decided_by=made.decided_by,
        decided_at=stamp(made.decided_at),
        key=key_message(made.key),
        wager_no=made.wager_no,
        gaming_day=_day_text(made.gaming_day),
        rounds_position=made.rounds_position,
        proposal=made.proposal,
    )
    _put_subject(message, made.subject)
    return message


def _put_subject(message: entries_pb2.Decision, subject: Subject) -> None:
    if isinstance(subject, Adjustment):
        message.adjustment.MergeFrom(entries_pb2.Adjustment(link_id=subject.link_id, level=subject.level))
        message.adjustment.amount_micros = subject.amount
    elif isinstance(subject, Transfer):
        message.transfer.from_link_id, message.transfer.from_level = subject.from_link_id, subject.from_level
        message.transfer.to_link_id, message.transfer.to_level = subject.to_link_id, subject.to_level
        message.transfer.amount_micros = subject.amount
    elif isinstance(subject, Retirement):
        message.retirement.link_id = subject.link_id
        message.retirement.effective_from = _day_text(subject.effective_from)
        message.retirement.heirs.extend(entries_pb2.MeterHeir(**heir._asdict()) for heir in subject.heirs)
    else:
        message.jackpot.jackpot_id, message.jackpot.amount_cents = subject.jackpot_id, subject.amount_cents
        message.jackpot.action = ACTIONS[subject.action]


def read_subject(message: Any) -> Subject:
    """The subject of a decision, or of a request that proposes one. ChangeImpossible where it has none."""
    kind = message.WhichOneof("subject")
    if kind == "adjustment":
        return Adjustment(message.adjustment.link_id, message.adjustment.level, message.adjustment.amount_micros)
    if kind == "transfer":
        made = message.transfer
        return Transfer(made.from_link_id, made.from_level, made.to_link_id, made.to_level, made.amount_micros)
    if kind == "retirement":
        heirs = tuple(Heir(each.level, each.to_link_id, each.to_level) for each in message.retirement.heirs)
        return Retirement(message.retirement.link_id, read_day(message.retirement.effective_from), heirs)
    if kind == "jackpot":
        action = read_action(message.jackpot.action)
        return JackpotDecision(message.jackpot.jackpot_id, action, message.jackpot.amount_cents)
    raise errors.ChangeImpossible("expected adjustment, transfer, retirement or jackpot, given none")


def read_action(number: int) -> JackpotAction:
    """What is to become of a jackpot. ChangeImpossible for a number that this version does not know."""
    if number not in ACTION:
        raise errors.ChangeImpossible(f"expected void, confirm or set_amount, given action {number}")
    found: JackpotAction = ACTION[number]
    return found


def read_reason(number: int) -> ChangeReason:
    """A reason of the closed list. ChangeImpossible for a number that this version does not know."""
    if number not in REASON:
        raise errors.ChangeImpossible(f"expected one of {', '.join(filter(None, ChangeReason))}, given {number}")
    found: ChangeReason = REASON[number]
    return found


def trigger_message(made: Commitment) -> entries_pb2.Trigger:
    """A trigger as published: its amount and salt once it is opened."""
    return entries_pb2.Trigger(
        link_id=made.link_id,
        link_version=made.link_version,
        level=made.level,
        number=made.number,
        state=entries_pb2.TRIGGER_STATE_OPENED if made.opened else entries_pb2.TRIGGER_STATE_COMMITTED,
        commitment=made.commitment,
        trigger_cents=made.cents,
        salt=made.salt,
        jackpot_id=made.jackpot_id,
        gaming_day=_day_text(made.gaming_day),
        rounds_position=made.rounds_position,
    )


def alert_message(made: Alert) -> entries_pb2.Alert:
    """A state of an alert as sent."""
    return entries_pb2.Alert(
        alert_id=made.alert_id,
        kind=ALERT_KINDS[made.kind],
        state=ALERT_STATES[made.state],
        message=made.message,
        link_id=made.link_id,
        level=made.level,
        jackpot_id=made.jackpot_id,
        key=key_message(made.key),
        seat=made.seat,
        sign_id=made.sign_id,
        shown_cents=made.shown_cents,
        expected_cents=made.expected_cents,
        rounds_played=made.rounds_played,
        actor=made.actor,
        at=stamp(made.at),
        gaming_day=_day_text(made.gaming_day),
    )


_WRITERS: dict[type, Any] = {
    Movement: _movement,
    Jackpot: jackpot_message,
    Trouble: _exception,
    Decision: decision_message,
    Commitment: trigger_message,
    Alert: alert_message,
}
