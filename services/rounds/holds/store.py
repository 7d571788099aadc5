"""The statements of facts outside the feed, of proposals and of decisions."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from services.kernel.ids import RoundKey
from services.rounds.rows import Decision, HeldRow, HoldRow, Proposal
from services.runtime.store import Connection


async def add_held_facts(connection: Connection, property_id: str, rows: Iterable[HeldRow]) -> None:
    """COPYs facts that stay outside the feed."""
    await connection.copy_records_to_table(
        "held_fact",
        records=[(property_id, *row) for row in rows],
        columns=("property_id", *HeldRow._fields),
    )


async def held_facts(
    connection: Connection,
    property_id: str,
    *,
    day: date | None = None,
    digests: Iterable[bytes] | None = None,
    key: RoundKey | None = None,
    most: int | None = None,
    settled: int = 0,
) -> list[HoldRow]:
    """The facts outside the feed, as recorded: all, of a day, from events with this content, or of a round.

    Where there are more than `most`: those that wait for a decision first, then the newest. What was answered
    `settled` waits for none.
    """
    rows = await connection.fetch(
        f"""
        SELECT * FROM (
        SELECT {", ".join(f"f.{name}" for name in HeldRow._fields)},
            p.decision AS proposed, p.reason AS why_proposed, p.proposed_by, p.proposed_at, p.ordinal,
            d.position, d.decision, d.reason AS why_decided, d.proposed_by AS began_by, d.approved_by, d.approved_at
        FROM held_fact AS f
        LEFT JOIN LATERAL (SELECT * FROM hold_proposal AS h
            WHERE (h.property_id, h.source_id, h.epoch, h.sequence, h.wager_no, h.digest)
                = (f.property_id, f.source_id, f.epoch, f.sequence, f.wager_no, f.digest)
            ORDER BY h.ordinal DESC LIMIT 1) AS p ON true
        LEFT JOIN hold_decision AS d ON (d.property_id, d.source_id, d.epoch, d.sequence, d.wager_no, d.digest)
            = (f.property_id, f.source_id, f.epoch, f.sequence, f.wager_no, f.digest)
        WHERE f.property_id = $1 AND ($2::date IS NULL OR f.gaming_day = $2)
            AND ($3::bytea[] IS NULL OR f.digest = ANY ($3))
            AND ($4::text IS NULL OR (f.table_id, f.shoe, f.round_no) = ($4, $5::int, $6::int))
        ORDER BY (d.decision IS NULL AND f.answer <> $7) DESC, f.recorded_at DESC LIMIT $8
        ) AS found ORDER BY recorded_at, source_id, epoch, sequence, wager_no
        """,
        property_id,
        key.gaming_day if key else day,
        None if digests is None else list(digests),
        *(key[1:4] if key else (None, None, None)),
        settled,
        most,
    )
    return [_hold(tuple(row)) for row in rows]


async def count_held(connection: Connection, property_id: str, day: date | None) -> int:
    """How many facts are outside the feed, of a gaming day or in all."""
    query = "SELECT count(*) FROM held_fact WHERE property_id = $1 AND ($2::date IS NULL OR gaming_day = $2)"
    return int(await connection.fetchval(query, property_id, day))


def _hold(row: Sequence[Any]) -> HoldRow:
    width = len(HeldRow._fields)
    proposal, decision = row[width : width + 5], row[width + 5 :]
    return HoldRow(
        HeldRow(*row[:width]),
        Proposal(*proposal) if proposal[0] else None,
        Decision(*decision) if decision[1] else None,
    )


async def digest_of(
    connection: Connection, property_id: str, where: tuple[str, int, int, int], begins: str
) -> bytes | None:
    """The digest of the fact at (source, epoch, sequence, wager) whose digest's digits begin so; None without one."""
    digest: bytes | None = await connection.fetchval(
        "SELECT digest FROM held_fact WHERE property_id = $1"
        " AND (source_id, epoch, sequence, wager_no) = ($2, $3::bigint, $4::bigint, $5::int)"
        " AND left(encode(digest, 'hex'), 8) = $6 ORDER BY recorded_at LIMIT 1",
        property_id,
        *where,
        begins,
    )
    return digest


async def digests_kept(connection: Connection, property_id: str) -> set[bytes]:
    """The contents of every whole event that is kept outside the feed, whatever was decided of it."""
    rows = await connection.fetch(
        "SELECT DISTINCT digest FROM held_fact WHERE property_id = $1 AND wager_no = 0", property_id
    )
    return {row["digest"] for row in rows}


async def before_their_day(
    connection: Connection, property_id: str, quarantined: int, days: Iterable[date]
) -> list[HeldRow]:
    """The undecided quarantined events of days that are none of these, which are open."""
    rows = await connection.fetch(
        f"""
        SELECT {", ".join(f"f.{name}" for name in HeldRow._fields)} FROM held_fact AS f
        WHERE f.property_id = $1 AND f.answer = $2 AND f.gaming_day IS NOT NULL
            AND f.gaming_day <> ALL ($3::date[]) AND NOT EXISTS (
            SELECT FROM hold_decision AS d WHERE (d.property_id, d.source_id, d.epoch, d.sequence, d.wager_no, d.digest)
                = (f.property_id, f.source_id, f.epoch, f.sequence, f.wager_no, f.digest))
        ORDER BY f.recorded_at, f.source_id, f.epoch, f.sequence
        """,
        property_id,
        quarantined,
        list(days),
    )
    return [HeldRow(*row) for row in rows]


async def openings_refused(connection: Connection, property_id: str, released: int) -> list[HeldRow]:
    """What was refused for its offer and names no round, and was not released: openings of tables, oldest first."""
    rows = await connection.fetch(
        f"""
        SELECT {", ".join(f"f.{name}" for name in HeldRow._fields)} FROM held_fact AS f
        WHERE f.property_id = $1 AND f.reason = 'DIGEST_UNKNOWN' AND f.gaming_day IS NULL AND NOT EXISTS (
            SELECT FROM hold_decision AS d WHERE (d.property_id, d.source_id, d.epoch, d.sequence, d.wager_no, d.digest)
                = (f.property_id, f.source_id, f.epoch, f.sequence, f.wager_no, f.digest) AND d.decision = $2)
        ORDER BY f.recorded_at, f.source_id, f.epoch, f.sequence
        """,
        property_id,
        released,
    )
    return [HeldRow(*row) for row in rows]


async def add_proposal(connection: Connection, property_id: str, fact: HeldRow, proposal: Proposal) -> None:
    """Records what is proposed of a fact; it replaces what was proposed before."""
    await connection.execute(
        "INSERT INTO hold_proposal (property_id, source_id, epoch, sequence, wager_no, digest, ordinal, decision,"
        " reason, proposed_by, proposed_at) SELECT $1, $2, $3, $4, $5, $6, count(*) + 1, $7, $8, $9, $10"
        " FROM hold_proposal WHERE (property_id, source_id, epoch, sequence, wager_no, digest)"
        " = ($1, $2, $3::bigint, $4::bigint, $5::int, $6)",
        property_id,
        *fact.identity,
        *proposal[:4],
    )


async def add_decisions(connection: Connection, property_id: str, rows: Iterable[tuple[HeldRow, Decision]]) -> None:
    """COPYs what two people decided of facts."""
    await connection.copy_records_to_table(
        "hold_decision",
        records=[(property_id, *fact.identity, *decision) for fact, decision in rows],
        columns=("property_id", "source_id", "epoch", "sequence", "wager_no", "digest", *Decision._fields),
    )
