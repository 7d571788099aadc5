"""How a meter got to where it is, and what proves a jackpot's amount: read from the journal alone."""

from collections.abc import AsyncIterator
from datetime import datetime

from services.kernel import errors
from services.progressives import store
from services.progressives.explanation import Explanation, Line, Proof
from services.progressives.operations.ledger import Ledger
from services.progressives.store import Level
from services.runtime.feeds import read_commit
from services.runtime.store import Connection

PAGE = 2_000
"""Lines of the journal read at a time."""

Moment = int | datetime | None
"""A position of the progressives feed, an instant, or now."""


async def explain_meter(
    ledger: Ledger, link_id: str, level: str, moment: Moment, *, with_wagers: bool
) -> AsyncIterator[Explanation | Line]:
    """The explanation of a meter, then its journal in order, wagers where asked for.

    Raises LinkUnknown, LevelUnknown, CursorAhead beyond the feed's head, MeterNotBegun before the meter's first seed.
    """
    await ledger.refresh()
    meter = _meter(ledger, link_id, level)
    async with ledger.pool.acquire() as connection:
        position = await _position(ledger, connection, meter, moment)
        # Facts are never changed, so what lies up to a position is the same in every statement.
        yield Explanation(link_id, level, position, await store.sums(connection, meter, 0, position))
    after = 0
    while True:
        # No connection is held while the reader takes its time.
        async with ledger.pool.acquire() as connection:
            page = await store.lines(connection, meter, after, position, PAGE, with_wagers=with_wagers)
        for line in page:
            yield line
        if len(page) < PAGE:
            return
        after = page[-1].position


def _meter(ledger: Ledger, link_id: str, level: str) -> Level:
    link = ledger.state.links.get(link_id)
    if link is None:
        raise errors.LinkUnknown(f"expected a link of {ledger.property_id} that has been live, given {link_id!r}")
    # An amendment keeps the levels and their order, so that a level has one place for ever.
    levels = [terms.level for terms in link.meters]
    if level not in levels:
        raise errors.LevelUnknown(f"expected a level of link {link_id}, {' or '.join(levels)}, given {level!r}")
    return Level(ledger.property_id, link_id, level, levels.index(level) + 1)


async def _position(ledger: Ledger, connection: Connection, meter: Level, moment: Moment) -> int:
    head = ledger.feed.position
    if isinstance(moment, datetime):
        position = await _committed_by(connection, ledger.property_id, moment, head)
    else:
        position = head if moment is None else moment
    if position > head:
        raise errors.CursorAhead(f"expected a position up to {head}, the head of the feed, given {position}")
    first = await store.first_seed(connection, meter)
    if not first or position < first:
        given = moment.isoformat() if isinstance(moment, datetime) else str(position)
        raise errors.MeterNotBegun(
            f"expected a moment from position {first} on, where {meter.link_id} {meter.level} was seeded, given {given}"
        )
    return position


async def _committed_by(connection: Connection, property_id: str, instant: datetime, head: int) -> int:
    """The end of the last commit at or before an instant, 0 where none is; commits are in the order of their times."""
    low, high = 0, head
    while low < high:
        commit = read_commit(await store.commit_at(connection, property_id, (low + high + 1) // 2))
        if commit.at <= instant:
            low = commit.first + commit.entries - 1
        else:
            high = commit.first - 1
    return low


async def prove_jackpot(ledger: Ledger, jackpot_id: str) -> Proof:
    """What came onto the meter of a jackpot since the hit before. Raises JackpotUnknown, JackpotOutOfState.

    One that was won where no link was live has no meter, so that its amount is people's decision alone.
    """
    await ledger.refresh()
    async with ledger.pool.acquire() as connection:
        states = await store.jackpots(connection, ledger.property_id, None, jackpot_id)
        if not states:
            raise errors.JackpotUnknown(f"expected a jackpot of {ledger.property_id}, given {jackpot_id!r}")
        named = states[-1]
        if not named.link_id:
            raise errors.JackpotOutOfState(
                f"expected jackpot {jackpot_id} to be priced on a meter, it was won where no link was live"
            )
        meter = _meter(ledger, named.link_id, named.level)
        hit = await store.hit_begins(connection, meter, named.hit_id, named.key.gaming_day)
        assert hit is not None, f"hit {named.hit_id} has moved no meter"
        start = await store.hit_before(connection, meter, hit.position)
        assert start is not None, f"{named.link_id} {named.level} was hit before it was seeded"
        end = hit.position - 1
        sums = await store.sums(connection, meter, start.position, end)
        sharing = tuple((await store.hit_records(connection, ledger.property_id, jackpot_id)).jackpots.values())
    return Proof(named, start.position, end, start.after, sums, hit.before, sharing)
