"""Between the contract's messages and a rebuild."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from casino.feeds.v1 import feeds_pb2
from casino.reporting.v1 import reporting_service_pb2 as messages
from services.reporting.wire import stamp

Rebuilt = messages.RebuiltProjections


class Progress(NamedTuple):
    """A feed on its way: the position it has come to, of those it is followed to."""

    feed: str
    position: int
    of: int


def rebuilt(rows: Mapping[str, int], positions: Mapping[str, int], by: str, reason: str, at: datetime) -> Rebuilt:
    """What was made anew: the rows of each projection, from the feeds up to these positions."""
    return Rebuilt(
        projections=[messages.RebuiltProjection(name=name, rows=count) for name, count in sorted(rows.items())],
        positions=[
            feeds_pb2.UpstreamCursor(feed=feed, position=position) for feed, position in sorted(positions.items())
        ],
        rebuilt_by=by,
        reason=reason,
        rebuilt_at=stamp(at),
    )


def told(found: Progress | Rebuilt) -> messages.RebuildProjectionsResponse:
    """What who asked for it is told next."""
    if isinstance(found, Rebuilt):
        return messages.RebuildProjectionsResponse(rebuilt=found)
    return messages.RebuildProjectionsResponse(progress=messages.RebuildProgress(**found._asdict()))
