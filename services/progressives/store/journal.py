"""Facts: what the feed says, in typed rows, and what is asked of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from services.kernel.ids import RoundKey
from services.progressives.book import NO_LINK, Recorded
from services.progressives.changes import HitRecord
from services.progressives.decision import Decision
from services.progressives.jackpot import Jackpot
from services.progressives.journal import Commitment, Contribution, Trouble, Written
from services.progressives.reading import read_written
from services.progressives.store.packed import COLUMNS, pack_contribution
from services.progressives.store.rows import CONTRIBUTION, DECISION, JACKPOT, MOVEMENT, TABLES, TRIGGER, Table
from services.runtime.store import Connection, Record, copy_packed

Sealed = Mapping[tuple[str, str, int], bytes]
"""Hidden triggers as sealed, by link, level and number."""


class Rows(NamedTuple):
    """Typed rows for COPY: contributions packed, and of the other nouns each row."""

    contributions: list[bytes]
    others: Mapping[type, list[tuple[Any, ...]]]


def rows_of(property_id: str, written: Iterable[tuple[int, Written]], sealed: Sealed) -> Rows:
    """The typed rows of what is written, each with its position."""
    contributions: list[bytes] = []
    others: defaultdict[type, list[tuple[Any, ...]]] = defaultdict(list)
    for position, each in written:
        if isinstance(each, Contribution):
            contributions.append(pack_contribution(property_id, position, each))
        elif (table := TABLES.get(type(each))) and table.write:
            row = (property_id, position, *table.write(each))
            others[type(each)].append(row if table is not TRIGGER else (*row, _sealed(each, sealed)))
    return Rows(contributions, others)


async def add_rows(connection: Connection, rows: Rows) -> None:
    """COPYs typed rows, one COPY a table."""
    if rows.contributions:
        await copy_packed(connection, CONTRIBUTION.name, COLUMNS, rows.contributions)
    for noun, records in rows.others.items():
        table = TABLES[noun]
        more = ("sealed",) if table is TRIGGER else ()
        columns = ("property_id", "position", *table.columns, *more)
        await connection.copy_records_to_table(table.name, records=records, columns=columns)


def _sealed(each: Written, sealed: Sealed) -> bytes:
    assert isinstance(each, Commitment)
    return b"" if each.opened else sealed[each.link_id, each.level, each.number]


async def written_between(connection: Connection, property_id: str, first: int, last: int) -> list[tuple[int, Written]]:
    """What every typed row says from one position through another, with its position, in no order."""
    found: list[tuple[int, Written]] = []
    for table in TABLES.values():
        rows = await connection.fetch(
            f"SELECT position, {', '.join(table.columns)} FROM {table.name}"
            " WHERE property_id = $1 AND position BETWEEN $2 AND $3",
            property_id,
            first,
            last,
        )
        found += [(row[0], table.read(tuple(row)[1:])) for row in rows]
    return found


def _placed(table: Table, rows: Sequence[Record]) -> dict[int, Any]:
    return {row[0]: table.read(tuple(row)[1:]) for row in rows}


async def jackpots(
    connection: Connection, property_id: str, gaming_day: date | None = None, jackpot_id: str | None = None
) -> list[Jackpot]:
    """Every state of every jackpot, of one gaming day, of one id, or of all, in the order of the feed."""
    rows = await connection.fetch(
        f"SELECT position, {', '.join(JACKPOT.columns)} FROM jackpot"
        " WHERE property_id = $1 AND ($2::date IS NULL OR gaming_day = $2) AND ($3::text IS NULL OR jackpot_id = $3)"
        " ORDER BY position",
        property_id,
        gaming_day,
        jackpot_id,
    )
    return list(_placed(JACKPOT, rows).values())


async def wager_jackpots(connection: Connection, property_id: str, key: RoundKey, wager_no: int) -> list[Jackpot]:
    """Every state of every jackpot of one wager, in order."""
    rows = await connection.fetch(
        f"SELECT position, {', '.join(JACKPOT.columns)} FROM jackpot WHERE property_id = $1 AND table_id = $2"
        " AND shoe = $3 AND round_no = $4 AND gaming_day = $5 AND wager_no = $6 ORDER BY position",
        property_id,
        *key[1:4],
        key.gaming_day,
        wager_no,
    )
    return list(_placed(JACKPOT, rows).values())


async def jackpot_of_slip(connection: Connection, property_id: str, slip_no: str) -> str:
    """The jackpot that was paid by a slip; empty where none was."""
    found: str | None = await connection.fetchval(
        "SELECT jackpot_id FROM jackpot WHERE property_id = $1 AND slip_no = $2 AND state = 'paid' AND slip_no <> ''",
        property_id,
        slip_no,
    )
    return found or ""


async def hit_records(connection: Connection, property_id: str, jackpot_id: str) -> HitRecord:
    """What has been written of the hit of a jackpot; nothing of it where there is none."""
    states = await jackpots(connection, property_id, None, jackpot_id)
    if not states:
        return HitRecord({}, [])
    named = states[-1]
    if not named.hit_id:
        return HitRecord({jackpot_id: named}, [])
    of_round = (property_id, *named.key[1:4], named.hit_id)
    query = (
        "SELECT position, {columns} FROM {table} WHERE property_id = $1 AND table_id = $2"
        " AND shoe = $3 AND round_no = $4 AND hit_id = $5 ORDER BY position"
    )
    moved = await connection.fetch(query.format(columns=", ".join(MOVEMENT.columns), table="movement"), *of_round)
    won = await connection.fetch(query.format(columns=", ".join(JACKPOT.columns), table="jackpot"), *of_round)
    latest = {each.jackpot_id: each for each in _placed(JACKPOT, won).values()}
    return HitRecord(latest, list(_placed(MOVEMENT, moved).values()))


async def recorded_rounds(
    connection: Connection, property_id: str, keys: Sequence[RoundKey]
) -> dict[RoundKey, Recorded]:
    """What has been written of rounds without roll, up to now."""
    found = {key: Recorded() for key in keys}
    for table in (CONTRIBUTION, MOVEMENT, JACKPOT, DECISION):
        for position, each in (await _of_rounds(connection, property_id, table, keys)).items():
            recorded = found[each.key._replace(roll=0)]
            if isinstance(each, Contribution):
                recorded.contributions.append((position, each))
            elif isinstance(each, Jackpot):
                recorded.jackpots[each.jackpot_id] = each
            elif isinstance(each, Decision):
                recorded.asked.setdefault(each.decision_id, each)
            else:
                recorded.movements.append(each)
    for key, wager_no in await unlinked_wagers(connection, property_id, keys):
        found[key].unlinked.add(wager_no)
    return found


async def unlinked_wagers(
    connection: Connection, property_id: str, keys: Sequence[RoundKey]
) -> set[tuple[RoundKey, int]]:
    """Which wagers of these rounds without roll found no live link."""
    rows = await connection.fetch(
        "SELECT entry FROM progressives_entry"
        " WHERE property_id = $1 AND gaming_day = ANY ($2::date[]) AND kind = 5 ORDER BY position",
        property_id,
        sorted({key.gaming_day for key in keys}),
    )
    troubles = [read_written(row["entry"]) for row in rows]
    named = [each for each in troubles if isinstance(each, Trouble) and each.reason == NO_LINK]
    found = {(each.key._replace(roll=0), each.wager_no) for each in named}
    return {(key, wager_no) for key, wager_no in found if key in keys}


async def _of_rounds(
    connection: Connection, property_id: str, table: Table, keys: Sequence[RoundKey]
) -> dict[int, Any]:
    columns = ", ".join(f"t.{column}" for column in table.columns)
    # A movement or a decision may have another gaming day than its round.
    day = "coalesce(t.round_day, t.gaming_day)" if table in (MOVEMENT, DECISION) else "t.gaming_day"
    # Lateral and fenced: each round is looked up by its key, on tables that were never analysed too.
    rows = await connection.fetch(
        f"SELECT t.position, {columns}"
        " FROM unnest($2::date[], $3::text[], $4::integer[], $5::integer[]) AS k (day, table_id, shoe, round_no)"
        f" CROSS JOIN LATERAL (SELECT * FROM {table.name} AS t WHERE t.property_id = $1 AND {day} = k.day"
        " AND t.table_id = k.table_id AND t.shoe = k.shoe AND t.round_no = k.round_no OFFSET 0) AS t"
        " ORDER BY t.position",
        property_id,
        *(list(column) for column in zip(*(key[:4] for key in keys), strict=True)),
    )
    return _placed(table, rows)


async def contributions_of(
    connection: Connection, property_id: str, link_id: str, after: int, through: int, limit: int
) -> list[tuple[int, Contribution]]:
    """At most so many contributions to a link, after one position and through another, in order."""
    rows = await connection.fetch(
        f"SELECT position, {', '.join(CONTRIBUTION.columns)} FROM contribution"
        " WHERE property_id = $1 AND link_id = $2 AND position > $3 AND position <= $4 ORDER BY position LIMIT $5",
        property_id,
        link_id,
        after,
        through,
        limit,
    )
    return list(_placed(CONTRIBUTION, rows).items())
