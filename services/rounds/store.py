"""Every SQL statement of the rounds service."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from services.kernel.ids import RoundKey
from services.rounds.calendar import PropertySetting, TableSetting
from services.rounds.sources import SourcePosition
from services.runtime.store import Connection, Record


class RoundEventRow(NamedTuple):
    """An event of a round in the feed, under its business key."""

    gaming_day: date
    table_id: str
    shoe: int
    round_no: int
    roll: int
    kind: int
    item_no: int
    position: int
    source_id: str
    epoch: int
    sequence: int
    digest: bytes


class TableEventRow(NamedTuple):
    """A table event in the feed."""

    gaming_day: date
    table_id: str
    kind: int
    occurred_at: datetime
    position: int
    source_id: str
    epoch: int
    sequence: int
    digest: bytes


class HeldRow(NamedTuple):
    """A fact outside the feed; `gaming_day` None where the bytes name no round."""

    source_id: str
    epoch: int
    sequence: int
    wager_no: int
    answer: int
    reason: str
    message: str
    gaming_day: date | None
    table_id: str
    shoe: int
    round_no: int
    roll: int
    digest: bytes
    content: bytes
    recorded_at: datetime


class RoundEntryRow(NamedTuple):
    """An event of a round with its entry."""

    key: RoundKey
    kind: int
    item_no: int
    position: int
    digest: bytes
    entry: bytes


async def property_ids(connection: Connection) -> list[str]:
    """Every property."""
    rows = await connection.fetch("SELECT DISTINCT property_id FROM property_setting ORDER BY property_id")
    return [row["property_id"] for row in rows]


async def rows_by_position(connection: Connection, property_id: str, table: str, columns: str) -> list[Record]:
    """Every row of a table of facts that has a position: position and the columns, in the order of the feed."""
    return await connection.fetch(
        f"SELECT position, {columns} FROM {table} WHERE property_id = $1 ORDER BY position", property_id
    )


async def property_settings(connection: Connection, property_id: str) -> list[PropertySetting]:
    """The settings of a property, oldest first."""
    rows = await connection.fetch(
        "SELECT effective_from, position, title, time_zone, cut_over, shift_starts, house_edge_from, house_edge_to"
        " FROM property_setting WHERE property_id = $1 ORDER BY position",
        property_id,
    )
    return [PropertySetting(row[0], row[1], row[2], row[3], row[4], tuple(row[5]), row[6], row[7]) for row in rows]


async def table_settings(connection: Connection, property_id: str) -> list[TableSetting]:
    """The settings of a property's tables, oldest first."""
    rows = await connection.fetch(
        "SELECT effective_from, position, table_id, pit, game FROM table_setting"
        " WHERE property_id = $1 ORDER BY position",
        property_id,
    )
    return [TableSetting(*row) for row in rows]


async def add_property_setting(
    connection: Connection, property_id: str, setting: PropertySetting, principal: str, at: datetime
) -> None:
    """Records settings of a property."""
    await connection.execute(
        "INSERT INTO property_setting (property_id, effective_from, position, title, time_zone, cut_over, shift_starts,"
        " house_edge_from, house_edge_to, principal, recorded_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        property_id,
        *setting,
        principal,
        at,
    )


async def add_table_setting(
    connection: Connection, property_id: str, setting: TableSetting, principal: str, at: datetime
) -> None:
    """Records settings of a table."""
    await connection.execute(
        "INSERT INTO table_setting (property_id, effective_from, position, table_id, pit, game, principal,"
        " recorded_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        property_id,
        *setting,
        principal,
        at,
    )


async def add_source(
    connection: Connection, property_id: str, source_id: str, description: str, principal: str, at: datetime
) -> None:
    """Registers a source; one that is registered already stays as it is."""
    await connection.execute(
        "INSERT INTO source (property_id, source_id, description, principal, recorded_at)"
        " VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        property_id,
        source_id,
        description,
        principal,
        at,
    )


async def sources(connection: Connection, property_id: str) -> dict[str, SourcePosition | None]:
    """Every registered source with its position, None before the first stream."""
    rows = await connection.fetch(
        "SELECT s.source_id, p.epoch, p.sequence FROM source AS s LEFT JOIN source_position AS p"
        " ON p.property_id = s.property_id AND p.source_id = s.source_id WHERE s.property_id = $1",
        property_id,
    )
    return {row["source_id"]: SourcePosition(row["epoch"], row["sequence"]) if row["epoch"] else None for row in rows}


async def move_sources(
    connection: Connection, property_id: str, positions: Sequence[tuple[str, SourcePosition]]
) -> None:
    """Keeps how far the sources have been answered."""
    await connection.execute(
        "INSERT INTO source_position (property_id, source_id, epoch, sequence)"
        " SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::bigint[])"
        " ON CONFLICT (property_id, source_id) DO UPDATE SET epoch = excluded.epoch, sequence = excluded.sequence",
        property_id,
        [name for name, _ in positions],
        [position.epoch for _, position in positions],
        [position.sequence for _, position in positions],
    )


async def last_spins(connection: Connection, property_id: str) -> list[tuple[str, int, bytes]]:
    """The entry of the last spin of each wheel: (table, kind, entry)."""
    rows = await connection.fetch(
        "SELECT s.table_id, e.kind, e.entry FROM last_spin AS s JOIN rounds_entry AS e ON e.property_id = s.property_id"
        " AND e.position = s.position AND e.gaming_day = s.gaming_day WHERE s.property_id = $1",
        property_id,
    )
    return [(row["table_id"], row["kind"], row["entry"]) for row in rows]


async def move_last_spins(connection: Connection, property_id: str, spins: Mapping[str, tuple[date, int]]) -> None:
    """Keeps where the last spin of each wheel stands: day and position by table."""
    await connection.execute(
        "INSERT INTO last_spin (property_id, table_id, gaming_day, position)"
        " SELECT $1, * FROM unnest($2::text[], $3::date[], $4::bigint[])"
        " ON CONFLICT (property_id, table_id) DO UPDATE SET gaming_day = excluded.gaming_day,"
        " position = excluded.position",
        property_id,
        list(spins),
        [day for day, _ in spins.values()],
        [position for _, position in spins.values()],
    )


async def opened_days(connection: Connection, property_id: str) -> dict[date, int]:
    """The days opened, each with the position of the submissions that its rounds are stamped from."""
    rows = await rows_by_position(connection, property_id, "opened_day", "gaming_day, submissions_position")
    return {row["gaming_day"]: row["submissions_position"] for row in rows}


async def add_opened_days(connection: Connection, property_id: str, days: Iterable[tuple[date, int, int]]) -> None:
    """Records opened days: (day, position, submissions position)."""
    await connection.executemany(
        "INSERT INTO opened_day (property_id, gaming_day, position, submissions_position) VALUES ($1, $2, $3, $4)",
        [(property_id, *day) for day in days],
    )


async def submissions(connection: Connection, property_id: str) -> list[tuple[int, bytes]]:
    """The approved submissions received: position and entry bytes."""
    return [(row[0], row[1]) for row in await rows_by_position(connection, property_id, "submission", "content")]


async def add_submissions(
    connection: Connection, property_id: str, rows: Iterable[tuple[str, int, date, bytes]]
) -> None:
    """Records received submissions: (id, position, effective from, entry bytes)."""
    await connection.executemany(
        "INSERT INTO submission (property_id, submission_id, position, effective_from, content)"
        " VALUES ($1, $2, $3, $4, $5)",
        [(property_id, *row) for row in rows],
    )


async def add_round_events(connection: Connection, property_id: str, rows: Iterable[RoundEventRow]) -> None:
    """COPYs the events of rounds."""
    await connection.copy_records_to_table(
        "round_event",
        records=[(property_id, *row) for row in rows],
        columns=("property_id", *RoundEventRow._fields),
    )


async def add_table_events(connection: Connection, property_id: str, rows: Iterable[TableEventRow]) -> None:
    """COPYs table events."""
    await connection.copy_records_to_table(
        "table_event",
        records=[(property_id, *row) for row in rows],
        columns=("property_id", *TableEventRow._fields),
    )


async def add_held_facts(connection: Connection, property_id: str, rows: Iterable[HeldRow]) -> None:
    """COPYs facts that stay outside the feed."""
    await connection.copy_records_to_table(
        "held_fact",
        records=[(property_id, *row) for row in rows],
        columns=("property_id", *HeldRow._fields),
    )


async def events_of_rounds(connection: Connection, property_id: str, keys: Sequence[RoundKey]) -> list[RoundEntryRow]:
    """Every event of these rounds with its entry, in the order of the feed."""
    rows = await connection.fetch(
        """
        SELECT r.gaming_day, r.table_id, r.shoe, r.round_no, r.roll, r.kind, r.item_no, r.position, r.digest, e.entry
        FROM unnest($2::date[], $3::text[], $4::int[], $5::int[]) AS k (gaming_day, table_id, shoe, round_no)
        JOIN round_event AS r ON r.property_id = $1 AND r.gaming_day = k.gaming_day AND r.table_id = k.table_id
            AND r.shoe = k.shoe AND r.round_no = k.round_no
        JOIN rounds_entry AS e ON e.property_id = $1 AND e.position = r.position AND e.gaming_day = r.gaming_day
        ORDER BY r.position
        """,
        property_id,
        [key.gaming_day for key in keys],
        [key.table_id for key in keys],
        [key.shoe for key in keys],
        [key.round_no for key in keys],
    )
    return [_round_entry(row) for row in rows]


def _round_entry(row: Record) -> RoundEntryRow:
    return RoundEntryRow(RoundKey(*tuple(row)[:5]), *tuple(row)[5:])


async def table_events_at(
    connection: Connection, property_id: str, keys: Sequence[tuple[date, str, int, datetime]]
) -> dict[tuple[date, str, int, datetime], bytes]:
    """The digests of table events by (day, table, kind, time)."""
    rows = await connection.fetch(
        """
        SELECT t.gaming_day, t.table_id, t.kind, t.occurred_at, t.digest
        FROM unnest($2::date[], $3::text[], $4::int[], $5::timestamptz[]) AS k (gaming_day, table_id, kind, at)
        JOIN table_event AS t ON t.property_id = $1 AND t.gaming_day = k.gaming_day AND t.table_id = k.table_id
            AND t.kind = k.kind AND t.occurred_at = k.at
        """,
        property_id,
        *(list(column) for column in zip(*keys, strict=True)),
    )
    return {tuple(row)[:4]: row["digest"] for row in rows}


async def held_facts_with(connection: Connection, property_id: str, digests: Sequence[bytes]) -> list[HeldRow]:
    """The facts outside the feed that came from events with this content."""
    rows = await connection.fetch(
        f"SELECT {', '.join(HeldRow._fields)} FROM held_fact"
        " WHERE property_id = $1 AND digest = ANY ($2::bytea[]) ORDER BY recorded_at, sequence, wager_no",
        property_id,
        list(digests),
    )
    return [HeldRow(*row) for row in rows]


async def held_facts(connection: Connection, property_id: str, day: date | None) -> list[HeldRow]:
    """The facts outside the feed, of one day or of all."""
    rows = await connection.fetch(
        f"SELECT {', '.join(HeldRow._fields)} FROM held_fact"
        " WHERE property_id = $1 AND ($2::date IS NULL OR gaming_day = $2)"
        " ORDER BY recorded_at, source_id, epoch, sequence, wager_no",
        property_id,
        day,
    )
    return [HeldRow(*row) for row in rows]


async def held_facts_of_round(connection: Connection, property_id: str, key: RoundKey) -> list[HeldRow]:
    """The facts outside the feed that name a round."""
    rows = await connection.fetch(
        f"SELECT {', '.join(HeldRow._fields)} FROM held_fact"
        " WHERE property_id = $1 AND gaming_day = $2 AND table_id = $3 AND shoe = $4 AND round_no = $5"
        " ORDER BY recorded_at, sequence, wager_no",
        property_id,
        *key[:4],
    )
    return [HeldRow(*row) for row in rows]


async def results_of_shoes(
    connection: Connection, property_id: str, shoes: Sequence[tuple[date, str, int]], kinds: Sequence[int]
) -> list[RoundEntryRow]:
    """The results recorded of these shoes, in the order of the feed."""
    rows = await connection.fetch(
        """
        SELECT r.gaming_day, r.table_id, r.shoe, r.round_no, r.roll, r.kind, r.item_no, r.position, r.digest, e.entry
        FROM unnest($2::date[], $3::text[], $4::int[]) AS k (gaming_day, table_id, shoe)
        JOIN round_event AS r ON r.property_id = $1 AND r.gaming_day = k.gaming_day AND r.table_id = k.table_id
            AND r.shoe = k.shoe AND r.kind = ANY ($5::int[])
        JOIN rounds_entry AS e ON e.property_id = $1 AND e.position = r.position AND e.gaming_day = r.gaming_day
        ORDER BY r.position
        """,
        property_id,
        *(list(column) for column in zip(*shoes, strict=True)),
        list(kinds),
    )
    return [_round_entry(row) for row in rows]


async def rounds_of_day(
    connection: Connection, property_id: str, day: date, table_id: str, kinds: Sequence[int], after: int, limit: int
) -> list[RoundEntryRow]:
    """Finished rounds of a day (of one table, or of all where it is empty) after a position."""
    rows = await connection.fetch(
        """
        SELECT r.gaming_day, r.table_id, r.shoe, r.round_no, r.roll, r.kind, r.item_no, r.position, r.digest, e.entry
        FROM round_event AS r
        JOIN rounds_entry AS e ON e.property_id = $1 AND e.position = r.position AND e.gaming_day = $2
        WHERE r.property_id = $1 AND r.gaming_day = $2 AND ($3 = '' OR r.table_id = $3)
            AND r.kind = ANY ($4::int[]) AND r.position > $5
        ORDER BY r.position LIMIT $6
        """,
        property_id,
        day,
        table_id,
        list(kinds),
        after,
        limit,
    )
    return [_round_entry(row) for row in rows]


async def round_events_between(connection: Connection, property_id: str, first: int, last: int) -> list[RoundEventRow]:
    """The rows of a range of positions."""
    rows = await connection.fetch(
        f"SELECT {', '.join(RoundEventRow._fields)} FROM round_event"
        " WHERE property_id = $1 AND position BETWEEN $2 AND $3 ORDER BY position",
        property_id,
        first,
        last,
    )
    return [RoundEventRow(*row) for row in rows]


async def table_events(connection: Connection, property_id: str) -> list[TableEventRow]:
    """Every table event, in the order of the feed."""
    rows = await connection.fetch(
        f"SELECT {', '.join(TableEventRow._fields)} FROM table_event WHERE property_id = $1 ORDER BY position",
        property_id,
    )
    return [TableEventRow(*row) for row in rows]


async def count_round_events(connection: Connection, property_id: str) -> int:
    """How many rows there are."""
    return int(await connection.fetchval("SELECT count(*) FROM round_event WHERE property_id = $1", property_id))
