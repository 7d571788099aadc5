"""What the entries of the progressives feed add to the projections of meters."""

from collections.abc import Sequence
from datetime import date

from casino.progressives.v1 import entries_pb2
from services.reporting import wire
from services.reporting.meters.sums import (
    CORRECTION,
    DECISION,
    HIT,
    SEED,
    WAGER,
    CorrectionKey,
    Days,
    LinkState,
    MeterKey,
    MetersChange,
    Question,
)

IN_FORCE = ("live", "suspended", "retired")
UNDECIDED = ("open", "proposed")
RAISED = "raised"


def add_contributions(
    change: MetersChange,
    meter: tuple[date, str, str],
    amounts: Sequence[int],
    reserves: Sequence[int],
    overflows: Sequence[int],
) -> None:
    """What wagers contributed to a meter on the day under way: day, link and level; nothing moves nothing."""
    for cause, sign, moved in (("contribution", 1, amounts), ("reserve", 1, reserves), ("overflow", -1, overflows)):
        if times := sum(map(bool, moved)):
            change.add(MeterKey(*meter, cause, WAGER), sign * sum(moved), times)


def add_movement(change: MetersChange, moved: entries_pb2.MeterMovement, day: date) -> None:
    """A movement, on the day under way; what corrects a round's contributions goes to the round's day too."""
    cause, made_by = wire.CAUSES[moved.cause], made_by_of(moved)
    change.add(MeterKey(day, moved.link_id, moved.level, cause, made_by), moved.amount_micros)
    if cause in ("contribution", "reserve"):
        key = CorrectionKey(wire.day(moved.key.gaming_day), moved.key.table_id, moved.link_id, moved.level)
        amount = moved.amount_micros
        change.correct(key, *((amount, 0) if cause == "contribution" else (0, amount)))


def made_by_of(moved: entries_pb2.MeterMovement) -> str:
    """What made a movement."""
    if moved.decision_id:
        return DECISION
    if moved.hit_id:
        return HIT
    return CORRECTION if moved.HasField("key") else SEED


def add_link(change: MetersChange, position: int, link: entries_pb2.Link, days: Days) -> None:
    """A state of a link, if it is or was in force; what is merely proposed or approved moves no meter."""
    state = wire.LINK_STATES[link.state]
    if state not in IN_FORCE:
        return
    own = wire.day(link.effective_from) if link.effective_from else date.min
    change.links.append(
        LinkState(
            position,
            days.under_way(link.rounds_position, own),
            link.link_id,
            link.version,
            state,
            link.code,
            link.paytable,
            [each.level for each in link.meters],
            [each.increment_rate for each in link.meters],
            [each.reserve_rate for each in link.meters],
            list(link.table_ids),
            link.changed_by or link.approved_by,
        )
    )


def add_decision(change: MetersChange, made: entries_pb2.Decision) -> None:
    """A decision: an exception of its day until two people have taken it."""
    reason = f"{(made.WhichOneof('subject') or 'decision').upper()}_UNDECIDED"
    undecided = wire.DECISION_STATES[made.state] in UNDECIDED
    name = f"decision {made.decision_id}"
    change.questions[name] = Question(name, wire.day(made.gaming_day), made.key.table_id, reason, undecided)


def add_alert(change: MetersChange, made: entries_pb2.Alert) -> None:
    """An alert: an exception of its day until it is cleared or somebody has seen it."""
    name, kind = f"alert {made.alert_id}", wire.ALERT_KINDS[made.kind].upper()
    reason = "JACKPOT_UNCLAIMED" if kind == "UNCLAIMED" else kind
    raised = wire.ALERT_STATES[made.state] == RAISED
    change.questions[name] = Question(name, wire.day(made.gaming_day), made.key.table_id, reason, raised)
