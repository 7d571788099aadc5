"""Instants as the floor tells them: those that can be, and what is made of those that cannot."""

from datetime import UTC, datetime, timedelta

from google.protobuf.timestamp_pb2 import Timestamp

from casino.rounds.v1 import entries_pb2 as entries
from services.kernel import errors
from services.kernel.clock import FIRST_YEAR, LAST_YEAR

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST_SECOND = int(datetime(FIRST_YEAR, 1, 1, tzinfo=UTC).timestamp())
END_SECOND = int(datetime(LAST_YEAR + 1, 1, 1, tzinfo=UTC).timestamp())
NANOS_PER_SECOND, NANOS_PER_MICROSECOND = 10**9, 1_000


def instant(stamp: Timestamp, name: str) -> datetime:
    """A timestamp as an aware datetime. KeyImpossible if it is absent or out of range."""
    seconds, nanos = stamp.seconds, stamp.nanos
    if not seconds:
        raise errors.KeyImpossible(f"Expected {name}, got none.")
    if not (FIRST_SECOND <= seconds < END_SECOND and 0 <= nanos < NANOS_PER_SECOND):
        raise errors.KeyImpossible(
            f"Expected {name} between the years {FIRST_YEAR} and {LAST_YEAR},"
            f" got {seconds} seconds and {nanos} nanoseconds since 1970."
        )
    return EPOCH + timedelta(0, seconds, nanos // NANOS_PER_MICROSECOND)


def is_possible(stamp: Timestamp) -> bool:
    """Whether `instant` takes a timestamp."""
    seconds = stamp.seconds
    return seconds != 0 and FIRST_SECOND <= seconds < END_SECOND and 0 <= stamp.nanos < NANOS_PER_SECOND


def put(message: entries.Round | entries.RoundCorrection, occurred_at: Timestamp) -> None:
    """Says in an entry of a round when its event occurred; an instant that cannot be says no more than none.

    The round's day and key come from its `opened_at`: a device that tells nonsense beside it has played all the same.
    """
    if is_possible(occurred_at):
        message.occurred_at.CopyFrom(occurred_at)
    else:
        message.ClearField("occurred_at")
