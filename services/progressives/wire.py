"""Between protobuf and the nouns of this service."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from casino.floor.v1 import events_pb2 as floor_pb2
from casino.progressives.v1 import entries_pb2, progressives_service_pb2
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.settlement.v1 import entries_pb2 as settlement_pb2
from services.games.catalogue import catalogue
from services.games.terms import Terms
from services.games.wagers import PlacedWager
from services.kernel import errors
from services.kernel.ids import RoundKey
from services.kernel.money import display_cents
from services.progressives.book import MeterName, Standing
from services.progressives.jackpot import Jackpot, JackpotState
from services.progressives.journal import Contribution, Movement, Trouble, Written
from services.progressives.link import Draft, Link, LinkState, MeterTerms
from services.progressives.meter import Cause
from services.progressives.play import Correction, DayOpened, Event, Part, Play
from services.runtime.feeds import NewEntry, kind_of
from services.runtime.followers import Followed
from services.runtime.store import EntryRow

Proposed = progressives_service_pb2.ProposeLinkResponse
Approved = progressives_service_pb2.ApproveLinkResponse

_ENTRY, _ROUNDS = entries_pb2.Entry(), rounds_pb2.Entry()
LINK, CONTRIBUTION, MOVEMENT, JACKPOT, EXCEPTION = (
    kind_of(_ENTRY, name) for name in ("link", "contribution", "movement", "jackpot", "exception")
)
DAY_OPENED = kind_of(_ROUNDS, "day_opened")
PARTS = {
    kind_of(_ROUNDS, "betting_closed"): Part.BETTING_CLOSED,
    kind_of(_ROUNDS, "result"): Part.RESULT,
    kind_of(_ROUNDS, "whole_round"): Part.WHOLE,
}
CORRECTIONS = {kind_of(_ROUNDS, name): name for name in ("void", "amend", "release")}
APPROVED = kind_of(settlement_pb2.SubmissionsEntry(), "approved")

LINK_STATES = {state: getattr(entries_pb2, f"LINK_STATE_{state.name}") for state in LinkState}
JACKPOT_STATES = {state: getattr(entries_pb2, f"JACKPOT_STATE_{state.name}") for state in JackpotState}
CAUSES = {cause: getattr(entries_pb2, f"METER_CAUSE_{cause.name}") for cause in Cause}
_LINK_STATE = {number: state for state, number in LINK_STATES.items()}
_JACKPOT_STATE = {number: state for state, number in JACKPOT_STATES.items()}
_CAUSE = {number: cause for cause, number in CAUSES.items()}


@lru_cache(maxsize=256)
def read_day(text: str) -> date:
    """The gaming day written YYYY-MM-DD. Raises InvalidRequest for anything else."""
    try:
        day = date.fromisoformat(text)
    except ValueError as problem:
        raise errors.InvalidRequest(f"expected a day written YYYY-MM-DD, given {text!r}") from problem
    if day.isoformat() != text:
        raise errors.InvalidRequest(f"expected a day written YYYY-MM-DD, given {text!r}")
    return day


def read_key(key: rounds_pb2.RoundKey) -> RoundKey:
    """A round's key. Raises InvalidRequest where its day is none."""
    return RoundKey(read_day(key.gaming_day), key.table_id, key.shoe, key.round_no, key.roll)


def read_rounds(entries: Iterable[Followed]) -> list[Event]:
    """What the entries of the rounds feed say of meters, in order; entries of other kinds are not read."""
    metered = frozenset(code for code, wager in catalogue().items() if wager.meters)
    found: list[Event] = []
    for position, kind, data in entries:
        if kind in PARTS:
            play = _play(position, PARTS[kind], data, metered)
            if play.wagers:
                found.append(play)
        elif kind == DAY_OPENED:
            day = rounds_pb2.Entry.FromString(data).day_opened.gaming_day
            found.append(DayOpened(position, read_day(day)))
        elif kind in CORRECTIONS:
            correction = getattr(rounds_pb2.Entry.FromString(data), CORRECTIONS[kind])
            key = correction.round.key if CORRECTIONS[kind] == "release" else correction.key
            found.append(Correction(position, read_key(key)))
    return found


def _play(position: int, part: Part, data: bytes, metered: frozenset[str]) -> Play:
    entry = rounds_pb2.Entry.FromString(data)
    if part is Part.WHOLE:
        round_ = entry.whole_round
    else:
        round_ = entry.result if part is Part.RESULT else entry.betting_closed
    wagers = []
    for each in round_.wagers:
        code = each.code
        if code in metered:
            placed = each.wager_no, each.seat, code, each.paytable, each.stake_cents, each.placement
            wagers.append(PlacedWager(*placed, roll=each.roll))
    results = [_result(result) for result in round_.history] if wagers else []
    return Play(
        position,
        part,
        read_key(round_.key),
        round_.shift,
        round_.submission_id,
        wagers,
        [result for result in results if result],
        _result(round_.previous) if round_.HasField("previous") else None,
        frozenset(round_.taken_down),
    )


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


def read_terms(data: bytes) -> tuple[str, dict[str, Terms]]:
    """A submission's id and the terms of each of its tables, of the bytes of an entry of its feed."""
    submission = settlement_pb2.SubmissionsEntry.FromString(data).approved
    name = submission.submission_id
    return name, {table.table_id: Terms.read(name, table) for table in submission.tables}


def entry(written: Written, property_id: str) -> NewEntry:
    """The entry of the progressives feed that says this."""
    if isinstance(written, Contribution):
        message, kind = entries_pb2.Entry(contribution=_contribution(written)), CONTRIBUTION
        day = written.key.gaming_day
    elif isinstance(written, Movement):
        message, kind, day = entries_pb2.Entry(movement=_movement(written)), MOVEMENT, written.gaming_day
    elif isinstance(written, Jackpot):
        message, kind = entries_pb2.Entry(jackpot=jackpot_message(written)), JACKPOT
        day = written.key.gaming_day
    elif isinstance(written, Trouble):
        message, kind = entries_pb2.Entry(exception=_exception(written)), EXCEPTION
        day = written.key.gaming_day
    else:
        message, kind = entries_pb2.Entry(link=link_message(written, property_id)), LINK
        day = written.effective_from
    return NewEntry(kind, day, message.SerializeToString(deterministic=True))


def _key(key: RoundKey) -> rounds_pb2.RoundKey:
    day, table_id, shoe, round_no, roll = key
    return rounds_pb2.RoundKey(gaming_day=_day_text(day), table_id=table_id, shoe=shoe, round_no=round_no, roll=roll)


@lru_cache(maxsize=256)
def _day_text(day: date) -> str:
    return day.isoformat()


def _contribution(written: Contribution) -> entries_pb2.Contribution:
    return entries_pb2.Contribution(
        key=_key(written.key),
        shift=written.shift,
        wager_no=written.wager_no,
        seat=written.seat,
        code=written.code,
        paytable=written.paytable,
        submission_id=written.submission_id,
        stake_cents=written.stake_cents,
        link_id=written.link_id,
        link_version=written.link_version,
        amount_micros=written.amounts,
        reading_micros=written.readings,
        reserve_amount_micros=written.reserve_amounts,
        reserve_micros=written.reserves,
        rounds_position=written.rounds_position,
    )


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
        key=_key(written.key) if written.key else None,
        wager_no=written.wager_no,
        hit_id=written.hit_id,
        jackpot_id=written.jackpot_id,
        gaming_day=_day_text(written.gaming_day),
        rounds_position=written.rounds_position,
    )


def jackpot_message(jackpot: Jackpot) -> entries_pb2.Jackpot:
    """A state of a jackpot as sent."""
    return entries_pb2.Jackpot(
        jackpot_id=jackpot.jackpot_id,
        hit_id=jackpot.hit_id,
        link_id=jackpot.link_id,
        link_version=jackpot.link_version,
        level=jackpot.level,
        key=_key(jackpot.key),
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
    )


def _exception(trouble: Trouble) -> entries_pb2.ProgressivesException:
    return entries_pb2.ProgressivesException(
        reason=trouble.reason,
        message=trouble.message,
        key=_key(trouble.key),
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
        proposed_at=_stamp(link.proposed_at),
        approved_by=link.approved_by or "",
        approved_at=_stamp(link.approved_at) if link.approved_at else None,
        rounds_position=link.rounds_position,
    )


def _stamp(at: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(at.astimezone(UTC))
    return stamp


def read_written(data: bytes) -> Written:
    """What an entry of the progressives feed says."""
    message = entries_pb2.Entry.FromString(data)
    body = message.WhichOneof("body")
    if body == "contribution":
        return _read_contribution(message.contribution)
    if body == "movement":
        return _read_movement(message.movement)
    if body == "jackpot":
        return _read_jackpot(message.jackpot)
    if body == "link":
        return _read_link(message.link)
    return _read_exception(message.exception)


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
    )


def _read_movement(given: entries_pb2.MeterMovement) -> Movement:
    return Movement(
        link_id=given.link_id,
        link_version=given.link_version,
        level=given.level,
        cause=_CAUSE[given.cause],
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
        state=_JACKPOT_STATE[given.state],
        rounds_position=given.rounds_position,
        paid_from=given.paid_from,
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
        tuple(_read_terms(terms) for terms in given.meters),
        tuple(given.table_ids),
        read_day(given.effective_from),
        _LINK_STATE[given.state],
        given.proposed_by,
        given.proposed_at.ToDatetime(UTC),
        given.approved_by or None,
        given.approved_at.ToDatetime(UTC) if given.HasField("approved_at") else None,
        given.rounds_position,
    )


def _read_terms(given: entries_pb2.MeterTerms) -> MeterTerms:
    return MeterTerms(given.level, given.seed_cents, given.increment_rate, given.reserve_rate, given.limit_cents)


def columns(row: EntryRow) -> tuple[int, date]:
    """Kind and gaming day as the bytes of an entry of the progressives feed give them."""
    again = entry(read_written(row.entry), "")
    return again.kind, again.gaming_day


def read_draft(request: progressives_service_pb2.ProposeLinkRequest) -> Draft:
    """What a request proposes. Raises InvalidRequest where the day is none."""
    return Draft(
        *(request.link_id, request.title, request.code, request.paytable),
        tuple(_read_terms(terms) for terms in request.meters),
        tuple(request.table_ids),
        read_day(request.effective_from),
    )


def meter_reading(name: MeterName, standing: Standing) -> progressives_service_pb2.MeterReading:
    """A meter as a sign shows it."""
    link_id, level = name
    return progressives_service_pb2.MeterReading(
        link_id=link_id,
        level=level,
        display_cents=display_cents(standing.meter.reading),
        reading_micros=standing.meter.reading,
        reserve_micros=standing.meter.reserve,
        revision=standing.revision,
        pending_jackpots=standing.pending,
    )
