"""Between protobuf and the nouns of this service."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from casino.floor.v1 import events_pb2 as floor_pb2
from casino.rounds.v1 import entries_pb2 as rounds_pb2
from casino.settlement.v1 import entries_pb2, settlement_service_pb2
from services.games.terms import Terms
from services.games.wagers import PlacedWager
from services.kernel import errors
from services.kernel.clock import day_written
from services.kernel.house_edge import EdgeBand, read_band
from services.kernel.ids import RoundKey
from services.runtime.feeds import NewEntry, kind_of
from services.runtime.followers import Followed
from services.runtime.store import EntryRow
from services.settlement.settlements import Play, Settlement, Unsettled, Voiding, WagerAward
from services.settlement.submissions import Proposal, Submission

Proposed = settlement_service_pb2.ProposeSubmissionResponse
Approved = settlement_service_pb2.ApproveSubmissionResponse

_ROUNDS = rounds_pb2.Entry()
RESULT, WHOLE_ROUND = kind_of(_ROUNDS, "result"), kind_of(_ROUNDS, "whole_round")
VOID, AMEND, RELEASE = (kind_of(_ROUNDS, name) for name in ("void", "amend", "release"))
CORRECTING = (VOID, AMEND, RELEASE)
"""The kinds of entries that may supersede a settlement."""
SETTLED, EXCEPTION = (kind_of(entries_pb2.Entry(), name) for name in ("settled", "exception"))
APPROVED = kind_of(entries_pb2.SubmissionsEntry(), "approved")
NONE_TAKEN_DOWN: frozenset[int] = frozenset()

_new = tuple.__new__
_AWARD = attrgetter(*WagerAward._fields)


@lru_cache(maxsize=64)
def read_day(text: str) -> date:
    """The gaming day written YYYY-MM-DD. Raises InvalidRequest for anything else."""
    return day_written(text)


def read_key(key: rounds_pb2.RoundKey) -> RoundKey:
    """A round's key. Raises InvalidRequest where its day is none."""
    return RoundKey(read_day(key.gaming_day), key.table_id, key.shoe, key.round_no, key.roll)


def read_rounds(entries: Iterable[Followed]) -> Iterator[Play | Voiding]:
    """What the entries of the rounds feed give to settle, in order; entries of other kinds are not read.

    Each is read when it is its turn, so that it is settled and told while it is at hand.
    """
    for position, kind, data in entries:
        if kind == WHOLE_ROUND:
            yield _play(position, rounds_pb2.Entry.FromString(data).whole_round)
        elif kind == RESULT:
            yield _play(position, rounds_pb2.Entry.FromString(data).result)
        elif kind == AMEND:
            yield _play(position, rounds_pb2.Entry.FromString(data).amend.round, corrects=True)
        elif kind == RELEASE:
            released = rounds_pb2.Entry.FromString(data).release.round
            # What is let in before the result settles with it.
            if released.history:
                yield _play(position, released, corrects=True)
        elif kind == VOID:
            yield Voiding(position, read_key(rounds_pb2.Entry.FromString(data).void.key))


def _play(position: int, round_: rounds_pb2.Round, *, corrects: bool = False) -> Play:
    results, stated = _history(round_.history)
    return Play(
        position,
        read_key(round_.key),
        round_.shift,
        round_.pit,
        round_.dealer,
        round_.submission_id,
        results,
        # The class's own constructor is a call more for every wager.
        [
            _new(
                PlacedWager,
                (each.wager_no, each.seat, each.code, each.paytable, each.stake_cents, each.placement, None, each.roll),
            )
            for each in round_.wagers
        ],
        corrects,
        _result(round_.previous) if round_.HasField("previous") else None,
        frozenset(round_.taken_down) if round_.taken_down else NONE_TAKEN_DOWN,
        stated,
    )


def _history(history: Iterable[floor_pb2.Result]) -> tuple[list[tuple[str, Any]], Mapping[int, int]]:
    results: list[tuple[str, Any]] = []
    stated: dict[int, int] = {}
    for result in history:
        if found := _result(result):
            results.append(found)
        for each in result.stated_payouts:
            stated[each.wager_no] = each.payout_cents
    return results, stated


def _result(result: floor_pb2.Result) -> tuple[str, Any] | None:
    """A recorded result and the name of its game; None where it has none."""
    game = result.WhichOneof("game")
    return (game, getattr(result, game)) if game else None


def settlement_entry(found: Settlement, engine_version: str) -> NewEntry:
    """The entry of one settlement in the settlements feed."""
    # Filled where it lies: one made apart is copied into the entry, and lists given to a message are read one by one.
    entry = entries_pb2.Entry()
    settled = entry.settled
    _write_key(settled.key, found.key)
    settled.shift, settled.pit, settled.dealer = found.shift, found.pit, found.dealer
    settled.submission_id, settled.game, settled.decks = found.submission_id, found.game, found.decks
    settled.rounds_position, settled.revision = found.rounds_position, found.revision
    settled.engine_version = engine_version
    settled.wheel, settled.void = found.wheel, found.void
    settled.wager_no.extend(found.wager_no)
    settled.seat.extend(found.seat)
    settled.code.extend(found.code)
    settled.paytable.extend(found.paytable)
    settled.stake_cents.extend(found.stake_cents)
    settled.outcome.extend(found.outcome)  # type: ignore[arg-type]  # OUTCOMES are the wire's numbers
    settled.line.extend(found.line)
    settled.payout_cents.extend(found.payout_cents)
    settled.inventory_cents.extend(found.inventory_cents)
    settled.breakage_micros.extend(found.breakage_micros)
    for award in found.awards:
        settled.awards.add(**award._asdict())
    return NewEntry(SETTLED, found.key.gaming_day, entry.SerializeToString(deterministic=True))


def exception_entry(found: Unsettled) -> NewEntry:
    """The entry of a round that a named refusal keeps from settling."""
    exception = entries_pb2.SettlementException(
        reason=found.reason,
        message=found.message,
        key=_key(found.key),
        rounds_position=found.rounds_position,
    )
    data = entries_pb2.Entry(exception=exception).SerializeToString(deterministic=True)
    return NewEntry(EXCEPTION, found.key.gaming_day, data)


def _key(key: RoundKey) -> rounds_pb2.RoundKey:
    made = rounds_pb2.RoundKey()
    _write_key(made, key)
    return made


def _write_key(message: rounds_pb2.RoundKey, key: RoundKey) -> None:
    message.gaming_day, message.table_id = key.gaming_day.isoformat(), key.table_id
    message.shoe, message.round_no, message.roll = key.shoe, key.round_no, key.roll


def read_settled(data: bytes) -> entries_pb2.SettledRound:
    """The settled round of an entry's bytes."""
    return entries_pb2.Entry.FromString(data).settled


def read_settlement(data: bytes) -> Settlement:
    """The settlement that an entry's bytes tell of."""
    settled = read_settled(data)
    return Settlement(
        read_key(settled.key),
        settled.shift,
        settled.pit,
        settled.dealer,
        settled.submission_id,
        settled.game,
        settled.decks,
        settled.rounds_position,
        settled.revision,
        tuple(settled.wager_no),
        tuple(settled.seat),
        tuple(settled.code),
        tuple(settled.paytable),
        tuple(settled.stake_cents),
        tuple(settled.outcome),
        tuple(settled.line),
        tuple(settled.payout_cents),
        tuple(settled.inventory_cents),
        tuple(settled.breakage_micros),
        tuple([WagerAward(*_AWARD(award)) for award in settled.awards]),
        settled.wheel,
        settled.void,
    )


def settlements_columns(row: EntryRow) -> tuple[int, date]:
    """Kind and gaming day as the bytes of an entry of the settlements feed give them."""
    entry = entries_pb2.Entry.FromString(row.entry)
    key = entry.settled.key if entry.HasField("settled") else entry.exception.key
    return kind_of(entry, entry.WhichOneof("body") or ""), read_day(key.gaming_day)


def submissions_columns(row: EntryRow) -> tuple[int, date]:
    """Kind and gaming day as the bytes of an entry of the submissions feed give them."""
    entry = entries_pb2.SubmissionsEntry.FromString(row.entry)
    return kind_of(entry, entry.WhichOneof("body") or ""), read_day(entry.approved.effective_from)


def read_proposal(request: settlement_service_pb2.ProposeSubmissionRequest) -> Proposal:
    """What a request proposes. Raises InvalidRequest where the day is none."""
    return Proposal(
        request.property_id,
        request.title,
        request.certificate_holder,
        read_day(request.effective_from),
        request.tables,
    )


def read_band_on(day: date, settings: Iterable[rounds_pb2.PropertySettings]) -> EdgeBand:
    """The house-edge band in force on a day; before the property's first settings, theirs.

    Of settings from one day on, given oldest first, the last holds. Raises PropertyUnknown where there are none.
    """
    found = sorted(settings, key=lambda each: each.effective_from)
    if not found:
        raise errors.PropertyUnknown(f"expected settings of the property on {day}, rounds gives none")
    chosen = ([each for each in found if each.effective_from <= day.isoformat()] or found[:1])[-1]
    return read_band(chosen.house_edge_from, chosen.house_edge_to)


def submission_message(submission: Submission) -> entries_pb2.Submission:
    """A submission as sent."""
    state = entries_pb2.SUBMISSION_STATE_PROPOSED
    if submission.approved_by:
        state = entries_pb2.SUBMISSION_STATE_APPROVED
    return entries_pb2.Submission(
        submission_id=submission.submission_id,
        property_id=submission.property_id,
        title=submission.title,
        certificate_holder=submission.certificate_holder,
        effective_from=submission.effective_from.isoformat(),
        tables=[_table(table_id, terms) for table_id, terms in submission.tables.items()],
        state=state,
        proposed_by=submission.proposed_by,
        proposed_at=_stamp(submission.proposed_at),
        approved_by=submission.approved_by,
        approved_at=_stamp(submission.approved_at) if submission.approved_at else None,
    )


def _table(table_id: str, terms: Terms) -> entries_pb2.TableTerms:
    return entries_pb2.TableTerms(
        table_id=table_id,
        game=terms.game,
        kind=terms.kind,
        decks=terms.decks,
        seats=terms.seats,
        wheel=terms.wheel,
        offers=[
            entries_pb2.Offer(
                code=offer.code,
                paytable=offer.paytable,
                minimum_cents=offer.minimum_cents,
                maximum_cents=offer.maximum_cents or 0,
                options=dict(offer.options),
                maximum_payout_cents=offer.maximum_payout_cents or 0,
            )
            for _, offer in sorted(terms.offers.items())
        ],
    )


def _stamp(at: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(at.astimezone(UTC))
    return stamp


def submission_entry(submission: Submission) -> NewEntry:
    """The entry of an approved submission in the submissions feed."""
    entry = entries_pb2.SubmissionsEntry(approved=submission_message(submission))
    return NewEntry(APPROVED, submission.effective_from, entry.SerializeToString(deterministic=True))


def proposed_answer(submission: Submission, warnings: Sequence[str] = ()) -> Proposed:
    """The answer to a proposal."""
    return Proposed(submission=submission_message(submission), warnings=warnings)


def approved_answer(submission: Submission, position: int) -> Approved:
    """The answer to an approval; `position` in the submissions feed."""
    return Approved(submission=submission_message(submission), position=position)
