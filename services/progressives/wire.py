"""Between protobuf and the nouns of this service: what the feeds that it follows say, requests and answers."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from casino.floor.v1 import events_pb2 as floor_pb2
from casino.progressives.v1 import progressives_service_pb2 as pb
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.settlement.v1 import entries_pb2 as settlement_pb2
from services.games.catalogue import catalogue
from services.games.terms import Terms
from services.games.wagers import PlacedWager
from services.kernel import errors
from services.kernel.money import display_cents
from services.progressives.decision import Proposal
from services.progressives.entries import (
    CAUSES,
    instant,
    jackpot_message,
    key_message,
    read_day,
    read_key,
    read_reason,
    read_subject,
)
from services.progressives.evaluation import Evidence
from services.progressives.explanation import Explanation, Line, Proof, Sums
from services.progressives.link import Draft
from services.progressives.mystery import Trigger
from services.progressives.offers import Submission
from services.progressives.play import Change, Correction, DayOpened, Event, Part, Play, PropertySet
from services.progressives.reading import read_meter_terms
from services.progressives.state import CLAIM_MINUTES, MeterName, Standing
from services.progressives.state import UTC as UTC_ZONE
from services.runtime.feeds import kind_of
from services.runtime.followers import Followed

TAX_NUMBER = re.compile("[0-9][0-9-]*")
_ROUNDS = rounds_pb2.Entry()
DAY_OPENED, PROPERTY_SET = kind_of(_ROUNDS, "day_opened"), kind_of(_ROUNDS, "property_set")
_FIELDS = {"betting_closed": Part.BETTING_CLOSED, "result": Part.RESULT, "whole_round": Part.WHOLE}
PARTS = {kind_of(_ROUNDS, field): (field, part) for field, part in _FIELDS.items()}
"""Of each kind of entry that carries a part of a round its field and the part."""
NOTHING_TAKEN_DOWN: frozenset[int] = frozenset()
CHANGES = {kind_of(_ROUNDS, change.value): change for change in Change}
APPROVED = kind_of(settlement_pb2.SubmissionsEntry(), "approved")


def metered() -> frozenset[str]:
    """The codes of wagers that may move a meter: with meters of their own, or with a mystery."""
    return frozenset(code for code, wager in catalogue().items() if wager.meters or wager.mysteries)


def has_mystery(code: str) -> bool:
    """Whether a wager may meet a hidden trigger when betting closes."""
    wager = catalogue().get(code)
    return bool(wager and wager.mysteries)


def read_rounds(entries: Iterable[Followed]) -> list[Event]:
    """What the entries of the rounds feed say of meters, in order; entries of other kinds are not read."""
    codes = metered()
    found: list[Event] = []
    for position, kind, data in entries:
        if kind in PARTS:
            field, part = PARTS[kind]
            round_ = getattr(rounds_pb2.Entry.FromString(data), field)
            if wagers := _wagers(round_, codes):
                found.append(_play(position, part, round_, wagers))
        elif kind == DAY_OPENED:
            day = rounds_pb2.Entry.FromString(data).day_opened
            found.append(DayOpened(position, read_day(day.gaming_day), day.submissions_position))
        elif kind == PROPERTY_SET:
            settings = rounds_pb2.Entry.FromString(data).property_set
            minutes = settings.claim_within_minutes or CLAIM_MINUTES
            found.append(PropertySet(position, minutes, settings.time_zone or UTC_ZONE))
        elif kind in CHANGES:
            found.append(_correction(position, CHANGES[kind], rounds_pb2.Entry.FromString(data), codes))
    return found


def _correction(position: int, change: Change, entry: rounds_pb2.Entry, codes: frozenset[str]) -> Correction:
    body = getattr(entry, change.value)
    if change is Change.VOID:
        return Correction(position, read_key(body.key), change, None)
    key = body.round.key if change is Change.RELEASE else body.key
    return Correction(position, read_key(key), change, _whole(position, body.round, codes))


def _whole(position: int, round_: rounds_pb2.Round, codes: frozenset[str]) -> Play:
    return _play(position, Part.WHOLE, round_, _wagers(round_, codes))


def _wagers(round_: rounds_pb2.Round, codes: frozenset[str]) -> list[PlacedWager]:
    """The wagers of a round that may move a meter: seldom more than one in seven."""
    return [_placed(each, code) for each in round_.wagers if (code := each.code) in codes]


def _placed(each: Any, code: str) -> PlacedWager:
    placed = each.wager_no, each.seat, code, each.paytable, each.stake_cents, each.placement
    return PlacedWager(*placed, None, each.roll)


def _play(position: int, part: Part, round_: rounds_pb2.Round, wagers: list[PlacedWager]) -> Play:
    results = [found for each in round_.history if (found := _result(each))] if wagers else []
    return Play(
        position,
        part,
        read_key(round_.key),
        round_.shift,
        round_.submission_id,
        wagers,
        results,
        _result(round_.previous) if round_.HasField("previous") else None,
        frozenset(round_.taken_down) if round_.taken_down else NOTHING_TAKEN_DOWN,
        _occurred_at(round_),
        round_.origin.principal,
    )


def _occurred_at(round_: rounds_pb2.Round) -> datetime | None:
    """None too for an instant beyond every calendar: no device's clock may keep a meter standing still."""
    try:
        return instant(round_, "occurred_at")
    except OverflowError:
        return None


def _result(result: floor_pb2.Result) -> tuple[str, Any] | None:
    """A recorded result and the name of its game; None where it has none."""
    game = result.WhichOneof("game")
    return (game, getattr(result, game)) if game else None


def read_submissions(entries: Iterable[Followed]) -> list[tuple[int, str, bytes]]:
    """Position, id and bytes of each approved submission of a batch of the submissions feed."""
    return [
        (position, settlement_pb2.SubmissionsEntry.FromString(data).approved.submission_id, data)
        for position, kind, data in entries
        if kind == APPROVED
    ]


def read_submission(position: int, data: bytes) -> Submission:
    """An approved submission with the terms of each of its tables, of the bytes of an entry of its feed."""
    submission = settlement_pb2.SubmissionsEntry.FromString(data).approved
    name = submission.submission_id
    tables = {table.table_id: Terms.read(name, table) for table in submission.tables}
    return Submission(position, name, read_day(submission.effective_from), tables)


def read_draft(request: pb.ProposeLinkRequest) -> Draft:
    """What a request proposes. Raises InvalidRequest where the day is none."""
    return Draft(
        *(request.link_id, request.title, request.code, request.paytable),
        tuple(read_meter_terms(terms) for terms in request.meters),
        tuple(request.table_ids),
        read_day(request.effective_from),
    )


def read_payee(given: pb.Payee | None) -> pb.Payee | None:
    """Who is paid, without blanks around. Raises InvalidRequest for a tax number of anything but digits and dashes."""
    if given is None:
        return None
    payee = pb.Payee(**{field.name: value.strip() for field, value in given.ListFields()})
    if payee.tax_number and not TAX_NUMBER.fullmatch(payee.tax_number):
        # What was given is not told: no log shows it.
        raise errors.InvalidRequest("tax_number: expected digits and dashes, given something else")
    return payee


def read_proposal(request: pb.ProposeDecisionRequest) -> Proposal:
    """What a request proposes to decide. ChangeImpossible where it says nothing."""
    return Proposal(read_subject(request), read_reason(request.reason), request.regulator_reference, request.note)


def meter_reading(name: MeterName, standing: Standing, trigger: Trigger | None) -> pb.MeterReading:
    """A meter as a sign shows it, with all that is counted of it; of a hidden trigger its commitment alone."""
    link_id, level = name
    return pb.MeterReading(
        link_id=link_id,
        level=level,
        display_cents=display_cents(standing.meter.reading),
        reading_micros=standing.meter.reading,
        reserve_micros=standing.meter.reserve,
        revision=standing.revision,
        pending_jackpots=standing.pending,
        overflow_micros=-standing.meter.overflow,
        hits=standing.hits,
        wagers=standing.wagers,
        handle_cents=standing.handle_cents,
        paid_by_device_cents=standing.paid_by_device_cents,
        paid_by_attendant_cents=standing.paid_by_attendant_cents,
        paid_cents=standing.paid_cents,
        trigger_number=trigger.number if trigger else 0,
        commitment=trigger.commitment if trigger else b"",
    )


def read_moment(request: pb.ExplainMeterRequest) -> int | datetime | None:
    """The moment at which a meter is asked for: a position, an instant, or now. Raises InvalidRequest."""
    kind = request.WhichOneof("moment")
    if kind == "position":
        return request.position
    if kind is None:
        return None
    try:
        return request.instant.ToDatetime(UTC)
    except ValueError as problem:
        raise errors.InvalidRequest(f"expected a time of our era: {problem}") from problem


def explained(part: Explanation | Line) -> pb.ExplainMeterResponse:
    """A part of the answer that explains a meter."""
    if isinstance(part, Line):
        return pb.ExplainMeterResponse(line=_line(part))
    sums = part.sums
    explanation = pb.MeterExplanation(
        link_id=part.link_id,
        level=part.level,
        position=part.position,
        reading_micros=sums.reading,
        reserve_micros=sums.reserve,
        overflow_micros=sums.overflow,
        totals=_totals(sums),
        tables=_tables(sums),
    )
    return pb.ExplainMeterResponse(explanation=explanation)


def _line(line: Line) -> pb.JournalLine:
    return pb.JournalLine(
        position=line.position,
        cause=CAUSES[line.cause],
        amount_micros=line.amount,
        reserve_amount_micros=line.reserve_amount,
        reading_micros=line.reading,
        reserve_micros=line.reserve,
        key=key_message(line.key),
        wager_no=line.wager_no,
        seat=line.seat,
        stake_cents=line.stake_cents,
        jackpot_id=line.jackpot_id,
        decision_id=line.decision_id,
        overflow_micros=line.overflow,
    )


def _totals(sums: Sums) -> list[pb.CauseTotal]:
    return [
        pb.CauseTotal(cause=CAUSES[cause], count=total.times, amount_micros=total.amount)
        for cause, total in sums.totals.items()
    ]


def _tables(sums: Sums) -> list[pb.TableTotal]:
    return [
        pb.TableTotal(table_id=name, wagers=wagers, handle_cents=handle, amount_micros=amount)
        for name, wagers, handle, amount in sums.tables
    ]


def proof_message(proof: Proof) -> pb.ProveJackpotResponse:
    """The proof of a jackpot's amount as sent."""
    return pb.ProveJackpotResponse(
        jackpot=jackpot_message(proof.jackpot),
        from_position=proof.start,
        to_position=proof.end,
        opening_micros=proof.opening,
        totals=_totals(proof.sums),
        tables=_tables(proof.sums),
        reading_micros=proof.reading,
        sharing=[jackpot_message(each) for each in proof.sharing],
    )


def read_evidence(events: Iterable[Any], codes: frozenset[str]) -> Evidence | None:
    """The recorded round as it stands: of its entries the last that has a result, or its void."""
    found: Evidence | None = None
    for event in events:
        body = event.entry.WhichOneof("body")
        digest = sha256(event.entry.SerializeToString(deterministic=True)).digest()
        if body == "void":
            found = Evidence(event.position, digest, None)
        elif body in ("result", "whole_round"):
            found = Evidence(event.position, digest, _whole(event.position, getattr(event.entry, body), codes))
        elif body in ("amend", "release") and getattr(event.entry, body).round.history:
            round_ = getattr(event.entry, body).round
            found = Evidence(event.position, digest, _whole(event.position, round_, codes))
    return found
