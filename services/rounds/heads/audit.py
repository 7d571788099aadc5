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


@dataclass
class Wheels:
    """Of each table with a wheel the positions that tell a round that is not void, in the order they were told.

    `corrected`: the rounds that a correction names, which are all kept; of the others none but the newest by its key
    and the one told last can be the last spin.
    """

    corrected: set[RoundKey]
    told: dict[str, dict[RoundKey, list[int]]] = field(default_factory=dict)
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
            told.setdefault(key, []).append(position)
            if key not in self.corrected:
                self._keep(key, told)

    def _keep(self, key: RoundKey, told: dict[RoundKey, list[int]]) -> None:
        """Forgets the rounds that nobody corrects but the newest by its key and the one that was told last."""
        plain = self.plain.setdefault(key.table_id, set())
        plain.add(key)
        kept = {max(plain), max(plain, key=lambda each: told[each][0])}
        for each in plain - kept:
            del told[each]
        self.plain[key.table_id] = kept

    def last(self, table_id: str) -> set[tuple[date, int]]:
        """Where the last spin may stand: in the latest round, or in the one told last where a table's came mixed."""
        told = self.told.get(table_id)
        if not told:
            return set()
        newest = max(told), max(told, key=lambda key: told[key][0])
        return {(key.gaming_day, position) for key in newest for position in told[key]}

    async def check(self, connection: Connection, feed: Feed) -> feeds_pb2.Verification:
        """The last spin of each wheel stands at an entry that tells it, and no spin of another round comes after it."""
        findings = Findings(LAST_SPINS)
        heads = await store.spin_heads(connection, feed.property_id)
        for table_id in sorted(self.told.keys() | heads.keys()):
            given, wanted = heads.get(table_id), self.last(table_id)
            same = given in wanted if wanted else given is None or given[1] == 0
            findings.expect(same, f"last_spin row {table_id}: expected one of {sorted(wanted)}, given {given}")
        return findings.message()


def _key(kind: int, said: entries.Entry) -> RoundKey:
    body: Any = getattr(said, wire.CORRECTIONS[kind])
    return wire.read_key(body.round.key if kind == wire.RELEASE else body.key)
