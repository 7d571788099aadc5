"""Every SQL statement of the rounds service.

Look-ups by key are lateral, each fenced by OFFSET 0: as plain joins on tables that were never analysed they are planned
by property and day alone, and cost a whole day's rows for every key.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

from services.kernel.ids import RoundKey
from services.rounds.calendar import PropertySetting, TableSetting
from services.rounds.rows import RoundEntryRow, RoundEventRow, TableEventRow
from services.rounds.sources import SourcePosition
from services.runtime.feeds import HeadMoved
from services.runtime.store import READING_SECONDS, Connection, EntryRow, Record


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
        "SELECT effective_from, position, title, time_zone, cut_over, shift_starts, house_edge_from, house_edge_to,"
        " claim_within_minutes, jurisdiction FROM property_setting WHERE property_id = $1 ORDER BY position",
        property_id,
    )
    return [
        PropertySetting(row[0], row[1], row[2], row[3], row[4], tuple(row[5]), row[6], row[7], row[8], row[9])
        for row in rows
    ]


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
        " house_edge_from, house_edge_to, claim_within_minutes, jurisdiction, principal, recorded_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
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
    connection: Connection, property_id: str, positions: Sequence[tuple[str, SourcePosition, bytes]]
) -> None:
    """Keeps how far the sources have been answered, each with the service's mark.

    HeadMoved where one stands further than that: another process has answered it.
    """
    moved = await connection.fetch(
        "INSERT INTO source_position (property_id, source_id, epoch, sequence, mark)"
        " SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bytea[])"
        " ON CONFLICT (property_id, source_id)"
        " DO UPDATE SET epoch = excluded.epoch, sequence = excluded.sequence, mark = excluded.mark"
        " WHERE (source_position.epoch, source_position.sequence) <= (excluded.epoch, excluded.sequence)"
        " RETURNING source_id",
        property_id,
        [name for name, _, _ in positions],
        [position.epoch for _, position, _ in positions],
        [position.sequence for _, position, _ in positions],
        [mark for _, _, mark in positions],
    )
    if len(moved) != len(positions):
        passed = {name for name, _, _ in positions} - {row["source_id"] for row in moved}
        raise HeadMoved(f"{property_id}: of {', '.join(sorted(passed))} more is answered than is known here")


async def last_spins(connection: Connection, property_id: str) -> list[tuple[str, bytes, int]]:
    """The last spin of each wheel: table, entry and its position."""
    rows = await connection.fetch(
        """
        SELECT r.table_id, e.entry, r.position FROM last_spin AS r
        CROSS JOIN LATERAL (SELECT entry FROM rounds_entry
            WHERE property_id = $1 AND position = r.position AND gaming_day = r.gaming_day OFFSET 0) AS e
        WHERE r.property_id = $1
        """,
        property_id,
    )
    return [tuple(row) for row in rows]


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


async def events_of_rounds(connection: Connection, property_id: str, keys: Sequence[RoundKey]) -> list[RoundEntryRow]:
    """Every event of these rounds with its entry, in the order of the feed."""
    rows = await connection.fetch(
        """
        SELECT r.gaming_day, r.table_id, r.shoe, r.round_no, r.roll, r.kind, r.item_no, r.position, r.digest, e.entry
        FROM unnest($2::date[], $3::text[], $4::int[], $5::int[]) AS k (gaming_day, table_id, shoe, round_no)
        CROSS JOIN LATERAL (SELECT * FROM round_event WHERE property_id = $1 AND gaming_day = k.gaming_day
            AND table_id = k.table_id AND shoe = k.shoe AND round_no = k.round_no OFFSET 0) AS r
        CROSS JOIN LATERAL (SELECT entry FROM rounds_entry
            WHERE property_id = $1 AND position = r.position AND gaming_day = r.gaming_day OFFSET 0) AS e
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


async def spins_of_days(
    connection: Connection, property_id: str, table_id: str, days: Sequence[date]
) -> list[RoundKey]:
    """The rounds of a wheel on these days."""
    rows = await connection.fetch(
        "SELECT DISTINCT gaming_day, table_id, shoe, round_no FROM round_event"
        " WHERE property_id = $1 AND gaming_day = ANY ($3::date[]) AND table_id = $2",
        property_id,
        table_id,
        list(days),
    )
    return [RoundKey(*row) for row in rows]


async def events_of_shoes(
    connection: Connection, property_id: str, shoes: Sequence[tuple[date, str, int]], kinds: Sequence[int]
) -> list[RoundEntryRow]:
    """The events of these kinds recorded of these shoes, in the order of the feed."""
    rows = await connection.fetch(
        """
        SELECT r.gaming_day, r.table_id, r.shoe, r.round_no, r.roll, r.kind, r.item_no, r.position, r.digest, e.entry
        FROM unnest($2::date[], $3::text[], $4::int[]) AS k (gaming_day, table_id, shoe)
        CROSS JOIN LATERAL (SELECT * FROM round_event WHERE property_id = $1 AND gaming_day = k.gaming_day
            AND table_id = k.table_id AND shoe = k.shoe AND kind = ANY ($5::int[]) OFFSET 0) AS r
        CROSS JOIN LATERAL (SELECT entry FROM rounds_entry
            WHERE property_id = $1 AND position = r.position AND gaming_day = r.gaming_day OFFSET 0) AS e
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
        FROM (SELECT * FROM round_event WHERE property_id = $1 AND gaming_day = $2 AND ($3 = '' OR table_id = $3)
            AND kind = ANY ($4::int[]) AND position > $5 ORDER BY position LIMIT $6) AS r
        CROSS JOIN LATERAL (SELECT entry FROM rounds_entry
            WHERE property_id = $1 AND position = r.position AND gaming_day = r.gaming_day OFFSET 0) AS e
        ORDER BY r.position
        """,
        property_id,
        day,
        table_id,
        list(kinds),
        after,
        limit,
    )
    return [_round_entry(row) for row in rows]


async def round_events_between(
    connection: Connection, property_id: str, page: Sequence[EntryRow]
) -> list[RoundEventRow]:
    """The rows at the positions of a page of entries, of the gaming days that these are of."""
    rows = await connection.fetch(
        f"SELECT {', '.join(RoundEventRow._fields)} FROM round_event"
        " WHERE property_id = $1 AND gaming_day = ANY ($2::date[]) AND position BETWEEN $3 AND $4 ORDER BY position",
        property_id,
        sorted({entry.gaming_day for entry in page}),
        page[0].position,
        page[-1].position,
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
    counted = "SELECT count(*) FROM round_event WHERE property_id = $1"
    return int(await connection.fetchval(counted, property_id, timeout=READING_SECONDS))


async def offers_opened(
    connection: Connection, property_id: str, kind: int, tables: Iterable[tuple[str, date]]
) -> list[tuple[str, date, str, int, int, bytes]]:
    """The last opening in the feed of each (table, day): these, its source, epoch and sequence, and its commit."""
    wanted = sorted(tables)
    rows = await connection.fetch(
        """
        SELECT k.table_id, k.gaming_day, t.source_id, t.epoch, t.sequence, c.commit
        FROM unnest($3::text[], $4::date[]) AS k (table_id, gaming_day)
        CROSS JOIN LATERAL (SELECT * FROM table_event WHERE property_id = $1 AND gaming_day = k.gaming_day
            AND table_id = k.table_id AND kind = $2 ORDER BY position DESC LIMIT 1) AS t
        CROSS JOIN LATERAL (SELECT commit FROM rounds_entry WHERE property_id = $1 AND position <= t.position
            AND commit IS NOT NULL ORDER BY position DESC LIMIT 1) AS c
        """,
        property_id,
        kind,
        [table_id for table_id, _ in wanted],
        [day for _, day in wanted],
    )
    return [(row[0], row[1], row[2], row[3], row[4], row[5]) for row in rows]
