"""How far each source has been answered, and who may still speak for it."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from services.kernel import errors

LARGEST_EPOCH = 1 << 62
"""Beyond it the epoch that comes next would not fit an int64."""


class SourcePosition(NamedTuple):
    """The epoch of a source and the last sequence answered in it."""

    epoch: int
    sequence: int


def greet(position: SourcePosition | None, source_id: str, epoch: int) -> SourcePosition:
    """Where a stream of this epoch begins. EpochStale for one that a later epoch has fenced."""
    if not 1 <= epoch <= LARGEST_EPOCH:
        raise errors.InvalidRequest(f"Expected a source_epoch from 1 to {LARGEST_EPOCH}, got {epoch}.")
    check_epoch(position, source_id, epoch)
    return within(position, epoch)


def within(position: SourcePosition | None, epoch: int) -> SourcePosition:
    """Where a source stands in an epoch: one that it has not reached begins before its first sequence."""
    return SourcePosition(epoch, 0) if position is None or position.epoch < epoch else position


def check_epoch(position: SourcePosition | None, source_id: str, epoch: int) -> None:
    """EpochStale if the source has been seen in a later epoch."""
    if position is not None and epoch < position.epoch:
        raise errors.EpochStale(
            f"Expected epoch {position.epoch} or later of source {source_id}, got {epoch}:"
            " another stream has taken over."
        )


def fill(position: SourcePosition, first: int, last: int) -> SourcePosition | None:
    """The position after a gap fill; None if a sequence before it is missing."""
    if last < first:
        raise errors.InvalidRequest(f"Expected a gap fill from a first to a last sequence, got {first} to {last}.")
    if first > position.sequence + 1:
        return None
    return position._replace(sequence=max(position.sequence, last))


def marked(
    mark: Callable[[str], bytes], property_id: str, positions: Iterable[tuple[str, SourcePosition]]
) -> list[tuple[str, SourcePosition, bytes]]:
    """Positions with the mark of the service that answered: no fact gives them again, so nobody else may set them."""
    return [(name, at, mark(f"source|{property_id}|{name}|{at.epoch}|{at.sequence}")) for name, at in positions]
