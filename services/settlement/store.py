"""The SQL of this service.

Look-ups by key are lateral: as plain joins on tables that were never analysed they are planned by property and day
alone, and cost a whole day's rows for every key.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from services.kernel import errors
from services.kernel.ids import RoundKey
from services.runtime.store import READING_SECONDS, Connection, Record, copy_packed
from services.settlement import packed
from services.settlement.settlements import Settlement
from services.settlement.submissions import Submission, read_tables_json, tables_json

PAGE = 2_000
Placed = tuple[int, Settlement]
"""A settlement with its position in the settlements feed."""

ROUND_COLUMNS = ("property_id", "gaming_day", "table_id", "shoe", "round_no", "roll", "revision", "position")
SETTLED_ROUND_COLUMNS = (*ROUND_COLUMNS, "rounds_position", "wagers")
WAGER_COLUMNS = (
    *ROUND_COLUMNS,
    "shift",
    "pit",
    "dealer",
    "submission_id",
    "decks",
    "wager_no",
    "seat",
    "code",
    "paytable",
    "stake_cents",
    "outcome",
    "line",
    "payout_cents",
    "inventory_cents",
    "breakage_micros",
)
AWARD_COLUMNS = (
    *ROUND_COLUMNS,
    "wager_no",
    "ordinal",
    "kind",
    "paid_from",
    "cents",
    "level",
    "percent",
    "jackpot_id",
)


class Latest(NamedTuple):
    """The newest settlement of a round: its revision, and its entry's position and bytes."""

    revision: int
    position: int
    entry: bytes


class Approval(NamedTuple):
    """An approved submission and its position in the submissions feed."""

    position: int
    submission: Submission


async def next_number(connection: Connection, property_id: str) -> int:
    """The number of the property's next submission, from 1."""
    number: int = await connection.fetchval(
        "SELECT coalesce(max(number), 0) + 1 FROM submission WHERE property_id = $1", property_id
    )
    return number


async def add_submission(connection: Connection, number: int, submission: Submission) -> None:
    """Keeps a proposed submission. Raises Busy if another writer took its number first."""
    row = await connection.fetchval(
        "INSERT INTO submission (property_id, number, submission_id, title, certificate_holder,"
        " effective_from, tables, proposed_by, proposed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
        " ON CONFLICT DO NOTHING RETURNING 1",
        submission.property_id,
        number,
        submission.submission_id,
        submission.title,
        submission.certificate_holder,
        submission.effective_from,
        tables_json(submission.tables),
        submission.proposed_by,
        submission.proposed_at,
    )
    if row is None:
        raise errors.Busy(f"{submission.submission_id} was just proposed by another writer; propose again.")


async def add_approval(
    connection: Connection, property_id: str, submission_id: str, position: int, by: str, at: datetime
) -> None:
    """Keeps the approval of a submission; the head of the feed is locked, so it is the only one."""
    await connection.execute(
        "INSERT INTO approval (property_id, submission_id, position, approved_by, approved_at)"
        " VALUES ($1, $2, $3, $4, $5)",
        property_id,
        submission_id,
        position,
        by,
        at,
    )


async def submissions(connection: Connection, property_id: str, names: Sequence[str] | None = None) -> list[Submission]:
    """The property's submissions in the order proposed; all, or those named."""
    rows = await connection.fetch(
        "SELECT property_id, submission_id, title, certificate_holder, effective_from, tables, proposed_by,"
        " proposed_at, coalesce(approved_by, '') AS approved_by, approved_at"
        " FROM submission LEFT JOIN approval USING (property_id, submission_id)"
        " WHERE property_id = $1 AND ($2::text[] IS NULL OR submission_id = ANY ($2)) ORDER BY number",
        property_id,
        names,
    )
    return [_submission(row) for row in rows]


async def approvals(connection: Connection, property_id: str) -> list[Approval]:
    """The property's approved submissions by their position in the submissions feed."""
    rows = await connection.fetch(
        "SELECT property_id, submission_id, title, certificate_holder, effective_from, tables, proposed_by,"
        " proposed_at, approved_by, approved_at, position"
        " FROM submission JOIN approval USING (property_id, submission_id)"
        " WHERE property_id = $1 ORDER BY position",
        property_id,
    )
    return [Approval(row["position"], _submission(row)) for row in rows]


def _submission(row: Record) -> Submission:
    return Submission(
        row["submission_id"],
        row["property_id"],
        row["title"],
        row["certificate_holder"],
        row["effective_from"],
        read_tables_json(row["submission_id"], row["tables"]),
        row["proposed_by"],
        row["proposed_at"],
        row["approved_by"],
        row["approved_at"],
    )


class Rows:
    """The rows of settlements: one a round, one a wager, one an award of a kind other than odds.

    Each is made while its settlement is at hand, and all are copied together.
    """

    def __init__(self, property_id: str) -> None:
        self._property_id = property_id
        self._rounds: list[tuple[object, ...]] = []
        self._wagers: list[bytes] = []
        self._awards: list[tuple[object, ...]] = []

    def add(self, position: int, found: Settlement) -> None:
        """Adds a settlement at its position in the settlements feed."""
        placed = ((position, found),)
        self._rounds += settled_round_rows(self._property_id, placed)
        self._wagers.append(packed.wagers(self._property_id, position, found))
        if found.awards:
            self._awards += award_rows(self._property_id, placed)

    async def copy(self, connection: Connection) -> None:
        """COPYs what was added."""
        if not self._rounds:
            return
        await connection.copy_records_to_table("settled_round", records=self._rounds, columns=SETTLED_ROUND_COLUMNS)
        await copy_packed(connection, "wager", packed.COLUMNS, self._wagers)
        if self._awards:
            await connection.copy_records_to_table("award", records=self._awards, columns=AWARD_COLUMNS)


def settled_round_rows(property_id: str, placed: Iterable[Placed]) -> Iterator[tuple[object, ...]]:
    """The row of each settlement, in the order of SETTLED_ROUND_COLUMNS."""
    for position, found in placed:
        count = len(found.wager_no)
        yield (property_id, *found.key, found.revision, position, found.rounds_position, count)


def wager_rows(property_id: str, placed: Iterable[Placed]) -> Iterator[tuple[object, ...]]:
    """The rows of the wagers, in the order of WAGER_COLUMNS."""
    for position, found in placed:
        shared = (
            property_id,
            *found.key,
            found.revision,
            position,
            found.shift,
            found.pit,
            found.dealer,
            found.submission_id,
            found.decks,
        )
        for wager in zip(
            found.wager_no,
            found.seat,
            found.code,
            found.paytable,
            found.stake_cents,
            found.outcome,
            found.line,
            found.payout_cents,
            found.inventory_cents,
            found.breakage_micros,
            strict=True,
        ):
            yield shared + wager


def award_rows(property_id: str, placed: Iterable[Placed]) -> Iterator[tuple[object, ...]]:
    """The rows of the awards, in the order of AWARD_COLUMNS; a wager's awards are counted from 0."""
    for position, found in placed:
        shared, counts = (property_id, *found.key, found.revision, position), dict[int, int]()
        for award in found.awards:
            ordinal = counts.get(award.wager_no, 0)
            counts[award.wager_no] = ordinal + 1
            yield (*shared, award.wager_no, ordinal, *award[1:])


async def latest(connection: Connection, property_id: str, keys: Sequence[RoundKey]) -> dict[RoundKey, Latest]:
    """The newest settlement of each of these rounds that has one."""
    rows = await connection.fetch(
        """
        SELECT k.gaming_day, k.table_id, k.shoe, k.round_no, k.roll, s.revision, s.position, e.entry
        FROM unnest($2::date[], $3::text[], $4::int[], $5::int[], $6::int[])
             AS k (gaming_day, table_id, shoe, round_no, roll)
        CROSS JOIN LATERAL (SELECT revision, position FROM settled_round
            WHERE property_id = $1 AND gaming_day = k.gaming_day AND table_id = k.table_id AND shoe = k.shoe
                AND round_no = k.round_no AND roll = k.roll
            ORDER BY revision DESC LIMIT 1) AS s
        CROSS JOIN LATERAL (SELECT entry FROM settlements_entry
            WHERE property_id = $1 AND position = s.position AND gaming_day = k.gaming_day OFFSET 0) AS e
        """,
        property_id,
        *_columns(keys),
    )
    return {RoundKey(*row[:5]): Latest(*row[5:]) for row in rows}


def _columns(keys: Sequence[RoundKey]) -> list[list[object]]:
    return [[key[place] for key in keys] for place in range(5)]


async def settlement_entries(connection: Connection, property_id: str, key: RoundKey) -> list[bytes]:
    """The entries of every settlement of a round, the newest last."""
    rows = await connection.fetch(
        """
        SELECT e.entry FROM settled_round AS s
        CROSS JOIN LATERAL (SELECT entry FROM settlements_entry
            WHERE property_id = $1 AND position = s.position AND gaming_day = $2 OFFSET 0) AS e
        WHERE s.property_id = $1 AND s.gaming_day = $2 AND s.table_id = $3 AND s.shoe = $4
            AND s.round_no = $5 AND s.roll = $6
        ORDER BY s.revision
        """,
        property_id,
        *key,
    )
    return [row["entry"] for row in rows]


async def rows_of(
    connection: Connection,
    table: str,
    columns: Sequence[str],
    within: Sequence[str],
    property_id: str,
    placed: Sequence[Placed],
) -> list[Any]:
    """The rows of these settlements in one of the three tables, each settlement's in the order of `within`.

    The settlements come as they are given wherever the planner loops over them, as it does: that is not promised.
    """
    return await connection.fetch(
        f"""
        SELECT r.* FROM unnest($1::text[], $2::date[], $3::text[], $4::int[], $5::int[], $6::int[], $7::int[])
            AS k (property_id, gaming_day, table_id, shoe, round_no, roll, revision)
        CROSS JOIN LATERAL (SELECT {", ".join(columns)} FROM {table} AS t
            WHERE t.property_id = k.property_id AND t.gaming_day = k.gaming_day AND t.table_id = k.table_id
                AND t.shoe = k.shoe AND t.round_no = k.round_no AND t.roll = k.roll AND t.revision = k.revision
            ORDER BY {", ".join(within) or "position"} OFFSET 0) AS r
        """,
        [property_id] * len(placed),
        *_columns([found.key for _, found in placed]),
        [found.revision for _, found in placed],
        timeout=READING_SECONDS,
    )


async def count_rows(connection: Connection, table: str, property_id: str, day: date | None) -> int:
    """How many rows one of the three tables has, of one gaming day or in all."""
    query = f"SELECT count(*) FROM {table} WHERE property_id = $1 AND ($2::date IS NULL OR gaming_day = $2)"
    return int(await connection.fetchval(query, property_id, day, timeout=READING_SECONDS))


async def stored_rows(
    connection: Connection, table: str, columns: Sequence[str], order: str, property_id: str, day: date | None
) -> AsyncIterator[tuple[object, ...]]:
    """The rows of one of the three tables of settlements, in this order; one gaming day or all."""
    rows = connection.cursor(
        f"SELECT {', '.join(columns)} FROM {table}"
        f" WHERE property_id = $1 AND ($2::date IS NULL OR gaming_day = $2) ORDER BY {order}",
        property_id,
        day,
        prefetch=PAGE,
        timeout=READING_SECONDS,
    )
    async for row in rows:
        yield tuple(row)
