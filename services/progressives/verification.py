"""This service reads its own rows again: typed rows against entries, meters folded anew from the journal."""

from casino.feeds.v1 import feeds_pb2
from services.progressives import store, wire
from services.progressives.book import MeterName
from services.progressives.journal import Contribution, Movement, Trouble, Written
from services.progressives.link import Link
from services.progressives.meter import Meter, contribute, move
from services.runtime.feeds import Feed
from services.runtime.store import Connection, EntryRow, Pool
from services.runtime.verification import Findings, entry_pages

BEYOND = 1 << 62


async def verify_journal(pool: Pool, feed: Feed) -> list[feeds_pb2.Verification]:
    """Compares every typed row with its entry, both ways, and every meter with the fold of its journal."""
    rows, fold = Findings("progressives: rows compared with entries"), Fold()
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        position = 0
        async for entries in entry_pages(connection, feed):
            await _compare(connection, feed, entries, rows, fold, position)
            position = entries[-1].position
        for extra in await store.written_between(connection, feed.property_id, position, BEYOND):
            rows.differs(f"position {extra}: a row without an entry")
        standings = await store.meters(connection, feed.property_id)
    fold.close({name: standing.meter for name, standing in standings.items()})
    return [rows.message(), fold.continuity.message(), fold.heads.message()]


async def _compare(
    connection: Connection, feed: Feed, entries: list[EntryRow], rows: Findings, fold: "Fold", after: int
) -> None:
    typed = await store.written_between(connection, feed.property_id, after, entries[-1].position)
    for row in entries:
        said, kept = wire.read_written(row.entry), typed.pop(row.position, None)
        if isinstance(said, Trouble):
            rows.expect(kept is None, f"position {row.position}: an exception has no typed row, there is one")
        else:
            rows.expect(said == kept, f"position {row.position}: {_difference(said, kept)}")
        fold.add(row.position, said)
    for extra in sorted(typed):
        rows.differs(f"position {extra}: a row without an entry")


def _difference(said: Written, kept: Written | None) -> str:
    if kept is None:
        return f"the row of this {type(said).__name__.lower()} is missing"
    return f"the row of this {type(said).__name__.lower()} is not what the entry says"


class Fold:
    """Every meter refolded, entry by entry, from what the journal says of amounts alone."""

    def __init__(self) -> None:
        self.meters: dict[MeterName, Meter] = {}
        self.continuity = Findings("progressives: readings continue from one journal entry to the next")
        self.heads = Findings("progressives: meters folded anew from the journal")
        self._levels: dict[str, tuple[str, ...]] = {}

    def add(self, position: int, said: Written) -> None:
        """The next entry of the feed."""
        if isinstance(said, Link):
            self._levels[said.link_id] = tuple(terms.level for terms in said.meters)
        elif isinstance(said, Contribution):
            self._contribution(position, said)
        elif isinstance(said, Movement):
            self._movement(position, said)

    def _contribution(self, position: int, said: Contribution) -> None:
        levels = self._levels.get(said.link_id, ())
        if len(levels) != len(said.amounts):
            self.continuity.differs(f"position {position}: {said.link_id} has {len(levels)} levels here")
            return
        amounts = zip(levels, said.amounts, said.readings, said.reserve_amounts, said.reserves, strict=True)
        for level, amount, reading, reserve_amount, reserve in amounts:
            name = said.link_id, level
            after = contribute(self.meters.get(name, Meter()), amount, reserve_amount)
            self._expect(position, name, after, reading, reserve)

    def _movement(self, position: int, said: Movement) -> None:
        name = said.link_id, said.level
        step = move(self.meters.get(name, Meter()), said.cause, said.amount)
        before = (said.reading_before, said.reserve_before)
        if before != (step.before.reading, step.before.reserve):
            self.continuity.differs(
                f"position {position}: {name} stood at {step.before.reading}, the entry says {before[0]}"
            )
        self._expect(position, name, step.after, said.reading_after, said.reserve_after)

    def _expect(self, position: int, name: MeterName, after: Meter, reading: int, reserve: int) -> None:
        self.meters[name] = after
        self.continuity.expect(
            (after.reading, after.reserve) == (reading, reserve),
            f"position {position}: {name} folds to {after.reading} and {after.reserve},"
            f" the entry says {reading} and {reserve}",
        )

    def close(self, heads: dict[MeterName, Meter]) -> None:
        """Compares with the heads once every entry is in."""
        for name in sorted(heads.keys() | self.meters.keys()):
            self.heads.expect(
                heads.get(name) == self.meters.get(name) and self.meters[name].balanced,
                f"{name}: the head says {heads.get(name)}, the journal folds to {self.meters.get(name)}",
            )
