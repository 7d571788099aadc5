"""Between the nouns of the feed and the columns of their typed rows."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

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
from services.progressives.journal import Commitment, Contribution, Movement
from services.progressives.link import Link, LinkState, MeterTerms
from services.progressives.meter import Cause

Row = tuple[Any, ...]
ROUND = ("gaming_day", "table_id", "shoe", "round_no", "roll")


class Table(NamedTuple):
    """A table of typed rows: its columns after property and position, and both ways between noun and columns.

    There is no way to write where rows are packed.
    """

    name: str
    columns: tuple[str, ...]
    write: Callable[[Any], Row] | None
    read: Callable[[Row], Any]


def _read_contribution(row: Row) -> Contribution:
    return Contribution._make((RoundKey(*row[:5]), *row[5:19], row[19] or []))


def _write_movement(each: Movement) -> Row:
    return (*each[:9], *(each.key or (None,) * 5), *each[10:])


def _read_movement(row: Row) -> Movement:
    # A row that does not say has the gaming day of its round.
    key = None if row[10] is None else RoundKey(row[9] or row[17], *row[10:14])
    return Movement._make((*row[:3], Cause(row[3]), *row[4:9], key, *row[14:]))


def _write_jackpot(each: Jackpot) -> Row:
    return (*each[:5], *each.key, *each[6:])


def _read_jackpot(row: Row) -> Jackpot:
    found = Jackpot._make((*row[:5], RoundKey(*row[5:10]), *row[10:]))
    return found._replace(state=JackpotState(found.state), paid_through=PaidThrough(found.paid_through))


def _write_link(link: Link) -> Row:
    return (
        *(link.link_id, link.version, link.title, link.code, link.paytable),
        *(list(column) for column in zip(*link.meters, strict=True)),
        *(list(link.table_ids), link.effective_from, link.state),
        *(link.proposed_by, link.proposed_at, link.approved_by, link.approved_at, link.rounds_position),
        *(link.changed_by, link.changed_at, link.reason),
    )


def _read_link(row: Row) -> Link:
    levels, *lists, mysteries = row[5:11]
    names = mysteries or [""] * len(levels)
    terms = tuple(MeterTerms(*each) for each in zip(levels, *lists, names, strict=True))
    return Link(*(*row[:5], terms, tuple(row[11]), row[12], LinkState(row[13]), *row[14:]))


KINDS = {"adjustment": Adjustment, "transfer": Transfer, "retirement": Retirement, "jackpot": JackpotDecision}
_KIND = {noun: name for name, noun in KINDS.items()}


def kind_of(subject: Subject) -> str:
    """The name of a decision's kind."""
    return _KIND[type(subject)]


def _write_decision(each: Decision) -> Row:
    key = each.key or (None,) * 5
    subject = json.dumps(each.subject._asdict(), default=str, sort_keys=True)
    return (
        *(each.decision_id, each.state, kind_of(each.subject), subject, *each[3:10]),
        *(key[0], *key[1:], each.wager_no, each.gaming_day, each.rounds_position, each.proposal),
    )


def _read_decision(row: Row) -> Decision:
    subject = _subject(row[2], json.loads(row[3]))
    key = None if row[12] is None else RoundKey(*row[11:16])
    return Decision._make((row[0], DecisionState(row[1]), subject, ChangeReason(row[4]), *row[5:11], key, *row[16:]))


def _subject(kind: str, fields: dict[str, Any]) -> Subject:
    if kind == "retirement":
        heirs = tuple(Heir(*each) for each in fields["heirs"])
        return Retirement(fields["link_id"], date.fromisoformat(fields["effective_from"]), heirs)
    if kind == "jackpot":
        return JackpotDecision(fields["jackpot_id"], JackpotAction(fields["action"]), fields["amount_cents"])
    found: Subject = KINDS[kind](**fields)
    return found


def _read_commitment(row: Row) -> Commitment:
    return Commitment(*row)


def _write_alert(each: Alert) -> Row:
    return (*each[:7], *(each.key or (None,) * 5), *each[8:])


def _read_alert(row: Row) -> Alert:
    key = None if row[8] is None else RoundKey(*row[7:12])
    return Alert._make((row[0], AlertKind(row[1]), AlertState(row[2]), *row[3:7], key, *row[12:]))


PLACING = ("shift", "wager_no", "seat", "code", "paytable")
CONTRIBUTION = Table(
    "contribution",
    (
        *(*ROUND, *PLACING, "submission_id", "stake_cents", "link_id", "link_version"),
        *("amounts", "readings", "reserve_amounts", "reserves", "rounds_position", "overflows"),
    ),
    None,
    _read_contribution,
)
MOVEMENT = Table(
    "movement",
    (
        *("link_id", "link_version", "level", "cause", "amount"),
        *("reading_before", "reading_after", "reserve_before", "reserve_after"),
        *("round_day", *ROUND[1:], "wager_no", "hit_id", "jackpot_id", "gaming_day", "rounds_position"),
        "decision_id",
    ),
    _write_movement,
    _read_movement,
)
JACKPOT = Table(
    "jackpot",
    (
        *("jackpot_id", "hit_id", "link_id", "link_version", "level", *ROUND, *PLACING),
        *("amount_cents", "percent", "reading", "state", "rounds_position", "paid_from", "stake_cents"),
        *("occurred_at", "source", "actor", "rank", "at", "evaluated", "evaluated_sha256", "slip_no"),
        *("paid_through", "reportable", "withheld_cents", "payee_sha256", "decision_id"),
    ),
    _write_jackpot,
    _read_jackpot,
)
LINK = Table(
    "link",
    (
        *("link_id", "version", "title", "code", "paytable", "levels", "seed_cents", "increment_rates"),
        *("reserve_rates", "limit_cents", "mysteries", "table_ids", "effective_from", "state"),
        *("proposed_by", "proposed_at", "approved_by", "approved_at", "rounds_position"),
        *("changed_by", "changed_at", "reason"),
    ),
    _write_link,
    _read_link,
)
DECISION = Table(
    "decision",
    (
        *("decision_id", "state", "kind", "subject", "reason", "regulator_reference", "note"),
        *("proposed_by", "proposed_at", "decided_by", "decided_at"),
        *("round_day", *ROUND[1:], "wager_no", "gaming_day", "rounds_position", "proposal"),
    ),
    _write_decision,
    _read_decision,
)
TRIGGER = Table(
    "trigger",
    (
        *("link_id", "link_version", "level", "number", "opened", "commitment", "trigger_cents", "salt"),
        *("jackpot_id", "gaming_day", "rounds_position"),
    ),
    tuple,
    _read_commitment,
)
ALERT = Table(
    "alert",
    (
        *("alert_id", "kind", "state", "message", "link_id", "level", "jackpot_id", "round_day", *ROUND[1:]),
        *("seat", "sign_id", "shown_cents", "expected_cents", "rounds_played", "actor", "at", "gaming_day"),
    ),
    _write_alert,
    _read_alert,
)
TABLES: dict[type, Table] = {
    Contribution: CONTRIBUTION,
    Movement: MOVEMENT,
    Jackpot: JACKPOT,
    Link: LINK,
    Decision: DECISION,
    Commitment: TRIGGER,
    Alert: ALERT,
}
"""The table of each noun; an exception has none, its entry is all that is kept."""
