"""Answers to floor events: anything but plain acceptance."""

from casino.rounds.v1 import entries_pb2 as entries
from casino.rounds.v1 import rounds_service_pb2 as rpc
from services.kernel import errors
from services.rounds.book import KnownHold

DUPLICATE = rpc.ANSWER_KIND_DUPLICATE
REJECTED = rpc.ANSWER_KIND_REJECTED
QUARANTINED = rpc.ANSWER_KIND_QUARANTINED
HELD = rpc.ANSWER_KIND_HELD
GAP = rpc.ANSWER_KIND_GAP


def refused(sequence: int, kind: int, refusal: errors.Refusal, wager_no: int = 0) -> rpc.Answer:
    """A refused event or wager, by the name of its refusal."""
    return rpc.Answer(
        sequence=sequence,
        kind=rpc.AnswerKind.ValueType(kind),
        reason=refusal.reason,
        message=refusal.message,
        wager_no=wager_no,
    )


def gap(sequence: int, first: int, last: int) -> rpc.Answer:
    """Sequences are missing before this one."""
    text = f"Expected sequence {first}, got {sequence}; send {first} to {last} or a gap fill."
    return rpc.Answer(sequence=sequence, kind=GAP, reason="GAP", message=text, missing_from=first, missing_to=last)


def duplicate(sequence: int) -> rpc.Answer:
    """The same is in the feed."""
    return rpc.Answer(sequence=sequence, kind=DUPLICATE, reason="DUPLICATE", message="Recorded before.")


def kept(sequence: int, hold: KnownHold) -> rpc.Answer:
    """The same is kept outside the feed, or was: what it was answered then, and what two people decided since."""
    return rpc.Answer(sequence=sequence, kind=DUPLICATE, reason=hold.reason, message=_since(hold))


def _since(hold: KnownHold) -> str:
    if hold.decision == entries.HOLD_DECISION_RELEASE:
        return f"Released since into the feed. {hold.message}"
    return f"Rejected for good since. {hold.message}" if hold.decision else hold.message


def held_again(sequence: int, hold: KnownHold) -> rpc.Answer:
    """A wager of a known round that is still held, or that two people have decided since."""
    kind = DUPLICATE if hold.decision else HELD
    return rpc.Answer(sequence=sequence, kind=kind, reason=hold.reason, message=_since(hold), wager_no=hold.wager_no)


def lost_tail(reached: int, last: int) -> rpc.Answer:
    """Sequences that the source says it has sent have not arrived."""
    text = f"Expected sequence {reached + 1}; {reached + 1} to {last} have not arrived. Send them or a gap fill."
    return rpc.Answer(sequence=last, kind=GAP, reason="GAP", message=text, missing_from=reached + 1, missing_to=last)
