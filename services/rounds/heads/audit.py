"""The heads that no entry tells: the positions of sources by their marks, last spins by the feed."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from casino.feeds.v1 import feeds_pb2
from casino.rounds.v1 import entries_pb2 as entries
from services.kernel.ids import RoundKey
from services.rounds import wire
from services.rounds.heads import store
from services.rounds.sources import SourcePosition, marked
from services.runtime.feeds import Feed
from services.runtime.seals import Sealer
from services.runtime.store import Connection
from services.runtime.verification import Findings, entry_pages

LAST_SPINS = "rounds: last spins compared with entries"
CORRECTIONS = (wire.VOID, wire.AMEND, wire.RELEASE)
SPINS = {wire.RESULT: "result", wire.WHOLE_ROUND: "whole_round", wire.AMEND: "amend", wire.RELEASE: "release"}


async def source_rows(connection: Connection, feed: Feed, sealer: Sealer) -> feeds_pb2.Verification:
    """Every source's position has the service's mark, and none lies before an event that was answered."""
    findings = Findings("rounds: positions of sources against marks and events")
    heads = {head.source_id: head for head in await store.source_heads(connection, feed.property_id)}
    for head in heads.values():
        ((_, _, mark),) = marked(sealer.mark, feed.property_id, [(head.source_id, head.at)])
        known = head.mark == mark or (not head.mark and head.recorded)
        text = f"source_position row {head.source_id}: epoch {head.at.epoch}, sequence {head.at.sequence}"
        findings.expect(known, f"{text} is not what the service set")
    for source_id, furthest in (await store.answered(connection, feed.property_id)).items():
        at = heads[source_id].at if source_id in heads else SourcePosition(0, 0)
        findings.expect(
            at >= furthest,
            f"source_position row {source_id}: it stands at {tuple(at)}, an event was answered at {tuple(furthest)}",
        )
    return findings.message()


Told = dict[int, bytes]
"""The bytes of one round's result at each position that tells it, in order."""


@dataclass
class Wheels:
    """Of each table with a wheel the results of rounds that are not void, by position, in the order they were told.

    `corrected`: the rounds that a correction names, which are all kept; of the others none but the newest by its key
    and the one told last can be the last spin.
    """

    corrected: set[RoundKey]
    told: dict[str, dict[RoundKey, Told]] = field(default_factory=dict)
    plain: dict[str, set[RoundKey]] = field(default_factory=dict)

    @classmethod
    async def of(cls, connection: Connection, feed: Feed) -> "Wheels":
        """The rounds that are corrected, by a look along the feed."""
        found: set[RoundKey] = set()
        async for page in entry_pages(connection, feed, list(CORRECTIONS)):
            corrections = [each for each in page if each.kind in CORRECTIONS]
            found.update(_key(each.kind, entries.Entry.FromString(each.entry)) for each in corrections)
        return cls(found)

    def take(self, position: int, kind: int, said: entries.Entry) -> None:
        """The next entry of the feed."""
        if kind not in SPINS and kind != wire.VOID:
            return
        if kind == wire.VOID:
            key = wire.read_key(said.void.key)
            self.told.get(key.table_id, {}).pop(key, None)
            return
        body: Any = getattr(said, SPINS[kind])
        spun: entries.Round = body if kind in (wire.RESULT, wire.WHOLE_ROUND) else body.round
        if spun.history and spun.history[-1].WhichOneof("game") == "roulette":
            key = wire.read_key(spun.key)
            told = self.told.setdefault(key.table_id, {})
            told.setdefault(key, {})[position] = spun.history[-1].SerializeToString(deterministic=True)
            if key not in self.corrected:
                self._keep(key, told)

    def _keep(self, key: RoundKey, told: dict[RoundKey, Told]) -> None:
        """Forgets the rounds that nobody corrects but the newest by its key and the one that was told last."""
        plain = self.plain.setdefault(key.table_id, set())
        plain.add(key)
        kept = {max(plain), max(plain, key=lambda each: min(told[each]))}
        for each in plain - kept:
            del told[each]
        self.plain[key.table_id] = kept

    def last(self, table_id: str) -> set[tuple[date, int]]:
        """Where the last spin may stand: in the latest round, or in the one told last where a table's came mixed.

        An amendment takes the last spin with it, unless a later spin of the wheel was there already.
        """
        told = self.told.get(table_id)
        if not told:
            return set()
        newest, late = max(told), max(told, key=lambda key: min(told[key]))
        standing = {late: [*told[late]], newest: _standing(told[newest])}  # the latter alone if they are one
        return {(key.gaming_day, position) for key, positions in standing.items() for position in positions}

    async def check(self, connection: Connection, feed: Feed) -> feeds_pb2.Verification:
        """The last spin of each wheel stands at an entry that tells it, and no spin of another round comes after it."""
        findings = Findings(LAST_SPINS)
        heads = await store.spin_heads(connection, feed.property_id)
        for table_id in sorted(self.told.keys() | heads.keys()):
            given, wanted = heads.get(table_id), self.last(table_id)
            same = given in wanted if wanted else given is None or given[1] == 0
            findings.expect(same, f"last_spin row {table_id}: expected one of {sorted(wanted)}, given {given}")
        return findings.message()


def _standing(told: Told) -> list[int]:
    """Of the positions that tell a round those with the result that stands, which is the one told last."""
    return [position for position, result in told.items() if result == told[max(told)]]


def _key(kind: int, said: entries.Entry) -> RoundKey:
    body: Any = getattr(said, wire.CORRECTIONS[kind])
    return wire.read_key(body.round.key if kind == wire.RELEASE else body.key)
