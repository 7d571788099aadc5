"""This service reads its own rows again: typed rows against entries, meters folded anew from the journal."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Sequence

from casino.feeds.v1 import feeds_pb2
from services.progressives import store
from services.progressives.jackpot import Jackpot, JackpotState, PaidThrough
from services.progressives.journal import Commitment, Contribution, Movement, Trouble, Written
from services.progressives.link import BEGUN, Link
from services.progressives.meter import contribute, move
from services.progressives.mystery import Trigger
from services.progressives.reading import read_written
from services.progressives.state import MeterName, Standing
from services.runtime.feeds import Feed
from services.runtime.store import Connection, EntryRow, Pool
from services.runtime.vault import VaultBroken
from services.runtime.verification import Findings, entry_pages

LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
"""The positions that a row may have in the database, those that no entry has with them."""
RECORDED = dict.fromkeys(("submission", "opened_day", "property_set", "sign", "payee"), "true")
"""The tables whose rows are entered in the chain of records."""


Unseal = Callable[[str, str, int, bytes], Trigger]
"""Opens a hidden trigger of a link, a level and a number; VaultBroken where it is not what was sealed."""


async def verify_hidden(pool: Pool, feed: Feed, unseal: Unseal) -> feeds_pb2.Verification:
    """Opens every trigger that is hidden still, for itself, and compares it with what was committed to."""
    found = Findings("progressives: hidden triggers against their commitments")
    async with pool.acquire() as connection:
        hidden = await store.sealed_triggers(connection, feed.property_id)
    for (link_id, level), (number, content, committed) in sorted(hidden.items()):
        try:
            trigger = unseal(link_id, level, number, content).commitment
        except VaultBroken:
            trigger = b""
        text = f"hidden trigger {number} of {link_id} {level} is not the one committed to"
        found.expect(trigger == committed, text)
    return found.message()


async def verify_journal(pool: Pool, feed: Feed) -> list[feeds_pb2.Verification]:
    """Compares every typed row with its entry, both ways, and every meter with the fold of its journal."""
    rows, fold = Findings("progressives: rows compared with entries"), Fold(feed.property_id)
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        position = LOWEST
        async for entries in entry_pages(connection, feed):
            await _compare(connection, feed, entries, rows, fold, position)
            position = entries[-1].position + 1
        for extra, _ in await store.written_between(connection, feed.property_id, position, HIGHEST):
            rows.differs(f"position {extra}: a row without an entry")
        standing = await store.standing(connection, feed.property_id)
        fold.close(standing.meters, await store.payee_digests(connection, feed.property_id))
    return [each.message() for each in (rows, fold.continuity, fold.heads, fold.triggers, fold.payees)]


async def _compare(
    connection: Connection, feed: Feed, entries: list[EntryRow], rows: Findings, fold: "Fold", first: int
) -> None:
    written = await store.written_between(connection, feed.property_id, first, entries[-1].position)
    typed = dict(written)
    if len(typed) != len(written):
        _shared(written, rows)
    for row in entries:
        said, kept = read_written(row.entry), typed.pop(row.position, None)
        if isinstance(said, Trouble):
            rows.expect(kept is None, f"position {row.position}: an exception has no typed row, there is one")
        else:
            rows.expect(said == kept, f"position {row.position}: {_difference(said, kept)}")
        fold.add(row.position, said)
    for extra in sorted(typed):
        rows.differs(f"position {extra}: a row without an entry")


def _shared(written: Sequence[tuple[int, Written]], rows: Findings) -> None:
    """No entry has two rows; where one has, others read both, of whatever table they are."""
    names: defaultdict[int, list[str]] = defaultdict(list)
    for position, each in written:
        names[position].append(type(each).__name__.lower())
    for position, found in sorted(names.items()):
        if len(found) > 1:
            rows.differs(f"position {position}: one entry and the rows {', '.join(found)}")


def _difference(said: Written, kept: Written | None) -> str:
    if kept is None:
        return f"the row of this {type(said).__name__.lower()} is missing"
    return f"the row of this {type(said).__name__.lower()} is not what the entry says"


class Fold:
    """Every meter refolded, entry by entry, from what the journal says of amounts alone, with all that is counted."""

    def __init__(self, property_id: str) -> None:
        self.meters: dict[MeterName, Standing] = {}
        self.continuity = Findings("progressives: readings continue from one journal entry to the next")
        self.heads = Findings("progressives: meters folded anew from the journal")
        self.triggers = Findings("progressives: opened triggers against their commitments")
        self.payees = Findings("progressives: payees against their digests")
        self._property_id = property_id
        self._levels: dict[str, tuple[str, ...]] = {}
        self._jackpots: dict[str, Jackpot] = {}
        self._paid: set[tuple[str, bytes]] = set()
        self._hits: set[str] = set()
        self._hidden: dict[tuple[str, str, int], bytes] = {}

    def add(self, position: int, said: Written) -> None:
        """The next entry of the feed."""
        if isinstance(said, Link) and said.state in BEGUN:
            self._levels[said.link_id] = tuple(terms.level for terms in said.meters)
        elif isinstance(said, Contribution):
            self._contribution(position, said)
        elif isinstance(said, Movement):
            self._movement(position, said)
        elif isinstance(said, Jackpot):
            self._jackpot(said)
        elif isinstance(said, Commitment):
            self._commitment(position, said)

    def _contribution(self, position: int, said: Contribution) -> None:
        levels = self._levels.get(said.link_id, ())
        if len(levels) != len(said.amounts):
            self.continuity.differs(f"position {position}: {said.link_id} has {len(levels)} levels here")
            return
        overflows = said.overflows or [0] * len(levels)
        told = zip(said.amounts, said.reserve_amounts, overflows, said.readings, said.reserves, strict=True)
        for level, (amount, reserve_amount, over, reading, reserve) in zip(levels, told, strict=True):
            name = said.link_id, level
            before = self.meters.get(name, Standing())
            after = before._replace(
                meter=contribute(before.meter, amount, reserve_amount, over),
                revision=position,
                wagers=before.wagers + 1,
                handle_cents=before.handle_cents + said.stake_cents,
            )
            self._expect(position, name, after, reading, reserve)

    def _movement(self, position: int, said: Movement) -> None:
        name = said.link_id, said.level
        standing = self.meters.get(name, Standing())
        step = move(standing.meter, said.cause, said.amount)
        before = (said.reading_before, said.reserve_before)
        if before != (step.before.reading, step.before.reserve):
            self.continuity.differs(
                f"position {position}: {name} stood at {step.before.reading}, the entry says {before[0]}"
            )
        # A hit's own movements and the seed of a new meter; what people decide or correct is none.
        hit = not said.decision_id and (said.hit_id or said.key is None)
        after = standing._replace(meter=step.after, revision=position)
        after = after._replace(last_hit=position) if hit else after
        self._expect(position, name, after, said.reading_after, said.reserve_after)

    def _expect(self, position: int, name: MeterName, after: Standing, reading: int, reserve: int) -> None:
        self.meters[name] = after
        folded = after.meter
        self.continuity.expect(
            (folded.reading, folded.reserve) == (reading, reserve),
            f"position {position}: {name} folds to {folded.reading} and {folded.reserve},"
            f" the entry says {reading} and {reserve}",
        )

    def _jackpot(self, said: Jackpot) -> None:
        former = self._jackpots.get(said.jackpot_id)
        self._jackpots[said.jackpot_id] = said
        if said.payee_sha256:
            self._paid.add((said.jackpot_id, said.payee_sha256))
        name = said.link_id, said.level
        if name not in self.meters:
            return
        standing = self.meters[name]
        more = said.pending - (former is not None and former.pending)
        standing = standing._replace(pending=standing.pending + more)
        if said.hit_id not in self._hits:
            self._hits.add(said.hit_id)
            standing = standing._replace(hits=standing.hits + 1)
        if said.state is JackpotState.PAID:
            device, attendant = standing.paid_by_device_cents, standing.paid_by_attendant_cents
            if said.paid_through is PaidThrough.DEVICE:
                standing = standing._replace(paid_by_device_cents=device + said.amount_cents)
            else:
                standing = standing._replace(paid_by_attendant_cents=attendant + said.amount_cents)
        self.meters[name] = standing

    def _commitment(self, position: int, said: Commitment) -> None:
        name = said.link_id, said.level, said.number
        if not said.opened:
            self._hidden[name] = said.commitment
            return
        trigger = Trigger(self._property_id, *name, said.cents, said.salt)
        committed = self._hidden.get(name, b"none")
        self.triggers.expect(
            said.commitment == committed == trigger.commitment,
            f"position {position}: trigger {said.number} of {said.link_id} {said.level} is not the one committed to",
        )

    def close(self, heads: dict[MeterName, Standing], payees: dict[tuple[str, bytes], bytes]) -> None:
        """Compares with the heads, and with the payees kept, once every entry is in."""
        for name in sorted(heads.keys() | self.meters.keys()):
            folded = self.meters.get(name, Standing())
            self.heads.expect(
                heads.get(name) == folded and folded.meter.balanced,
                f"{name}: the head says {heads.get(name)}, the journal folds to {folded}",
            )
        for payment in sorted(payees.keys() | self._paid):
            self.payees.expect(
                payment in self._paid and hashlib.sha256(payees.get(payment, b"")).digest() == payment[1],
                f"jackpot {payment[0]}: the payee kept is not the one that was paid",
            )
