"""Tables where the floor holds another offer than the one in force: found again in what was refused and accepted."""

from datetime import date
from typing import NamedTuple

from casino.floor.v1 import events_pb2 as floor
from casino.rounds.v1 import entries_pb2 as entries
from services.kernel import errors
from services.rounds import instants, store, wire
from services.rounds.calendar import Days
from services.rounds.holds import store as outside
from services.rounds.rows import HeldRow
from services.runtime.feeds import read_commit
from services.runtime.store import Connection

TableDay = tuple[str, date]


class _Accepted(NamedTuple):
    """The last opening of a table that is in the feed: who sent it, and its commit."""

    source_id: str
    epoch: int
    sequence: int
    commit: bytes

    def after(self, refused: HeldRow) -> bool:
        """Whether it came after an opening that was refused: by its source's own count, else by the clock."""
        if self.source_id == refused.source_id:
            return (self.epoch, self.sequence) >= (refused.epoch, refused.sequence)
        return read_commit(self.commit).at > refused.recorded_at


async def disagreeing(connection: Connection, property_id: str, days: Days) -> set[TableDay]:
    """The tables, each with its day, whose last opening was refused for its offer."""
    refused: dict[TableDay, HeldRow] = {}
    for fact in await outside.openings_refused(connection, property_id, int(entries.HOLD_DECISION_RELEASE)):
        found = _opened(fact.content, days)
        if found is not None:
            refused[found] = fact
    rows = await store.offers_opened(connection, property_id, wire.TABLE_OPENED, refused) if refused else []
    accepted = {row[:2]: _Accepted(row[2], row[3], row[4], row[5]) for row in rows}
    return {at for at, fact in refused.items() if at not in accepted or not accepted[at].after(fact)}


def _opened(content: bytes, days: Days) -> TableDay | None:
    """The table and the day of an opening; None of a round whose key could not be."""
    event = wire.read_event(content)
    if not isinstance(event.body, floor.TableOpened):
        return None
    try:
        day, _ = days.day_and_shift(event.occurred_at.seconds, instants.instant(event.occurred_at, "occurred_at"))
    except errors.KeyImpossible:
        # The property's settings of that day have changed since: no round can be of it.
        return None
    return event.body.table_id, day
