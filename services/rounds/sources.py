"""How far each source has been answered, and who may still speak for it."""

from typing import NamedTuple

from services.kernel import errors


class SourcePosition(NamedTuple):
    """The epoch of a source and the last sequence answered in it."""

    epoch: int
    sequence: int


def greet(position: SourcePosition | None, source_id: str, epoch: int) -> SourcePosition:
    """Where a stream of this epoch begins. EpochStale for one that a later epoch has fenced."""
    if epoch < 1:
        raise errors.InvalidRequest(f"Expected a source_epoch of 1 or more, got {epoch}.")
    check_epoch(position, source_id, epoch)
    if position is None or epoch > position.epoch:
        return SourcePosition(epoch, 0)
    return position


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
